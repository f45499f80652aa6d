"""The column that a node tests, in the rows of that node: counts in bins, by class or by branch.

A page is shared, so that bins have round edges and nothing tells a single value.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.schema import ColumnType
from ...data.values import Column
from ...tree.sums import ColumnsWithSums
from ...tree.value_text import level_text
from .form import present
from .subgroups import value_text
from .subject import Subject

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_NODES, MOST_ROWS, BINS, MOST_LEVELS, MOST_SERIES = 150, 20_000, 16, 12, 6
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
HOUR = 3.6e9  # microseconds
UNITS = HOUR * np.array(
    [1e-6, 1e-3, 1 / 60, 0.25, 1, 6, 24, 7 * 24, 28 * 24, 91 * 24, 365 * 24, 3650 * 24, 36500 * 24]
)


def split_histograms(subject: Subject) -> dict[str, Any] | None:
    """A histogram by node, for those with the most rows."""
    given, tree = subject.given, subject.tree
    if given is None or given.y is None or tree.node_count == 1 or tree.n_outputs > 1:
        return None
    inner = np.flatnonzero(~tree.is_leaf)
    wanted = inner[np.argsort(-tree.n_node_samples[inner], kind="stable")[:MOST_NODES]]
    columns = ColumnsWithSums(tree, given.table.columns)
    found = {}
    for node, rows, child in rows_of_nodes(subject, np.sort(wanted)):
        column = columns[int(tree.feature[node])].take(rows)
        series, names = _series(subject, given.codes[rows, 0], child)
        made = _histogram(subject, node, column, series, len(names))
        if made is not None:
            found[str(node)] = made | {"series": names}
    return found


def rows_of_nodes(subject: Subject, nodes: Ints) -> list[tuple[int, Ints, Ints]]:
    """Each node with its rows, at most so many of all, and the child that each row goes to."""
    given, tree = subject.given, subject.tree
    assert given is not None
    row, at, _ = given.reached
    some = given.weights[row] > 0
    row, at = row[some], at[some]
    if len(row) > MOST_ROWS:
        kept = np.sort(np.random.default_rng(0).choice(len(row), MOST_ROWS, replace=False))
        row, at = row[kept], at[kept]
    parts: dict[int, list[tuple[Ints, Ints]]] = {int(node): [] for node in nodes}
    wanted = np.zeros(tree.node_count, dtype=bool)
    wanted[nodes] = True
    while len(at):  # one level up at a time
        below, at = at, tree.parent[at]
        there = at >= 0
        row, below, at = row[there], below[there], at[there]
        here = np.flatnonzero(wanted[at])
        order = here[np.argsort(at[here], kind="stable")]
        for group in np.split(order, np.flatnonzero(np.diff(at[order])) + 1):
            if len(group):
                node = int(at[group[0]])
                parts[node].append((row[group], below[group] - int(tree.first_child[node])))
    return [
        (node, np.concatenate([rows for rows, _ in found]), np.concatenate([child for _, child in found]))
        for node, found in parts.items()
        if found
    ]


def _series(subject: Subject, y: Any, child: Ints) -> tuple[Ints, list[int]]:
    """The series of every row, and what they stand for: classes (-1: all others), or branches."""
    if not subject.is_classification:
        return child, list(range(int(child.max()) + 1))
    codes = y.astype(np.int64)
    counts = np.bincount(codes, minlength=int(subject.tree.n_classes[0]))
    if len(counts) <= MOST_SERIES:
        return codes, list(range(len(counts)))
    largest = np.sort(np.argsort(-counts, kind="stable")[: MOST_SERIES - 1])
    place = np.full(len(counts), len(largest))
    place[largest] = np.arange(len(largest))
    return place[codes], [*largest.tolist(), -1]


def _histogram(subject: Subject, node: int, column: Column, series: Ints, size: int) -> dict[str, Any] | None:
    tree, there = subject.tree, present(column)
    kind = subject.words.column(int(tree.feature[node]))
    values, series = column.values[there], series[there]
    if not len(values):
        return None
    if kind.has_levels:
        return _levels(values.astype(np.int64), series, size, kind)
    numbers = values.astype(np.float64)
    threshold = float(tree.threshold[node])
    if not np.isfinite(threshold) or not np.isfinite(numbers).any():
        return None
    time = kind.kind in {"datetime", "duration"}
    edges = round_edges(numbers[np.isfinite(numbers)], threshold, UNITS if time else None)
    bins = np.clip(np.searchsorted(edges, numbers, side="left") - 1, 0, len(edges) - 2)
    counts = np.zeros((size, len(edges) - 1), dtype=np.int64)
    np.add.at(counts, (series, bins), 1)
    shown = (edges[0], edges[-1], threshold)
    return {
        "edges": [float(f"{edge:.12g}") for edge in edges],
        "threshold": threshold,
        "shown": [value_text(each if time else float(f"{each:.6g}"), kind) for each in shown],
        "counts": counts.tolist(),
    }


def _levels(codes: Ints, series: Ints, size: int, kind: ColumnType) -> dict[str, Any]:
    counts = np.zeros((size, len(kind.levels)), dtype=np.int64)
    np.add.at(counts, (series, codes), 1)
    largest = np.argsort(-counts.sum(axis=0), kind="stable")[:MOST_LEVELS]
    shown = np.sort(largest[counts.sum(axis=0)[largest] > 0])
    return {"levels": [level_text(kind.levels[code]) for code in shown], "codes": shown.tolist()} | {
        "counts": counts[:, shown].tolist()
    }


def round_edges(values: Floats, threshold: float, units: Floats | None = None) -> Floats:
    """Round edges over nearly all of the values and the threshold; the end bins take what lies beyond."""
    low, high = np.percentile(values, (1, 99))
    low, high = min(low, threshold), max(high, threshold)
    span = high - low if high > low else max(abs(low), 1.0)
    power = 10.0 ** np.floor(np.log10(span / BINS))
    steps = power * np.array(STEPS) if units is None else units
    step = float(next((each for each in steps if each * BINS >= span), steps[-1]))
    first = np.floor(low / step)
    count = int(np.ceil(high / step) - first) + 1 + int(high == low)
    return np.asarray((first + np.arange(count)) * step)
