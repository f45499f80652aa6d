"""Fit and predict from many Python threads at once give what they give alone."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from treewright import DecisionTreeClassifier, DecisionTreeRegressor, export_text
from treewright.learn.folds import folds_of

N_THREADS = 8


def table(seed, rows=800):
    """Numbers with gaps and levels; a class and a number to predict."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(rows, 4)).round(2), columns=list("abcd"))
    y = (X["a"] + X["b"] * X["c"] + rng.normal(size=rows)).to_numpy()
    X["level"] = rng.choice(["north", "south", "east", "west"], rows)
    y = y + (X["level"] == "north").to_numpy()
    X.loc[rng.random(rows) < 0.1, "a"] = np.nan
    return X, y


def at_once(work, given):
    """What `work` returns for each of the given, all threads set off together."""
    start = threading.Barrier(len(given))

    def run(one):
        start.wait(timeout=60)
        return work(one)

    with ThreadPoolExecutor(len(given)) as threads:
        return list(threads.map(run, given))


@pytest.mark.parametrize("n_jobs", [1, 2, None])
@pytest.mark.parametrize("settings", [{}, {"missing": "surrogate"}, {"ccp_alpha": "cv", "cv": 3}], ids=str)
def test_fits_at_once_are_the_fits_alone(n_jobs, settings):
    def fitted(seed):
        X, y = table(seed)
        if seed % 2:
            return DecisionTreeClassifier(n_jobs=n_jobs, **settings).fit(X, y > 0).tree_
        return DecisionTreeRegressor(n_jobs=n_jobs, max_depth=6, **settings).fit(X, y).tree_

    seeds = range(N_THREADS)
    alone = [fitted(seed) for seed in seeds]
    assert at_once(fitted, seeds) == alone
    assert len({tree.node_count for tree in alone}) > 1


@pytest.mark.parametrize("missing", ["learned", "fractional"])
def test_one_model_predicts_for_many_threads(missing):
    """It prepares for prediction at the first call: here by all threads at the same time."""
    X, y = table(0, rows=3000)
    given = [table(seed, rows=500 + 100 * seed)[0] for seed in range(N_THREADS)]
    model = DecisionTreeClassifier(missing=missing).fit(X, y > 0)
    alone = [DecisionTreeClassifier(missing=missing).fit(X, y > 0).predict_proba(rows) for rows in given]
    for found, wanted in zip(at_once(model.predict_proba, given), alone, strict=True):
        assert_array_equal(found, wanted)


def test_fit_predict_and_print_at_once():
    """Threads that fit again and again beside threads that read a model."""
    X, y = table(1)
    model = DecisionTreeRegressor(max_depth=5, n_jobs=2).fit(X, y)
    predicted, printed = model.predict(X), export_text(model)

    def work(number):
        for _ in range(5):
            if number % 2:
                assert DecisionTreeRegressor(max_depth=5, n_jobs=2).fit(X, y).tree_ == model.tree_
            else:
                assert_array_equal(model.predict(X), predicted)
                assert export_text(model) == printed
        return number

    assert at_once(work, range(N_THREADS)) == list(range(N_THREADS))


def test_a_fit_that_fails_in_one_thread_leaves_the_others_alone():
    X, y = table(2)
    wanted = DecisionTreeClassifier(n_jobs=2).fit(X, y > 0).tree_

    def work(number):
        if number % 2:
            with pytest.raises(ValueError, match="min_samples_leaf must be"):
                DecisionTreeClassifier(min_samples_leaf=-1).fit(X, y > 0)
            return wanted
        return DecisionTreeClassifier(n_jobs=2).fit(X, y > 0).tree_

    assert at_once(work, range(N_THREADS)) == [wanted] * N_THREADS


def test_folds_made_in_many_threads_never_warn_of_a_rare_class():
    y = np.repeat([0, 1, 2], [60, 60, 1])
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: len(folds_of(5, None, y, classifier=True, repeats=4)), range(60)))
    assert found == [20] * 60
