"""The table of leaves: missing values, rules in words, its forms, and what it refuses."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.interpret.test_leaves_counts import problem
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, rules
from treewright.interpret.leaves.leaves import leaves
from treewright.interpret.leaves.table import ELIDED, shortened
from treewright.tree.tree import tree_from_dict


def test_shared_rows_count_with_their_shares():
    X, y, w = problem(3, missing=True)
    model = DecisionTreeClassifier(max_depth=3, missing="fractional").fit(X, y)
    found = leaves(model, X, y, sample_weight=w)
    shares = model.tree_.shares(X).toarray()[:, found.leaf]
    assert (np.count_nonzero(shares, axis=1) > 1).any()
    assert_allclose(found.validation.weight, w @ shares)
    assert_allclose(found.validation.weight.sum(), w.sum())
    assert_array_equal(found.validation.rows, ((shares * w[:, None]) > 0).sum(axis=0))
    for k, label in enumerate(model.classes_):
        assert_allclose(found.validation.value[:, k], (w * (y == label)) @ shares / (w @ shares), atol=1e-12)


def test_rows_that_stop_at_an_inner_node_are_reported():
    tree = tree_from_dict(
        {
            "feature": 0, "threshold": 0.5, "missing": "stop", "value": [0.5, 0.5], "n": 10,
            "left": {"value": [1, 0], "n": 5}, "right": {"value": [0, 1], "n": 5},
        },
        classes=["no", "yes"],
    )  # fmt: skip
    model = DecisionTreeClassifier.from_tree(tree)
    found = leaves(model, np.array([[0.0], [1.0], [np.nan], [np.nan]]), ["no", "no", "yes", "no"])
    assert found.stopped == 2
    assert found.validation.rows.tolist() == [1, 1]
    assert "2 rows stop at an inner node, and are in no leaf." in str(found)


def test_rules_leave_out_what_a_later_condition_says():
    x = np.arange(8.0)
    model = DecisionTreeRegressor(thresholds="rounded").fit(
        x[:, None], np.array([0, 0, 9, 9, 30, 30, 99, 99.0])
    )
    assert sorted(leaves(model).rule) == [
        "1.5 < feature_0 <= 3.5 or missing", "3.5 < feature_0 <= 5.5", "feature_0 <= 1.5", "feature_0 > 5.5",
    ]  # fmt: skip
    alone = DecisionTreeRegressor().fit([[1], [1]], [0, 1])
    assert leaves(alone).rule == ("always",)
    looser = {"feature": 0, "threshold": 7, "left": {"value": 1}, "right": {"value": 2}}
    by_hand = tree_from_dict({"feature": 0, "threshold": 5, "left": looser, "right": {"value": 3}})
    rules = leaves(DecisionTreeRegressor.from_tree(by_hand)).rule
    assert rules == ("feature_0 > 5 or missing", "feature_0 <= 5", "no row can come here")


def test_rules_name_levels_and_missing_values():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"colour": ["red", "red", "green", None] * 5, "size": [1.0, 2, None, 2] * 5})
    y = (table["colour"] == "red").to_numpy()
    found = leaves(DecisionTreeClassifier().fit(table, y))
    assert sorted(found.rule) == ["colour is green or missing", "colour is red"]
    assert found.prediction.dtype == bool
    assert found.to_dicts()[0]["prediction"] in (True, False)


def test_long_rules_keep_their_end():
    pd = pytest.importorskip("pandas")
    colours = ["black and white", "green", "red", "blue"]
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=200), "b": rng.normal(size=200), "colour": colours * 50})
    y = ((X["a"] < 0.5) & (X["b"] > 0.5) & X["colour"].isin(["black and white", "red"])).to_numpy()
    model = DecisionTreeClassifier().fit(X, y)
    rule = next(each for each in rules(model) if each.prediction and len(each.conditions) > 1)
    whole = rule.short_text
    assert " or missing" in rule.text  # for who reads rules by a program
    assert " or missing" not in whole  # for people: no row of these columns lacks a value
    assert '"black and white"' in whole
    words = rules(model).words
    assert shortened(rule, words, len(whole)) == whole
    for most in range(12, len(whole)):
        short = shortened(rule, words, most)
        assert len(short) <= most
        assert short.startswith(ELIDED) or "…" in short
        assert short.count('"') in (0, 2) or short.endswith("…")
        assert 'white"' not in short or '"black and' in short


def test_forms():
    pd = pytest.importorskip("pandas")
    X, y, _ = problem(0)
    model = DecisionTreeClassifier(max_depth=2).fit(X[:80], y[:80])
    found = leaves(model, X[80:], y[80:])
    rows = found.to_dicts()
    first = rows[0]
    assert list(first) == [
        "leaf", "rule", "rows", "weight", "prediction", "probability", "training", "training_low",
        "training_high",
        "validation_rows", "validation_weight", "validation", "validation_low", "validation_high",
    ]  # fmt: skip
    assert first["training_low"] < first["training"] < first["training_high"]
    assert len(found) == len(rows) == model.get_n_leaves()
    every = found.to_dicts(by_class=True)
    assert [row["class"] for row in every[:3]] == ["a", "b", "c"]
    assert sum(row["training"] for row in every[:3]) == pytest.approx(1)
    assert every[list("abc").index(first["prediction"])] == first | {"class": first["prediction"]}
    pd.testing.assert_frame_equal(found.to_frame(), pd.DataFrame(rows))
    assert len(found.to_frame(by_class=True)) == 3 * len(rows)
    text = str(found)
    assert text.startswith("4 leaves: proportion of the predicted class and its 95 % confidence interval")
    assert "held-out rows" in text
    assert all(rule.short_text in text for rule in found.rules)
    assert text in repr(found)
    assert "<table>" in found._repr_html_()
    assert "weight" not in text  # as many as rows
    heavy = leaves(
        DecisionTreeClassifier(max_depth=1).fit(X, y, sample_weight=np.full(120, 2)), method="wilson"
    )
    assert "weight" in str(heavy)
    assert "(Wilson)" in str(heavy)
    with pytest.raises(ValueError, match=r"by_class needs a classifier. Got a regressor"):
        leaves(DecisionTreeRegressor().fit(X, X[:, 0])).to_dicts(by_class=True)


def test_many_leaves_are_not_all_printed(rng):
    X = rng.normal(size=(500, 1))
    text = str(leaves(DecisionTreeRegressor().fit(X, X[:, 0])))
    assert "… and 300 more; to_dicts() has them all." in text
    assert len(text.splitlines()) == 203


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence": 1.0}, r"confidence must be a float in \(0, 1\)"),
        ({"method": "wald"}, "method must be one of 'jeffreys', 'wilson'"),
        ({"X": [[1.0]]}, "X and y must be given together"),
        ({"cv": 5}, "cv needs the rows X and y that it is about. Got none"),
        ({"sample_weight": [1]}, "sample_weight needs the rows"),
        ({"X": [[1.0]], "y": ["a"], "groups": [1]}, "groups are for the folds of cv. Got cv=None"),
        ({"X": [[1.0]], "y": ["z"]}, r"y must hold only the classes \['a', 'b'\]. Got .*'z'"),
        ({"X": [[1.0]], "y": ["a", "b"]}, "as long as the 1 rows of X. Got 2"),
    ],
)
def test_invalid_parameters_are_rejected(options, message):
    model = DecisionTreeClassifier().fit([[0.0], [1.0]], ["a", "b"])
    with pytest.raises(ValueError, match=message):
        leaves(model, **options)


def test_other_models_and_targets_are_rejected(rng):
    X = rng.normal(size=(20, 2))
    with pytest.raises(ValueError, match=r"one output. Got 2. Fit a tree for each"):
        leaves(DecisionTreeRegressor().fit(X, X))
    with pytest.raises(TypeError, match="model must be a fitted tree of treewright"):
        leaves(X)
    model = DecisionTreeRegressor(max_depth=1).fit(X, X[:, 0])
    wrong = {"y must hold finite numbers.*Got 'a'": "a", "y must be known for every row": np.nan}
    for message, value in wrong.items():
        with pytest.raises(ValueError, match=message):
            leaves(model, X, [value] * 20)
