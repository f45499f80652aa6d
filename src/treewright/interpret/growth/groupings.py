"""The groupings of the levels of a nominal column at a node: each is a cut of a column of zeros and ones."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ...data.schema import NUMBER
from ...data.values import Column
from ..next_best.search import SplitSearch
from .cuts import NO_CUTS, Cuts, Floats, cuts_at, joined, sets_missing_apart

ALL_UP_TO = 8  # levels: of more, only groupings along the order of the target and single levels
MOST_CELLS = 20_000_000  # rows times groupings

Grouping = tuple[int, ...]  # the codes of the levels in the first branch


def groupings_at(
    search: SplitSearch, node: int, j: int, best: Grouping | None
) -> tuple[list[Grouping], Cuts, bool]:
    """The groupings of a column into two branches, their gains, and whether these are all groupings.

    `best`, the grouping that growth takes, is always one. That of all levels sets missing values apart.
    """
    column, (rows, _) = search.columns[j], search.rows_at(node)
    present = [int(code) for code in np.unique(column.values[rows]) if code >= 0]
    found, every = _groupings(search, node, j, present)
    most = max(1, MOST_CELLS // max(1, len(column.values)))
    found, every = found[:most], every and len(found) <= most
    if best is not None and not {best, tuple(sorted({*present} - {*best}))} & {*found}:
        found.append(best)
    if sets_missing_apart(search, column.gaps()[rows]) and tuple(present) not in found:
        found.append(tuple(present))
    parts = [_as_numbers(column, group, whole=len(group) == len(present)) for group in found]
    return found, joined(cuts_at(search, node, parts)) if parts else NO_CUTS, every


def _groupings(search: SplitSearch, node: int, j: int, present: list[int]) -> tuple[list[Grouping], bool]:
    if len(present) < 2:
        return [], True
    single: list[Grouping] = [(code,) for code in present]
    if search.params["nominal_splits"] == "one_vs_rest":
        return single, True
    if (
        len(present) <= ALL_UP_TO
    ):  # the first level is always in the first branch: the other half are the same
        rest = present[1:]
        sets = [(present[0], *some) for size in range(len(rest)) for some in combinations(rest, size)]
        return sets, True
    mean = _means(search, node, j, present)
    order = [present[k] for k in np.argsort(mean, kind="stable")]
    along: list[Grouping] = [tuple(sorted(order[: k + 1])) for k in range(len(order) - 1)]
    return [*along, *((code,) for code in order[1:-1])], False  # the first and the last are in `along`


def _means(search: SplitSearch, node: int, j: int, present: list[int]) -> Floats:
    """The mean target of every level: the number, or the proportion of the first class."""
    rows, share = search.rows_at(node)
    codes, y = search.columns[j].values[rows], search.target.y[rows, 0]
    value = (y == 0).astype(np.float64) if search.target.classes else y.astype(np.float64)
    weight = search.weights[rows] * share
    return np.array([np.average(value[codes == code], weights=weight[codes == code]) for code in present])


def _as_numbers(column: Column, group: Grouping, *, whole: bool) -> Column:
    """0 where the level is in the first branch, else 1. Missing is 1 if all are in it, else missing."""
    missing = column.gaps()
    numbers = (~np.isin(column.values, group)).astype(np.uint8)
    return Column(column.name, numbers, missing if missing.any() and not whole else None, NUMBER)
