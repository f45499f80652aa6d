"""Importances, drawn: two panels beside each other, one line per column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.common.allowed import is_whole
from ...data.common.plots import HELD_OUT, TRAINING

if TYPE_CHECKING:
    from .importances import Importances


def plot_importances(of: Importances, axes: Any, most: int) -> Any:
    """Points with their intervals: permutation on the left, impurity on the right."""
    from matplotlib import pyplot as plt

    if not is_whole(most) or most < 1:
        raise ValueError(f"most must be an int of at least 1. Got {most!r}.")
    shown = of.columns[:most]
    if axes is None:
        size = (9, 1.2 + 0.3 * len(shown))
        axes = plt.subplots(1, 2, sharey=True, figsize=size, layout="constrained")[1]
    left, right = axes
    places = np.arange(len(shown))
    for ax, name, colour in ((left, "permutation", HELD_OUT), (right, "impurity", TRAINING)):
        middle = np.array([getattr(each, name) for each in shown])
        ends = [[getattr(each, f"{name}_{end}") for each in shown] for end in ("low", "high")]
        ax.axvline(0, color="0.7", linewidth=1)
        if None not in ends[0]:
            ax.hlines(places, *ends, color=colour, linewidth=1.5)
        ax.plot(middle, places, "o", color=colour)
        ax.set_yticks(places, [each.column.replace("$", r"\$") for each in shown])
    left.invert_yaxis()
    left.set_xlabel(f"rise of the {of.loss.replace('_', ' ')} if shuffled, {of.source} rows")
    right.set_xlabel("share of the gain of all splits")
    return axes
