"""The learning curve as a plot: training and held-out loss over the number of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..data.common.plots import HELD_OUT, LOSS_NAMES, TRAINING, axes, whole_ticks

if TYPE_CHECKING:
    from .learning_curve import LearningCurve


def plot_learning(curve: LearningCurve, ax: Any = None) -> Any:
    """Draw training and test loss over the number of training rows."""
    ax = axes(ax, "plot")
    ax.plot(curve.sizes, curve.training, "o-", color=TRAINING, markersize=4, label="training rows")
    low, high = curve.test - curve.se, curve.test + curve.se
    ax.fill_between(
        curve.sizes, low, high, color=HELD_OUT, alpha=0.18, linewidth=0, label="± 1 standard error"
    )
    ax.plot(curve.sizes, curve.test, "o-", color=HELD_OUT, markersize=4, label="held-out rows")
    ax.set_xscale("log" if curve.sizes[-1] > 20 * curve.sizes[0] else "linear")
    whole_ticks(ax)
    ax.set_xlabel("training rows")
    ax.set_ylabel(LOSS_NAMES.get(curve.loss, curve.loss))
    ax.set_ylim(bottom=min(0.0, float(np.nanmin(low))))
    ax.set_title(f"Learning curve, {len(curve.folds)} folds")
    ax.legend(frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
