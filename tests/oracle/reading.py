"""Reading the arrays of a grown tree back into splits."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tests.oracle.splits import Groups, Split
from tests.oracle.surrogates import Surrogate

Arrays = Mapping[str, Any]


def entry(arrays: Arrays, name: str, i: int, default: Any = 0) -> Any:
    """One entry of an array that may be empty or absent."""
    column = arrays.get(name, ())
    return column[i].item() if len(column) else default


def read_threshold(arrays: Arrays, i: int) -> int | float:
    """An int where the tree holds the whole number itself; one beyond 2^63 is stored as its bits."""
    t = float(arrays["threshold"][i])
    if not entry(arrays, "integer_exact", i):
        return t
    whole = int(arrays["integer_threshold"][i])
    return whole + 2**64 if whole < 0 < t else whole


def read_levels(arrays: Arrays, i: int, n_children: int) -> Groups:
    """The levels that go to each child; nothing where the test is a threshold."""
    begin = arrays.get("level_begin", ())
    part = slice(int(begin[i]), int(begin[i + 1])) if len(begin) else slice(0)
    codes, children = (arrays.get(name, ())[part] for name in ("level_code", "level_child"))
    if not len(codes):
        return ()
    pairs = list(zip(map(int, codes), map(int, children), strict=True))
    assert [level for level, _ in pairs] == sorted({level for level, _ in pairs}), f"entry {i}: {pairs}"
    assert all(0 <= child < n_children for _, child in pairs), f"entry {i}: {pairs}"
    return tuple(tuple(level for level, at in pairs if at == child) for child in range(n_children))


def read_split(arrays: Arrays, i: int) -> Split:
    """The test of node i with its missing_child; a further child without levels is no group."""
    n = int(arrays["n_children"][i])
    missing = int(arrays["missing_child"][i])
    levels = read_levels(arrays, i, n)
    if n > 2 and levels and not levels[-1] and missing == n - 1:
        levels = levels[:-1]
    strict = bool(entry(arrays, "strict", i))
    threshold = math.nan if levels else read_threshold(arrays, i)
    return Split(int(arrays["feature"][i]), threshold, missing, levels, strict)


def read_surrogates(tree: Arrays, node: int) -> list[Surrogate]:
    """The surrogates of a node, in order."""
    arrays: Arrays = tree.get("surrogates") or {}
    found = []
    for i in range(len(arrays.get("node", ()))):
        if arrays["node"][i] != node:
            continue
        levels = read_levels(arrays, i, 2)
        threshold = math.nan if levels else read_threshold(arrays, i)
        split = Split(int(arrays["feature"][i]), threshold, None, levels, bool(entry(arrays, "strict", i)))
        agreement, adjusted = (Fraction(float(arrays[name][i])) for name in ("agreement", "adjusted"))
        found.append(Surrogate(split, bool(arrays["reversed"][i]), agreement, adjusted))
    return found
