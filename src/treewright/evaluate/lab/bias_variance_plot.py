"""Bias and variance as pictures: the parts of one or several estimators, and over a parameter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.common.array_types import Floats
from ...data.common.errors import ParameterError
from ...data.common.plots import axes, whole_ticks

if TYPE_CHECKING:
    from .bias_variance import BiasVariance
    from .bias_variance_curve import BiasVarianceCurve

# Okabe and Ito's colours, which most colour-blind people can tell apart.
BIAS, VARIANCE, NOISE, TOTAL = "#009e73", "#0072b2", "#999999", "#d55e00"
FITS = 20  # of the models that are drawn
CHARACTERS = 72  # of names that fit beside each other


def plot_curve(curve: BiasVarianceCurve, ax: Any = None) -> Any:
    """See `BiasVarianceCurve.plot`."""
    from .bias_variance import BIAS_WORDS

    ax = axes(ax, "plot")
    numbers = all(isinstance(value, int | float | np.number) for value in curve.values)
    x = np.asarray(curve.values, dtype=np.float64) if numbers else np.arange(len(curve.values))
    order = np.argsort(x, kind="stable")
    bias = BIAS_WORDS[curve.noise is not None]
    lines = [("expected error", curve.total, TOTAL, "o-"), (bias, curve.bias2, BIAS, "s-")]
    lines += [("variance", curve.variance, VARIANCE, "^-")]
    lines += [] if curve.noise is None else [("noise", curve.noise, NOISE, "--")]
    for name, heights, colour, style in lines:
        ax.plot(x[order], _drawn(heights)[order], style, color=colour, linewidth=2, markersize=4, label=name)
    best = int(curve.total.argmin())
    ax.axvline(x[best], color=TOTAL, linewidth=1, linestyle=":", label=f"least error: {curve.values[best]}")
    if numbers and (x > 0).all() and x.max() > 50 * x.min():
        ax.set_xscale("log")
    if not numbers:
        ax.set_xticks(x, [str(value) for value in curve.values])
    elif (x == np.floor(x)).all():
        whole_ticks(ax)
    first = curve.results[0]
    ax.set(xlabel=curve.parameter, ylabel=first.loss)
    ax.set_ylim(bottom=0)
    ax.set_title(f"Bias and variance of {type(first.estimator).__name__}, {first.n:,} rows")
    return _finish(ax)


def plot_bias_variance(results: Any, ax: Any = None) -> Any:
    """Draw the parts of the expected error of several estimators as bars beside each other.

    Parameters
    ----------
    results : dict of name to BiasVariance, or one BiasVariance
        What `bias_variance` returned.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    from .bias_variance import BIAS_WORDS, BiasVariance

    if isinstance(results, BiasVariance):
        results = {type(results.estimator).__name__: results}
    each = list(results.values()) if isinstance(results, Mapping) else []
    if not each or not all(isinstance(one, BiasVariance) for one in each):
        must = "results must be what bias_variance returned, or a dict of name to these."
        raise ParameterError(f"{must} Got {results!r:.80}.", "results")
    if len({(one.loss, one.noise is None) for one in each}) > 1:
        must = "results must have one loss, and all be of mechanisms or all of tables."
        raise ParameterError(f"{must} Got {sorted({one.loss for one in each})}.", "results")
    ax = axes(ax, "plot_bias_variance")
    places, base, highest = np.arange(len(each)), np.zeros(len(each)), max(one.total for one in each)
    known = each[0].noise is not None
    parts = [(BIAS_WORDS[known], "bias2", BIAS), ("variance", "variance", VARIANCE)]
    for label, name, colour in [*parts, *([("noise", "noise", NOISE)] if known else [])]:
        heights = _drawn(np.array([getattr(one, name) for one in each]))
        ax.bar(places, heights, 0.6, bottom=base, color=colour, label=label)
        for x, low, height in zip(places, base, heights, strict=True):
            if height > 0.06 * highest:  # tall enough for a number inside
                middle = {"ha": "center", "va": "center", "color": "white", "fontsize": 9}
                ax.text(x, low + height / 2, f"{height:.3g}", **middle)
        base += heights
    names = [str(name) for name in results]
    crowded = max(map(len, names)) * len(names) > CHARACTERS
    ax.set_xticks(places, names, **({"rotation": 25, "ha": "right"} if crowded else {}))
    ax.set(ylabel=f"expected {each[0].loss}", xlim=(-0.6, len(each) - 0.4))
    ax.set_title("The expected error in parts")
    return _finish(ax)


def plot_one(found: BiasVariance, ax: Any = None) -> Any:
    """See `BiasVariance.plot`."""
    X = found.points.X
    if found.mechanism is None or X.shape[1] != 1 or found.loss != "squared error" or ax is not None:
        return plot_bias_variance(found, ax)
    figure = axes(None, "plot").figure
    figure.clear()
    figure.set_size_inches(9, 7)
    axs = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
    order = np.argsort(X[:, 0], kind="stable")
    x, points = X[order, 0], found.points
    for h in found.predictions[:FITS]:
        axs[0].plot(x, h[order], color=VARIANCE, linewidth=0.6, alpha=0.35)
    axs[0].plot([], [], color=VARIANCE, linewidth=0.8, label=f"models of {min(FITS, found.repeats)} samples")
    axs[0].plot(x, points.prediction[order], color=BIAS, linewidth=2.5, label="mean prediction")
    axs[0].plot(x, points.truth[order], color="black", linewidth=1.5, linestyle="--", label="truth")
    axs[0].set(
        ylabel="y", title=f"{type(found.estimator).__name__}, {found.repeats:,} samples of {found.n:,} rows"
    )
    parts = [_drawn(part)[order] for part in (points.bias2, points.variance, points.noise)]
    labels = [f"{name}: {value:.3g} on average" for name, value in
              (("bias²", found.bias2), ("variance", found.variance), ("noise", found.noise))]  # fmt: skip
    axs[1].stackplot(x, *parts, colors=(BIAS, VARIANCE, NOISE), labels=labels, linewidth=0)
    axs[1].set(xlabel="x", ylabel=found.loss)
    for each in axs:
        _finish(each)
    return axs


def _drawn(heights: Any) -> Floats:
    """Parts as they are drawn: the estimate of a bias² of nearly 0 may be below 0, which no area is."""
    return np.asarray(np.maximum(heights, 0.0))


def _finish(ax: Any) -> Any:
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1))
    ax.spines[["top", "right"]].set_visible(False)
    return ax
