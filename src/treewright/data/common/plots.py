"""What all plots share: axes, colours, names of losses and ticks in plain digits."""

from __future__ import annotations

from typing import Any

import numpy as np

from .array_types import Array

LOSS_NAMES = {
    "log_loss": "log loss",
    "brier": "Brier score",
    "squared": "squared error",
    "absolute": "absolute error",
    "cost": "cost per row",
}
TRAINING, HELD_OUT, CHOICE = "#7f8c9a", "#1f5fa8", "#c0392b"


def axes(ax: Any, who: str) -> Any:
    """The axes to draw on: those given, or new ones."""
    return several_axes(ax, who, 1, figsize=(9, 5))[0]


def several_axes(ax: Any, who: str, count: int, per: str = "", **options: Any) -> Array:
    """So many axes, given or new ones beside each other; `per` is what each of them shows."""
    if ax is not None:
        return given_axes(ax, count, per)
    return np.ravel(pyplot(who).subplots(1, count, layout="constrained", **options)[1])


def given_axes(ax: Any, count: int, per: str = "") -> Array:
    """So many axes of matplotlib as an array; all else is rejected."""
    given = np.atleast_1d(np.asarray(ax, dtype=object)).ravel()
    known = all(hasattr(each, "spines") for each in given)
    if len(given) != count or not known:
        must = "matplotlib axes" if count == 1 and not per else f"{count} matplotlib axes"
        got = f"{len(given)}" if known else f"{ax!r:.80}"
        raise ValueError(f"ax must be {must}{per and f', one per {per}'}. Got {got}.")
    return given


def pyplot(who: str) -> Any:
    """matplotlib.pyplot, which need not be installed."""
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError(f"{who} needs matplotlib. Run: pip install matplotlib.") from error
    return plt


def whole_ticks(ax: Any) -> None:
    """Numbers of leaves or rows in plain digits."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    if ax.get_xscale() == "log":
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.xaxis.set_minor_formatter(NullFormatter())
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
