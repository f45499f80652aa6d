"""The best split of a node for linear leaves: a cheap scan of all columns, then exact ones of the best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ... import _core
from ...data.common.array_types import Floats, Ints, Mask
from .bins import MISSING, Codes, level_codes, number_codes

SAMPLE = 8192  # rows that cuts are compared on; the chosen one is placed on all
EXACT = 8  # columns whose cuts are all solved exactly


class Found(NamedTuple):
    """A split: the rows of the node that go left, and how it is written."""

    feature: int
    threshold: float  # NaN for levels
    levels: tuple[Ints, Ints] | None  # left and right
    missing_left: bool | None  # None: no value of the node is missing
    left: Mask
    gain: float


@dataclass(frozen=True)
class Limits:
    """What both sides of a split must have, and how coefficients are shrunk while cuts are compared."""

    min_rows: int
    min_weight: float
    ridge: Floats  # one per column of the block, 0 for targets
    n_threads: int


@dataclass(frozen=True)
class Block:
    """The rows of one node: design columns and targets less what the node predicts."""

    values: Floats  # (rows, design + targets)
    weight: Floats
    n_targets: int
    raw: list[Floats]  # per column of the table
    nominal: list[bool]
    own: Ints  # per column of the table, its column of `values`; 0 if it has none

    @property
    def n_rows(self) -> int:
        """How many rows the node has."""
        return len(self.weight)

    @property
    def residual(self) -> Floats:
        """The target of which most is left."""
        targets = self.values[:, -self.n_targets :]
        return targets[:, int(np.argmax((targets**2).sum(axis=0)))]


class Coded(NamedTuple):
    """A column in bins."""

    codes: Codes
    n_bins: int
    place: Ints | None = None  # of levels: their codes


def best_split(block: Block, limits: Limits, design: Ints) -> Found | None:
    """The split of least loss, or None if no cut is allowed or none gains anything.

    Both sides of a cut are fitted on these columns of the design and on the column that is cut.
    """
    step = max(1, block.n_rows // SAMPLE)
    part = _every(block, step)
    coded = {c: _coded(part, c) for c in range(len(block.raw))}
    coded = {c: each for c, each in coded.items() if each.n_bins > 1 or (each.codes == MISSING).any()}
    if not coded:
        return None
    targets = np.arange(part.values.shape[1])[-part.n_targets :]
    small = Limits(max(1, limits.min_rows // step), limits.min_weight / step, limits.ridge, limits.n_threads)
    chosen = sorted(coded)
    if len(chosen) > EXACT and len(design) > 2:
        short = [np.concatenate([[0, part.own[c]], targets]) for c in chosen]
        cheap = _scan(part, [coded[c] for c in chosen], np.array(short, dtype=np.int32), small)
        order = np.argsort(cheap.min(axis=(1, 2)), kind="stable")[:EXACT]
        chosen = sorted(chosen[k] for k in order)
    columns = {c: np.concatenate([design, [part.own[c]], targets]).astype(np.int32) for c in chosen}
    losses = _scan(part, [coded[c] for c in chosen], np.stack([columns[c] for c in chosen]), small)
    place, side, cut = np.unravel_index(int(losses.argmin()), losses.shape)
    if not np.isfinite(losses[place, side, cut]):
        return None
    gain = _loss(part, limits.ridge, columns[chosen[int(place)]]) - float(losses[place, side, cut])
    column, missing_left = chosen[int(place)], bool(side)
    if not gain > 0:
        return None
    found = (
        _split_levels(block, column, coded[column], int(cut), missing_left)
        if block.nominal[column]
        else _split_number(block, column, _edge(part, column, coded[column], int(cut)), missing_left, limits, columns[column])
    )
    return None if found is None else found._replace(gain=gain * step)


def _every(block: Block, step: int) -> Block:
    if step == 1:
        return block
    raw = [x[::step] for x in block.raw]
    values = np.ascontiguousarray(block.values[::step])
    return Block(values, np.ascontiguousarray(block.weight[::step]), block.n_targets, raw, block.nominal, block.own)


def _coded(block: Block, column: int) -> Coded:
    x = block.raw[column]
    if block.nominal[column]:
        codes, place = level_codes(x, block.residual, block.weight)
        return Coded(codes, int(place[place < MISSING].max(initial=-1)) + 1, place)
    return Coded(*number_codes(x))


def _scan(block: Block, coded: list[Coded], columns: Ints, limits: Limits) -> Floats:
    """The losses of all cuts: (columns, missing right or left, bins)."""
    return _core.scan_grams(
        block.values,
        block.weight,
        np.stack([each.codes for each in coded]),
        np.array([each.n_bins for each in coded], dtype=np.int64),
        columns,
        limits.ridge,
        block.n_targets,
        limits.min_rows,
        limits.min_weight,
        limits.n_threads,
    )


def _loss(block: Block, ridge: Floats, columns: Ints) -> float:
    """The loss of the node without a split, its own coefficients free as those of the sides are."""
    m = block.n_targets
    kept = np.unique(columns[:-m])
    design, targets = block.values[:, kept], block.values[:, -m:]
    weighted = design * block.weight[:, None]
    solved = np.linalg.solve(design.T @ weighted + np.diag(ridge[kept] + 1e-12), weighted.T @ targets)
    return float((block.weight[:, None] * targets**2).sum() - (solved * (weighted.T @ targets)).sum())


def _edge(block: Block, column: int, coded: Coded, cut: int) -> float:
    """The greatest value on the left of a cut."""
    return float(block.raw[column][coded.codes <= cut].max(initial=-np.inf))


def _split_number(
    block: Block, column: int, edge: float, missing_left: bool, limits: Limits, columns: Ints
) -> Found | None:
    """Place the cut near `edge` exactly: the bins around it are divided again until they are single values."""
    x = block.raw[column]
    known = np.sort(np.unique(x[~np.isnan(x)]))
    around = max(4, len(known) // 16)
    at = int(np.searchsorted(known, edge, side="right")) - 1
    low, high = max(0, at - around), min(len(known) - 1, at + around + 1)
    best = np.inf
    while True:
        stride = max(1, (high - low) // 48)
        edges = known[low:high:stride]
        codes = np.full(len(x), MISSING, dtype=np.uint8)
        codes[~np.isnan(x)] = np.searchsorted(edges, x[~np.isnan(x)], side="left")
        losses = _scan(block, [Coded(codes, len(edges) + 1)], columns[None], limits)[0, int(missing_left)]
        cut = int(losses.argmin())
        best = float(losses[cut])
        if not np.isfinite(best):
            return None
        if cut >= len(edges):  # all values left: only the missing ones go right
            threshold = np.inf
            break
        place = low + cut * stride
        if stride == 1:
            upper = known[place + 1] if place + 1 < len(known) else np.inf
            threshold = _between(float(known[place]), float(upper))
            break
        low, high = max(0, place - stride), min(len(known) - 1, place + stride)
    with np.errstate(invalid="ignore"):
        left = x <= threshold
    missing = np.isnan(x)
    if missing.any():
        left = left | missing if missing_left else left
    if left.all() or not left.any():
        return None
    return Found(column, threshold, None, missing_left if missing.any() else None, left, 0.0)


def _between(low: float, high: float) -> float:
    if np.isinf(high):
        return np.inf
    middle = low / 2 + high / 2 if abs(low) > 1e300 or abs(high) > 1e300 else (low + high) / 2
    return middle if low <= middle < high else low


def _split_levels(block: Block, column: int, coded: Coded, cut: int, missing_left: bool) -> Found | None:
    assert coded.place is not None
    x = block.raw[column]
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
    return Found(column, np.nan, sides, missing_left if missing.any() else None, left, 0.0)
