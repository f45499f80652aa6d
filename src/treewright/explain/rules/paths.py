"""The ways through a tree: for every node where rows end, what a row must meet to get there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...data.schema import ColumnType
from ...data.values import Column
from ...tree.split_test import SplitTest
from ...tree.tree import SHARED, STOPS, Tree
from .conditions import Condition, Floats, branch, meet, takes_everything, takes_nothing, unanswered

Columns: TypeAlias = Sequence[Column]


class Step(NamedTuple):
    """One surrogate: what it must say, and for which values it has nothing to say."""

    says: Condition
    silent: Condition


@dataclass(frozen=True)
class StandIns:
    """What other columns must say where a node has no answer for the value in its own column.

    The first surrogate that has an answer decides; where none has, `otherwise`. Rows of which the node knows
    the value are let through: the conditions of the rule speak of them.
    """

    silent: Condition  # the values of the node's own column that it has no answer for
    steps: tuple[Step, ...]
    otherwise: bool

    def share(self, columns: Columns) -> Floats:
        """1 for every row that is let through, else 0."""
        open_ = self.silent.share(columns[self.silent.feature]) > 0
        holds = ~open_
        for says, silent in self.steps:
            holds |= open_ & (says.share(columns[says.feature]) > 0)
            open_ &= silent.share(columns[silent.feature]) > 0
        return np.asarray(holds | open_ if self.otherwise else holds, dtype=np.float64)


Clause: TypeAlias = Condition | StandIns


@dataclass(frozen=True)
class Way:
    """What a row must meet: one condition per column, in the order of the tree, and then the stand-ins."""

    conditions: dict[int, Condition] = field(default_factory=dict)
    stand_ins: tuple[StandIns, ...] = ()

    def then(self, *more: Condition) -> Way:
        """The same with further conditions; those of one column become one."""
        found = dict(self.conditions)
        for condition in more:
            found[condition.feature] = meet(found.get(condition.feature), condition)
        return replace(self, conditions=found)

    @property
    def is_closed(self) -> bool:
        """Whether no row can meet it."""
        return any(map(takes_nothing, self.conditions.values()))

    def tidy(self) -> Way:
        """The same without what is always met."""
        asked = {j: each for j, each in self.conditions.items() if not takes_everything(each)}
        return Way(asked, tuple(each for each in self.stand_ins if self._needs(each)))

    def _needs(self, each: StandIns) -> bool:
        """Whether a row that meets the conditions may lack what the node of these stand-ins asks for."""
        own = self.conditions.get(each.silent.feature)
        return own is None or not takes_nothing(meet(own, each.silent))

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """All that must hold."""
        return (*self.conditions.values(), *self.stand_ins)

    def share(self, columns: Columns, n_rows: int) -> Floats:
        """The share of every row that goes this way."""
        found = np.ones(n_rows)
        for condition in self.conditions.values():
            found *= condition.share(columns[condition.feature])
        for each in self.stand_ins:
            found *= each.share(columns)
        return found


class End(NamedTuple):
    """A node where rows end, and the way there; `stopped`: only those whose missing value stops them."""

    node: int
    stopped: bool
    way: Way


def ends_of(tree: Tree, is_end: NDArray[np.bool_]) -> Iterator[End]:
    """Every end of the tree, also those that no row can reach; nodes in `is_end` are leaves."""
    open_ = {0: Way()}
    extra = set() if tree.surrogates is None else set(tree.surrogates.node.tolist())
    for node in range(tree.node_count):
        way = open_.pop(node, None)
        if way is None:
            continue
        if is_end[node]:
            yield End(node, False, way)
            continue
        if tree.missing_child[node] == STOPS:
            yield End(node, True, way.then(*_nothing_known(tree, node)))
        first, many = int(tree.first_child[node]), int(tree.n_children[node])
        for child in range(many):
            open_[first + child] = _down(tree, way, node, child, node in extra)


def column_of(tree: Tree, feature: int) -> ColumnType:
    """What a column holds."""
    return ColumnType() if tree.column_types is None else tree.column_types[feature]


def _down(tree: Tree, way: Way, node: int, child: int, has_stand_ins: bool) -> Way:
    """The way from a node to one of its children."""
    question, to = tree.test(node), int(tree.missing_child[node])
    column = column_of(tree, question.feature)
    if not has_stand_ins:
        part = float(tree.share[tree.first_child[node] + child]) if to == SHARED else float(to == child)
        return way.then(branch(question, column, child, part))
    steps = tuple(
        Step(branch(each, kind, child, 0.0), unanswered(each, kind)) for each, kind in _surrogates(tree, node)
    )
    found = StandIns(unanswered(question, column), steps, to == child)
    open_way = way.then(branch(question, column, child, 1.0))
    return replace(open_way, stand_ins=(*way.stand_ins, found))


def _nothing_known(tree: Tree, node: int) -> Iterator[Condition]:
    """What a row that stops at a node lacks: an answer to its question, and to those of the surrogates."""
    question = tree.test(node)
    yield unanswered(question, column_of(tree, question.feature))
    for each, column in _surrogates(tree, node):
        yield unanswered(each, column)


def _surrogates(tree: Tree, node: int) -> Iterator[tuple[SplitTest, ColumnType]]:
    extra: Any = tree.surrogates
    for place in range(0) if extra is None else extra.of(node):
        question = extra.test(place)
        yield question, column_of(tree, question.feature)
