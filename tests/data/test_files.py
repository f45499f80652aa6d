import gzip
import io
import sys

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from treewright.data.files import Dialect, read_table

HOSTILE = [
    "<script>alert(1)</script>",
    "=1+1",
    'a "quoted" word',
    "two\nlines",
    "😀",
    "שלום",
    "a,b;c\td|e",
    "'",
]


def read(text, encoding="utf-8", **overrides):
    return read_table(io.BytesIO(text.encode(encoding)), **overrides)


# -- the dialect


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", ":", " ", "^", "~", "\x1f"])
def test_the_separator_is_found(separator):
    lines = [["a", "b", "c"], ["1", "x", "2.5"], ["2", "y", "3.5"]]
    found = read("".join(separator.join(line) + "\n" for line in lines))
    assert found.dialect == Dialect(separator=separator)
    assert found.frame.rows() == [(1, "x", 2.5), (2, "y", 3.5)]


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("name;n\nSmith, John;1\nDoe, Jane;2\n", ";"),
        ("Smith, John;1\nDoe, Jane;2\n", ";"),
        ("2020-01-01 10:00:00,5\n2020-01-02 11:00:00,6\n", ","),
        ("1,5;2,5\n3,5;4,5\n", ";"),
        ("a,b\nx y,p q\nz w,r s\n", ","),
        ('"a;b",n\n"x;y",1\n"z;w",2\n', ","),
    ],
)
def test_a_separator_inside_cells_does_not_mislead(text, separator):
    assert read(text).dialect.separator == separator


def test_a_decimal_comma_is_found_and_said():
    found = read("größe;ort\n1,5;Köln\n2;Ulm\n-0,25;\n", "cp1252")
    assert found.notes == ("Read as CSV: ; between fields, decimal comma, cp1252, header in line 1.",)
    assert found.frame.rows() == [(1.5, "Köln"), (2.0, "Ulm"), (-0.25, None)]


def test_with_a_decimal_comma_a_point_stands_between_thousands_or_makes_no_number():
    found = read("a;b\n1,5;1\n1.500;2\n2,5;3\n")
    assert found.frame["a"].to_list() == [1.5, 1500, 2.5]
    found = read("a;b\n1,5;1\n1.50;2\n2,5;3\n")
    assert found.frame["a"].to_list() == ["1,5", "1.50", "2,5"]
    assert "'a': line 3 has '1.50' among numbers; read as text." in found.notes


@pytest.mark.parametrize(
    ("text", "decimal", "cells"),
    [
        ("a\tb\n1,5\tx\n2\ty\n", ",", [1.5, 2.0]),
        ("a;b\n1,234\nx\n", None, None),
        ("a;b\n1,234;x\n2,345;y\n", ",", [1.234, 2.345]),
        ("a\tb\n1,234\tx\n2,345\ty\n", ".", [1234, 2345]),  # three digits after all: thousands
        ("a;b\n1e-7;x\n2,5;y\n", ",", [1e-7, 2.5]),
        ("1,5;2\n", ",", None),
    ],
)
def test_a_comma_is_decimal_only_where_that_is_clear(text, decimal, cells):
    if decimal is None:
        with pytest.raises(ValueError, match="2 fields"):
            read(text)
        return
    found = read(text)
    assert found.dialect.decimal == decimal
    assert cells is None or found.frame["a"].to_list() == cells


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_the_encoding_is_found(encoding):
    found = read("größe,ort\n1,Köln\n2,–\n3,Ulm\n", encoding)
    assert found.dialect.encoding == encoding
    assert found.frame.columns == ["größe", "ort"]
    assert found.frame["ort"].to_list() == ["Köln", "–", "Ulm"]


def test_bytes_without_a_meaning_in_cp1252_are_latin_1():
    assert read("a,b\n1,\x81é\n", "latin-1").dialect.encoding == "latin-1"


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("a,b\n1,2\n", True),
        ("1,2\n3,4\n", False),
        ("1,x\n2,y\n", False),
        ("name,town\nAnn,Ulm\nBob,Bonn\n", True),
        ("yes,no\nno,yes\nyes,yes\n", False),
        ("0,1,2,3\n0.5,7,1,9\n", True),
        ("town,2019,2020,2021\nUlm,5,6,4\nBonn,3,1,2\n", True),
        ("2020-01-01,a\n2020-01-02,b\n", False),
        (",a,b\n0,1,2\n1,3,4\n", True),
        ("id,1\n7,2\n", True),
        ("5,6\n", False),
        ("a,?\n1,2\n", True),
        ("a,b,y\na,x,yes\nb,z,no\n", True),  # a name may be a level of its column
        ("grade,school,y\nA,north,yes\ngrade,south,no\n", True),
        ("Ann,f,yes\nBob,m,no\nCid,f,yes\n", False),  # most of a row are levels of its columns
        ("p,x,s,n\ne,x,s,y\np,b,y,w\n", False),
        ("a,y\na,yes\nb,no\n", False),  # as likely one as the other
        ("y,n,y,a,b\ny,u,v,w,x\n", False),  # names are distinct
        ("x,,z,u,v\na,b,c,d,e\nx,q,r,s,t\n", False),  # and not empty
    ],
)
def test_the_header_is_found(text, header):
    found = read(text)
    assert found.dialect.header is header
    assert found.notes[0].endswith("header in line 1." if header else "no header.")
    assert header or found.frame.columns == [f"column_{j + 1}" for j in range(found.frame.width)]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_end_of_line(newline):
    found = read(newline.join(["a,b", "1,x", "2,y", ""]))
    assert found.dialect.newline == newline
    assert found.frame.rows() == [(1, "x"), (2, "y")]


def test_quotes():
    assert read("'a','b'\n'x,1','it''s'\n'y','z'\n").frame.rows() == [("x,1", "it's"), ("y", "z")]
    assert read("a,b\n'tis,1\n'twas,2\n").frame["a"].to_list() == ["'tis", "'twas"]
    inches = [('5" pipe', 3), ('6" pipe', 4)]
    assert read('a,b\n5" pipe,3\n6" pipe,4\n').frame.rows() == inches
    assert read('a,b\n5" pipe,3\n6" pipe,4\n"x,y",5\n').frame.rows() == [*inches, ("x,y", 5)]
    assert read('a b\n1 "x y"\n2 "z"\n').frame.rows() == [(1, "x y"), (2, "z")]
    assert read('a,b\n"x",1\n', quote=None).frame["a"].to_list() == ['"x"']


def test_hostile_names_and_levels_are_kept():
    quoted = ['"' + text.replace('"', '""') + '"' for text in HOSTILE]
    found = read(",".join(quoted) + "\n" + (",".join(reversed(quoted)) + "\n") * 2)
    assert found.frame.columns == HOSTILE
    assert found.frame.rows() == [tuple(reversed(HOSTILE))] * 2


def test_what_stands_before_the_table():
    found = read("\n\nsep=;\na;b\n1;2\n")
    assert found.frame.rows() == [(1, 2)]
    assert found.notes == ("Read as CSV: ; between fields, utf-8, header in line 4.",)
    assert read("sep=;\na;b\n1;2\n", "utf-8-sig").frame.columns == ["a", "b"]


def test_spaces_after_separators_are_left_out():
    found = read("a, b, c\n1, x, ?\n2, y z, 3\n")
    assert found.frame.columns == ["a", "b", "c"]
    assert found.frame.rows() == [(1, "x", None), (2, "y z", 3)]
    assert "The space after each separator is left out." in found.notes


def test_a_column_without_a_name_gets_one():
    found = read(",column_1,b\n0,1,2\n1,3,4\n")
    assert found.frame.columns == ["column_1_", "column_1", "b"]
    assert "Column 1 has no name; it is called column_1_." in found.notes


def test_blank_lines_are_left_out_and_rows_of_nothing_kept():
    found = read('a,b\n\n1,"x\n\ny"\n   \n,\n2,z\n\n\n')
    assert found.frame.rows() == [(1, "x\n\ny"), (None, None), (2, "z")]
    assert "Blank lines are left out." in found.notes
    assert len(read("a,b\n1,2\n\n\n").notes) == 1


def test_overrides_and_a_given_dialect():
    text = "1,5;2,5\n3,5;4,5\n"
    assert read(text, separator=",", header=True, decimal=".").frame.columns == ["1", "5;2", "5"]
    assert read(text, dialect=Dialect(separator=";", header=False)).frame.row(0) == ("1,5", "2,5")
    assert read(text, dialect=Dialect(kind="parquet")).frame.row(0) == (1.5, 2.5)
    assert read("a\n1\n2\n", separator=",").frame.rows() == [(1,), (2,)]
    assert read_table(io.BytesIO("é,b\n1,2\n".encode()), encoding="cp1252").frame.columns[0] == "Ã©"


def test_a_dialect_is_plain_data():
    dialect = Dialect(separator="\t", quote="'", compression="gzip", header=False)
    assert Dialect.from_dict(dialect.to_dict()) == dialect
    assert str(dialect) == "CSV: tab between fields, cells in ', utf-8, no header, gzip"
    assert str(Dialect(kind="arrow")) == "Arrow"


# -- places


def test_paths_names_and_standard_input(tmp_path, monkeypatch):
    path = tmp_path / "odd [name]*.csv"
    path.write_text("a,b\n1,2\n")
    for place in (path, str(path)):
        found = read_table(place)
        assert (found.name, found.frame.rows()) == ("odd [name]*.csv", [(1, 2)])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(b"a,b\n1,2\n"))))
    found = read_table("-")
    assert (found.name, found.dialect.compression) == ("Standard input", "gzip")


def test_reading_does_not_touch_a_table_of_arrow_types(tmp_path):
    frame = pl.DataFrame({"a": [1, None], "b": ["x", "NA"]}, schema={"a": pl.Int8, "b": pl.Categorical})
    frame.write_parquet(tmp_path / "t")
    frame.write_ipc(tmp_path / "u")
    frame.write_ipc_stream(tmp_path / "v")
    for name, kind in (("t", "parquet"), ("u", "arrow"), ("v", "arrow stream")):
        found = read_table(tmp_path / name)
        assert found.dialect == Dialect(kind=kind)
        assert_frame_equal(found.frame, frame)
        assert_frame_equal(read_table(io.BytesIO((tmp_path / name).read_bytes())).frame, frame)


def test_columns_can_be_kept_as_they_are_written():
    data = b"id,code,note,x\n10000000000000000000000001,1.10,NA,1.50\n2,1.1,null,2\n"
    found = read_table(io.BytesIO(data), text=["code"], only=["code", "x"]).frame
    assert found["id"].to_list() == ["10000000000000000000000001", "2"]
    assert found["code"].to_list() == ["1.10", "1.1"]
    assert found["note"].to_list() == ["NA", "null"]
    assert found["x"].to_list() == [1.5, 2.0]
