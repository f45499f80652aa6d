"""Exporters: what they write is read back or run, and agrees with the model on every row."""

import io
import pickle
import re

import numpy as np
import pytest
import sklearn.tree

from treewright import DecisionTreeClassifier, DecisionTreeRegressor, export_graphviz
from treewright.present.export import to_sklearn
from treewright.tree.tree import tree_from_dict

TEXT = r'"((?:[^"\\]|\\.)*)"'


def table(seed, rows=200, dtype=np.float32, missing=0.1):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=rows), rng.integers(0, 5, rows), rng.exponential(size=rows)]).astype(
        dtype
    )
    X[rng.random(X.shape) < missing] = np.nan
    return X, rng.integers(0, 3, rows)


# -- Graphviz ----------------------------------------------------------------------------------------------


def read_dot(dot):
    """Labels by node and children by node."""
    labels = {int(node): text for node, text in re.findall(rf"^(\d+) \[label={TEXT}", dot, re.MULTILINE)}
    children = {node: [] for node in labels}
    for parent, child in re.findall(r"^(\d+) -> (\d+)", dot, re.MULTILINE):
        children[int(parent)].append(int(child))
    return labels, children


def test_graphviz_has_every_node_and_edge_and_can_be_followed():
    X, y = table(0, missing=0)
    model = DecisionTreeRegressor(max_depth=4).fit(X, y)
    labels, children = read_dot(export_graphviz(model))
    assert len(labels) == model.tree_.node_count
    for row, predicted in zip(X, model.predict(X), strict=True):
        node = 0
        while children[node]:
            column, threshold = re.match(r"feature_(\d) <= (\S+?)\\n", labels[node]).groups()
            node = children[node][0 if float(row[int(column)]) <= float(threshold) else 1]
        assert float(re.search(r"value = (\S+)", labels[node]).group(1)) == predicted


def test_graphviz_escapes_names():
    names = ['say "x"', "back\\slash\\n", "<b>&amp;"]
    X, y = table(1, missing=0)
    labels, _ = read_dot(export_graphviz(DecisionTreeClassifier().fit(X, y), feature_names=names))
    tests = {re.split(r" <= ", label)[0] for label in labels.values() if " <= " in label}
    assert tests == {'say \\"x\\"', "back\\\\slash\\\\n", "<b>&amp;amp;"}


def test_graphviz_options():
    X, y = table(2)
    model = DecisionTreeClassifier(max_depth=3).fit(X, y)
    dot = export_graphviz(
        model, filled=True, rounded=True, rotate=True, leaves_parallel=True, special_characters=True,
        node_ids=True, impurity=False, class_names=["a", "b", "c"], fontname="serif", label="root",
    )  # fmt: skip
    assert 'style="filled, rounded"' in dot
    assert "rankdir=LR" in dot
    assert "rank=same" in dot
    assert " ≤ " in dot
    assert re.search(r'fillcolor="#[0-9a-f]{6}"', dot)
    assert 'fontname="serif"' in dot
    assert 'headlabel="True"' in dot
    labels, _ = read_dot(export_graphviz(model, max_depth=1))
    assert list(labels.values()).count("(...)") == (model.tree_.depth == 2).sum()


def test_graphviz_writes_to_a_path_or_a_file(tmp_path):
    model = DecisionTreeRegressor().fit([[0], [1]], [0, 1])
    text = export_graphviz(model.tree_)
    file = io.StringIO()
    assert export_graphviz(model.tree_, file) is None
    assert export_graphviz(model.tree_, tmp_path / "tree.dot") is None
    assert file.getvalue() == (tmp_path / "tree.dot").read_text(encoding="utf-8") == text


# -- scikit-learn ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_twin_predicts_the_same(seed, dtype):
    X, y = table(seed, dtype=dtype)
    unseen = table(seed + 50, dtype=np.float32)[0]
    for model in (DecisionTreeClassifier().fit(X, y), DecisionTreeRegressor(min_samples_leaf=3).fit(X, y)):
        twin = model.to_sklearn()
        assert type(twin).__module__.startswith("sklearn.tree")
        for rows in (X.astype(np.float32), unseen):
            assert (twin.apply(rows) == model.apply(rows)).all()
            assert (twin.predict(rows) == model.predict(rows)).all()
        if hasattr(model, "classes_"):
            assert (twin.predict_proba(unseen) == model.predict_proba(unseen)).all()


def test_the_twin_is_a_whole_estimator():
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame(table(0)[0], columns=["a", "b", "c"])
    y = np.array(["x", "y", "z"])[table(0)[1]]
    model = DecisionTreeClassifier(max_depth=4, criterion="sqrt_gini").fit(X, y)
    twin = pickle.loads(pickle.dumps(to_sklearn(model, X)))
    assert twin.get_params()["max_depth"] == 4
    assert list(twin.feature_names_in_) == ["a", "b", "c"]
    assert (twin.predict(X) == model.predict(X)).all()
    assert twin.score(X, y) == model.score(X, y)
    assert twin.tree_.compute_feature_importances() == pytest.approx(model.feature_importances_)
    assert twin.get_depth() == model.get_depth()
    assert "a <= " in sklearn.tree.export_text(twin, feature_names=list("abc"))


def test_the_twin_has_all_outputs():
    X, y = table(4, missing=0)
    both = np.column_stack([y, y == 1])
    model = DecisionTreeClassifier(max_depth=5).fit(X, both)
    twin = model.to_sklearn()
    assert (twin.predict(X) == model.predict(X)).all()
    for ours, theirs in zip(model.predict_proba(X), twin.predict_proba(X), strict=True):
        assert (ours == theirs).all()
    numbers = DecisionTreeRegressor(max_depth=5).fit(X, both.astype(float))
    assert (numbers.to_sklearn().predict(X) == numbers.predict(X)).all()


def test_missing_against_the_rest_survives():
    X = np.array([[1.0], [2.0], [np.nan], [np.nan]], dtype=np.float32)
    model = DecisionTreeClassifier().fit(X, [0, 0, 1, 1])
    assert (model.to_sklearn().predict(X) == [0, 0, 1, 1]).all()


@pytest.mark.parametrize(
    "values",
    [
        np.int64(1_700_000_000) + 60 * np.arange(6),
        np.float64(1_700_000_000) + 60 * np.arange(6),
        np.int64(2**60) + np.arange(6),
        np.array([1.0, 2.0, 3.0, 1e300, 1e301, 1e302]),
    ],
)
def test_columns_that_float32_would_merge_are_named(values):
    X = np.column_stack([values, np.zeros(6, values.dtype)])
    model = DecisionTreeRegressor().fit(X, [0, 0, 0, 5, 5, 5])
    with pytest.raises(ValueError, match="It does not in: 'feature_0'"):
        model.to_sklearn()


def test_tests_too_close_for_float32_are_named():
    near = {"feature": 1, "threshold": 0.1 + 1e-12, "left": {"value": 1}, "right": {"value": 2}}
    far = {"feature": 1, "threshold": 0.2, "left": {"value": 1}, "right": {"value": 2}}
    for inner, fits in ((near, False), (far, True)):
        tree = tree_from_dict({"feature": 1, "threshold": 0.1, "left": {"value": 0}, "right": inner})
        model = DecisionTreeRegressor.from_tree(tree)
        if fits:
            assert model.to_sklearn().predict([[0, 0.15]]) == [1]
        else:
            with pytest.raises(ValueError, match="'feature_1'"):
                model.to_sklearn()


def test_given_rows_are_checked_one_by_one():
    X = np.column_stack([np.zeros(4), 0.1 + 1e-10 * np.arange(4)])
    model = DecisionTreeRegressor(max_depth=1).fit(X, [0, 0, 5, 5])
    with pytest.raises(ValueError, match="'feature_1'"):
        to_sklearn(model, X)
    wide = np.column_stack([np.zeros(4), 1e9 * np.arange(4)])
    model = DecisionTreeRegressor().fit(wide, [0, 0, 5, 5])
    assert (to_sklearn(model, wide).predict(wide) == [0, 0, 5, 5]).all()


def test_strict_thresholds_survive():
    test = {"feature": 0, "threshold": 3, "strict": True, "left": {"value": 1}, "right": {"value": 2}}
    model = DecisionTreeRegressor.from_tree(tree_from_dict(test))
    rows = np.array([[2.0], [np.nextafter(np.float32(3), np.float32(0))], [3.0], [4.0], [np.nan]], np.float32)
    assert model.to_sklearn().predict(rows).tolist() == model.predict(rows).tolist() == [1, 1, 2, 2, 2]


LEAVES = {"left": {"value": [1, 0]}, "right": {"value": [0.6, 0.4]}}
OTHERS = [{"feature": 1, "threshold": 2}]


@pytest.mark.parametrize(
    ("nested", "sentence"),
    [
        ({"feature": 0, "levels": [["x"], ["y"]], "children": [*LEAVES.values()]}, "levels or times in 'a'"),
        ({"feature": 1, "threshold": 0, **LEAVES, "columns": [{"kind": "number"}, {"kind": "datetime"}]},
         "levels or times in 'b'"),
        ({"feature": 0, "threshold": 0, **LEAVES, "missing": {"value": [0, 1]}}, "two branches in 'a'"),
        ({"feature": 0, "threshold": 0, **LEAVES, "missing": "stop"}, "stop or are shared out in 'a'"),
        ({"feature": 0, "threshold": 0, **LEAVES, "missing": "share"}, "stop or are shared out in 'a'"),
        ({"feature": 0, "threshold": 0, **LEAVES, "surrogates": OTHERS}, "surrogates in 'a'"),
        ({"feature": 0, "threshold": "-inf", "strict": True, **LEAVES}, "a test x < -inf in 'a'"),
        ({"feature": 0, "threshold": 0, **LEAVES, "costs": [[0, 1], [9, 0]]}, "because of costs"),
    ],
)  # fmt: skip
def test_what_scikit_learn_does_not_have_is_refused(nested, sentence):
    tree = tree_from_dict(nested, feature_names=["a", "b"], classes=["no", "yes"])
    with pytest.raises(ValueError, match=f"This tree has .*{sentence}"):
        DecisionTreeClassifier.from_tree(tree).to_sklearn()
