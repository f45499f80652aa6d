"""Numbers and dates as people write them are read as what they are, and written formats are read back."""

import csv
import datetime as dt
import io

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.drawn import drawn
from treewright.data.files import formats_from_dicts, formats_to_dicts, read_table
from treewright.data.files.cells import MISSING
from treewright.data.files.families import Rules
from treewright.data.files.first_types import _plain_type, _type_of_numbers


def column(cells, **overrides):
    """The second column of a table with these cells."""
    held = io.StringIO()
    csv.writer(held).writerows([["id", "c"], *([f"x{j}", cell] for j, cell in enumerate(cells))])
    return read_table(io.BytesIO(held.getvalue().encode()), header=True, separator=",", **overrides)


@pytest.mark.parametrize(
    ("cells", "values", "note"),
    [
        (
            ["$350,000.00", "$1,200", "-$5", "0"],
            [350000, 1200, -5, 0],
            "read '$350,000.00' as 350000 (unit $)",
        ),
        (["5,650 sqft", "900 sqft", "1,000,000 sqft"], [5650, 900, 1000000], "as 5650 (unit sqft)"),
        (["12.3%", "-4 %"], [12.3, -4], "read '12.3%' as 12.3 (unit %)"),
        (["1.234,50", "3,5", "7"], [1234.5, 3.5, 7], "read '1.234,50' as 1234.5"),
        (
            ["1,234", "15,000"],
            [1234, 15000],
            "',' stands between thousands, as all have three digits after it",
        ),
        (["1.234.567", "1.234"], [1234567, 1234], "as 1234567"),
        (["0,123", "0,456"], [0.123, 0.456], "as 0.123"),
        (["1 234,5", "12\u00a0345,25", "1\u202f000"], [1234.5, 12345.25, 1000], "as 1234.5"),
        (["1'234.5", "12’345"], [1234.5, 12345], "as 1234.5"),
        (["(1,234.5)", "2,000", "17"], [-1234.5, 2000, 17], "read '(1,234.5)' as -1234.5"),
        (["($1,234)", "$ 5", "3"], [-1234, 5, 3], "(unit $"),
        (["5-", "1,000.5", "7"], [-5, 1000.5, 7], "read '5-' as -5"),
        (["\u2212" + "3 kg", "+4kg"], [-3, 4], "(unit kg)"),
        (["USD 5", "USD 7.5"], [5, 7.5], "(unit USD)"),
        (["5 EUR", "7,5 EUR"], [5, 7.5], "(unit EUR)"),
        (["12,34,567", "1,23,456"], [1234567, 123456], "as 1234567"),
        (["$5", "$6", "N.A.", "-", "n.a."], [5, 6, None, None, None], "read '$5' as 5 (unit $)"),
    ],
)
def test_numbers_as_people_write_them(cells, values, note):
    found = column(cells)
    assert found.frame["c"].dtype.is_numeric()
    assert found.frame["c"].to_list() == values
    assert note in next(each for each in found.notes if each.startswith("'c'"))


@pytest.mark.parametrize(
    "cells",
    [
        ["5 kg", "5 g"],
        ["5 kg", "7"],
        ["12 Main St", "14 Main St", "7 High St"],
        ["9th", "10th"],
        ["1A", "2A"],
        ["ID1", "ID2"],
        ["$5", "€5"],
        ["1,2,3", "4,5,6"],
        ["1.2.3", "1.2.4"],
        ["0012 kg", "0345 kg"],
        ["(5", "6)", "(7)"],
        ["12%", "0.12"],
        ["1,50", "1.50"],
    ],
)
def test_what_is_no_number_stays_text_without_a_word(cells):
    found = column(cells)
    assert found.frame["c"].to_list() == cells
    assert not [note for note in found.notes if "read as text" not in note and note.startswith("'c'")]


DAY = dt.date(2020, 1, 31)


@pytest.mark.parametrize(
    ("cells", "values", "note"),
    [
        (["01/31/2020", "1/2/2020"], [DAY, dt.date(2020, 1, 2)], "as 2020-01-31 (month first)."),
        (["31/01/2020", "01/02/2020"], [DAY, dt.date(2020, 2, 1)], "as 2020-01-31 (day first)."),
        (["31.01.2020", "1.2.2020"], [DAY, dt.date(2020, 2, 1)], "(day first)."),
        (["31-01-20", "01-02-70"], [DAY, dt.date(1970, 2, 1)], "(day first)."),
        (["01/02/2020"] * 2, [dt.date(2020, 1, 2)] * 2, "pass day_first=True if the day comes first."),
        (["01.02.2020"] * 2, [dt.date(2020, 2, 1)] * 2, "pass day_first=False if the month comes first."),
        (["31 Jan 2020", "1 february 2020"], [DAY, dt.date(2020, 2, 1)], "as 2020-01-31."),
        (["31-Jan-2020", "1-Feb-2020"], [DAY, dt.date(2020, 2, 1)], "as 2020-01-31."),
        (["Jan 31, 2020", "Sept. 1, 2020"], [DAY, dt.date(2020, 9, 1)], "as 2020-01-31."),
        (["2020/01/31", "2020/2/1"], [DAY, dt.date(2020, 2, 1)], "as 2020-01-31."),
        (
            ["1/31/2020 5:03 PM", "2/1/2020 12:00 AM"],
            [dt.datetime(2020, 1, 31, 17, 3), dt.datetime(2020, 2, 1)],
            "as 2020-01-31 17:03:00 (month first).",
        ),
        (
            ["Fri, 31 Jan 2020 10:00:00 +0200", "Sat, 1 Feb 2020 10:00:00 GMT"],
            [dt.datetime(2020, 1, 31, 8, tzinfo=dt.UTC), dt.datetime(2020, 2, 1, 10, tzinfo=dt.UTC)],
            "as 2020-01-31 08:00:00+00:00.",
        ),
    ],
)
def test_dates_as_people_write_them(cells, values, note):
    found = column(cells)
    assert found.frame["c"].to_list() == values
    assert next(each for each in found.notes if each.startswith("'c'")).endswith(note)


def test_day_or_month_first_can_be_given_where_it_is_not_clear():
    assert column(["01/02/2020"] * 2, day_first=True).frame["c"][0] == dt.date(2020, 2, 1)
    assert column(["01/02/2020", "01/31/2020"], day_first=True).frame["c"][0] == dt.date(2020, 1, 2)
    assert column(["31/01/2020", "01/31/2020"]).frame["c"].dtype == pl.String


def test_a_header_may_look_like_numbers_of_another_unit():
    def read(text):
        return read_table(io.BytesIO(text.encode())).frame

    assert read("100m,5 km\n9.5s,76 min\n3.4s,27 min\n").columns == ["100m", "5 km"]
    assert read("7 kg,5 cm\n8 kg,6 cm\n").rows() == [(7, 5), (8, 6)]
    assert read("price,size\n$7,5 cm\n$8,6 cm\n").columns == ["price", "size"]


def test_a_long_column_is_read_as_a_short_one():
    cells = [f"${j:,}.5" for j in range(3000)]
    assert column(cells).frame["c"].to_list() == [j + 0.5 for j in range(3000)]
    for last, values in (("0", 0), ("$ 7", 7), ("(8)", -8), ("9", 9)):
        assert column([*cells, last]).frame["c"][-1] == values
    for last in ("€5", "5,5", "x", "12 kg"):
        assert column([*cells, last]).frame["c"].dtype == pl.String
    bare = ["0"] * 2500
    assert column([*bare, "5 kg"]).frame["c"][-1] == 5


# -- words for missing values


def test_other_words_among_numbers_come_with_the_option_that_makes_them_missing():
    cells = ["$5", "$6", "$7"] * 4 + ["unknown", "-"]
    found = column(cells)
    assert found.frame["c"].dtype == pl.String
    assert found.notes[1:] == (
        "'c': line 14 has 'unknown' among numbers; read as text.",
        "Pass also_missing='unknown' to read such cells as missing values, if that is what they are.",
    )
    found = column(cells, also_missing="unknown")
    assert found.frame["c"].to_list() == [5, 6, 7] * 4 + [None, None]
    assert column(["NA", "void", "5"], also_missing=["void"]).frame["c"].to_list() == [None, None, 5]
    days = [f"2020-01-{j:02}" for j in range(10, 20)]
    assert "also_missing='9999-99-99'" in column([*days, "9999-99-99"]).notes[-1]
    assert column([*days, "0000-00-00"]).frame["c"][-1] is None
    assert not any("also_missing" in note for note in column(["1", "2", "a", "b", "3"]).notes)


# -- as at fit


def test_a_format_of_fit_decides_what_a_later_table_leaves_open():
    fitted = column(["1.234,50", "2.000,00"])
    known = formats_from_dicts(formats_to_dicts(fitted.formats))
    assert known == fitted.formats
    assert column(["1.234", "2.000"]).frame["c"].to_list() == [1.234, 2]
    assert column(["1.234", "2.000"], formats=known).frame["c"].to_list() == [1234, 2000]
    assert column(["1234.5", "7"], formats=known).frame["c"].to_list() == [1234.5, 7]  # plain numbers too
    assert column(["$1,5", "$2"], formats=column(["$1,000", "$2"]).formats).frame["c"].to_list() == [1.5, 2]
    days = column(["31/01/2020", "01/02/2020"]).formats
    assert column(["01/02/2020"], formats=formats_from_dicts(formats_to_dicts(days))).frame[
        "c"
    ].to_list() == [dt.date(2020, 2, 1)]


def test_another_unit_than_at_fit_is_rejected():
    with pytest.raises(ValueError, match=r"'c': line 2 has '5 lb', but at fit its numbers were in kg"):
        column(["5 lb", "6 lb"], formats=column(["5 kg", "6 kg"]).formats)
    assert column(["5", "6"], formats=column(["5 kg", "6 kg"]).formats).frame["c"].to_list() == [5, 6]


def test_formats_that_are_none_are_ignored():
    assert formats_from_dicts(None) == formats_from_dicts([1]) == {}
    assert formats_from_dicts({"a": 1, "b": {"decimal": ";"}, "c": {"day_first": "yes"}}) == {}


# -- there and back


def _grouped(digits, mark):
    return f"{int(digits):,}".replace(",", mark)


@given(
    st.lists(st.integers(-(10**9), 10**9), min_size=2, max_size=6),
    st.integers(1, 4).filter(lambda n: n != 3),
    st.sampled_from([(",", "."), (".", ","), (" ", ","), ("\u202f", ","), ("'", "."), ("", "."), ("", ",")]),
    st.sampled_from(["{}", "${}", "{} €", "EUR {}", "{}%", "{} sqft", "{}kg"]),
    st.sampled_from(["-{}", "({})", "\u2212{}", "{}-"]),
)
@drawn(150)
def test_formatted_numbers_are_read_back(whole, n_decimals, marks, unit, negative):
    thousands, decimal = marks
    values, cells = [], []
    for number in whole:
        digits = str(abs(number)).zfill(n_decimals + 1)
        text = _grouped(digits[:-n_decimals], thousands) + decimal + digits[-n_decimals:]
        text = unit.format(text)
        cells.append(negative.format(text) if number < 0 else text)
        values.append(number / 10**n_decimals)
    found = column(cells)
    assert found.frame["c"].to_list() == values
    assert column(cells[:1], formats=found.formats).frame["c"].to_list() == values[:1]


STYLES = ["%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y-%m-%d", "%d %b %Y", "%B %d, %Y"]


@given(
    st.lists(st.datetimes(dt.datetime(1970, 1, 1), dt.datetime(2060, 1, 1)), max_size=5),
    st.sampled_from(STYLES),
    st.sampled_from(["", " %H:%M", " %H:%M:%S", " %I:%M %p", " %H:%M:%S.%f"]),
)
@drawn(150)
def test_formatted_dates_are_read_back(times, day, clock):
    times = [dt.datetime(2001, 1, 31), *times]  # which decides what is the day
    cells = [time.strftime(day + clock) for time in times]
    known = [dt.datetime.strptime(cell, day + clock) for cell in cells]
    found = column(cells)
    assert found.frame["c"].cast(pl.Datetime("us")).to_list() == known
    again = column(cells[-1:], formats=found.formats).frame["c"]
    assert again.cast(pl.Datetime("us")).to_list() == known[-1:]


@given(
    st.lists(
        st.one_of(
            st.none(),
            st.integers(-(10**16), 10**16).map(str),
            st.decimals(-1000, 1000, places=2).map(str),
            st.sampled_from(["007", "1e5", "-0", "+3", "NA", "", " 4", "12", "99", ".5", "5.", "-999"]),
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([(), ("-999",), ("12",)]),
)
def test_plain_numbers_are_guessed_as_all_other_cells_are(cells, words):
    rules = Rules(missing=(*MISSING, *words))
    quick = _type_of_numbers(cells, rules)
    assert quick in (None, _plain_type(pl.Series("", cells, dtype=pl.String), rules))
