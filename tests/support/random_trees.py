"""Trees of every kind of test as nested dictionaries, rows for them, and a walk by the definitions."""

import math
import random

import numpy as np

from treewright import _core

LEVELS = ["a", "New York", 'say "x", {y}', "b", "", "missing", "ü", "$5", "\\n", "x or missing"]
SIZES = ["small", "not so small", "large", "huge"]
COLUMNS = [
    {"kind": "number"},
    {"kind": "nominal", "levels": LEVELS},
    {"kind": "ordered", "levels": SIZES},
    {"kind": "boolean"},
    {"kind": "datetime"},
    {"kind": "duration"},
    {"kind": "nominal", "levels": [10, 20, 30, 40]},
]
DAY = 86_400_000_000
NUMBERS = [-math.inf, -1.5, 0.0, 0.1, 2.0, 3.0, math.inf]
TIMES = [-DAY - 5, -1, 0, 1, DAY, DAY + 1, 3 * DAY + 7_000_000, 3 * DAY + 7_200_500]


def threshold_for(rng, column):
    kind = COLUMNS[column]["kind"]
    if kind == "ordered":
        return rng.choice([0.5, 1.5, 2, 1, *SIZES[:3]])
    if kind == "boolean":
        return rng.choice([0.5, 0.25])
    if kind in ("datetime", "duration"):
        return rng.choice([*TIMES, 0.5, DAY - 0.5, 2 * DAY])
    return rng.choice([-1.5, 0.1, 0.2, 2, 2.5, "inf"])


def random_test(rng, n_lists):
    """A test as a dictionary, without children."""
    column = rng.randrange(len(COLUMNS))
    if COLUMNS[column]["kind"] != "nominal":
        found = {"feature": column, "threshold": threshold_for(rng, column)}
        return found | ({"strict": True} if rng.random() < 0.3 else {})
    levels = COLUMNS[column]["levels"]
    listed = rng.sample(levels, rng.randint(min(len(levels), max(2, n_lists)), len(levels)))
    groups = [[level] for level in listed[:n_lists]]
    for level in listed[n_lists:]:
        rng.choice(groups).append(level)
    return {"feature": column, "levels": groups}


def random_node(rng, depth, ids, surrogates):
    """A nested dictionary; the values of all nodes differ, so that a prediction tells where a row ended."""
    node = {"value": float(next(ids)), "n": rng.randint(0, 9)}
    if depth == 0 or rng.random() < 0.15:
        return node
    node |= random_test(rng, rng.choice([2, 2, 3, 4]))
    below = [random_node(rng, depth - 1, ids, surrogates) for _ in range(len(node.get("levels", [0, 0])))]
    if "levels" in node:
        node["children"] = below
    else:
        node |= {"left": below[0], "right": below[1]}
    ways = [None, "stop", "share", "own", *(range(len(below)) if "levels" in node else ["left", "right"])]
    way = rng.choice(ways)
    if way == "own":
        node["missing"] = random_node(rng, depth - 1, ids, surrogates)
    elif way is not None:
        node["missing"] = way
    if rng.random() < 0.3:
        node["missing_seen"] = True
    if surrogates and len(below) == 2 and way not in ("share", "own"):
        node["surrogates"] = [surrogate_for(rng) for _ in range(rng.randint(0, 3))]
    return node


def surrogate_for(rng):
    found = random_test(rng, 2)
    if "threshold" in found and rng.random() < 0.5:
        found["reversed"] = True
    return found | rng.choice([{}, {"agreement": 0.9333, "adjusted": 0.71}])


def random_tree(seed, surrogates=True):
    rng = random.Random(seed)
    return {**random_node(rng, 3, iter(range(10_000)), surrogates), "columns": COLUMNS}


def random_rows(seed, count=60):
    """Rows of plain values: None is missing; levels may be ones that no table had."""
    rng = random.Random(seed)
    drawn = {
        "number": NUMBERS, "boolean": [False, True], "datetime": TIMES, "duration": TIMES,
    }  # fmt: skip
    rows = []
    for _ in range(count):
        row = []
        for column in COLUMNS:
            values = drawn.get(column["kind"]) or [*column["levels"], 99 if 10 in column["levels"] else "new"]
            row.append(None if rng.random() < 0.25 else rng.choice(values))
        rows.append(row)
    return rows


def child_of(tree, test, row):
    """The child that a test sends a row to; None where the value is missing or its level not listed."""
    x, column = row[test.feature], tree.column_types[test.feature]
    if x is None:
        return None
    if column.kind in ("nominal", "ordered"):
        if x not in column.levels:
            return None
        x = column.levels.index(x)
    if test.is_nominal:
        return next((child for child, codes in enumerate(test.levels) if x in codes), None)
    kept = x < test.threshold if test.strict else x <= test.threshold
    return int(kept == test.reversed)


def walk(tree, row):
    """Where a row ends, as {node: share}; and every node that it passes."""
    ends, passed, open_ = {}, set(), [(0, 1.0)]
    while open_:
        node, share = open_.pop()
        passed.add(node)
        first, count = int(tree.first_child[node]), int(tree.n_children[node])
        if not count:
            ends[node] = share
            continue
        child = child_of(tree, tree.test(node), row)
        for place in [] if tree.surrogates is None else tree.surrogates.of(node):
            child = child_of(tree, tree.surrogates.test(place), row) if child is None else child
        child = int(tree.missing_child[node]) if child is None else child
        if child == -1:
            ends[node] = share
        elif child == -2:
            shares = tree.share[first : first + count]
            open_ += [(first + k, share * part) for k, part in enumerate(shares) if part > 0]
        else:
            open_.append((first + child, share))
    return ends, passed


def predicted(tree, row):
    """The mean of the values of the nodes where a row ends."""
    return sum(share * tree.value[node, 0, 0] for node, share in walk(tree, row)[0].items())


def core_columns(tree, rows):
    """The rows as the core reads them: codes of levels, numbers, and what is missing."""
    columns = _core.Columns(len(rows))
    for column, values in zip(tree.column_types, zip(*rows, strict=True), strict=True):
        codes = {level: code for code, level in enumerate(column.levels)}
        if column.kind == "nominal":
            coded = [-1 if x is None else codes.get(x, len(codes)) for x in values]
            columns.add_nominal(np.array(coded, dtype=np.int32), len(codes))
        elif column.kind == "number":
            columns.add_column(np.array(values, dtype=float))
        else:
            numbers = [codes.get(x) for x in values] if codes else values
            missing = np.array([x is None for x in numbers])
            columns.add_column(np.array([x or 0 for x in numbers], dtype=np.int64), missing)
    return columns
