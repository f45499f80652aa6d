"""What is known of every leaf: arrays, a table, a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common import tables
from .rows import Measured

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_LINES = 200  # of leaves, and
LONGEST = 70  # letters of a rule, when printed
ELIDED = "… and "
AND = " and "


@dataclass(frozen=True, eq=False)
class Leaves:
    """The leaves of a tree, in the order of their numbers; `leaves` makes one.

    `training` has what the rows that the tree grew on say of each leaf, `honest` what others say (or None):
    arrays with one entry per leaf, NaN where nothing is known. A column per class, or one for the mean.
    """

    leaf: Ints  # the number of the node, as `apply` returns it
    rule: tuple[str, ...]
    answer: NDArray[Any]  # the label, or the number
    decided: Ints  # the place of the label among the classes; 0 for numbers
    predicted: Floats  # the shares that `predict_proba` gives, one column per class; or the number
    training: Measured
    honest: Measured | None
    source: str | None  # of `honest`: "held out" or "out of fold"
    classes: NDArray[Any] | None  # None for numbers
    level: float
    method: str
    elsewhere: int = 0  # rows that stop at an inner node, where a value is missing

    def __len__(self) -> int:
        return len(self.leaf)

    def to_dicts(self, by_class: bool = False) -> list[dict[str, Any]]:
        """One dictionary per leaf, of which any library makes a frame; None is not known.

        Shares and intervals are those of the class that the leaf decides for; with `by_class` there is one
        dictionary per leaf and class.
        """
        if not by_class:
            return [self._row(place, int(self.decided[place])) for place in range(len(self))]
        if self.classes is None:
            raise ValueError("by_class needs a classifier. Got a tree of numbers. Leave it out.")
        labels = self.classes.tolist()
        pairs = ((place, k) for place in range(len(self)) for k in range(len(labels)))
        return [self._row(place, k, {"class": labels[k]}) for place, k in pairs]

    def _row(self, place: int, k: int, more: dict[str, Any] | None = None) -> dict[str, Any]:
        row = {
            "leaf": int(self.leaf[place]),
            "rule": self.rule[place],
            "rows": int(self.training.rows[place]),
            "weight": float(self.training.weight[place]),
            "answer": self.answer[place : place + 1].tolist()[0],  # a plain value of Python
        } | (more or {})
        if self.classes is not None:
            row["predicted"] = float(self.predicted[place, k])
        row |= _ends("training", self.training, place, k)
        if self.honest is not None:
            row["honest_rows"] = int(self.honest.rows[place])
            row["honest_weight"] = float(self.honest.weight[place])
            row |= _ends("honest", self.honest, place, k)
        return row

    def to_frame(self, by_class: bool = False) -> Any:
        """The same as a DataFrame of pandas."""
        import pandas as pd

        return pd.DataFrame(self.to_dicts(by_class))

    def plot(self, ax: Any = None, positive: Any = None) -> Any:
        """Draw the answers with their intervals, training and honest side by side; returns the axes."""
        from .plots import plot_leaves

        return plot_leaves(self, ax, positive)

    # -- words

    @property
    def summary(self) -> str:
        """What the numbers of the table are, in words."""
        what = "mean" if self.classes is None else "share of the decided class"
        how = "Student" if self.classes is None else self.method.capitalize()
        leaves = "leaf" if len(self) == 1 else "leaves"
        said = [f"{len(self):,} {leaves}: {what} and its {100 * self.level:g} % interval ({how}), "]
        said.append("on the rows that the tree grew on")
        if self.honest is not None:
            rows = "held-out rows" if self.source == "held out" else "out-of-fold answers"
            said.append(f", and honest: by {rows}")
        if self.elsewhere:
            rows = "row stops" if self.elsewhere == 1 else "rows stop"
            said.append(f". {self.elsewhere:,} {rows} at an inner node, and are in no leaf")
        return "".join(said) + "."

    def _printed(self) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
        """The rows as they are printed, and their columns."""
        numbers = self.classes is None
        form = ".4g" if numbers else ".3f"
        rows = self.to_dicts()
        for row in rows:
            row["rule"] = shortened(row["rule"], LONGEST)
            for name in ("training", "honest"):
                row["interval" if name == "training" else "honest_interval"] = _between(row, name, form)
        columns = [("leaf", "d"), ("rows", ",d")]
        weighted = not np.allclose(self.training.weight, self.training.rows, rtol=1e-9)
        columns += [("weight", ".4g")] if weighted else []
        columns += [("answer", form if numbers else "")] + ([] if numbers else [("predicted", form)])
        columns += [("training", form), ("interval", ">")]
        if self.honest is not None:
            columns += [("honest_rows", ",d"), ("honest", form), ("honest_interval", ">")]
        return rows, [*columns, ("rule", "")]

    def __str__(self) -> str:
        rows, columns = self._printed()
        lines = [self.summary, *tables.as_text(rows[:MOST_LINES], columns)]
        if len(rows) > MOST_LINES:
            lines.append(f"… and {len(rows) - MOST_LINES:,} more; to_dicts() has them all.")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Leaves>\n{self}"

    def _repr_html_(self) -> str:
        rows, columns = self._printed()
        return f"<p>{self.summary}</p>{tables.as_html(rows[:MOST_LINES], columns)}"


def shortened(rule: str, most: int) -> str:
    """The last conditions of a long rule, where it differs from those of its neighbours."""
    if len(rule) <= most:
        return rule
    while len(rule) > most - len(ELIDED) and AND in rule:
        rule = rule.split(AND, 1)[1]
    return ELIDED + (rule if len(rule) <= most - len(ELIDED) else rule[: most - len(ELIDED) - 1] + "…")


def _ends(name: str, measured: Measured, place: int, k: int) -> dict[str, float | None]:
    parts = {name: measured.value, f"{name}_low": measured.low, f"{name}_high": measured.high}
    numbers = {key: float(part[place, k]) for key, part in parts.items()}
    return {key: None if np.isnan(number) else number for key, number in numbers.items()}


def _between(row: dict[str, Any], name: str, form: str) -> str | None:
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    return None if low is None or high is None else f"{low:{form}} to {high:{form}}"
