"""The calibration plot: observed proportion over predicted probability. Drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..data.common.plots import HELD_OUT, TRAINING, axes
from .calibration import WHERE

if TYPE_CHECKING:
    from .calibration import CalibrationCurve

MANY_DOTS = 30  # of which the intervals are drawn fainter
STRIP = (-0.16, -0.04)  # foot and top of the bars of the rows, below the shares


def draw_calibration(found: CalibrationCurve, ax: Any = None) -> Any:
    """Draw the observed proportion over the predicted probability, with intervals.

    Perfect predictions lie on the diagonal. Bars at the foot and the size of the dots show the rows.
    """
    own, ax = ax is None, axes(ax, "plot")
    if own:
        ax.figure.set_size_inches(7.3, 5.4)
    ax.plot([0, 1], [0, 1], color=TRAINING, linewidth=1, linestyle="--", label="as predicted", zorder=1)
    _bars(ax, found)
    area = 12 + 68 * found.weight / found.weight.max()
    ax.scatter(
        found.predicted, found.observed, s=area, color=HELD_OUT, alpha=0.8, edgecolors="white",
        linewidths=0.7, zorder=3, label=f"observed, {100 * found.confidence:g} % interval",
    )  # fmt: skip
    _strip(ax, found)
    ax.set(xlim=(-0.02, 1.02), ylim=(STRIP[0], 1.02), yticks=np.linspace(0, 1, 6))
    ax.set_aspect("equal", anchor="W")
    ax.set_xlabel(f"predicted probability of {found.subject}")
    ax.set_ylabel(f"observed proportion of {found.subject}")
    ax.set_title(
        f"Calibration, {WHERE[found.source].split(',')[0]}\n"
        f"Brier {found.brier:.3f}, log loss {found.log_loss:.3f}, calibration error {found.ece:.3f}",
        fontsize="medium", loc="left",
    )  # fmt: skip
    legend = ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1))
    for handle in legend.legend_handles[1:2]:
        handle.set_sizes([40])
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _bars(ax: Any, found: CalibrationCurve) -> None:
    ends = np.vstack([found.observed - found.low, found.high - found.observed])
    many = len(found) > MANY_DOTS
    ax.errorbar(
        found.predicted, found.observed, yerr=np.maximum(ends, 0), fmt="none", ecolor=HELD_OUT,
        elinewidth=0.7 if many else 1.2, capsize=0 if many else 2, alpha=0.35 if many else 0.8, zorder=2,
    )  # fmt: skip


def _strip(ax: Any, found: CalibrationCurve) -> None:
    """How much each dot rests on: bars below the shares, the highest with its number."""
    most, (foot, top) = float(found.weight.max()), STRIP
    counted = bool((found.weight == np.round(found.weight)).all())
    what = f"{'rows' if counted else 'weight'}, at most {most:,.6g}"
    ax.axhline(0, color=TRAINING, linewidth=0.6, zorder=1)
    ax.vlines(
        found.predicted, foot, foot + (top - foot) * found.weight / most, color=TRAINING,
        linewidth=float(np.clip(40 / len(found), 1.2, 4)), label=what, zorder=2,
    )  # fmt: skip
