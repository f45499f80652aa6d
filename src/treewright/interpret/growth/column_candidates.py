"""The result for one column: every cut, or every grouping of its levels, with its gain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...data.common.result import Result
from ...data.common.tables import Column as Printed
from ...data.values import Column
from ...tree.value_text import levels_text, threshold_text
from .cuts import Cuts, Floats, Ints, Mask
from .split_information import printed_criterion

if TYPE_CHECKING:
    from .node_candidates import Candidate

MOST_PRINTED = 12
FEW_LEVELS = 4  # of a test that are written


def gain_format(gains: Any) -> str:
    """How gains are printed: those of large numbers in whole numbers."""
    return ",.0f" if max(gains, default=0.0) >= 1000 else ".4f"


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
        The threshold of every cut, ascending. The last is infinite if missing values can be set apart: the
        test is whether there is a value. Empty for a nominal column.
    groupings : tuple
        Of a nominal column: for every grouping the levels of its first branch.
    gains : array
        By how much each candidate lowers the impurity, per row: with entropy the information gain, in bits.
    total_gains : array
        The same times the weight of the rows: what `tree_.gain` holds, bit for bit.
    ratios : array or None
        The gain ratio of each candidate, where columns are compared by it.
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
        ratios: Floats | None,
        groupings: tuple[tuple[Any, ...], ...],
        best: Candidate | None,
        notes: tuple[str, ...],
        drawn: DrawnColumn,
        limit: str = "",
    ) -> None:
        self.column, self.criterion, self.weight = column, criterion, weight
        self.groupings, self.best, self.notes, self.drawn = groupings, best, notes, drawn
        self.ratios, self.limit = ratios, limit
        self.thresholds: Floats = np.empty(0) if groupings else cuts.threshold
        self.total_gains: Floats = cuts.gain
        self.n_left: Ints = cuts.n_left
        self.missing_left: Mask = cuts.missing_left
        self.allowed: Mask = cuts.allowed

    @property
    def gains(self) -> Floats:
        """The gain of every candidate, per row."""
        return np.asarray(self.total_gains / self.weight)

    def __len__(self) -> int:
        return len(self.total_gains)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per candidate."""
        tests = [self._test(group) for group in self.groupings] or self.thresholds.tolist()
        parts = [tests, self.gains.tolist(), self.n_left.tolist(), self.allowed.tolist()]
        keys = ["test" if self.groupings else "threshold", "gain", "rows_left", "allowed"]
        if self.ratios is not None:
            parts.append(self.ratios.tolist())
            keys.append("ratio")
        return [dict(zip(keys, values, strict=True)) for values in zip(*parts, strict=True)]

    def _test(self, group: tuple[Any, ...]) -> str:
        if len(group) == self._n_levels:
            return f"{self.column} is present"
        return f"{self.column} {'=' if len(group) == 1 else 'in'} {levels_text(group, FEW_LEVELS)}"

    @cached_property
    def _n_levels(self) -> int:
        codes = self.drawn.column.values
        return len(np.unique(codes[codes >= 0]))

    def _rows(self) -> Sequence[dict[str, Any]]:
        """The candidates of the greatest gain, in their order."""
        rows = self.to_dicts()
        shown = np.sort(np.argsort(-self.gains, kind="stable")[:MOST_PRINTED])
        kind = self.drawn.column.type
        cut = {} if self.groupings else {k: threshold_text(self.thresholds[k], kind) for k in shown.tolist()}
        return [
            rows[k] | ({"threshold": cut[k]} if cut else {}) | {"allowed": "yes" if self.allowed[k] else "no"}
            for k in shown.tolist()
        ]

    def _columns(self) -> Sequence[Printed]:
        first: Printed = ("test", "") if self.groupings else ("threshold", ".6g")
        ratio: list[Printed] = [] if self.ratios is None else [("ratio", ".4f")]
        allowed: list[Printed] = [] if self.allowed.all() else [("allowed", "")]
        return [first, ("gain", gain_format(self.gains)), *ratio, ("rows_left", ",d"), *allowed]

    def _headline(self) -> str:
        many = "groupings" if self.groupings else "cuts"
        listed = f", the best {MOST_PRINTED} of {len(self):,} {many}" if len(self) > MOST_PRINTED else ""
        return f"Gain ({printed_criterion(self.criterion)}) of {self.column}{listed}"

    def _notes(self) -> Sequence[str]:
        if self.best is None:
            return (self.limit or self._why_none(), *self.notes)
        ratio = "" if self.best.ratio is None else f", ratio {self.best.ratio:.4f}"
        gain = format(self.best.gain, gain_format(self.gains))
        return (f"Best: {self.best.test} (gain {gain}{ratio}).", *self.notes)

    def _why_none(self) -> str:
        if not len(self):
            return "No cut is possible."
        if not self.allowed.any():
            return "No cut is allowed: every one leaves a branch below min_samples_leaf or the like."
        if len(np.unique(self.drawn.y)) == 1:
            what = "value" if self.drawn.classes is None else "class"
            return f"y has one {what}, so no cut gains anything."
        return "No cut gains anything."

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
        from ...present.plots.candidates import plot_column

        return plot_column(self, ax)
