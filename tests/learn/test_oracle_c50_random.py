"""C5.0's trees before pruning, of random tables: the grower and the oracle agree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.c50 import C50, scaled
from tests.oracle.classic_rows import Column, Data, Sample
from tests.support.strategies import examples
from treewright import DecisionTreeClassifier
from treewright.data.priors import cost_factors
from treewright.learn.classics import c50

pd = pytest.importorskip("pandas")
SEEDS = st.integers(0, 2**32 - 1)


def table(seed):
    """Numbers on a coarse grid and levels of which some never occur, some missing; and a target."""
    rng = np.random.default_rng(seed)
    n, n_classes, missing = int(rng.integers(8, 60)), int(rng.integers(2, 4)), rng.choice([0.0, 0.15])
    y = rng.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    columns = []
    for j in range(int(rng.integers(1, 4))):
        gone = rng.random(n) < missing
        if rng.random() < 0.4:
            x = np.round(rng.normal(size=n) + 0.7 * y, 1).astype(np.float32).astype(float)
            columns.append(Column(f"x{j}", np.where(gone, np.nan, x)))
            continue
        n_levels = int(rng.integers(2, 8))
        codes = (rng.integers(0, n_levels, n) + (rng.random(n) < 0.4) * y) % n_levels
        absent = int(rng.integers(0, 3)) if n_levels > 2 else 0
        levels = tuple(f"l{i}" for i in range(n_levels + absent))
        columns.append(Column(f"x{j}", np.where(gone, np.nan, codes), levels))
    weight = scaled(rng.integers(0, 4, n) + (rng.random(n) < 0.5)) if rng.random() < 0.3 else np.ones(n)
    return Data(tuple(columns), y, weight, tuple("abc"[:n_classes]))


def as_frame(data):
    made = {}
    for column in data.columns:
        codes = np.nan_to_num(column.values, nan=-1).astype(int)
        made[column.name] = (
            pd.Categorical.from_codes(codes, column.levels) if column.levels else column.values
        )
    return pd.DataFrame(made)


def ours(tree, data, node):
    """The test of one of our nodes: the column, and the threshold or the levels of each branch."""
    if tree.is_leaf[node]:
        return None
    test = tree.test(node)
    column = data.columns[test.feature]
    if not column.levels:
        return column.name, np.float32(test.threshold)
    return column.name, [[column.levels[code] for code in group] for group in test.levels]


def theirs(node):
    if "children" not in node:
        return None
    cut = node.get("threshold")
    return node["feature"], node["levels"] if cut is None else np.float32(cut)


@given(
    seed=SEEDS,
    least=st.sampled_from([1, 2, 5]),
    subset=st.booleans(),
    cost=st.sampled_from([None, 1.0, 2.0, 7.0]),
)
@examples()
def test_trees_before_pruning_are_those_of_the_oracle(seed, least, subset, cost):
    data = table(seed)
    options, weight, smallest = {}, data.weight, float(least)
    if cost is not None and data.n_classes == 2:
        options["costs"] = [[0.0, cost], [3.0, 0.0]]
        factors = cost_factors(np.array([[0.0, 3.0], [cost, 0.0]]), np.bincount(data.y, data.weight))
        factors = factors.astype(np.float32)
        weight, smallest = weight * factors[data.y], float(np.float32(least) * factors.min())
        if any(np.isnan(column.values).any() for column in data.columns):
            return  # shares are of the rows as they are: the recorded cases have that
    expected = C50(smallest, subset).grow(Sample(data, np.arange(len(data.y)), weight))
    params = c50(minCases=least, subset=subset, **options).get_params()
    model = DecisionTreeClassifier(**params | {"pruning": None, "pruning_options": None})
    y = pd.Categorical.from_codes(data.y, data.classes)
    tree = model.fit(as_frame(data), y, sample_weight=data.weight).tree_
    waiting = [(0, expected)]
    for node, wanted in waiting:
        assert ours(tree, data, node) == theirs(wanted)
        if cost is None and wanted["weight"]:
            found = tree.weighted_n_node_samples[node] * tree.value[node, 0]
            np.testing.assert_allclose(found, wanted["weight"] * np.array(wanted["value"]), atol=1e-4)
        first = int(tree.first_child[node])
        waiting += [(first + k, child) for k, child in enumerate(wanted.get("children", []))]
