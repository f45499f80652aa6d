"""What all plots share: axes, colours, names of losses and ticks in plain digits."""

from __future__ import annotations

from typing import Any

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
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError(f"{who} needs matplotlib. Run: pip install matplotlib.") from error
    return plt.subplots(figsize=(9, 5), layout="constrained")[1]


def whole_ticks(ax: Any) -> None:
    """Numbers of leaves or rows in plain digits."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    if ax.get_xscale() == "log":
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.xaxis.set_minor_formatter(NullFormatter())
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
