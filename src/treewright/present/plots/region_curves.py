"""What models predict over one column: a curve of numbers, or of the probabilities of classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .region_drawing import ClassColours, Predicted, commonest_first, legend, marker_of
from .region_table import RegionTable

Array = NDArray[Any]
Floats = NDArray[np.float64]

LINE, ROWS = "#17212e", "#0072b2"
STRIP = 0.07  # the height of the strip in which the rows of a class lie, as a part of the probability axis
PALER = 0.55  # than regions of two columns, so that the curves stand out
FAR = 0.5  # of the range of y: so far beyond it a curve is drawn


def draw_number_curves(
    axs: Array, table: RegionTable, predictions: list[Predicted], target: Array, points: bool
) -> None:
    """The predicted numbers as a line, with the rows."""
    numbers = target.astype(np.float64)
    limits = _limits([each.values for each in predictions], numbers)
    for ax, predicted in zip(axs, predictions, strict=True):
        if points:
            _dots(ax, table.points[:, 0], numbers, len(numbers), color=ROWS, alpha=0.55)
        at = table.steps(0, len(predicted.values))
        ax.plot(at, predicted.values, color=LINE, linewidth=2, zorder=4)
        ax.set(ylim=limits)


def _limits(curves: list[Floats], target: Floats) -> tuple[float, float]:
    """The range of y and of the curves; far from the rows a curve may predict anything."""
    low, high = float(target.min()), float(target.max())
    reach = (high - low) or 1.0
    least, most = (min(float(c.min()) for c in curves), max(float(c.max()) for c in curves))
    low, high = min(low, max(least, low - FAR * reach)), max(high, min(most, high + FAR * reach))
    return low - 0.05 * reach, high + 0.05 * reach


def draw_class_curves(
    axs: Array, table: RegionTable, predictions: list[Predicted], target: Array, points: bool
) -> None:
    """Regions of classes as bands, the probabilities as lines: of two classes that of the second."""
    colours = ClassColours.of(predictions, target)
    two = len(colours.labels) == 2
    low, high = (-STRIP, 1 + STRIP) if two else (-0.02, 1 + STRIP * len(colours.labels))
    for ax, predicted in zip(axs, predictions, strict=True):
        band, extent = 1 - PALER * (1 - colours.picture(predicted)), (*table.limits(0), low, high)
        ax.imshow(band[None], extent=extent, aspect="auto", interpolation="nearest", origin="lower")
        _lines(ax, table, predicted, colours)
        if points:
            _rows(ax, table, colours.codes(target), colours)
        said = f"probability of {colours.labels[1]}" if two else "probability of each class"
        ax.set(ylim=(low, high), ylabel=said, yticks=np.linspace(0, 1, 6))
    legend(axs, colours)


def _lines(ax: Any, table: RegionTable, predicted: Predicted, colours: ClassColours) -> None:
    if predicted.shares is None or predicted.classes is None:
        return
    at, two = table.steps(0, len(predicted.values)), len(colours.labels) == 2
    for share, place in zip(predicted.shares.T, colours.codes(predicted.classes), strict=True):
        if not two or place == 1:
            ax.plot(at, share, color=LINE if two else colours.hues[place], linewidth=2, zorder=4)


def _rows(ax: Any, table: RegionTable, codes: Array, colours: ClassColours) -> None:
    """The rows: of two classes at the probabilities 0 and 1, of more in strips above 1."""
    two = len(colours.labels) == 2
    for k in commonest_first(codes):
        rows = np.flatnonzero(codes == k)
        middle = k * (1 + STRIP) - STRIP / 2 if two else 1 + (k + 0.5) * STRIP
        heights = middle + 0.7 * STRIP * ((np.arange(len(rows)) * 0.618) % 1 - 0.5)  # evenly spread
        _dots(ax, table.points[rows, 0], heights, len(codes), color=[colours.hues[k]], marker=marker_of(k))


def _dots(ax: Any, x: Array, y: Array, n_rows: int, **look: Any) -> None:
    size = float(np.clip(6_000 / max(n_rows, 1), 8, 26))
    ax.scatter(x, y, s=size, edgecolors="white", linewidths=0.35, zorder=3, **look)
