"""Pictures of what a tree's probabilities are worth, drawn with matplotlib."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from ..judging.plots import HELD_OUT, TRAINING, axes
from .reliability import WHERE
from .segments import place_of

if TYPE_CHECKING:
    from .leaf_rows import Measured
    from .leaf_table import Leaves
    from .reliability import Reliability

Look = tuple[str, str, str]  # marker, colour and words

MOST_NAMED = 40  # leaves, before their rules give way to numbers
WIDEST = 48  # letters of a rule beside the axes


def plot_reliability(reliability: Reliability, ax: Any = None) -> Any:
    """Draw the share that came true over the share that was predicted, with intervals.

    A perfect answer lies on the diagonal; the area of a dot is the weight of its rows.
    """
    ax = axes(ax, "plot_reliability")
    found = reliability
    ax.plot([0, 1], [0, 1], color=TRAINING, linewidth=1, linestyle="--", label="as predicted", zorder=1)
    _bars(ax, found)
    area = 20 + 380 * found.weight / found.weight.max()
    label = f"came true, {100 * found.level:g} % interval"
    ax.scatter(
        found.predicted, found.observed, s=area, color=HELD_OUT, alpha=0.65, edgecolors="white",
        linewidths=1, zorder=3, clip_on=False, label=label,
    )  # fmt: skip
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    ax.set_xlabel(f"predicted share of {found.subject}")
    ax.set_ylabel("share that came true")
    ax.set_title(
        f"Reliability, {WHERE[found.source].split(',')[0]}\n"
        f"Brier {found.brier:.3f}, log loss {found.log_loss:.3f}, calibration error {found.ece:.3f}",
        fontsize="medium",
    )
    legend = ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.05, 1))
    for handle in legend.legend_handles[1:]:
        handle.set_sizes([60])
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _bars(ax: Any, found: Reliability) -> None:
    ends = np.vstack([found.observed - found.low, found.high - found.observed])
    ax.errorbar(
        found.predicted, found.observed, yerr=np.maximum(ends, 0), fmt="none", ecolor=HELD_OUT,
        elinewidth=1.2, capsize=2, alpha=0.8, zorder=2, clip_on=False,
    )  # fmt: skip


def plot_leaves(leaves: Leaves, ax: Any = None, positive: Any = None) -> Any:
    """Draw what every leaf answers, with the intervals by training rows and by honest ones.

    `positive` is the class whose share is drawn; None: `classes_[1]` of two classes, else the one that the
    leaf decides for. Leaves are ordered by their answer.
    """
    column, what = _column(leaves, positive)
    ax = _room(ax, len(leaves))
    every = np.arange(len(leaves))
    answer = leaves.predicted[every, column]
    order = np.argsort(answer, kind="stable")
    place = every.astype(np.float64)
    off = 0.0 if leaves.honest is None else 0.17
    _measured(ax, leaves.training, column, order, place + off, ("o", TRAINING, "rows it grew on"))
    if leaves.honest is not None:
        words = "held-out rows" if leaves.source == "held out" else "out-of-fold answers"
        _measured(ax, leaves.honest, column, order, place - off, ("D", HELD_OUT, words))
    height = 5 if len(leaves) > MOST_NAMED else 12
    ax.plot(
        answer[order], place, "|", color="black", markersize=height, markeredgewidth=1.6, label="answer",
        zorder=4,
    )  # fmt: skip
    _name_leaves(ax, leaves, order)
    if leaves.classes is not None:
        ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(-0.7, len(leaves) - 0.3)
    ax.set_xlabel(f"{what}, with {100 * leaves.level:g} % interval")
    ax.set_title("What the leaves answer")
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1))
    ax.grid(axis="x", linewidth=0.5, alpha=0.4)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _room(ax: Any, n_leaves: int) -> Any:
    """The axes given, or new ones that are high enough."""
    own, ax = ax is None, axes(ax, "plot_leaves")
    if own:
        ax.figure.set_size_inches(9, min(max(1.5 + 0.42 * n_leaves, 3.0), 12.0))
    return ax


def _column(leaves: Leaves, positive: Any) -> tuple[Any, str]:
    """The column of every leaf to draw, and what it is."""
    if leaves.classes is None:
        if positive is not None:
            raise ValueError(f"positive names a class, and this tree answers numbers. Got {positive!r}.")
        return np.zeros(len(leaves), dtype=np.int64), "mean"
    if positive is None and len(leaves.classes) > 2:
        return leaves.decided, "share of the decided class"
    found = len(leaves.classes) - 1 if positive is None else place_of(leaves.classes, positive)
    return np.full(len(leaves), found), f"share of class {leaves.classes[found]}"


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


def _name_leaves(ax: Any, leaves: Leaves, order: Any) -> None:
    """Write the rules beside the axes, or only numbers where there are many."""
    from .leaf_table import shortened

    if len(leaves) > MOST_NAMED:
        ax.set_ylabel(f"{len(leaves):,} leaves, by answer")
        ax.set_yticks([])
        return
    rows = leaves.training.rows
    names = [f"{shortened(_rounded(leaves.rule[k]), WIDEST)}  [{rows[k]:,}]" for k in order]
    ax.set_yticks(np.arange(len(leaves)), [name.replace("$", r"\$") for name in names], fontsize="small")
    ax.set_ylabel("leaf [rows]")


def _rounded(rule: str) -> str:
    """A rule with four digits of its thresholds: enough to know it by."""
    return re.sub(r"(?<=[<>=] )-?\d+\.\d{4,}(e-?\d+)?", lambda found: f"{float(found[0]):.4g}", rule)
