"""The pictures of rankings, drawn with matplotlib: ROC curves and coverage curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.common.plots import axes
from .curve import REST, Floats, RocCurve, rows_of

if TYPE_CHECKING:
    from .curves import RocCurves
    from .point import OperatingPoint

# Okabe and Ito's colours, which most colour-blind people can tell apart.
CURVE, HULL, CHANCE, POINT = "#0072B2", "#E69F00", "#7f8c9a", "#D55E00"
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLES = ("-", "--", "-.", ":")
MOST_DOTS = 60  # of a curve with more points only the line is drawn


def draw_roc(curve: RocCurve, ax: Any, point: OperatingPoint | None) -> Any:
    """See `RocCurve.plot`."""
    ax = axes(ax, "plot")
    low, high = curve.interval
    label = f"by leaves: AUC {curve.auc:.3f} ({low:.3f} to {high:.3f})"
    _curve(ax, curve, (curve.fpr, curve.tpr), label, f"convex hull: {curve.hull_auc:.3f}")
    ax.plot([0, 1], [0, 1], color=CHANCE, linewidth=1, linestyle=":", label="no better than chance")
    if point is not None:
        if point.by_cost:
            _parallels(ax, (point.fpr, point.recall), point.slope, (1.0, 1.0), "equal cost")
        _dot(ax, point.fpr, point.recall, f"{_called(point)}: recall {point.recall:.3g}")
    ax.set_title(f"ROC curve of {curve.name}, {rows_of(curve.source)}", loc="left")
    return _finish(ax, "false positive rate", "true positive rate (recall)", (1.0, 1.0))


def draw_coverage(roc: RocCurve, ax: Any, point: OperatingPoint | None) -> Any:
    """See `RocCurve.plot_coverage`."""
    ax = axes(ax, "plot_coverage")
    fp, tp = roc.coverage
    size = float(fp[-1]), float(tp[-1])
    _curve(ax, roc, (fp, tp), "by leaves", "convex hull")
    ax.plot(
        [0, size[0]], [0, size[1]], color=CHANCE, linewidth=1, linestyle=":", label="no better than chance"
    )
    best = int(np.argmax(tp - fp))
    right = (tp[best] + size[0] - fp[best]) / sum(size)
    _parallels(ax, (float(fp[best]), float(tp[best])), 1.0, size, "equal accuracy")
    _dot(ax, fp[best], tp[best], f"most accurate: {100 * right:.3g} % right")
    if point is not None:
        at = fp[point.place], tp[point.place]
        ax.plot(*at, "D", color=POINT, markersize=8, label=_called(point), zorder=6)
    ax.set_title(f"Coverage curve of {roc.name}, {rows_of(roc.source)}", loc="left")
    others = REST if isinstance(roc.negative, str) and roc.negative == REST else repr(roc.negative)
    return _finish(ax, f"rows of {others} selected", f"rows of {roc.positive!r} selected", size)


def _curve(ax: Any, roc: RocCurve, at: tuple[Floats, Floats], label: str, hull: str) -> None:
    x, y = at
    edge = roc.hull
    ax.fill_between(x[edge], y[edge], 0, color=HULL, alpha=0.10, linewidth=0)
    ax.plot(x[edge], y[edge], color=HULL, linewidth=4, alpha=0.75, label=hull, solid_capstyle="round")
    dots = "o-" if len(x) <= MOST_DOTS else "-"
    ax.plot(x, y, dots, color=CURVE, linewidth=1.5, markersize=4, label=label, zorder=4)


def _dot(ax: Any, x: float, y: float, label: str) -> None:
    ax.plot(
        x, y, "o", color=POINT, markersize=10, markerfacecolor="white", markeredgewidth=2.5,
        linestyle="none", label=label, zorder=6, clip_on=False,
    )  # fmt: skip


def _parallels(ax: Any, at: tuple[float, float], slope: float, size: tuple[float, float], name: str) -> None:
    """The line of this slope through a point, and fainter ones beside it; infinity is upright."""
    wide, tall = size
    for step in range(-4, 5):
        style = {"color": POINT, "linewidth": 1.3 if step == 0 else 0.6, "alpha": 1.0 if step == 0 else 0.5}
        style["label"] = name if step == 0 else None
        if np.isinf(slope):
            ax.axvline(at[0] + step * wide / 5, linestyle="--", **style)
        elif slope * wide > tall:  # steep: move it sideways
            ax.axline((at[0] + step * wide / 5, at[1]), slope=slope, linestyle="--", **style)
        else:
            ax.axline((at[0], at[1] + step * tall / 5), slope=slope, linestyle="--", **style)


def draw_several(rocs: RocCurves, ax: Any) -> Any:
    """See `RocCurves.plot`."""
    ax = axes(ax, "plot")
    for number, roc in enumerate(rocs):
        style = STYLES[number // len(COLOURS) % len(STYLES)]
        name = (
            _shortened(roc.positive)
            if rocs.multi == "rest"
            else " / ".join(map(_shortened, (roc.positive, roc.negative)))
        )
        label = f"{name}: {roc.auc:.3f} ({roc.interval[0]:.3f} to {roc.interval[1]:.3f})"
        ax.plot(roc.fpr, roc.tpr, style, color=COLOURS[number % len(COLOURS)], linewidth=1.5, label=label)
    ax.plot([0, 1], [0, 1], color=CHANCE, linewidth=1, linestyle=":", label="no better than chance")
    compared = "pairs of classes" if rocs.multi == "pairs" else "each class against the rest"
    ax.set_title(f"ROC curves, {compared}, mean AUC {rocs.auc:.3f}, {rows_of(rocs.source)}", loc="left")
    return _finish(ax, "false positive rate", "true positive rate (recall)", (1.0, 1.0))


def _called(point: OperatingPoint) -> str:
    if point.place in {0, len(point.curve.fp) - 1}:
        return "nobody positive" if point.place == 0 else "everybody positive"
    return f"positive above {point.threshold:.3g}"


def _shortened(label: Any) -> str:
    """A label as it fits a legend."""
    text = repr(label)
    return text if len(text) <= 16 else f"{text[:15]}…"


def _finish(ax: Any, across: str, up: str, size: tuple[float, float]) -> Any:
    ax.set_xlim(-0.02 * size[0], 1.02 * size[0])
    ax.set_ylim(-0.02 * size[1], 1.02 * size[1])
    if size[0] == size[1]:
        ax.set_aspect("equal", anchor="W")
    ax.set_xlabel(across)
    ax.set_ylabel(up)
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1))
    ax.spines[["top", "right"]].set_visible(False)
    return ax
