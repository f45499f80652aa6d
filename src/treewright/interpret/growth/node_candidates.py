"""The candidate splits of a node: of every column the best, ordered by gain, and all cuts of one column."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...tree.tree import Tree
from ...tree.value_text import levels_text
from ..leaves.short_rule import rounded
from ..next_best.search import SplitSearch
from ..path import split_text
from .column_candidates import ColumnCandidates, DrawnColumn
from .cuts import Cuts, cuts_at
from .groupings import groupings_at
from .split_information import ratio_of

FEW_LEVELS = 4  # of a test that are written


@dataclass(frozen=True)
class Candidate:
    """The best split of one column at a node.

    Attributes
    ----------
    column : str
        The column, or of an oblique test the sum of columns.
    test : str
        The test as text.
    gain : float
        By how much the split lowers the impurity, per row: with entropy the information gain.
    total_gain : float
        The same times the weight of the rows, as in `tree_.gain`.
    ratio : float or None
        The gain ratio, where columns are compared by it.
    threshold : float or None
        Of a test that compares a number.
    """

    column: str
    test: str
    gain: float
    total_gain: float
    ratio: float | None = None
    threshold: float | None = None
    place: int = field(default=-1, repr=False)  # of the column in the table; -1: a sum of columns

    def to_dict(self) -> dict[str, Any]:
        """As one row of a table."""
        found = {"column": self.column, "test": self.test, "gain": self.gain, "total_gain": self.total_gain}
        return found if self.ratio is None else found | {"ratio": self.ratio}


@dataclass(frozen=True)
class NodeCandidates:
    """A node of a tree with the rows that were there while it grew."""

    search: SplitSearch
    node: int

    @cached_property
    def weight(self) -> float:
        """The weight of the rows of the node."""
        rows, share = self.search.rows_at(self.node)
        return float((self.search.weights[rows] * share).sum())

    @cached_property
    def best(self) -> tuple[Candidate, ...]:
        """The best split of every column that has one, in the order of the columns."""
        found = [self.of_column(j) for j in range(len(self.search.columns))]
        return tuple(each for each in found if each is not None)

    def of_column(self, j: int) -> Candidate | None:
        """The best split of one column; None if it has none."""
        stump = self.search.stump(self.node, j)
        return None if stump is None else self._candidate(stump, j)

    def _candidate(self, stump: Tree, j: int) -> Candidate:
        words = self.search.of_one_column(stump, j)
        total = float(stump.gain[0])
        gain = total / self.weight
        cut = float(stump.threshold[0])
        return Candidate(
            words.features[0],
            split_text(rounded(words), 0, FEW_LEVELS),
            gain,
            total,
            ratio_of(self.search, self.node, j, stump, gain) if self.by_ratio else None,
            cut if np.isfinite(cut) and not stump.is_nominal[0] else None,
            j,
        )

    @property
    def by_ratio(self) -> bool:
        """Whether columns are compared by the gain ratio."""
        return bool(self.search.params["criterion"] == "gain_ratio")

    def column(self, j: int) -> ColumnCandidates:
        """Every cut of a column, or every grouping of its levels, with its gain."""
        search, column = self.search, self.search.columns[j]
        words, notes = search.words, []
        codes: list[tuple[int, ...]] = []
        cuts: Cuts | None
        if column.type.kind == "nominal":
            many = search.params["nominal_splits"] in {"multiway", "merged"}
            codes, cuts, every = ([], None, True) if many else groupings_at(search, self.node, j)
            if many:
                notes.append("Every level is a branch of its own, so there is one candidate.")
            elif not every:
                notes.append(
                    f"Not every grouping of the levels is listed: only single levels, and groupings along "
                    f"the order of the target. The best is found among all ({len(codes):,} are listed)."
                )
        else:
            cuts = cuts_at(search, self.node, [column], j)[0]
        empty = np.empty(0)
        cuts = (
            Cuts(empty, empty, empty.astype(np.int64), empty, empty > 0, empty > 0) if cuts is None else cuts
        )
        rows, share = search.rows_at(self.node)
        drawn = DrawnColumn(
            column.take(rows), search.target.y[rows, 0], search.weights[rows] * share, words.classes
        )
        levels = tuple(tuple(column.type.levels[code] for code in group) for group in codes)
        name = words.features[j]
        tests = tuple(
            f"{name} {'=' if len(group) == 1 else 'in'} {levels_text(group, FEW_LEVELS)}" for group in levels
        )
        return ColumnCandidates(
            name, str(words.criterion), self.weight, cuts, levels, tests, self.of_column(j),
            tuple(notes), drawn,
        )  # fmt: skip
