"""How far answers are from the truth, for numbers: pairs to plot, and how the target lies in every leaf."""

from __future__ import annotations

from typing import Any

import numpy as np

from .plainly import short, shorts
from .subject import Subject

MOST = 2000  # pairs
ENDS = (0, 25, 50, 75, 100)
NAMES = ("low", "q1", "median", "q3", "high")


def residuals(subject: Subject) -> dict[str, Any]:
    """The part "residuals"."""
    if subject.is_classification or subject.tree.n_outputs > 1:
        return {"residuals": None}
    found = subject.evidence
    if found is None:
        return {"residuals": None, "residuals_note": subject.why_none("A plot of residuals")}
    rows = np.arange(len(found.rows))
    if len(rows) > MOST:
        rows = np.sort(np.random.default_rng(0).choice(rows, MOST, replace=False))
    pairs = zip(shorts(found.y[rows, 0]), shorts(found.shares[rows, 0, 0]), strict=True)
    part = {"source": found.source, "pairs": [list(pair) for pair in pairs], "leaves": leaves(subject)}
    return {"residuals": part}


def leaves(subject: Subject) -> list[dict[str, Any]]:
    """Five numbers of the target in every leaf that rows come to."""
    given = subject.given
    assert given is not None
    row, node, _ = given.ends
    order = np.argsort(node, kind="stable")
    y, at = given.codes[row[order], 0].astype(np.float64), node[order]
    firsts = np.flatnonzero(np.diff(at, prepend=-1))
    found = []
    for begin, end in zip(firsts.tolist(), [*firsts[1:].tolist(), len(at)], strict=True):
        if not subject.tree.is_leaf[at[begin]]:
            continue
        five = np.percentile(y[begin:end], ENDS).tolist()
        numbers = dict(zip(NAMES, map(short, five), strict=True))
        found.append({"node": int(at[begin]), "n": end - begin, **numbers})
    return found
