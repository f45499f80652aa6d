"""Decision regions: what models predict over two columns, with their training rows."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from ...data.common.allowed import is_whole
from ...learn.fitted_tree import as_estimator
from ..drawing.colours import CLASS_COLOURS
from .region_table import RegionTable, region_table

Array = NDArray[Any]
Floats = NDArray[np.float64]

MOST_PLACES = 200_000  # of one grid
# Markers, each with the area that makes it look as large as the others.
MARKERS = {"o": 1.1, "s": 1.0, "^": 1.3, "D": 0.8, "v": 1.3, "P": 1.5, "X": 1.5, "*": 2.0}
PALEST, STRONGEST = 0.12, 0.55  # of a region's colour, so that the rows stand out


def plot_regions(
    models: Any,
    X: Any,
    y: Any,
    features: Any = None,
    *,
    ax: Any = None,
    resolution: int = 300,
    points: bool = True,
) -> Array:
    """Plot the decision regions of fitted models over two columns, side by side, with the rows.

    The colour of a region is the predicted class; it is stronger where the predicted probability is higher.
    For regressors the colour is the predicted number, on the scale of `y`. A line marks where the class
    changes. Rows of rarer classes are drawn on top.

    Parameters
    ----------
    models : fitted model, list of fitted models, or dict of title to fitted model
        Models of treewright (estimator, FitResult, FittedTree, Tree or path) or any estimators with
        scikit-learn's interface; all classifiers, or all regressors.
    X : table
        With the columns that the models were fitted on.
    y : array
        The target, one value per row.
    features : two column names or column numbers, optional
        The columns of the horizontal and of the vertical axis. The other columns are held at their median or
        most frequent value, which the title says. Not needed if X has two columns.
    ax : matplotlib axes, or one axes per model, optional
    resolution : int, default=300
        The number of grid points along each axis.
    points : bool, default=True
        Whether to draw the rows.

    Returns
    -------
    array of matplotlib axes, one per model
    """
    named = _named(models)
    classes = _all_classifiers(named)
    table, target = region_table(X, features), _target(y, X)
    if not is_whole(resolution) or not 2 <= resolution <= int(MOST_PLACES**0.5):
        raise ValueError(f"resolution must be an int from 2 to {int(MOST_PLACES**0.5)}. Got {resolution!r}.")
    placed, own = _axes(ax, len(named))
    grid = table.grid(int(resolution))
    predictions = {name: _predictions(model, grid, classes) for name, model in named.items()}
    draw = _draw_classes if classes else _draw_numbers
    draw(placed, table, predictions, target, points)
    _write(placed, table, list(named), own)
    return placed


# -- the options


def _named(models: Any) -> dict[str, Any]:
    if not isinstance(models, Mapping):
        given = list(models) if isinstance(models, list | tuple) else [models]
        models = {}
        for model in map(_estimator, given):
            name = _title(model)
            again = sum(other == name or other.startswith(f"{name} (") for other in models)
            models[f"{name} ({again + 1})" if again else name] = model
    if not models:
        raise ValueError("models must have at least one fitted estimator. Got none.")
    return {str(name): _estimator(model) for name, model in models.items()}


def _estimator(model: Any) -> Any:
    """A model of treewright as its estimator; other estimators of scikit-learn's kind as they are."""
    try:
        return as_estimator(model)
    except TypeError as error:
        if isinstance(model, type) or not hasattr(model, "predict"):
            got = f"{model!r:.100}"
            raise TypeError(f"models must be fitted models, or a list or dict of them. Got {got}.") from error
        return model


def _title(model: Any) -> str:
    """The title of a model without a name."""
    last = model.steps[-1][1] if hasattr(model, "steps") else model
    if hasattr(last, "get_n_leaves") and hasattr(last, "tree_"):
        leaves = last.get_n_leaves()
        return f"tree of depth {last.get_depth()}, {leaves} {'leaf' if leaves == 1 else 'leaves'}"
    return type(last).__name__


def _all_classifiers(named: dict[str, Any]) -> bool:
    kinds = {bool(is_classifier(model)) for model in named.values()}
    if len(kinds) > 1:
        raise ValueError("models must all predict classes, or all numbers. Got both. Draw two pictures.")
    return kinds.pop()


def _target(y: Any, X: Any) -> Array:
    target = np.asarray(y)
    target = target[:, 0] if target.ndim == 2 and target.shape[1] == 1 else target
    n_rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if target.shape != (n_rows,):
        raise ValueError(f"y must have one entry per row of X: shape ({n_rows},). Got shape {target.shape}.")
    return target


def _predictions(model: Any, grid: Any, classes: bool) -> tuple[Array, Floats | None, Array | None]:
    """What a model predicts; for classes also how sure it is, from 0 (all alike) to 1, and its classes."""
    found = np.asarray(model.predict(grid))
    if found.ndim != 1:
        raise ValueError(f"models must predict one output. Got {found.shape[1]} from {type(model).__name__}.")
    if not classes:
        return found, None, None
    if not hasattr(model, "predict_proba"):
        return found, np.full(len(found), 0.6), np.asarray(model.classes_)
    shares = np.asarray(model.predict_proba(grid))
    place = {label: k for k, label in enumerate(model.classes_.tolist())}
    column = np.array([place[label] for label in found.tolist()])
    share, least = shares[np.arange(len(found)), column], 1 / shares.shape[1]
    sure = (share - least) / (1 - least) if least < 1 else np.ones(len(found))
    return found, np.clip(sure, 0.0, 1.0), np.asarray(model.classes_)  # costs may choose a lighter class


# -- what is drawn


def _axes(ax: Any, count: int) -> tuple[Array, bool]:
    if ax is not None:
        given = np.atleast_1d(np.asarray(ax, dtype=object)).ravel()
        if len(given) != count:
            raise ValueError(f"ax must have one axes per model: {count}. Got {len(given)}.")
        return given, False
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError("plot_regions needs matplotlib. Run: pip install matplotlib.") from error
    across = 2 if count == 4 else min(count, 3)
    down = -(-count // across)
    size = (max(4.2 * across + 1.2, 6.0), 3.9 * down + 0.4)
    figure, made = plt.subplots(down, across, figsize=size, layout="constrained", squeeze=False)
    for unused in made.ravel()[count:]:
        figure.delaxes(unused)
    return made.ravel()[:count], True


def _draw_classes(axs: Array, table: RegionTable, predictions: Any, target: Array, points: bool) -> None:
    from matplotlib.colors import to_rgb

    known = [label for _, _, classes in predictions.values() for label in classes.tolist()]
    labels = np.unique(np.array([*known, *target.tolist()])).tolist()
    hues = np.array([to_rgb(CLASS_COLOURS[k % len(CLASS_COLOURS)]) for k in range(len(labels))])
    place = {label: k for k, label in enumerate(labels)}
    codes = np.array([place[label] for label in target.tolist()])
    # few rows on top of many are seen, many on few hide them
    commonest_first = [k for k, _ in Counter(sorted(codes.tolist())).most_common()]
    for ax, (found, sure, _) in zip(axs, predictions.values(), strict=True):
        side = round(len(found) ** 0.5)
        region = np.array([place[label] for label in found.tolist()])
        strength = (PALEST + (STRONGEST - PALEST) * sure)[:, None]
        picture = 1 - strength * (1 - hues[region])
        _paint(ax, picture.reshape(side, side, 3), table)
        _edges(ax, region.reshape(side, side), table)
        if points:
            for k in commonest_first:
                _dots(ax, table.points[codes == k], len(codes), color=[hues[k]], marker=_marker(k))
    _legend(axs, labels, hues)


def _marker(k: int) -> str:
    """Colours are used again from the seventh class on, each with another marker."""
    return list(MARKERS)[(k + k // len(CLASS_COLOURS)) % len(MARKERS)]


def _draw_numbers(axs: Array, table: RegionTable, predictions: Any, target: Array, points: bool) -> None:
    from matplotlib.colors import Normalize

    numbers = target.astype(np.float64)
    norm = Normalize(numbers.min(), numbers.max())  # far from the rows a curve may predict anything
    look: dict[str, Any] = {"cmap": "viridis", "norm": norm}
    for ax, (found, _, _) in zip(axs, predictions.values(), strict=True):
        side = round(len(found) ** 0.5)
        drawn = _paint(ax, found.reshape(side, side), table, **look)
        if points:
            _dots(ax, table.points, len(target), c=numbers, **look)
    hair = 1e-9 * np.ptp(numbers)  # more than rounding
    below = any(found.min() < numbers.min() - hair for found, _, _ in predictions.values())
    above = any(found.max() > numbers.max() + hair for found, _, _ in predictions.values())
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


def _legend(axs: Array, labels: list[Any], hues: Floats) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], linestyle="none", marker=_marker(k), color=hues[k], label=str(label), markersize=7)
        for k, label in enumerate(labels)
    ]
    last = axs[1 if len(axs) == 4 else min(len(axs), 3) - 1]
    last.legend(handles=handles, frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1), title="class")


def _write(axs: Array, table: RegionTable, names: list[str], own: bool) -> None:
    first, second = (table.names[j] for j in table.shown)
    still = table.still()
    for ax, name in zip(axs, names, strict=True):
        ax.set(xlim=table.limits(0), ylim=table.limits(1), xlabel=first, ylabel=second)
        ax.set_title(name if own or not still else f"{name}\n{still}", fontsize="medium")
    if own and still:
        figure = axs[0].figure
        figure.suptitle(textwrap.fill(still, int(12 * figure.get_figwidth())), fontsize="small")
