"""A class, or all but a class, as a disjunction of conjunctions; and by De Morgan as the reverse."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...learn.fitted_tree import FittedTree
from ...tree.condition_text import condition_text, joined, values_text
from ...tree.paths import PathConditions, SurrogateCondition
from ...tree.sums import ColumnsWithSums
from ...tree.tree_text import TreeText
from ...tree.value_sets import Mask
from .merging import Draft, merged


@dataclass(frozen=True)
class NormalForm:
    """When a class is predicted, or is not: one of the conjunctions holds, and never two of them.

    `text` is "(a and b) or (c)", `cnf` says the same as "(d or e) and (f)"; print it for one line each.
    """

    title: str
    conjunctions: tuple[tuple[str, ...], ...]  # as text; an empty one always holds
    cnf: str
    paths: tuple[PathConditions, ...]
    model: FittedTree

    @property
    def text(self) -> str:
        """The disjunction in one line."""
        return " or ".join(self._lines()) or "never"

    def _lines(self) -> list[str]:
        return [f"({joined(each, ' and ') or 'always'})" for each in self.conjunctions]

    def matches(self, X: Any) -> Mask:
        """Which rows of a table meet it, by the conditions themselves."""
        table = self.model.read(X)
        columns = ColumnsWithSums(self.model.tree, table.columns)
        found = np.zeros(table.n_rows, dtype=bool)
        for path in self.paths:
            found |= path.share(columns, table.n_rows) > 0
        return found

    def __len__(self) -> int:
        return len(self.conjunctions)

    def __str__(self) -> str:
        return f"{self.title} if\n   " + ("\nor ".join(self._lines()) or "never")


def normal_form(
    title: str,
    paths: Iterable[PathConditions],
    others: Iterable[PathConditions],
    words: TreeText,
    model: FittedTree,
) -> NormalForm:
    """The form of these paths, made as few as can be; `others` are all other paths through the tree."""
    inside, outside = _fewest(paths), _fewest(others)
    texts = tuple(tuple(condition_text(each, words) for each in path.conditions) for path in inside)
    cnf = [f"({_negated(path, words)})" for path in outside]
    return NormalForm(title, texts, " and ".join(cnf) or "always", inside, model)


def _fewest(paths: Iterable[PathConditions]) -> tuple[PathConditions, ...]:
    return tuple(draft.path for draft in merged(Draft(path, (), ()) for path in paths))


def _negated(path: PathConditions, words: TreeText) -> str:
    """What holds where a path is not taken: a disjunction."""
    found = []
    for each in path.conditions:
        if isinstance(each, SurrogateCondition):
            found.append(f"not: {condition_text(each, words)}")
        else:
            found += [values_text(values, words) for values in each.negated()]
    return joined(found, " or ") or "never"
