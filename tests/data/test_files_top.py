"""Titles and comments above the header of a CSV, and comments below it."""

import io

import pytest

from treewright.data.files import read_table

TABLE = "a,b,c\n1,2,x\n3,4,y\n"


def read(text, **overrides):
    return read_table(io.BytesIO(text.encode()), **overrides)


@pytest.mark.parametrize(
    ("top", "note", "line"),
    [
        ("Quarterly report\n\n", "The line 'Quarterly report' above the header is left out as a title", 3),
        (
            "Report,,\nof 2020,,\n",
            "2 lines above the header are left out as titles; the first is 'Report'",
            3,
        ),
        ("Report,,\n,,\n", "The line 'Report' above the header is left out as a title", 3),
        ('"Report, 2020"\n', "The line '\"Report, 2020\"' above the header is left out as a title", 2),
        ("# made by us\n", "The line '# made by us' above the header is left out as a comment", 2),
        ("#x\n#y,1\n\n", "2 lines above the header are left out as comments; the first is '#x'", 4),
        ("\ufeffReport\r\n", "The line 'Report' above the header is left out as a title", 2),
    ],
)
def test_lines_above_the_header_are_found_and_left_out(top, note, line):
    found = read(top + TABLE)
    assert found.frame.rows() == [(1, 2, "x"), (3, 4, "y")]
    assert f"header in line {line}." in found.notes[0]
    assert found.notes[1].startswith(note)
    assert "Pass skip_rows=0 if" in found.notes[1]


def test_empty_lines_above_the_header_are_left_out():
    found = read(",,\n" + TABLE)
    assert found.frame.rows() == [(1, 2, "x"), (3, 4, "y")]
    assert found.notes[1] == "Empty lines above the header are left out."


def test_lines_of_errors_are_those_of_the_file():
    assert (
        "'a': line 6 has 'oops' among numbers; read as text."
        in read(f"Title\n{TABLE}5,6,z\noops,7,w\n").notes
    )
    with pytest.raises(ValueError, match="Line 5 has 4"):
        read("Title\na,b,c\n1,2,x\n3,4,y\n1,2,3,4\n" + "1,2,3\n" * 300, skip_rows=1)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("#id,b,c\n1,2,x\n3,4,y\n", ["#id", "b", "c"]),
        ("# made\n#id,b,c\n1,2,x\n3,4,y\n", ["#id", "b", "c"]),
        ('"a\nb",c,d\n1,2,3\n4,5,6\n', ["a\nb", "c", "d"]),
        ("a;b;c\n1,5;2,5;x\n3,5;4;y\n", ["a", "b", "c"]),
        ("sep=;\na;b\n1;2\n", ["a", "b"]),
    ],
)
def test_a_header_is_no_title(text, names):
    found = read(text)
    assert found.frame.columns == names


def test_a_header_with_too_few_names_is_an_error_and_no_title():
    with pytest.raises(ValueError, match="Every line of The stream must have 2 fields"):
        read("a,b\n1,2,3\n4,5,6\n")


def test_lines_to_skip_can_be_given():
    assert read("x,1,2,3,4\nmore\n" + TABLE, skip_rows=2).frame.columns == ["a", "b", "c"]
    assert read("1,2,x\n" + TABLE, skip_rows=1).frame.columns == ["a", "b", "c"]
    with pytest.raises(ValueError, match="blank lines only"):
        read(TABLE, skip_rows=9)
    with pytest.raises(ValueError, match=r"skip_rows must be a whole number of at least 0. Got -1."):
        read(TABLE, skip_rows=-1)


def test_comments_can_be_given_and_are_left_out_anywhere_but_in_quotes():
    found = read('% top\na,b\n1,x\n% middle\n2,"p\n% q"\n%\n3,y\n', comment="%")
    assert found.frame.rows() == [(1, "x"), (2, "p\n% q"), (3, "y")]
    found = read("// top\na,b\n1,x\n// middle\noops,y\n2,z\n3,z\n4,z\n5,z\n", comment="//")
    assert "'a': line 5 has 'oops' among numbers; read as text." in found.notes
