"""Fewer rules that say the same: whole subtrees with one prediction, and rules that differ in one column."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...tree.paths import PathConditions
from ...tree.tree import STOPS, Tree
from ...tree.value_sets import NumberRange, ValueSet, join


@dataclass(frozen=True)
class Draft:
    """A rule to be: its path, what it predicts, and the nodes that it was made of (node, stopped)."""

    path: PathConditions
    predicts: tuple[Any, ...]  # one value per output
    nodes: tuple[tuple[int, bool], ...]


def with_one_prediction(tree: Tree, predicts: Sequence[Hashable]) -> NDArray[np.bool_]:
    """The nodes below which all rows get one prediction, leaves included."""
    found = np.array(tree.is_leaf)
    first, count = tree.first_child.tolist(), tree.n_children.tolist()
    below = list(predicts)  # of every marked node, the one prediction below it
    for node in np.flatnonzero(~tree.is_leaf)[::-1].tolist():
        children = range(first[node], first[node] + count[node])
        each = {below[child] for child in children}
        if tree.missing_child[node] == STOPS:
            each.add(predicts[node])
        if len(each) == 1 and found[children.start : children.stop].all():
            found[node], below[node] = True, each.pop()
    return found


def merged(drafts: Iterable[Draft]) -> list[Draft]:
    """Make one rule of rules that predict the same and differ in one column, as long as there are any.

    Since (A and R) or (B and R) is (A or B) and R, the prediction of every row stays as it was.
    """
    found = list(drafts)
    features = sorted({feature for draft in found for feature in draft.path.values})
    before = len(found) + 1
    while len(found) < before:
        before = len(found)
        for feature in features:
            found = _merged_in(found, feature)
    return found


def _merged_in(drafts: list[Draft], feature: int) -> list[Draft]:
    """Merge over the values of one column."""
    unchanged: list[Draft] = []
    groups: dict[Hashable, list[Draft]] = {}
    for draft in drafts:
        if feature not in draft.path.values:
            unchanged.append(draft)
            continue
        rest = frozenset(each for j, each in draft.path.values.items() if j != feature)
        groups.setdefault((draft.predicts, rest, draft.path.surrogates), []).append(draft)
    for group in groups.values():
        unchanged += _joined(group, feature)
    return unchanged


def _joined(group: list[Draft], feature: int) -> list[Draft]:
    """Go from the lowest range to the highest, and join what has no gap between; any two sets of levels."""
    first, *others = sorted(group, key=lambda draft: _place(draft.path.values[feature]))
    found = [first]
    for place, draft in enumerate(others):
        both = join(found[-1].path.values[feature], draft.path.values[feature])
        if both is None:
            found.append(draft)
            continue
        path = replace(found[-1].path, values=found[-1].path.values | {feature: both})
        found[-1] = Draft(path.tidy(), draft.predicts, found[-1].nodes + draft.nodes)
        if feature not in found[-1].path.values:  # every value is let through: there can be no other
            return [*found, *others[place + 1 :]]
    return found


def _place(values: ValueSet) -> tuple[object, ...]:
    """Ranges in their order, last the one that takes only missing values: it joins any."""
    return (values.low, values.high) if isinstance(values, NumberRange) else ()
