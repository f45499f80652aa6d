import datetime as dt
import io

import polars as pl
import pytest

from treewright.data.files import read_table


def read(text, **overrides):
    return read_table(io.BytesIO(text.encode()), **overrides)


def column(cells, **overrides):
    """The second column of a table with these cells."""
    return read("id,c\n" + "".join(f"x{j},{cell}\n" for j, cell in enumerate(cells)), **overrides)


# -- types


@pytest.mark.parametrize(
    ("cells", "dtype", "values"),
    [
        (["1", "-2", "+3"], pl.Int64, [1, -2, 3]),
        (["1", "2.5", "1e3", ".5", "inf"], pl.Float64, [1, 2.5, 1000, 0.5, float("inf")]),
        ([" 1 ", "2", ""], pl.Int64, [1, 2, None]),
        (["18446744073709551615", "1"], pl.UInt64, [2**64 - 1, 1]),
        (["true", "FALSE", "True"], pl.Boolean, [True, False, True]),
        (["true", "1"], pl.String, ["true", "1"]),
        (["2020-02-29", ""], pl.Date, [dt.date(2020, 2, 29), None]),
        (["2021-02-29", "2020-01-01", "2020-01-02"], pl.String, ["2021-02-29", "2020-01-01", "2020-01-02"]),
        (
            ["2020-01-01", "2020-01-01 05:06", "2020-01-01T05:06:07.25"],
            pl.Datetime("us"),
            [
                dt.datetime(2020, 1, 1),
                dt.datetime(2020, 1, 1, 5, 6),
                dt.datetime(2020, 1, 1, 5, 6, 7, 250000),
            ],
        ),
        (
            ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00+01:00"],
            pl.Datetime("us", "UTC"),
            [dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.datetime(2019, 12, 31, 23, tzinfo=dt.UTC)],
        ),
        (["31/12/2020", "12/31/2020"], pl.String, ["31/12/2020", "12/31/2020"]),
        (["0x10", "1_000"], pl.String, ["0x10", "1_000"]),
        (["١", "٢"], pl.String, ["١", "٢"]),
        (["", ""], pl.String, [None, None]),
    ],
)
def test_a_column_has_the_type_of_all_its_cells(cells, dtype, values):
    found = column(cells, header=True).frame["c"]
    assert found.dtype == dtype
    assert found.to_list() == values


def test_times_finer_than_microseconds_are_kept():
    found = column(["2020-01-01T00:00:00.000000001", "2020-01-01T00:00:00.000000002"]).frame["c"]
    assert found.dtype == pl.Datetime("ns")
    assert found.to_physical().diff()[1] == 1


@pytest.mark.parametrize(
    ("cells", "note"),
    [
        (["00123", "10234"], "'c' has whole numbers that start with 0, as codes do; read as text."),
        (["1", "9" * 25], "'c' has whole numbers of more than 64 bits; read as decimals."),
        (
            ["9" * 25, "9" * 24 + "8"],
            "'c' has whole numbers of more than 64 bits that decimals do not separate; read as text.",
        ),
        (
            ["1", "2", "n/a!", "3", "4", "x"],
            "'c': line 4 has 'n/a!' (and 1 more) among numbers; read as text.",
        ),
        (["true", "false", "maybe"], "'c': line 4 has 'maybe' among booleans; read as text."),
        (["2020-01-01", "2020-01-02", "soon"], "'c': line 4 has 'soon' among times; read as text."),
        (
            ["2020-01-01T00:00Z", "2020-01-01T00:00Z", "2020-01-01T00:00"],
            "'c': line 4 has '2020-01-01T00:00' among times; read as text.",
        ),
    ],
)
def test_what_is_odd_about_a_column_is_said(cells, note):
    assert note in column(cells, header=True).notes


def test_the_line_of_an_odd_cell_counts_line_breaks_and_blank_lines():
    found = read('a,b\n1,"x\ny"\n\n2,z\n3,z\noops,z\n')
    assert "'a': line 7 has 'oops' among numbers; read as text." in found.notes


def test_text_with_numbers_in_it_is_not_remarked():
    assert len(column(["red", "blue", "7", "green"], header=True).notes) == 1


# -- missing values


def test_words_for_missing_values_are_counted():
    found = read("a,b,c\nNA,x,1.5\n3,?,NaN\n?,None,-\n4, NA ,2\n")
    assert found.frame["a"].to_list() == [None, 3, None, 4]
    assert found.frame["b"].to_list() == ["x", None, "None", None]  # None is a level among text
    assert found.frame["c"].to_list() == [1.5, None, None, 2]  # and - is none among numbers
    (note,) = found.notes[1:]
    assert note.startswith("Read as missing: ")
    assert note.endswith(" (columns 'a', 'b', 'c').")
    for part in ("'NA' in 2 cells", "'?' in 2 cells", "'NaN' in 1 cell", "'-' in 1 cell"):
        assert part in note


def test_the_words_can_be_given():
    found = read("a,b\nNA,1\nx,-9\ny,2\n", missing=["-9"])
    assert found.frame.rows() == [("NA", 1), ("x", None), ("y", 2)]
    assert read("a,b\nNA,1\n,2\n", missing=[]).frame["a"].to_list() == ["NA", None]


def test_an_empty_text_is_a_missing_value_in_quotes_too():
    found = read('a,b\n"",1\n,2\nx,3\n"  ",4\n')
    assert found.frame["a"].to_list() == [None, None, "x", None]
    assert not any("missing" in note for note in found.notes)
