import datetime as dt
import errno
import io
import os
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.support.drawn import drawn
from treewright.data.files import Dialect, TableError, read_table, write_table, writing
from treewright.data.files import compression as packing

LETTERS = [
    "a",
    "Z",
    "7",
    ",",
    ";",
    "\t",
    "|",
    '"',
    "'",
    "\n",
    "\r\n",
    "\r",
    " ",
    ".",
    "-",
    "=",
    "<",
    "é",
    "€",
]
WIDE = [*LETTERS, "😀", "ש", "\u202e", "\u2028", "\x85", "漢"]

MARKS = [(",", "."), (";", "."), (";", ","), ("\t", "."), ("|", "."), (":", ".")]


def texts(letters):
    """Text that is no number, date or word for a missing value: these come back as what they look like."""
    return st.lists(st.sampled_from(letters), max_size=6).map(lambda part: "x" + "".join(part))


def cells(letters):
    return {
        pl.String: texts(letters),
        pl.Int64: st.integers(-(2**63), 2**63 - 1),
        pl.Float64: st.floats(allow_nan=False),
        pl.Boolean: st.booleans(),
        pl.Date: st.dates(dt.date(1000, 1, 1)),
        pl.Datetime("us"): st.datetimes(dt.datetime(1000, 1, 1)),
    }


@st.composite
def frames(draw, letters=WIDE):
    kinds = draw(st.lists(st.sampled_from(list(cells(letters))), min_size=2, max_size=5))
    n_rows = draw(st.integers(1, 6))
    columns = {}
    for j, kind in enumerate(kinds):
        values = st.lists(st.none() | cells(letters)[kind], min_size=n_rows, max_size=n_rows)
        columns[f"c{j}"] = pl.Series(draw(values), dtype=kind)
    return pl.DataFrame(columns)


def as_text_if_empty(frame):
    """A column without a value has no type of its own: it comes back as text."""
    return frame.with_columns(
        column.cast(pl.String) for column in frame.iter_columns() if column.null_count() == frame.height
    )


def written(frame, dialect):
    held = io.BytesIO()
    write_table(frame, held, dialect)
    held.seek(0)
    return held


# -- the law: what is written is read back


@given(
    frames(),
    st.sampled_from(MARKS),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
@drawn(80)
def test_a_table_is_read_back_as_it_was_written(frame, marks, newline, encoding):
    dialect = Dialect(separator=marks[0], decimal=marks[1], newline=newline, encoding=encoding)
    found = read_table(written(frame, dialect))
    assert_frame_equal(found.frame, as_text_if_empty(frame))
    assert found.dialect.separator == dialect.separator
    assert (found.dialect.encoding, found.dialect.newline) == (encoding, newline)
    assert written(found.frame, found.dialect).getvalue() == written(frame, found.dialect).getvalue()


@given(
    frames(LETTERS),
    st.sampled_from(MARKS),
    st.booleans(),
    st.sampled_from(['"', "'"]),
    st.sampled_from(["cp1252", "utf-8", "utf-16-be"]),
)
@drawn(60)
def test_a_table_is_read_back_by_its_dialect(frame, marks, header, quote, encoding):
    dialect = Dialect("csv", *marks, encoding, header, quote)
    found = read_table(written(frame, dialect), dialect=dialect)
    wanted = as_text_if_empty(frame)
    assert_frame_equal(
        found.frame, wanted if header else wanted.rename(lambda name: f"column_{int(name[1:]) + 1}")
    )
    assert found.dialect == dialect


@given(st.lists(texts(WIDE).filter(str.strip), min_size=2, max_size=4, unique=True))
@drawn(40)
def test_names_of_any_kind_are_read_back(names):
    frame = pl.DataFrame({name: [1, 2] for name in names})
    assert_frame_equal(read_table(written(frame, Dialect()), separator=",", header=True).frame, frame)


def test_what_does_not_come_back_from_text():
    frame = pl.DataFrame(
        {
            "narrow": pl.Series([1, 2], dtype=pl.Int8),
            "nan": [1.5, float("nan")],
            "word": ["NA", "x"],
            "code": ["1", "2"],
            "clock": [dt.time(5, 6), None],
            "zone": pl.Series([dt.datetime(2020, 1, 1)] * 2).dt.replace_time_zone("Europe/Berlin"),
        }
    )
    found = read_table(written(frame, Dialect())).frame
    assert found["narrow"].dtype == pl.Int64
    assert found["nan"].to_list() == [1.5, None]
    assert found["word"].to_list() == [None, "x"]
    assert found["code"].to_list() == [1, 2]
    assert found["clock"].to_list() == [5.1, None]
    assert found["zone"][0] == dt.datetime(2019, 12, 31, 23, tzinfo=dt.UTC)


def test_one_column_with_missing_values():
    frame = pl.DataFrame({"a": [1, None, 3]})
    assert_frame_equal(read_table(written(frame, Dialect()), separator=",").frame, frame)


def test_formulas_are_written_as_they_are():
    frame = pl.DataFrame({"a": ["=1+1", '=HYPERLINK("x","y")', "@x", "+1-2"], "b": [1, 2, 3, 4]})
    data = written(frame, Dialect()).getvalue()
    assert data == b'a,b\n=1+1,1\n"=HYPERLINK(""x"",""y"")",2\n@x,3\n+1-2,4\n'


def test_a_dialect_without_quotes_still_quotes_what_must_be():
    assert (
        written(pl.DataFrame({"a": ["x,y"], "b": [1]}), Dialect(quote=None)).getvalue() == b'a,b\n"x,y",1\n'
    )


def test_many_rows_have_one_header_and_one_mark(monkeypatch):
    monkeypatch.setattr(writing, "_ROWS", 3)
    frame = pl.DataFrame({"a": range(10), "b": list("abcdefghij")})
    for encoding in ("utf-8-sig", "utf-16", "cp1252"):
        assert_frame_equal(read_table(written(frame, Dialect(encoding=encoding))).frame, frame)


@pytest.mark.parametrize("compression", ["gzip", "bzip2", "xz", "zip", "zstd"])
@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow", "arrow stream"])
def test_every_kind_and_compression(compression, kind, tmp_path):
    if compression == "zstd":
        pytest.importorskip("pyarrow")
    frame = pl.DataFrame({"a": [1, 2] * 500, "b": ["x", "😀"] * 500})
    dialect = Dialect(kind=kind, compression=compression)
    write_table(frame, tmp_path / "table.csv.any", dialect)
    found = read_table(tmp_path / "table.csv.any")
    assert_frame_equal(found.frame, frame)
    assert found.dialect == dialect
    first = (tmp_path / "table.csv.any").read_bytes()
    assert written(frame, dialect).getvalue()[:4] == first[:4]


def test_zstd_looks_for_a_package(monkeypatch):
    pytest.importorskip("pyarrow")
    frame = pl.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    asked = []
    real = packing._module
    monkeypatch.setattr(
        packing, "_module", lambda name: asked.append(name) or (real(name) if name == "pyarrow" else None)
    )
    assert_frame_equal(read_table(written(frame, Dialect(compression="zstd"))).frame, frame)
    assert asked == ["compression.zstd", "zstandard", "pyarrow"] * 2


# -- what cannot be written


def test_what_cannot_be_written_is_refused(tmp_path):
    path = tmp_path / "out.csv"
    for name, values in {
        "list": [[1]],
        "struct": [{"a": 1}],
        "bytes": [b"x"],
        "span": [dt.timedelta(1)],
    }.items():
        with pytest.raises(TableError, match=f"Column '{name}' is of type .* write Parquet"):
            write_table(pl.DataFrame({name: values}), path, Dialect())
    with pytest.raises(TableError, match="A table must have columns"):
        write_table(pl.DataFrame(), path, Dialect())
    with pytest.raises(TableError, match=r"cp1252 has no '≤', which is in the table\. Write it with"):
        write_table(pl.DataFrame({"a": ["x ≤ 1"]}), path, Dialect(encoding="cp1252"))
    with pytest.raises(TableError, match="is a folder; name a file in it"):
        write_table(pl.DataFrame({"a": [1]}), tmp_path, Dialect())
    assert list(tmp_path.iterdir()) == []


# -- files, whole or not at all


def test_a_file_takes_the_place_of_another_and_keeps_its_permissions(tmp_path):
    path, link = tmp_path / "t.csv", tmp_path / "link.csv"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_table(pl.DataFrame({"a": [1], "b": [2]}), link, Dialect())
    assert link.is_symlink()
    assert path.read_text() == "a,b\n1,2\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    write_table(pl.DataFrame({"a": [1], "b": [2]}), tmp_path / "new.csv", Dialect())
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new.csv").stat().st_mode) == 0o666 & ~mask
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow"])
@pytest.mark.parametrize("compression", [None, "gzip", "zip"])
def test_a_full_disk_leaves_nothing_half_written(kind, compression, tmp_path, monkeypatch):
    class Full(io.BytesIO):
        def write(self, _):
            raise OSError(errno.ENOSPC, "No space left on device")

    def full(number, _):
        os.close(number)
        return Full()

    path = tmp_path / "t.csv"
    path.write_text("old")
    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(OSError, match="No space left"):
        write_table(pl.DataFrame({"a": [1], "b": [2]}), path, Dialect(kind=kind, compression=compression))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_device_is_written_to():
    with pytest.raises(OSError, match="No space left"):
        write_table(pl.DataFrame({"a": range(9999), "b": range(9999)}), "/dev/full", Dialect())
    write_table(pl.DataFrame({"a": [1], "b": [2]}), os.devnull, Dialect())
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_standard_output_is_flushed_and_a_closed_pipe_is_told():
    script = (
        "import polars as pl\n"
        "from treewright.data.files import Dialect, write_table\n"
        "frame = pl.DataFrame({'a': range(300_000), 'b': range(300_000)})\n"
        "try:\n    write_table(frame, '-', Dialect())\n"
        "except BrokenPipeError:\n    import os; os._exit(7)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout.read(4) == b"a,b\n"
        process.stdout.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(30)
        assert process.returncode == 7
