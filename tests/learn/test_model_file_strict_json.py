"""Bytes that are no strict JSON, too large or endless are refused, before they can take time or memory."""

import os
import threading
import tracemalloc
from pathlib import Path

import pytest

from tests.learn.test_model_file import LEFT_RIGHT
from tools.fuzz_models import models
from treewright.learn.model_file import FileError, disk, read, reader, save
from treewright.learn.model_file import strict_json as strict
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
        (b"", "with '{' here. The file ends before"),
        (b"[]", "with '{' here"),
        (b"\xef\xbb\xbf{}", "with '{' here"),
        (b"{} {}", "Nothing may follow"),
        (b'{"a": 1, "a": 1}', "A key may be there only once. Got 'a' twice"),
        (b'{"a": {"b": 1, "b": 1}}', "A key may be there only once. Got 'b' twice"),
        (b'{"a" 1}', "with ':' here"),
        (b'{"a": 1 "b": 1}', "with ',' here"),
        (b'{"a": 1,}', "with a text in quotes here"),
        (b"{a: 1}", "with a text in quotes here"),
        (b'{"a": "\n"}', "with a text in quotes here"),
        (b'{"a": [1,]}', "with a value here"),
        (b'{"a": NaN}', "with a value here. Got 'NaN}' in line 1"),
        (b'{\n"a": Infinity}', "with a value here. Got 'Infinity}' in line 2"),
        (b'{"a": 01}', "with a value here"),
        (b'{"a": 1e999}', "A number must fit in 64 bits"),
        (b'{"a": ' + b"9" * 5000 + b"}", "A number must have at most 400 characters"),
        (b'{"a": "' + b"x" * 2**21 + b'"}', "A text must have at most 1,048,576 bytes"),
        (b'{"a": "\xff"}', "valid Unicode"),
        (b'{"a": "\\ud800"}', "valid Unicode"),
        (b'{"a": "\\u12"}', "valid Unicode|in quotes"),
        (b'{"a":' + b"[" * 10**6, "nested at most 32 deep"),
        (b'{"a":' * 10**5, "nested at most 32 deep"),
        (b'{"tree": {"value": [1.0,]}}', "it is no JSON"),
        (b'{"tree": {"value": [NaN]}}', "NaN is no number in JSON"),
        (b'{"tree": {"value": [1e999]}}', "one that float64 cannot hold"),
        (b'{"tree": {"value": [1.0', "The array 'value' must end"),
        (b'{"tree": {"value": [' + b"9" * 5000 + b"]}}", "numbers of at most 400 characters"),
        (b'{"tree": {"value": [' + b"[" * 10**6 + b"]}}", "must have a number here"),
        (b'{"tree": {"value": [' + b" " * 10**6 + b",1.0]}}", "must have a number here|at most 400"),
        (b'{"tree": {"feature": ["\xff"]}}', "it is no JSON"),
        (b'{"tree": 3}', "with '{' here"),
        (b'{"format": "treewright"}', '"version" and "min_reader" must be'),
        (b"{}", "\"format\" must be 'treewright'. Got None"),
    ],
)
def test_what_is_no_strict_json(data, sentence):
    with pytest.raises(FileError, match=sentence):
        read(data)


def test_long_arrays_are_read_in_pieces(monkeypatch, tmp_path):
    tree = tree_from_dict(LEFT_RIGHT, classes=["a", "b"])
    data = save(tree, tmp_path / "m.json").read_bytes()
    for size in (20, 21, 22, 23, 50):
        monkeypatch.setattr(strict, "PIECE", size)
        assert read(data).tree == tree
        for wrong in (data.replace(b"1.0, 0.0", b"1.0, , 0.0"), data.replace(b"0.75]", b"0.75,]")):
            with pytest.raises(FileError, match=r"it is no JSON|must have a number here"):
                read(wrong)


BOMBS = {
    "lists": (b'{"a": [' + b"[]," * MB, "at most 10,000 parts beside its arrays"),
    "objects": (b'{"a": [' + b'{"a":0},' * MB, "at most 10,000 parts beside its arrays"),
    "short texts": (b'{"a": [' + b'"ab",' * MB, "at most 10,000 parts beside its arrays"),
    "keys": (
        b"{" + b",".join(b'"%d":0' % n for n in range(20_000)),
        "at most 10,000 parts beside its arrays",
    ),
    "zeros": (b'{"tree": {"first_child": [' + b"0," * (10 * MB) + b"0]}}", "at most 100,001 numbers"),
    "spaces": (b'{"a": ' + b" " * (30 * MB), "with a value here"),
    "an open text": (b'{"a": "' + b"x" * (30 * MB), "with a text in quotes"),
    "backslashes": (b'{"a": "' + b"\\\\" * (15 * MB) + b'"}', "at most 1,048,576 bytes"),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_limit_is_met_before_the_memory_is(bomb, monkeypatch):
    """The limits are lower here, so that it does not take minutes; what is read beyond them would show."""
    data, sentence = BOMBS[bomb]
    monkeypatch.setattr(strict, "MAX_PARTS", 10_000)
    monkeypatch.setattr("treewright.learn.model_file.arrays.MAX_NODES", 100_000)
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match=sentence):
            read(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 6 * MB + (
        len(data) if bomb == "backslashes" else 0
    )  # a text is cut out before it is measured


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
        FileError, match=r"large.json' is no sound model file. A model file must be JSON and begin"
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

    monkeypatch.setattr(disk, "MAX_BYTES", 100_000)
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
    for wrong, sentence in {
        data.replace(b'"level 7", ', b'"level 7" '): "with ',' here",
        data.replace(b'"level 7", ', b'"level 7",, '): "with a value here",
        data.replace(b'"level 7", ', b'"level\xff 7", '): "valid Unicode",
        data.replace(b'"level 7", ', b'"level\n 7", '): "with a text in quotes",
        data.replace(b'"level 7", ', b'"' + b"x" * MB + b'", '): "A text must have at most",
    }.items():
        with pytest.raises(FileError, match=sentence):
            read(wrong)


def test_a_pipe_can_be_read(tmp_path):
    tree = tree_from_dict(LEFT_RIGHT, classes=["a", "b"])
    data, pipe = save(tree, tmp_path / "m.json").read_bytes(), tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[data])
    writer.start()
    assert read(pipe).tree == tree
    writer.join()
