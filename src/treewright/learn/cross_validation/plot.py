"""The pruning curve as a plot: training and cross-validated loss over the number of leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...data.common.plots import CHOICE, HELD_OUT, LOSS_NAMES, TRAINING, axes, whole_ticks
from ...data.common.plural import counted

if TYPE_CHECKING:
    from .pruning_curve import Curve


def plot_curve(curve: Curve, ax: Any = None, marks: Any = ()) -> Any:
    """Draw training and cross-validated loss over the number of leaves, and both choices.

    `marks` are other trees, as (name, leaves, loss).
    """
    ax = axes(ax, "plot")
    leaves = curve.n_leaves
    few = "o-" if len(leaves) <= 40 else "-"
    ax.plot(leaves, curve.training, few, color=TRAINING, markersize=3, label="training rows")
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
        label = f"{name}: {counted(int(leaves[place]), 'leaf')}"
        ax.plot(
            leaves[place], curve.mean[place], marker, color=CHOICE, markersize=8, markerfacecolor="white",
            markeredgewidth=2, linestyle="none", label=label, zorder=5,
        )  # fmt: skip
    for number, (name, count, loss) in enumerate(marks):
        marker, color = "v^<>sPX*"[number % 8], f"C{1 + number % 9}"
        label = f"{name}: {counted(count, 'leaf')}"
        ax.plot(count, loss, marker, color=color, label=label, zorder=6, clip_on=False)
    ax.set_xscale("log" if leaves.max() > 20 else "linear")
    whole_ticks(ax)
    ax.set_xlabel("leaves")
    ax.set_ylabel(LOSS_NAMES.get(curve.loss, curve.loss))
    ax.set_ylim(bottom=min(0.0, float(low.min())))
    ax.set_title(f"{'Pruning' if marks else 'Cost-complexity pruning'}, {curve.n_folds} folds")
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1))
    ax.spines[["top", "right"]].set_visible(False)
    return ax
