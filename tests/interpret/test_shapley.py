"""Shapley values are those of the definition, add up to predict, and agree with the shap package."""

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.interpret.test_counterfactual import arrays_of, coded
from tests.oracle.shapley import interventional, path_dependent
from tests.support.drawn import drawn
from tests.support.paths import ROOT
from tests.support.random_trees import core_columns, predicted, random_rows, random_tree
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.interpret.shapley.shapley import shapley_values
from treewright.learn.model_file import read
from treewright.tree.tree import tree_from_dict

RECORDED = ROOT / "tests" / "recorded" / "shapley.json"


@pytest.mark.parametrize("seed", range(25))
def test_values_are_those_of_the_definition(seed):
    tree = tree_from_dict(random_tree(seed, surrogates=seed % 2 == 1))
    rows, arrays, value = random_rows(seed, 6), arrays_of(tree), tree.value[:, 0, 0].tolist()
    found = shapley_values(tree, core_columns(tree, rows))
    for row, mine in zip(rows, found.values, strict=True):
        assert mine == pytest.approx(path_dependent(arrays, value, coded(row)), rel=1e-9, abs=1e-9)
        assert found.base + mine.sum() == pytest.approx(predicted(tree, row), abs=1e-9)


@pytest.mark.parametrize("seed", range(25, 40))
def test_values_before_a_background_are_those_of_the_definition(seed):
    tree = tree_from_dict(random_tree(seed, surrogates=seed % 2 == 1))
    rows, arrays, value = random_rows(seed, 6), arrays_of(tree), tree.value[:, 0, 0].tolist()
    others = rows[3:]
    found = shapley_values(tree, core_columns(tree, rows[:3]), background=core_columns(tree, others))
    plain = [coded(row) for row in others]
    for row, mine in zip(rows[:3], found.values, strict=True):
        assert mine == pytest.approx(interventional(arrays, value, coded(row), plain), rel=1e-9, abs=1e-9)
    assert found.base == pytest.approx(np.mean([predicted(tree, row) for row in others]))


def table(seed, rows=400, columns=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns)).round(2)
    y = X[:, 0] + X[:, 1] * X[:, 2] + (X[:, 3] > 0.5) + rng.normal(size=rows) * 0.2
    return X, y


@given(seed=st.integers(0, 10_000), depth=st.integers(1, 12), gaps=st.booleans(), classes=st.integers(1, 4))
@drawn(30)
def test_they_add_up_to_the_prediction(seed, depth, gaps, classes):
    X, y = table(seed)
    if gaps:
        X[np.random.default_rng(seed).random(X.shape) < 0.1] = np.nan
    if classes == 1:
        model = DecisionTreeRegressor(max_depth=depth).fit(X, y)
        prediction = model.predict(X)
    else:
        labels = np.digitize(y, np.quantile(y, np.linspace(0, 1, classes + 1)[1:-1]))
        model = DecisionTreeClassifier(max_depth=depth).fit(X, labels)
        prediction = model.predict_proba(X)
    for background in (None, X[:7]):
        found = shapley_values(model, X, background=background)
        assert found.base + found.values.sum(axis=1) == pytest.approx(prediction, abs=1e-9)
        unused = np.setdiff1d(np.arange(X.shape[1]), model.tree_.feature)
        assert not found.values[:, unused].any()


def test_tables_and_direct_sums_agree():
    """Few rows are computed directly, many by tables; the same rows must have the same values."""
    X, y = table(1, rows=3000)
    model = DecisionTreeRegressor(max_depth=9).fit(X, y)
    for background in (None, X[:50]):
        many, few = (
            shapley_values(model, X, background=background),
            shapley_values(model, X[:3], background=background),
        )
        np.testing.assert_allclose(many.values[:3], few.values, rtol=1e-9, atol=1e-12)


def test_threads_do_not_show():
    X, y = table(2, rows=5000)
    model = DecisionTreeRegressor(max_depth=6).fit(X, y)
    one, many = shapley_values(model, X, n_jobs=1), shapley_values(model, X, n_jobs=4)
    assert np.array_equal(one.values, many.values)


def test_columns_that_do_the_same_have_the_same():
    """x0 and x1 are asked alike: (x0 > 0) + (x1 > 0), with the same weights."""
    low = {"feature": 1, "threshold": 0, "left": {"value": 0, "n": 1}, "right": {"value": 1, "n": 1}}
    high = {"feature": 1, "threshold": 0, "left": {"value": 1, "n": 1}, "right": {"value": 2, "n": 1}}
    tree = tree_from_dict(
        {"feature": 0, "threshold": 0, "left": low | {"n": 2}, "right": high | {"n": 2}, "n": 4}, n_features=2
    )
    found = shapley_values(tree, np.array([[1.0, 1.0], [-1.0, -1.0]]))
    np.testing.assert_allclose(found.values, [[0.5, 0.5], [-0.5, -0.5]])


def test_more_columns_than_bits():
    """A chain that asks 80 columns, one after another; every column counts."""
    node = {"value": 1.0, "n": 1}
    for k in range(80):
        node = {
            "feature": k,
            "threshold": 0.0,
            "left": {"value": 0.0, "n": 1},
            "right": node,
            "n": node["n"] + 1,
        }
    tree = tree_from_dict(node, n_features=80)
    X = np.ones((2, 80))
    X[1, 40] = -1
    for background in (None, -np.ones((3, 80)), X):
        found = shapley_values(tree, X, background=background)
        np.testing.assert_allclose(found.base + found.values.sum(axis=1), [1.0, 0.0], atol=1e-12)
    alone = shapley_values(tree, X[:1], background=-np.ones((3, 80)))
    np.testing.assert_allclose(alone.values, np.full((1, 80), 1 / 80))


def test_a_deep_chain():
    node = {"value": 0.0, "n": 1}
    for k in range(500):
        node = {
            "feature": k % 3,
            "threshold": float(-k),
            "left": node,
            "right": {"value": float(k), "n": 1},
            "n": node["n"] + 1,
        }
    tree = tree_from_dict(node, n_features=3)
    X = np.random.default_rng(0).uniform(-400, 10, (50, 3))
    found = shapley_values(tree, X)
    np.testing.assert_allclose(found.base + found.values.sum(axis=1), tree.predict(X)[:, 0], atol=1e-9)


def test_a_leaf_alone_and_several_outputs(tmp_path):
    X, y = table(3)
    stump = DecisionTreeRegressor(max_depth=1, min_samples_leaf=len(X)).fit(X, y)
    found = shapley_values(stump, X[:3])
    assert not found.values.any()
    assert found.base == pytest.approx(y.mean())
    both = DecisionTreeRegressor(max_depth=4).fit(X, np.stack([y, -y], axis=1))
    values = shapley_values(both, X[:5]).values
    assert values.shape == (5, 6, 2)
    np.testing.assert_allclose(values[..., 0], -values[..., 1], atol=1e-12)
    path = both.save(tmp_path / "model.tree.json")
    np.testing.assert_array_equal(shapley_values(read(path), X[:5]).values, values)


def test_as_the_shap_package():
    """Recorded by `python -m tests.interpret.test_shapley` with shap 0.51 on our tree as scikit-learn's."""
    recorded = json.loads(RECORDED.read_text())
    X, y = table(11, rows=300, columns=5)
    X = X.astype(np.float32)
    regressor, classifier = (model.fit(X, goal) for model, goal in models(y))
    found = shapley_values(regressor, X[:8])
    np.testing.assert_allclose(found.values, recorded["number"], atol=1e-10)
    np.testing.assert_allclose(shapley_values(classifier, X[:8]).values, recorded["classes"], atol=1e-10)
    before = shapley_values(regressor, X[:8], background=X[50:70]).values
    np.testing.assert_allclose(before, recorded["interventional"], atol=1e-5)  # shap rounds these to float32


def models(y):
    three = np.digitize(y, [-0.5, 1.0])
    return (DecisionTreeRegressor(max_depth=6), y), (DecisionTreeClassifier(max_depth=5), three)


STOPPED = """
import os, signal, threading, time
import numpy as np
from tests.interpret.test_shapley import table
from treewright import DecisionTreeRegressor, shapley_values
X, y = table(9, rows=20_000, columns=12)
model = DecisionTreeRegressor().fit(X, y + np.random.default_rng(0).normal(size=len(y)))
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.perf_counter()
try:
    shapley_values(model, X, n_jobs=1)
except KeyboardInterrupt:
    print(time.perf_counter() - start)
"""


def test_ctrl_c_stops_it():
    done = subprocess.run(
        [sys.executable, "-c", STOPPED], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert 0.3 < float(done.stdout) < 10


def test_text_and_drawing():
    pytest.importorskip("matplotlib").use("agg")
    X, y = table(4)
    model = DecisionTreeClassifier(max_depth=3).fit(X, np.where(y > 0, "yes", "no"))
    found = shapley_values(model, X[:20])
    assert "Mean absolute contribution" in str(found)
    assert found.to_dicts("yes")[0].keys() == set(found.names)
    assert found.plot().get_xlabel().endswith("(class yes)")
    ax = found.plot(row=3, label="no", max_columns=2)
    assert len(ax.patches) == 2
    with pytest.raises(ValueError, match="label must be one of no, yes"):
        found.of_class("maybe")
    with pytest.raises(ValueError, match="row must be None"):
        found.plot(row=20)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n_jobs": "a"}, "n_jobs must be an int or None. Got 'a'"),
        ({"n_jobs": 1.5}, "n_jobs must be an int or None. Got 1.5"),
        ({"X": None}, "X must be a row or a table. Got None"),
        ({"background": 3}, "X must be a table. Got 0 dimensions"),
    ],
)
def test_what_is_rejected_says_why(given, message):
    X = np.arange(8.0)[:, None]
    model = DecisionTreeRegressor(max_depth=1).fit(X, X[:, 0])
    with pytest.raises(ValueError, match=message):
        shapley_values(model, **({"X": X} | given))


def record():
    import shap

    from treewright.present.export.sklearn import to_sklearn

    X, y = table(11, rows=300, columns=5)
    X = X.astype(np.float32)
    regressor, classifier = (to_sklearn(model.fit(X, goal)) for model, goal in models(y))
    other = shap.TreeExplainer(regressor, X[50:70], feature_perturbation="interventional")
    found = {
        "number": shap.TreeExplainer(regressor).shap_values(X[:8]),
        "classes": shap.TreeExplainer(classifier).shap_values(X[:8]),
        "interventional": other.shap_values(X[:8]),
    }
    RECORDED.write_text(json.dumps({name: values.tolist() for name, values in found.items()}))


if __name__ == "__main__":
    record()
