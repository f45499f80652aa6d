"""The core walks every kind of test as the definitions say, from its own columns and from tables."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_matrix

from tests.support.random_trees import COLUMNS, SIZES, core_columns, predicted, random_rows, random_tree, walk
from treewright import _core
from treewright.tree.tree import tree_from_dict
from treewright.tree.walks import sum_below

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


@pytest.mark.parametrize("seed", SEEDS)
def test_some_rows_end_where_they_do_among_all(seed):
    tree, rows = tree_from_dict(random_tree(seed)), random_rows(seed)
    columns = core_columns(tree, rows)
    some = np.flatnonzero(np.random.default_rng(seed).random(len(rows)) < 0.5)
    assert (tree.shares(columns.of_rows(some)) != tree.shares(columns)[some]).nnz == 0
    for k in range(columns.n_columns):
        assert_array_equal(columns.of_rows(some).numbers(k), columns.numbers(k)[some])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, bool])
def test_some_rows_of_matrices_of_any_layout(dtype, rng):
    dense = (rng.integers(-2, 3, (50, 6)) * (rng.random((50, 6)) < 0.5)).astype(dtype)
    stored, some = csc_matrix(dense), np.array([0, 3, 4, 30, 49])
    layouts = [_core.Columns(50) for _ in range(4)]
    for columns, table in zip(layouts, (dense, np.asfortranarray(dense), dense[:, ::-1]), strict=False):
        columns.add_matrix(table)
    layouts[3].add_csc(stored.data, stored.indices, stored.indptr.astype(np.int64))
    for columns, wanted in zip(layouts, (dense, dense, dense[:, ::-1], dense), strict=True):
        found = columns.of_rows(some)
        assert_array_equal(np.stack([found.numbers(k) for k in range(6)], axis=1), wanted[some])
    for wrong in ([3, 3], [4, 1], [-1, 2], [0, 50]):
        with pytest.raises(ValueError, match="ascending rows"):
            layouts[0].of_rows(np.array(wrong))


@pytest.mark.parametrize("seed", SEEDS)
def test_sums_over_branches_by_their_definition(seed):
    tree = tree_from_dict(random_tree(seed))
    values = np.random.default_rng(seed).integers(0, 9, (tree.node_count, 2, 3)) / 4
    wanted = values.copy()
    for node in range(tree.node_count):
        above = node
        while (above := int(tree.parent[above])) >= 0:
            wanted[above] += values[node]
    assert_array_equal(sum_below(tree, values), wanted)
    assert_array_equal(sum_below(tree, values[:, 0, 0]), wanted[:, 0, 0])
    assert sum_below(tree, np.ones(tree.node_count, dtype=np.int64)).dtype == np.int64
