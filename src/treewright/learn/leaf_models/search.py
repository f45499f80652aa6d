"""The best split of a node for linear leaves: a cheap scan of all columns, then exact ones of the best."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.common.array_types import Floats, Ints, Mask
from .bins import MISSING, Codes, coarse_codes, level_codes

SAMPLE = 8192  # rows of a node that cuts are compared on
MOST_EXACT = 8  # columns whose cuts are all solved exactly
Places = NDArray[np.int32]  # columns of the design and the targets
STRIDES = 48  # cuts that are tried at a time where the chosen one is placed


class Found(NamedTuple):
    """A split: the rows of the node that go left, and how it is written."""

    feature: int
    threshold: float  # NaN for levels
    levels: tuple[Ints, Ints] | None  # left and right
    missing_left: bool | None  # None: no value of the node is missing
    left: Mask
    gain: float


@dataclass(frozen=True)
class Table:
    """What all nodes share: the design, columns as numbers and as codes, weights."""

    design: Floats  # (rows, 1 + terms)
    raw: list[Floats]  # per column of the table
    codes: Codes  # (columns, rows), of numbers
    nominal: Mask  # per column of the table
    own: Ints  # per column of the table, its column of the design; 0 if it has none
    weight: Floats


@dataclass(frozen=True)
class Limits:
    """What both sides of a split must have, and how coefficients are shrunk while cuts are compared."""

    min_rows: int
    min_weight: float
    ridge: Floats  # one per column of the design and of the targets, which have 0
    n_threads: int
    look_ahead: int = 1  # columns whose best cuts are compared one level further; 1: none are


@dataclass(frozen=True)
class Block:
    """Rows of one node: their numbers, and the design with the targets less what the node predicts."""

    table: Table
    rows: Ints
    values: Floats  # (rows, design + targets)
    n_targets: int
    limits: Limits

    @property
    def weight(self) -> Floats:
        """The weights of the rows."""
        return self.table.weight[self.rows]

    @property
    def residual(self) -> Floats:
        """The target of which most is left."""
        targets = self.values[:, -self.n_targets :]
        return targets[:, int(np.argmax((targets**2).sum(axis=0)))]


class Coded(NamedTuple):
    """A column in bins; `place` has for each level its bin."""

    codes: Codes
    n_bins: int
    place: Ints | None = None


def best_split(table: Table, rows: Ints, values: Floats, limits: Limits, design: Ints) -> Found | None:
    """The split of least loss, or None if no cut is allowed or none gains anything.

    `values` has the design of these rows and what is left of the targets. Both sides of a cut are fitted on
    the columns `design` and on the column that is cut.
    """
    m = len(limits.ridge) - table.design.shape[1]
    step = max(1, len(rows) // SAMPLE)
    small = replace(limits, min_rows=max(1, limits.min_rows // step), min_weight=limits.min_weight / step)
    part = Block(table, rows[::step], np.ascontiguousarray(values[::step]), m, small)
    coded = _coded(part)
    coded = {c: each for c, each in coded.items() if each.n_bins > 1 or (each.codes == MISSING).any()}
    if not coded:
        return None
    targets = np.arange(values.shape[1])[-m:]
    chosen, most = sorted(coded), MOST_EXACT if len(part.rows) <= SAMPLE // 2 else MOST_EXACT // 2
    if len(chosen) > most and len(design) > 2:
        short = [np.concatenate([[0, table.own[c]], targets]) for c in chosen]
        cheap = _scan(part, [coded[c] for c in chosen], np.array(short, dtype=np.int32))
        order = np.argsort(cheap.min(axis=(1, 2)), kind="stable")[:most]
        chosen = sorted(chosen[k] for k in order)
    own = [] if np.isin(table.own[chosen], design).all() else [0]
    columns = {c: _columns(design, [table.own[c] for _ in own], targets) for c in chosen}
    losses = _scan(part, [coded[c] for c in chosen], np.stack([columns[c] for c in chosen]))
    place = _looked_ahead(part, losses, [coded[c] for c in chosen], [columns[c] for c in chosen])
    side, cut = (int(k) for k in np.unravel_index(int(losses[place].argmin()), losses.shape[1:]))
    if not np.isfinite(losses[place, side, cut]):
        return None
    column, missing_left = chosen[place], bool(side)
    gain = (_loss(part, columns[column]) - float(losses[place, side, cut])) * step
    if not gain > 0:
        return None
    if coded[column].place is not None:
        return _split_levels(table.raw[column][rows], column, coded[column], cut, missing_left, gain)
    threshold = _threshold(part, column, coded[column], cut, missing_left, columns[column])
    return (
        None
        if threshold is None
        else _split_number(table.raw[column][rows], column, threshold, missing_left, gain)
    )


def _columns(design: Ints, own: list[int], targets: Ints) -> Places:
    return np.concatenate([design, np.array(own, dtype=np.int64), targets]).astype(np.int32)


def _looked_ahead(block: Block, losses: Floats, coded: list[Coded], columns: list[Places]) -> int:
    """The place of the column to split: of least loss, or by `look_ahead` of least loss one level further.

    For the best cut of each of the best columns, both sides are searched for their own best cuts.
    """
    best = losses.reshape(len(losses), -1).min(axis=1)
    order = np.argsort(best, kind="stable")[: max(1, block.limits.look_ahead)]
    if len(order) == 1:
        return int(order[0])
    further = [_loss_below(block, losses[place], coded[place].codes, coded, columns) for place in order]
    return int(order[int(np.argmin(further))])


def _loss_below(
    block: Block, losses: Floats, codes: Codes, coded: list[Coded], columns: list[Places]
) -> float:
    """The loss of the best cut of a column, with both of its sides divided once more."""
    side, cut = (int(k) for k in np.unravel_index(int(losses.argmin()), losses.shape))
    if not np.isfinite(losses[side, cut]):
        return np.inf
    left = np.where(codes == MISSING, bool(side), codes <= cut)
    total = 0.0
    for mask in (left, ~left):
        part = Block(block.table, block.rows[mask], block.values[mask], block.n_targets, block.limits)
        found = _scan(part, [each._replace(codes=each.codes[mask]) for each in coded], np.stack(columns))
        total += min(float(found.min()), _loss(part, columns[0]))
    return total


def _coded(block: Block) -> dict[int, Coded]:
    """Every column in bins."""
    table, found = block.table, {}
    numbers = np.flatnonzero(~table.nominal)
    if len(numbers):
        codes, n_bins = coarse_codes(table.codes[np.ix_(numbers, block.rows)])
        found = {int(c): Coded(codes[k], int(n_bins[k])) for k, c in enumerate(numbers)}
    for column in np.flatnonzero(table.nominal).tolist():
        own, place = level_codes(table.raw[column][block.rows], block.residual, block.weight)
        found[column] = Coded(own, int(place[place < MISSING].max(initial=-1)) + 1, place)
    return found


def _scan(block: Block, coded: list[Coded], columns: Places) -> Floats:
    """The losses of all cuts: (columns, missing right or left, bins)."""
    return _core.scan_grams(
        block.values,
        block.weight,
        np.stack([each.codes for each in coded]),
        np.array([each.n_bins for each in coded], dtype=np.int64),
        columns,
        block.limits.ridge,
        block.n_targets,
        block.limits.min_rows,
        block.limits.min_weight,
        block.limits.n_threads,
    )


def _loss(block: Block, columns: Places) -> float:
    """The loss of the node without a split, its own coefficients free as those of the sides are."""
    m = block.n_targets
    kept = np.unique(columns[:-m])
    design, targets = block.values[:, kept], block.values[:, -m:]
    weighted = design * block.weight[:, None]
    moment = weighted.T @ targets
    solved = np.linalg.solve(design.T @ weighted + np.diag(block.limits.ridge[kept] + 1e-12), moment)
    return float((block.weight[:, None] * targets**2).sum() - (solved * moment).sum())


def _threshold(
    block: Block, column: int, coded: Coded, cut: int, missing_left: bool, columns: Places
) -> float | None:
    """Place a cut exactly: the bins on both sides of it are divided again until they are single values."""
    x = block.table.raw[column][block.rows]
    missing = np.isnan(x)
    known = np.unique(x[~missing])
    sides = [
        x[(coded.codes >= first) & (coded.codes <= last)] for first, last in ((0, cut - 1), (0, cut + 1))
    ]
    low = int(np.searchsorted(known, sides[0].max(initial=-np.inf), side="right"))
    high = int(np.searchsorted(known, sides[1].max(initial=-np.inf), side="right"))
    while True:
        stride = max(1, (high - low) // STRIDES)
        edges = known[low:high:stride]  # the greatest values on the left
        codes = np.full(len(x), MISSING, dtype=np.uint8)
        codes[~missing] = np.searchsorted(edges, x[~missing], side="left")
        losses = _scan(block, [Coded(codes, len(edges) + 1)], columns[None])[0, int(missing_left)]
        best = int(losses.argmin())
        if not np.isfinite(losses[best]):
            return None
        if best >= len(edges):  # all values left: only the missing ones go right
            return float(np.inf)
        place = low + best * stride
        if stride == 1:
            return _between(
                float(known[place]), float(known[place + 1]) if place + 1 < len(known) else np.inf
            )
        low, high = max(0, place - stride + 1), min(len(known), place + stride)


def _between(low: float, high: float) -> float:
    if np.isinf(high):
        return high
    middle = low / 2 + high / 2 if max(abs(low), abs(high)) > 1e300 else (low + high) / 2
    return middle if low <= middle < high else low


def _split_number(x: Floats, column: int, threshold: float, missing_left: bool, gain: float) -> Found | None:
    missing = np.isnan(x)
    with np.errstate(invalid="ignore"):
        left = (x <= threshold) | (missing & missing_left)
    if left.all() or not left.any():
        return None
    return Found(column, threshold, None, missing_left if missing.any() else None, left, gain)


def _split_levels(
    x: Floats, column: int, coded: Coded, cut: int, missing_left: bool, gain: float
) -> Found | None:
    assert coded.place is not None
    missing = np.isnan(x)
    level = np.where(missing, -1, x).astype(np.int64)
    listed = np.unique(level[level >= 0])
    place = np.full(max(int(listed.max(initial=-1)) + 1, len(coded.place)), MISSING)
    place[: len(coded.place)] = coded.place
    goes_left = place <= cut  # a level that the sample lacks goes right
    left = np.where(missing, missing_left, goes_left[np.maximum(level, 0)])
    sides = listed[goes_left[listed]], listed[~goes_left[listed]]
    if left.all() or not left.any() or (not missing.any() and not all(map(len, sides))):
        return None
    return Found(column, np.nan, sides, missing_left if missing.any() else None, left, gain)
