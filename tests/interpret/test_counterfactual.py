"""The nearest change is the nearest, by trying all; and every changed row is predicted what was wanted."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.interpret.test_explain import as_dict
from tests.oracle.counterfactual import Candidate, edges, nearest_change
from tests.support.drawn import drawn
from tests.support.random_trees import COLUMNS, DAY, predicted, random_rows, random_tree
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.interpret.counterfactual.counterfactual import counterfactual
from treewright.interpret.counterfactual.numbers import numbers_of
from treewright.interpret.counterfactual.result import Counterfactuals
from treewright.tree.tree import tree_from_dict
from treewright.tree.value_sets import FIRST, LAST

SCALES = {0: 2.0, 4: DAY, 5: np.timedelta64(2, "D")}
UNITS = {0: 2.0, 4: DAY, 5: 2 * DAY}


def arrays_of(tree):
    found = {each.name: getattr(tree, each.name) for each in dataclasses.fields(tree)}
    if tree.surrogates is None:
        return found
    extra = tree.surrogates.arrays()
    known = {name: np.nan_to_num(extra[name]) for name in ("agreement", "adjusted")}  # no part of a walk
    return found | {"surrogates": extra | known}


def coded(row):
    """The row as the reference walks it: codes of levels, one that is not known the code after the last."""
    found = []
    for x, column in zip(row, COLUMNS, strict=True):
        levels = column.get("levels", [])
        if x is None or not levels:
            found.append(x)
        elif x in levels:
            found.append(levels.index(x))
        else:
            found.append(None if column["kind"] == "ordered" else len(levels))
    return found


def candidates(tree, column, own, rule="free", weight=1.0):
    """What a cell may become, with the cost by the definition."""
    kind = COLUMNS[column]["kind"]
    if kind == "nominal":
        values = set(range(len(COLUMNS[column]["levels"])))
    elif kind in ("ordered", "boolean"):
        values = set(range(len(COLUMNS[column].get("levels", [0, 1]))))
    else:
        values = edges(tree, column, whole=kind != "number") | {0}
    found = [Candidate(own, 0.0)]
    for value in values - {own}:
        if rule == "fixed" or (rule == "rising" and (own is None or value < own)):
            continue
        if own is None or kind in ("nominal", "boolean") or math.isinf(own):
            found.append(Candidate(value, weight))
        else:
            found.append(Candidate(value, weight * abs(value - own) / UNITS.get(column, 1)))
    return found


def oracle(tree, row, wanted, rules=None, weights=None, max_changes=None):
    arrays, rules, weights = arrays_of(tree), rules or {}, weights or {}
    cells = [
        candidates(arrays, j, x, rules.get(j, "free"), weights.get(j, 1.0)) for j, x in enumerate(coded(row))
    ]
    used = {*tree.feature.tolist(), *([] if tree.surrogates is None else tree.surrogates.feature.tolist())}
    cells = [each if j in used else each[:1] for j, each in enumerate(cells)]
    if math.prod(map(len, cells)) > 20_000:
        max_changes = min(2, max_changes or 2)
    value = tree.value[:, 0, 0]
    found = nearest_change(
        arrays,
        cells,
        lambda ends: wanted(sum(share * value[node] for node, share in ends.items())),
        max_changes,
    )
    return (math.inf if found is None else found[0]), max_changes


def check(tree, row, bound, **terms):
    """Compare with the oracle; the changed row must be predicted what was wanted."""
    least, most = oracle(tree, row, lambda x: x > bound, **terms)
    rules = terms.get("rules", {})
    found = counterfactual(
        tree,
        as_dict(row),
        ("above", bound),
        scales=SCALES,
        weights=terms.get("weights"),
        fixed=[j for j, rule in rules.items() if rule == "fixed"],
        rising=[j for j, rule in rules.items() if rule == "rising"],
        max_changes=most,
    )
    assert found.least == pytest.approx(least, rel=1e-9, abs=1e-12)
    assert found.found == (least < math.inf)
    if not found.found:
        return found
    assert found.least <= found.distance * (1 + 1e-12) <= found.least + 0.011 * len(COLUMNS)
    changed = [found.X[f"feature_{j}"] for j in range(len(COLUMNS))]
    changed = [x.item() if isinstance(x, np.generic) and x.dtype.kind not in "mM" else x for x in changed]
    changed = [int(x.astype("int64")) if isinstance(x, np.generic) else x for x in changed]
    assert predicted(tree, changed) > bound
    assert found.after.value == pytest.approx(predicted(tree, changed))
    assert sum(a is not b and a != b for a, b in zip(row, changed, strict=True)) == len(found.changes)
    return found


@pytest.mark.parametrize("seed", range(26))
def test_it_is_the_nearest_of_all(seed):
    tree = tree_from_dict(random_tree(seed, surrogates=seed % 2 == 1))
    bounds = np.quantile(tree.value, [0.5, 0.9, 1.0])
    for number, row in enumerate(random_rows(seed, 6)):
        check(tree, row, float(bounds[number % 3]))


@pytest.mark.parametrize("seed", range(40, 54))
def test_it_is_the_nearest_under_rules_and_weights(seed):
    tree = tree_from_dict(random_tree(seed))
    rng = np.random.default_rng(seed)
    bound = float(np.quantile(tree.value, 0.8))
    for row in random_rows(seed, 4):
        rules = {int(rng.integers(7)): "fixed", int(rng.choice([0, 2, 3, 4])): "rising"}
        weights = {int(rng.integers(7)): float(rng.choice([0.25, 3.0]))}
        found = check(tree, row, bound, rules=rules, weights=weights, max_changes=3)
        assert not any(
            f"feature_{j}" in {each.column for each in found.changes}
            for j, rule in rules.items()
            if rule == "fixed"
        )


def grown(seed, dtype):
    rng = np.random.default_rng(seed)
    X = (
        rng.integers(-6, 7, (60, 3)).astype(dtype)
        if np.dtype(dtype).kind in "iu"
        else rng.normal(size=(60, 3)).astype(dtype)
    )
    y = np.where(X[:, 0] > X[:, 1] * X[:, 2], "yes", np.where(X[:, 1] > 1, "maybe", "no"))
    return X, y


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8"])
@given(seed=st.integers(0, 10_000), row=st.integers(0, 59))
@drawn(25)
def test_every_counterfactual_flips_predict(dtype, seed, row):
    X, y = grown(seed, dtype)
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    for target in (None, "no"):
        found = counterfactual(model, X, target, row=row, reference=X)
        before, after = model.predict(X[row : row + 1])[0], model.predict(found.X)[0]
        assert found.found
        assert found.X.dtype == X.dtype
        assert (after == target) if target else (after != before)
        assert (found.before.value, found.after.value) == (before, after)
        spread = np.subtract(*np.quantile(X.astype(float), [0.75, 0.25], axis=0))
        moved = np.abs(found.X[0].astype(float) - X[row].astype(float)) / spread
        assert found.distance == pytest.approx(moved.sum(), rel=1e-6, abs=1e-9)
    shaken = np.random.default_rng(seed).normal(size=(300, 3)) * spread
    near = (X[row] + shaken).astype(dtype)
    flipped = near[model.predict(near) == "no"]
    away = (np.abs(flipped.astype(float) - X[row].astype(float)) / spread).sum(axis=1)
    assert (away >= found.least * (1 - 1e-6)).all()


def test_a_decision_by_costs_is_what_must_change():
    X, y = grown(1, "float64")
    model = DecisionTreeClassifier(max_depth=3).fit(X, y == "no")
    dear = model.with_decision(costs=[[0, 1], [20, 0]])
    rows = [row for row in range(60) if dear.predict(X[[row]])[0] != model.predict(X[[row]])[0]]
    assert rows
    for row in rows:
        found = counterfactual(dear, X, row=row)
        assert dear.predict(found.X)[0] != dear.predict(X[[row]])[0]


def test_whole_numbers_beyond_float64_land_on_the_right_side():
    big = 2**60
    X = np.array([[big], [big + 1], [big + 2], [big + 3]])
    model = DecisionTreeClassifier().fit(X, [0, 0, 1, 1])
    up, down = counterfactual(model, X, row=0), counterfactual(model, X, row=3)
    assert (up.X[0, 0], down.X[0, 0]) == (big + 2, big + 1)
    assert (model.predict(up.X)[0], model.predict(down.X)[0]) == (1, 0)


def test_numbers_read_well():
    X = np.array([[10.0], [21.3], [22.7], [40.0]])
    model = DecisionTreeRegressor().fit(X, [0, 0, 1, 1])
    assert model.tree_.threshold[0] == 22.0
    found = counterfactual(model, [12.25], ("above", 0.5), scales={0: 20})
    assert found.X.tolist() == [22.1]
    assert found.least == pytest.approx(9.75 / 20)
    whole = counterfactual(model, [12.0], ("above", 0.5), reference=[[10.0], [21.0], [23.0], [40.0]])
    assert whole.X.tolist() == [23.0]
    assert counterfactual(model, [30.0], ("below", 0.5)).X.tolist() == [22.0]


@given(
    st.floats(-1e6, 1e6),
    st.floats(0, 100),
    st.booleans(),
    st.sampled_from(["float32", "float64"]),
)
def test_a_readable_number_is_within_its_reach(edge, reach, upwards, dtype):
    numbers = numbers_of(dtype)
    edge = numbers.nearest(edge)
    inner = numbers.nearest(edge + reach if upwards else edge - reach)
    found = numbers.readable(edge, inner, upwards)
    assert min(edge, inner) <= found <= max(edge, inner)
    assert found == numbers.nearest(found)


@given(st.floats(allow_nan=False), st.booleans(), st.sampled_from(["float32", "float64", "int16", "uint64"]))
def test_a_threshold_leaves_no_number_between_its_sides(threshold, strict, dtype):
    numbers = numbers_of(dtype)
    cut = (threshold, int(not strict))
    below, above = numbers.within(FIRST, cut), numbers.within(cut, LAST)
    if below is not None:
        assert below[1] < threshold or (below[1] == threshold and not strict)
    if above is not None:
        assert above[0] > threshold or (above[0] == threshold and strict)
    if below is not None and above is not None:
        assert numbers.step(below[1], upwards=True) == above[0]
    assert below is not None or above is not None


def test_an_interval_and_a_row_that_is_there_already():
    X = np.arange(20.0)[:, None]
    model = DecisionTreeRegressor(max_depth=3).fit(X, X[:, 0])
    found = counterfactual(model, X, (8, 11), row=2, reference=X)
    assert 8 <= model.predict(found.X)[0] <= 11
    there = counterfactual(model, X, (0, 100), row=2)
    assert (there.changes, there.distance) == ((), 0)
    assert "nothing has to change" in str(there)


def test_no_allowed_change_is_reported():
    X, y = grown(3, "float64")
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    found = counterfactual(model, X, row=0, fixed=[0, 1, 2])
    assert (found.found, found.after, found.distance) == (False, None, math.inf)
    assert "No allowed change" in str(found)
    assert found.to_dict()["distance"] is None


def test_fewest_changes_first():
    X, y = grown(5, "float64")
    model = DecisionTreeClassifier().fit(X, y)
    near, few = (counterfactual(model, X, "no", distance=how) for how in ("scaled", "changes"))
    for one, other in zip(near, few, strict=True):
        assert one.least <= other.least + 1e-12
        assert len(other.changes) <= len(one.changes)
    assert any(len(other.changes) < len(one.changes) for one, other in zip(near, few, strict=True))


def test_a_chain_of_500_levels():
    node = {"value": [1.0, 0.0]}
    for k in range(500):
        node = {"feature": 0, "threshold": float(k), "left": {"value": [1.0, 0.0]}, "right": node}
    node["left"] = {"value": [0.0, 1.0]}
    tree = tree_from_dict(node, n_features=1, classes=["a", "b"])
    found = counterfactual(tree, [-5.0])
    assert found.after.value != found.before.value


def test_several_rows_give_a_list_of_counterfactuals():
    X = np.arange(20.0)[:, None]
    model = DecisionTreeRegressor(max_depth=3).fit(X, X[:, 0])
    found = counterfactual(model, X, ("above", 15), reference=X)
    assert isinstance(found, Counterfactuals)
    assert [each.row for each in found] == list(range(20))
    assert all(model.predict(each.X)[0] > 15 for each in found)
    alone = counterfactual(model, X, ("above", 15), row=3, reference=X)
    assert found[3].to_dict() == alone.to_dict()
    assert {each["row"] for each in found.to_dicts()} <= set(range(20))
    with pytest.raises(ValueError, match="target must be"):  # at once, not when a row is first used
        counterfactual(model, X, "high")
