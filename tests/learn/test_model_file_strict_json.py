"""Bytes that are no strict JSON, too large or endless are refused, before they can take time or memory."""

import os
import threading
import tracemalloc
from pathlib import Path

import pytest

from tests.learn.test_model_file import LEFT_RIGHT
from tools.fuzz_models import models
from treewright.learn.model_file import FileError, read, reader, save
from treewright.learn.model_file import validation as sound
from treewright.learn.model_file.text import written
from treewright.learn.model_file.writer import document
from treewright.tree.tree import tree_from_dict

MB = 2**20


@pytest.fixture(scope="module")
def texts():
    """The file of one model."""
    name, model, _ = next(models())
    return {name: "".join(written(document(model)))}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "must be JSON"),
        (b"[]", "must be one JSON object. Got a list"),
        (b"\xef\xbb\xbf{}", "must be JSON"),
        (b"{} {}", "must be JSON. Extra data in line 1"),
        (b'{"a": 1, "a": 1}', "A key may be there only once. Got 'a' twice"),
        (b'{"a": {"b": 1, "b": 1}}', "A key may be there only once. Got 'b' twice"),
        (b'{"a" 1}', "Expecting ':' delimiter in line 1"),
        (b'{\n"a": 1 "b": 1}', "Expecting ',' delimiter in line 2"),
        (b'{"a": 1,}', "must be JSON"),
        (b"{a: 1}", "must be JSON"),
        (b'{"a": "\n"}', "Invalid control character"),
        (b'{"a": [1,]}', "must be JSON"),
        (b'{"a": NaN}', "JSON, which has no NaN"),
        (b'{"a": -Infinity}', "JSON, which has no -Infinity"),
        (b'{"a": 01}', "must be JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "at most 4,300 digits"),
        (b'{"a": "\xff"}', "valid Unicode"),
        (b'{"a": "\\ud800"}', "valid Unicode"),
        (b'{"a": "\\u12"}', "must be JSON"),
        (b'{"a":' + b"[" * 10**6, "at most 1,000,000 lists"),
        (b'{"a":' + b"[" * 10**5, "nested at most 32 deep"),
        (b'{"a":' * 10**5, "nested at most 32 deep"),
        (b'{"a":' * 32 + b"[]" + b"}" * 32, "nested at most 32 deep"),
        (b'{"tree": {"value": [1.0,]}}', "must be JSON"),
        (b'{"tree": {"value": [NaN]}}', "JSON, which has no NaN"),
        (b'{"tree": {"value": [1e999]}}', "one that float64 cannot hold"),
        (b'{"tree": {"value": [1.0', "must be JSON"),
        (b'{"tree": {"value": [[1.0]]}}', "something else among them"),
        (b'{"tree": {"value": {}}}', "must be a list of at most"),
        (b'{"tree": {"feature": [1.5]}}', "something other than a whole number"),
        (b'{"tree": 3}', "must be objects. Got 3"),
        (b'{"format": "treewright"}', '"version" and "min_reader" must be'),
        (b"{}", "\"format\" must be 'treewright'. Got None"),
    ],
)
def test_what_is_no_strict_json(data, sentence):
    with pytest.raises(FileError, match=sentence):
        read(data)


def test_numbers_must_fit_in_64_bits(tmp_path):
    tree = tree_from_dict(LEFT_RIGHT, classes=["a", "b"])
    data = save(tree, tmp_path / "m.json", training={"x": 1.5}).read_bytes()
    with pytest.raises(FileError, match="that fit in 64 bits"):
        read(data.replace(b'"x": 1.5', b'"x": 1e999'), allow_unverified=True)


BOMBS = {
    "lists": b'{"a": [' + b"[]," * MB,
    "objects": b'{"a": [' + b'{"a":0},' * MB,
    "short texts": b'{"a": [' + b'"ab",' * (MB // 4),
    "keys": b"{" + b",".join(b'"%d":0' % n for n in range(100_000)),
    "zeros": b'{"tree": {"first_child": [' + b"0," * (2 * MB) + b"0]}}",
    "floats": b'{"tree": {"value": [' + b"0.5," * (MB // 4) + b"0]}}",
    "spaces": b'{"a": ' + b" " * (8 * MB),
    "an open text": b'{"a": "' + b"x" * (8 * MB),
    "backslashes": b'{"a": "' + b"\\\\" * (4 * MB) + b'"}',
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_the_memory_is_in_proportion_to_the_file(bomb):
    tracemalloc.start()
    try:
        with pytest.raises(FileError):
            read(BOMBS[bomb])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20 * len(BOMBS[bomb])


def test_files_that_are_too_large_or_endless_are_not_read(tmp_path, monkeypatch):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(2**31 + 1)  # it takes no room on the disk
    with pytest.raises(FileError, match=r"at most 2,147,483,648 bytes. Got 2,147,483,649"):
        read(path)
    with pytest.raises(FileError, match=r"begin with '\{'"):
        read("/dev/zero")
    path.write_bytes(b"\x89PNG" * 1000)
    with pytest.raises(
        FileError, match=r"large.json' is not a valid model file. A model file must be JSON and begin"
    ):
        read(path)
    monkeypatch.setattr(reader, "MAX_BYTES", 1)
    with pytest.raises(FileError, match=r"at most 1 bytes\. Got 2"):
        read(b"{}")


def test_what_has_no_size_is_read_up_to_the_limit(monkeypatch):
    class Endless:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def fileno(self):
            return 0

        def read(self, size):
            return b"{" * min(size, 1000)

    monkeypatch.setattr(reader, "MAX_BYTES", 100_000)
    monkeypatch.setattr(Path, "open", lambda *_: Endless())
    monkeypatch.setattr("os.fstat", lambda _: type("Found", (), {"st_size": 0}))
    with pytest.raises(FileError, match=r"at most 100,000 bytes. Got more"):
        read("endless")


def test_sizes_of_trees_are_limited(monkeypatch, texts):
    data = texts["classes"].encode()
    for name, sentence in {
        "MAX_NODES": "nodes. Got",
        "MAX_COLUMNS": "columns",
        "MAX_DEPTH": "deep. Got",
    }.items():
        with monkeypatch.context() as patch:
            patch.setattr(sound, name, 1)
            with pytest.raises(FileError, match=f"at most 1 .*{sentence}|at most 1 {sentence}"):
                read(data)


def test_too_little_memory_is_a_refusal_too(monkeypatch, texts):
    def none_left(*_args, **_options):
        raise MemoryError

    monkeypatch.setattr("treewright.tree.arrays.TreeArrays.__post_init__", none_left)
    with pytest.raises(FileError, match="There must be enough memory"):
        read(texts["classes"].encode())
    assert issubclass(FileError, ValueError)


def test_long_lists_of_texts_are_read_as_short_ones(tmp_path):
    tree = tree_from_dict(LEFT_RIGHT, classes=["a", "b"])
    texts = [f"level {n}" for n in range(2500)] + [
        "ü\U0001f333",
        'a "b", \\',
        "",
        3,
        True,
        "x",
        ["y", "z"],
        "end",
    ]
    data = save(tree, tmp_path / "m.json", training={"texts": texts}).read_bytes()
    assert read(data).training == {"texts": texts}
    assert read(data.replace(b'", "', b'" ,\n\t"')).training == {"texts": texts}


def test_a_pipe_can_be_read(tmp_path):
    tree = tree_from_dict(LEFT_RIGHT, classes=["a", "b"])
    data, pipe = save(tree, tmp_path / "m.json").read_bytes(), tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[data])
    writer.start()
    assert read(pipe).tree == tree
    writer.join()
