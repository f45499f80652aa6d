"""Balls of Lp norms: why a lasso sets coefficients to 0 and ridge regression does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.allowed import is_list_of_numbers
from ...data.common.errors import ParameterError
from ...data.common.plots import CHOICE, several_axes

Floats = NDArray[np.float64]

BALL, LOSS = "#0072b2", "#8a97a8"
NAMES = {1.0: "lasso: |w₁| + |w₂| ≤ 1", 2.0: "ridge: w₁² + w₂² ≤ 1"}


def plot_norm_balls(p: Sequence[float] = (1, 2, 3), optimum: Any = (0.5, 1.8), ax: Any = None) -> Any:
    """Plot the unit balls of Lp norms, and where the least loss inside each of them is.

    A penalty keeps the coefficients (w₁, w₂) inside a ball. The circles are equal losses around `optimum`,
    the solution without a penalty; the point is where the smallest of them touches the ball. The ball of
    p = 1 has corners on the axes, where a coefficient is 0: that is why a lasso is sparse.

    Parameters
    ----------
    p : list of numbers of at least 1, default=(1, 2, 3)
        One picture for each; `float("inf")` is a square.
    optimum : two numbers, default=(0.5, 1.8)
        The coefficients of the least loss without a penalty.
    ax : one matplotlib axes per p, optional

    Returns
    -------
    array of matplotlib axes, one per p
    """
    given: Any = [p] if np.ndim(p) == 0 else p
    if not is_list_of_numbers(given) or len(given) == 0 or not all(float(each) >= 1 for each in given):
        raise ParameterError(f"p must be numbers of at least 1: below 1 there is no norm. Got {p!r}.", "p")
    if (
        not is_list_of_numbers(optimum)
        or len(optimum) != 2
        or not np.isfinite(np.asarray(optimum, float)).all()
    ):
        raise ParameterError(f"optimum must be two finite numbers. Got {optimum!r}.", "optimum")
    aim = np.asarray(optimum, dtype=np.float64)
    placed = several_axes(ax, "plot_norm_balls", len(given), "p", figsize=(3.6 * len(given), 3.7))
    for each, power in zip(placed, given, strict=True):
        _draw(each, float(power), aim)
    return placed


def nearest_in_ball(p: float, optimum: Floats) -> Floats:
    """The point of the unit ball with the least squared distance to the optimum; corners are exact."""
    if _norm(optimum[None], p)[0] <= 1:
        return optimum
    edge = unit_ball(p)
    found: Floats = edge[((edge - optimum) ** 2).sum(axis=1).argmin()]
    return found


def unit_ball(p: float, quarter: int = 2000) -> Floats:
    """Points on the edge of the unit ball, with those on the axes among them, in order."""
    angle = np.linspace(0, 2 * np.pi, 4 * quarter + 1)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    circle[np.abs(circle) < 1e-12] = 0.0
    return circle / _norm(circle, p)[:, None]


def _norm(w: Floats, p: float) -> Floats:
    found: Floats = np.linalg.norm(w, p, axis=1)
    return found


def _draw(ax: Any, p: float, optimum: Floats) -> None:
    edge, touch = unit_ball(p, 100), nearest_in_ball(p, optimum)
    ax.fill(edge[:, 0], edge[:, 1], color=BALL, alpha=0.18, linewidth=0)
    ax.plot(edge[:, 0], edge[:, 1], color=BALL, linewidth=1.5)
    radius = float(np.linalg.norm(optimum - touch))
    angle = np.linspace(0, 2 * np.pi, 200)
    for share in (0.4, 0.7, 1.0, 1.3) if radius else ():
        circle = optimum[:, None] + share * radius * np.array([np.cos(angle), np.sin(angle)])
        ax.plot(*circle, color=CHOICE if share == 1.0 else LOSS, linewidth=1.2 if share == 1.0 else 0.8)
    ax.plot(*optimum, "+", color=LOSS, markersize=9, markeredgewidth=1.6)
    ax.plot(*touch, "o", color=CHOICE, markersize=7, zorder=4)
    behind = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
    place = {"xytext": (12, -22), "textcoords": "offset points", "bbox": behind}
    ax.annotate(f"({touch[0]:.2f}, {touch[1]:.2f})", touch, color=CHOICE, **place)
    for line in (ax.axhline, ax.axvline):
        line(0, color="#17212e", linewidth=0.7, zorder=0)
    reach = max(1.5, float(np.abs(optimum).max()) + 0.6)
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel="w₁", ylabel="w₂")
    ax.set_title(NAMES.get(p, f"p = {p:g}"), fontsize="medium")
