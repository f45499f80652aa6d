"""Raising as C5.0 does it: the raised test stays, and what is below it is grown anew on the rows that came.

A branch that was made for a few of the rows may not suit all of them. Only a child that has a test, and not
too few of the rows, is raised; none that asks for the same number as its parent, which would change little.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.oracle.raising import EQUAL, Held, Raiser, Routed, sent
from treewright.data.common.array_types import Floats, Ints
from treewright.learn.pruning.pieces import side_by_side
from treewright.learn.pruning.raising import ErrorOptions
from treewright.learn.pruning.rebuild import KEEP, gather
from treewright.learn.pruning.rows import Rows
from treewright.tree.tree import Tree

LEAST_SHARE = 0.1  # of its parent's weight: a lighter child is not raised
AS_IT_IS = 0.95  # of its parent's weight: a heavier child is raised with its branch


class Regrower(Raiser):
    """The tree as it stands; branches that were grown meanwhile are behind the old nodes, as more nodes."""

    def __init__(
        self,
        tree: Tree,
        rows: Rows,
        decision: Ints,
        error_options: ErrorOptions,
        grow: Callable[[Ints, Floats], Tree],
    ) -> None:
        self.grow = grow  # from rows and their weights
        self.moved: dict[int, int] = {}  # the node of a new branch that stands in the place of another
        self.asked: dict[int, set[str]] = {}  # the tests that stood in the place of a node before
        self.n_old = tree.node_count  # nodes from here on were grown meanwhile
        super().__init__(tree, rows, decision, error_options)

    def standing(self) -> tuple[Tree, Ints, int]:
        """The tree as it stands, not counted; the number of each node; and how many were raised."""
        order, place = self._standing(0)
        inner = np.array([self._is_inner(at) for at in order])
        numbers = np.array(order, dtype=np.int64)
        tree = gather(self.tree, numbers, np.array(place, dtype=np.int64), inner)
        return tree, numbers, sum(self.decision[at] >= 0 for at in place)

    def _taker(self, node: int) -> int:
        while True:
            if node in self.moved:
                node = self.moved[node]
            elif self.decision[node] >= 0:
                node = self.first[node] + self.decision[node]
            else:
                return node

    def _weight(self, node: int) -> float:
        return float(self.counts[node, 0].sum())

    def _candidate(self, node: int) -> int | None:
        """The heaviest child that has a test, the last of equals; not one that stood here before."""
        found = None
        for k, at in enumerate(self._children(node)):
            if self._is_inner(at) and (found is None or self._weight(at) >= self._weight(found[1]) - EQUAL):
                found = k, at
        if found is None or self._weight(found[1]) < LEAST_SHARE * self._weight(node):
            return None
        test = self.tree.test(found[1])
        same = not test.is_nominal and test.feature == self.tree.feature[node]
        return None if same or repr(test) in self.asked.get(node, set()) else found[0]

    def _raise(self, node: int, child: int, routed: Routed) -> list[int]:
        taker = routed.order[0]
        # Branches grow anew, so two tests could take turns for ever.
        before = self.asked.get(node, set()) | {repr(self.tree.test(node))}
        if self._weight(taker) >= AS_IT_IS * self._weight(node):
            self.asked[taker] = before
            return super()._raise(node, child, routed)
        held = self._rows_at(node)
        top, parts = self._divided(taker, held)
        grown = {k: tree for k, part in enumerate(parts) if (tree := self._grown(part)) is not None}
        self._forget(node)
        self.decision[node] = child
        roots = self._take_in([top, *grown.values()])
        self.moved[node], self.asked[roots[0]] = roots[0], before
        for k, root in zip(grown, roots[1:], strict=True):
            self.moved[roots[0] + 1 + k] = root
        again = self._route(roots[0], held)
        self._settle(again)
        return [at for at in again.order if self._is_inner(at)]

    def _divided(self, node: int, held: Held) -> tuple[Tree, list[Held]]:
        """The test of a node over leaves, and the rows that each of these gets."""
        place = [node, *range(self.first[node], self.first[node] + self.n_children[node])]
        numbers, inner = np.array(place), np.arange(len(place)) == 0
        top = gather(self.tree, numbers, numbers, inner)
        at_end = sent(top, self.rows, held)
        parts = []
        for leaf in range(1, len(place)):
            here = at_end.node == leaf
            parts.append((at_end.row[here], at_end.weight[here]))
        return top, parts

    def _grown(self, held: Held) -> Tree | None:
        """The tree of some rows; None where there is nothing to tell apart."""
        row, weight = held
        if len(row) == 0 or (self.rows.y[row] == self.rows.y[row[0]]).all():
            return None
        order = np.argsort(row)
        tree = self.grow(row[order], weight[order])
        return tree if tree.node_count > 1 else None

    def _take_in(self, trees: list[Tree]) -> list[int]:
        """Put trees behind the nodes that are there; the numbers of their roots."""
        n_before = self.tree.node_count
        self.tree, starts = side_by_side([self.tree, *trees])
        more = self.tree.node_count - n_before
        self.first, self.n_children = self.tree.first_child.tolist(), self.tree.n_children.tolist()
        self.decision += [KEEP] * more
        self.expected += [0.0] * more
        self.as_leaf += [0.0] * more
        empty: Floats = np.zeros((more, *self.counts.shape[1:]))
        self.counts = np.concatenate([self.counts, empty])
        return starts[1:]
