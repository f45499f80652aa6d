"""Rules in words: what a condition says, the text to paste, normal forms, tables, orders and refusals."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from treewright import DecisionTreeClassifier, DecisionTreeRegressor, show
from treewright.interpret.rules import rules
from treewright.tree.tree import tree_from_dict


def chain(*tests, columns=None, **options):
    """The conditions of the deepest leaf: each test is (test, side that goes on)."""
    node = {"value": 1.0, "n": 1}
    for test, side in tests[::-1]:
        other = {"value": 0.0, "n": 5}
        below = [other, node] if side else [node, other]
        node = {"feature": 0, **test}
        node |= {"children": below} if "levels" in test else {"left": below[0], "right": below[1]}
    tree = tree_from_dict(node | ({"columns": [columns]} if columns else {}), feature_names=["x"])
    return next(rule.conditions for rule in rules(tree, **options) if rule.prediction == 1)


@pytest.mark.parametrize(
    ("tests", "columns", "wanted"),
    [
        ([({"threshold": 2}, 1), ({"threshold": 3}, 1)], None, "x > 3"),
        ([({"threshold": 2}, 1), ({"threshold": 5}, 0)], None, "2 < x <= 5"),
        ([({"threshold": 2, "strict": True}, 1), ({"threshold": 5, "strict": True}, 0)], None, "2 <= x < 5"),
        ([({"threshold": 5, "missing": 0}, 0), ({"threshold": 2, "missing": 1}, 1)], None,
         "2 < x <= 5 or missing"),
        ([({"threshold": "inf", "missing": 1}, 0)], None, "x is present"),
        ([({"threshold": "inf", "missing": 1}, 1)], None, "x is missing"),
        ([({"threshold": 2**53 + 1}, 0), ({"threshold": 2**53}, 1)], None,
         "9007199254740992 < x <= 9007199254740993"),
        ([({"levels": [["a", "b"], ["c"]]}, 0), ({"levels": [["b", "c"], ["a"]]}, 0)], None, "x is b"),
        ([({"levels": [["a", "b"], ["c"]]}, 0)], None, "x in {a, b}"),
        ([({"levels": [["a", "b"], ["c"]], "missing": 0}, 0)], None, "x in {a, b} or missing"),
        ([({"levels": [["a", "b", "d"], ["c"]], "missing": 0}, 0)], None, "x is missing or not c"),
        ([({"threshold": 0.5}, 0)], {"kind": "boolean"}, "x is false"),
        ([({"threshold": 0.5}, 1), ({"threshold": 2}, 0)], {"kind": "ordered", "levels": list("smlx")},
         "s < x <= l"),
        ([({"threshold": 0.5}, 1), ({"threshold": 1}, 0)], {"kind": "ordered", "levels": list("smlx")},
         "x is m"),
        ([({"threshold": 19783 * 86_400_000_000}, 1), ({"threshold": 19784 * 86_400_000_000}, 0)],
         {"kind": "datetime"}, "2024-03-01 < x <= 2024-03-02"),
        ([({"threshold": 86_400_000_000}, 1)], {"kind": "duration"}, "x > 1 day"),
        ([({"threshold": 3, "missing": "share", "shares": [1, 3]}, 0)], None,
         "x <= 3 or missing (by a share of 0.250)"),
    ],
)  # fmt: skip
def test_the_words_of_conditions(tests, columns, wanted):
    assert chain(*tests, columns=columns) == (wanted,)


def test_surrogates_are_shown():
    extra = [{"feature": 1, "threshold": 2, "reversed": True}, {"feature": 2, "levels": [["a"], ["b"]]}]
    test = {"feature": 0, "threshold": 1, "left": {"value": 1, "n": 2}, "right": {"value": 2, "n": 1}}
    tree = tree_from_dict({**test, "surrogates": extra, "missing": 0}, feature_names=["x", "y", "z"])
    assert rules(tree, "leaf")[0].conditions == (
        "x <= 1 or missing",
        "if x is missing: y > 2; if also y is missing: z is a; if also z is missing: holds",
    )
    assert rules(tree, "leaf")[1].conditions[1].endswith("z is b; if also z is missing: does not hold")
    lines = str(rules(tree, "leaf")).splitlines()
    assert lines[3] == "   and  if x is missing: (note 1)"
    assert f"Note 1: {rules(tree, 'leaf')[0].conditions[1]}." in lines
    assert "note" not in rules(tree).text(missing=False)


@pytest.fixture
def loans():
    """Six rules on two columns, of which some can be merged."""
    income = np.repeat([1000.0, 2000, 3000, 4000], 10)
    X = np.empty((40, 2), dtype=object)
    X[:, 0], X[:, 1] = income, np.tile(["rent", "own"], 20)
    y = np.where((income > 2500) | ((income > 1500) & (X[:, 1] == "own")), "grant", "refuse")
    return DecisionTreeClassifier().fit(X, y), X


def test_the_text_can_be_pasted(loans):
    found = rules(loans[0], feature_names=["income", "home"])
    assert (
        str(found)
        == """\
4 rules from 40 rows. Exactly one holds for every row.

Class grant (62.5 % of all)

1. if   income > 2500
   then grant   20 rows  (50.0 %)  confidence  100.0 %  lift  1.60

2. if   1500 < income <= 2500
   and  home is own
   then grant    5 rows  (12.5 %)  confidence  100.0 %  lift  1.60

Class refuse (37.5 % of all)

3. if   income <= 1500
   then refuse  10 rows  (25.0 %)  confidence  100.0 %  lift  2.67

4. if   1500 < income <= 2500
   and  home is rent
   then refuse   5 rows  (12.5 %)  confidence  100.0 %  lift  2.67

If a rule does not mention missing values, they go to the branch with more training rows at each split.
A level that no rule names is treated as missing.
"""
    )
    assert "missing" not in found.text(missing=False).split("If a rule")[0]
    assert "rows without missing values" in found.text(missing=False)


def test_normal_forms_in_words(loans):
    found = rules(loans[0], feature_names=["income", "home"])
    form = found.dnf("grant")
    assert form.text == "(income > 2500 or missing) or (1500 < income <= 2500 and home is own)"
    assert str(form).splitlines() == [
        "grant if", "   (income > 2500 or missing)", "or (1500 < income <= 2500 and home is own)",
    ]  # fmt: skip
    assert form.cnf == (
        "(income > 1500 or missing) and "
        "(income <= 1500 or (income > 2500 or missing) or home is own)"
    )  # fmt: skip
    assert found.complement("refuse").conjunctions == form.conjunctions
    assert found.complement("grant").title == "not grant"


# -- forms and orders


def test_forms_of_rules(loans):
    pd = pytest.importorskip("pandas")
    found = rules(loans[0], feature_names=["income", "home"])
    frame = found.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame) == [
        "rule", "conditions", "prediction", "rows", "weight", "support", "confidence", "lift",
        "proportion_grant", "proportion_refuse", "leaf",
    ]  # fmt: skip
    assert frame.conditions[3] == "1500 < income <= 2500 and (home is rent or missing)"
    assert frame.rows.sum() == 40
    shown = found._repr_html_()
    assert "1500 &lt; income &lt;= 2500 and home is own" in shown
    assert "A level that no rule names" in shown
    assert repr(found).startswith("<Rules>\n4 rules")
    assert str(found[1]) == "if 1500 < income <= 2500 and home is own then grant"
    assert found[1:3] == found.rules[1:3]


def test_several_outputs_have_a_prediction_each():
    X = np.arange(8.0).reshape(-1, 1)
    y = np.stack([np.repeat(["a", "b"], 4), np.repeat(["u", "v", "u", "v"], 2)], axis=1)
    found = rules(DecisionTreeClassifier().fit(X, y))
    assert [rule.prediction for rule in found] == [("a", "u"), ("a", "v"), ("b", "u"), ("b", "v")]
    assert found[0].confidence == (1, 1)
    assert found.to_dicts()[3]["prediction_1"] == "v"
    assert found.to_dicts()[3]["proportion_0_b"] == 1
    assert found.dnf("a").text == "(feature_0 <= 3.5)"
    assert len(found.dnf("u", output=1)) == 2
    assert "then b, v" in str(found)


def test_a_root_alone_always_holds():
    found = rules(DecisionTreeClassifier().fit([[1.0], [2.0]], ["a", "a"]))
    assert "1. always a" in str(found)
    assert (found.dnf("a").text, found.dnf("a").cnf) == ("(always)", "always")
    assert (found.complement("a").text, found.complement("a").cnf) == ("never", "(never)")
    assert str(found[0]) == "always a"
    assert_array_equal(found.complement("a").matches([[1.0], [np.nan]]), [False, False])


def test_orders(loans):
    model, X = loans
    y = np.where(np.arange(40) % 7 == 0, "grant", model.predict(X))
    model = DecisionTreeClassifier(max_leaf_nodes=4).fit(X, y)
    by = {order: list(rules(model, order)) for order in ("confidence", "support", "lift", "leaf", "class")}
    for order in ("confidence", "support", "lift"):
        facts = [getattr(rule, order) for rule in by[order]]
        assert facts == sorted(facts, reverse=True)
        assert len(set(facts)) > 1
    leaves = [rule.leaf for rule in by["leaf"]]
    assert leaves == sorted(leaves)
    keys = [(rule.prediction, -rule.confidence, -rule.support) for rule in by["class"]]
    assert keys == sorted(keys)
    numbers = [rule.prediction for rule in rules(DecisionTreeRegressor().fit([[1.0], [2], [3]], [2, 9, 5]))]
    assert numbers == [9, 5, 2]


def test_sentences_under_the_rules():
    sizes = {"kind": "ordered", "levels": ["s", "m", "very large"]}
    below = {"left": {"value": [0.7, 0.3]}, "right": {"value": [0.9, 0.1]}}
    dead = {"feature": 0, "threshold": 0.5, "missing": 0, **below}
    nested = {"feature": 0, "threshold": 0.5, "missing": 0, **below, "left": dead, "columns": [sizes]}
    tree = tree_from_dict({**nested, "costs": [[0, 1], [5, 0]]}, feature_names=["x"], classes=["well", "ill"])
    text = str(rules(tree, decimals=2))
    assert 'The order of x: s < m < "very large"; any other level is treated as missing.' in text
    assert "least expected cost" in text
    assert "No row can reach 1 of the leaves" in text
    assert "rounded to 2 decimals" in text
    assert "rows" not in text.splitlines()[0]
    shared = {"feature": 0, "threshold": 1, "missing": "share", "shares": [1, 3]}
    text = str(rules(tree_from_dict({**shared, "left": {"value": 1}, "right": {"value": 2}})))
    assert "the mean of the predictions of these rules decides" in text


def test_smoothed_probabilities_are_printed_beside_confidence():
    nested = {
        "feature": 0,
        "threshold": 1,
        "left": {"value": [0.7, 0.3], "n": 10},
        "right": {"value": [0, 1], "n": 4},
    }
    tree = tree_from_dict(nested, classes=["no", "yes"])
    smooth = tree.with_estimate(np.array([[[0.5, 0.5]], [[0.4, 0.6]], [[0.1, 0.9]]]))
    found = rules(smooth, "leaf")
    assert [(rule.prediction, rule.confidence, rule.probability) for rule in found] == [
        ("yes", pytest.approx(0.3), 0.6), ("yes", 1, 0.9),
    ]  # fmt: skip
    assert "the model predicts are smoothed" in str(found)
    assert found.to_dicts()[0]["probability"] == 0.6
    assert "probability" not in rules(tree).to_dicts()[0]
    assert_array_equal(found.predict([[0.0], [2.0]]), ["yes", "yes"])
    (one,) = rules(smooth, merge=True)
    assert (one.conditions, one.probability) == ((), None)


def test_merging_joins_levels_and_neighbours():
    three = {"feature": 1, "levels": [["a"], ["b"], ["c"]], "missing": 2}
    leaves = [{"value": [1, 0], "n": 3}, {"value": [0, 1], "n": 2}, {"value": [0.75, 0.25], "n": 4}]
    tree = tree_from_dict({**three, "children": leaves}, classes=["no", "yes"])
    found = rules(tree, merge=True)
    assert [rule.text for rule in found] == ["feature_1 in {a, c} or missing", "feature_1 is b"]
    assert (found[0].rows, found[0].leaves) == (7, (1, 3))
    assert found[0].confidence == pytest.approx(6 / 7)


# -- refusals


def fractional():
    X = [[1.0], [2], [np.nan], [3]]
    return DecisionTreeClassifier(missing="fractional").fit(X, [0, 1, 0, 1])


def number():
    return DecisionTreeRegressor().fit([[1.0], [2]], [1.0, 2])


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (
            lambda m: rules(m, "best"),
            "order must be one of class, confidence, support, lift, leaf. Got 'best'",
        ),
        (lambda _: rules(number(), "lift"), "order='lift' needs a classifier"),
        (lambda _: rules(fractional(), merge=True), "merge=True needs a tree in which every row ends at one"),
        (lambda _: rules(fractional()).dnf(0), "A normal form needs rules of which one holds for every row"),
        (lambda _: rules(number()).dnf(0), "A normal form needs a classifier"),
        (
            lambda m: rules(m).dnf("maybe"),
            r"label must be one of the classes \['grant', 'refuse'\]. Got 'maybe'",
        ),
        (lambda m: rules(m).complement("grant", 1), r"output must be in 0..0. Got 1"),
        (lambda m: rules(m, decimals=-1), "decimals must be an int of at least 0 or None"),
        (lambda m: rules(m).matches([[1.0]]), "X has 1 features, but DecisionTreeClassifier is expecting 2"),
        (lambda m: rules(m).predict([1.0, 2.0]), "X must be a table. Got 1 dimensions"),
    ],
)
def test_bad_input_gets_a_sentence(loans, act, sentence):
    with pytest.raises(ValueError, match=sentence):
        act(loans[0])


def test_columns_in_another_order_are_found_by_name():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"age": [1.0, 2, 3], "pay": [3.0, 1, 2]})
    found = rules(DecisionTreeClassifier().fit(X, [0, 1, 0]))
    assert_array_equal(found.predict(X), [0, 1, 0])
    assert_array_equal(found.predict(X[["pay", "age"]].assign(more=1)), [0, 1, 0])


def test_only_fitted_trees_have_rules():
    with pytest.raises(TypeError, match=r"model must be a fitted tree of treewright.* Got int\."):
        rules(3)
    with pytest.raises(ValueError, match="not fitted"):
        rules(DecisionTreeClassifier())


def test_a_rule_names_all_its_levels_where_new_ones_go_elsewhere():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    level = rng.choice(list("ABCD"), 500, p=[0.7, 0.1, 0.1, 0.1])
    y = np.where((level == "A") ^ (rng.random(500) < 0.05), "t", "f")
    model = DecisionTreeClassifier(max_depth=1).fit(pd.DataFrame({"c": level}), y)
    with pytest.warns(UserWarning, match="levels that were not seen"):
        assert model.predict(pd.DataFrame({"c": ["Z"]})).tolist() == ["t"]
    text = str(rules(model))
    assert "c in {B, C, D}" in text
    assert "not" not in text.split("A level", maxsplit=1)[0].split("If a rule", maxsplit=1)[0]


def test_weights_are_mentioned_only_if_they_were_given(capsys):
    """Rows that go down every branch count in part there, which is no weight."""
    X = np.column_stack([[1, 2, 3, np.nan, 5, 6, 7, 8, np.nan, 10] * 6, np.arange(60) % 7])
    y = np.where(np.nan_to_num(X[:, 0], nan=4) + X[:, 1] > 7, "high", "low")
    weight = np.where(y == "high", 2.0, 1.0)
    for given, mentioned in ((None, False), (weight, True), (weight * 60 / weight.sum(), True)):
        model = DecisionTreeClassifier(missing="fractional", max_depth=3).fit(X, y, sample_weight=given)
        show(model)
        assert ("weights of the rows" in capsys.readouterr().out) is mentioned
        assert ("weights of the rows" in str(rules(model))) is mentioned
