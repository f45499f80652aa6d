"""The core walks every kind of test as the definitions say, from its own columns and from tables."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.support.random_trees import COLUMNS, SIZES, core_columns, predicted, random_rows, random_tree, walk
from treewright.tree.tree import tree_from_dict

SEEDS = range(60)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_threads", [1, 2])
def test_the_core_walks_by_the_definitions(seed, n_threads):
    tree = tree_from_dict(random_tree(seed))
    rows = random_rows(seed)
    columns = core_columns(tree, rows)
    assert_allclose(tree.predict(columns, n_threads)[:, 0], [predicted(tree, row) for row in rows])
    shares, path = tree.shares(columns), tree.decision_path(columns, n_threads)
    assert shares.shape == path.shape == (len(rows), tree.node_count)
    for k, (row, end) in enumerate(zip(rows, tree.apply(columns, n_threads), strict=True)):
        ends, passed = walk(tree, row)
        found = shares[[k]]
        assert dict(zip(found.indices.tolist(), found.data.tolist(), strict=True)) == pytest.approx(ends)
        assert_array_equal(path[[k]].indices, sorted(passed))
        assert_array_equal(path[[k]].data, 1)
        assert ends[end] == pytest.approx(max(ends.values()))


def test_a_tree_of_many_levels_and_branches():
    names = [f"level {k}" for k in range(1000)]
    children = [{"value": float(k)} for k in range(1000)]
    tree = tree_from_dict({"feature": 0, "levels": [[name] for name in names], "children": children})
    assert tree_from_dict(tree.to_dict()) == tree
    rows = [[name] for name in [*names, "new", None]]
    assert_array_equal(tree.predict(core_columns(tree, rows))[:, 0], [*range(1000), 999, 999])
    assert 'feature_0 = "level 999"' in str(tree)


def as_frame(rows):
    """The rows as a pandas table with a type for each kind of column."""
    pd = pytest.importorskip("pandas")
    columns = [list(column) for column in zip(*rows, strict=True)]
    times = [["NaT" if x is None else x for x in columns[k]] for k in (4, 5)]
    return pd.DataFrame(
        {
            "number": pd.Series(columns[0], dtype=float),
            "text": pd.Series(columns[1], dtype=object),
            "size": pd.Categorical([x if x in SIZES else None for x in columns[2]], SIZES, ordered=True),
            "yes": pd.Series(columns[3], dtype="boolean"),
            "day": np.array(times[0], dtype="datetime64[us]"),
            "wait": np.array(times[1], dtype="timedelta64[us]"),
            "code": pd.Series(columns[6], dtype="Int64"),
        }
    )


@pytest.mark.parametrize("seed", range(20))
def test_a_table_is_walked_as_it_is(seed):
    tree = tree_from_dict(random_tree(seed))
    rows = random_rows(seed)
    frame = as_frame(rows)
    assert_allclose(tree.predict(frame)[:, 0], [predicted(tree, row) for row in rows])
    assert_array_equal(tree.apply(frame), tree.apply(core_columns(tree, rows)))


def test_the_columns_of_the_random_trees_are_of_every_kind():
    assert {column["kind"] for column in COLUMNS} == {
        "number", "nominal", "ordered", "boolean", "datetime", "duration",
    }  # fmt: skip
