"""The leaves of a tree as a plot: what each predicts, with intervals. Drawn with matplotlib."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.common.plots import HELD_OUT, TRAINING, axes
from ...evaluate.segments import place_of
from ...tree.tree_text import TreeText
from ..rules.rule import Rule
from .short_rule import last_conditions, rounded, short_conditions

if TYPE_CHECKING:
    from .measured import Measured
    from .table import Leaves

Look = tuple[str, str, str]  # marker, colour and label

NO_ROW = "no row can come here"
MOST_NAMED = 40  # leaves, before their rules give way to numbers
WIDEST = {"small": 58, "x-small": 70}  # letters of a line of a rule beside the axes
TALLEST = 12.0, 8.5  # inches for leaves with rules, and with numbers only


def plot_leaves(leaves: Leaves, ax: Any, positive: Any) -> Any:
    """Draw the prediction of every leaf, with the intervals by training rows and by validation rows.

    `positive` is the class whose proportion is drawn; None: the second of two classes, else the one that the
    leaf predicts. Leaves are ordered by their prediction. An interval that is much wider than all predictions
    lie apart runs out of the picture.
    """
    column, what = _column(leaves, positive)
    ax, inches = _room(ax, len(leaves))
    every = np.arange(len(leaves))
    predicted = leaves.predicted[every, column]
    order = np.argsort(predicted, kind="stable")
    place = every.astype(np.float64)
    off = 0.0 if leaves.validation is None else 0.17
    _measured(ax, leaves.training, column, order, place + off, ("o", TRAINING, "training rows"))
    if leaves.validation is not None:
        label = "held-out rows" if leaves.source == "held out" else "out-of-fold predictions"
        _measured(ax, leaves.validation, column, order, place - off, ("D", HELD_OUT, label))
    height = 5 if len(leaves) > MOST_NAMED else 12
    ax.plot(
        predicted[order], place, "|", color="black", markersize=height, markeredgewidth=1.6,
        label="prediction", zorder=4,
    )  # fmt: skip
    _name_leaves(ax, leaves, order, inches)
    _across(ax, leaves, predicted)
    ax.set_ylim(-0.7, len(leaves) - 0.3)
    ax.set_xlabel(f"{what}, with {100 * leaves.confidence:g} % interval")
    ax.set_title("What the leaves predict", loc="left", pad=24)
    ax.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=3, borderaxespad=0.2)
    ax.grid(axis="x", linewidth=0.5, alpha=0.4)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _room(ax: Any, n_leaves: int) -> tuple[Any, float]:
    """The axes given, or new ones that are high enough; and the inches that a leaf has there."""
    if ax is not None:
        return ax, ax.get_window_extent().height / ax.figure.dpi / n_leaves
    ax = axes(None, "plot_leaves")
    each = np.interp(n_leaves, [12, MOST_NAMED], [0.42, 0.3]) if n_leaves <= MOST_NAMED else 0.14
    inches = min(each * n_leaves, TALLEST[n_leaves > MOST_NAMED])
    ax.figure.set_size_inches(10 if n_leaves <= MOST_NAMED else 9, max(inches + 1.3, 2.6))
    return ax, inches / n_leaves


def _across(ax: Any, leaves: Leaves, predicted: Any) -> None:
    """Limits of the axis: leaves of two or three rows must not squeeze all others together."""
    if leaves.classes is not None:
        ax.set_xlim(-0.02, 1.02)
        return
    parts = [predicted, leaves.training.value] + (
        [] if leaves.validation is None else [leaves.validation.value]
    )
    every = np.concatenate([np.ravel(part) for part in parts])
    low, high = np.nanmin(every), np.nanmax(every)
    if high > low:
        left, right = ax.get_xlim()
        ax.set_xlim(max(left, low - (high - low) / 2), min(right, high + (high - low) / 2))


def _column(leaves: Leaves, positive: Any) -> tuple[Any, str]:
    """The column of every leaf to draw, and what it is."""
    if leaves.classes is None:
        if positive is not None:
            raise ValueError(f"positive needs a classifier. Got a regressor, and {positive!r}.")
        return np.zeros(len(leaves), dtype=np.int64), "mean"
    if positive is None and len(leaves.classes) > 2:
        return leaves.decided, "proportion of the predicted class"
    found = len(leaves.classes) - 1 if positive is None else place_of(leaves.classes, positive)
    return np.full(len(leaves), found), f"proportion of class {leaves.classes[found]}"


def _measured(ax: Any, found: Measured, column: Any, order: Any, place: Any, look: Look) -> None:
    every = np.arange(len(order))
    value, low, high = (part[every, column][order] for part in (found.value, found.low, found.high))
    marker, colour, label = look
    ends = np.nan_to_num(np.maximum(np.vstack([value - low, high - value]), 0.0))
    many = len(order) > MOST_NAMED
    ax.errorbar(
        value, place, xerr=ends, fmt=marker, color=colour, markersize=3 if many else 5,
        elinewidth=0.8 if many else 1.4, capsize=0 if many else 2.5,
        label=label, zorder=3,
    )  # fmt: skip


def _name_leaves(ax: Any, leaves: Leaves, order: Any, inches: float) -> None:
    """Write numbers and rules beside the axes, or only numbers where there is no room for more."""
    if len(leaves) > MOST_NAMED or inches < 0.14:
        step = math.ceil(0.12 / inches)
        which = "number of the leaf" if step == 1 else f"number of the leaf, one in {step} written"
        ax.set_yticks(np.arange(len(leaves))[::step], leaves.leaf[order][::step], fontsize="x-small")
        ax.set_ylabel(f"{which}\n({len(leaves):,} leaves: no room for their rules)")
        return
    size, lines = "small" if inches >= 0.36 else "x-small", 2 if inches >= 0.28 else 1
    words = rounded(leaves.words)
    texts = [_text(rule, words, WIDEST[size], lines) for rule in leaves.rules]
    names = [f"{leaves.leaf[k]}: {texts[k]}  [{leaves.training.rows[k]:,}]" for k in order]
    ax.set_yticks(np.arange(len(leaves)), [name.replace("$", r"\$") for name in names], fontsize=size)
    ax.set_ylabel("leaf: its rule [rows]")


def _text(rule: Rule | None, words: TreeText, width: int, lines: int) -> str:
    if rule is None:
        return NO_ROW
    room = width - len(" and")
    return last_conditions(short_conditions(rule, words, room), width, lines)
