"""The candidate splits of a node: of every column the best, ordered by gain, and all cuts of one column."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...data.schema import NUMBER
from ...data.values import Column
from ...tree.tree import Tree
from ..leaves.short_rule import rounded
from ..next_best.search import SplitSearch
from ..path import split_text
from .column_candidates import FEW_LEVELS, ColumnCandidates, DrawnColumn
from .cuts import NO_CUTS, Mask, cuts_of_numbers
from .groupings import groupings_at
from .split_information import ratio_of, ratios_of

LIMITS = {  # parameters by which a node is not split, and what sets no limit
    "min_samples_split": 2,
    "min_confidence": 1.0,
    "min_impurity_decrease": 0.0,
    "level_correction": False,
}


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
    p_value : float or None
        Of the test of independence, where columns are chosen by it.
    """

    column: str
    test: str
    gain: float
    total_gain: float
    ratio: float | None = None
    threshold: float | None = None
    p_value: float | None = None
    place: int = field(default=-1, repr=False)  # of the column in the table; -1: a sum of columns

    @property
    def rank(self) -> tuple[float, float]:
        """Smaller is better, by what chooses the column: its p-value, the gain ratio or the gain."""
        return self.p_value or 0.0, -(self.ratio or self.gain)

    def equals(self, other: Candidate) -> bool:
        """Whether the gain ratio does not tell them apart either, by more than the last bits, nor a test."""
        if self.p_value is not None or self.ratio is None or other.ratio is None:
            return (self.ratio, self.p_value) == (other.ratio, None)
        return bool(np.isclose(self.ratio, other.ratio, rtol=1e-12))

    def to_dict(self) -> dict[str, Any]:
        """As one row of a table."""
        found = {"column": self.column, "test": self.test, "gain": self.gain, "total_gain": self.total_gain}
        more = {"ratio": self.ratio, "p_value": self.p_value}
        return found | {name: value for name, value in more.items() if value is not None}


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
            self.p_value(j),
            j,
        )

    def p_value(self, j: int) -> float | None:
        """That of the test of independence of a column; None if columns are not chosen by it."""
        found = self.search.words.tree.p_value
        return float(found[self.node, j]) if found.size else None

    @property
    def by_ratio(self) -> bool:
        """Whether columns are compared by the gain ratio."""
        return bool(self.search.params["criterion"] == "gain_ratio")

    def limit(self, j: int) -> str:
        """The parameter without which a column that has no split would have one, as a sentence; or empty."""
        for name, usual in LIMITS.items():
            given = self.search.params.get(name, usual)
            free = replace(self.search, params=self.search.params | {name: usual})
            if given != usual and free.stump(self.node, j) is not None:
                return f"No split is allowed here: {name}={given!r}."
        return ""

    def chosen(self) -> Candidate:
        """The split of the node as the tree has it."""
        words, tree = self.search.words, self.search.words.tree
        feature, total, cut = (
            int(tree.feature[self.node]),
            float(tree.gain[self.node]),
            float(tree.threshold[self.node]),
        )
        return Candidate(
            words.feature(self.node),
            split_text(words, self.node, FEW_LEVELS),
            total / self.weight,
            total,
            threshold=cut if np.isfinite(cut) and not tree.is_nominal[self.node] else None,
            place=feature if feature < tree.n_features else -1,
        )

    def _sum(self) -> Column:
        """The sum of columns that the node tests, as a column."""
        words, columns = self.search.words, self.search.columns
        terms = words.tree.test(self.node).terms
        values = sum((factor * columns[j].values.astype(np.float64) for j, factor in terms), np.zeros(1))
        missing = np.any([columns[j].gaps() for j, _ in terms], axis=0)
        return Column(words.feature(self.node), values, missing if missing.any() else None, NUMBER)

    def _gone(self, stump: Tree | None, j: int, here: Column) -> Mask:
        """Rows that go to neither of two branches."""
        how = self.search.params["missing"]
        apart = how in {"surrogate", "fractional"}
        if how == "branch" and stump is not None:
            words = self.search.of_one_column(stump, j)
            apart = words.has_own_child(0, stump.test(0)) or words.is_presence_test(0)
        return here.gaps() & apart

    def column(self, j: int) -> ColumnCandidates:
        """Every cut of a column, or every grouping of its levels, with its gain; -1: of the tested sum."""
        search, words, notes = self.search, self.search.words, []
        column = search.columns[j] if j >= 0 else self._sum()
        stump = search.stump(self.node, j) if j >= 0 else None
        best = self.chosen() if j < 0 else None if stump is None else self._candidate(stump, j)
        codes: list[tuple[int, ...]] = []
        if column.type.kind != "nominal":
            cuts = cuts_of_numbers(search, self.node, column, j if j >= 0 else None)
        elif search.params["nominal_splits"] in {"multiway", "merged"}:
            cuts = NO_CUTS
            merged = search.params["nominal_splits"] == "merged"
            how = "Levels are merged into branches" if merged else "Every level is a branch of its own"
            notes.append(f"{how}, so there is one candidate.")
        else:
            group = None if stump is None else stump.test(0).levels[0]
            codes, cuts, every = groupings_at(search, self.node, j, group)
            if not every:
                notes.append(
                    f"Not every grouping of the levels is listed: only single levels, groupings along the "
                    f"order of the target, and the best of all ({len(codes):,} are listed)."
                )
        rows, share = search.rows_at(self.node)
        here = column.take(rows)
        drawn = DrawnColumn(here, search.target.y[rows, 0], search.weights[rows] * share, words.classes)
        levels = tuple(tuple(column.type.levels[code] for code in group) for group in codes)
        return ColumnCandidates(
            column.name if j < 0 else words.features[j],
            str(words.criterion),
            self.weight,
            cuts,
            ratios_of(cuts, drawn.weight, self._gone(stump, j, here)) if self.by_ratio else None,
            levels,
            best,
            tuple(notes),
            drawn,
            self.limit(j) if best is None else "",
        )
