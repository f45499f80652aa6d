"""The stability of the splits of a tree as a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.common.plots import HELD_OUT, TRAINING, axes
from ...data.common.text_width import middle_cut

if TYPE_CHECKING:
    from ...interpret.growth.stability import Stability

MOST, LONGEST = 25, 60


def plot_stability(found: Stability, ax: Any = None) -> Any:
    """How often each split is chosen again, of all samples and of those that reach its node."""
    new = ax is None
    ax = axes(ax, "plot")
    shown = found.splits[:MOST]
    if new:
        ax.figure.set_size_inches(9, 1.4 + 0.36 * len(shown))
    places = np.arange(len(shown))
    reached = [np.nan if each.chosen_if_reached is None else each.chosen_if_reached for each in shown]
    ax.barh(places, [each.chosen for each in shown], color=HELD_OUT, height=0.6, label="of all samples")
    ax.plot(reached, places, "o", color=TRAINING, label="of those with the same splits above")
    names = [f"{middle_cut(f'{each.node}: {each.test}', LONGEST)}{_range(each)}" for each in shown]
    ax.set_yticks(places, [name.replace("$", r"\$") for name in names], fontsize="small")
    ax.invert_yaxis()
    ax.set_xlim(0, 1.02)
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    ax.set_xlabel(f"chosen again, of {found.repeats:,} bootstrap samples")
    ax.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
    ax.spines[["top", "right"]].set_visible(False)
    more = len(found.splits) - len(shown)
    if more > 0:
        ax.set_title(f"the first {MOST} of {len(found.splits):,} splits", loc="left", fontsize="medium")
    return ax


def _range(each: Any) -> str:
    return "" if each.low is None else f"  [{each.low:.4g}, {each.high:.4g}]"
