"""Rows that are divided into folds several times."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import KFold, StratifiedKFold

from tests.learn.test_pruning_curve import table
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, roc_curve
from treewright.learn.folds import Shuffled


def test_rows_may_be_divided_several_times(rng):
    X, score = table(rng)
    y = score > 0
    again = [
        fold for seed in range(3) for fold in StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y)
    ]
    how = {"ccp_alpha": "cv", "smoothing": "hierarchical"}
    repeated = DecisionTreeClassifier(cv=5, cv_repeats=3, **how).fit(X, y)
    listed = DecisionTreeClassifier(cv=again, **how).fit(X, y)
    assert repeated.tree_ == listed.tree_
    assert_array_equal(repeated.pruning_curve_.mean, listed.pruning_curve_.mean)
    assert repeated.pruning_curve_.n_folds == 15
    once = DecisionTreeClassifier(**how | {"ccp_alpha": repeated.ccp_alpha_}).fit(X, y)
    assert repeated.out_of_fold_.weight.sum() == pytest.approx(len(y))  # a row counts once
    assert_allclose(roc_curve(repeated).interval, roc_curve(once).interval, atol=0.1)
    assert_allclose(np.diff(roc_curve(repeated).interval), np.diff(roc_curve(once).interval), rtol=0.3)


def test_only_a_number_of_folds_can_be_repeated(rng):
    X, score = table(rng)
    sentence = r"cv_repeats shuffles the rows anew, which needs a number as cv. Got cv_repeats=2 and cv=KFold"
    with pytest.raises(ValueError, match=sentence):
        DecisionTreeRegressor(cv=KFold(3), cv_repeats=2).fit(X, score)


def test_cv_results_are_arrays_by_name(rng):
    X, score = table(rng)
    model = DecisionTreeRegressor(ccp_alpha="cv", cv=4).fit(X, score)
    results, curve = model.cv_results_, model.pruning_curve_
    assert list(results)[:5] == ["ccp_alpha", "n_leaves", "training_loss", "mean_loss", "std_error"]
    assert_array_equal(results["mean_loss"], curve.mean)
    assert_array_equal([results[f"split{k}_loss"] for k in range(4)], curve.by_fold)
    assert model.ccp_alpha_ == results["ccp_alpha"][curve.place("cv")]
    assert curve.to_dicts()[0]["mean_loss"] == curve.mean[0]


@pytest.mark.parametrize("stratify", [True, False])
@pytest.mark.parametrize("n_splits", [2, 3, 5, 7])
def test_shuffled_folds_are_those_of_scikit_learn(stratify, n_splits, rng):
    for n_rows in (7, 30, 101):
        y = rng.choice(["b", "c", "a"], n_rows, p=[0.6, 0.3, 0.1])
        y = y if max(np.unique(y, return_counts=True)[1]) >= n_splits else np.full(n_rows, "a")
        theirs = (StratifiedKFold if stratify else KFold)(n_splits, shuffle=True, random_state=3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a class with fewer rows than folds
            expected = list(theirs.split(y[:, None], y))
        for ours, pair in zip(Shuffled(n_splits, 3, stratify).split(None, y), expected, strict=True):
            for found, wanted in zip(ours, pair, strict=True):
                np.testing.assert_array_equal(found, wanted)
