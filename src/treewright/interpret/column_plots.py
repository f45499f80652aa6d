"""Plots of what each column adds to a prediction, and of how much it matters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data.common.allowed import is_whole
from ..data.common.plots import CHOICE, HELD_OUT, TRAINING, axes, several_axes

if TYPE_CHECKING:
    from .importances.importances import Importances


def check_max_columns(value: Any) -> None:
    """Reject a number of columns that nothing can be drawn of."""
    if not is_whole(value) or value < 1:
        raise ValueError(f"max_columns must be an int of at least 1. Got {value!r}.")


def plot_bars(sizes: Mapping[str, float], starts: Any, ax: Any) -> Any:
    """Horizontal bars, the first on top; those below 0 in another colour."""
    ax = axes(ax, "plot")
    values, places = np.array([*sizes.values()]), np.arange(len(sizes))
    ax.barh(places, values, left=starts, color=[CHOICE if value >= 0 else HELD_OUT for value in values])
    ax.set_yticks(places, [name.replace("$", r"\$") for name in sizes])
    ax.invert_yaxis()
    ax.use_sticky_edges = False
    return ax


def plot_contributions(sizes: Mapping[str, float], start: float, what: str, max_columns: int, ax: Any) -> Any:
    """What each column adds to the prediction of one row, from `start` on; the greatest first."""
    check_max_columns(max_columns)
    order = sorted((name for name in sizes if sizes[name]), key=lambda name: -abs(sizes[name]))
    shown = {name: sizes[name] for name in order[:max_columns]}
    values = np.array([*shown.values()])
    ax = plot_bars(shown, start + np.concatenate([[0.0], np.cumsum(values)])[:-1], ax)
    ax.axvline(start, color="0.5", linewidth=1, linestyle="--")
    total, rest = sum(sizes.values()), sum(sizes.values()) - float(values.sum())
    more = f", other columns {rest:+.3g}" if abs(rest) > 1e-12 else ""
    ax.set_xlabel(f"{what}: from {start:.4g} to {start + total:.4g}{more}".replace("$", r"\$"))
    return ax


def plot_importances(of: Importances, ax: Any, max_columns: int) -> Any:
    """Points with their intervals: permutation on the left, impurity on the right."""
    check_max_columns(max_columns)
    shown = of.columns[:max_columns]
    ax = several_axes(ax, "plot", 2, sharey=True, figsize=(9, 1.2 + 0.3 * len(shown)))
    left, right = ax
    places = np.arange(len(shown))
    for panel, name, colour in ((left, "permutation", HELD_OUT), (right, "impurity", TRAINING)):
        middle = np.array([getattr(each, name) for each in shown])
        ends = [[getattr(each, f"{name}_{end}") for each in shown] for end in ("low", "high")]
        panel.axvline(0, color="0.7", linewidth=1)
        if None not in ends[0]:
            panel.hlines(places, *ends, color=colour, linewidth=1.5)
        panel.plot(middle, places, "o", color=colour)
        panel.set_yticks(places, [each.column.replace("$", r"\$") for each in shown])
    left.invert_yaxis()
    left.set_xlabel(f"increase of the {of.loss.replace('_', ' ')} if shuffled, {of.source} rows")
    right.set_xlabel("share of the gain of all splits")
    return ax
