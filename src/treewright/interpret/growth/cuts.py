"""Every cut of a column at a node with its gain, as the core computes it while a tree grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.columns import from_columns
from ...data.schema import NUMBER
from ...data.values import Column
from ..next_best.search import SplitSearch

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Cuts:
    """The cuts of one column at one node, ascending; one entry per cut."""

    threshold: Floats
    gain: Floats  # times the weight of the rows, as in `tree_.gain`
    n_left: Ints  # rows whose value is at most the threshold
    left_weight: Floats  # of the first branch, with the missing values if they go there
    missing_left: Mask  # missing values gain more in the first branch
    allowed: Mask  # both branches are large enough

    def best_of(self, mass: float) -> int | None:
        """The cut that growth takes: of those that are allowed the greatest gain, of equals the first."""
        if not self.allowed.any():
            return None
        score = np.where(self.allowed, scores(self.gain, mass), -1)
        return int(score.argmax())


NO_CUTS = Cuts(*(np.empty(0, dtype=kind) for kind in (float, float, int, float, bool, bool)))


def joined(parts: Sequence[Cuts]) -> Cuts:
    """Cuts of several columns one after another."""
    return Cuts(*(np.concatenate([getattr(each, name) for each in parts]) for name in Cuts.__annotations__))


def scores(gain: Any, mass: float) -> Ints:
    """Gains as they are compared: in 2^-40 of the impurity, so that the last bits decide nothing."""
    unit = 2.0**40 / mass if mass > 0 else 0.0
    return np.floor(np.asarray(gain) * unit + 0.5).astype(np.int64)


def cuts_of_numbers(search: SplitSearch, node: int, column: Column, j: int | None) -> Cuts:
    """The cuts of a column that is not nominal; the last, at infinity, sets missing values apart."""
    found = cuts_at(search, node, [column], j)
    gaps, (rows, _) = column.gaps(), search.rows_at(node)
    if sets_missing_apart(search, gaps[rows]):
        presence = cuts_at(search, node, [Column(column.name, gaps.astype(np.uint8), None, NUMBER)])[0]
        found.append(replace(presence, threshold=np.array([np.inf])))
    return joined(found)


def sets_missing_apart(search: SplitSearch, gaps: Mask) -> bool:
    """Whether "is it missing?" is a candidate for rows with these gaps."""
    return bool(search.params["missing"] in {"learned", "branch"} and gaps.any() and not gaps.all())


def cuts_at(search: SplitSearch, node: int, columns: list[Column], j: int | None = None) -> list[Cuts]:
    """The cuts of these columns at a node; nominal ones have none. j: the place of one in the table."""
    from ... import _core
    from ...learn.grow import settings

    rows, share = search.rows_at(node)
    target = search.target.core
    if (share != 1.0).any():  # rows that are divided weigh their share
        weights = np.zeros(len(search.weights))
        weights[rows] = search.weights[rows] * share
        target = search.target_of(np.arange(len(weights)), weights)
    n_rows = len(columns[0].values)
    growth = settings(search.params_of(j), search.target, len(columns), search.bounds_at(node))
    found = _core.cut_gains(from_columns(columns, n_rows), target, growth, np.ascontiguousarray(rows))
    return [_cuts(each) for each in found]


def _cuts(found: dict[str, Any]) -> Cuts:
    flags = {name: found[name].astype(bool) for name in ("missing_left", "allowed")}
    return Cuts(found["threshold"], found["gain"], found["n_left"], found["left_weight"], **flags)
