"""What arrays must be to be a tree. They may come from anywhere: the core trusts them after this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from ..data.common.array_types import Array
from ..data.schema import KINDS, ColumnType
from .combinations import rules as combination_rules
from .leaf_models import kinds_of, rules

if TYPE_CHECKING:
    from .arrays import TreeArrays
    from .surrogates import Surrogates

UNDEFINED = -2  # scikit-learn's mark of a leaf in `feature` and `threshold`
STOPS = -1  # in missing_child: a row without the value ends at this inner node
SHARED = -2  # in missing_child: it goes down every child, with that child's share

# How a split was found; `found_by` holds the index.
FOUND_BY = tuple(_core.found_by())
# The arrays with one entry per node, and their types; those in OPTIONAL may also be empty.
NODE_ARRAYS: dict[str, type] = {
    "first_child": np.int32,
    "n_children": np.int32,
    "feature": np.int32,
    "threshold": np.float64,
    "integer_threshold": np.int64,
    "integer_exact": np.uint8,
    "missing_child": np.int32,
    "missing_seen": np.uint8,
    "n_node_samples": np.int64,
    "weighted_n_node_samples": np.float64,
    "impurity": np.float64,
    "gain": np.float64,
    "value": np.float64,
    "lower": np.float64,
    "upper": np.float64,
    "strict": np.uint8,
    "share": np.float64,
    "found_by": np.uint8,
    "heuristic": np.uint8,
    "estimate": np.float64,
    "soft_low": np.float64,
    "soft_middle": np.float64,
    "soft_high": np.float64,
    "p_value": np.float64,
    "test_statistic": np.float64,
}
SOFT = ("soft_low", "soft_middle", "soft_high")  # NaN where a test is not soft
FLAGS = ("strict", "found_by", "heuristic")  # empty where all are 0
OUTCOMES = ("value", "estimate")  # (nodes, outputs, classes)
TESTS = ("p_value", "test_statistic")  # (nodes, columns)
OPTIONAL = (
    "integer_threshold",
    "integer_exact",
    "lower",
    "upper",
    "share",
    "estimate",
    *SOFT,
    *TESTS,
    *FLAGS,
)


def check(tree: TreeArrays) -> None:
    """Reject arrays that are not a tree: the invariants, in one place."""
    count = len(tree.first_child)
    at_fault = [name for name in NODE_ARRAYS if not _fits(tree, name, count)]
    if at_fault or not count:
        raise ValueError(f"A tree needs at least one node and arrays of one length. At fault: {at_fault}.")
    _reject(_links(tree))
    _reject(_column_types(tree))
    if tree.combinations is not None:
        _reject(combination_rules(tree, tree.combinations))
    _reject(_levels(tree.level_begin, tree.level_code, tree.level_child, count))
    _reject(_tests(tree))
    _reject(_soft(tree))
    _reject(_missing(tree))
    _reject(_outcomes(tree))
    if tree.leaf_models is not None:
        _reject(rules(tree, tree.leaf_models))
    if tree.surrogates is not None:
        _reject(_surrogate_links(tree, tree.surrogates))
        _reject(_surrogate_tests(tree, tree.surrogates))


def _reject(rules: dict[str, Any]) -> None:
    """Raise the first sentence of which anything is marked as broken."""
    for sentence, broken in rules.items():
        if np.any(broken):
            raise ValueError(f"These arrays are not a tree: {sentence}.")


def _fits(tree: TreeArrays, name: str, count: int) -> bool:
    array = getattr(tree, name)
    empty = name in OPTIONAL and array.size == 0
    if name in TESTS and not empty:
        return bool(array.shape == (count, tree.n_features))
    return len(array) == count * (not empty) and (empty or array.ndim == (3 if name in OUTCOMES else 1))


def _links(tree: TreeArrays) -> dict[str, Any]:
    count, leaf = tree.node_count, tree.n_children == 0
    inner = np.flatnonzero(~leaf)
    starts = 1 + np.cumsum(tree.n_children[inner], dtype=np.int64) - tree.n_children[inner]
    feature, n_sums = tree.feature[inner], 0 if tree.combinations is None else len(tree.combinations)
    return {
        "n_children must be 0 or at least 2": (tree.n_children < 0) | (tree.n_children == 1),
        "first_child of a leaf must be -1": leaf & (tree.first_child != -1),
        "children must come after their parent": ~leaf & (tree.first_child <= np.arange(count)),
        "children must be numbered breadth-first, each once": tree.first_child[inner] != starts,
        "every node but the root must be a child": 1 + tree.n_children.sum(dtype=np.int64) != count,
        f"feature must be in 0..{tree.n_features - 1}": (feature < 0) | (feature >= tree.n_features + n_sums),
        "feature of a leaf must be -2": leaf & (tree.feature != UNDEFINED),
    }


def _column_types(tree: TreeArrays) -> dict[str, Any]:
    types = tree.column_types
    if types is None:
        return {}
    alien = [kind for kind in types if not isinstance(kind, ColumnType) or kind.kind not in KINDS]
    with_levels = [kind for kind in types if not alien and kind.kind in {"nominal", "ordered"}]
    return {
        f"column_types must have {tree.n_features} entries, one per column": len(types) != tree.n_features,
        f"each of column_types must be a ColumnType of a kind in {[*KINDS]}": bool(alien),
        "levels of a column must differ": any(len(set(c.levels)) != len(c.levels) for c in with_levels),
    }


def _levels(begin: Array, code: Array, child: Array, count: int) -> dict[str, Any]:
    """The lists of levels lie one after another; what they hold is checked with the tests."""
    if begin.ndim != 1 or code.ndim != 1 or child.ndim != 1:
        return {"level_begin, level_code and level_child must have one dimension": True}
    if not len(begin):
        return {"level_code and level_child must be empty without level_begin": len(code) or len(child)}
    return {
        f"level_begin must have {count + 1} entries": len(begin) != count + 1,
        "level_begin must rise from 0 to the number of levels listed": begin[0] != 0
        or (begin[1:] < begin[:-1]).any()  # a difference might overflow
        or begin[-1] != len(code),
        "level_child must be as long as level_code": len(code) != len(child),
    }


def _listed(begin: Array, code: Array, sizes: Array) -> dict[str, Any]:
    """The codes of each list rise and are levels of its column, of which there are `sizes`."""
    owner = np.repeat(np.arange(len(sizes)), np.diff(begin))
    same_list = owner[1:] == owner[:-1]
    return {
        "level_code must be a level of its column": (code < 0) | (code >= sizes[owner]),
        "level_code must rise within a node, each level once": same_list & (code[1:] <= code[:-1]),
    }


def _tests(tree: TreeArrays) -> dict[str, Any]:
    inner = np.flatnonzero(tree.n_children)
    begin = tree.level_begin if len(tree.level_begin) else np.zeros(tree.node_count + 1, dtype=np.int64)
    lists_levels = np.diff(begin) > 0
    nominal, sizes = kinds_of(tree, tree.feature[inner])
    all_sizes = np.zeros(tree.node_count, dtype=np.int64)
    all_sizes[inner] = sizes
    wide = (tree.n_children > 2) & ((tree.n_children > 3) | (tree.missing_child != 2))
    children = np.repeat(tree.n_children, np.diff(begin))
    return {
        "a leaf must list no levels": lists_levels & (tree.n_children == 0),
        "a test must list levels exactly where its column is nominal": lists_levels[inner] != nominal,
        "threshold must be a number, and NaN where levels are listed": np.isnan(tree.threshold[inner])
        != lists_levels[inner],
        "a threshold must have two children, or a third for missing values alone": wide[inner] & ~nominal,
        **_listed(begin, tree.level_code, all_sizes),
        "level_child must be the number of a child": (tree.level_child < 0) | (tree.level_child >= children),
        "strict and heuristic must be 0 or 1": (tree.strict > 1).any() or (tree.heuristic > 1).any(),
        f"found_by must be below {len(FOUND_BY)}": tree.found_by >= len(FOUND_BY),
    }


def _soft(tree: TreeArrays) -> dict[str, Any]:
    low, middle, high = (getattr(tree, name) for name in SOFT)
    if not len(low) == len(middle) == len(high):
        return {"soft_low, soft_middle and soft_high must be given together": True}
    if not len(low):
        return {}
    soft, alike = ~np.isnan(low), (tree.n_children == 2) & (tree.feature < tree.n_features)
    return {
        "soft_low, soft_middle and soft_high must be given for the same nodes": (np.isnan(middle) == soft)
        | (np.isnan(high) == soft),
        "only a threshold of one column may be soft": soft & (~alike | np.isnan(tree.threshold)),
        "the threshold and the middle must lie between soft_low and soft_high": soft
        & ~((low <= tree.threshold) & (tree.threshold <= high) & (low <= middle) & (middle <= high)),
        "soft_low and soft_high must be finite": np.isinf(low) | np.isinf(high),
    }


def _missing(tree: TreeArrays) -> dict[str, Any]:
    inner = np.flatnonzero(tree.n_children)
    shared = inner[tree.missing_child[inner] == SHARED]
    rules = {
        "missing_child must be the number of a child, -1 (stops) or -2 (shared)": (
            (tree.missing_child[inner] < SHARED) | (tree.missing_child[inner] >= tree.n_children[inner])
        ),
        "share must be given where missing values are shared": len(shared) and not len(tree.share),
    }
    if not len(tree.share):
        return rules
    total = np.bincount(tree.parent[1:], weights=tree.share[1:], minlength=tree.node_count)
    return rules | {
        "share must be in 0..1": ~((tree.share >= 0) & (tree.share <= 1)),
        "share of the root must be 1": tree.share[0] != 1,
        "the shares of children must sum to 1 where missing values are shared": ~(
            np.abs(total[shared] - 1) <= 1e-9
        ),
    }


def _outcomes(tree: TreeArrays) -> dict[str, Any]:
    shape = (len(tree.n_classes), tree.n_classes.max(initial=0))
    costs, rules = tree.costs, {
        "value must have shape (nodes, outputs, classes)": tree.value.shape[1:] != shape
        or min(shape) < 1
        or tree.n_classes.min() < 1,
        "estimate must have the shape of value": tree.estimate.shape not in ((0,), tree.value.shape),
        "estimate must have no NaN": np.isnan(tree.estimate),
        "pooled must be one number of at least 0 beside estimate, or empty": tree.pooled.shape != (0,)
        and (tree.pooled.shape != (1,) or not 0 <= tree.pooled[0] < np.inf or not len(tree.estimate)),
    }  # fmt: skip
    if costs is None:
        return rules
    fits = shape[0] == 1 and costs.shape == (shape[1], shape[1])
    return rules | {
        "costs must have a row per true and a column per predicted class, of one output": not fits,
        "costs must be finite and not negative": ~(np.isfinite(costs) & (costs >= 0)),
    }


def _surrogate_links(tree: TreeArrays, extra: Surrogates) -> dict[str, Any]:
    """What must hold before anything may be looked up by these numbers."""
    arrays, count = extra.arrays(), len(extra)
    entries = [array for name, array in arrays.items() if not name.startswith("level_")]
    fit = all(array.shape == (count,) for array in entries)
    inside = fit and ((extra.node >= 0) & (extra.node < tree.node_count)).all()
    lists = {} if not fit else _levels(extra.level_begin, extra.level_code, extra.level_child, count)
    return {
        "surrogates must have arrays of one length": not fit,
        "node of a surrogate must be a node": not inside,
        "surrogates must be ordered by node": fit and np.diff(extra.node) < 0,
        "only a node with two children may have surrogates": inside and tree.n_children[extra.node] != 2,
        "a node that combines columns must have no surrogates": inside
        and tree.feature[extra.node] >= tree.n_features,
        "a node with surrogates must not share out missing values": inside
        and tree.missing_child[extra.node] == SHARED,
        f"feature of a surrogate must be in 0..{tree.n_features - 1}": (extra.feature < 0)
        | (extra.feature >= tree.n_features),
        **{f"in surrogates {sentence}": broken for sentence, broken in lists.items()},
    }


def _surrogate_tests(tree: TreeArrays, extra: Surrogates) -> dict[str, Any]:
    lists_levels = np.diff(extra.level_begin) > 0
    nominal, sizes = kinds_of(tree, extra.feature)
    rules = {
        "a surrogate must list levels exactly where its column is nominal": lists_levels != nominal,
        "threshold of a surrogate must be a number, and NaN where levels are listed": np.isnan(
            extra.threshold
        )
        != lists_levels,
        "level_child of a surrogate must be 0 or 1": (extra.level_child < 0) | (extra.level_child > 1),
        "strict and reversed of a surrogate must be 0 or 1": (extra.strict > 1) | (extra.reversed > 1),
        "a surrogate that lists levels must not be strict or reversed": lists_levels
        & ((extra.strict != 0) | (extra.reversed != 0)),
    }
    listed = _listed(extra.level_begin, extra.level_code, sizes)
    return rules | {f"in surrogates {sentence}": broken for sentence, broken in listed.items()}
