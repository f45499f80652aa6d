"""Trees whose tests combine columns, explained: sentences, rules, Shapley values, nearest changes."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests.oracle.shapley import shapley_values as by_definition
from tests.support.oblique_tables import slanted, triangle
from tests.support.strategies import examples
from treewright.tree.tree import tree_from_dict

LOANS = {
    "feature": [["income", 2], ["debt", -1]],
    "threshold": 310,
    "missing": "left",
    "left": {"value": [1.0, 0.0], "n": 60},
    "right": {"feature": "age", "threshold": 30, "left": {"value": [0.5, 0.5], "n": 10},
              "right": {"value": [0.0, 1.0], "n": 30}},
}  # fmt: skip


@pytest.fixture
def loans():
    return tree_from_dict(LOANS, feature_names=["income", "debt", "age"], classes=["no", "yes"])


def test_a_step_says_the_values_and_the_sum(loans):
    text = str(tw.explain(loans, {"income": 400, "debt": 150, "age": 40}))
    assert "1. 2 income - debt <= 310?" in text
    assert "income = 400, debt = 150: 2 income - debt = 650, and 650 > 310" in text
    assert "Rule: 2 income - debt > 310 and age > 30" in text


def test_a_step_says_which_value_is_missing(loans):
    assert "debt is missing: treated as if 2 income - debt <= 310" in str(
        tw.explain(loans, {"income": 400, "debt": None, "age": 40})
    )
    assert "income and debt are missing" in str(tw.explain(loans, {"income": None, "debt": None, "age": 4}))


def test_names_that_are_no_plain_words():
    nested = LOANS | {"feature": [["net income", 2], ["debt", -1.5]]}
    tree = tree_from_dict(nested, feature_names=["net income", "debt", "age"], classes=["no", "yes"])
    assert "2 * net income - 1.5 * debt <= 310" in str(tree)


def test_ranges_of_one_sum_are_one_condition():
    nested = {"feature": [["x", 1], ["y", 1]], "threshold": 1, "left": {"value": 1.0, "n": 5},
              "right": {"feature": [["x", 1], ["y", 1]], "threshold": 2, "left": {"value": 2.0, "n": 5},
                        "right": {"value": 3.0, "n": 5}}}  # fmt: skip
    tree = tree_from_dict(nested, feature_names=["x", "y"])
    assert len(tree.combinations) == 1
    assert "1 < x + y <= 2" in str(tw.rules(tree))


@given(st.integers(0, 10**6))
@examples(0.5)
def test_rules_hold_for_the_rows_of_their_leaves(seed):
    rng = np.random.default_rng(seed)
    X, y = slanted(rng, 150, 0.3, 0.1)
    model = tw.DecisionTreeClassifier(oblique=3, max_depth=4).fit(X, y)
    found = tw.rules(model)
    assert (found.matches(X).sum(axis=1) == 1).all()
    assert (found.predict(X) == model.predict(X)).all()


def test_importances_are_shared_by_the_columns_of_a_test():
    model = tw.DecisionTreeClassifier(oblique=2).fit(*triangle())
    assert model.feature_importances_.tolist() == [0.5, 0.5]
    assert tw.importances(model, *triangle()).columns


def test_next_best_splits_are_of_one_column():
    X, y = triangle(500)
    model = tw.DecisionTreeClassifier(oblique=2).fit(X, y)
    text = str(tw.next_best_splits(model, X, y))
    assert "node 0: feature_0 + feature_1 <=" in text
    assert "next: feature_0 <=" in text


# -- Shapley values


def worth_by_weight(tree, values, row):
    """What is predicted where only some columns are known: all branches by weight where a test is not."""

    def worth(known):
        total, open_ = 0.0, [(0, 1.0)]
        while open_:
            node, share = open_.pop()
            if tree.is_leaf[node]:
                total += share * values[node]
                continue
            test, first = tree.test(node), int(tree.first_child[node])
            if set(test.columns) <= known:
                terms = test.terms or ((test.feature, 1.0),)
                x = sum(row[column] * coefficient for column, coefficient in terms)
                gone = np.isnan(x)
                child = int(tree.missing_child[node]) if gone else int(x > test.threshold)
                open_.append((first + child, share))
            else:
                weights = tree.weighted_n_node_samples[first : first + 2]
                open_ += [(first + k, share * w / weights.sum()) for k, w in enumerate(weights)]
        return total

    return worth


@given(st.integers(0, 10**6))
@examples(0.5)
def test_shapley_values_from_their_definition(seed):
    rng = np.random.default_rng(seed)
    X, y = slanted(rng, 120, 0.3, 0.1)
    model = tw.DecisionTreeRegressor(oblique=3, max_depth=4).fit(X, y.astype(float))
    found = tw.shapley_values(model, X[:6])
    np.testing.assert_allclose(found.base + found.values.sum(axis=1), model.predict(X[:6]), atol=1e-12)
    for row, ours in zip(X[:6], found.values, strict=True):
        worth = worth_by_weight(model.tree_, model.tree_.value[:, 0, 0], row)
        np.testing.assert_allclose(ours, by_definition(4, worth), atol=1e-12)


@given(st.integers(0, 10**6))
@examples(0.3)
def test_shapley_values_of_background_rows(seed):
    rng = np.random.default_rng(seed)
    X, y = slanted(rng, 100, 0.3)
    model = tw.DecisionTreeClassifier(oblique=2, max_depth=4).fit(X, y)
    usual, rows = X[:15], X[20:23]
    found = tw.shapley_values(model, rows, background=usual)

    def worth(row, known):
        mixed = np.where(np.isin(np.arange(4), list(known)), row, usual)
        return model.predict_proba(mixed)[:, 1].mean()

    for row, ours in zip(rows, found.values[..., 1], strict=True):
        np.testing.assert_allclose(
            ours, by_definition(4, lambda known, row=row: worth(row, known)), atol=1e-12
        )


def test_shapley_values_of_too_many_columns_are_refused():
    node = {"value": 1.0, "n": 1}
    for k in range(15):
        node = {
            "feature": [[2 * k, 1], [2 * k + 1, 1]],
            "threshold": 0,
            "left": {"value": 0.0, "n": 1},
            "right": node,
        }
    tree = tree_from_dict(node, n_features=30)
    with pytest.raises(ValueError, match=r"at most 14 columns on a path\. Got 30\. Prune the tree"):
        tw.shapley_values(tree, np.zeros((1, 30)))
    with pytest.raises(ValueError, match=r"at most 10 columns in all tests\. Got 30"):
        tw.shapley_values(tree, np.zeros((1, 30)), background=np.zeros((1, 30)))


# -- nearest changes


def spread_of(X):
    return np.subtract(*np.quantile(X, [0.75, 0.25], axis=0))


@given(st.integers(0, 10**6))
@examples(0.5)
def test_no_row_of_another_class_is_nearer(seed):
    rng = np.random.default_rng(seed)
    X, y = slanted(rng, 150, 0.2)
    model = tw.DecisionTreeClassifier(oblique=3, max_depth=3).fit(X, y)
    others = np.vstack([X, rng.normal(size=(4000, 4)) * [1, 10, 1, 100]])
    predicted = model.predict(others)
    for row in X[:4]:
        now = model.predict(row[None])[0]
        found = tw.counterfactual(model, row, reference=X)
        assert found.found == (predicted != now).any()
        if not found.found:
            continue
        away = (np.abs(others - row) / spread_of(X)).sum(axis=1)
        assert found.least <= away[predicted != now].min() + 1e-6
        assert model.predict(np.reshape(found.X, (1, -1)))[0] != now
        assert found.distance <= found.least + 0.1


@given(st.integers(0, 10**6))
@examples(0.3)
def test_limits_of_a_change(seed):
    rng = np.random.default_rng(seed)
    X, y = slanted(rng, 150, 0.1)
    model = tw.DecisionTreeClassifier(oblique=3, max_depth=2).fit(X, y)
    for row in X[:3]:
        least = tw.counterfactual(model, row, reference=X)
        one = tw.counterfactual(model, row, reference=X, max_changes=1)
        few = tw.counterfactual(model, row, reference=X, distance="changes")
        fixed = tw.counterfactual(model, row, reference=X, fixed=[0])
        rising = tw.counterfactual(model, row, reference=X, rising=[0, 1, 2, 3])
        assert all(each.least >= least.least - 1e-6 for each in (one, few, fixed, rising))
        assert not one.found or len(one.changes) <= 1
        assert not few.found or len(few.changes) <= max(len(least.changes), 1)
        assert not fixed.found or "feature_0" not in {each.column for each in fixed.changes}
        assert not rising.found or all(each.after > each.before for each in rising.changes)


def test_whole_numbers_stay_whole():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": rng.integers(0, 50, 300), "b": rng.integers(0, 50, 300)})
    model = tw.DecisionTreeClassifier(oblique=2).fit(X, X.a + 2 * X.b > 70)
    assert model.tree_.test(0).terms == ((0, 1.0), (1, 2.0))
    for row in range(5):
        found = tw.counterfactual(model, X, row=row, reference=X)
        steps = [each.after - each.before for each in found.changes]
        assert all(step == int(step) for step in steps)
        start, q = X.iloc[row], spread_of(X)
        now = start.a + 2 * start.b > 70
        best = min(
            abs(a - start.a) / q[0] + abs(b - start.b) / q[1]
            for a, b in product(range(51), repeat=2)
            if (a + 2 * b > 70) != now
        )
        assert found.distance == pytest.approx(best)


def test_a_missing_value_of_a_combined_column_stays_missing(loans):
    found = tw.counterfactual(loans, {"income": None, "debt": 100, "age": 20})
    assert not found.found
    found = tw.counterfactual(loans, {"income": 100, "debt": 100, "age": 40})
    assert found.found
    assert loans.test(0).columns == (0, 1)
