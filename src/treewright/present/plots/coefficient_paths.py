"""The coefficients of a penalised linear model over the strength of its penalty."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.errors import ParameterError
from ...data.common.plots import CHOICE, axes
from ...learn.linear.number_table import number_table, target_numbers
from ..drawing.colours import CLASS_COLOURS

Floats = NDArray[np.float64]

PENALTIES = ("lasso", "ridge", "elastic net")
STEPS = 100  # penalties along the axis
MIX = 0.5  # of an elastic net: the part of the lasso
MOST_NAMED = 12  # columns that the legend has room for
STROKES = ("-", "--", ":", "-.")


def plot_coefficient_paths(X: Any, y: Any, penalty: str = "lasso", ax: Any = None) -> Any:
    """Plot how the coefficients of a linear model shrink as the penalty grows.

    A lasso sets one coefficient after another to 0; ridge regression makes all of them small and none 0; an
    elastic net is between the two. Columns are scaled to variance 1, so that one penalty suits them all and
    the coefficients can be compared. The dashed line is the penalty of the least error in cross-validation.

    Parameters
    ----------
    X : table of numbers
    y : array of numbers
    penalty : {"lasso", "ridge", "elastic net"}, default="lasso"
        The elastic net has half of each penalty.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    if penalty not in PENALTIES:
        known = ", ".join(map(repr, PENALTIES))
        raise ParameterError(f"penalty must be one of {known}. Got {penalty!r}.", "penalty")
    names, numbers = number_table(X)
    target, values = target_numbers(y, len(numbers))
    if len(values) < 10:
        raise ValueError(f"X must have at least 10 rows for cross-validation. Got {len(values)}.")
    scale = numbers.std(axis=0)
    scaled = (numbers - numbers.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
    alphas, coefficients, chosen = coefficient_paths(scaled, values, penalty)
    ax = axes(ax, "plot_coefficient_paths")
    order = np.argsort(-np.abs(coefficients[:, 0]), kind="stable")  # the largest without a penalty first
    for rank, j in enumerate(order.tolist()):
        ax.plot(
            alphas, coefficients[j], STROKES[rank // len(CLASS_COLOURS) % len(STROKES)],
            color=CLASS_COLOURS[rank % len(CLASS_COLOURS)], linewidth=1.8,
            label=names[j] if rank < MOST_NAMED else None,
        )  # fmt: skip
    ax.axhline(0, color="#8a97a8", linewidth=0.8, zorder=0)
    ax.axvline(chosen, color=CHOICE, linestyle="--", linewidth=1.2, label="least error in cross-validation")
    ax.set(xscale="log", xlim=(alphas[0], alphas[-1]), xlabel="penalty (alpha)")
    ax.set(
        ylabel=f"coefficient of the scaled column, for {target}", title=f"Coefficients of {_article(penalty)}"
    )
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1))
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def coefficient_paths(X: Floats, y: Floats, penalty: str) -> tuple[Floats, Floats, float]:
    """Ascending penalties, the coefficients (columns, penalties), and the penalty by cross-validation."""
    from sklearn.linear_model import ElasticNetCV, LassoCV, RidgeCV, enet_path

    aim = y - y.mean()
    if penalty == "ridge":
        left, sizes, right = np.linalg.svd(X, full_matrices=False)
        middle = float(sizes[0] ** 2)
        alphas = middle * np.logspace(-4, 2, STEPS)
        shrunk = sizes[:, None] / (sizes[:, None] ** 2 + alphas)  # (XᵀX + αI)⁻¹Xᵀ in the axes of X
        return alphas, right.T @ (shrunk * (left.T @ aim)[:, None]), float(RidgeCV(alphas).fit(X, y).alpha_)
    mix = 1.0 if penalty == "lasso" else MIX
    largest = float(np.abs(X.T @ aim).max()) / (len(y) * mix) or 1.0  # from here on all are 0
    alphas = largest * np.logspace(-4 if mix == 1 else -5, 0.05, STEPS)
    coefficients = enet_path(X, aim, l1_ratio=mix, alphas=alphas, max_iter=20_000)[1][:, ::-1]
    model = LassoCV if penalty == "lasso" else ElasticNetCV
    how = {} if penalty == "lasso" else {"l1_ratio": MIX}
    chosen = model(alphas=alphas, cv=min(5, len(y)), max_iter=20_000, **how).fit(X, y).alpha_
    return alphas, coefficients, float(chosen)


def _article(penalty: str) -> str:
    return {"lasso": "a lasso", "ridge": "a ridge regression", "elastic net": "an elastic net"}[penalty]
