"""Decision regions: what models predict over one or two columns, with their training rows."""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.checked_target import finite_numbers, known_target
from ...data.common.allowed import is_whole
from ...data.common.hints import nearest
from ...data.common.plots import given_axes, pyplot
from ...data.target import are_classes
from ...evaluate.model_comparison.candidates import candidates, fitted_candidate
from ...evaluate.model_comparison.models import NAMED, About, is_model_name, plain_name
from ...evaluate.procedure import Data, check_predicts, task_of
from ...learn.fitted_tree import as_estimator
from ...learn.params import CLASSIFICATION, REGRESSION
from .region_curves import draw_class_curves, draw_number_curves
from .region_drawing import Predicted, draw_classes, draw_numbers
from .region_table import RegionTable, region_table

Array = NDArray[Any]
Floats = NDArray[np.float64]

MOST_PLACES = 200_000  # of one grid
FINER = 5  # places along one column for each along two: steps must look upright


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
    """Plot the decision regions of models over one or two columns, side by side, with the rows.

    The colour of a region is the predicted class; it is stronger where the predicted probability is higher.
    For regressors the colour is the predicted number, on the scale of `y`. A line marks where the class
    changes. Rows of rarer classes are drawn on top. Over one column, curves are drawn: the predicted number,
    or the probability of each class (of two classes that of the second).

    Parameters
    ----------
    models : fitted model, name, list of these, or dict of title to one of these
        Models of treewright (estimator, FitResult, FittedTree, Tree or path) or any fitted estimators with
        scikit-learn's interface; all classifiers, or all regressors. Names are those of
        `treewright.compare`, such as "svm": these models are fitted on X and y.
    X : table, or one column
        With the columns that the models were fitted on.
    y : array
        The target, one value per row.
    features : one or two column names or column numbers, optional
        The columns of the horizontal and of the vertical axis. The other columns are held at their median or
        most frequent value, which the title says. Not needed if X has one or two columns.
    ax : matplotlib axes, or one axes per model, optional
    resolution : int, default=300
        The number of grid points along each axis.
    points : bool, default=True
        Whether to draw the rows.

    Returns
    -------
    array of matplotlib axes, one per model
    """
    table = region_table(X, features)
    target = one_target(y, table.X)
    named = fitted_models(models, table.X, target)
    classes = all_classifiers(named)
    target = target if classes else finite_numbers(target)
    if not is_whole(resolution) or not 2 <= resolution <= int(MOST_PLACES**0.5):
        raise ValueError(f"resolution must be an int from 2 to {int(MOST_PLACES**0.5)}. Got {resolution!r}.")
    placed, own = _axes(ax, len(named))
    one = len(table.shown) == 1
    grid = table.grid(FINER * int(resolution) if one else int(resolution))
    predicted = [_predictions(model, grid, classes) for model in named.values()]
    draw = DRAW[one, classes]
    draw(placed, table, predicted, target, points)
    if one and not classes:
        name = getattr(y, "name", None)
        for each in placed:
            each.set_ylabel(name if isinstance(name, str) else "y")
    _write(placed, table, list(named), own)
    return placed


# -- the options


def fitted_models(models: Any, X: Any, y: Array) -> dict[str, Any]:
    """The fitted models by title; those that are given by name are fitted on these rows."""
    if isinstance(models, Mapping):
        found = {str(title): _fitted(model, X, y)[1] for title, model in models.items()}
    else:
        found = {}
        for given in models if isinstance(models, list | tuple) else [models]:
            title, model = _fitted(given, X, y)
            again = sum(other == title or other.startswith(f"{title} (") for other in found)
            found[f"{title} ({again + 1})" if again else title] = model
    if not found:
        raise ValueError("models must have at least one fitted estimator. Got none.")
    return found


def _fitted(model: Any, X: Any, y: Array) -> tuple[str, Any]:
    """A title and a fitted model: of a name its label in `compare`, and the model fitted on these rows."""
    if not is_model_name(model):
        known = _estimator(model)
        return _title(known), known
    for_numbers = NAMED[plain_name(model)].tasks == (REGRESSION,) and y.dtype.kind in "iuf"
    task = CLASSIFICATION if are_classes(y) and not for_numbers else REGRESSION
    (found,) = candidates([model], About(task, len(y), 0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it did not converge
        return found.label, fitted_candidate(found.model, Data(X, y), task == CLASSIFICATION)


def _estimator(model: Any) -> Any:
    """A model of treewright as its estimator; other estimators of scikit-learn's kind as they are."""
    if isinstance(model, str) and not Path(model).exists():
        must = f"models must be fitted models, paths of model files, or names: {', '.join(map(repr, NAMED))}."
        raise ValueError(f"{must} Got {model!r}.{nearest(model, NAMED)}")
    try:
        return as_estimator(model)
    except TypeError as error:
        if isinstance(model, type) or not hasattr(model, "predict"):
            got = f"{model!r:.100}"
            raise TypeError(f"models must be fitted models, or a list or dict of them. Got {got}.") from error
        check_predicts(model, "models")
        return model


def _title(model: Any) -> str:
    """The title of a model without a name."""
    last = model.steps[-1][1] if hasattr(model, "steps") else model
    if hasattr(last, "get_n_leaves") and hasattr(last, "tree_"):
        leaves = last.get_n_leaves()
        return f"tree of depth {last.get_depth()}, {leaves} {'leaf' if leaves == 1 else 'leaves'}"
    return type(last).__name__


def all_classifiers(named: dict[str, Any]) -> bool:
    """Whether all of the models predict classes."""
    kinds = {task_of(model) == "classifier" for model in named.values()}
    if len(kinds) > 1:
        raise ValueError("models must all predict classes, or all numbers. Got both. Draw two pictures.")
    return kinds.pop()


def one_target(y: Any, X: Any) -> Array:
    """The target, with one entry per row and none missing."""
    n_rows = X.shape[0]
    if np.shape(y) not in {(n_rows,), (n_rows, 1)}:
        raise ValueError(f"y must have one entry per row of X: shape ({n_rows},). Got shape {np.shape(y)}.")
    return known_target(y, n_rows)


def one_output(model: Any, grid: Any) -> Array:
    """What a model predicts: one value per row."""
    given = np.asarray(model.predict(grid))
    found = given[:, 0] if given.ndim == 2 and given.shape[1] == 1 else given
    if found.ndim != 1:
        raise ValueError(f"models must predict one output. Got {found.shape[1]} from {type(model).__name__}.")
    return found


def _predictions(model: Any, grid: Any, classes: bool) -> Predicted:
    found = one_output(model, grid)
    if not classes:
        return Predicted(found)
    if not hasattr(model, "predict_proba"):
        return Predicted(found, np.asarray(model.classes_))
    return Predicted(found, np.asarray(model.classes_), np.asarray(model.predict_proba(grid)))


# -- what is drawn


def _axes(ax: Any, count: int) -> tuple[Array, bool]:
    if ax is not None:
        return given_axes(ax, count, "model"), False
    across = 2 if count == 4 else min(count, 3)
    down = -(-count // across)
    size = (max(4.2 * across + 1.2, 6.0), 3.9 * down + 0.4)
    figure, made = pyplot("plot_regions").subplots(
        down, across, figsize=size, layout="constrained", squeeze=False
    )
    for unused in made.ravel()[count:]:
        figure.delaxes(unused)
    return made.ravel()[:count], True


def _write(axs: Array, table: RegionTable, names: list[str], own: bool) -> None:
    columns, still = [table.names[j] for j in table.shown], table.still()
    for ax, name in zip(axs, names, strict=True):
        ax.set(xlim=table.limits(0), xlabel=columns[0])
        if len(columns) == 2:
            ax.set(ylim=table.limits(1), ylabel=columns[1])
        ax.set_title(name if own or not still else f"{name}\n{still}", fontsize="medium")
    if own and still:
        figure = axs[0].figure
        bound = textwrap.fill(still.replace(" = ", "\0=\0"), int(12 * figure.get_figwidth()))
        figure.suptitle(bound.replace("\0", " "), fontsize="small")  # no value in another line than its name


DRAW = {  # by whether there is one column, and whether classes are predicted
    (False, True): draw_classes,
    (False, False): draw_numbers,
    (True, True): draw_class_curves,
    (True, False): draw_number_curves,
}
