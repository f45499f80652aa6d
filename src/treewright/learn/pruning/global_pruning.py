"""Global pruning, as C5.0 does it: of the tree as a whole the cheapest branches go, up to a standard error.

E is the weight of the rows that the tree predicts wrongly, of N in all. A branch costs the errors that its
node would make as a leaf beyond its own, shared by the leaves that go. The branches that cost least go, all
of them if several do, as long as all that was paid is at most k sqrt(E (1 - E / N)).
"""

from __future__ import annotations

import heapq
from math import sqrt

import numpy as np

from ...data.common.array_types import Mask
from ...tree.tree import Tree
from ...tree.walks import sum_below
from .risk import stopped_risk
from .rows import Rows

TIED = 1e-9  # costs per leaf this close are equal
EMPTY = 1e-4  # a leaf of less weight has no rows


def within_error(tree: Tree, rows: Rows | None, k: float) -> Mask:
    """The nodes to cut. Without rows, E is what the leaves count as errors.

    That is the same unless rows are shared out among leaves.
    """
    count = Counted(tree)
    wrong = float(count.branch[0]) if rows is None else wrong_rows(tree, rows)
    total = float(tree.weighted_n_node_samples[0])
    limit = k * sqrt(max(wrong * (1.0 - wrong / total), 0.0)) if total > 0 else 0.0
    cut = np.zeros(tree.node_count, dtype=bool)
    spent = 0.0
    while True:
        least = count.cheapest(limit - spent)
        price = sum(count.extra(node) for node in count.highest(least))
        if not least or spent + price > limit:
            return cut
        for node in count.highest(least):
            count.cut(node)
            cut[node] = True
        spent += price


def wrong_rows(tree: Tree, rows: Rows) -> float:
    """The weight of the rows for which the tree predicts another class, as a mean over outputs."""
    return float((rows.weight[:, None] * (tree.labels(rows.columns) != rows.y)).sum() / tree.n_outputs)


class Counted:
    """Errors and leaves below every node while branches are cut; a heap has the costs of a leaf's removal."""

    def __init__(self, tree: Tree) -> None:
        self.parent: list[int] = tree.parent.tolist()
        leaf = tree.is_leaf
        # The program counts in single precision, which decides between branches of equal cost.
        weight = tree.weighted_n_node_samples.astype(np.float32)
        right = np.take_along_axis(tree.value, tree.label[:, :, None], axis=2).mean(axis=(1, 2))
        errors = weight - (tree.weighted_n_node_samples * right).astype(np.float32)
        self.errors: list[float] = errors.astype(np.float64).tolist()
        own = np.where(leaf, errors, stopped_risk(tree, "error")).astype(np.float64)
        self.branch: list[float] = sum_below(tree, own).tolist()
        some = leaf & (tree.weighted_n_node_samples >= EMPTY)  # a leaf without rows is none
        self.leaves: list[int] = sum_below(tree, some.astype(np.int64)).tolist()
        self.gone = leaf.tolist()  # is a leaf, or below one
        self.first, self.n_children = tree.first_child.tolist(), tree.n_children.tolist()
        self.heap = [(self.cost(node), node) for node in np.flatnonzero(~leaf).tolist()]
        heapq.heapify(self.heap)

    def extra(self, node: int) -> float:
        """The errors that a node would make as a leaf beyond those of its branch."""
        return self.errors[node] - self.branch[node]

    def cost(self, node: int) -> float:
        """What every leaf that goes costs."""
        return self.extra(node) / max(self.leaves[node] - 1, 1)

    def cheapest(self, left: float) -> list[int]:
        """The nodes of least cost among those that cost no more than what is left, taken off the heap.

        What costs too much now never costs less: what is cut below it is paid for by then.
        """
        found: list[int] = []
        least = 0.0
        while self.heap and (not found or self.heap[0][0] <= least + TIED):
            cost, node = heapq.heappop(self.heap)
            if self.gone[node] or cost != self.cost(node) or self.extra(node) > left or node in found:
                continue  # an entry from before something was cut, or too dear
            least = cost if not found else least
            found.append(node)
        return found

    def highest(self, nodes: list[int]) -> list[int]:
        """Those of the nodes that are not below another one of them."""
        among, found = set(nodes), []
        for node in sorted(nodes):
            above = self.parent[node]
            while above >= 0 and above not in among:
                above = self.parent[above]
            if above < 0:
                found.append(node)
        return found

    def cut(self, node: int) -> None:
        """Make a node a leaf, and update its ancestors."""
        extra, fewer = self.extra(node), self.leaves[node] - 1
        below = [node]
        for at in below:
            self.gone[at] = True
            below += range(self.first[at], self.first[at] + self.n_children[at])
        while node >= 0:
            self.branch[node] += extra
            self.leaves[node] -= fewer
            if not self.gone[node]:
                heapq.heappush(self.heap, (self.cost(node), node))
            node = self.parent[node]
