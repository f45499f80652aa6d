"""What is compressed is unpacked piece by piece, and rejected as soon as it is too large."""

import gzip
import io
import tracemalloc
import zipfile

import pytest

from treewright.data.files import compression, read_table

ROWS = b"1,2,3\n" * 200_000


def bomb(kind):
    """A few MB that hold GBs."""
    if kind == "gzip":  # members of a file are unpacked one after the other
        return gzip.compress(b"a,b,c\n" + ROWS) + gzip.compress(ROWS * 10) * 250
    if kind == "zip":
        held = io.BytesIO()
        with (
            zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive,
            archive.open("t.csv", "w") as member,
        ):
            for _ in range(120):
                member.write(ROWS)
        return held.getvalue()
    zstandard = pytest.importorskip("pyarrow")
    once = zstandard.compress(ROWS * 10, codec="zstd", asbytes=True)
    return once * 250


@pytest.mark.parametrize("kind", ["gzip", "zip", "zstd"])
def test_a_small_file_that_holds_gigabytes_is_rejected_before_it_fills_the_memory(kind, monkeypatch):
    packed = bomb(kind)
    assert len(packed) < 10_000_000
    monkeypatch.setattr(compression, "free_memory", lambda: 100_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"needs about .* of memory as a table, and 100 MB are free"):
            read_table(io.BytesIO(packed))
        assert tracemalloc.get_traced_memory()[1] < 150_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("free", [2, 8])  # 8 GB would hold the text, but not its numbers too
def test_the_size_is_foreseen_from_the_first_part(free, monkeypatch):
    packed = bomb("gzip")
    seen = []
    expected = compression._expected
    monkeypatch.setattr(compression, "_expected", lambda *sizes: seen.append(sizes[0]) or expected(*sizes))
    monkeypatch.setattr(compression, "free_memory", lambda: free * 10**9)
    with pytest.raises(ValueError, match=f"of memory as a table, and {free} GB are free"):
        read_table(io.BytesIO(packed))
    assert seen[-1] < 500_000_000  # of 3 GB


def test_a_table_that_fits_is_read(monkeypatch):
    monkeypatch.setattr(compression, "free_memory", lambda: 100_000_000)
    assert read_table(io.BytesIO(gzip.compress(b"a,b,c\n" + ROWS))).frame.height == 200_000
