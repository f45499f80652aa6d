"""Plot of importances: two panels beside each other, one line per column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.common.plots import HELD_OUT, TRAINING
from ..waterfall import check_max_columns

if TYPE_CHECKING:
    from .importances import Importances


def plot_importances(of: Importances, ax: Any, max_columns: int) -> Any:
    """Points with their intervals: permutation on the left, impurity on the right."""
    from matplotlib import pyplot as plt

    check_max_columns(max_columns)
    shown = of.columns[:max_columns]
    if ax is None:
        size = (9, 1.2 + 0.3 * len(shown))
        ax = plt.subplots(1, 2, sharey=True, figsize=size, layout="constrained")[1]
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
