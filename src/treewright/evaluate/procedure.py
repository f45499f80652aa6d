"""A whole procedure, with all that it chooses from data: how to run it on rows, and its loss."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.classes import class_order, codes_among
from ..data.common.allowed import is_whole
from ..data.common.errors import ParameterError
from ..data.common.functions import check_takes
from ..learn.base import BaseDecisionTree
from ..learn.folds import Fold, Rows, folds_of, held_out_fold, most_folds, take
from ..learn.losses import CLASS_LOSSES, NUMBER_LOSSES, class_table, picked
from ..learn.params import CLASSIFICATION
from ..learn.pruning import HELD_OUT, method_of

Array = NDArray[Any]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Data:
    """A table and its target, of which parts are taken."""

    X: Any
    y: Any
    groups: Any = None
    sample_weight: Any = None
    time: Any = None

    def rows(self, rows: Rows) -> Data:
        """Some of the rows."""
        return Data(
            *(take(part, rows) for part in (self.X, self.y, self.groups, self.sample_weight, self.time))
        )

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.y)

    def folds(self, cv: Any, classifier: bool) -> list[Fold]:
        """Folds that keep groups together and the future out of training."""
        return folds_of(cv, self.X, self.y, self.groups, classifier, time=self.time)


def check_procedure(procedure: Any) -> None:
    """Reject what cannot be run: it must be an estimator, what `tune` returned, or a function of X and y."""
    runs = hasattr(procedure, "fit") or hasattr(procedure, "again") or callable(procedure)
    if isinstance(procedure, type) or not runs:
        got = procedure.__name__ if isinstance(procedure, type) else type(procedure).__name__
        hint = f" Write {got}()." if isinstance(procedure, type) else ""
        raise ValueError(
            "estimator must be an estimator, what `tune` or `fit` returned, or a function of X and y that "
            f"returns a fitted one. Got {got}.{hint}"
        )
    if hasattr(procedure, "fit"):
        check_predicts(procedure, "estimator")
    elif not hasattr(procedure, "again"):
        check_takes("estimator", procedure, "X and y", 2)


def check_predicts(model: Any, name: str) -> None:
    """Reject what predicts no target, such as a transformation or a clustering."""
    if not hasattr(model, "predict") or task_of(model) not in {None, "classifier", "regressor"}:
        raise ParameterError(
            f"{name} must predict classes or numbers. Got {type(model).__name__}, which predicts neither.",
            name,
        )


def check_classifier(procedure: Any) -> None:
    """Reject a procedure that predicts numbers, or cannot be run."""
    check_procedure(procedure)
    if task_of(procedure) == "regressor":
        got = f"Got {type(procedure).__name__}, which predicts numbers."
        raise ParameterError(f"estimator must predict classes. {got}", "estimator")


def run(procedure: Any, data: Data) -> Any:
    """A fitted model, made from these rows alone. Groups and time also govern its inner folds."""
    extra = {} if data.sample_weight is None else {"sample_weight": data.sample_weight}
    if hasattr(procedure, "again"):
        return procedure.again(data.X, data.y, groups=data.groups, time=data.time, **extra).model
    if not hasattr(procedure, "fit"):
        return _must_predict(procedure(data.X, data.y, **extra))
    model = unfitted(procedure)
    divides = is_search(model) or "groups" in inspect.signature(model.fit).parameters
    if data.groups is not None and divides:
        extra["groups"] = data.groups
    if not hasattr(model, "cv") or (data.groups is None and data.time is None):
        made = model.fit(data.X, data.y, **extra)
        return model if made is None else made
    return _fit_apart(model, data, extra)


def _must_predict(made: Any) -> Any:
    if not hasattr(made, "predict"):
        must = "estimator must be an estimator, or a function of X and y that returns a fitted one."
        raise ValueError(f"{must} Got a function that returned {made!r:.80}.")
    return made


def unfitted(estimator: Any) -> Any:
    """A copy of an estimator with its parameters alone; of an object without parameters a copy."""
    if isinstance(estimator, BaseDecisionTree):
        return estimator.fresh()
    from sklearn.base import clone

    return clone(estimator, safe=False)


def _fit_apart(model: Any, data: Data, extra: dict[str, Any]) -> Any:
    """Fit a model that divides its rows once more: folds in time, or as many as there are groups."""
    cv, classifier = model.cv, predicts_classes(model, data.y)
    folds = 5 if cv is None else cv
    if is_whole(folds):
        folds = most_folds(int(folds), data.groups, data.time)
    if data.time is not None and _uses_folds(model):
        folds = folds_of(folds, data.X, data.y, data.groups, classifier, time=data.time)
        extra.pop("groups", None)
    if isinstance(model, BaseDecisionTree):
        pruning, options = model.pruning, model.pruning_options or {}
        holds_out = pruning is not None and method_of(pruning).rows == HELD_OUT
        if holds_out and not {"rows", "folds"} & set(options):
            share = options.get("fraction", 1 / 3)
            how = (model.random_state or 0, classifier, data.groups, data.time)
            extra["prune_rows"] = held_out_fold(data.y, share, *how).test
    usual, used = {"cv": cv}, {"cv": folds}
    if not is_whole(folds) and isinstance(model, BaseDecisionTree):  # folds as given are used once
        usual, used = usual | {"cv_repeats": model.cv_repeats}, used | {"cv_repeats": 1}
    return model.set_params(**used).fit(data.X, data.y, **extra).set_params(**usual)


def _uses_folds(model: Any) -> bool:
    """Whether a fit divides its rows into folds."""
    if not isinstance(model, BaseDecisionTree):
        return True
    return isinstance(model.ccp_alpha, str) or model.smoothing is not None


@contextmanager
def warn_once(counts: Callable[[], bool] = lambda: True) -> Iterator[None]:
    """Give each warning of what runs inside once, however many folds or threads have it.

    `counts` is called in the thread of a warning: where it is False, the warning is dropped.
    """
    caught: dict[Any, Any] = {}

    def record(message: Any, category: Any, filename: str, lineno: int, *_: Any, **__: Any) -> None:
        if counts():
            caught.setdefault((category, str(message)), (message, category, filename, lineno))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = record
        yield
    for each in caught.values():
        warnings.warn_explicit(*each)


def is_search(model: Any) -> bool:
    """Whether this is one of scikit-learn's searches, whose `fit` passes groups to its folds."""
    return hasattr(model, "get_params") and {"cv", "refit", "estimator"} <= set(model.get_params(deep=False))


def predicts_classes(procedure: Any, y: Any) -> bool:
    """Whether a procedure predicts classes; where it does not say, the target decides."""
    task = task_of(procedure)
    if task is not None:
        return task == "classifier"
    from sklearn.utils.multiclass import type_of_target

    return not type_of_target(np.asarray(y)).startswith("continuous")


def task_of(procedure: Any) -> str | None:
    """What scikit-learn calls a procedure, such as "classifier"; None where it does not say."""
    known = getattr(procedure, "model", procedure)
    if isinstance(known, BaseDecisionTree):
        return "classifier" if known.task == CLASSIFICATION else "regressor"
    if not hasattr(known, "__sklearn_tags__"):
        return None
    from sklearn.utils import get_tags

    found: str | None = get_tags(known).estimator_type
    return found


# -- losses of any model


def setting_of(procedure: Any, name: str) -> Any:
    """A parameter of the tree inside a procedure, if it has it."""
    for inside in ("model", "estimator"):
        procedure = getattr(procedure, inside, procedure)
    return getattr(procedure, name, None)


def mean_loss(model: Any, data: Data, loss: str, classes: list[Any] | None, costs: Any = None) -> float:
    """The mean loss of a fitted model on some rows; for `classes` see `row_losses`."""
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "The table has levels that were not seen"
        )  # few training rows lack some
        each = row_losses(model, data, loss, classes, costs)
    return float(np.average(each, weights=data.sample_weight))


def row_losses(model: Any, data: Data, loss: str, classes: list[Any] | None, costs: Any = None) -> Floats:
    """The loss of each row. `classes` are those of one output, as `costs` has them: all that y may hold.

    The rows, and the model of few rows, may lack some.
    """
    y = np.asarray(data.y)
    rows = y[:, None] if y.ndim == 1 else y
    if loss in {"error", *NUMBER_LOSSES}:
        predicted = np.asarray(model.predict(data.X))
        if predicted.size != rows.size:
            must = "y must have the shape of what the model predicts"
            raise ValueError(f"{must}, {predicted.shape}. Got {y.shape}. Give the target of fit.")
        predicted = predicted.reshape(rows.shape)
        if loss == "error":
            return np.asarray((predicted != rows).mean(axis=1))
        off = predicted - rows
        return np.asarray((off * off if loss == "squared" else np.abs(off)).mean(axis=1))
    if classes is None or loss not in CLASS_LOSSES:
        raise ValueError(f"loss={loss!r} needs one column of classes. Got several outputs. Use 'error'.")
    return _of_classes(model, data.X, rows[:, 0], loss, classes, costs)


def _of_classes(model: Any, X: Any, y: Array, loss: str, classes: list[Any], costs: Any) -> Floats:
    def places(labels: Any) -> Any:
        return codes_among(classes, np.asarray(labels), "Leave such rows out.")

    labels, matrix = np.zeros((len(y), 1), dtype=np.int64), None
    shares = np.zeros((len(y), 1, len(classes)))
    if loss != "cost" and not hasattr(model, "predict_proba"):
        must = f"loss={loss!r} needs probabilities."
        raise ParameterError(f"{must} Got {type(model).__name__} without predict_proba. Use 'error'.", "loss")
    if loss == "cost":
        labels[:, 0], matrix = places(model.predict(X)), np.asarray(costs, dtype=np.float64)
    else:
        shares[:, 0, places(model.classes_)] = model.predict_proba(X)
    return picked(class_table(loss, shares, labels, matrix), np.arange(len(y)), places(y)[:, None])


def classes_of(procedure: Any, y: Any) -> list[Any] | None:
    """All classes of one output, in the order of a procedure; None for several."""
    labels = np.asarray(y)
    if labels.ndim != 1:
        return None
    order = class_order(y, setting_of(procedure, "class_order") or "sorted")
    return np.unique(labels).tolist() if order is None else order
