"""What `compare` returns: a table of models, a verdict on the tree, and advice on which model to favour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...data.common.plural import counted
from ...data.common.result import Result

OURS, OUR_BEST = "treewright", "treewright, best"  # the simplest tree nearly as accurate, and the best
BASELINE = "baseline"
READABLE_LEAVES = 30  # that people still read

# Kinds of models, with what it says of the table if one of them is the best.
TREE, LINEAR, CURVED, MODEL_TREE = "tree", "linear", "curved", "model tree"
NEAR, SINGLE_COLUMNS, MANY_TREES, OTHER = "near", "single columns", "many trees", "other"
REASONS = {
    TREE: "no model here is better, and a tree can be read, drawn and explained",
    LINEAR: "the relation is close to linear, and one coefficient per column says it shortest",
    CURVED: "the relation is smooth and curved, which a tree can only follow in steps",
    MODEL_TREE: "the relation is linear in parts, and its leaves hold these parts",
    NEAR: "rows that are alike in many columns at once have like targets, which single splits do not catch",
    SINGLE_COLUMNS: "each column adds its own evidence for a class, nearly independent of the others",
    MANY_TREES: "the relation needs more splits than one tree can hold",
    OTHER: "it is the best here",
}
READABLE = (TREE, LINEAR, MODEL_TREE)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Models beside each other, the best first.

    `families` has the kind of each model, and `behind` by how much each is worse than the first: the ends of
    the confidence interval of the mean difference over the folds.
    """

    rows: tuple[dict[str, Any], ...]
    metric: str
    n_rows: int
    n_folds: int
    notes: tuple[str, ...]
    families: Mapping[str, str] = field(default_factory=dict)
    behind: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per model."""
        return [dict(row) for row in self.rows]

    def _columns(self) -> Sequence[tuple[str, str]]:
        metrics = [key for key in self.rows[0] if key not in {"model", "leaves", "seconds", "low", "high"}]
        first = [("model", ""), (self.metric, ".4f"), ("low", ".4f"), ("high", ".4f")]
        rest = [(key, ".4f") for key in metrics if key != self.metric]
        return [*first, *rest, ("leaves", ",.0f"), ("seconds", ".2f")]

    @property
    def verdict(self) -> str:
        """How far the tree is behind the best model, and how large it is."""
        ours = self._row(OURS)
        others = [row for row in self.rows if row["model"] != OUR_BEST or row["leaves"] > ours["leaves"]]
        best, leaves = others[0], counted(round(ours["leaves"] or 0), "leaf")
        if best is ours:
            small = ours["leaves"] <= READABLE_LEAVES
            size = "which people can read" if small else "too many to read at once: try max_leaf_nodes=20"
            return f"No model here is better than the tree. It has {leaves}, {size}."
        inside = ours["low"] <= best[self.metric] <= ours["high"]
        clear = "within the confidence interval of the tree" if inside else "outside the tree's interval"
        ahead = f"is ahead of the tree ({leaves}) by {self._gap(best, ours):.4f} in {self.metric}"
        size = f" ({counted(round(best['leaves']), 'leaf')})" if best["model"] == OUR_BEST else ""
        return f"The best, {best['model']}{size}, {ahead}, {clear}."

    @property
    def advice(self) -> str:
        """Which model to favour, and why."""
        first = self.rows[0]
        if self._may_be_as_good(BASELINE):
            return (
                "Favour none yet: no model is clearly better than the baseline, so these columns say little "
                "about the target. Look for other columns, or for more rows."
            )
        name, family = self._called(first), self._family(first)
        readable = [row for row in self.rows if self._family(row) in READABLE]
        as_good = [row for row in readable if self._may_be_as_good(row["model"])]
        if self._may_be_as_good(OURS):  # then the larger tree need not be favoured
            as_good = [row for row in as_good if row["model"] != OUR_BEST]
        if family in READABLE or not as_good:
            price = "" if family in READABLE else self._price(readable[0])
            one_leaf = family == MODEL_TREE and round(first["leaves"] or 0) == 1
            return f"Favour {name}: {REASONS[LINEAR if one_leaf else family]}.{price}"
        lead = f"{name} is ahead by {self._gap(first, as_good[0]):.4f} in {self.metric}"
        return (
            f"Favour {self._called(as_good[0])}: {lead}, which may be chance, "
            f"and {'a tree' if self._family(as_good[0]) == TREE else 'this model'} can be read."
        )

    def _price(self, readable: dict[str, Any]) -> str:
        gap = f"{self._gap(self.rows[0], readable):.4f} in {self.metric}"
        best = f"The best readable model, {self._called(readable)}"
        return f" {best}, is behind by {gap}: the price of reading it."

    def _called(self, row: dict[str, Any]) -> str:
        return "the tree" if row["model"] == OURS else str(row["model"])

    def _family(self, row: dict[str, Any]) -> str:
        return TREE if row["model"] in {OURS, OUR_BEST} else self.families.get(row["model"], OTHER)

    def _row(self, model: str) -> dict[str, Any]:
        return next(row for row in self.rows if row["model"] == model)

    def _gap(self, better: dict[str, Any], worse: dict[str, Any]) -> float:
        return abs(float(better[self.metric]) - float(worse[self.metric]))

    def _may_be_as_good(self, model: str) -> bool:
        """Whether a model is as good as the first, within what the folds differ by."""
        if model == self.rows[0]["model"]:
            return True
        low, high = self.behind.get(model, (np.nan, np.nan))
        return bool(low <= 0 <= high)  # of one fold no interval is known, and the order decides

    def _headline(self) -> str:
        return f"{self.n_rows:,} rows, {self.n_folds} folds, the same for all; the best first."

    def _notes(self) -> Sequence[str]:
        return (self.verdict, *self.notes, self.advice)
