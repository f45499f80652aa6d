"""The result of a counterfactual: the changes, the prediction before and after, and the distance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...data.common.plural import counted
from ...data.common.result import Result
from ...data.common.text_width import check_width, padded, terminal_width, width_of, wrapped
from ...tree.tree_text import one_line
from ..leaf import to_json
from ..result_list import ResultList


@dataclass(frozen=True)
class ChangedValue:
    """One value that changes."""

    column: str
    before: Any  # None: missing
    after: Any
    before_text: str
    after_text: str
    distance: float  # its part of the whole


@dataclass(frozen=True)
class Prediction:
    """A label or a number, how it is written, the probability of a label, and the node reached."""

    value: Any
    text: str
    probability: float | None
    node: int
    rows: int | None  # training rows there; None where the tree counts none

    def __str__(self) -> str:
        return (
            self.text if self.probability is None else f"{self.text} with probability {self.probability:.3g}"
        )


@dataclass(frozen=True, eq=False)
class Counterfactual(Result):
    """The nearest change of one row that leads to the target. Print it, or take `changes` and `X`.

    `found` is False where no allowed change does; there are no changes then, and `after` is None. `least` is
    the distance that no point of any leaf can undercut; `distance`, that of the values as they are written,
    is greater by what few digits cost: at most a hundredth of the scale of each column, or 1 where a value
    that is not whole stands in a column whose reference rows are.
    """

    row: int
    found: bool
    changes: tuple[ChangedValue, ...]
    distance: float
    least: float
    before: Prediction
    after: Prediction | None
    wanted: str
    measured_by: str  # what costs 1 in a column of numbers
    target: str | None
    make_row: Callable[[], Any] = field(repr=False)

    @cached_property
    def X(self) -> Any:  # noqa: N802
        """The changed row for `predict`, in the form that was given; made when first used."""
        return self.make_row()

    def text(self, width: int | None = None) -> str:
        """The change in lines of at most this width; None: as wide as the terminal, or 80."""
        width = terminal_width() if width is None else width
        check_width(width)
        lines = wrapped(self._headline(), width)
        room = max((width_of(change.column) for change in self.changes), default=0)
        for change in self.changes:
            name = padded(change.column, min(room, width // 2))
            lines += wrapped(f"{name}  {change.before_text} -> {change.after_text}", width, "  ", "    ")
        for sentence in self._notes():
            lines += wrapped(sentence, width)
        return "\n".join(lines)

    def _headline(self) -> str:
        what = "" if self.target is None else f"{one_line(str(self.target))} = "
        now = f"Row {self.row}: {what}{self.before}."
        if not self.found:
            return f"{now} No allowed change makes it {self.wanted.removeprefix('be ')}."
        if not self.changes:
            return f"{now} That is the target already: nothing has to change."
        return f"{now} To {self.wanted}, change {counted(len(self.changes), 'column')}:"

    def _notes(self) -> Sequence[str]:
        if not self.found or not self.changes or self.after is None:
            return []
        rows = self.after.rows
        support = "" if rows is None else f", reached by {counted(rows, 'training row')}"
        by = f", measured by {self.measured_by}" if self.measured_by else ""
        return [
            f"Then the prediction is {self.after} (node {self.after.node}{support}).",
            f"Distance {self.distance:.3g}{by}; no other change is nearer.",
        ]

    def _columns(self) -> Sequence[tuple[str, str]]:
        return [("column", ""), ("before_text", ""), ("after_text", ""), ("distance", ".3g")]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per changed column."""
        return [
            {"row": self.row} | {name: to_json(value) for name, value in vars(each).items()}
            for each in self.changes
        ]

    def to_dict(self) -> dict[str, Any]:
        """All of it as values that JSON can hold."""
        return {
            "row": self.row,
            "found": self.found,
            "wanted": self.wanted,
            "distance": to_json(self.distance),
            "changes": self.to_dicts(),
            "before": _as_dict(self.before),
            "after": None if self.after is None else _as_dict(self.after),
            "measured_by": self.measured_by,
        }

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        if not self.found:
            return f"<Counterfactual: row {self.row}, none>"
        changes = counted(len(self.changes), "change")
        return f"<Counterfactual: row {self.row}, {changes}, distance {self.distance:.4g}>"


class Counterfactuals(ResultList[Counterfactual]):
    """The counterfactuals of several rows, each searched when it is first used."""


def _as_dict(prediction: Prediction) -> dict[str, Any]:
    return {name: to_json(value) for name, value in vars(prediction).items()}
