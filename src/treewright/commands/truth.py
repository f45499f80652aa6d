"""Scores of a model on rows with known answers, with intervals, beside a trivial guess. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from .answers import Answered

Array = NDArray[Any]
Floats = NDArray[np.float64]

LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Truth:
    """Answers of a model beside what came true."""

    found: Answered
    y: Array  # places of classes, -1 for a class that the model does not know; or numbers
    weight: Floats
    labels: list[str]  # of the true classes; those that the model does not know come last
    strange: Array  # rows of unknown classes: their place among the labels; else -1
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, found: Answered, column: Any, weights: Any) -> Self:
        """Read the target as the model knows it; labels are compared as text where their types differ."""
        weight = _weights(weights, len(column))
        if found.classes is None:
            if not column.dtype.is_numeric():
                raise ValueError(f"The target must hold numbers. Got a column of type {column.dtype}.")
            return cls(found, column.to_numpy().astype(np.float64), weight, [], np.empty(0, dtype=np.int64))
        known = [_text(label) for label in found.classes[0]]
        values = column.unique().to_list()
        others = sorted({_text(value) for value in values} - set(known))
        place = {name: code for code, name in enumerate([*known, *others])}
        codes = column.replace_strict(values, [place[_text(value)] for value in values]).to_numpy()
        unknown = np.where(codes >= len(known), codes, -1)
        n = int((unknown >= 0).sum())
        shown = ", ".join(map(repr, others[:3]))
        notes = (f"{n:,} rows have a class that the model does not know ({shown}): all count as wrong.",)
        y = np.where(unknown >= 0, -1, codes)
        return cls(found, y, weight, [*known, *others], unknown, notes if n else ())


def _text(label: Any) -> str:
    """A label as text, the same for 1 and 1.0, and for true and True."""
    if isinstance(label, bool | np.bool_):
        return str(bool(label)).lower()
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    return str(label)


def _weights(column: Any, n_rows: int) -> Floats:
    if n_rows == 0:
        raise ValueError("The table must have at least one row with a target. Got none.")
    if column is None:
        return np.ones(n_rows)
    if not column.dtype.is_numeric():
        raise ValueError(f"weights must be numbers. Got a column of type {column.dtype}.")
    weight = column.to_numpy().astype(np.float64)
    if not np.isfinite(weight).all() or (weight < 0).any() or not weight.sum() > 0:
        raise ValueError("weights must be finite, not negative, and not all 0.")
    return np.asarray(weight)


# -- figures


def class_figures(truth: Truth, positive: Any = None) -> list[dict[str, Any]]:
    """Accuracy, log loss, cost where there are costs, and for two classes the area under the ROC curve."""
    from ..deciding.intervals import effective, share_interval

    found, w = truth.found, truth.weight
    right = truth.y == found.label[:, 0]
    accuracy = float(w[right].sum() / w.sum())
    n = float(effective(w.sum(), (w * w).sum()))
    low, high = (float(end) for end in share_interval(min(accuracy, 1.0) * n, n, LEVEL))
    guess = int(found.tree.label[0, 0])
    figures = [_figure("accuracy", accuracy, low, high, float(w[truth.y == guess].sum() / w.sum()))]
    some = truth.y >= 0
    if some.any():
        figures += [
            _loss(truth, some, name, loss)
            for name, loss in (("log loss", "log_loss"), ("Brier score", "brier"))
        ]
        if found.tree.costs is not None:
            figures.append(_loss(truth, some, "cost", "cost"))
        figures += _area(truth, some, positive)
    return figures


def _figure(metric: str, value: float, low: float, high: float, baseline: float | None) -> dict[str, Any]:
    ends = [None if np.isnan(end) else float(end) for end in (low, high)]
    return {"metric": metric, "value": value, "low": ends[0], "high": ends[1], "baseline": baseline}


def _loss(truth: Truth, some: Array, name: str, loss: str) -> dict[str, Any]:
    from ..losses import class_table, picked

    found, tree = truth.found, truth.found.tree
    y, w = truth.y[some][:, None], truth.weight[some]
    each = picked(class_table(loss, found.shares[some], found.label[some], tree.costs), np.arange(len(y)), y)
    root = picked(
        class_table(loss, tree.prediction[:1], tree.label[:1], tree.costs), np.zeros(len(y), dtype=int), y
    )
    return _mean(name, each, w, float(np.average(root, weights=w)))


def _mean(name: str, each: Floats, w: Floats, baseline: float | None) -> dict[str, Any]:
    from ..deciding.intervals import effective, mean_interval

    mean = float(np.average(each, weights=w))
    spread = float(np.average((each - mean) ** 2, weights=w))
    low, high = mean_interval(mean, spread, effective(w.sum(), (w * w).sum()), LEVEL)
    return _figure(name, mean, max(float(low), 0.0), float(high), baseline)


def _area(truth: Truth, some: Array, positive: Any) -> list[dict[str, Any]]:
    from ..deciding.auc import area, auc_interval, effective, variance

    known = [] if truth.found.classes is None else truth.found.classes[0]
    if len(known) != 2:
        return []
    names = [_text(label) for label in known]
    first = names.index(_text(positive)) if positive is not None and _text(positive) in names else 1
    y, w = truth.y[some], truth.weight[some]
    is_first = y == first
    both = np.stack([w * ~is_first, w * is_first], axis=1)
    if not (both.sum(axis=0) > 0).all():
        return []
    made = area(truth.found.shares[some][:, 0, first], both[:, 0], both[:, 1])
    squares, added = both**2, np.stack([made.of_negative, made.of_positive], axis=1)
    sizes = effective(both, squares)
    low, high = auc_interval(made.auc, variance(added, squares, sizes), sizes, LEVEL)
    return [_figure("AUC", made.auc, low, high, 0.5)]


def number_figures(truth: Truth) -> list[dict[str, Any]]:
    """R², the root of the mean squared error, and the mean absolute error."""
    y, w, said = truth.y, truth.weight, truth.found.shares[:, 0, 0]
    root = float(truth.found.tree.prediction[0, 0, 0])
    squared = _mean("", (said - y) ** 2, w, float(np.average((root - y) ** 2, weights=w)))
    spread = float(np.average((y - np.average(y, weights=w)) ** 2, weights=w))
    figures = []
    if spread > 0:
        shares = [
            None if squared[k] is None else 1 - squared[k] / spread
            for k in ("value", "high", "low", "baseline")
        ]
        figures.append(
            dict(zip(("metric", "value", "low", "high", "baseline"), ["R²", *shares], strict=True))
        )
    roots = {k: None if squared[k] is None else float(np.sqrt(squared[k])) for k in squared if k != "metric"}
    figures.append({"metric": "root mean squared error"} | roots)
    absolute = float(np.average(np.abs(root - y), weights=w))
    figures.append(_mean("mean absolute error", np.abs(said - y), w, absolute))
    return figures


def confusion(truth: Truth) -> dict[str, Any]:
    """The weight of the rows by true and predicted class."""
    places = np.where(truth.strange >= 0, truth.strange, truth.y)
    known = [] if truth.found.classes is None else truth.found.classes[0]
    counts = np.zeros((len(truth.labels), len(known)))
    np.add.at(counts, (places, truth.found.label[:, 0]), truth.weight)
    return {"true": truth.labels, "predicted": [_text(label) for label in known], "counts": counts.tolist()}
