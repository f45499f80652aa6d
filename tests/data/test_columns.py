"""Columns as what they are: dates, the choice of nominal columns, and changes between fit and predict."""

import datetime as dt
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

from tests.support.one_column import fitted, known, objects
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.data.columns import columns_at_fit
from treewright.data.schema import ColumnType, nominal_mask

# -- dates and durations

MOMENTS = [dt.datetime(2024, 2, 29, 12), None, dt.datetime(1969, 12, 31, 23, 59, 59, 999999)]
MICROS = [1709208000000000, -1]


@pytest.mark.parametrize("as_objects", [True, False])
def test_times_keep_their_kind(frame, as_objects):
    def table(values):
        return objects(*values) if as_objects else frame({"x": values})

    column = fitted(table(MOMENTS))
    assert column.type == ColumnType("datetime")
    assert column.values[[0, 2]].tolist() == MICROS
    assert column.missing.tolist() == [False, True, False]
    column = fitted(table([dt.timedelta(days=1), None, dt.timedelta(microseconds=-1)]))
    assert column.type == ColumnType("duration")
    assert column.values[[0, 2]].tolist() == [86_400_000_000, -1]
    assert fitted(table([dt.date(1970, 1, 2), None])).values[0] == 86_400_000_000
    column = fitted(table([dt.time(1, 0, 0, 5), None]))
    assert column.type == ColumnType("duration")
    assert column.values[0] == 3_600_000_005


def test_time_zones_are_instants_and_do_not_mix_with_none(frame):
    east = dt.timezone(dt.timedelta(hours=2))
    aware = [None if moment is None else moment.replace(tzinfo=east) for moment in MOMENTS]
    elsewhere = [None if moment is None else moment.astimezone(dt.UTC) for moment in aware]
    types = set()
    for table in (frame({"x": aware}), frame({"x": elsewhere}), objects(*aware)):
        column = fitted(table)
        assert column.values[[0, 2]].tolist() == [micros - 7_200_000_000 for micros in MICROS]
        types.add(column.type)
    assert types == {ColumnType("datetime", utc=True)}
    for table, type_ in ((frame({"x": MOMENTS}), types.pop()), (frame({"x": aware}), ColumnType("datetime"))):
        with pytest.raises(ValueError, match=r"a time zone, and at fit it held .* a time zone"):
            known(table, type_)
    with pytest.raises(ValueError, match="must all have a time zone or all have none"):
        fitted(objects(aware[0], MOMENTS[0]))
    with pytest.raises(ValueError, match="times of day none"):
        fitted(objects(dt.time(1, tzinfo=east)))


# -- changes between fit and predict


def test_a_column_of_another_kind_than_at_fit_is_refused(frame):
    tables = {
        "text": ["a", "b"],
        "numbers": [1, 2],
        "booleans": [True, False],
        "dates or times": [dt.datetime(2024, 1, 1)] * 2,
        "durations": [dt.timedelta(1)] * 2,
    }
    for then, at_fit in tables.items():
        type_ = fitted(frame({"x": at_fit})).type
        for now, values in tables.items():
            if then == now or {then, now} == {"numbers", "booleans"}:
                known(frame({"x": values}), type_)
                continue
            sentence = f"but column 'x' holds {now}.*, and at fit it held {then}.* Convert it, or fit again"
            with pytest.raises(ValueError, match=sentence):
                known(frame({"x": values}), type_)


def test_an_estimator_refuses_a_changed_column_and_takes_a_harmless_change():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"when": pd.to_datetime(["2024-01-01", "2024-01-02"]), "size": [1, 2]})
    model = DecisionTreeClassifier().fit(table, [0, 1])
    assert model.tree_.column_types == (ColumnType("datetime"), ColumnType())
    assert_array_equal(model.predict(table.astype({"size": "float32"})), [0, 1])
    with pytest.raises(ValueError, match="column 'when' holds numbers, and at fit it held dates or times"):
        model.predict(table.assign(when=[1, 2]))
    with pytest.raises(ValueError, match=r"X must have 2 columns, as at fit\. Got 1"):
        model.tree_.apply(table[["size"]])
    assert DecisionTreeClassifier().fit(table[["size"]], [0, 1]).tree_.column_types is None
    with pytest.raises(ValueError, match="A sparse X may hold only numbers, but column 0"):
        model.tree_.apply(sp.csr_array(np.eye(2)))


def test_an_unseen_level_goes_where_a_missing_value_goes(frame):
    cities = ["Rome", "Oslo", "Bern", None, "Rome", "Oslo"] * 4
    sizes = [float(k % 7) for k in range(24)]
    model = DecisionTreeClassifier().fit(frame({"city": cities, "size": sizes}), [0, 1, 2, 1, 0, 2] * 4)
    unseen = frame({"city": ["Paris", ""] * 12, "size": sizes})
    missing = frame({"city": [None] * 24, "size": sizes})
    with pytest.warns(UserWarning, match=r"not seen at fit.*: column 'city' in 24 rows\.") as warned:
        found = model.apply(unseen)
    assert len(warned) == 1
    assert_array_equal(found, model.apply(missing))
    as_objects = np.array(list(zip(cities, sizes, strict=True)), dtype=object)
    assert_array_equal(model.tree_.apply(as_objects), model.apply(frame({"city": cities, "size": sizes})))


# -- categorical_features


def test_columns_are_listed_by_name_index_or_mask(frame):
    table = frame({"city": ["Rome", "Oslo"], "zip": [187, 150], "size": [1.5, 2.5]})
    for chosen in (["zip", "city"], ("city", "zip"), [0, 1], np.array([1, 0]), [True, True, False],
                   np.array([True, True, False])):  # fmt: skip
        types = columns_at_fit(DecisionTreeClassifier(), table, True, chosen)[1]
        assert types == (
            ColumnType("nominal", ("Oslo", "Rome")),
            ColumnType("nominal", (150, 187)),
            ColumnType(),
        )
    assert columns_at_fit(DecisionTreeClassifier(), table)[1][1] == ColumnType()
    for chosen in (["zip"], None, []):
        with pytest.raises(ValueError, match="column 'city' holds text or categories and is not listed"):
            columns_at_fit(DecisionTreeClassifier(), table, True, chosen)
    matrix = np.array([[1.0, 5.0], [2.0, np.nan]])
    types = columns_at_fit(DecisionTreeClassifier(), matrix, True, [1])[1]
    assert types == (ColumnType(), ColumnType("nominal", (5.0,)))
    assert columns_at_fit(DecisionTreeClassifier(), matrix, True, [False, False])[1] is None


@pytest.mark.parametrize(
    ("chosen", "error", "sentence"),
    [
        (["ctiy"], ValueError, "must name columns of X. Got 'ctiy'. Did you mean 'city'?"),
        (["nowhere"], ValueError, "must name columns of X. Got 'nowhere'.$"),
        ("city", ValueError, r"or a list of names, indices or booleans. Got 'city'. .*: \['city'\]"),
        ([2], ValueError, r"must be in 0..1, .* Got 2"),
        ([-1], ValueError, r"must be in 0..1, .* Got -1"),
        ([True], ValueError, "must have one entry per column of X: 2. Got 1"),
        (["city", 1], ValueError, "all names, all indices or all booleans"),
        ([1, True], ValueError, "all names, all indices or all booleans"),
        ([0.5], ValueError, "all names, all indices or all booleans"),
        (3, TypeError, 'must be "from_dtype", None, or a list .* Got 3'),
    ],
)
def test_wrong_lists_of_nominal_columns_are_refused(chosen, error, sentence):
    with pytest.raises(error, match=sentence):
        nominal_mask(chosen, ["city", "size"], 2)


def test_lists_that_do_not_suit_the_table_are_refused():
    with pytest.raises(ValueError, match=r"names only where X has names of columns\. Got 'city'"):
        columns_at_fit(DecisionTreeClassifier(), np.eye(2), True, ["city"])
    with pytest.raises(ValueError, match="A sparse X may hold only numbers, but column 1 is of another kind"):
        columns_at_fit(DecisionTreeClassifier(), sp.csr_array(np.eye(2)), True, [1])
    assert columns_at_fit(DecisionTreeClassifier(), sp.csr_array(np.eye(2)), True, [])[1] is None
    with pytest.raises(ValueError, match=r"column 0 of X holds durations\. Turn them into text"):
        columns_at_fit(DecisionTreeClassifier(), np.ones((2, 1), "m8[s]"), True, [0])


# -- the type itself


def test_a_type_is_checked_compared_and_pickled():
    type_ = ColumnType("nominal", ["a", "b"])
    assert type_ == ColumnType("nominal", ("a", "b")) == pickle.loads(pickle.dumps(type_))
    assert type_ != ColumnType("ordered", ("a", "b"))
    assert type_.code_of == {"a": 0, "b": 1}
    for arguments, sentence in (
        (("colour",), "must be one of number, .*Got 'colour'"),
        (("number", ("a",)), "Only nominal and ordered columns have levels. Got some for a number"),
        (("nominal", ("a", "a")), "must differ from each other"),
    ):
        with pytest.raises(ValueError, match=sentence):
            ColumnType(*arguments)


@pytest.mark.parametrize("n_rows", [1, 7, 300])
def test_few_rows_are_read_as_many_are(frame, n_rows):
    """Few rows are read all columns together, many rows column by column."""
    rng = np.random.default_rng(n_rows)
    n = 600
    table = {
        "city": rng.choice(["Rome", "Oslo", "Bern"], n).tolist(),
        "gone": [None if u < 0.3 else "x" for u in rng.random(n)],
        "size": rng.normal(size=n).tolist(),
        "hole": [None if u < 0.3 else float(u) for u in rng.random(n)],
        "whole": (rng.integers(0, 9, n) + 2**60).tolist(),
        "some": [None if u < 0.3 else int(9 * u) for u in rng.random(n)],
        "flag": (rng.random(n) < 0.5).tolist(),
    }
    y = rng.integers(0, 3, n)
    model = DecisionTreeClassifier(missing="branch").fit(frame(table), y)
    everything = model.apply(frame(table))
    few = frame({name: values[:n_rows] for name, values in table.items()})
    assert_array_equal(model.apply(few), everything[:n_rows])
    assert_array_equal(
        model.apply({name: values[:n_rows] for name, values in table.items()}), everything[:n_rows]
    )


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool", "object", "mixed"])
def test_few_rows_of_a_tree_that_tests_some_columns_are_read_as_many_are(dtype):
    """The columns may come in another order, and among others."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(5)
    numbers = pandas.DataFrame(rng.normal(size=(600, 8)).round(1) * 10, columns=list("abcdefgh"))
    table = (numbers > 0) if dtype == "bool" else numbers.astype("float64" if dtype == "mixed" else dtype)
    table = table.assign(b=numbers["b"].astype(str)) if dtype == "mixed" else table
    y = (numbers["f"] > 0) ^ (numbers["b"] > 3)
    model = DecisionTreeClassifier(max_depth=3).fit(table, y)
    assert 0 < len(model.tree_.used) < 8
    expected = model.apply(table)[:9]
    assert_array_equal(model.apply(table[list("hgfedcba")][:9]), expected)
    assert_array_equal(model.apply(table.assign(new="x")[:9]), expected)
    assert_array_equal(
        model.apply(table.drop(columns="h")[:9] if "h" not in _used(model) else table[:9]), expected
    )


def _used(model):
    return [model.feature_names_in_[place] for place in model.tree_.used]


def test_one_row_of_numbers_is_read_without_making_another_frame(monkeypatch):
    """Choosing columns of a pandas frame costs more than all of the rest."""
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame(
        np.random.default_rng(0).normal(size=(100, 30)), columns=[f"c{j}" for j in range(30)]
    )
    model = DecisionTreeClassifier(max_depth=2).fit(X, X["c3"] > 0)
    one, expected = X[:1], model.predict(X)[:1]
    for name in ("__getitem__", "take", "iloc", "loc"):
        monkeypatch.setattr(pandas.DataFrame, name, None)
    assert_array_equal(model.predict(one), expected)


def test_unseen_levels_are_counted_and_missing_values_are_not():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"a": list("xyxy"), "b": pandas.Categorical(list("pqpq"), ordered=True)})
    both = pandas.DataFrame({"a": list("xxyy"), "b": pandas.Categorical(list("pqpq"), ordered=True)})
    model = DecisionTreeClassifier().fit(both, [0, 1, 2, 3])
    model.predict(table.assign(a=None, b=None))  # warns of nothing
    declared = pandas.Categorical(list("pqpq"), categories=list("pqr"), ordered=True)
    model.predict(table.assign(b=declared))  # no row has the new level
    for rows in (table, pandas.concat([table] * 100)):
        other = rows.assign(
            a=["z", None, "x", "w"] * (len(rows) // 4), b=["p", "r", None, "q"] * (len(rows) // 4)
        )
        counts = f"column 'a' in {len(rows) // 2} rows, column 'b' in {len(rows) // 4} row"
        with pytest.warns(UserWarning, match=counts):
            model.predict(other)


def moved(array):
    """A copy between the addresses of its type, as fields of packed records have them."""
    found = np.ndarray(array.shape, array.dtype, np.empty(array.nbytes + 1, np.uint8).data, 1)
    found[...] = array
    assert not found.flags.aligned
    return found


def test_arrays_may_lie_at_any_address(rng):
    """Of reads that are not aligned only a sanitizer speaks here: see `make sanitize`."""
    X, y, weights = rng.random((200, 3)), rng.random(200), rng.random(200)
    model = DecisionTreeRegressor(max_depth=4)
    for table in (X, X.astype(np.float32), np.round(5 * X).astype(np.int64)):
        usual = model.fit(table, y, sample_weight=weights).tree_
        assert model.fit(moved(table), moved(y), sample_weight=moved(weights)).tree_ == usual
        np.testing.assert_array_equal(model.predict(moved(table)), model.predict(table))
    classes = (y > 0.5).astype(np.int64)
    usual = DecisionTreeClassifier().fit(X, classes).tree_
    assert DecisionTreeClassifier().fit(X, moved(classes)).tree_ == usual
    halves = [(np.arange(0, 200, 2), np.arange(1, 200, 2)), (np.arange(1, 200, 2), np.arange(0, 200, 2))]
    pruned = DecisionTreeRegressor(ccp_alpha="cv", cv=halves).fit(X, y).tree_
    elsewhere = [(moved(train), moved(test)) for train, test in halves]
    assert DecisionTreeRegressor(ccp_alpha="cv", cv=elsewhere).fit(X, y).tree_ == pruned
    sparse = sp.csc_matrix(np.where(X < 0.5, 0, X))
    usual = model.fit(sparse, y).tree_
    sparse.data, sparse.indices, sparse.indptr = map(moved, (sparse.data, sparse.indices, sparse.indptr))
    assert model.fit(sparse, y).tree_ == usual


def test_arrays_of_a_message_may_lie_at_any_address(rng):
    X = rng.random((200, 3))
    model, buffers = DecisionTreeRegressor(max_depth=4).fit(X, X[:, 0]), []
    message = pickle.dumps(model, protocol=5, buffer_callback=buffers.append)
    assert buffers
    parts = [np.append(np.uint8(0), np.frombuffer(each.raw(), np.uint8))[1:] for each in buffers]
    received = pickle.loads(message, buffers=parts)
    np.testing.assert_array_equal(received.predict(X), model.predict(X))
