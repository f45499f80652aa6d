"""What a counterfactual tells: the changes, what is predicted before and after, and how far that is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..leaf import plain


@dataclass(frozen=True)
class Change:
    """One cell that changes."""

    column: str
    before: Any  # None: missing
    after: Any
    before_words: str
    after_words: str
    distance: float  # its part of the whole


@dataclass(frozen=True)
class Answer:
    """What is predicted: a label or a number, how it is written, the probability of a label, and where."""

    value: Any
    words: str
    probability: float | None
    node: int
    rows: int | None  # training rows there; None where the tree counts none


@dataclass(frozen=True, eq=False)
class Counterfactual:
    """The nearest change of one row that leads to what was wanted. Print it, or take `changes` and `X`.

    `found` is False where no allowed change does; there are no changes then, and `after` is None. `least` is
    the distance that no point of any leaf can undercut; `distance`, that of the values as they are told, is
    greater by what few digits cost: at most a hundredth of the scale of each column, or 1 where a value that
    is not whole stands in a column whose reference rows are.
    """

    row: int
    found: bool
    changes: tuple[Change, ...]
    distance: float
    least: float
    before: Answer
    after: Answer | None
    wanted: str
    measured_by: str  # what costs 1 in a column of numbers
    target: str | None
    form: Callable[[], Any] = field(repr=False)

    @cached_property
    def X(self) -> Any:  # noqa: N802
        """The changed row for `predict`, in the form that was given; made when asked for."""
        return self.form()

    def text(self, width: int | None = None) -> str:
        """The change in lines of at most this width; None: as wide as the terminal, or 80."""
        from .wording import as_text

        return as_text(self, width)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        if not self.found:
            return f"<Counterfactual: row {self.row}, none>"
        return f"<Counterfactual: row {self.row}, {len(self.changes)} changes, distance {self.distance:.4g}>"

    def _repr_html_(self) -> str:
        from .wording import as_html

        return as_html(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it as values that JSON can hold."""
        return {
            "row": self.row,
            "found": self.found,
            "wanted": self.wanted,
            "distance": plain(self.distance),
            "changes": [
                {"column": each.column, "before": plain(each.before), "after": plain(each.after),
                 "words": f"{each.before_words} -> {each.after_words}", "distance": plain(each.distance)}
                for each in self.changes
            ],
            "before": _answer_dict(self.before),
            "after": None if self.after is None else _answer_dict(self.after),
            "measured_by": self.measured_by,
        }  # fmt: skip


def _answer_dict(answer: Answer) -> dict[str, Any]:
    return {name: plain(value) for name, value in vars(answer).items()}
