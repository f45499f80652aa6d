import bz2
import gzip
import io
import lzma
import pickle
import random
import zipfile

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.drawn import drawn
from treewright.data.files import TableError, body, csv_rows, layout, read_table
from treewright.data.files import compression as packing


def refusal(data, **overrides):
    """The sentence with which a table is refused."""
    data = data.encode() if isinstance(data, str) else data
    with pytest.raises(TableError) as caught:
        read_table(io.BytesIO(data), **overrides)
    said = str(caught.value)
    assert said.endswith((".", "?"))
    return said


def zipped(**members):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return held.getvalue()


LINES = b"a,b\n" * 999

# -- files


def test_a_missing_file_is_an_input_error(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.csv"):
        read_table(tmp_path / "none.csv")


def test_a_folder_and_what_is_no_place(tmp_path):
    with pytest.raises(TableError, match="is a folder; name a file in it"):
        read_table(tmp_path)
    with pytest.raises(TypeError, match=r"must be a path, '-' or a binary stream\. Got int"):
        read_table(3)
    with pytest.raises(TypeError, match=r"must be a binary stream\. Got text"):
        read_table(io.StringIO("a,b\n1,2\n"))


def test_empty_tables(tmp_path):
    (tmp_path / "empty.csv").touch()
    with pytest.raises(TableError, match=r"empty\.csv is empty\."):
        read_table(tmp_path / "empty.csv")
    assert "is empty once unpacked" in refusal(gzip.compress(b""))
    assert "has blank lines only" in refusal("\n \n\r\n")
    assert "has blank lines only" in refusal("sep=;\n\t\n")
    assert "has only a header" in refusal("a,b\n")
    assert "has only a header" in refusal("a,b")
    held = io.BytesIO()
    pl.DataFrame({"a": []}).write_parquet(held)
    assert "must have columns and rows. The stream has 1 and 0." in refusal(held.getvalue())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (random.Random(0).randbytes(5000), "Its bytes are neither text nor one of these"),
        (b"a,b\n1,\x02\x03\x04\x05\x06\n", "neither text nor"),
        (b"%PDF-1.7 ...", "is a PDF, not a table"),
        (b"SQLite format 3\x00" + bytes(100), "database of SQLite"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), "Save the sheet as CSV first"),
        (pickle.dumps({"a": [1, 2]}, protocol=4), "a pickle, which is never opened here"),
        (zipped(**{"[Content_Types].xml": "", "xl/workbook.xml": ""}), "workbook of an office program"),
        (zipped(a="a,b\n1,2\n", b="a,b\n1,2\n"), "holds 2 files. Unpack it first"),
        (b'[{"a": 1}]', "It looks like JSON"),
        (b'{"a": 1}\n{"a": 2}\n', "It looks like JSON"),
        (b"<!DOCTYPE html><table>", "It looks like HTML or XML"),
        (b"PAR1" + bytes(50), "starts as a file of Parquet does but cannot be read"),
        (b"ARROW1\x00\x00" + bytes(50), "starts as a file of Arrow does but cannot be read"),
        (b"\xff\xff\xff\xff\x78\x00\x00\x00" + bytes(20), "Arrow Stream does but cannot be read"),
    ],
)
def test_what_is_no_table(data, said):
    assert said in refusal(data)


@pytest.mark.parametrize(
    "packed",
    [
        gzip.compress(b"a,b\n" * 999),
        bz2.compress(b"a,b\n" * 999),
        lzma.compress(b"a,b\n" * 999),
        zipped(a="a,b\n" * 999),
    ],
    ids=["gzip", "bz2", "xz", "zip"],
)
def test_damaged_compressed_files(packed):
    assert "damaged or cut off" in refusal(packed[:-12])
    middle = len(packed) // 2
    assert "damaged or cut off" in refusal(packed[:middle] + bytes(8) + packed[middle + 8 :])


def test_zstd_without_a_package_for_it(monkeypatch):
    monkeypatch.setattr(packing, "_module", lambda _: None)
    assert "zstd needs Python 3.14 or the package" in refusal(b"\x28\xb5\x2f\xfd" + bytes(20))


# -- rows


@pytest.mark.parametrize("sample", [1 << 18, 40])
@pytest.mark.parametrize(
    ("broken", "line", "said"),
    [
        ("3\n", 12, "2 fields, as the header has. Line 12 has 1: '3'."),
        (
            "3,4,5\n",
            12,
            "Line 12 has 3: '3,4,5'. Repair the line. A cell with a separator in",
        ),
        (
            "# so\n",
            12,
            "Line 12 has 1: '# so'. Repair the line. Pass comment='#' to skip the lines that begin so",
        ),
        ('3,"x\n', 12, """in the row of line 12, which starts with '3,"x'"""),
        ('3,"x"y\n', 12, """in the row of line 12, which starts with '3,"x"y'"""),
        ('"5\n6",7\n8\n', 14, "Line 14 has 1: '8'."),
        ("\n\n8\n", 14, "Line 14 has 1: '8'."),
    ],
)
def test_a_broken_row_is_named_by_its_line(broken, line, said, sample, monkeypatch):
    monkeypatch.setattr(layout, "SAMPLE", sample)
    start = "a,b\n" + "1,2\n" * 10
    assert start.count("\n") == 11 <= line
    assert said in refusal(start + broken)
    assert said in refusal(start + broken + '1,2\n"3",4\n')


def test_a_broken_row_of_a_table_without_header():
    assert "as the first line has. Line 3 has 1" in refusal("1,2\n3,4\n5\n")
    assert "Line 2 has 1" in refusal("a,b\n1\n2,3\n")


def test_a_long_broken_row_is_shown_in_part():
    said = refusal("a,b\n1,2\n" + ",".join("x" * 50) + "\n")
    assert "…" in said
    assert len(said) < 300


def test_rows_with_fewer_fields_are_told_from_those_that_end_in_nothing():
    assert read_table(io.BytesIO(b'a,b,c\n1,2,\n3,4,\n"5,6",,\n')).frame.height == 3
    assert "Line 3 has 2" in refusal('a,b,c\n"1,1",2,\n3,4\n')


# -- columns


def test_one_column():
    said = refusal("a\n1\n2\n")
    assert "has one field a line" in said
    assert ", ; tab | : space." in said


def test_names_that_are_there_twice_get_a_number_with_a_note():
    found = read_table(io.BytesIO(b"a,b,a,a_2,a\n1,2,3,4,x\n5,6,7,8,y\n"))
    assert found.frame.columns == ["a", "b", "a_2_", "a_2", "a_3"]
    why = "Columns 1 and 3 are both named 'a'; column 3 is called 'a_2_'."
    assert f"{why} Pass header=False if the first line is a row." in found.notes


def test_footers_are_left_out_with_a_note_and_broken_lines_are_not():
    table = "a,b,c\n1,2,x\n3,4,y\n"
    found = read_table(io.BytesIO(f"{table}\nSource: survey\n* preliminary\n".encode()))
    assert found.frame.rows() == [(1, 2, "x"), (3, 4, "y")]
    assert "Line 5, 'Source: survey', is left out as a footer." in found.notes
    assert "Line 6, '* preliminary', is left out as a footer." in found.notes
    assert "Line 4 has 1: '5'" in refusal(f"{table}5\n")
    assert "Line 5 has 1: 'Total'" in refusal(f"{table}\nTotal\n5,6,z\n")
    assert "Line 5 has 2: 'Total,5'" in refusal(f"{table}\nTotal,5\n")


def test_what_polars_refuses_beyond_this_is_passed_on(monkeypatch):
    def fail(*_, **__):
        raise pl.exceptions.ComputeError("strange\nhint")

    monkeypatch.setattr(csv_rows, "parse", fail)
    assert "cannot be read as CSV: , between fields" in refusal("a,b\n1,2\n")
    assert body.parse is not fail


# -- encodings


def test_a_byte_that_is_no_utf_8_among_utf_8():
    data = "a,b\n1,ü\n2,ö\n".encode() * 2 + b"3,\xfc\n"
    assert "is not utf-8 in line 7, where it has the byte 0xfc" in refusal(data)
    assert "is not utf-8 in line 7. Leave the encoding out" in refusal(data, encoding="utf-8")


def test_a_late_byte_that_is_no_utf_8(monkeypatch):
    monkeypatch.setattr(layout, "SAMPLE", 40)
    late = b"a,b\n" + b"1,x\n" * 20 + b"2,\xfc\n"
    found = read_table(io.BytesIO(late))
    assert found.dialect.encoding == "cp1252"
    assert found.frame["b"][-1] == "ü"
    mixed = b"a,b\n" + b"1,x\n" * 20 + "1,ü\n".encode() + b"2,\xfc\n"
    assert "is not utf-8 in line 23" in refusal(mixed)


def test_a_wrong_encoding_that_is_given():
    assert "is not utf-16" in refusal("a,b\n1,2\n3", encoding="utf-16-le")
    assert "is not ascii in line 2" in refusal("a,b\n1,ü\n", encoding="ascii")


# -- nonsense

PARTS = [
    "a",
    "1",
    "2.5",
    "NA",
    ",",
    ",",
    ";",
    "\t",
    '"',
    "'",
    "\n",
    "\n",
    "\r",
    "\r\n",
    " ",
    "é",
    "😀",
    "\ufeff",
    "sep=;",
]
STARTS = [
    b"",
    b"PAR1",
    b"ARROW1\x00\x00",
    b"\xff\xff\xff\xff",
    b"\x1f\x8b\x08",
    b"PK\x03\x04",
    b"\xff\xfe",
    b"BZh9",
    b"a,b\n",
]


@given(
    st.lists(st.sampled_from(PARTS), max_size=40).map("".join),
    st.sampled_from(["utf-8", "cp1252", "utf-16"]),
    st.sampled_from([16, 1 << 18]),
)
@drawn(150)
def test_any_text_is_read_or_refused_in_a_sentence(content, encoding, sample):
    read_or_refused(content.encode(encoding, "ignore"), sample)


@given(st.sampled_from(STARTS), st.binary(max_size=60))
@drawn(100)
def test_any_bytes_are_read_or_refused_in_a_sentence(start, rest):
    read_or_refused(start + rest, 16)


def read_or_refused(data, sample):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout, "SAMPLE", sample)
        try:
            found = read_table(io.BytesIO(data))
        except TableError:
            return
    assert min(found.frame.shape) > 0
    assert found.notes[0].startswith("Read as ")
