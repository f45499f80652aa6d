"""Cross-validation of a table larger than memory chooses what it chooses in memory, on the same folds."""

import numpy as np
import polars as pl
import pytest

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.learn.parts.budget import Sizes
from treewright.learn.parts.folds import fold_lists, folds_of_rows


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.setattr(Sizes, "of", classmethod(lambda cls, *_: cls(130, 200, 1 << 20, 0)))
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 3))
    kind = rng.choice(["a", "b", "c"], 600)
    number = x[:, 0] + (kind == "a") + rng.normal(size=600)
    found = pl.DataFrame({"x": x[:, 0], "u": x[:, 1], "v": x[:, 2], "kind": kind, "number": number})
    found = found.with_columns(w=rng.integers(0, 4, 600).astype(float))
    for part in range(3):
        found[part * 200 : part * 200 + 200].write_parquet(tmp_path / f"{part}.parquet")
    return found.with_columns(label=pl.Series(np.where(number > 0.4, "yes", "no")))


CASES = [
    {"ccp_alpha": "cv"},
    {"ccp_alpha": "1se"},
    {"ccp_alpha": "cv", "cv": 3},
    {"smoothing": "hierarchical"},
    {"ccp_alpha": "0.5se", "smoothing": "m_estimate", "smoothing_strength": "cv"},
]


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("target", ["label", "number"])
@pytest.mark.parametrize("params", CASES, ids=str)
def test_the_same_choice_as_in_memory(params, target, weight, table, tmp_path):
    make = DecisionTreeClassifier if target == "label" else DecisionTreeRegressor
    table = table.drop("number" if target == "label" else "label")
    table = table if weight else table.drop("w")
    path = tmp_path / "whole.parquet"
    table.write_parquet(path)
    folds = fold_lists(600, params.get("cv", 5))
    expected = make(**(params | {"cv": folds})).fit(table, target, sample_weight=weight)
    model = make(**params).fit(path, target, sample_weight=weight, memory=1)
    assert model.ccp_alpha_ == expected.ccp_alpha_
    assert model.tree_.digest == expected.tree_.digest
    assert model.best_.tree_.digest == expected.best_.tree_.digest if "ccp_alpha" in params else True
    np.testing.assert_allclose(model.pruning_curve_.mean, expected.pruning_curve_.mean, rtol=1e-9)
    np.testing.assert_allclose(model.pruning_curve_.se, expected.pruning_curve_.se, rtol=1e-6)
    if target == "label":
        np.testing.assert_allclose(model.out_of_fold_.score, expected.out_of_fold_.score)
        np.testing.assert_allclose(model.out_of_fold_.weight, expected.out_of_fold_.weight)


def test_class_weights(table, tmp_path):
    path = tmp_path / "whole.parquet"
    table.drop("number", "w").write_parquet(path)
    params = {"ccp_alpha": "cv", "class_weight": {"no": 2.0, "yes": 1.0}}
    expected = DecisionTreeClassifier(cv=fold_lists(600, 5), **params).fit(table.drop("number", "w"), "label")
    model = DecisionTreeClassifier(**params).fit(path, "label", memory=1)
    assert model.tree_.digest == expected.tree_.digest
    np.testing.assert_allclose(model.out_of_fold_.weight, expected.out_of_fold_.weight)


def test_folds_do_not_depend_on_parts():
    whole = folds_of_rows(0, 1000, 7)
    assert np.array_equal(np.concatenate([folds_of_rows(0, 300, 7), folds_of_rows(300, 700, 7)]), whole)
    assert np.bincount(whole).min() > 100


@pytest.mark.parametrize("params", [{"cv": fold_lists(600, 3)}, {"cv_repeats": 2}], ids=["list", "repeats"])
def test_other_folds_are_refused(params, table, tmp_path):
    path = tmp_path / "whole.parquet"
    table.write_parquet(path)
    with pytest.raises(ValueError, match=f"{next(iter(params))} must not be .* Give cv a number of folds"):
        DecisionTreeClassifier(ccp_alpha="cv", **params).fit(path, "label", memory=1)


@pytest.mark.parametrize(
    "params",
    [
        {"priors": {"no": 0.2, "yes": 0.8}, "max_depth": 4},
        {"priors": {"no": 0.2, "yes": 0.8}, "ccp_alpha": "1se"},
        {"costs": [[0, 1], [7, 0]], "max_leaf_nodes": 9},
    ],
    ids=str,
)
def test_priors_and_costs(params, table, tmp_path):
    table = table.drop("number", "w")
    table.write_parquet(tmp_path / "whole.parquet")
    expected = DecisionTreeClassifier(**(params | {"cv": fold_lists(600, 5)})).fit(table, "label")
    model = DecisionTreeClassifier(**params).fit(tmp_path / "whole.parquet", "label", memory=1)
    assert model.tree_.digest == expected.tree_.digest
    np.testing.assert_array_equal(model.predict(table), expected.predict(table))
