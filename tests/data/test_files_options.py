import gzip
import io

import polars as pl
import pytest

from treewright.data.files import Dialect, TableError, csv_rows, memory, read_table
from treewright.data.files import compression as packing


def refusal(data, **overrides):
    """The sentence with which a table is refused."""
    data = data.encode() if isinstance(data, str) else data
    with pytest.raises(TableError) as caught:
        read_table(io.BytesIO(data), **overrides)
    said = str(caught.value)
    assert said.endswith((".", "?"))
    return said


# -- memory


def test_a_table_larger_than_memory_is_refused_before_it_is_read(monkeypatch, tmp_path):
    path = tmp_path / "large.csv"
    path.write_text("a,b\n" + "1,2\n" * 1000)
    monkeypatch.setattr(memory, "free_memory", lambda: 10_000)
    monkeypatch.setattr(csv_rows, "parse", None)  # would fail
    with pytest.raises(TableError, match=r"large.csv needs about 3[12]\.?\d* kB .* and 10 kB are free"):
        read_table(path)


def test_every_way_of_reading_looks_at_the_memory(monkeypatch, tmp_path):
    data = b"a,b\n" + b"1,2\n" * 100_000
    pl.DataFrame({"a": range(10_000), "b": ["x"] * 10_000}).write_parquet(tmp_path / "t.parquet")
    for module in (memory, packing):
        monkeypatch.setattr(module, "free_memory", lambda: 50_000)
    monkeypatch.setattr("treewright.data.files.source.free_memory", lambda: 50_000)
    for place in (io.BytesIO(data), io.BytesIO(gzip.compress(data)), tmp_path / "t.parquet"):
        with pytest.raises(TableError, match="check_memory=False reads it all the same"):
            read_table(place)
    assert read_table(io.BytesIO(data), check_memory=False).frame.height == 100_000
    assert read_table(tmp_path / "t.parquet", check_memory=False).frame.height == 10_000


def test_free_memory_is_the_least_of_all_limits(monkeypatch):
    assert memory.free_memory() > 0
    files = {
        "/proc/meminfo": "MemTotal: 9000 kB\nMemAvailable: 8000 kB\n",
        "/sys/fs/cgroup/memory.max": "5000000\n",
        "/sys/fs/cgroup/memory.current": "3000000\n",
        "/sys/fs/cgroup/memory.stat": "anon 5\ninactive_file 1000000\n",
        "/proc/self/statm": "0 0 0\n",
    }
    monkeypatch.setattr(memory, "_read", lambda path: files.get(path, ""))
    assert memory.free_memory() == 3_000_000
    files["/sys/fs/cgroup/memory.max"] = "max\n"
    assert memory.free_memory() == 8_192_000
    monkeypatch.setattr("resource.getrlimit", lambda _: (1_000_000, 1_000_000))
    assert memory.free_memory() == 1_000_000


# -- options


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"separator": ";;"},
            "separator must be one ASCII character that is no part of words, numbers or lines. Got ';;'.",
        ),
        ({"separator": "§"}, "separator must be one ASCII character"),
        ({"separator": "-"}, "that is no part of words, numbers or lines. Got '-'."),
        ({"decimal": ":"}, "decimal must be '.' or ','. Got ':'."),
        ({"encoding": "klingon"}, "encoding must be an encoding that Python knows"),
        ({"encoding": "rot13"}, "encoding must be an encoding that Python knows"),
        ({"header": 1}, "header must be True or False. Got 1."),
        ({"quote": ""}, "or lines, or None. Got ''."),
        ({"missing": "NA"}, "missing must be a list of words. Got 'NA'."),
        ({"check_memory": 0}, "check_memory must be True or False"),
        ({"separator": ",", "decimal": ","}, "The separator and the decimal mark must be two characters"),
        ({"separator": "'", "quote": "'"}, "The separator and the quote must be two characters"),
    ],
)
def test_options_that_cannot_be(options, said):
    assert said in refusal("a,b\n1,2\n", **options)


def test_an_unknown_option_is_answered_with_the_nearest():
    with pytest.raises(TypeError, match=r"no option 'seperator'\. Did you mean 'separator'"):
        read_table("x.csv", seperator=";")
    with pytest.raises(TypeError, match="There are separator, decimal"):
        read_table("x.csv", colour="red")


def test_dialects_that_cannot_be():
    for wrong in ({"kind": "xml"}, {"newline": "\t"}, {"compression": "rar"}, {"separator": "."}):
        with pytest.raises(TableError, match=r"must be"):
            Dialect(**wrong)
    with pytest.raises(TableError, match=r"must have the fields of Dialect only\. Got colour"):
        Dialect.from_dict({"kind": "csv", "colour": "red"})
