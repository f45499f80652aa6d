"""The VC bound as two pictures: over the capacity h, and over the number of rows n."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.common.plots import CHOICE, HELD_OUT, TRAINING, several_axes, whole_ticks

if TYPE_CHECKING:
    from .vc import VCBound

WIDE = 1e6  # numbers whose digits would run into each other


def plot_bound(given: VCBound, ax: Any = None) -> Any:
    """See `VCBound.plot`."""
    from matplotlib.ticker import FuncFormatter

    from .vc import vc_bound

    first = given.to_dicts()[0]
    axs = several_axes(ax, "plot", 2, figsize=(12, 4.5))
    error, h, n = first["error"], first["h"], first["n"]
    constants = (given.eta, given.a1, given.a2)
    top = max(1.0, 1.1 * first["bound"])
    # The bound holds for h up to a2 · n alone.
    sizes = np.geomspace(min(h, max(1.0, h / 100)), max(h, min(n, given.a2 * n, max(100 * h, 2.0))), 200)
    rows = np.geomspace(min(n, max(1.0, h, h / given.a2, n / 100)), 100 * n, 200)
    for each, across, bounds, at, name in (
        (axs[0], sizes, vc_bound(error, sizes, n, *constants), h, "h, the VC dimension"),
        (axs[1], rows, vc_bound(error, h, rows, *constants), n, "n, the number of training rows"),
    ):
        each.plot(across, bounds.bound, color=HELD_OUT, linewidth=2, label="bound of the test error")
        each.axhline(error, color=TRAINING, linewidth=1.5, linestyle="--", label="training error")
        each.plot(
            at, first["bound"], "o", color=CHOICE, label=f"h = {h:g}, n = {n:,.0f}: {first['bound']:.3g}"
        )
        each.set(xscale="log", ylim=(0, top), xlabel=name, ylabel="error")
        if across[-1] < 50 * across[0]:
            whole_ticks(each)
        elif across[-1] < WIDE:
            each.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
        if top > 1:
            each.axhline(1, color="0.7", linewidth=1, label="above 1 the bound says nothing")
        each.spines[["top", "right"]].set_visible(False)
    axs[0].set_title("More capacity, weaker bound")
    axs[1].set_title("More rows, stronger bound")
    axs[1].legend(frameon=False)
    return axs
