"""The tree: parallel read-only arrays with written invariants, and the walks over them.

Node 0 is the root. Nodes are numbered breadth-first, so siblings are adjacent and children come after their
parent: counting up meets a parent before its children, counting down after them. Nothing recurses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .columns import as_columns

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

UNDEFINED = -2  # scikit-learn's mark of a leaf in `feature` and `threshold`

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Labels = NDArray[Any]

# The arrays with one entry per node, and their types; those in OPTIONAL may also be empty.
NODE_ARRAYS: dict[str, type] = {
    "first_child": np.int32,
    "n_children": np.int32,
    "feature": np.int32,
    "threshold": np.float64,
    "integer_threshold": np.int64,
    "integer_exact": np.uint8,
    "missing_child": np.uint8,
    "missing_seen": np.uint8,
    "n_node_samples": np.int64,
    "weighted_n_node_samples": np.float64,
    "impurity": np.float64,
    "gain": np.float64,
    "value": np.float64,
    "lower": np.float64,
    "upper": np.float64,
}
OPTIONAL = ("integer_threshold", "integer_exact", "lower", "upper")


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """A grown tree. All arrays are read-only, with one entry per node; see `check` for what must hold.

    A row goes to the first child where x <= threshold, else to the second; a missing value goes to the child
    number `missing_child`. Where `integer_exact` is set the node compares with `integer_threshold` instead:
    see `exact_threshold`.
    """

    first_child: NDArray[np.int32]  # -1 for a leaf
    n_children: NDArray[np.int32]
    feature: NDArray[np.int32]  # -2 for a leaf
    threshold: Floats  # -2.0 for a leaf
    integer_threshold: Ints
    integer_exact: NDArray[np.uint8]
    missing_child: NDArray[np.uint8]
    missing_seen: NDArray[np.uint8]  # whether the split column had missing values here while growing
    n_node_samples: Ints
    weighted_n_node_samples: Floats
    impurity: Floats
    gain: Floats  # weight times impurity of the node less that of its children; 0 for a leaf
    value: Floats  # (nodes, outputs, classes): shares of the classes; one number for regression
    lower: Floats  # bounds of the value under monotone constraints
    upper: Floats
    n_features: int
    n_classes: Ints  # per output; 1 for regression
    feature_names: tuple[str, ...] | None = None
    classes: Labels | tuple[Labels, ...] | None = None  # as `classes_` of the classifier

    def __post_init__(self) -> None:
        for name, dtype in (*NODE_ARRAYS.items(), ("n_classes", np.int64)):
            view: NDArray[Any] = np.ascontiguousarray(getattr(self, name), dtype=dtype).view()
            view.flags.writeable = False
            object.__setattr__(self, name, view)
        check(self)

    # -- sizes and shape

    @property
    def node_count(self) -> int:
        """How many nodes there are, leaves included."""
        return len(self.first_child)

    @property
    def capacity(self) -> int:
        """The nodes that there is room for: as many as there are."""
        return self.node_count

    @property
    def n_leaves(self) -> int:
        """How many leaves there are."""
        return int(np.count_nonzero(self.is_leaf))

    @property
    def max_depth(self) -> int:
        """The number of tests on the longest path; 0 for a root alone."""
        return int(self.depth.max())

    @property
    def n_outputs(self) -> int:
        """How many targets a leaf predicts."""
        return int(self.value.shape[1])

    @property
    def max_n_classes(self) -> int:
        """The greatest number of classes of an output; 1 for regression."""
        return int(self.value.shape[2])

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Whether a walk ends at each node."""
        return np.asarray(self.n_children == 0)

    @cached_property
    def parent(self) -> Ints:
        """The parent of every node; -1 for the root."""
        inner = np.flatnonzero(self.n_children)
        return np.concatenate([[-1], np.repeat(inner, self.n_children[inner])])

    @cached_property
    def depth(self) -> Ints:
        """The number of tests above every node."""
        steps = np.ones(self.node_count, dtype=np.int64)
        steps[0] = 0
        return self.over_ancestors(np.add, steps)

    def over_ancestors(
        self, combine: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]], start: NDArray[Any]
    ) -> NDArray[Any]:
        """Combine `start` along the way from every node to the root, both ends included.

        Each round doubles the stretch that a node has seen, so a chain of n nodes takes log2(n) rounds. The
        root may enter more than once: its entry must not matter when repeated.
        """
        seen, jump = start, np.maximum(self.parent, 0)
        while True:
            seen = combine(seen, seen[jump])
            if not jump.any():
                return seen
            jump = jump[jump]

    # -- scikit-learn's names

    @property
    def children_left(self) -> Ints:
        """The first child of every node; -1 for a leaf."""
        self.must_be_binary("children_left")
        return self.first_child.astype(np.int64)

    @property
    def children_right(self) -> Ints:
        """The second child of every node; -1 for a leaf."""
        self.must_be_binary("children_right")
        return np.where(self.is_leaf, -1, self.first_child.astype(np.int64) + 1)

    @property
    def missing_go_to_left(self) -> NDArray[np.uint8]:
        """1 where missing values go to the first child."""
        self.must_be_binary("missing_go_to_left")
        return np.asarray((self.missing_child == 0) & ~self.is_leaf, dtype=np.uint8)

    def must_be_binary(self, name: str) -> None:
        """Refuse, for the sake of the thing called `name`, a tree with a node of more than two children."""
        if self.n_children.max() > 2:
            widest = int(self.n_children.argmax())
            raise AttributeError(
                f"{name} needs a binary tree. Got node {widest} with {self.n_children[widest]} children. "
                "Use first_child and n_children."
            )

    def compute_feature_importances(self, normalize: bool = True) -> Floats:
        """The gain of every column, summed over its splits and divided by the weight of the root."""
        inner = ~self.is_leaf
        gains = np.bincount(self.feature[inner], weights=self.gain[inner], minlength=self.n_features)
        total = gains.sum() if normalize else self.weighted_n_node_samples[0]
        return np.asarray(gains / total if total > 0 else gains, dtype=np.float64)

    # -- prediction

    @cached_property
    def predictor(self) -> _core.Predictor:
        """The core's own layout of the tests. Built when first asked for, and never pickled."""
        feature = np.where(self.is_leaf, -1, self.feature).astype(np.int32)
        threshold = np.where(self.is_leaf, np.nan, self.threshold)
        exact = (self.integer_threshold, self.integer_exact)
        return _core.Predictor(
            self.first_child, self.n_children, feature, threshold, *exact, self.missing_child
        )

    @cached_property
    def majority(self) -> Ints:
        """The index of the heaviest class, per node and output; the first of equals."""
        return np.asarray(self.value.argmax(axis=2))

    def apply(self, X: Any, n_threads: int = 1) -> Ints:
        """The leaf of every row."""
        return np.asarray(self.predictor.apply(as_columns(X), n_threads))

    def predict(self, X: Any, n_threads: int = 1) -> Floats:
        """The value of every row's leaf: (rows, classes) for one output, else (rows, outputs, classes)."""
        columns = as_columns(X)
        found = self.predictor.take(columns, self.value.reshape(self.node_count, -1), n_threads)
        shape = (self.max_n_classes,) if self.n_outputs == 1 else (self.n_outputs, self.max_n_classes)
        return np.asarray(found).reshape(columns.n_rows, *shape)

    def decision_path(self, X: Any, n_threads: int = 1) -> csr_matrix:
        """Which nodes every row passes, as a sparse matrix (rows, nodes) of ones."""
        from scipy.sparse import csr_matrix

        at = self.apply(X, n_threads)
        start = np.concatenate([[0], np.cumsum(self.depth[at] + 1)])
        nodes = np.empty(start[-1], dtype=np.int64)
        place, first = start[1:] - 1, start[:-1]
        while len(at):  # one step up for all rows that are not above the root yet
            nodes[place] = at
            below = place > first
            at, place, first = self.parent[at[below]], place[below] - 1, first[below]
        shape = (len(start) - 1, self.node_count)
        return csr_matrix((np.ones(len(nodes), dtype=np.int64), nodes, start), shape=shape)

    # -- other forms

    def collapse(self, becomes_leaf: ArrayLike) -> Tree:
        """A new tree in which the marked nodes are leaves and everything below them is gone."""
        cut = np.asarray(becomes_leaf, dtype=bool)
        if cut.shape != (self.node_count,):
            raise ValueError(
                f"collapse needs one mark per node: shape ({self.node_count},). Got {cut.shape}."
            )
        keep = ~self.over_ancestors(np.logical_or, cut)[np.maximum(self.parent, 0)]
        keep[0] = True
        number = np.cumsum(keep) - 1
        leaf = (cut | self.is_leaf)[keep]
        kept = {name: getattr(self, name)[keep] for name in NODE_ARRAYS if len(getattr(self, name))}
        as_leaf = {"first_child": -1, "n_children": 0, "feature": UNDEFINED, "threshold": UNDEFINED}
        as_leaf |= {
            "missing_child": 0,
            "missing_seen": 0,
            "gain": 0,
            "integer_threshold": 0,
            "integer_exact": 0,
        }
        kept["first_child"] = number[kept["first_child"]]
        for name in as_leaf.keys() & kept.keys():
            kept[name] = np.where(leaf, as_leaf[name], kept[name])
        return replace(self, **kept)

    def exact_threshold(self, node: int) -> float | int:
        """The number that a node compares with: an int where float64 would merge it with its neighbours.

        `integer_threshold` has 64 bits, read as unsigned for a column of type uint64; only there a positive
        threshold has negative bits.
        """
        if not len(self.integer_exact) or not self.integer_exact[node]:
            return float(self.threshold[node])
        bits = int(self.integer_threshold[node])
        return bits + 2**64 if bits < 0 < self.threshold[node] else bits

    def to_dict(self) -> dict[str, Any]:
        """The tree as nested dictionaries that can be written as JSON; `from_dict` reads them."""
        from .nested import to_nested

        return to_nested(self)

    @classmethod
    def from_dict(cls, nested: Mapping[str, Any], **names: Any) -> Tree:
        """The tree that nested dictionaries describe; see `tree_from_dict`."""
        return tree_from_dict(nested, **names)

    def __str__(self) -> str:
        from .drawings.text import export_text

        return export_text(self)

    def __repr__(self) -> str:
        return f"Tree({self.node_count} nodes, {self.n_leaves} leaves, depth {self.max_depth})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return all(_same(getattr(self, field.name), getattr(other, field.name)) for field in fields(Tree))

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(Tree)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()


def tree_from_dict(
    nested: Mapping[str, Any],
    *,
    feature_names: Any = None,
    n_features: int | None = None,
    classes: Any = None,
) -> Tree:
    """Make a tree from nested dictionaries, as `Tree.to_dict` writes them or as written by hand.

    An inner node is ``{"feature": 0, "threshold": 2.5, "missing": "left", "left": {...}, "right": {...}}``. A
    leaf is ``{"value": ...}``: a number for regression, the shares of the classes for classification, a list
    of such lists for several outputs. A feature may be called by its name if `feature_names` is given. A
    missing value without "missing" goes to the side with more rows ("n"), the right if equal.
    """
    from .nested import from_nested

    return from_nested(nested, feature_names=feature_names, n_features=n_features, classes=classes)


def check(tree: Tree) -> None:
    """Refuse arrays that are not a tree: the invariants of the module, in one place."""
    count = len(tree.first_child)
    leaf = tree.n_children == 0
    inner = np.flatnonzero(~leaf)
    at_fault = [
        name for name in NODE_ARRAYS
        if len(getattr(tree, name)) != count and not (name in OPTIONAL and not len(getattr(tree, name)))
    ]  # fmt: skip
    if at_fault or not count:
        raise ValueError(f"A tree needs at least one node and arrays of one length. At fault: {at_fault}.")
    starts = 1 + np.cumsum(tree.n_children[inner], dtype=np.int64) - tree.n_children[inner]
    feature, missing = tree.feature[inner], tree.missing_child[inner]
    rules = {
        "n_children must be 0 or at least 2": (tree.n_children < 0) | (tree.n_children == 1),
        "first_child of a leaf must be -1": leaf & (tree.first_child != -1),
        "children must come after their parent": ~leaf & (tree.first_child <= np.arange(count)),
        "children must be numbered breadth-first, each once": tree.first_child[inner] != starts,
        "every node but the root must be a child": np.array(
            [1 + tree.n_children.sum(dtype=np.int64) != count]
        ),
        f"feature must be in 0..{tree.n_features - 1}": (feature < 0) | (feature >= tree.n_features),
        "feature of a leaf must be -2": leaf & (tree.feature != UNDEFINED),
        "threshold must be a number": np.isnan(tree.threshold[inner]),
        "missing_child must be the number of a child": missing >= tree.n_children[inner],
        "value must have shape (nodes, outputs, classes)": np.array(
            [tree.value.shape[1:] != (len(tree.n_classes), tree.n_classes.max(initial=0))]
        ),
    }
    for sentence, broken in rules.items():
        if broken.any():
            raise ValueError(f"These arrays are not a tree: {sentence}.")


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        numbers = one.dtype.kind == "f"
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=numbers)
    return bool(one is other or (type(one) is type(other) and one == other))
