"""The paths through a tree: for every node where rows end, the conditions on the path there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..data.schema import ColumnType
from ..data.values import Column
from .tree import SHARED, STOPS, Tree
from .value_sets import (
    Floats,
    ValueSet,
    branch_values,
    meet,
    takes_everything,
    takes_nothing,
    unlisted_levels,
    untested_values,
)


class SurrogateStep(NamedTuple):
    """One surrogate: the values that lead to the branch, and those that it has no branch for."""

    values: ValueSet
    untested: ValueSet


@dataclass(frozen=True)
class SurrogateCondition:
    """What surrogates must decide where the value of a node's own column is missing.

    The first surrogate whose value is known decides; where none is, `otherwise`. Rows with a value in the
    node's own column are let through: the other conditions are about them.
    """

    untested: ValueSet  # the values of the node's own column that it has no branch for
    steps: tuple[SurrogateStep, ...]
    otherwise: bool

    def share(self, columns: Sequence[Column]) -> Floats:
        """1 for every row that is let through, else 0."""
        open_ = self.untested.share(columns[self.untested.feature]) > 0
        holds = ~open_
        for values, untested in self.steps:
            holds |= open_ & (values.share(columns[values.feature]) > 0)
            open_ &= untested.share(columns[untested.feature]) > 0
        return np.asarray(holds | open_ if self.otherwise else holds, dtype=np.float64)


Condition: TypeAlias = ValueSet | SurrogateCondition


@dataclass(frozen=True)
class PathConditions:
    """What a row must meet: one set of values per column, in the order of the tree, then the surrogates."""

    values: dict[int, ValueSet] = field(default_factory=dict)
    surrogates: tuple[SurrogateCondition, ...] = ()

    def then(self, *more: ValueSet) -> PathConditions:
        """The same with further conditions; those of one column become one."""
        found = dict(self.values)
        for each in more:
            found[each.feature] = meet(found.get(each.feature), each)
        return replace(self, values=found)

    @property
    def is_impossible(self) -> bool:
        """Whether no row can meet it."""
        return any(map(takes_nothing, self.values.values()))

    def tidy(self) -> PathConditions:
        """The same without what is always met."""
        needed = {j: each for j, each in self.values.items() if not takes_everything(each)}
        return PathConditions(needed, tuple(each for each in self.surrogates if self._needs(each)))

    def _needs(self, each: SurrogateCondition) -> bool:
        """Whether a row that meets the conditions may lack the value that these surrogates replace."""
        own = self.values.get(each.untested.feature)
        return own is None or not takes_nothing(meet(own, each.untested))

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All that must hold."""
        return (*self.values.values(), *self.surrogates)

    @property
    def n_conditions(self) -> int:
        """How many there are; a range of numbers with two ends counts as two."""
        return sum(each.n_sides for each in self.values.values()) + len(self.surrogates)

    def share(self, columns: Sequence[Column], n_rows: int) -> Floats:
        """The share of every row that takes this path."""
        found = np.ones(n_rows)
        for values in self.values.values():
            found *= values.share(columns[values.feature])
        for each in self.surrogates:
            found *= each.share(columns)
        return found


class RulePath(NamedTuple):
    """A node where rows end, and the path there; `stopped`: only those whose missing value stops them."""

    node: int
    stopped: bool
    path: PathConditions


def paths_of(tree: Tree, is_end: NDArray[np.bool_]) -> Iterator[RulePath]:
    """The paths to all nodes where rows end, also impossible ones; nodes in `is_end` count as leaves."""
    open_ = {0: PathConditions()}
    for node in range(tree.node_count):
        path = open_.pop(node, None)
        if path is None:
            continue
        if is_end[node]:
            yield RulePath(node, False, path)
            continue
        branches = Branches(tree, node)
        if tree.missing_child[node] == STOPS:
            yield RulePath(node, True, branches.stop(path))
        for child in range(int(tree.n_children[node])):
            open_[branches.first + child] = branches.down(path, child)


def path_to(tree: Tree, node: int, *, stops: bool = True) -> PathConditions:
    """The path to one node, whose cost is its depth.

    To an inner node it is that of rows that stop there; with `stops=False` that of all rows that come.
    """
    chain = [node]
    while tree.parent[chain[-1]] >= 0:
        chain.append(int(tree.parent[chain[-1]]))
    path = PathConditions()
    for child, parent in zip(chain[-2::-1], chain[:0:-1], strict=True):
        branches = Branches(tree, parent)
        path = branches.down(path, child - branches.first)
    return Branches(tree, node).stop(path) if stops and tree.n_children[node] else path


class Branches:
    """The test of one node with its surrogates, and what they require of a row on the path to each child."""

    def __init__(self, tree: Tree, node: int) -> None:
        self.tree, self.first = tree, int(tree.first_child[node])
        self.missing = int(tree.missing_child[node])
        tests = [tree.test(node)]
        if tree.surrogates is not None:
            tests += map(tree.surrogates.test, tree.surrogates.of(node))
        self.tests = [(test, _column_of(tree, test.feature)) for test in tests]

    def down(self, path: PathConditions, child: int) -> PathConditions:
        """The path on to a child."""
        (test, column), *surrogates = self.tests
        if not surrogates:
            shared = self.missing == SHARED
            part = float(self.tree.share[self.first + child]) if shared else float(self.missing == child)
            return path.then(branch_values(test, column, child, part, self._unlisted if part else None))
        steps = tuple(
            SurrogateStep(branch_values(*each, child, 0.0), untested_values(*each)) for each in surrogates
        )
        found = SurrogateCondition(untested_values(test, column), steps, otherwise=self.missing == child)
        further = path.then(branch_values(test, column, child, 1.0))
        return replace(further, surrogates=(*path.surrogates, found))

    @cached_property
    def _unlisted(self) -> frozenset[int]:
        return unlisted_levels(*self.tests[0])

    def stop(self, path: PathConditions) -> PathConditions:
        """The path of rows that stop at the node: its test and all surrogates have no branch for them."""
        return path.then(*(untested_values(test, column) for test, column in self.tests))


def _column_of(tree: Tree, feature: int) -> ColumnType:
    """What a column holds; a sum of columns is a number."""
    types = tree.column_types
    return ColumnType() if types is None or feature >= len(types) else types[feature]
