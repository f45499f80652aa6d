"""The impurity functions of two classes, compared in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...data.common.array_types import Floats
from ...data.common.plots import CHOICE, axes
from ...learn.entropies import counts_of
from ...learn.impurities import impurity
from ..drawing.colours import CLASS_COLOURS

CRITERIA = ("error", "gini", "entropy", "sqrt_gini")
_WORDS = {
    "error": "error: min(p, 1 − p)",
    "gini": "gini: 2 p (1 − p)",
    "entropy": "entropy, in bits",
    "log_loss": "log_loss, in bits",
    "sqrt_gini": "sqrt_gini: 2 √(p (1 − p))",
    "hellinger": "hellinger: 2 √(p (1 − p))",
}
_STROKES = ("-", "--", "-.", ":")


def plot_impurities(
    criteria: Sequence[str] | None = None, ax: Any = None, *, scaled: bool = True, children: Any = None
) -> Any:
    """Draw impurity over the share of one of two classes; returns the axes.

    Parameters
    ----------
    criteria : names of criteria for classes, optional
        None: error, gini, entropy and sqrt_gini; with `children` gini alone.
    ax : matplotlib axes, optional
    scaled : bool, default=True
        Divide each function by its maximum, so that only their shapes differ. With `children` the values are
        as they are.
    children : counts of shape (2, 2), optional
        Two children of a split, each with its counts of two classes. They are drawn with the chord between
        them. The weighted impurity of the children is the point of the chord at the share of the parent,
        since that share is the same weighted mean of theirs. The gain is how far the parent lies above the
        chord.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> from treewright.textbook import plot_impurities
    >>> axes = plot_impurities("entropy", children=[[8, 2], [1, 9]])  # doctest: +SKIP
    """
    names = _checked(["gini"] if criteria is None and children is not None else criteria)
    split = None if children is None else _two_children(children)
    scaled = scaled and split is None
    ax = axes(ax, "plot_impurities")
    p = np.linspace(0, 1, 1001)
    for number, name in enumerate(names):
        heights = np.asarray(impurity(np.stack([p, 1 - p], axis=1), name))
        unit = heights.max() if scaled else 1.0
        colour = CLASS_COLOURS[number]
        ax.plot(
            p, heights / unit, _STROKES[number % len(_STROKES)], color=colour, linewidth=2,
            label=name if scaled else _WORDS[name],
        )  # fmt: skip
        if split is not None:
            _draw_chord(ax, split, name, colour)
    ax.set_xlim(0, 1)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("p, the share of one of two classes")
    ax.set_ylabel("impurity, as a share of its maximum" if scaled else "impurity")
    ax.set_title("Impurity of a node" if split is None else "Impurity of a node and of its children")
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1))
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _draw_chord(ax: Any, counts: Floats, name: str, colour: str) -> None:
    """Both children, the chord between them, and on it their weighted impurity below that of the parent."""
    shares = counts[:, 0] / counts.sum(axis=1)
    heights = np.asarray(impurity(counts, name))
    parent = counts.sum(axis=0)
    at, top = parent[0] / parent.sum(), float(impurity(parent, name))
    weighted = float(heights @ counts.sum(axis=1) / counts.sum())
    ax.plot(shares, heights, "o-", color=colour, linewidth=1.2, markersize=7, label="children, and the chord")
    ax.plot(at, top, "s", color=colour, markersize=7, label=f"parent: {top:.3g}")
    ax.plot(
        at, weighted, "D", color=CHOICE, markersize=7, label=f"children, weighted: {weighted:.3g}", zorder=4
    )
    ax.plot([at, at], [weighted, top], color=CHOICE, linewidth=2, label=f"gain: {top - weighted:.3g}")


def _two_children(children: Any) -> Floats:
    counts = counts_of(children, "children")
    if counts.shape != (2, 2) or not counts.sum(axis=1).all():
        must = "children must have the counts of two classes in two children, none of them empty."
        raise ValueError(f"{must} Got {np.asarray(children).tolist()!s:.80}.")
    return counts


def _checked(criteria: Any) -> list[str]:
    given: Any = CRITERIA if criteria is None else criteria
    names = [given] if isinstance(given, str) or not hasattr(given, "__iter__") else list(given)
    wrong = [name for name in names if not isinstance(name, str) or name not in _WORDS]
    if wrong or not names:
        known = ", ".join(map(repr, _WORDS))
        got = repr(wrong[0]) if wrong else "none"
        raise ValueError(f"criteria must be some of {known}, which measure classes. Got {got}.")
    return list(dict.fromkeys(names))
