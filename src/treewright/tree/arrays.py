"""The arrays of a tree: read-only, checked, equal or not, and what follows from their shape alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..data.common.array_types import Array, Floats, Ints, Mask
from ..data.schema import ColumnType
from .combinations import Combinations, fits, in_one_form
from .digest import digest_of
from .flat_arrays import read_only
from .invariants import FLAGS, NODE_ARRAYS, SHARED, SOFT, check
from .leaf_models import LeafModels, link_of
from .surrogates import LEVEL_ARRAYS, NONE, Surrogates

Labels = Array


@dataclass(frozen=True, eq=False, repr=False)
class TreeArrays:
    """One entry per node in the first arrays; `check` has what must hold, and `Tree` what they mean."""

    first_child: NDArray[np.int32]  # -1 for a leaf
    n_children: NDArray[np.int32]
    feature: NDArray[np.int32]  # -2 for a leaf; n_features + j: sum number j of `combinations`
    threshold: Floats  # -2.0 for a leaf
    integer_threshold: Ints
    integer_exact: NDArray[np.uint8]
    missing_child: NDArray[np.int32]
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
    strict: NDArray[np.uint8] = NONE  # this and the next two: empty if all are 0
    found_by: NDArray[np.uint8] = NONE  # index into FOUND_BY
    p_value: Floats = NONE  # (nodes, columns): of permutation tests; NaN where nothing varies; or empty
    test_statistic: Floats = NONE  # of the same tests
    heuristic: NDArray[np.uint8] = NONE  # 1: not proven to be the best of its kind
    share: Floats = NONE  # of what is missing in the parent; root: 1
    estimate: Floats = NONE  # what is predicted in place of `value`, if that was smoothed
    soft_low: Floats = NONE  # between these two a row goes both ways; NaN where a test is not soft
    soft_high: Floats = NONE
    soft_middle: Floats = NONE  # the middle of the two values around the cut, as C5.0 prints it
    pooled: Floats = NONE  # one number, if classes are decided on `value` all the same: see `Tree.predict`
    level_begin: Ints = NONE  # node i lists level_code[level_begin[i]:level_begin[i + 1]]
    level_code: NDArray[np.int32] = NONE  # rising within a node
    level_child: NDArray[np.int32] = NONE  # the child that each of these goes to
    surrogates: Surrogates | None = None
    column_types: tuple[ColumnType, ...] | None = None  # None: all are numbers
    costs: Floats | None = None  # (true class, predicted class)
    leaf_models: LeafModels | None = None  # what leaves compute in place of `value`
    combinations: Combinations | None = None  # weighted sums of columns that tests compare

    def __post_init__(self) -> None:
        self._normalize()
        check(self)
        self._drop_shares()

    @classmethod
    def grown(cls, **arrays: Any) -> Self:
        """A tree of what the core has grown, which needs no check."""
        made = object.__new__(cls)
        for field in fields(cls):
            made._set(field.name, arrays.get(field.name, field.default))
        made._normalize()
        made._drop_shares()
        return made

    def _normalize(self) -> None:
        """Read-only arrays of the right types, in one form only, so that equal trees are equal."""
        arrays = NODE_ARRAYS | LEVEL_ARRAYS | {"n_classes": np.int64, "pooled": np.float64}
        for name, dtype in arrays.items():
            self._set(name, read_only(getattr(self, name), dtype))
        for name in (*FLAGS, "level_begin"):
            if not getattr(self, name).any():
                self._set(name, read_only([], arrays[name]))
        for name in SOFT:
            if np.isnan(getattr(self, name)).all():
                self._set(name, read_only([], np.float64))
        if isinstance(self.surrogates, Mapping):
            self._set("surrogates", Surrogates(**self.surrogates))
        if self.surrogates is not None and not len(self.surrogates):
            self._set("surrogates", None)
        if isinstance(self.leaf_models, Mapping):
            self._set("leaf_models", LeafModels(**self.leaf_models))
        self._normalize_sums()
        if self.column_types is not None:
            plain = all(column == ColumnType("number") for column in self.column_types)
            self._set("column_types", None if plain else tuple(self.column_types))
        if self.costs is not None:
            self._set("costs", read_only(self.costs, np.float64))

    def _normalize_sums(self) -> None:
        if isinstance(self.combinations, Mapping):
            self._set("combinations", Combinations(**self.combinations))
        if self.combinations is not None and fits(self, self.combinations):
            feature, sums = in_one_form(self.feature, self.combinations, self.n_features)
            self._set("feature", read_only(feature, np.int32))
            self._set("combinations", sums)

    def _drop_shares(self) -> None:
        if not (self.missing_child == SHARED).any():
            self._set("share", read_only([], np.float64))

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

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

    @cached_property
    def digest(self) -> str:
        """A short hash of all that predicts: the same for the same tree, wherever it was grown."""
        return digest_of(self)

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
    def prediction(self) -> Floats:
        """What every node predicts: (nodes, outputs, classes). It is `value` unless that was smoothed.

        A linear leaf predicts this where every number is at its mean in the leaf.
        """
        if self.leaf_models is not None:
            return self._at_centre
        return self.estimate if len(self.estimate) else self.value

    @cached_property
    def _at_centre(self) -> Floats:
        assert self.leaf_models is not None
        return self.leaf_models.at_centre(link_of(self), self.value.shape)

    @property
    def is_leaf(self) -> Mask:
        """Whether a walk ends at each node."""
        return np.asarray(self.n_children == 0)

    @cached_property
    def used(self) -> list[int]:
        """The places of the columns that some test uses, of a node or of a surrogate, or some linear leaf."""
        from .walks import used_columns

        return used_columns(self)

    @property
    def is_weighted(self) -> bool:
        """Whether weights make a node's share of the weight another than its share of the rows.

        Rows that go down every branch count in part in each, so there a node weighs less than its rows: that
        is no sign of weights, unless the root weighs something else than its rows or a node weighs more.
        """
        rows, weight = self.n_node_samples, self.weighted_n_node_samples
        if not (weight[0] > 0 and rows[0] > 0):
            return False
        if len(self.share) and np.isclose(weight[0], rows[0]) and (weight <= rows * (1 + 1e-6)).all():
            return False
        return not np.allclose(weight / weight[0], rows / rows[0], rtol=1e-3, atol=1e-6)

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

    def over_ancestors(self, combine: Callable[[Array, Array], Array], start: Array) -> Array:
        """Combine `start` along the path from every node to the root, both ends included.

        Each round doubles the stretch that a node has seen, so a chain of n nodes takes log2(n) rounds. The
        root may enter more than once: its entry must not matter when repeated.
        """
        seen, jump = start, np.maximum(self.parent, 0)
        while True:
            seen = combine(seen, seen[jump])
            if not jump.any():
                return seen
            jump = jump[jump]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TreeArrays):
            return NotImplemented
        return all(_same(getattr(self, field.name), getattr(other, field.name)) for field in fields(self))

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        TreeArrays.__init__(self, **state)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        numbers = one.dtype.kind == "f"
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=numbers)
    return bool(one is other or (type(one) is type(other) and one == other))
