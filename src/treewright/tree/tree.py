"""The tree: parallel read-only arrays with written invariants, and the walks over them.

Node 0 is the root. Nodes are numbered breadth-first, so siblings are adjacent and children come after their
parent: counting up meets a parent before its children, counting down after them. Nothing recurses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from ..data.columns import as_columns
from ..data.common.array_types import Floats, Ints
from .combinations import Combinations, Terms
from .decided import cheapest, named
from .displayed import Displayed
from .flat_arrays import read_only
from .invariants import FLAGS, FOUND_BY, NODE_ARRAYS, SHARED, SOFT, STOPS, UNDEFINED
from .leaf_models import link_of
from .sklearn_names import SklearnNames
from .split_test import SplitTest, exact_number, levels_by_child, select
from .surrogates import LEVEL_ARRAYS, Surrogates
from .walks import climb, rows_behind

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = [
    "FOUND_BY",
    "NODE_ARRAYS",
    "SHARED",
    "STOPS",
    "UNDEFINED",
    "Combinations",
    "LeavesReached",
    "Surrogates",
    "Tree",
    "cheapest",
    "named",
    "tree_from_dict",
]

# What a node that becomes a leaf has in place of a test.
AS_LEAF = {
    "first_child": -1,
    "n_children": 0,
    "feature": UNDEFINED,
    "threshold": UNDEFINED,
    "integer_threshold": 0,
    "integer_exact": 0,
    "missing_child": 0,
    "missing_seen": 0,
    "gain": 0,
    **dict.fromkeys(FLAGS, 0),
    **dict.fromkeys(SOFT, np.nan),
}


class LeavesReached(NamedTuple):
    """The leaves that rows reach, or the inner nodes where they stop.

    A row has several entries where a missing value is divided among branches.
    """

    row: Ints  # rising
    node: Ints
    share: Floats


class Tree(Displayed, SklearnNames):
    """A grown tree. All arrays are read-only; `treewright.tree_check` has what must hold.

    Those with one entry per node come first. A threshold sends x <= threshold to the first child and the rest
    to the second; `strict` makes that x < threshold, and `exact_threshold` is the number to compare with. A
    nominal test, whose threshold is NaN, lists levels and the child that each goes to: `test` has them. A
    level that is not listed counts as missing. A test that combines columns compares a weighted sum of them;
    its feature is n_features + j for sum number j of `combinations`.

    For a missing value the node's surrogates are tried first. If none decides, it goes to the child number
    `missing_child`, which may be a child for missing values alone; or the row ends at this node (-1, STOPS),
    or it goes down every child with that child's `share` (-2, SHARED).
    """

    @property
    def relative_impurity(self) -> Floats:
        """Weight times impurity of every node over that of its parent: what the split left of it.

        NaN for the root, and where the parent is pure.
        """
        mass = self.weighted_n_node_samples * self.impurity
        above = np.where(self.parent < 0, 0.0, mass[self.parent])
        return np.asarray(np.divide(mass, above, out=np.full(self.node_count, np.nan), where=above > 0))

    # -- the tests

    @cached_property
    def is_nominal(self) -> NDArray[np.bool_]:
        """Whether each node tests levels."""
        if not len(self.level_begin):
            return np.zeros(self.node_count, dtype=bool)
        return np.asarray(np.diff(self.level_begin) > 0)

    def exact_threshold(self, node: int) -> float | int:
        """The number that a node compares with: an int where float64 would merge it with its neighbours."""
        exact = len(self.integer_exact) and self.integer_exact[node]
        return exact_number(float(self.threshold[node]), int(self.integer_threshold[node]) if exact else None)

    def test(self, node: int) -> SplitTest:
        """The test of an inner node."""
        listed = slice(*self.level_begin[node : node + 2]) if len(self.level_begin) else slice(0)
        count = int(self.n_children[node])
        return SplitTest(
            int(self.feature[node]),
            self.exact_threshold(node),
            bool(len(self.strict) and self.strict[node]),
            levels=levels_by_child(self.level_code[listed], self.level_child[listed], count),
            terms=self.terms(int(self.feature[node])),
        )

    def terms(self, feature: int) -> Terms:
        """The columns that a test combines, with their coefficients; nothing where it tests one column."""
        if self.combinations is None or feature < self.n_features:
            return ()
        return self.combinations.terms(feature - self.n_features)

    def how(self, node: int) -> str:
        """How the split of a node was found, and whether it is the best of its kind."""
        place = int(self.found_by[node]) if len(self.found_by) else 0
        if self.n_children[node] == 0:
            return "no split"
        if place == 0 and self.is_nominal[node]:
            return "not recorded"
        if FOUND_BY[place] in {"random", "gaussian"}:
            return FOUND_BY[place]  # one of a few proposals
        heuristic = len(self.heuristic) and self.heuristic[node]
        return f"{FOUND_BY[place]}, {'heuristic' if heuristic else 'exact'}"

    # -- prediction

    @cached_property
    def predictor(self) -> _core.Predictor:
        """The core's own layout of the tests. Built on first use, and never pickled."""
        names = ["first_child", "n_children", "integer_threshold", "integer_exact", "strict"]
        names += ["missing_child", "share", "soft_low", "soft_high", *LEVEL_ARRAYS]
        sums = {} if self.combinations is None else self.combinations.arrays()
        combination = (
            np.maximum(self.feature - self.n_features, -1).astype(np.int32) if sums else np.empty(0, np.int32)
        )
        return _core.Predictor(
            feature=np.where(self.is_leaf, -1, self.feature).astype(np.int32),
            combination=combination,
            **{f"combination_{name}": array for name, array in sums.items()},
            threshold=np.where(self.is_leaf, np.nan, self.threshold),
            surrogates=None if self.surrogates is None else self.surrogates.arrays(),
            **{name: getattr(self, name) for name in names},
        )

    @cached_property
    def _linear(self) -> _core.LinearLeaves | None:
        """The models of the leaves in the layout of the core."""
        return None if self.leaf_models is None else self.leaf_models.core(link_of(self))

    @cached_property
    def majority(self) -> Ints:
        """The index of the heaviest class, per node and output; the first of equals."""
        return np.asarray(self.value.argmax(axis=2))

    @cached_property
    def label(self) -> Ints:
        """The index of the class that each node predicts, per output; the first of equals.

        It is the likeliest, or with `costs` the class j of least expected cost: the sum of p_i costs[i, j].
        """
        return cheapest(self.value if len(self.pooled) else self.prediction, self.costs, self.pools)

    @property
    def pools(self) -> bool:
        """Whether rows in several leaves are smoothed once (C5.0); then no class without rows is decided."""
        return bool(len(self.pooled)) and self.pooled[0] > 0

    @cached_property
    def smoothing_decides(self) -> NDArray[np.bool_]:
        """Per node, whether smoothing makes it predict another class than most of its training rows have."""
        if self.n_outputs > 1 or not len(self.estimate) or self.costs is not None:
            return np.zeros(self.node_count, dtype=bool)
        label = self.label[:, 0]
        own = self.value[:, 0]
        return np.asarray(own[np.arange(len(own)), label] < own.max(axis=1))

    @cached_property
    def shares_rows(self) -> bool:
        """Whether a row may end at several nodes: with missing values, or between the ends of a soft test."""
        return bool((self.missing_child == SHARED).any()) or bool(len(self.soft_low))

    def apply(self, X: Any, n_threads: int = 1) -> Ints:
        """The node where every row ends: its leaf, the one of largest share, or the node where it stops."""
        return np.asarray(self.predictor.apply(self._columns(X), n_threads))

    def predict(self, X: Any, n_threads: int = 1) -> Floats:
        """What the node predicts where each row ends, or the mean over its shares.

        The shape is (rows, classes) for one output, else (rows, outputs, classes). If m is `pooled`, not 0,
        the rows n and the values f of a row's leaves are averaged: (n f + m f_root) / (n + m) is predicted.
        """
        columns = self._columns(X)
        if self._linear is not None:
            found = np.asarray(self._linear.predict(self.predictor, columns, n_threads))
            return found if self.n_outputs == 1 else found[..., None]
        if len(self.pooled) and self.pooled[0] and self.shares_rows:
            n, m = self._mean(columns, rows_behind(self)[:, None, None], n_threads), self.pooled[0]
            f = self._mean(columns, self.value, n_threads)
            found = (n * f + m * self.value[0]) / (n + m)
        else:
            found = self._mean(columns, self.prediction, n_threads)
        return np.asarray(found[:, 0] if self.n_outputs == 1 else found)

    def _mean(self, columns: _core.Columns, each: Floats, n_threads: int) -> Floats:
        """What every node has, where each row ends, or the mean over its shares."""
        found = self.predictor.take(columns, each.reshape(self.node_count, -1), n_threads)
        return np.asarray(found).reshape(columns.n_rows, *each.shape[1:])

    @property
    def without_columns(self) -> Floats:
        """What the root predicts, (outputs, classes): of linear leaves the average of its rows."""
        return np.asarray((self.prediction if self.leaf_models is None else self.value)[0])

    @cached_property
    def predicts_nothing(self) -> NDArray[np.bool_]:
        """Whether each node has no prediction at all, as a leaf of ID3 that no training row reached."""
        if self.classes is None:
            return np.zeros(self.node_count, dtype=bool)
        return np.asarray(~self.prediction.any(axis=(1, 2)))

    def labels(self, X: Any, n_threads: int = 1) -> Ints:
        """The index of the class of every row: (rows, outputs). Shared rows get the class of the mean.

        A row that reaches a node without a prediction has -1.
        """
        columns = self._columns(X)
        if self._linear is not None:
            return cheapest(self.predict(columns, n_threads)[:, None], self.costs)
        if not self.shares_rows:
            leaf = self.predictor.apply(columns, n_threads)
            found = self.label[leaf]
            if self.predicts_nothing.any():
                found[self.predicts_nothing[leaf]] = -1
            return np.asarray(found)
        mean = self._mean(columns, self.value if len(self.pooled) else self.prediction, n_threads)
        return cheapest(np.round(mean * 2.0**40) / 2.0**40, self.costs, self.pools)

    def votes(self, X: Any, n_threads: int = 1) -> Floats:
        """For every row the probability of the class that it is predicted to have, and 0 for the others."""
        columns = self._columns(X)
        shares, label = self.predict(columns, n_threads), self.labels(columns, n_threads)
        chosen = label == np.arange(shares.shape[1])
        return np.asarray(np.where(chosen, shares, 0.0))

    def leaves_reached(self, X: Any, n_threads: int = 1) -> LeavesReached:
        """The leaves (or inner nodes where it stops) that every row reaches, with which share of it."""
        columns = self._columns(X)
        shared = self.shares_rows
        node = self.predictor.single_ends(columns, n_threads) if shared else self.apply(columns, n_threads)
        if node is not None:  # every row ends at one leaf
            return LeavesReached(np.arange(len(node)), node, np.ones(len(node)))
        start, node, share = self.predictor.shares(columns, n_threads)
        return LeavesReached(
            np.repeat(np.arange(len(start) - 1), np.diff(start)), node.astype(np.int64), share
        )

    def shares(self, X: Any) -> csr_matrix:
        """The share of every row that ends at each node, as a sparse matrix (rows, nodes)."""
        from scipy.sparse import csr_matrix

        columns = self._columns(X)
        row, node, share = self.leaves_reached(columns)
        return csr_matrix((share, (row, node)), shape=(columns.n_rows, self.node_count))

    def decision_path(self, X: Any, n_threads: int = 1) -> csr_matrix:
        """Which nodes every row passes, with whatever share, as a sparse matrix (rows, nodes) of ones."""
        from scipy.sparse import csr_matrix

        columns = self._columns(X)
        row, at, _ = self.leaves_reached(columns, n_threads)
        last = np.cumsum(self.depth[at] + 1)  # of each path, which is written from its end upwards
        nodes = np.empty(last[-1] if len(last) else 0, dtype=np.int64)
        for step, (going, node) in enumerate(climb(self.parent, at)):
            nodes[last[going] - 1 - step] = node
        start = np.concatenate([[0], last])[np.searchsorted(row, np.arange(columns.n_rows + 1))]
        shape = (columns.n_rows, self.node_count)
        path = csr_matrix((np.ones(len(nodes), dtype=np.int64), nodes, start), shape=shape)
        if self.shares_rows:  # the paths of one row begin alike
            path.sum_duplicates()
            path.data[:] = 1
        return path

    def _columns(self, X: Any) -> _core.Columns:
        return as_columns(X, self.column_types)

    # -- other forms

    def with_estimate(self, estimate: Floats, pooled: Floats | tuple[float, ...] = ()) -> Tree:
        """The same tree with other predictions, one per node; an empty array: its values."""
        made, known = object.__new__(type(self)), self.__dict__
        same = (
            *(each.name for each in fields(self)),
            "parent",
            "depth",
            "predictor",
            "is_nominal",
            "shares_rows",
        )
        made.__dict__.update((name, known[name]) for name in same if name in known)
        for name, array in (("estimate", estimate), ("pooled", pooled)):
            made.__dict__[name] = read_only(array, np.float64)
        return made

    def collapse(self, becomes_leaf: ArrayLike) -> Tree:
        """A new tree in which the marked nodes are leaves and everything below them is gone."""
        cut = np.asarray(becomes_leaf, dtype=bool)
        if cut.shape != (self.node_count,):
            raise ValueError(
                f"collapse needs one mark per node: shape ({self.node_count},). Got {cut.shape}."
            )
        keep = ~self.over_ancestors(np.logical_or, cut)[np.maximum(self.parent, 0)]
        keep[0] = True
        number, stays = np.cumsum(keep) - 1, ~cut & keep
        leaf = (cut | self.is_leaf)[keep]
        kept = {name: getattr(self, name)[keep] for name in NODE_ARRAYS if len(getattr(self, name))}
        kept["first_child"] = number[kept["first_child"]]
        for name in AS_LEAF.keys() & kept.keys():
            kept[name] = np.where(leaf, AS_LEAF[name], kept[name])
        if len(self.level_begin):
            begin, listed = select(self.level_begin, stays, keep)
            kept |= {"level_begin": begin, "level_code": self.level_code[listed]}
            kept["level_child"] = self.level_child[listed]
        if self.surrogates is not None:
            kept["surrogates"] = self.surrogates.renumbered(number, stays)
        if self.leaf_models is not None:
            kept["leaf_models"] = self.leaf_models.kept(keep)
        return replace(self, **kept)

    def to_dict(self) -> dict[str, Any]:
        """The tree as nested dictionaries that can be written as JSON; `from_dict` reads them."""
        from .nested import to_nested

        return to_nested(self)

    @classmethod
    def from_dict(cls, nested: Mapping[str, Any], **names: Any) -> Tree:
        """The tree that nested dictionaries describe; see `tree_from_dict`."""
        return tree_from_dict(nested, **names)

    def __str__(self) -> str:
        from ..present.text.export_text import export_text

        return export_text(self)

    def __repr__(self) -> str:
        return f"Tree({self.node_count} nodes, {self.n_leaves} leaves, depth {self.max_depth})"


def tree_from_dict(
    nested: Mapping[str, Any],
    *,
    feature_names: Any = None,
    n_features: int | None = None,
    classes: Any = None,
) -> Tree:
    """Make a tree from nested dictionaries, as `Tree.to_dict` writes them or as written by hand.

    An inner node is ``{"feature": 0, "threshold": 2.5, "missing": "left", "left": {...}, "right": {...}}``,
    or for a nominal column ``{"feature": 1, "levels": [["a", "b"], ["c"]], "children": [{...}, {...}]}``.
    A test that combines columns has a list of pairs, a column and its coefficient:
    ``"feature": [[0, 2], [1, -1]]``.
    A leaf is ``{"value": ...}``: a number for regression, the shares of the classes for classification, a
    list of such lists for several outputs. A feature may be called by its name if `feature_names` is given.

    "missing" is "left", "right" or the number of a child; "stop": the row ends here; "share": it goes down
    every child, by "shares" or the children's weights; or a node of its own. Without it a missing value goes
    to the child with most rows ("n"), the last of equals. `treewright.tree.nested` lists the other keys.
    """
    from .nested import from_nested

    return from_nested(nested, feature_names=feature_names, n_features=n_features, classes=classes)
