"""The page cross-validates as the model was fitted: groups stay together, and folds train on the past."""

import numpy as np
import pandas as pd
import pytest

from treewright import fit, report


def grouped(n_groups=40, size=15):
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(n_groups), size)
    X = pd.DataFrame({"a": rng.normal(size=n_groups)[patient], "b": rng.normal(size=n_groups)[patient]})
    y = np.where(rng.random(n_groups)[patient] < 0.5, "yes", "no")  # known of a patient, not of new ones
    return X, y, patient


def accuracy(made):
    matrix = np.array(made.payload["evaluation"]["confusion"]["counts"])
    return np.trace(matrix) / matrix.sum()


def test_groups_stay_together():
    X, y, patient = grouped()
    result = fit(X, y, groups=patient, check=False, ccp_alpha=0.0, smoothing=None)
    assert result.main_score.value < 0.75
    page = report(result, X, y, groups=patient, held_out=False, check=False)
    assert accuracy(page) < 0.75
    without = report(result, X, y, held_out=False, check=False)
    assert any("fitted with groups" in note for note in without.notes)
    assert not without.payload.get("evaluation")
    with pytest.raises(ValueError, match="groups must have one value per row"):
        report(result, X, y, groups=patient[:5], check=False)


def test_folds_in_time_evaluate_later_rows_alone():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": rng.normal(size=300)})
    y = np.where(X["a"] + rng.normal(size=300) > 0, "yes", "no")
    result = fit(X, y, time=np.arange(300), check=False)
    page = report(result, X, y, time=np.arange(300), held_out=False, check=False)
    assert page.payload["pruning"]["scores"]["on"].startswith(("250", "240"))
