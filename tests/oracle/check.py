"""The checker: walks a grown tree with the rows of each node and demands that every node is as defined."""

from dataclasses import replace
from typing import Any

import numpy as np

from tests.oracle.budget import budget_fault
from tests.oracle.choice import best_split, worth_it
from tests.oracle.grow import make_children, root_of
from tests.oracle.growth import Growth
from tests.oracle.reading import Arrays, entry, read_split, read_surrogates
from tests.oracle.route import Routed
from tests.oracle.search import GRID, Node, missing_rows, sides_of, stays_leaf
from tests.oracle.split_check import Candidate, SplitCheck
from tests.oracle.splits import Split
from tests.oracle.table import Table
from tests.oracle.thresholds import threshold_fault
from tests.oracle.tree import impurity, value
from treewright.tree.invariants import FOUND_BY


class WrongTreeError(AssertionError):
    """A node is not what its rows require."""


class Check:
    """One tree under one pair of eyes."""

    def __init__(self, table: Table, growth: Growth, tree: Arrays, counts: bool) -> None:
        self.table, self.growth, self.tree, self.counts = table, growth, tree, counts
        self.fractional = growth.missing == "fractional"
        self.place = "the root"

    def demand(self, holds: bool, sentence: str) -> None:
        """Raise the sentence unless it holds."""
        if not holds:
            raise WrongTreeError(f"At {self.place} {sentence}.")

    def same(self, name: str, found: Any, wanted: Any, tolerance: float = 0.0) -> None:
        """Demand equal numbers."""
        tolerance = max(tolerance, 1e-6 if self.fractional and tolerance else 0.0)
        found, wanted = np.asarray(found), np.asarray(wanted)
        holds = found.shape == wanted.shape and np.allclose(found, wanted, rtol=tolerance, atol=tolerance)
        self.demand(holds, f"{name} is {found.tolist()}, the oracle says {wanted.tolist()}")

    def numbers(self, i: int, node: Node) -> None:
        """What is counted of the node's rows."""
        table, tree = self.table, self.tree
        weight = float(table.shared(node.shares).weight(node.rows))
        self.same("n_node_samples", tree["n_node_samples"][i], len(node.rows))
        weighted = tree["weighted_n_node_samples"][i]
        self.same("weighted_n_node_samples", weighted, weight, 1e-9 if self.fractional else 0.0)
        self.same("impurity", tree["impurity"][i], impurity(table, self.growth, node), 1e-9)
        if self.fractional and self.growth.criterion == "absolute_error":
            self.medians(i, node)
        else:
            self.same("value", tree["value"][i], value(table, self.growth, node), 1e-9)
        if self.growth.monotonic:
            self.same("lower and upper", [tree[name][i] for name in ("lower", "upper")], node.bounds, 1e-12)

    def medians(self, i: int, node: Node) -> None:
        """Where the rounding of shares may move a median from one side of the middle to the other."""
        table = self.table.shared(node.shares)
        half = table.weight(node.rows) / 2
        for k, y in enumerate(table.outputs):
            m = self.tree["value"][i][k][0]
            below = table.weight([r for r in node.rows if float(y[r]) < m - 1e-9])
            above = table.weight([r for r in node.rows if float(y[r]) > m + 1e-9])
            self.demand(max(below, above) <= half + GRID, f"the value of output {k}, {m}, is no median")

    def leaf(self, node: Node) -> None:
        """A leaf must have no split, or none that is worth it; `node.best` keeps what a budget refused."""
        if self.growth.draws or stays_leaf(self.table, self.growth, node) or self.almost_too_small(node):
            return
        best = SplitCheck(self.table, self.growth, node).surely_found()
        if best is None or not worth_it(self.table, self.growth, best):
            return
        refused = self.growth.max_leaf_nodes > 0
        self.demand(refused, f"the tree stops; the oracle has {best.split}, which gains {float(best.gain)}")
        by_column = self.growth.criterion == "gain_ratio" or self.growth.level_correction
        node.best = best_split(self.table, self.growth, node) if by_column else best

    def almost_too_small(self, node: Node) -> bool:
        """Whether the rounding of shares may keep the node whole."""
        weight = self.table.shared(node.shares).weight(node.rows)
        limits = (self.growth.min_samples_split, 2 * self.growth.min_samples_leaf)
        return self.fractional and weight <= max(limits) + GRID

    def split(self, i: int, node: Node) -> Candidate:
        """The test of an inner node: feasible, and none should have been preferred."""
        self.demand(not stays_leaf(self.table, self.growth, node), "the tree splits what must stay whole")
        read = read_split(self.tree, i)
        self.demand(0 <= read.feature < len(self.table.columns), f"column {read.feature} is split")
        self.same("whether levels are listed", bool(read.levels), read.feature in self.table.nominal)
        split_check = SplitCheck(self.table, self.growth, node)
        gone = missing_rows(self.table, node, read.feature)
        counted = replace(read, missing=None) if self.growth.counts_known_only or not gone else read
        found = split_check.find(counted, sides_of(self.table, node, counted))
        self.demand(found is not None, f"{read} is not one of the feasible splits")
        assert found is not None
        self.how_found(i, split_check, found)
        if not self.growth.draws:
            heuristic = bool(entry(self.tree, "heuristic", i))
            better = split_check.better_in_column(found, heuristic) or split_check.better_column(found)
            scores = f"{found.scored.score}, {better.scored.score if better else 0}"
            self.demand(
                better is None, f"{read} is not best: {better and better.scored.split} (scores {scores})"
            )
            values = [self.table.columns[read.feature][r] for r in node.rows]
            fault = threshold_fault(self.growth.thresholds, values, read, found.scored.split)
            self.demand(fault is None, fault or "")
        return found

    def how_found(self, i: int, split_check: SplitCheck, found: Candidate) -> None:
        """What the tree says about the search that found its split."""
        how = FOUND_BY[entry(self.tree, "found_by", i)]
        drawn = {self.growth.splitter} if self.growth.draws else set()
        if not found.scored.split.levels:
            self.demand(how in drawn | {"every cut"}, f"a threshold was found by {how!r}")
        elif not found.scored.split.missing_alone and not drawn:
            subset = {"order of levels", "sweep", "every subset", "principal component"}
            allowed = subset if self.growth.nominal_splits == "subset" else {"every level"}
            self.demand(how in allowed, f"levels were divided by {how!r}")
            heuristic = bool(entry(self.tree, "heuristic", i))
            sure = split_check.proven(found.rank[0])
            self.demand(not (heuristic and sure), "the split is called heuristic, but it must be proven")

    def missing(self, i: int, node: Node, read: Split, routed: Routed) -> None:
        """Where missing values go, by surrogates, by shares or as one."""
        self.same(
            "missing_seen", self.tree["missing_seen"][i], bool(missing_rows(self.table, node, read.feature))
        )
        self.same("missing_child", read.missing, routed.missing_child)
        first = int(self.tree["first_child"][i])
        for k, share in enumerate(routed.child_shares if self.fractional else ()):
            self.same(f"share of child {k}", self.tree["share"][first + k], float(share), 1e-9)
        found = read_surrogates(self.tree, i)
        self.same("number of surrogates", len(found), len(routed.surrogates))
        for k, (a, b) in enumerate(zip(found, routed.surrogates, strict=True)):
            same = (a.split.feature, a.split.levels, a.reversed) == (
                b.split.feature,
                b.split.levels,
                b.reversed,
            )
            same &= bool(a.split.levels) or a.split.threshold == b.split.threshold
            self.demand(same, f"surrogate {k} is {a}, the oracle says {b}")
            self.same(f"agreement of surrogate {k}", float(a.agreement), float(b.agreement), 1e-12)
            self.same(f"adjusted agreement of surrogate {k}", float(a.adjusted), float(b.adjusted), 1e-9)

    def run(self) -> None:
        """Walk the tree by level, as its nodes are numbered."""
        nodes, n_born = [root_of(self.table)], 1
        for i, node in enumerate(nodes):
            self.place = "the root" if not node.path else f"the node {'.'.join(map(str, node.path))}"
            if self.counts:
                self.numbers(i, node)
            n = int(self.tree["n_children"][i])
            self.same("first_child", self.tree["first_child"][i], n_born if n else -1)
            if not n:
                self.leaf(node)
                continue
            found = self.split(i, node)
            node.best = found.scored
            routed = make_children(self.table, self.growth, node, n_born)
            self.same("n_children", n, len(node.children))
            self.missing(i, node, read_split(self.tree, i), routed)
            if self.counts:
                self.same("gain", self.tree["gain"][i], float(found.scored.gain), 1e-9)
            nodes += node.children
            n_born += n
        self.place = "the end"
        self.same("number of nodes", len(self.tree["n_children"]), len(nodes))
        if self.growth.max_leaf_nodes > 0:
            fault = budget_fault(self.table, self.growth, nodes[0])
            self.demand(fault is None, fault or "")


def check_tree(table: Table, growth: Growth, tree: Arrays, counts: bool = True) -> None:
    """Raise a WrongTreeError, with a sentence, where the tree is not as the definitions have it.

    counts=False looks at its tests only: then the tree may have been grown with other weights.
    """
    Check(table, growth, tree, counts).run()
