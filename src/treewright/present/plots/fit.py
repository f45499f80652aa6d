"""One column and a number: the rows, and what models predict over them, on one pair of axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.checked_target import finite_numbers
from ...data.common.array_types import Array, Floats
from ...data.common.plots import axes
from ..drawing.colours import CLASS_COLOURS
from .region_table import RegionTable, as_table, region_table
from .regions import all_classifiers, fitted_models, one_output, one_target

PLACES = 1_500
STYLES = ("-", "--", "-.", ":")
ROWS = "#8a97a8"


def plot_fit(models: Any, x: Any, y: Any, *, ax: Any = None, points: bool = True) -> Any:
    """Plot numbers over one column, with what models predict: the steps of a tree, lines, curves.

    Several models are drawn over each other; `plot_regions` draws them side by side, and draws classes.

    Parameters
    ----------
    models : fitted model, name, list of these, or dict of label to one of these
        As for `plot_regions`: models of treewright, fitted regressors of scikit-learn's kind, or names of
        `treewright.compare` such as "least squares", which are fitted on these rows.
    x : one column of numbers
        An array, a series, or a table of one column.
    y : array of numbers
    ax : matplotlib axes, optional
    points : bool, default=True
        Whether to draw the rows.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> tree = treewright.DecisionTreeRegressor(max_leaf_nodes=4).fit(x, y)  # doctest: +SKIP
    >>> treewright.plot_fit([tree, "least squares"], x, y)  # doctest: +SKIP
    """
    X = as_table(x)
    if len(X.shape) != 2 or X.shape[1] != 1:
        must = "x must be one column."
        raise ValueError(f"{must} Got shape {tuple(X.shape)}. For two columns use plot_regions.")
    table, target = region_table(X, None), one_target(y, X)
    if target.dtype.kind not in "iuf":
        must = "y must hold numbers."
        raise ValueError(f"{must} Got {target.dtype}. For classes use plot_regions.")
    named = fitted_models(models, table.X, finite_numbers(target))
    if all_classifiers(named):
        raise ValueError("models must predict numbers. Got classifiers. For classes use plot_regions.")
    ax = axes(ax, "plot_fit")
    if points:
        size = float(np.clip(6_000 / max(len(target), 1), 8, 26))
        ax.scatter(table.points[:, 0], target, s=size, color=ROWS, edgecolors="white", linewidths=0.35)
    for number, (name, model) in enumerate(named.items()):
        at = _places(table, model)
        style = STYLES[number // len(CLASS_COLOURS) % len(STYLES)]
        colour = CLASS_COLOURS[number % len(CLASS_COLOURS)]
        heights = one_output(model, table.rows_at(at)).astype(np.float64)
        ax.plot(at, heights, style, color=colour, linewidth=2, label=name, zorder=3)
    known = getattr(y, "name", None)
    ax.set(xlim=table.limits(0), xlabel=table.names[0], ylabel=known if isinstance(known, str) else "y")
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1))
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _places(table: RegionTable, model: Any) -> Floats:
    """Where a model is drawn: everywhere, and on both sides of each threshold, so that steps are upright."""
    even = table.steps(0, PLACES)
    tree = getattr(model, "tree_", None)
    cuts: Array = np.asarray(getattr(tree, "threshold", ()), dtype=np.float64)
    low, high = table.limits(0)
    cuts = cuts[(cuts > low) & (cuts < high)]
    return np.unique(np.concatenate([[low], even, [high], cuts, np.nextafter(cuts, np.inf)]))
