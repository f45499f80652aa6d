"""Regions over two columns: painted places, lines between classes, and the rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..drawing.colours import CLASS_COLOURS
from .region_table import RegionTable

Array = NDArray[Any]
Floats = NDArray[np.float64]

# Markers, each with the area that makes it look as large as the others.
MARKERS = {"o": 1.1, "s": 1.0, "^": 1.3, "D": 0.8, "v": 1.3, "P": 1.5, "X": 1.5, "*": 2.0}
PALEST, STRONGEST = 0.12, 0.55  # of a region's colour, so that the rows stand out
UNKNOWN = 0.6  # how sure a model without probabilities is drawn


class Predicted(NamedTuple):
    """What a model predicts at every place; for classes also its labels and, if known, probabilities."""

    values: Array
    classes: Array | None = None
    shares: Floats | None = None

    @property
    def sure(self) -> Floats:
        """How sure it is of its class, from 0 (all classes alike) to 1."""
        assert self.classes is not None
        if self.shares is None:
            return np.full(len(self.values), UNKNOWN)
        place = {label: k for k, label in enumerate(self.classes.tolist())}
        column = np.array([place[label] for label in self.values.tolist()])
        share, least = self.shares[np.arange(len(column)), column], 1 / self.shares.shape[1]
        sure = (share - least) / (1 - least) if least < 1 else np.ones(len(column))
        return np.clip(sure, 0.0, 1.0)  # costs may choose a lighter class


@dataclass(frozen=True)
class ClassColours:
    """The classes of all models and rows, and the colour of each."""

    labels: list[Any]
    hues: Floats

    @staticmethod
    def of(predictions: list[Predicted], target: Array) -> ClassColours:
        """The colours of these classes."""
        from matplotlib.colors import to_rgb

        known = [label for each in predictions for label in np.asarray(each.classes).tolist()]
        try:
            labels = sorted({*known, *target.tolist()})
        except TypeError:
            other = next(label for label in target.tolist() if not isinstance(label, type(known[0])))
            must = "y must hold labels such as those of the models"
            raise ValueError(f"{must}, {known[0]!r}. Got {other!r}. Give that of fit.") from None
        hues = [to_rgb(CLASS_COLOURS[k % len(CLASS_COLOURS)]) for k in range(len(labels))]
        return ClassColours(labels, np.array(hues))

    def codes(self, values: Array) -> Array:
        """The place of the class of each value."""
        place = {label: k for k, label in enumerate(self.labels)}
        return np.array([place[label] for label in values.tolist()])

    def picture(self, predicted: Predicted) -> Floats:
        """The colour of each place, stronger where the model is surer."""
        strength = (PALEST + (STRONGEST - PALEST) * predicted.sure)[:, None]
        found: Floats = 1 - strength * (1 - self.hues[self.codes(predicted.values)])
        return found


def commonest_first(codes: Array) -> list[int]:
    """The classes in the order of drawing: few rows on top of many are seen, many on few hide them."""
    return [k for k, _ in Counter(sorted(codes.tolist())).most_common()]


def draw_classes(
    axs: Array, table: RegionTable, predictions: list[Predicted], target: Array, points: bool
) -> None:
    """Regions of classes, and the rows in the colours of theirs."""
    colours = ClassColours.of(predictions, target)
    for ax, predicted in zip(axs, predictions, strict=True):
        side = round(len(predicted.values) ** 0.5)
        region = colours.codes(predicted.values)
        _paint(ax, colours.picture(predicted).reshape(side, side, 3), table)
        _edges(ax, region.reshape(side, side), table)
        if points:
            codes = colours.codes(target)
            for k in commonest_first(codes):
                _dots(ax, table.points[codes == k], len(codes), color=[colours.hues[k]], marker=marker_of(k))
    legend(axs, colours)


def marker_of(k: int) -> str:
    """Colours are used again from the seventh class on, each with another marker."""
    return list(MARKERS)[(k + k // len(CLASS_COLOURS)) % len(MARKERS)]


def draw_numbers(
    axs: Array, table: RegionTable, predictions: list[Predicted], target: Array, points: bool
) -> None:
    """Predicted numbers as colours, and the rows in the colours of their target."""
    from matplotlib.colors import Normalize

    numbers = target.astype(np.float64)
    norm = Normalize(numbers.min(), numbers.max())  # far from the rows a curve may predict anything
    look: dict[str, Any] = {"cmap": "viridis", "norm": norm}
    for ax, predicted in zip(axs, predictions, strict=True):
        side = round(len(predicted.values) ** 0.5)
        drawn = _paint(ax, predicted.values.reshape(side, side), table, **look)
        if points:
            _dots(ax, table.points, len(target), c=numbers, **look)
    hair = 1e-9 * np.ptp(numbers)  # more than rounding
    below = any(each.values.min() < numbers.min() - hair for each in predictions)
    above = any(each.values.max() > numbers.max() + hair for each in predictions)
    extend = {(True, True): "both", (True, False): "min", (False, True): "max"}.get((below, above), "neither")
    axs[0].figure.colorbar(drawn, ax=list(axs), label="y", shrink=0.9, extend=extend)


def _paint(ax: Any, picture: Array, table: RegionTable, **look: Any) -> Any:
    extent = (*table.limits(0), *table.limits(1))
    return ax.imshow(picture, origin="lower", extent=extent, aspect="auto", interpolation="nearest", **look)


def _edges(ax: Any, region: Array, table: RegionTable) -> None:
    """Lines between places of different classes, along the sides of the places: corners stay corners."""
    from matplotlib.collections import LineCollection

    side = len(region)
    x, y = (np.linspace(*table.limits(axis), side + 1) for axis in (0, 1))
    across, up = region[:, 1:] != region[:, :-1], region[1:] != region[:-1]
    at, start, stop = _runs(across.T)
    upright = np.stack([x[at + 1], y[start], x[at + 1], y[stop]], axis=1)
    at, start, stop = _runs(up)
    level = np.stack([x[start], y[at + 1], x[stop], y[at + 1]], axis=1)
    lines = np.concatenate([upright, level]).reshape(-1, 2, 2)
    many = across.sum() + up.sum() > 10 * side
    width = 0.5 if many else 1.0  # strips must not drown in their own edges
    ax.add_collection(LineCollection(list(lines), colors="#333333", linewidths=width, capstyle="projecting"))


def _runs(marked: Array) -> tuple[Array, Array, Array]:
    """Unbroken runs in the rows of a table of marks: row, first place, place after the last.

    One long line is drawn evenly, where many short ones look dotted.
    """
    step = np.diff(np.pad(marked, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    row, start = np.nonzero(step == 1)
    return row, start, np.nonzero(step == -1)[1]


def _dots(ax: Any, places: Floats, n_rows: int, marker: str = "o", **look: Any) -> None:
    size = float(np.clip(10_000 / max(n_rows, 1), 11, 34)) * MARKERS[marker]
    edge = 0.5 if n_rows < 600 else 0.35
    look |= {"s": size, "marker": marker, "edgecolors": "white", "linewidths": edge, "zorder": 3}
    ax.scatter(places[:, 0], places[:, 1], **look)


def legend(axs: Array, colours: ClassColours) -> None:
    """The classes beside the last picture of the first row."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], linestyle="none", marker=marker_of(k), color=hue, label=str(label), markersize=7)
        for k, (label, hue) in enumerate(zip(colours.labels, colours.hues, strict=True))
    ]
    last = axs[1 if len(axs) == 4 else min(len(axs), 3) - 1]
    last.legend(handles=handles, frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1), title="class")
