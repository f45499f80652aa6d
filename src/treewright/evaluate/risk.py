"""The risk of a model: its mean loss on some rows, with the standard error of that mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np

from ..data.checked_target import checked_target
from ..data.common.array_types import Array, Floats
from ..data.common.functions import check_takes, numbers_of
from ..data.common.result import Result
from ..data.levels import with_missing
from ..learn.fitted_tree import as_estimator
from ..learn.losses import LOSS_WORDS, check_loss
from .procedure import Data, check_predicts, predicts_classes, row_losses, setting_of


@dataclass(frozen=True, eq=False, repr=False)
class Risk(Result):
    """The mean loss of a model. `float(risk)` is its value."""

    loss: str
    losses: Floats  # of each row

    @property
    def value(self) -> float:
        """The mean loss."""
        return float(self.losses.mean())

    @property
    def standard_error(self) -> float:
        """The standard error of the mean: s / √n."""
        return float(self.losses.std(ddof=1) / len(self.losses) ** 0.5)

    def __float__(self) -> float:
        return self.value

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary."""
        rows = {"rows": len(self.losses)}
        return [{"loss": self.loss, "risk": self.value, "standard_error": self.standard_error} | rows]

    def _columns(self) -> list[tuple[str, str]]:
        return [("loss", ""), ("risk", ".4g"), ("standard_error", ".4g"), ("rows", ",d")]


def risk(model: Any, X: Any, y: Any, loss: str | Callable[..., Any] | None = None) -> Risk:
    """The empirical risk of a fitted model: its mean loss on these rows, with the standard error.

    On rows that the model was not trained on it estimates the expected loss of new rows without bias.

    Parameters
    ----------
    model : fitted model of treewright, or any fitted estimator of scikit-learn's kind
    X, y : table and target, at least two rows
    loss : {"error", "log_loss", "brier", "cost", "squared", "absolute"} or function, optional
        None: "error" (or "cost" where the model has costs), and "squared" for numbers. A function
        ``loss(y, prediction)`` returns one number per row.

    Returns
    -------
    Risk
        `value`, `standard_error`, and the `losses` of the rows.

    Examples
    --------
    >>> from treewright import DecisionTreeClassifier
    >>> from treewright.textbook import risk
    >>> model = DecisionTreeClassifier(max_depth=1).fit([[0], [1], [2], [3]], [0, 1, 1, 1])
    >>> found = risk(model, [[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> found.value, found.standard_error
    (0.25, 0.25)
    """
    known = _estimator(model)
    if not hasattr(X, "shape") and not hasattr(X, "__len__"):
        raise ValueError(f"X must be a table. Got {X!r:.80}.")
    target, n_rows = with_missing(y), X.shape[0] if hasattr(X, "shape") else len(X)
    if target.ndim == 0 or len(target) < 2:
        raise ValueError(
            f"y must have at least two rows, to know the standard error. Got shape {target.shape}."
        )
    if len(target) != n_rows:
        raise ValueError(f"y must be as long as the {n_rows:,} rows of X. Got {len(target):,}.")
    if callable(loss):
        check_takes("loss", loss, "y and prediction", 2)
        return Risk(getattr(loss, "__name__", "loss"), _losses_of(loss, target, known.predict(X)))
    labels = _labels(known) if predicts_classes(known, y) else None
    costs, criterion = (setting_of(known, name) for name in ("costs", "criterion"))
    measure = check_loss(loss, labels is not None, costs, criterion)
    data = Data(X, _checked(target, n_rows, labels))
    losses = row_losses(known, data, measure, labels[0] if labels and len(labels) == 1 else None, costs)
    return Risk(LOSS_WORDS[measure], losses)


def _labels(model: Any) -> list[list[Any]]:
    """The classes of every output."""
    found = getattr(model, "classes_", None)
    if found is None:
        raise ValueError(f"model must be fitted, and have classes_. Got {type(model).__name__} without them.")
    return [np.asarray(part).tolist() for part in (found if isinstance(found, list) else [found])]


def _checked(y: Array, n_rows: int, labels: list[list[Any]] | None) -> Array:
    """The target if it holds nothing but the classes of the model, or finite numbers."""
    columns = [y] if y.ndim == 1 else list(y.T)
    found = [checked_target(*each) for each in zip(columns, repeat(n_rows), labels or repeat(None))]
    return y if labels else np.stack(found, axis=1)


def _losses_of(loss: Callable[..., Any], y: Array, predicted: Any) -> Floats:
    must = "loss must return one finite number per row."
    losses = numbers_of(loss(y, np.asarray(predicted)), must)
    if losses.shape != y.shape[:1] or not np.isfinite(losses).all():
        got = f"shape {losses.shape}" if losses.shape != y.shape[:1] else f"{losses[~np.isfinite(losses)][0]}"
        raise ValueError(f"{must} Got {got}.")
    return losses


def _estimator(model: Any) -> Any:
    try:
        return as_estimator(model)
    except TypeError:
        if isinstance(model, type) or not hasattr(model, "predict"):
            raise
        check_predicts(model, "model")
        return model
