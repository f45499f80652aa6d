"""The result for one column: every cut, or every grouping of its levels, with its gain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...data.common.result import Result
from ...data.common.tables import Column as Printed
from ...data.values import Column
from .cuts import Cuts, Floats, Ints, Mask

if TYPE_CHECKING:
    from .node_candidates import Candidate

MOST_PRINTED = 12


class DrawnColumn(NamedTuple):
    """What a plot needs of the rows of a node."""

    column: Column
    y: Any  # codes of classes, or numbers
    weight: Floats
    classes: list[list[str]] | None


class ColumnCandidates(Result):
    """Every cut of a column, or every grouping of the levels of a nominal one, with its gain.

    Attributes
    ----------
    column : str
        The name of the column.
    criterion : str
        The criterion whose gains these are.
    thresholds : array
        The threshold of every cut, ascending. Empty for a nominal column.
    groupings : tuple
        Of a nominal column: for every grouping the levels of its first branch.
    gains : array
        By how much each candidate lowers the impurity, per row: with entropy the information gain, in bits.
    total_gains : array
        The same times the weight of the rows: what `tree_.gain` holds, bit for bit.
    n_left : array
        How many rows go to the first branch, of those with a value.
    missing_left : array
        Whether missing values gain more in the first branch than in the second.
    allowed : array
        Whether both branches are as large as `min_samples_leaf` and the like demand.
    best : Candidate or None
        What growth would choose of this column.
    """

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        column: str,
        criterion: str,
        weight: float,
        cuts: Cuts,
        groupings: tuple[tuple[Any, ...], ...],
        tests: tuple[str, ...],
        best: Candidate | None,
        notes: tuple[str, ...],
        drawn: DrawnColumn,
    ) -> None:
        self.column, self.criterion, self.weight = column, criterion, weight
        self.groupings, self.best, self.notes, self.drawn = groupings, best, notes, drawn
        self.thresholds: Floats = np.empty(0) if groupings else cuts.threshold
        self.total_gains: Floats = cuts.gain
        self.n_left: Ints = cuts.n_left
        self.missing_left: Mask = cuts.missing_left
        self.allowed: Mask = cuts.allowed
        self._tests = tests

    @property
    def gains(self) -> Floats:
        """The gain of every candidate, per row."""
        return np.asarray(self.total_gains / self.weight)

    def __len__(self) -> int:
        return len(self.total_gains)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per candidate."""
        tests: Sequence[Any] = self._tests or self.thresholds.tolist()
        key = "test" if self._tests else "threshold"
        parts = (tests, self.gains.tolist(), self.n_left.tolist(), self.allowed.tolist())
        return [
            {key: test, "gain": gain, "rows_left": rows, "allowed": allowed}
            for test, gain, rows, allowed in zip(*parts, strict=True)
        ]

    def _rows(self) -> Sequence[dict[str, Any]]:
        """The candidates of the greatest gain, in their order."""
        rows = self.to_dicts()
        shown = np.sort(np.argsort(-self.gains, kind="stable")[:MOST_PRINTED])
        return [rows[k] for k in shown.tolist()]

    def _columns(self) -> Sequence[Printed]:
        first: Printed = ("test", "") if self._tests else ("threshold", ".6g")
        return [first, ("gain", ".4f"), ("rows_left", ",d")]

    def _headline(self) -> str:
        many = "groupings" if self.groupings else "cuts"
        listed = f", the best {MOST_PRINTED} of {len(self):,} {many}" if len(self) > MOST_PRINTED else ""
        return f"Gain ({self.criterion}) of {self.column}{listed}"

    def _notes(self) -> Sequence[str]:
        best = (
            "No cut is possible."
            if self.best is None
            else f"Best: {self.best.test} (gain {self.best.gain:.4f})."
        )
        return (best, *self.notes)

    def plot(self, ax: Any = None) -> Any:
        """Draw the values by class (or the target over them), and below them the gain of every candidate.

        Parameters
        ----------
        ax : two matplotlib axes, optional
            Where to draw: the values on the first, the gains on the second.

        Returns
        -------
        array of two matplotlib axes
        """
        from ...present.plots.candidates import plot_candidates

        return plot_candidates(self, ax)
