"""What a prediction costs, row by row.

- error: 1 if the class is wrong; cost: what this mistake costs (`costs`);
- log_loss: -ln of the share that the true class was given, at least 2**-52;
- brier: the squared distance between the probabilities and the truth, summed over the classes; with two
  classes half of it, which is (p - y)² of one class (as scikit-learn's brier_score_loss);
- squared, absolute: the distance between a number and the truth.

Several outputs cost their mean; the Brier score is halved if none of them has more than two classes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from ..data.common.array_types import Array, Floats
from ..tree.node_predictions import predictions_at
from ..tree.tree import Tree, cheapest

CLASS_LOSSES = ("error", "log_loss", "brier", "cost")
NUMBER_LOSSES = ("squared", "absolute")
LOSS_WORDS = dict(zip(CLASS_LOSSES, ("error rate", "log loss", "Brier score", "cost"), strict=True))
LOSS_WORDS |= {"squared": "squared error", "absolute": "absolute error"}
_LEAST_SHARE = np.finfo(np.float64).eps  # as scikit-learn's log_loss has it


def check_loss(loss: str | None, classifier: bool, costs: Any = None, criterion: Any = None) -> str:
    """The loss to use. None: error, or cost if there are costs; squared, or absolute for that criterion."""
    if loss is None:
        if classifier:
            return "error" if costs is None else "cost"
        return "absolute" if criterion == "absolute_error" else "squared"
    known = CLASS_LOSSES if classifier else NUMBER_LOSSES
    if loss not in known:
        kind = "classes" if classifier else "numbers"
        shown = ", ".join(map(repr, known))
        raise ValueError(f"loss must be one of {shown} or None where {kind} are predicted. Got {loss!r}.")
    if loss == "cost" and costs is None:
        raise ValueError(
            "loss='cost' needs a classifier with costs. Got costs=None. Give costs, or use 'error'."
        )
    return loss


def node_losses(tree: Tree, loss: str) -> Callable[[Array, Array], Floats]:
    """A function from nodes and the true y (rows, outputs) to what each row costs if its node predicts.

    y has the codes of classes, or numbers.
    """
    if tree.classes is None and tree.max_n_classes == 1 and loss in NUMBER_LOSSES:
        numbers = tree.prediction[:, :, 0]
        return lambda nodes, y: _of_numbers(loss, numbers[nodes], y)
    table = class_table(loss, tree.prediction, tree.label, tree.costs)
    return lambda nodes, y: picked(table, nodes, y)


def model_losses(tree: Tree, loss: str, columns: _core.Columns) -> Callable[[Array, Array, Array], Floats]:
    """The same from rows, nodes and the true y, for a tree whose nodes have models of these columns."""
    return lambda rows, nodes, y: mean_losses(loss, predictions_at(tree, columns, rows, nodes), y, tree.costs)


def mean_losses(loss: str, values: Floats, y: Array, costs: Floats | None = None) -> Floats:
    """What each row costs if these values, (rows, outputs, classes), are predicted for it alone."""
    if loss in NUMBER_LOSSES:
        return _of_numbers(loss, values[:, :, 0], y)
    labels = cheapest(np.round(values * 2.0**40) / 2.0**40, costs)  # as Tree.labels decides
    return picked(class_table(loss, values, labels, costs), np.arange(len(y)), y)


def class_table(loss: str, shares: Floats, labels: Array, costs: Floats | None = None) -> Floats:
    """The loss of every prediction for each class that may be true; the shape is that of `shares`."""
    if loss == "log_loss":
        return np.asarray(-np.log(np.maximum(shares, _LEAST_SHARE)))
    if loss == "brier":
        distance = np.maximum((shares**2).sum(axis=2, keepdims=True) - 2 * shares + 1, 0.0)
        return np.asarray(distance / 2 if shares.shape[2] <= 2 else distance)
    if loss == "cost" and costs is not None:
        return np.asarray(costs.T[labels])
    wrong = np.ones_like(shares)
    np.put_along_axis(wrong, labels[:, :, None], 0.0, axis=2)
    return wrong


def picked(table: Floats, places: Array, y: Array) -> Floats:
    """The entries of the true classes: the mean over the outputs."""
    if y.shape[1] == 1:
        return np.asarray(table[places, 0, y[:, 0]])
    return np.asarray(table[places[:, None], np.arange(y.shape[1]), y].mean(axis=1))


def _of_numbers(loss: str, predicted: Floats, y: Array) -> Floats:
    off = predicted - y
    return np.asarray((off * off if loss == "squared" else np.abs(off)).mean(axis=1))
