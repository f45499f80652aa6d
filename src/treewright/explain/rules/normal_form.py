"""A class, or all but a class, as a disjunction of conjunctions; and by De Morgan as the reverse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...tree.tree_text import TreeText
from .cuts import Mask
from .merging import Draft, merged
from .paths import Clause, StandIns, Way
from .reading import read
from .rule import joined
from .text import clause_text, condition_text


@dataclass(frozen=True)
class NormalForm:
    """When a class is decided, or is not: one of the conjunctions holds, and never two of them.

    `text` is "(a and b) or (c)", `cnf` says the same as "(d or e) and (f)"; print it for one line each.
    """

    title: str
    conjunctions: tuple[tuple[str, ...], ...]  # in words; an empty one always holds
    cnf: str
    ways: tuple[Way, ...]
    words: TreeText
    names: Sequence[Any] | None  # of the columns at fit

    @property
    def text(self) -> str:
        """The disjunction in one line."""
        return " or ".join(self._lines()) or "never"

    def _lines(self) -> list[str]:
        return [f"({joined(each, ' and ') or 'always'})" for each in self.conjunctions]

    def matches(self, X: Any) -> Mask:
        """Which rows of a table meet it, by the conditions themselves."""
        table = read(X, self.words.tree, self.names)
        found = np.zeros(table.n_rows, dtype=bool)
        for way in self.ways:
            found |= way.share(*table) > 0
        return found

    def __len__(self) -> int:
        return len(self.conjunctions)

    def __str__(self) -> str:
        return f"{self.title} if\n   " + ("\nor ".join(self._lines()) or "never")


def normal_form(
    title: str, ways: Iterable[Way], others: Iterable[Way], words: TreeText, names: Sequence[Any] | None
) -> NormalForm:
    """The form of these ways, made as few as can be; `others` are all other ways through the tree."""
    inside, outside = _fewest(ways), _fewest(others)
    texts = tuple(tuple(clause_text(clause, words) for clause in way.clauses) for way in inside)
    clauses = [f"({_negated(way, words)})" for way in outside]
    return NormalForm(title, texts, " and ".join(clauses) or "always", inside, words, names)


def _fewest(ways: Iterable[Way]) -> tuple[Way, ...]:
    return tuple(draft.way for draft in merged(Draft(way, True, ()) for way in ways))


def _negated(way: Way, words: TreeText) -> str:
    """What holds where a way is not taken: a disjunction."""
    found = [text for clause in way.clauses for text in _opposites(clause, words)]
    return joined(found, " or ") or "never"


def _opposites(clause: Clause, words: TreeText) -> list[str]:
    if isinstance(clause, StandIns):
        return [f"not: {clause_text(clause, words)}"]
    return [condition_text(each, words) for each in clause.negated()]
