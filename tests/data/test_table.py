"""Arrays, lists and sparse matrices: every type of number, compared exactly."""

from decimal import Decimal

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from treewright import DecisionTreeClassifier
from treewright.data.values import as_numbers, native, values_of

DTYPES = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "g", ">f8", ">i4", "O"]


def stump(X, y):
    return DecisionTreeClassifier(max_depth=1).fit(X, y)


# -- arrays


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type_of_number_grows_the_same_tree(dtype, rng):
    base = rng.integers(0, 2 if dtype == "bool" else 50, size=(80, 3))
    y = rng.integers(0, 3, size=80)
    wanted = DecisionTreeClassifier().fit(base.astype(float), y)
    X = base.astype(dtype)
    for layout in (X, np.asfortranarray(X), X[::-1][::-1], np.repeat(X, 2, axis=1)[:, ::2], X.tolist()):
        found = DecisionTreeClassifier().fit(layout, y)
        assert found.tree_ == wanted.tree_
        assert_array_equal(found.predict(layout), wanted.predict(base.astype(float)))
        assert_array_equal(found.apply(base), wanted.apply(layout))


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "u1", "bool"])
def test_numbers_that_the_core_reads_are_not_copied(dtype):
    X = np.ones((4, 3), dtype=dtype)
    for layout in (X, np.asfortranarray(X), X[::2], X[:, ::-1]):
        assert native(layout, "column") is layout


def test_the_input_is_left_alone(rng):
    X = rng.normal(size=(30, 2))
    X.flags.writeable = False
    before = X.copy()
    DecisionTreeClassifier().fit(X, X[:, 0] > 0).predict(X)
    assert_array_equal(X, before)


def test_a_list_of_lists_with_none_has_missing_values():
    X, y = [[1], [2], [None], [4]], [0, 0, 1, 1]
    model = DecisionTreeClassifier().fit(X, y)
    assert_array_equal(model.predict(X), y)
    assert_array_equal(model.predict([[None], [float("nan")]]), [1, 1])


def test_objects_keep_whole_numbers_exact():
    big = 2**53
    column = as_numbers(values_of(np.array([big + 1, None, big + 2], dtype=object), "column 0"))
    assert column.values.dtype == np.int64
    assert_array_equal(column.missing, [False, True, False])
    assert as_numbers(values_of(np.array([2**64 - 1, 0], dtype=object), "column 0")).values.dtype == np.uint64
    assert as_numbers(values_of(np.array([2**70, 0], dtype=object), "column 0")).values.dtype == np.float64
    assert as_numbers(values_of(np.array([True, None], dtype=object), "column 0")).values.dtype == np.bool_
    assert_array_equal(
        as_numbers(values_of(np.array([Decimal("1.5"), 2, np.float32(0.25)], dtype=object), "c")).values,
        [1.5, 2, 0.25],
    )


# -- exact comparison


def test_whole_numbers_beyond_2_53_are_told_apart():
    for low in (2**53 + 1, -(2**53) - 2, 2**63 - 3):
        X = np.array([[low], [low + 1]], dtype=np.int64)
        assert_array_equal(stump(X, [0, 1]).predict(X), [0, 1])
    X = np.array([[2**64 - 3], [2**64 - 2]], dtype=np.uint64)
    assert_array_equal(stump(X, [0, 1]).predict(X), [0, 1])
    assert stump(X, [0, 1]).tree_.exact_threshold(0) == 2**64 - 3


def test_only_the_two_greatest_64_bit_numbers_count_as_one():
    X = np.array([[2**63 - 2], [2**63 - 1]], dtype=np.int64)
    assert stump(X, [0, 1]).tree_.node_count == 1


def test_fitted_on_int64_and_predicted_in_float64_is_exact():
    big = 2**53
    model = stump(np.array([[big + 1], [big + 2]], dtype=np.int64), [0, 1])
    floats = np.array([[big], [big + 2], [-np.inf], [np.inf], [1e300]])
    assert_array_equal(model.predict(floats), [0, 1, 0, 1, 1])
    assert_array_equal(model.predict(np.float32([[big], [big + 2**30]])), [0, 1])


def test_fitted_on_floats_and_predicted_on_integers_is_exact():
    model = stump(np.array([[0.0], [2.0**60]]), [0, 1])
    middle = 2**59
    assert_array_equal(model.predict(np.array([[middle], [middle + 1]], dtype=np.int64)), [0, 1])
    half = stump(np.array([[0.0], [1.0]]), [0, 1])
    assert_array_equal(half.predict(np.array([[0], [1], [-5], [7]], dtype=np.int8)), [0, 1, 0, 1])
    assert_array_equal(half.predict(np.array([[0], [1]], dtype=np.uint64)), [0, 1])


@pytest.mark.parametrize("dtype", ["u1", "u8", "i1", "i8"])
def test_the_smallest_whole_numbers_are_told_apart(dtype):
    low = np.iinfo(dtype).min
    X = np.array([[low], [low + 1], [low + 2]], dtype=dtype)
    assert_array_equal(DecisionTreeClassifier().fit(X, [0, 1, 2]).predict(X), [0, 1, 2])


def test_float32_and_float64_meet_at_the_threshold():
    a, b = np.float32(0.1), np.nextafter(np.float32(0.1), np.float32(1))
    model = stump(np.array([[a], [b]], dtype=np.float32), [0, 1])
    threshold = model.tree_.threshold[0]
    assert a < threshold < b
    inside = np.array([[threshold], [np.nextafter(threshold, 1.0)]])
    assert_array_equal(model.predict(inside), [0, 1])
    close = np.array([[1.0], [np.nextafter(1.0, 2.0)]])
    assert_array_equal(stump(close, [0, 1]).predict(close), [0, 1])
    assert_array_equal(stump(close, [0, 1]).predict(close.astype(np.float32)), [0, 0])


def test_unix_times_a_minute_apart_are_told_apart():
    start = 1_700_000_000
    for dtype in (np.int32, np.int64, np.float64):
        X = (start + 60 * np.arange(50)).reshape(-1, 1).astype(dtype)
        y = np.arange(50) % 2
        assert_array_equal(DecisionTreeClassifier().fit(X, y).predict(X), y)


def test_infinite_values_are_ordinary_extremes():
    X = np.array([[-np.inf], [-1.0], [0.0], [1.0], [np.inf]])
    for y in ([0, 1, 1, 1, 1], [0, 0, 0, 0, 1], [0, 1, 0, 1, 0]):
        model = DecisionTreeClassifier().fit(X, y)
        assert_array_equal(model.predict(X), y)
        assert_array_equal(model.predict(X.astype(np.float32)), y)
    assert len(set(stump(np.array([[-0.0], [0.0]]), [0, 1]).apply([[-0.0], [0.0]]))) == 1


# -- missing values


def test_missing_against_the_rest_is_a_split():
    X = np.array([[1.0], [9.0], [np.nan], [np.nan], [5.0]])
    y = [0, 0, 1, 1, 0]
    model = stump(X, y)
    assert_array_equal(model.predict(X), y)
    assert model.tree_.threshold[0] == np.inf
    assert model.tree_.missing_child[0] == 1
    assert_array_equal(model.predict([[np.inf], [-np.inf], [1e308]]), [0, 0, 0])


def test_missing_only_at_predict_time_goes_to_the_larger_child():
    X = np.arange(10.0).reshape(-1, 1)
    assert stump(X, X[:, 0] > 6).predict([[np.nan]]) == [False]
    assert stump(X, X[:, 0] > 2).predict([[np.nan]]) == [True]
    assert stump(X, X[:, 0] > 4).predict([[np.nan]]) == [True]  # the second of equals


# -- sparse


@pytest.mark.parametrize(
    "container", ["csr_matrix", "csc_matrix", "csr_array", "csc_array", "coo_array", "lil_array"]
)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "bool"])
def test_sparse_grows_the_same_tree_as_dense(container, dtype, rng):
    dense = (
        rng.integers(-3 if dtype[0] in "if" else 0, 4, size=(120, 6)) * (rng.random((120, 6)) < 0.3)
    ).astype(dtype)
    y = rng.integers(0, 3, size=120)
    sparse = getattr(sp, container)(dense)
    wanted, found = (DecisionTreeClassifier().fit(X, y) for X in (dense, sparse))
    assert found.tree_ == wanted.tree_
    for X in (dense, sparse, sparse.tocsr()):
        assert_array_equal(found.predict_proba(X), wanted.predict_proba(dense))
        assert_array_equal(found.apply(X), wanted.apply(dense))
        assert (found.decision_path(X) != wanted.decision_path(dense)).nnz == 0


def test_sparse_with_stored_zeros_duplicates_and_unsorted_rows_is_read_and_left_alone():
    data, rows, starts = np.array([1.0, 2.0, 0.0, 5.0, 1.0]), np.array([2, 2, 0, 3, 1]), np.array([0, 3, 5])
    X = sp.csc_matrix((data, rows, starts), shape=(4, 2))
    dense = np.array([[0, 0], [0, 1], [3, 0], [0, 5.0]])
    y = [0, 1, 2, 3]
    assert DecisionTreeClassifier().fit(X, y).tree_ == DecisionTreeClassifier().fit(dense, y).tree_
    assert_array_equal(X.data, [1.0, 2.0, 0.0, 5.0, 1.0])
    assert_array_equal(X.indices, [2, 2, 0, 3, 1])


def test_sparse_with_64_bit_indices_and_missing_values():
    X = sp.csc_array(np.array([[0.0], [np.nan], [2.0], [np.nan]]))
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    y = [0, 1, 0, 1]
    assert_array_equal(DecisionTreeClassifier().fit(X, y).predict(X), y)


@pytest.mark.parametrize(
    ("low", "fitted"),
    [(2**53 + 1, np.int64), (-(2**53) - 2, np.int64), (2**63 + 1, np.uint64), (2**64 - 5, np.uint64)],
)
def test_exact_thresholds_hold_for_every_type_that_is_predicted(low, fitted):
    """Columns of other types, alone and in a mixed table, are compared with the whole number itself."""
    pd = pytest.importorskip("pandas")
    model = stump(np.array([[low], [low + 1]], dtype=fitted), [0, 1])
    assert model.tree_.exact_threshold(0) == low
    table = pd.DataFrame({"a": np.zeros(2, np.int8), "x": np.array([low, low + 1], dtype=fitted)})
    of_table = DecisionTreeClassifier().fit(table, [0, 1])
    for value in (
        low - 5000,
        low + 5000,
        0,
        -7,
        2**62,
        2**63 - 2000,
        2**64 - 4096,
        float("inf"),
        float("-inf"),
    ):
        for dtype in (np.int64, np.uint64, np.float64, np.float32):
            with np.errstate(all="ignore"):
                try:
                    X = np.array([[value]], dtype=dtype)
                except (OverflowError, ValueError):
                    continue
            there = X[0, 0].item()
            expected = int(there > low)
            assert model.predict(X) == expected, (low, dtype, there)
            mixed = pd.DataFrame({"a": pd.array([1, None], dtype="Int8"), "x": np.repeat(X[:, 0], 2)})
            assert_array_equal(of_table.predict(mixed), [expected] * 2)
