"""What must hold of a model in a file beyond what `tree_check` requires of any tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.common.array_types import Mask
from ...tree.tree import SHARED, STOPS, Tree
from ...tree.walks import sum_children
from .labels import distinct
from .limits import MAX_COLUMNS, MAX_DEPTH, MAX_NODES, MAX_ROWS, FileError

SUM = 1e-5  # how far shares that someone wrote down may be from 1; `from_tree` says so too
WEIGHT = 1e-6  # how far, of its own, the weight of a node may be from those of its children


def check_tree(tree: Tree, kind: str, stopped: bool = False) -> None:
    """Reject a tree that no fit can have made and that nobody should trust.

    `stopped`: rows without a value may have stopped in growing where they go on now.
    """
    with np.errstate(all="ignore"):
        _reject(_sizes(tree), "")
        _reject(_names(tree, kind), "")
        _reject(_numbers(tree), "")
        _reject(_counts(tree, stopped), "node")
        _reject(_outcomes(tree, kind), "node")
        _reject(_tests(tree), "node")


def _reject(rules: dict[str, Any], of: str) -> None:
    """Raise the first sentence of which anything is marked as broken, with the first place."""
    for sentence, broken in rules.items():
        marks = np.asarray(broken)
        if marks.any():
            where = f", but not at {of} {int(marks.argmax())}" if of and marks.ndim else ""
            raise FileError(f"{sentence}{where}.")


def _sizes(tree: Tree) -> dict[str, Any]:
    return {
        f"A model must have at most {MAX_NODES:,} nodes. Got {tree.node_count:,}": tree.node_count
        > MAX_NODES,
        f"A model must have at most {MAX_COLUMNS:,} columns": tree.n_features > MAX_COLUMNS,
        f"A tree must be at most {MAX_DEPTH:,} deep. Got {tree.max_depth:,}": tree.max_depth > MAX_DEPTH,
    }


def _names(tree: Tree, kind: str) -> dict[str, Any]:
    names, classes = tree.feature_names or (), tree.classes
    parts = () if classes is None else classes if isinstance(classes, tuple) else (classes,)
    sizes = [len(part) for part in parts] or [1] * tree.n_outputs
    return {
        "Feature names must be as many as there are columns": len(names) not in (0, tree.n_features),
        "Feature names must be text": not all(isinstance(name, str) for name in names),
        "Feature names must be unique. Rename the columns that are called alike": len(set(names))
        != len(names),
        "A classifier must have classes, and a regressor none": (classes is None) != (kind == "regression"),
        f"Classes must be as many as n_classes, {tree.n_classes.tolist()[:9]}": sizes
        != tree.n_classes.tolist(),
        "Classes must be unique, and no NaN": not all(map(distinct, parts)),
    }


def _numbers(tree: Tree) -> dict[str, Any]:
    finite = ("weighted_n_node_samples", "impurity", "gain", "value", "estimate")
    flags = ("missing_seen", "integer_exact")
    extra = tree.surrogates
    agreement = np.empty(0) if extra is None else extra.agreement
    adjusted = np.empty(0) if extra is None else extra.adjusted
    return {
        **{f"{name} must be finite": ~np.isfinite(getattr(tree, name)) for name in finite},
        **{f"{name} must be 0 or 1": getattr(tree, name) > 1 for name in flags},
        "integer_exact of a surrogate must be 0 or 1": extra is not None and extra.integer_exact > 1,
        "integer_threshold must be given where integer_exact is": len(tree.integer_exact)
        != len(tree.integer_threshold),
        "lower and upper must be given together": len(tree.lower) != len(tree.upper),
        "lower must not be above upper, and neither NaN": len(tree.lower) == len(tree.upper)
        and ~(tree.lower <= tree.upper),
        "agreement of a surrogate must be in 0..1": (agreement < -1e-9) | (agreement > 1 + 1e-9),
        "adjusted of a surrogate must not be above 1": (adjusted > 1 + 1e-9) | np.isinf(adjusted),
    }


def _counts(tree: Tree, stopped: bool) -> dict[str, Any]:
    """Rows that a missing value stops are in no child, and those that are shared out in several."""
    rows, weight = tree.n_node_samples.astype(np.float64), tree.weighted_n_node_samples
    inner, stops = ~tree.is_leaf, tree.missing_child == STOPS
    if stopped:
        stops |= (tree.missing_seen > 0) & (tree.missing_child != SHARED)
    shared = inner & (tree.missing_child == SHARED)
    below, heavy = sum_children(tree, rows), sum_children(tree, weight)
    above = np.maximum(tree.parent, 0)
    slack = WEIGHT * weight
    return {
        f"n_node_samples must be in 0..{MAX_ROWS}": (rows < 0) | (rows > MAX_ROWS),
        "weighted_n_node_samples must not be negative": weight < 0,
        "impurity must not be negative": tree.impurity < -1e-9 * (1 + np.abs(tree.impurity).max()),
        "n_node_samples must be the sum of the children's": inner & ~stops & ~shared & (below != rows),
        "n_node_samples must be at least the sum of the children's": inner & stops & (below > rows),
        "n_node_samples must be at most the parent's": rows > rows[above],
        "n_node_samples must be at most the sum of the children's": shared & (below < rows),
        "weighted_n_node_samples must be the sum of the children's": inner
        & ~stops
        & ~(np.abs(heavy - weight) <= slack),
        "weighted_n_node_samples must be at least the sum of the children's": inner
        & stops
        & ~(heavy - weight <= slack),
    }


def _outcomes(tree: Tree, kind: str) -> dict[str, Any]:
    """Shares of the classes; an output with fewer classes than another has zeros behind its own."""
    if kind == "regression":
        return {}
    spare = np.arange(tree.max_n_classes) >= tree.n_classes[:, None]
    empty = tree.is_leaf & (tree.n_node_samples == 0)  # may predict nothing at all, as in ID3
    found: dict[str, Any] = {}
    for name in ("value", "estimate") if len(tree.estimate) else ("value",):
        shares = getattr(tree, name)
        sums = (np.abs(shares.sum(axis=2) - 1) > SUM) & ~(empty[:, None] & ~shares.any(axis=2))
        found[f"The shares in {name} must be in 0..1"] = _any(~((shares >= 0) & (shares <= 1 + SUM)))
        found[f"The shares in {name} must sum to 1"] = _any(sums)
        found[f"The shares in {name} must be 0 for classes that an output does not have"] = _any(
            (shares != 0) & spare
        )
    return found


def _tests(tree: Tree) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if len(tree.level_begin):
        found["Every child of a test of levels must take a level or missing values"] = _idle(tree)
    if len(tree.integer_exact):
        exact = (tree.integer_exact == 1) & ~tree.is_leaf & ~tree.is_nominal
        signed = tree.integer_threshold.astype(np.float64)
        whole = np.where((signed < 0) & (tree.threshold > 0), signed + 2.0**64, signed)
        far = np.abs(whole - tree.threshold) > 1e-9 * np.abs(whole)
        found["threshold must be near integer_threshold where that is exact"] = exact & far
    return found


def _idle(tree: Tree) -> Mask:
    """The nodes with a test of levels of which some child can never be reached."""
    owner = np.repeat(np.arange(tree.node_count), np.diff(tree.level_begin))
    reached = np.zeros(tree.node_count, dtype=bool)
    reached[tree.first_child[owner] + tree.level_child] = True
    inner = np.flatnonzero((tree.n_children > 0) & (tree.missing_child >= 0))
    reached[tree.first_child[inner] + tree.missing_child[inner]] = True
    nominal = tree.is_nominal & (tree.missing_child != SHARED)
    if tree.surrogates is not None:
        nominal[tree.surrogates.node] = False
    idle = np.zeros(tree.node_count, dtype=bool)
    above = tree.parent[1:]
    idle[above[~reached[1:] & nominal[above]]] = True
    return idle


def _any(marks: Mask) -> Mask:
    """Per node, whether any of its numbers is marked."""
    return np.asarray(marks.reshape(len(marks), -1).any(axis=1))
