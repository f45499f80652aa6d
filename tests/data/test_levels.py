"""Levels and their codes: as every library keeps them, in order, missing, mixed, or none at all."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.support.one_column import fitted, known, objects, texts
from treewright import DecisionTreeClassifier
from treewright.data.columns import as_columns, columns_at_fit
from treewright.data.schema import KINDS, ColumnType

TEXT = ["b", None, "a", "", "b", "é"]
LEVELS, CODES = ("", "a", "b", "é"), [2, -1, 1, 0, 2, 3]


# -- levels and codes


def test_text_is_nominal_in_sorted_order_whatever_keeps_it():
    for how, table in texts(TEXT).items():
        column = fitted(table)
        assert column.type == ColumnType("nominal", LEVELS), how
        assert_array_equal(column.values, CODES, how)
        assert column.values.dtype == np.int32, how
        assert column.values.flags.c_contiguous, how
        assert_array_equal(known(table, column.type).values, CODES, how)


def test_text_in_one_form_is_read_by_the_levels_of_every_other():
    wanted = ColumnType("nominal", ("z", "b", ""))
    for how, table in texts(TEXT).items():
        assert_array_equal(known(table, wanted).values, [1, -1, 3, 2, 1, 3], how)
        ordered = known(table, ColumnType("ordered", ("z", "b", "")))
        assert_array_equal(ordered.values[~ordered.missing], [1, 2, 1], how)
        assert_array_equal(ordered.missing, [False, True, True, False, False, True], how)


@given(st.lists(st.none() | st.text("abé \U0001f600", max_size=2), max_size=30))
def test_codes_lead_back_to_the_text(values):
    for how, table in texts([*values, "a"]).items():
        column = fitted(table)
        levels = np.array([*column.type.levels, None], dtype=object)
        assert levels[column.values].tolist() == [*values, "a"], how
        assert list(column.type.levels) == sorted({*values, "a"} - {None}), how


def test_a_thousand_levels_and_more(rng):
    numbers = rng.integers(0, 5000, 20_000)
    for how, table in texts([f"level {k}" for k in numbers]).items():
        column = fitted(table)
        assert len(column.type.levels) == len(np.unique(numbers)), how
        assert [column.type.levels[code] for code in column.values[:50]] == [
            f"level {k}" for k in numbers[:50]
        ]


def test_declared_levels_keep_their_order_and_those_that_no_row_has():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    levels = ["mild", "hot", "never", "cool"]
    values = ["cool", None, "mild", "cool"]
    for ordered in (False, True):
        table = pd.DataFrame({"x": pd.Categorical(values, categories=levels, ordered=ordered)})
        column = fitted(table)
        assert column.type == ColumnType("ordered" if ordered else "nominal", tuple(levels))
        assert column.values.tolist() == [3, -1, 0, 3]
        assert fitted(table, nominal=True).type == ColumnType("nominal", tuple(levels))
    column = fitted(pl.DataFrame({"x": pl.Series(values, dtype=pl.Enum(levels))}))
    assert column.type == ColumnType("nominal", tuple(levels))
    assert column.values.tolist() == [3, -1, 0, 3]


def test_an_arrow_dictionary_means_its_order_only_if_it_says_so():
    pa = pytest.importorskip("pyarrow")
    for ordered in (False, True):
        array = pa.DictionaryArray.from_arrays(
            pa.array([2, None, 0], pa.uint8()), pa.array(["low", None, "high", "never"]), ordered=ordered
        )
        column = fitted(pa.table({"x": array}))
        if ordered:
            assert column.type == ColumnType("ordered", ("low", "high", "never"))
            assert column.missing.tolist() == [False, True, False]
            assert column.values.tolist() == [1, -1, 0]
        else:
            assert column.type == ColumnType("nominal", ("high", "low"))
            assert column.values.tolist() == [0, -1, 1]


def test_ordered_categories_are_ranks_and_stay_so_unless_listed():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"x": pd.cut([1, 5, 9, np.nan], [0, 3, 6, 10])})
    column = fitted(table, nominal=False)
    assert column.type == ColumnType("ordered", ("(0, 3]", "(3, 6]", "(6, 10]"))
    assert column.missing.tolist() == [False, False, False, True]
    again = known(pd.DataFrame({"x": ["(3, 6]", "(6, 7]"]}), column.type)
    assert again.values.tolist() == [1, -1]
    assert again.missing.tolist() == [False, True]


def test_numbers_and_booleans_as_levels():
    column = fitted(np.array([[3.0], [np.nan], [-1.0], [3.0]]), nominal=True)
    assert column.type == ColumnType("nominal", (-1.0, 3.0))
    assert column.values.tolist() == [1, -1, 0, 1]
    for same in ([[3], [-1], [7]], np.array([[3], [-1], [7]], "i1"), objects(Fraction(3), Decimal(-1), 7)):
        assert known(np.asarray(same), column.type).values.tolist() == [1, 0, 2]
    flags = fitted(objects(True, None, False))
    assert flags.type == ColumnType("nominal", (False, True))
    assert flags.values.tolist() == [1, -1, 0]
    assert known(np.array([[1.0], [np.nan], [0.0]]), flags.type).values.tolist() == [1, -1, 0]
    assert fitted(np.array([[True], [False]])).type == ColumnType("boolean")
    assert fitted(objects(True, None), nominal=False).type == ColumnType("boolean")


def test_categories_of_numbers_are_nominal_and_numbers_where_they_must_be():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"x": pd.Categorical([10, 2, None, 10])})
    assert fitted(table).type == ColumnType("nominal", (2, 10))
    column = known(table, ColumnType())
    assert column.values[[0, 1, 3]].tolist() == [10, 2, 10]
    assert column.missing.tolist() == [False, False, True, False]


def test_lists_of_text_and_numbers_keep_their_numbers():
    types = columns_at_fit(DecisionTreeClassifier(), [["a", 1.5], ["b", 2]])[1]
    assert types == (ColumnType("nominal", ("a", "b")), ColumnType())
    assert as_columns([["b", 1]], types).n_columns == 2
    types = columns_at_fit(DecisionTreeClassifier(), np.array([["a", "1.5"], ["b", "2"]]))[1]
    assert types[1].levels == ("1.5", "2")


def test_mixed_levels_are_refused_by_name():
    pd = pytest.importorskip("pandas")
    columns = [["a", 1], ["a"] * 200 + [1], [1, None, "a"], pd.Categorical(["a", 1])]
    for table in (
        *(pd.DataFrame({"x": column}) for column in columns),
        objects("a", 1),
        objects(1, None, "a"),
    ):
        with pytest.raises(ValueError, match=r"of X mixes text and numbers, such as 'a' and 1\. Make them"):
            fitted(table)


def test_text_among_other_objects_is_refused():
    for strange in ({}, [1], dt.date(2024, 1, 1), 1j):
        with pytest.raises(TypeError, match=f"Got values of type {type(strange).__name__} in column 0"):
            fitted(objects("a", strange))
    with pytest.raises(ValueError, match="column 0 holds text as bytes"):
        fitted(objects("a", b"a"))


# -- no value at all


def test_a_column_without_values_suits_every_type(frame):
    empty = [objects(None, None), np.full((2, 1), np.nan), frame({"x": [None, None]})]
    for kind in KINDS:
        type_ = ColumnType(kind, ("a",) if kind in {"nominal", "ordered"} else ())
        for table in empty:
            column = known(table, type_)
            assert column.is_empty()
            assert len(column.values) == 2


def test_a_column_without_values_at_fit_takes_anything(frame):
    column = fitted(frame({"x": [None, None]}))
    assert column.type == ColumnType("nominal")
    for table in (
        frame({"x": ["a", "b"]}),
        frame({"x": [1, 2]}),
        frame({"x": [dt.datetime(2024, 1, 1)] * 2}),
    ):
        assert known(table, column.type).missing.all()
    with pytest.warns(UserWarning, match="Every value is missing in column 'x' of X"):
        assert (
            columns_at_fit(DecisionTreeClassifier(), frame({"x": [None, None], "y": [1, 2]}))[1] is not None
        )
