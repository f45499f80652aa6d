"""Ties in a trace: they are found whatever the last bits; why one column won is said where it is known."""

import numpy as np
import pandas as pd
import pytest

import treewright
from treewright import classics, lab


def test_ties_up_to_the_last_bits_are_ties():
    draws = np.random.default_rng(13)
    X = pd.DataFrame({"a": draws.integers(0, 6, 100) * 1.0, "b": draws.normal(size=100)})
    X["c"] = draws.integers(0, 6, 100) * 1.0
    y = np.round(X.a + draws.normal(size=100), 2)
    found = lab.trace(treewright.DecisionTreeRegressor().fit(X, y), X, y)
    assert not any("not chosen" in step.sentence() for step in found)
    assert found.notes == ()


def test_ties_of_the_gain_ratio():
    """b is a with its levels renamed; the order of the levels changes the last bit of the ratio."""
    a, y = list("11220022002102"), [0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1]
    X = pd.DataFrame({"a": a, "b": [{"0": "z", "1": "y", "2": "x"}[level] for level in a]})
    for program in (classics.c45(), classics.j48()):
        step = lab.trace(program.fit(X, y), X, y)[0]
        assert [each.column for each in step.ties] == ["b"]
        assert step.sentence() == "a and b gain the same; a was taken."


@pytest.mark.parametrize(
    "options", [{"level_correction": True}, {"max_features": 1, "random_state": 0}, {"splitter": "random"}]
)
def test_why_a_tie_was_decided_is_said_only_where_it_is_known(options):
    draws = np.random.default_rng(4)
    X = pd.DataFrame({"city": draws.choice(list("abcde"), 20), "n": draws.integers(0, 3, 20)})
    y = draws.integers(0, 2, 20)
    model = treewright.DecisionTreeClassifier(max_depth=1, **options).fit(X.assign(same=X.n), y)
    found = lab.trace(model, X.assign(same=X.n), y)
    assert "the first in the table" not in found[0].sentence()
    assert "the first in the table" not in str(found)


def test_cuts_of_medians_are_allowed_where_they_keep_a_constraint():
    draws = np.random.default_rng(0)
    X = draws.integers(0, 8, size=(40, 1)).astype(float)
    y = X[:, 0] * 0.2 + draws.normal(size=40)
    model = treewright.DecisionTreeRegressor(criterion="absolute_error", monotonic_cst=[1]).fit(X, y)
    found = lab.trace(model, X, y)
    cuts = found[0].column(0)
    sides = [(y[X[:, 0] <= cut], y[X[:, 0] > cut]) for cut in cuts.thresholds]
    assert cuts.allowed.tolist() == [bool(np.median(low) <= np.median(high)) for low, high in sides]
    losses = [sum(np.abs(side - np.median(side)).sum() for side in pair) for pair in sides]
    np.testing.assert_allclose(cuts.total_gains, np.abs(y - np.median(y)).sum() - losses)
