"""Frames of pandas, polars and pyarrow: every kind of column, found by name or position."""

import datetime as dt

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.data.columns import as_columns
from treewright.data.values import values_of


def test_frames_are_read_by_column_each_in_its_own_type(frame):
    big = 2**53
    table = frame(
        {
            "whole": [big + 1, big + 2, big + 1, big + 2],
            "share": [0.1, 0.2, 0.3, 0.4],
            "flag": [True, False, True, True],
        }
    )
    model = DecisionTreeClassifier().fit(table, [0, 1, 0, 1])
    assert_array_equal(model.feature_names_in_, ["whole", "share", "flag"])
    assert model.tree_.feature_names == ("whole", "share", "flag")
    assert model.tree_.feature[0] == 0
    assert_array_equal(model.predict(table), [0, 1, 0, 1])


def test_missing_entries_of_frames_keep_whole_numbers_exact(frame):
    big = 2**53
    y = [0, 1, 2, 0, 1]
    for column in (
        [big + 1, big + 2, None, big + 1, big + 2],
        [False, True, None, False, True],
        [0.5, 1.5, None, 0.5, 1.5],
    ):
        table = frame({"a": column})
        model = DecisionTreeClassifier().fit(table, y)
        if (
            hasattr(table, "dtypes")
            and str(getattr(table["a"], "dtype", "")) == "float64"
            and column[0] == big + 1
        ):
            continue  # pandas has made floats of them before we see them
        assert_array_equal(model.predict(table), y)


def test_nullable_columns_of_pandas_keep_whole_numbers_exact():
    pd = pytest.importorskip("pandas")
    big, y = 2**53, [0, 1, 2]
    for dtype in ("Int64", "UInt64"):
        table = pd.DataFrame({"a": pd.array([big + 1, big + 2, None], dtype=dtype)})
        assert_array_equal(DecisionTreeClassifier().fit(table, y).predict(table), y)
    for values, dtype in (([True, False, None], "boolean"), ([0.5, 1.5, None], "Float32")):
        table = pd.DataFrame({"a": pd.array(values, dtype=dtype)})
        assert_array_equal(DecisionTreeClassifier().fit(table, y).predict(table), y)


def test_dates_times_and_durations_are_ordered_numbers(frame):
    first = dt.datetime(2024, 2, 28, 23, 59)
    in_pandas = frame.__module__.startswith("pandas")  # which keeps dates as objects
    dates = [first.date(), dt.date(2024, 3, 1), None, dt.date(9999, 12, 31)]
    columns = {
        "date": np.array(dates, dtype="M8[s]") if in_pandas else dates,
        "time": [first, first + dt.timedelta(microseconds=1), None, first + dt.timedelta(days=1)],
        "span": [dt.timedelta(0), dt.timedelta(microseconds=1), None, dt.timedelta(days=1)],
    }
    for name, values in columns.items():
        table = frame({name: values})
        y = [0, 1, 2, 3]
        assert_array_equal(DecisionTreeClassifier().fit(table, y).predict(table), y)


def test_times_in_another_unit_mean_the_same():
    seconds = np.array([["2024-01-01"], ["2024-01-02"], ["NaT"]], dtype="M8[s]")
    model = DecisionTreeClassifier().fit(seconds, [0, 1, 2])
    for unit in ("D", "s", "ms", "us", "ns"):
        assert_array_equal(model.predict(seconds.astype(f"M8[{unit}]")), [0, 1, 2])
    with pytest.raises(ValueError, match="Times must be of a fixed length"):
        model.predict(np.array([[3]], dtype="m8[M]"))


@pytest.mark.parametrize("unit", ["ns", "ps"])
def test_times_finer_than_microseconds_are_rounded_down(unit):
    for kind, texts in (
        ("M8", ["1969-12-31T23:59:59.9999985", "1970-01-09T00:00:00.0000019"]),
        ("m8", [-1500, 1900]),
    ):
        fine = np.array(texts, dtype=f"{kind}[ns]").astype(f"{kind}[{unit}]")
        read = values_of(np.append(fine, np.array(["NaT"], fine.dtype)), "column 0")
        whole = np.array(texts, dtype=f"{kind}[ns]").astype(np.int64) // 1000
        assert_array_equal(read.values[:2], whole)
        assert read.missing.tolist() == [False, False, True]
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(
        {"t": pandas.to_datetime([1_000_000_001, 2_000_000_999, 3_000_000_500], unit="ns")}
    )
    assert_array_equal(DecisionTreeClassifier().fit(table, [0, 1, 2]).predict(table), [0, 1, 2])


def test_whole_numbers_beyond_64_bits_are_rejected():
    """As floats some of them would be equal."""
    for numbers in ([2**70, 2**70 + 1], [-1, 2**63 + 1], [0.5, 2**60 + 1]):
        table = np.array([[number] for number in numbers], dtype=object)
        with pytest.raises(ValueError, match=r"must lie within 64 bits.* Got \d+\. Make text"):
            DecisionTreeClassifier().fit(table, [0, 1])
    exact = np.array([[0.5], [2**60], [2**62]], dtype=object)
    assert_array_equal(DecisionTreeClassifier().fit(exact, [0, 1, 2]).predict(exact), [0, 1, 2])


def test_integers_of_128_bits_are_taken_if_64_hold_them():
    pl = pytest.importorskip("polars")
    table = pl.DataFrame({"a": pl.Series([1, 2**62, None], dtype=pl.Int128)})
    assert_array_equal(
        DecisionTreeClassifier(missing="branch").fit(table, [0, 1, 2]).predict(table), [0, 1, 2]
    )
    with pytest.raises(ValueError, match=r"within 64 bits.* larger ones in column 'a'"):
        DecisionTreeClassifier().fit(pl.DataFrame({"a": pl.Series([1, 2**70], dtype=pl.Int128)}), [0, 1])


def test_columns_without_a_value_are_warned_of_by_name(frame):
    table = frame({"a": [1.0, 2.0, 3.0], "b": [None, None, None]})
    with pytest.warns(UserWarning, match="Every value is missing in column 'b' of X"):
        model = DecisionTreeClassifier().fit(table, [0, 1, 1])
    assert_array_equal(model.predict(table), [0, 1, 1])
    with pytest.warns(UserWarning, match="Every value is missing in column 1 of X"):
        DecisionTreeClassifier().fit([[1.0, np.nan], [2.0, np.nan]], [0, 1])


def test_text_and_categories_that_are_not_nominal_are_refused_by_name(frame):
    table = frame({"size": [1, 2], "city": ["Rome", "Oslo"]})
    with pytest.raises(ValueError, match="column 'city' holds text or categories"):
        DecisionTreeClassifier(categorical_features=None).fit(table, [0, 1])


def test_other_kinds_of_columns_are_refused_by_name():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    tables = [
        pd.DataFrame({"x": pd.Categorical(["a", "b"])}),
        pd.DataFrame({"x": pd.Series(["a", None], dtype=object)}),
        pl.DataFrame({"x": pl.Series(["a", "b"], dtype=pl.Enum(["a", "b"]))}),
    ]
    for table in tables:
        with pytest.raises(ValueError, match="column 'x' holds text or categories"):
            DecisionTreeClassifier(categorical_features=None).fit(table, [0, 1])
    strange = [
        pd.DataFrame({"x": [{}, 1]}),
        pd.DataFrame({"x": pd.period_range("2024", periods=2)}),
        pl.DataFrame({"x": [[1], [2]]}),
        pl.DataFrame({"x": [{"a": 1}, {"a": 2}]}),
    ]
    for table in strange:
        with pytest.raises(TypeError, match=r"Got values of type .* in column 'x'"):
            DecisionTreeClassifier().fit(table, [0, 1])


def test_sparse_columns_of_pandas_stay_sparse():
    pd = pytest.importorskip("pandas")
    dense = np.array([[0.0, 1.0], [2.0, 0.0], [0.0, 0.0], [3.0, 1.0]])
    y = [0, 1, 2, 3]
    wanted = DecisionTreeClassifier().fit(pd.DataFrame(dense, columns=["a", "b"]), y)
    for fill in (0.0, 1.0):
        table = pd.DataFrame(
            {name: pd.arrays.SparseArray(dense[:, j], fill_value=fill) for j, name in enumerate("ab")}
        )
        assert DecisionTreeClassifier().fit(table, y).tree_ == wanted.tree_


def test_the_target_of_a_lazy_table_is_named_and_rows_to_predict_are_in_memory():
    pl = pytest.importorskip("polars")
    lazy = pl.LazyFrame({"a": [1, 2], "b": [0, 1]})
    with pytest.raises(ValueError, match=r"y must be the name of a column where X is a file.* Got list"):
        DecisionTreeRegressor().fit(lazy, [0, 1])
    model = DecisionTreeRegressor().fit(lazy, "b")
    with pytest.raises(TypeError, match=r"X must be a table in memory. Got a LazyFrame; collect it first"):
        model.predict(lazy)


def test_columns_are_found_by_name_or_else_by_position(frame):
    model = DecisionTreeClassifier().fit(frame({"a": [1, 2], "b": [3, 3]}), [0, 1])
    with pytest.raises(ValueError, match=r"X must have all columns that the model uses\. It lacks 'a'"):
        model.predict(frame({"b": [1, 2], "c": [3, 3]}))
    assert_array_equal(model.predict(frame({"b": [3, 3], "z": ["k", "l"], "a": [1, 2]})), [0, 1])
    assert_array_equal(model.predict(np.array([[1, 3], [2, 3]])), [0, 1])
    plain = DecisionTreeClassifier().fit([[1, 3], [2, 3]], [0, 1])
    assert_array_equal(plain.predict(frame({"b": [1, 2], "a": [3, 3]})), [0, 1])
    with pytest.raises(ValueError, match="X has 1 features, but DecisionTreeClassifier is expecting 2"):
        plain.predict(frame({"b": [1, 2]}))


def test_an_empty_table_has_no_predictions(frame):
    model = DecisionTreeClassifier().fit(frame({"a": [1, 2], "b": [3, 3]}), [0, 1])
    assert model.predict(np.empty((0, 2))).shape == (0,)
    assert model.predict_proba(frame({"a": [1, 2], "b": [3, 3]})[:0]).shape == (0, 2)


def test_y_may_be_a_series_of_any_library(frame):
    table = frame({"a": [1, 2, 3], "y": [0.5, 1.5, 2.5]})
    column = table.column("y") if hasattr(table, "column") else table["y"]
    assert_array_equal(
        DecisionTreeRegressor().fit([[1], [2], [3]], column).predict([[1], [2], [3]]), [0.5, 1.5, 2.5]
    )


def test_columns_can_be_made_once_and_used_by_a_tree():
    model = DecisionTreeClassifier(max_depth=1).fit([[1.0], [2.0]], [0, 1])
    columns = as_columns([[1.0], [2.0]])
    assert (columns.n_rows, columns.n_columns) == (2, 1)
    assert_array_equal(model.tree_.apply(columns), model.apply([[1.0], [2.0]]))


def test_times_finer_than_microseconds_are_read_as_objects_too():
    pd = pytest.importorskip("pandas")
    times = pd.Series(
        pd.to_datetime("2020-01-01") + pd.to_timedelta(np.arange(40) * 1_000_000_007, unit="ns")
    )
    y = np.arange(40) > 20
    for column in (times, times.astype(object), times.dt.tz_localize("UTC").astype(object), times - times[0]):
        X = pd.DataFrame({"t": column})
        assert DecisionTreeClassifier().fit(X, y).score(X, y) == 1
        X["t"] = X["t"].astype(object)
        assert DecisionTreeClassifier().fit(X, y).score(X, y) == 1
