"""A rule of every node of a tree, without the conditions that do not help.

The conditions on the path to a node are looked at one by one, also where two are on one column. As long as
the estimated error of the rule does not rise, or the rule is not worth its length, the condition is dropped
without which the error is least; of equal ones the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from ...data.schema import ColumnType
from ...data.values import Column
from ...tree.paths import PathConditions
from ...tree.tree import Tree
from ...tree.value_sets import LevelSet, ValueSet, branch_values
from .length import OF_RULES, Lengths, information

Estimate = Callable[[Floats, Floats], Floats]  # of weight and wrong weight the estimated share of errors


def laplace(weight: Floats, wrong: Floats) -> Floats:
    """The estimate of C5.0: (wrong + 1) / (weight + 2)."""
    return np.asarray((wrong + 1.0) / (weight + 2.0))


@dataclass(frozen=True)
class Rows:
    """The rows that rules are counted on."""

    columns: Sequence[Column]
    codes: Ints  # the class of each row
    weight: Floats

    @property
    def n_rows(self) -> int:
        """How many there are."""
        return len(self.codes)


@dataclass(frozen=True)
class Draft:
    """A rule to choose from."""

    path: PathConditions
    label: int
    mask: Mask  # the rows that meet it
    bits: float  # its length


@dataclass(frozen=True)
class _Place:
    """A node on the way down: the conditions on its path, and how many of them each row fails."""

    node: int
    conditions: tuple[ValueSet, ...]
    masks: tuple[Mask, ...]
    fails: Ints


def drafts_of(tree: Tree, rows: Rows, estimate: Estimate, *, narrow: bool, apart: bool) -> list[Draft]:
    """The rules of all nodes but the root that are worth their length, each once, as the tree is printed.

    `narrow` takes levels out of a condition that no covered row has. `apart` makes one rule per level of a
    leaf with several, where every level has a branch of its own.
    """
    found: dict[tuple[int, frozenset[ValueSet]], Draft] = {}
    lengths = Lengths(rows.columns, tree.n_features)
    for place in _places(tree, rows, apart):
        if not place.conditions or tree.predicts_nothing[place.node]:
            continue
        if tree.weighted_n_node_samples[place.node] <= 0:
            continue
        label = _label(tree, place.node)
        kept = _generalised(place, rows, rows.codes == label, estimate, lengths)
        if not kept:
            continue
        path = PathConditions().then(*(place.conditions[k] for k in kept))
        mask = np.all([place.masks[k] for k in kept], axis=0)
        if narrow:
            path = _narrowed(path, rows.columns, mask)
        draft = Draft(path, label, mask, lengths.of_rule(path.values.values()))
        found.setdefault((label, frozenset(path.values.values())), draft)
    return list(found.values())


def _label(tree: Tree, node: int) -> int:
    """The class of a node; of equally frequent ones the first."""
    label, counts = int(tree.label[node, 0]), np.asarray(tree.value[node, 0])
    most = np.flatnonzero(counts >= counts.max() * (1 - 1e-9))
    return int(most[0]) if label in most else label


def _places(tree: Tree, rows: Rows, apart: bool) -> Iterator[_Place]:
    """The nodes from the root down, the first child first; masks are kept for the present path alone."""
    stack = [_Place(0, (), (), np.zeros(rows.n_rows, dtype=np.int32))]
    while stack:
        place = stack.pop()
        yield place
        below: list[_Place] = []
        for child, values in _branches(tree, place.node, apart):
            mask = np.asarray(values.share(rows.columns[values.feature]) == 1)
            conditions, masks = (*place.conditions, values), (*place.masks, mask)
            below.append(_Place(child, conditions, masks, place.fails + ~mask))
        stack += below[::-1]


def _branches(tree: Tree, node: int, apart: bool) -> Iterator[tuple[int, ValueSet]]:
    """The children of a node, each with the values that lead there; a missing value goes one way or none."""
    count, first = int(tree.n_children[node]), int(tree.first_child[node])
    if not count:
        return
    test = tree.test(node)
    types = tree.column_types
    column = ColumnType() if types is None or test.feature >= len(types) else types[test.feature]
    for child in range(count):
        values = branch_values(test, column, child, float(tree.missing_child[node] == child))
        if values.takes_no_value and not values.missing:
            continue
        if apart and isinstance(values, LevelSet) and tree.is_leaf[first + child]:
            for code in sorted(values.codes):
                yield first + child, replace(values, codes=frozenset([code]))
        else:
            yield first + child, values


def _generalised(place: _Place, rows: Rows, hit: Mask, estimate: Estimate, lengths: Lengths) -> list[int]:
    """The numbers of the conditions that stay; none if no rule is worth its length."""
    kept, fails = list(range(len(place.masks))), place.fails.copy()
    wrong = np.where(hit, 0.0, rows.weight)
    total, of_class = float(rows.weight.sum()), float(rows.weight[hit].sum())
    covered = fails == 0
    weight, errors = float(rows.weight[covered].sum()), float(wrong[covered].sum())
    least = float(estimate(np.array([weight]), np.array([errors]))[0])
    while kept:
        once = np.flatnonzero(fails == 1)  # rows that a rule without one condition would cover
        failed = np.array([~place.masks[k][once] for k in kept], dtype=np.float64)
        weights, wrongs = weight + failed @ rows.weight[once], errors + failed @ wrong[once]
        rates = estimate(weights, wrongs)
        best = int(np.flatnonzero(rates <= rates.min() * (1 + 1e-12))[-1])
        if rates[best] > least * (1 + 1e-12):
            bits = lengths.of_rule(place.conditions[k] for k in kept)
            saved = information(weight, errors, total, of_class)
            if saved > 0 and saved >= OF_RULES * bits:
                break
        least, weight, errors = float(rates[best]), float(weights[best]), float(wrongs[best])
        fails -= ~place.masks[kept.pop(best)]
    return kept


def _narrowed(path: PathConditions, columns: Sequence[Column], mask: Mask) -> PathConditions:
    """The conditions without levels that no row of the rule has."""
    values = dict(path.values)
    for place, each in path.values.items():
        if isinstance(each, LevelSet) and len(each.codes) > 1:
            seen = frozenset(np.unique(columns[place].values[mask]).tolist())
            values[place] = replace(each, codes=(each.codes & seen) or each.codes)
    return replace(path, values=values)
