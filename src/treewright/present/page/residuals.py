"""Predicted and actual numbers, for a plot, and the quartiles of the target in every leaf."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.numbers import significant, significants
from .subject import Subject

Floats = NDArray[np.float64]

MOST = 2000  # pairs
ENDS = (0.0, 0.25, 0.5, 0.75, 1.0)
NAMES = ("low", "q1", "median", "q3", "high")


def residuals(subject: Subject) -> dict[str, Any]:
    """The part "residuals"."""
    if subject.is_classification:
        return {"residuals": None}
    if subject.tree.n_outputs > 1:
        return {"residuals": None, "residuals_note": "A plot of residuals is for one output."}
    found = subject.held_out
    if found is None:
        return {"residuals": None, "residuals_note": subject.why_none("A plot of residuals")}
    rows = np.arange(len(found.rows))
    if len(rows) > MOST:
        rows = np.sort(np.random.default_rng(0).choice(rows, MOST, replace=False))
    pairs = zip(significants(found.y[rows, 0]), significants(found.shares[rows, 0, 0]), strict=True)
    part = {"source": found.source, "pairs": [list(pair) for pair in pairs], "leaves": leaves(subject)}
    return {"residuals": part}


def leaves(subject: Subject) -> list[dict[str, Any]]:
    """Five numbers of the target in every leaf that rows come to; those that weigh nothing are left out."""
    given = subject.given
    assert given is not None
    row, node, share = given.ends
    weight, y = given.weights[row] * share, given.codes[row, 0].astype(np.float64)
    kept = np.flatnonzero(weight > 0)
    order = kept[np.lexsort((y[kept], node[kept]))]
    weight, y, at = weight[order], y[order], node[order]
    firsts = np.flatnonzero(np.diff(at, prepend=-1))
    found = []
    for begin, end in zip(firsts.tolist(), [*firsts[1:].tolist(), len(at)], strict=True):
        if not subject.tree.is_leaf[at[begin]]:
            continue
        five = quantiles(y[begin:end], weight[begin:end]).tolist()
        numbers = dict(zip(NAMES, map(significant, five), strict=True))
        found.append({"node": int(at[begin]), "n": end - begin, **numbers})
    return found


def quantiles(y: Floats, weight: Floats) -> Floats:
    """The ends and quartiles of sorted numbers; for equal weights as `np.percentile` has them.

    A number lies in the middle of its weight, the first at 0 and the last at 1.
    """
    middle = np.cumsum(weight) - weight / 2
    reach = middle[-1] - middle[0]
    if len(y) == 1 or not reach > 0:
        return np.asarray(y[[0, 0, len(y) // 2, -1, -1]])
    return np.interp(ENDS, (middle - middle[0]) / reach, y)
