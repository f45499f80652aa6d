"""A split in coverage space: the segment of a leaf is divided, and all segments are sorted again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.common.allowed import is_whole
from ...data.common.array_types import Floats
from ...data.common.plots import CHOICE, HELD_OUT, TRAINING, axes
from ...learn.entropies import counts_of


def plot_coverage_split(leaves: Any, leaf: int, children: Any, ax: Any = None) -> Any:
    """Draw what a split does to the coverage curve of a tree; returns the axes.

    In coverage space a leaf is a segment, as wide as its negatives and as high as its positives. The leaves
    in descending order of their share of positives make the curve. A split divides the segment of a leaf into
    those of its children. If all segments are then sorted again, the curve bulges up, and the area under it
    can only grow.

    Parameters
    ----------
    leaves : counts of shape (leaves, 2)
        The negatives and the positives of each leaf before the split.
    leaf : int
        The leaf that is split: its position in `leaves`.
    children : counts of shape (children, 2)
        The negatives and positives of its children; they sum to the leaf.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> from treewright.textbook import plot_coverage_split
    >>> axes = plot_coverage_split([[10, 30], [20, 20]], 1, [[2, 15], [18, 5]])  # doctest: +SKIP
    """
    before, parts = counts_of(leaves, "leaves"), counts_of(children, "children")
    _check(before, leaf, parts)
    order = _descending(before)
    place = order.tolist().index(leaf)
    divided = np.concatenate([before[order[:place]], parts[_descending(parts)], before[order[place + 1 :]]])
    after = divided[_descending(divided)]
    ax = axes(ax, "plot_coverage_split")
    size = before.sum(axis=0)
    ax.plot([0, size[0]], [0, size[1]], ":", color=TRAINING, linewidth=1, label="no better than chance")
    for counts, colour, style, width, name in (
        (before[order], TRAINING, "o-", 2.5, "before the split"),
        (divided, CHOICE, "o--", 1.5, "segment divided"),
        (after, HELD_OUT, "o-", 2, "segments sorted again"),
    ):
        x, y = np.concatenate([np.zeros((1, 2)), counts.cumsum(axis=0)]).T
        area = float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2) / max(size.prod(), 1e-300))
        ax.plot(x, y, style, color=colour, linewidth=width, markersize=5, label=f"{name}: area {area:.3f}")
    ax.set(xlabel="negatives", ylabel="positives", xlim=(0, size[0]), ylim=(0, 1.02 * size[1]))
    ax.set_title("A split in coverage space")
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1))
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _descending(counts: Floats) -> Any:
    """The order by the share of positives, the highest first."""
    return np.argsort(-counts[:, 1] / np.maximum(counts.sum(axis=1), 1e-300), kind="stable")


def _check(before: Floats, leaf: Any, parts: Floats) -> None:
    for name, counts in (("leaves", before), ("children", parts)):
        if counts.ndim != 2 or counts.shape[1] != 2:
            must = f"{name} must have two counts each, negatives and positives."
            raise ValueError(f"{must} Got shape {counts.shape}.")
    if not is_whole(leaf) or not 0 <= leaf < len(before):
        raise ValueError(f"leaf must be an int from 0 to {len(before) - 1}. Got {leaf!r}.")
    if not before.sum(axis=0).all():
        raise ValueError(f"leaves must have negatives and positives. Got {before.sum(axis=0).tolist()}.")
    if not np.allclose(parts.sum(axis=0), before[leaf]):
        must = f"children must sum to the leaf, {before[leaf].tolist()}."
        raise ValueError(f"{must} Got {parts.sum(axis=0).tolist()}.")
