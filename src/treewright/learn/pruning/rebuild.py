"""One function makes the pruned tree, whatever the method decided: keep, collapse or raise, per node."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...data.common.array_types import Ints
from ...tree.leaf_models import TERM_ARRAYS, LeafModels
from ...tree.surrogates import ENTRY_ARRAYS, Surrogates
from ...tree.tree import AS_LEAF, NODE_ARRAYS, Tree

KEEP, COLLAPSE = -1, -2  # a number from 0 on: the child of this number takes the node's place


class Pruned(NamedTuple):
    """What a method made of a tree, what it decided for each node of the old one, and how it came to that."""

    tree: Tree
    decision: Ints
    report: dict[str, Any]


def rebuild(tree: Tree, decision: ArrayLike) -> Tree:
    """The tree in which some nodes have become leaves and others have given their place to a child.

    Nothing is counted anew: a raised branch keeps what its nodes hold until `refit` sends rows down again.
    """
    wanted = checked(tree, decision)
    if (wanted < 0).all():
        return tree if (wanted == KEEP).all() else tree.collapse(wanted == COLLAPSE)
    return branch(tree, 0, wanted)[0]


def branch(tree: Tree, root: int, decision: Ints) -> tuple[Tree, Ints]:
    """The branch below one node, with what is decided inside it, and the old number of each of its nodes."""
    taker = takers(tree, decision)
    order, place = in_order(tree, root, decision, taker)
    inner = (decision[order] != COLLAPSE) & ~tree.is_leaf[order]
    return gather(tree, order, place, inner), order


def checked(tree: Tree, decision: ArrayLike) -> Ints:
    """The decisions as integers, one per node, each one of those that there are."""
    wanted = np.asarray(decision, dtype=np.int64)
    if wanted.shape != (tree.node_count,):
        raise ValueError(f"decision must have shape ({tree.node_count},), one per node. Got {wanted.shape}.")
    broken = np.flatnonzero((wanted < COLLAPSE) | (wanted >= np.maximum(tree.n_children, 0)))
    if len(broken):
        raise ValueError(
            "decision must be -1 (keep), -2 (collapse) or the number of a child. "
            f"Got {wanted[broken[0]]} for node {broken[0]}, which has {tree.n_children[broken[0]]} children."
        )
    return wanted


def takers(tree: Tree, decision: Ints) -> Ints:
    """The node that stands in the place of every node: itself, or the child that was raised, and so on."""
    taker = np.where(decision >= 0, tree.first_child + decision, np.arange(tree.node_count))
    while True:  # each round doubles how far a chain of raised children is followed
        further = taker[taker]
        if (further == taker).all():
            return taker
        taker = further


def in_order(tree: Tree, root: int, decision: Ints, taker: Ints) -> tuple[Ints, Ints]:
    """The nodes that are left, breadth-first by their old numbers, and the places that they take."""
    place, first, count = [root], tree.first_child.tolist(), tree.n_children.tolist()
    order, stands, gone = [], taker.tolist(), (decision == COLLAPSE).tolist()
    for at in place:
        node = stands[at]
        order.append(node)
        if not gone[node]:
            place.extend(range(first[node], first[node] + count[node]))
    return np.array(order, dtype=np.int64), np.array(place, dtype=np.int64)


def gather(tree: Tree, order: Ints, place: Ints, inner: NDArray[np.bool_]) -> Tree:
    """The nodes of `order` as a tree; those not in `inner` are leaves. Shares belong to the place.

    A tree of the nodes of a valid tree is valid, and is not checked again.
    """
    kept: dict[str, Any] = {
        name: getattr(tree, name)[order] for name in NODE_ARRAYS if len(getattr(tree, name))
    }
    for name in AS_LEAF.keys() & kept.keys():
        kept[name] = np.where(inner, kept[name], AS_LEAF[name])
    count = kept["n_children"]
    kept["first_child"] = np.where(inner, 1 + np.cumsum(count) - count, -1)
    if len(tree.share):
        kept["share"] = tree.share[place]
        kept["share"][0] = 1.0
    if len(tree.level_begin):
        kept["level_begin"], listed = _lists(tree.level_begin[order], tree.level_begin[order + 1], inner)
        kept |= {"level_code": tree.level_code[listed], "level_child": tree.level_child[listed]}
    kept["surrogates"] = _surrogates(tree.surrogates, order, inner)
    kept["leaf_models"] = _leaf_models(tree.leaf_models, order)
    return Tree.grown(**{field.name: getattr(tree, field.name) for field in fields(tree)} | kept)


def _leaf_models(models: LeafModels | None, order: Ints) -> LeafModels | None:
    if models is None:
        return None
    begin, listed = _lists(models.begin[order], models.begin[order + 1], np.ones(len(order), dtype=bool))
    terms = {name: getattr(models, name)[listed] for name in (*TERM_ARRAYS, "coefficient")}
    nodes = {name: getattr(models, name)[order] for name in ("constant", "lower", "upper")}
    return LeafModels(begin=begin, **terms, **nodes)


def _surrogates(extra: Surrogates | None, order: Ints, inner: NDArray[np.bool_]) -> Surrogates | None:
    if extra is None:
        return None
    begin, entries = _lists(np.searchsorted(extra.node, order), np.searchsorted(extra.node, order + 1), inner)
    every = np.ones(len(entries), dtype=bool)
    level_begin, listed = _lists(extra.level_begin[entries], extra.level_begin[entries + 1], every)
    kept = {name: getattr(extra, name)[entries] for name in ENTRY_ARRAYS}
    kept["node"] = np.repeat(np.arange(len(order)), np.diff(begin))
    return Surrogates(
        **kept,
        level_begin=level_begin,
        level_code=extra.level_code[listed],
        level_child=extra.level_child[listed],
    )


def _lists(begin: NDArray[Any], end: NDArray[Any], wanted: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Lists from `begin` to `end`, one after another: where each starts then, and what they hold.

    Those that are not wanted become empty.
    """
    sizes = np.where(wanted, end - begin, 0)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return starts, np.repeat(begin - starts[:-1], sizes) + np.arange(starts[-1])
