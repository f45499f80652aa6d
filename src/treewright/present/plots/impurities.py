"""The impurity functions of two classes, compared in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...data.common.plots import axes
from ...learn.impurities import impurity
from ..drawing.colours import CLASS_COLOURS

CRITERIA = ("error", "gini", "entropy", "sqrt_gini")
_WORDS = {
    "error": "error: min(p, 1 − p)",
    "gini": "gini: 2 p (1 − p)",
    "entropy": "entropy, in bits",
    "log_loss": "log_loss, in bits",
    "sqrt_gini": "sqrt_gini: 2 √(p (1 − p))",
    "hellinger": "hellinger: 2 √(p (1 − p))",
}
_STROKES = ("-", "--", "-.", ":")


def plot_impurities(criteria: Sequence[str] | None = None, ax: Any = None, *, scaled: bool = True) -> Any:
    """Draw impurity over the share of one of two classes; returns the axes.

    Parameters
    ----------
    criteria : names of criteria for classes, optional
        None: error, gini, entropy and sqrt_gini.
    scaled : bool
        Divide each function by its maximum, so that only their shapes differ.
    """
    names = _checked(criteria)
    ax = axes(ax, "plot_impurities")
    p = np.linspace(0, 1, 1001)
    for number, name in enumerate(names):
        heights = np.asarray(impurity(np.stack([p, 1 - p], axis=1), name))
        shown = heights / heights.max() if scaled else heights
        ax.plot(
            p, shown, _STROKES[number % len(_STROKES)], color=CLASS_COLOURS[number], linewidth=2,
            label=name if scaled else _WORDS[name],
        )  # fmt: skip
    ax.set_xlim(0, 1)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("p, the share of one of two classes")
    ax.set_ylabel("impurity, as a share of its maximum" if scaled else "impurity")
    ax.set_title("Impurity of a node")
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1))
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _checked(criteria: Any) -> list[str]:
    names = list(CRITERIA if criteria is None else [criteria] if isinstance(criteria, str) else criteria)
    wrong = [name for name in names if name not in _WORDS]
    if wrong or not names:
        known = ", ".join(map(repr, _WORDS))
        got = repr(wrong[0]) if wrong else "none"
        raise ValueError(f"criteria must be some of {known}, which measure classes. Got {got}.")
    return names
