"""One candidate column at a node as the page draws it: its values by class, and the gain of its cuts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.numbers import gain_text, significant, significants
from ...data.schema import ColumnType
from ...interpret.growth.column_candidates import ColumnCandidates
from ...interpret.growth.node_candidates import Candidate
from ...interpret.growth.step import Step
from ...tree.value_text import level_text
from ..page.subgroups import value_text
from ..plots.candidates import grouping_names

Floats = NDArray[np.float64]

MOST_DOTS, BINS, MOST_POINTS, MOST_LEVELS, DIGITS = 80, 24, 60, 12, 5


def column_of(step: Step, candidate: Candidate) -> dict[str, Any] | None:
    """What the page draws of a candidate; None where there is nothing to draw."""
    found = step.at.column(candidate.place)
    if found.drawn.column.type.kind == "nominal":
        return _levels(step, candidate, found)
    column, y = found.drawn.column, found.drawn.y
    values, there = column.values.astype(np.float64), ~column.gaps()
    there &= np.isfinite(values)
    values, y, weight = values[there], y[there], found.drawn.weight[there]
    if len(values) < 2:
        return None
    cuts, gains = found.thresholds, found.gains
    kept = np.isfinite(cuts) & found.allowed
    points = _thinned(cuts[kept], gains[kept])
    low, high = float(values.min()), float(values.max())
    shared = {
        "low": low,
        "high": high,
        "ends": [_text(low, column.type), _text(high, column.type)],
        "cut": candidate.threshold,
        "missing": int((~there).sum()),
        "cuts": significants(points[0], 7),
        "gains": significants(points[1], DIGITS),
        "n_cuts": int(found.allowed.sum()),
    }
    classes = found.drawn.classes
    if len(values) <= MOST_DOTS:
        order = np.argsort(values, kind="stable")
        return shared | {
            "kind": "dots",
            "x": significants(values[order], 7),
            "y": _targets(y[order], classes),
        }
    return shared | {"kind": "bins"} | _bins(values, y, weight, classes)


def _text(value: float, kind: ColumnType) -> str:
    if kind.has_levels:
        return level_text(kind.levels[int(value)])
    return str(value_text(value if kind.kind in {"datetime", "duration"} else float(f"{value:.4g}"), kind))


def _targets(y: Any, classes: Any) -> list[Any]:
    return list(significants(y.astype(np.float64), DIGITS)) if classes is None else y.astype(int).tolist()


def _bins(values: Floats, y: Any, weight: Floats, classes: Any) -> dict[str, Any]:
    """Counts by class in bins of equal width, or the mean target of each."""
    edges = np.linspace(values.min(), values.max(), BINS + 1)
    at = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, BINS - 1)
    if classes is None:
        sums, count = np.bincount(at, y * weight, BINS), np.bincount(at, weight, BINS)
        mean = [significant(s / c) if c > 0 else None for s, c in zip(sums, count, strict=True)]
        return {"means": mean, "counts": [np.bincount(at, minlength=BINS).tolist()]}
    codes = y.astype(int)
    counts = [np.bincount(at[codes == k], minlength=BINS).tolist() for k in range(len(classes[0]))]
    return {"means": None, "counts": counts}


def _thinned(cuts: Floats, gains: Floats) -> tuple[Floats, Floats]:
    """At most so many points of the curve: of neighbouring cuts the one of the greatest gain."""
    if len(cuts) <= MOST_POINTS:
        return cuts, gains
    groups = np.array_split(np.arange(len(cuts)), MOST_POINTS)
    best = np.array([group[int(gains[group].argmax())] for group in groups])
    return cuts[best], gains[best]


def _levels(step: Step, candidate: Candidate, found: ColumnCandidates) -> dict[str, Any]:
    """Counts by level and class, with the branch of every level; of many levels the most frequent."""
    column, drawn = found.drawn.column, found.drawn
    stump = step.at.search.stump(step.node, candidate.place)
    branch = {}
    if stump is not None and stump.is_nominal[0]:
        branch = {code: k for k, codes in enumerate(stump.test(0).levels) for code in codes}
    counts = np.bincount(column.values[column.values >= 0], minlength=len(column.type.levels))
    largest = np.argsort(-counts, kind="stable")[:MOST_LEVELS]
    shown = sorted(
        (int(code) for code in largest if counts[code]), key=lambda code: (branch.get(code, 99), code)
    )
    here = [column.values == code for code in shown]
    if drawn.classes is None:
        means = [significant(np.average(drawn.y[at], weights=drawn.weight[at])) for at in here]
        bars = [[int(at.sum()) for at in here]]
    else:
        means = None
        bars = [[int((at & (drawn.y == k)).sum()) for at in here] for k in range(len(drawn.classes[0]))]
    inside = {code for code in branch if branch[code] == 0}
    sides = (inside, branch.keys() - inside)
    order = np.argsort(-np.where(found.allowed, found.gains, -1.0), kind="stable")[:6].tolist()
    return {
        "kind": "levels",
        "levels": [level_text(column.type.levels[code]) for code in shown],
        "branch": [branch.get(code, -1) for code in shown],
        "hidden": int((counts > 0).sum()) - len(shown),
        "missing": int((column.values < 0).sum()),
        "counts": bars,
        "means": means,
        "groupings": [
            {
                "levels": name,
                "gain": significant(found.gains[k]),
                "says": gain_text(found.gains[k], found.gains.max()),
                "best": {column.type.code_of[level] for level in found.groupings[k]} in sides,
            }
            for k, name in zip(order, grouping_names(found, order), strict=True)
        ],
        "all": not found.notes or not len(found),
        "n_cuts": len(found) or 1,
    }
