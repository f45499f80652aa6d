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


@pytest.mark.parametrize(
    ("units", "line"),
    [
        (",cm,kg,,USD", 2),
        ("-,[cm],[kg],[-],($)", 2),
        ("no.,(cm),kg,name,dollars", 2),
        (",cm,,,", 2),
    ],
)
def test_a_row_of_units_below_the_header_is_left_out(units, line):
    rows = "1,170,65.5,A,20\n2,181,80.1,B,30\n3,165,oops,A,25\n4,170,70.5,B,31\n5,171,60.5,B,32\n"
    found = read(f"id,height,weight,city,price\n{units}\n{rows}")
    assert found.frame.columns == ["id", "height", "weight", "city", "price"]
    assert found.frame["height"].to_list() == [170, 181, 165, 170, 171]
    assert found.frame["city"].to_list() == ["A", "B", "A", "B", "B"]
    assert "header in line 1." in found.notes[0]
    assert found.notes[1].startswith(f"Line {line}, '{units}', is left out as a row of units.")
    assert "'weight': line 5 has 'oops' among numbers; read as text." in found.notes
    kept = read(f"id,height,weight,city,price\n{units}\n{rows}", skip_rows=0)
    assert kept.frame.height == 6


@pytest.mark.parametrize(
    ("top", "name", "lines"),
    [("Messwerte\n\n", "Größe", (3, 4)), ("", '"Größe\n(außen)"', (1, 3))],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_units_are_found_below_titles_and_names_with_line_breaks(top, name, lines, encoding):
    text = f"{top}{name};Gewicht;Ort\ncm;kg;\n170,5;65,5;Köln\n181,5;80,5;Bonn\n"
    found = read_table(io.BytesIO(text.encode(encoding)))
    assert found.frame.rows() == [(170.5, 65.5, "Köln"), (181.5, 80.5, "Bonn")]
    assert found.frame.columns == [name.strip('"'), "Gewicht", "Ort"]
    assert f"header in line {lines[0]}." in found.notes[0]
    assert any(note.startswith(f"Line {lines[1]}, 'cm;kg;', is left out") for note in found.notes)


@pytest.mark.parametrize(
    "text",
    [
        "a,b,c\nm,s,x\nm,s,y\n",  # no numbers
        "a,b,c\nm,2,x\n3,4,y\n5,6,z\n",  # a number
        "a,b,c\nm,unknown,x\n3,4,y\n5,6,x\n",  # one unit, and a level of another column
        "a,b,c\nlow,high,p\n3,4,y\n5,6,x\n",  # words
        "a,b\nm,kg\n",  # nothing below
    ],
)
def test_other_rows_are_no_units(text):
    found = read(text)
    assert found.frame.height == text.count("\n") - 1
    assert not any("row of units" in note for note in found.notes)
