"""Files as people have them: padded cells, empty columns, rows of totals, doubtful marks in numbers."""

import io

import pytest

from treewright.data.files import read_table


def table(text, **given):
    return read_table(io.BytesIO(text.encode()), **given)


def test_spaces_around_names_and_cells_are_left_out():
    found = table("Name , Amount ,y\n" + "".join(f" {c} , {k} ,x\n" for k, c in enumerate("abcdef")))
    assert found.frame.columns == ["Name", "Amount", "y"]
    assert found.frame["Name"].to_list() == list("abcdef")
    assert "The spaces around the cells of columns 1 and 2 are left out." in found.notes
    one = table("Name ,y\n" + "".join(f" {c} ,{k}\n" for k, c in enumerate("abcdef")))
    assert one.frame["Name "].to_list()[0] == " a "  # one column alone may mean its spaces


def test_columns_with_neither_name_nor_value_are_left_out():
    found = table("a,,b,,\n1,,2,7,\n3,,4,8,\n")
    assert found.frame.columns == ["a", "b", "column_4"]
    assert "Column 4 has no name; it is called column_4." in found.notes
    assert "Columns 2 and 5 have neither a name nor a value and are left out." in found.notes
    one = table("a,b,\n1,2,\n3,4,\n")
    assert one.frame.columns == ["a", "b"]
    assert "Column 3 has neither a name nor a value and is left out." in one.notes


@pytest.mark.parametrize("word", ["Total", "TOTAL", "Summe", "Grand total", "Gesamtsumme"])
def test_a_last_row_with_nothing_but_total_is_a_footer(word):
    found = table(f"price;city;y\n1;a;b\n2;c;d\n{word};;\n")
    assert found.frame["price"].to_list() == [1, 2]
    assert f"Line 4, {word!r}, is left out as a footer." in found.notes


def test_a_last_row_with_more_than_a_word_is_a_row():
    assert table("price;city;y\n1;a;b\nTotal;c;\n").frame.height == 2
    assert table("price;city;y\n1;a;b\nBerlin;;\n").frame.height == 2


def test_a_decimal_point_elsewhere_makes_commas_stand_between_thousands():
    found = table("revenue;employees;y\n16.4k;33,200;a\n4.6k;7,000;b\n8.1k;1,400;c\n")
    assert found.frame["employees"].to_list() == [33200, 7000, 1400]
    assert found.frame["revenue"].to_list() == [16400, 4600, 8100]


def test_a_comma_in_doubt_is_noted():
    found = table("weight;y\n33,200;a\n7,000;b\n")
    assert found.frame["weight"].to_list() == [33.2, 7.0]
    assert "all its commas have three digits after them; pass decimal='.'" in found.notes[-1]
    assert len(table("weight;y\n33,20;a\n7,000;b\n").notes) == 1


def test_no_answer_in_german_is_missing_among_numbers():
    found = table("share;y\n17,5 %;a\nk. A.;b\nk.A.;c\n20,1 %;d\n")
    assert found.frame["share"].to_list() == [17.5, None, None, 20.1]


ALIGNED = """% station 12
% time in UTC
time       temp   wind
[-]        [degC] [m/s]
2024-01-01   11.6   4.1
2024-01-02    1.4  14.7
 2024-01-03   -2.0   0.3
"""


def test_columns_that_are_aligned_by_spaces():
    found = table(ALIGNED)
    assert found.frame.columns == ["time", "temp", "wind"]
    assert found.frame["temp"].to_list() == [11.6, 1.4, -2.0]
    assert str(found.frame["time"].dtype) == "Date"
    assert "The columns are aligned by spaces: several spaces between two fields count" in " ".join(
        found.notes
    )
    assert any("left out as comments; the first is '% station 12'" in note for note in found.notes)
    returned = table(ALIGNED.replace("\n", "\r\n"))
    assert returned.frame.equals(found.frame)


@pytest.mark.parametrize(
    "text", ["a  b,c\n1  2,3\n4  5,6\n", 'a  b\n"1  2"  3\n4  5\n', "name,n\nAnn  Lee,1\nBob  Ray,2\n"]
)
def test_other_spaces_do_not_align_columns(text):
    assert "aligned" not in " ".join(table(text).notes)


def test_names_may_begin_with_the_mark_of_a_comment():
    assert table("%change,price\n1,2\n3,4\n").frame.columns == ["%change", "price"]


def test_times_with_a_zone_after_gmt():
    cells = ["2024/01/31 3:05:12 PM GMT+1", "2024/02/01 10:00:00 AM GMT-03:30", "2024/02/02 1:00:00 AM UTC"]
    found = table("when,y\n" + "".join(f"{cell},{k}\n" for k, cell in enumerate(cells)))
    times = found.frame["when"].dt.strftime("%Y-%m-%d %H:%M").to_list()
    assert times == ["2024-01-31 14:05", "2024-02-01 13:30", "2024-02-02 01:00"]
