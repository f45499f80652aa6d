"""Fewer rules that say the same: whole subtrees that decide alike, and rules that differ in one column."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...tree.tree import STOPS, Tree
from .conditions import Condition, Range, join
from .paths import Way


@dataclass(frozen=True)
class Draft:
    """A rule to be: its way, what it decides, and the ends that it was made of (node, stopped)."""

    way: Way
    decides: Hashable
    ends: tuple[tuple[int, bool], ...]


def alike(tree: Tree, decides: Sequence[Hashable]) -> NDArray[np.bool_]:
    """The nodes below which all rows get one decision, leaves included."""
    found = np.array(tree.is_leaf)
    first, count = tree.first_child.tolist(), tree.n_children.tolist()
    below = list(decides)  # of every marked node, the one decision below it
    for node in np.flatnonzero(~tree.is_leaf)[::-1].tolist():
        children = range(first[node], first[node] + count[node])
        said = {below[child] for child in children}
        if tree.missing_child[node] == STOPS:
            said.add(decides[node])
        if len(said) == 1 and found[children.start : children.stop].all():
            found[node], below[node] = True, said.pop()
    return found


def merged(drafts: Iterable[Draft]) -> list[Draft]:
    """Make one rule of rules that decide alike and differ in one column, as long as there are any.

    Since (A and R) or (B and R) is (A or B) and R, every row is decided as before.
    """
    found = list(drafts)
    features = sorted({feature for draft in found for feature in draft.way.conditions})
    before = len(found) + 1
    while len(found) < before:
        before = len(found)
        for feature in features:
            found = _merged_in(found, feature)
    return found


def _merged_in(drafts: list[Draft], feature: int) -> list[Draft]:
    """Merge over the conditions of one column."""
    kept: list[Draft] = []
    groups: dict[Hashable, list[Draft]] = {}
    for draft in drafts:
        if feature not in draft.way.conditions:
            kept.append(draft)
            continue
        rest = frozenset(each for j, each in draft.way.conditions.items() if j != feature)
        groups.setdefault((draft.decides, rest, draft.way.stand_ins), []).append(draft)
    for group in groups.values():
        kept += _joined(group, feature)
    return kept


def _joined(group: list[Draft], feature: int) -> list[Draft]:
    """Go from the lowest range to the highest, and join what has no gap between; any two sets of levels."""
    first, *others = sorted(group, key=lambda draft: _place(draft.way.conditions[feature]))
    found = [first]
    for draft in others:
        one, other = found[-1].way.conditions[feature], draft.way.conditions[feature]
        both = join(one, other)
        if both is None:
            found.append(draft)
            continue
        way = replace(found[-1].way, conditions=found[-1].way.conditions | {feature: both})
        found[-1] = Draft(way.tidy(), draft.decides, found[-1].ends + draft.ends)
        if feature not in found[-1].way.conditions:  # every value is let through: there can be no other
            return [*found, *others[others.index(draft) + 1 :]]
    return found


def _place(condition: Condition) -> tuple[object, ...]:
    """Ranges in their order, last the one that takes only missing values: it joins any."""
    return (condition.low, condition.high) if isinstance(condition, Range) else ()
