"""The pictures of this shelf, drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .curve import Curve
    from .learning import LearningCurve

Floats = NDArray[np.float64]

_WORDS = {
    "log_loss": "log loss",
    "brier": "Brier score",
    "squared": "squared error",
    "absolute": "absolute error",
    "cost": "cost per row",
}
TRAINING, HELD_OUT, CHOICE = "#7f8c9a", "#1f5fa8", "#c0392b"


def axes(ax: Any, who: str) -> Any:
    """The axes to draw on: those given, or new ones."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError(f"{who} needs matplotlib. Run: pip install matplotlib.") from error
    return plt.subplots(figsize=(9, 5), layout="constrained")[1]


def plot_curve(curve: Curve, ax: Any = None, marks: Any = ()) -> Any:
    """Draw training and cross-validated loss over the number of leaves, and both choices.

    `marks` are other trees, as (name, leaves, loss).
    """
    ax = axes(ax, "plot")
    leaves = curve.n_leaves
    few = "o-" if len(leaves) <= 40 else "-"
    ax.plot(leaves, curve.training, few, color=TRAINING, markersize=3, label="rows it grew on")
    low, high = curve.mean - curve.se, curve.mean + curve.se
    ax.fill_between(leaves, low, high, color=HELD_OUT, alpha=0.18, linewidth=0, label="± 1 standard error")
    ax.plot(leaves, curve.mean, few, color=HELD_OUT, markersize=3, label="held-out rows")
    best, simple = curve.place("cv"), curve.place("1se")
    level = curve.mean[best] + curve.se[best]
    ax.axhline(level, color=CHOICE, linewidth=0.8, linestyle=":")
    chosen = (
        [(best, "least loss", "o"), (simple, "1 SE", "D")]
        if best != simple
        else [(best, "least loss and 1 SE", "o")]
    )
    for place, name, marker in chosen:
        ax.plot(
            leaves[place], curve.mean[place], marker, color=CHOICE, markersize=8, markerfacecolor="white",
            markeredgewidth=2, linestyle="none", label=f"{name}: {_counted(int(leaves[place]))}", zorder=5,
        )  # fmt: skip
    for number, (name, count, loss) in enumerate(marks):
        label = f"{name}: {_counted(count)}"
        ax.plot(
            count,
            loss,
            "v^<>sPX*"[number % 8],
            color=f"C{1 + number % 9}",
            label=label,
            zorder=6,
            clip_on=False,
        )
    ax.set_xscale("log" if leaves.max() > 20 else "linear")
    whole_ticks(ax)
    ax.set_xlabel("leaves")
    ax.set_ylabel(_WORDS.get(curve.loss, curve.loss))
    ax.set_ylim(bottom=min(0.0, float(low.min())))
    ax.set_title(f"{'Pruning' if marks else 'Cost-complexity pruning'}, {curve.n_folds} folds")
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1))
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def whole_ticks(ax: Any) -> None:
    """Numbers of leaves or rows in plain digits."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    if ax.get_xscale() == "log":
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.xaxis.set_minor_formatter(NullFormatter())
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))


def _counted(count: int) -> str:
    return f"{count:,} {'leaf' if count == 1 else 'leaves'}"


def plot_learning(curve: LearningCurve, ax: Any = None) -> Any:
    """Draw training and honest loss over the number of rows."""
    ax = axes(ax, "plot")
    ax.plot(curve.sizes, curve.training, "o-", color=TRAINING, markersize=4, label="rows it grew on")
    low, high = curve.honest - curve.se, curve.honest + curve.se
    ax.fill_between(
        curve.sizes, low, high, color=HELD_OUT, alpha=0.18, linewidth=0, label="± 1 standard error"
    )
    ax.plot(curve.sizes, curve.honest, "o-", color=HELD_OUT, markersize=4, label="held-out rows")
    ax.set_xscale("log" if curve.sizes[-1] > 20 * curve.sizes[0] else "linear")
    whole_ticks(ax)
    ax.set_xlabel("rows")
    ax.set_ylabel(_WORDS.get(curve.loss, curve.loss))
    ax.set_ylim(bottom=min(0.0, float(np.nanmin(low))))
    ax.set_title(f"Learning curve, {len(curve.folds)} folds")
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
