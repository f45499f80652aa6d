"""Magnitudes, units, times of day and limits in cells, and columns that are text because of them."""

import io

import pytest

from tests.data.test_files_formats import column
from treewright.data.files import read_table


def read(text, **how):
    return read_table(io.BytesIO(text.encode()), **how)


def note_on(found, name="c"):
    return next((note for note in found.notes if note.startswith(f"'{name}'")), "")


@pytest.mark.parametrize(
    ("cells", "values", "note"),
    [
        (["0.93k", "2M", "17"], [930, 2_000_000, 17], "read '0.93k' as 930"),
        (["2.01K", "3 k"], [2010, 3000], "as 2010"),
        (["2 Mio. €", "1,5 Mrd €"], [2e6, 1.5e9], "(unit €)"),
        (["$5m", "$300k", "$1.5bn"], [5e6, 3e5, 1.5e9], "(unit $)"),
        (["1.5B", "2B"], [1.5e9, 2e9], "as 1500000000"),
        (["1.2 million", "3 thousand"], [1.2e6, 3000], "as 1200000"),
        (["-1,500k", "(2k)"], [-1.5e6, -2000], "as -1500000"),
        (["10 K", "5 M", "7"], [10_000, 5e6, 7], "as 10000"),
        (["5 km", "3 km"], [5, 3], "(unit km)"),
        (["5kg", "3kg"], [5, 3], "(unit kg)"),
        (["300 K", "280 K"], [300, 280], "(unit K)"),
        (["5m", "3m"], [5, 3], "(unit m)"),
        (["12 MB", "3 MB"], [12, 3], "(unit MB)"),
        (["<0.5", "0.7", "1.2", "0.9"], [0.5, 0.7, 1.2, 0.9], "read '<0.5' as the limit, 0.5"),
        (["14:30", "9:05", "0:00"], [14.5, 9 + 5 / 60, 0], "read '14:30' as 14.5 hours since midnight"),
        (["2:30 PM", "12:00 am"], [14.5, 0], "hours since midnight"),
        (["7h 3m", "1 h 30 min", "12hrs 5m"], [7.05, 1.5, 12 + 5 / 60], "read '7h 3m' as 7.05 hours"),
        (["22:23", "34:30"], [22 + 23 / 60, 34.5], "if the cells are minutes and seconds, read h as minutes"),
        (["10h05", "9h30"], [10 + 5 / 60, 9.5], "hours since midnight"),
        (["$101/mo", "$95/mo"], [101, 95], "(unit $ /mo)"),
        (["01:30:36", "00:00:00"], [1.51, 0], "as 1.51 hours"),
    ],
)
def test_numbers_with_magnitudes_units_and_limits(cells, values, note):
    found = column(cells)
    assert found.frame["c"].to_list() == pytest.approx(values, rel=1e-15)
    assert note in note_on(found)


@pytest.mark.parametrize(
    ("cells", "note"),
    [
        (
            ["5 kg", "300 g", "7 kg"],
            "line 3 has '300 g' among numbers in kg; read as text. Convert them to one",
        ),
        (["$5", "€5", "$6"], "line 3 has '€5' among numbers in $"),
        (["35%", "0.35", "12%"], "line 3 has '0.35' among numbers in %"),
        (["1.5.16", "1.5.17"], "no number format suits all cells, such as '1.5.16' (line 2); read as text."),
        (["001k", "002k"], "no number format suits all cells"),
        (
            ["1'200", "2'300", "0'225", "3'400"],
            """no number format suits all cells, such as "0'225" (line 4)""",
        ),
        (["3B", "4B"], "no number format suits all cells, such as '3B' (line 2); read as text."),
    ],
)
def test_numbers_of_several_units_or_formats_are_text_with_a_note(cells, note):
    found = column(cells)
    assert found.frame["c"].to_list() == cells
    assert note in note_on(found)


@pytest.mark.parametrize("cells", [["<18", "<25", ">65"], ["12 Main St", "14 High St"], ["1A", "2A"]])
def test_names_that_begin_with_numbers_are_text_without_a_note(cells):
    assert column(cells).frame["c"].to_list() == cells
    assert not note_on(column(cells))


# -- a point between thousands


def test_a_point_before_three_digits_stands_between_thousands_beside_a_decimal_comma():
    for separator in (";", "\t"):
        found = read("a;p\n7.036;0,5\n12.500;0,25\n950;1,5\n".replace(";", separator))
        assert found.frame["a"].to_list() == [7036, 12500, 950]
        assert "read '7.036' as 7036 ('.' stands between thousands" in note_on(found, "a")
    assert read("a;p\n7.036;0,5\n0.500;0,25\n").frame["a"].to_list() == [7.036, 0.5]


def test_a_point_that_nothing_decides_is_said_with_the_option():
    text = "a;p\n7.036;x\n12.500;y\n"
    found = read(text)
    assert found.frame["a"].to_list() == [7.036, 12.5]
    assert "pass decimal=',' if they stand between thousands" in note_on(found, "a")
    assert read(text, decimal=",").frame["a"].to_list() == [7036, 12500]
    assert read("a;p\n7.036;0,5\n1.000;0,5\n", formats=found.formats).frame["a"].to_list() == [7.036, 1]
    for clear in ("a,p\n7.036,x\n12.500,y\n", "a;p\n7.036;x\n0.500;y\n", "a;p\n7.036;x\n12.5;y\n"):
        assert not note_on(read(clear), "a")


def test_a_point_in_doubt_is_decided_by_the_whole_column_of_a_long_file():
    rows = [f"{1 + j % 900}.{j % 1000:03};{'x' * 20}\n" for j in range(20_000)]
    assert "three digits" in note_on(read("a;p\n" + "".join(rows)), "a")
    assert not note_on(read("a;p\n" + "".join(rows) + "1.5;y\n"), "a")


# -- as at fit


@pytest.mark.parametrize("cell", ["5 kg", "5%", "$5", "14:30"])
def test_a_unit_where_fit_had_plain_numbers_is_rejected(cell):
    with pytest.raises(ValueError, match=r"'c': line 3 has .*, but at fit its numbers had no unit"):
        column(["0" if ":" not in cell else "NA", cell], numbers=["c"])
    assert column(["5", "6"], numbers=["c"]).frame["c"].to_list() == [5, 6]
    assert column(["5k"], numbers=["c"]).frame["c"].to_list() == [5000]


def test_columns_that_no_tree_tests_may_hold_anything():
    found = column(["5 kg", "unknown", "7"], unused=["c"])
    assert found.frame["c"].to_list() == [None, None, 7]
    assert not note_on(found)
    assert column(["old", "young"], unused=["c"]).frame["c"].to_list() == ["old", "young"]


def test_numbers_without_the_unit_of_fit_are_read_with_a_note():
    kilograms, percent = column(["5 kg", "6 kg"]).formats, column(["5%", "60%"]).formats
    found = column(["5", "6"], formats=kilograms)
    assert "read '5' as 5 (without a unit: taken as kg, as at fit)" in note_on(found)
    assert len(found.conversions) == 1
    with pytest.raises(ValueError, match="line 2 has '5 g', but at fit its numbers were in kg"):
        column(["5 g", "6 g"], formats=kilograms)
    assert column(["0.07", "1"], formats=percent).frame["c"].to_list() == [7, 100]
    assert column(["7", "0.5"], formats=percent).frame["c"].to_list() == [7, 0.5]
    assert column(["14.5"], formats=column(["14:30"]).formats).frame["c"].to_list() == [14.5]
