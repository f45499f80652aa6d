"""The ways to damage a model file for `fuzz_files`: its bytes, or its content with the hash right again."""

import hashlib
import json
import math
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

Doc = dict[str, Any]

NUMBERS: list[Any] = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    0.5,
    -0.0,
    1e-300,
    1e308,
    255,
    256,
    2**31 - 1,
    2**31,
    2**53 + 1,
    2**63,
    -(2**63),
]
NUMBERS += [9 * 10**18, -9 * 10**18, 10**30, 10**5000, math.nan, math.inf, -math.inf, "nan", "inf", "-inf"]
THINGS = [
    None,
    True,
    False,
    "",
    "1",
    "x" * 50,
    "\ud800",
    [],
    [1],
    {},
    {"a": 1},
    {"$float": "nan"},
    {"$pairs": 3},
]
VALUES = [
    *NUMBERS,
    *THINGS,
    {"$pairs": [[[], 1]]},
    {"$pairs": [[1, 1], [True, 2]]},
    "<U999999",
    "|O",
    "nominal",
    10**9,
]


# -- damage to bytes


def edited(rng: random.Random, data: bytes) -> bytes:
    """Some bytes become others."""
    found = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5, 50])):
        place = rng.randrange(len(found))
        found[place] = rng.choice([rng.randrange(256), ord(rng.choice('0123456789.,-[]{}":eE \\\x00'))])
    return bytes(found)


def cut(rng: random.Random, data: bytes) -> bytes:
    """The end, the beginning or a piece is lost."""
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return rng.choice([data[:a], data[a:], data[:a] + data[b:]])


def repeated(rng: random.Random, data: bytes) -> bytes:
    """A piece or a whole line is there again."""
    lines = data.splitlines(keepends=True)
    if rng.random() < 0.5:
        place = rng.randrange(len(lines))
        return b"".join(lines[:place] + [lines[place]] * 2 + lines[place + 1 :])
    a = rng.randrange(len(data))
    b = min(len(data), a + rng.choice([1, 5, 100, 5000]))
    return data[:b] + data[a:b] + data[b:]


def wrapped(rng: random.Random, data: bytes) -> bytes:
    """Deep nesting, long numbers, long texts and constants that JSON does not know, somewhere inside."""
    wild = [
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"9" * 5000,
        b"0." + b"1" * 5000,
        b"1e999",
        b"NaN",
        b"-Infinity",
    ]
    wild += [
        b'"' + b"y" * 2_000_000 + b'"',
        b"[" + b"[]," * 100_000,
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b'"\\ud800"',
    ]
    marks = [place for place, byte in enumerate(data) if byte in b",:[{"]
    place = rng.choice(marks) + 1
    return data[:place] + rng.choice(wild) + rng.choice([b"", b","]) + data[place:]


def laid_out(rng: random.Random, data: bytes) -> bytes:
    """The same content in another layout, which must load."""
    return json.dumps(
        json.loads(data), indent=rng.choice([None, 1, 4]), sort_keys=rng.random() < 0.5
    ).encode()


# -- damage to the document, which gets the right hash again


def places(part: Any) -> list[tuple[Any, Any]]:
    """Every place of a document: an object with a key, or a list with an index."""
    found, open_ = [], [part]
    while open_:
        here = open_.pop()
        keys = list(here) if isinstance(here, dict) else range(len(here))
        found += [(here, key) for key in keys]
        open_ += [here[key] for key in keys if isinstance(here[key], dict | list)]
    return found


def changed(rng: random.Random, doc: Doc) -> None:
    """Some values anywhere become others, or move."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        every = places(doc)
        here, key = rng.choice(every)
        there, other = rng.choice(every)
        here[key] = deepcopy(rng.choice([rng.choice(VALUES), rng.choice(NUMBERS), there[other]]))


def arrays(doc: Doc) -> list[list[Any]]:
    """The arrays of the tree and of its surrogates."""
    parts = [doc["tree"], doc["tree"].get("surrogates", {})]
    return [array for part in parts for array in part.values() if isinstance(array, list) and array]


def renumbered(rng: random.Random, doc: Doc) -> None:
    """Numbers of the tree's arrays are swapped, moved a little, or become wild."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        array = rng.choice(arrays(doc))
        i, j = rng.randrange(len(array)), rng.randrange(len(array))
        if rng.random() < 0.3:
            array[i], array[j] = array[j], array[i]
        elif rng.random() < 0.5 and isinstance(array[i], int | float):
            array[i] += rng.choice([1, -1]) if isinstance(array[i], int) else rng.choice([1e-3, -0.5, 1.0])
        else:
            array[i] = rng.choice(NUMBERS)


def resized(rng: random.Random, doc: Doc) -> None:
    """An array loses or gains numbers; or every array of a tree does, and it is another tree."""
    few = arrays(doc) if rng.random() < 0.2 else [rng.choice(arrays(doc))]
    for array in few:
        if rng.random() < 0.5:
            del array[rng.randrange(len(array))]
        else:
            array.insert(rng.randrange(len(array) + 1), rng.choice(array))


def rekeyed(rng: random.Random, doc: Doc) -> None:
    """Keys are lost, renamed or exchanged."""
    inside = [(here, key) for here, key in places(doc) if isinstance(here, dict)]
    here, key = rng.choice(inside)
    there, other = rng.choice(inside)
    what = rng.randrange(3)
    if what == 0:
        del here[key]
    elif what == 1:
        here[rng.choice([key + "x", key[:-1], other])] = here.pop(key)
    else:
        here[key], there[other] = deepcopy(there[other]), deepcopy(here[key])  # or it might hold itself


def relinked(rng: random.Random, doc: Doc) -> None:
    """Cycles, orphans, shared children and nodes in another order."""
    tree = doc["tree"]
    node = rng.randrange(len(tree["first_child"]))
    name = rng.choice(["first_child", "n_children", "missing_child", "feature"])
    tree[name][node] = rng.choice([node, 0, 1, 2, 3, -1, -2, len(tree["feature"]), tree[name][0]])
    if rng.random() < 0.5:
        other = rng.randrange(len(tree["first_child"]))
        for part in ("first_child", "n_children", "feature", "threshold"):
            tree[part][node], tree[part][other] = tree[part][other], tree[part][node]


def renamed(rng: random.Random, doc: Doc) -> None:
    """Columns, levels, classes and their types are exchanged, doubled or unknown."""
    columns, classes = (
        doc["schema"]["columns"],
        doc["schema"]["classes"] or [{"labels": [0, 1], "type": "<i8"}],
    )
    column, output = rng.choice(columns), rng.choice(classes)
    levels, labels = column.get("levels") or ["a", "b"], output["labels"]
    ways: list[Callable[[], object]] = [
        lambda: column.update(name=rng.choice(columns).get("name", 3)),
        lambda: column.update(kind=rng.choice(["number", "nominal", "ordered", "datetime", "set", 3])),
        lambda: column.update(levels=[rng.choice([*levels, 1, True, 1.0, None]) for _ in levels]),
        lambda: column.update(utc=rng.choice([True, 1])),
        lambda: labels.__setitem__(0, rng.choice([*labels, 1, True, None, "inf", 10**30])),
        lambda: output.update(
            type=rng.choice(["<U1", "<U9999999", "|O", "<f4", "|b1", "|i1", "<M8[ns]", "O8", "V8"])
        ),
        lambda: doc["schema"].update(classes=rng.choice([None, [], classes * 2, classes[:1]])),
        lambda: doc.update(kind=rng.choice(["regression", "classification"])),
        lambda: doc.update(version=rng.choice([0, 2, 3]), min_reader=rng.choice([0, 1, 2, True])),
    ]
    rng.choice(ways)()


OF_BYTES = [edited, cut, repeated, wrapped, laid_out]
OF_DOCUMENTS = [changed, renumbered, resized, rekeyed, relinked, renamed]


def rehashed(doc: Doc) -> bytes:
    """The document with the hash that suits it, as anybody could make it."""
    body = {key: part for key, part in doc.items() if key != "sha256"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return json.dumps({**body, "sha256": hashlib.sha256(text.encode()).hexdigest()}).encode()
