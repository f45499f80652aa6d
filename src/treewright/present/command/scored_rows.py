"""What came true beside the answers of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ...data.common.plural import counted
from ...evaluate.metrics import Baseline, Predictions, Score
from ...learn.costs import CostsAndPrevalence
from .predictions import RowPredictions

Array = NDArray[Any]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """Answers of a model beside what came true."""

    found: RowPredictions
    y: Array  # places of classes, -1 for a class that the model does not know; or numbers
    weight: Floats
    labels: list[str]  # of the true classes; those that the model does not know come last
    strange: Array  # rows of unknown classes: their place among the labels; else -1
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, found: RowPredictions, column: Any, weights: Any) -> Self:
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
        shown, have = ", ".join(map(repr, others[:3])), "has" if n == 1 else "have"
        notes = (
            f"{counted(n, 'row')} {have} a class that the model does not know ({shown}): counted as wrong.",
        )
        y = np.where(unknown >= 0, -1, codes)
        return cls(found, y, weight, [*known, *others], unknown, notes if n else ())

    def scores(self, positive: Any, stakes: CostsAndPrevalence | None) -> list[Score]:
        """The figures, beside those of the root: what is said without looking at any column."""
        root, shares = self.found.tree.prediction[0, 0], self.found.shares[:, 0]
        if self.found.classes is None:
            return Predictions(self.y, shares[:, 0], None, self.weight).scores(Baseline(mean=float(root[0])))
        how = (self.weight, self._ranked(positive), stakes)
        return Predictions(self.y, self.found.label[:, 0], shares, *how).scores(Baseline(root))

    def _ranked(self, positive: Any) -> int | None:
        """The place of the class that is ranked first, of two: the second, unless the model was told."""
        known = [] if self.found.classes is None else [_text(label) for label in self.found.classes[0]]
        if len(known) != 2:
            return None
        return known.index(_text(positive)) if positive is not None and _text(positive) in known else 1

    def confusion(self) -> dict[str, Any] | None:
        """The weight of the rows with an answer by true and predicted class; None for numbers."""
        if self.found.classes is None:
            return None
        places = np.where(self.strange >= 0, self.strange, self.y)
        known = [_text(label) for label in self.found.classes[0]]
        counts = np.zeros((len(self.labels), len(known)))
        said = self.found.label[:, 0]
        np.add.at(counts, (places[said >= 0], said[said >= 0]), self.weight[said >= 0])
        return {"true": self.labels, "predicted": known, "counts": counts.tolist()}


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
    wrong = weight[~(np.isfinite(weight) & (weight >= 0))]
    with np.errstate(over="ignore"):
        total = weight.sum()
    if len(wrong) or not 0 < total < np.inf:
        got = f"Got {wrong[0]:g}." if len(wrong) else f"Their sum is {total:g}."
        raise ValueError(f"weights must be finite, not negative, and have a finite sum above 0. {got}")
    return np.asarray(weight)
