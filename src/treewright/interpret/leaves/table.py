"""The leaves of a tree: arrays, a table, a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.result import Result, frame_of
from ...tree.equation import leaf_equation
from ...tree.tree_text import TreeText
from ..rules.rule import Rule
from .measured import Measured
from .plot import NO_ROW
from .short_rule import ELIDED, last_conditions, short_conditions

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_LINES = 200  # of leaves, and
LONGEST = 70  # letters of a rule, when printed


@dataclass(frozen=True, eq=False, repr=False)
class Leaves(Result):
    """The leaves of a tree, in the order of their numbers; `leaves` makes one.

    `training` has the statistics of the training rows of each leaf, `validation` those of held-out rows or of
    out-of-fold predictions (or None): arrays with one entry per leaf, NaN where nothing is known. A column
    per class, or one for the mean.
    """

    leaf: Ints  # the number of the node, as `apply` returns it
    rules: tuple[Rule | None, ...]  # None: no row can come there
    prediction: NDArray[Any]  # the label (None: no training row came there), or the number
    decided: Ints  # the place of the label among the classes; 0 for regression
    predicted: Floats  # the probabilities that `predict_proba` gives, one column per class; or the number
    training: Measured
    validation: Measured | None
    source: str | None  # of `validation`: "held out" or "out of fold"
    classes: NDArray[Any] | None  # None for regression
    confidence: float
    method: str
    words: TreeText
    stopped: int = 0  # rows that stop at an inner node, where a value is missing

    def __len__(self) -> int:
        return len(self.leaf)

    @cached_property
    def rule(self) -> tuple[str, ...]:
        """The rule of each leaf as text, with all levels."""
        return tuple(NO_ROW if rule is None else rule.text for rule in self.rules)

    def to_dicts(self, by_class: bool = False) -> list[dict[str, Any]]:
        """One dictionary per leaf; None is not known.

        Proportions and intervals are those of the class that the leaf predicts; with `by_class` there is one
        dictionary per leaf and class.
        """
        if not by_class:
            return [self._row(place, int(self.decided[place])) for place in range(len(self))]
        if self.classes is None:
            raise ValueError("by_class needs a classifier. Got a regressor. Leave it out.")
        labels = self.classes.tolist()
        pairs = ((place, k) for place in range(len(self)) for k in range(len(labels)))
        return [self._row(place, k, {"class": labels[k]}) for place, k in pairs]

    def _row(self, place: int, k: int, more: dict[str, Any] | None = None) -> dict[str, Any]:
        row = {
            "leaf": int(self.leaf[place]),
            "rule": self.rule[place],
            "rows": int(self.training.rows[place]),
            "weight": float(self.training.weight[place]),
            "prediction": self.prediction[place : place + 1].tolist()[0],  # a value of Python
        } | (more or {})
        if self.words.tree.leaf_models is not None:
            row["equation"] = leaf_equation(self.words, int(self.leaf[place]), 1_000)
        if self.classes is not None:
            row["probability"] = float(self.predicted[place, k])
        row |= _ends("training", self.training, place, k)
        if self.validation is not None:
            row["validation_rows"] = int(self.validation.rows[place])
            row["validation_weight"] = float(self.validation.weight[place])
            row |= _ends("validation", self.validation, place, k)
        return row

    def to_frame(self, by_class: bool = False) -> Any:
        """The same as a data frame: of pandas if it is installed, else of polars."""
        return frame_of(self.to_dicts(by_class))

    def plot(self, ax: Any = None, *, positive: Any = None) -> Any:
        """Draw the predictions with their confidence intervals, by training and by validation rows.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; None: a new figure.
        positive : label, optional
            The class whose proportion is drawn; None: the second of two classes, else the predicted one.

        Returns
        -------
        matplotlib Axes
        """
        from .plot import plot_leaves

        return plot_leaves(self, ax, positive)

    # -- text

    def _headline(self) -> str:
        what = "mean" if self.classes is None else "proportion of the predicted class"
        how = "Student" if self.classes is None else self.method.capitalize()
        leaves = "leaf" if len(self) == 1 else "leaves"
        parts = [f"{len(self):,} {leaves}: {what} and its {100 * self.confidence:g} % confidence interval "]
        parts.append(f"({how}), from the training rows")
        if self.validation is not None:
            rows = "held-out rows" if self.source == "held out" else "out-of-fold predictions"
            parts.append(f", and as validation from {rows}")
        if self.stopped:
            rows = "row stops" if self.stopped == 1 else "rows stop"
            parts.append(f". {self.stopped:,} {rows} at an inner node, and are in no leaf")
        return "".join(parts) + "."

    def _rows(self) -> list[dict[str, Any]]:
        form = ".4g" if self.classes is None else ".3f"
        rows = self.to_dicts()[:MOST_LINES]
        for row, rule in zip(rows, self.rules, strict=False):
            row["rule"] = NO_ROW if rule is None else shortened(rule, self.words, LONGEST)
            for name in ("training", "validation"):
                key = "interval" if name == "training" else "validation_interval"
                row[key] = _between(row, name, form)
        return rows

    def _columns(self) -> Sequence[tuple[str, str]]:
        numbers = self.classes is None
        form = ".4g" if numbers else ".3f"
        columns = [("leaf", "d"), ("rows", ",d")]
        weighted = not np.allclose(self.training.weight, self.training.rows, rtol=1e-9)
        columns += [("weight", ".4g")] if weighted else []
        columns += [("prediction", form if numbers else "")] + ([] if numbers else [("probability", form)])
        columns += [("training", form), ("interval", ">")]
        if self.validation is not None:
            columns += [("validation_rows", ",d"), ("validation", form), ("validation_interval", ">")]
        return [*columns, ("rule", "")]

    def _notes(self) -> Sequence[str]:
        more = len(self) - MOST_LINES
        return [f"… and {more:,} more; to_dicts() has them all."] if more > 0 else []


def shortened(rule: Rule, words: TreeText, most: int) -> str:
    """A rule in at most so many letters: of a long one its last conditions, none of them cut in quotes."""
    full = last_conditions(short_conditions(rule, words, most), most)
    if len(full) <= most and not full.startswith(ELIDED):
        return full
    room = most - len(ELIDED)
    return last_conditions(short_conditions(rule, words, room), most, dots=len(ELIDED))


def _ends(name: str, measured: Measured, place: int, k: int) -> dict[str, float | None]:
    parts = {name: measured.value, f"{name}_low": measured.low, f"{name}_high": measured.high}
    numbers = {key: float(part[place, k]) for key, part in parts.items()}
    return {key: None if np.isnan(number) else number for key, number in numbers.items()}


def _between(row: dict[str, Any], name: str, form: str) -> str | None:
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    return None if low is None or high is None else f"{low:{form}} to {high:{form}}"
