"""Several trees in the arrays of one, from which `gather` can make a tree that has nodes of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...tree.combinations import Terms, combinations_of
from ...tree.surrogates import ENTRY_ARRAYS, Surrogates
from ...tree.tree import NODE_ARRAYS, Tree

WITHOUT = {"share": 1.0}  # of a tree that has none; of all else 0


def side_by_side(trees: Sequence[Tree]) -> tuple[Tree, list[int]]:
    """The arrays of all trees one after another, and the number of each tree's root there.

    This is no tree: only its nodes can be read, with their children.
    """
    starts = [0, *accumulate(tree.node_count for tree in trees)]
    arrays: dict[str, Any] = {field.name: getattr(trees[0], field.name) for field in fields(Tree)}
    for name in NODE_ARRAYS:
        arrays[name] = _node_array(trees, name)
    links = zip(trees, starts, strict=False)
    arrays["first_child"] = np.concatenate(
        [np.where(tree.is_leaf, -1, tree.first_child + start) for tree, start in links]
    )
    lists = [
        (tree.level_begin if len(tree.level_begin) else np.zeros(tree.node_count + 1, dtype=np.int64))
        for tree in trees
    ]
    arrays["level_begin"] = _begins(lists)
    for name in ("level_code", "level_child"):
        arrays[name] = np.concatenate([getattr(tree, name) for tree in trees])
    arrays["surrogates"] = _surrogates(trees, starts)
    arrays |= _combinations(trees)
    return Tree.grown(**arrays), starts[:-1]


def _combinations(trees: Sequence[Tree]) -> dict[str, Any]:
    """The weighted sums of all trees, and the tests that use them."""
    sums: list[Terms] = []
    features = []
    for tree in trees:
        features.append(np.where(tree.feature < tree.n_features, tree.feature, tree.feature + len(sums)))
        sums += (
            [] if tree.combinations is None else map(tree.combinations.terms, range(len(tree.combinations)))
        )
    return {"feature": np.concatenate(features), "combinations": combinations_of(sums)}


def _node_array(trees: Sequence[Tree], name: str) -> NDArray[Any]:
    """An array with an entry per node; a tree that has it not gets what that means, unless none has it."""
    parts = [getattr(tree, name) for tree in trees]
    given = [part for part in parts if len(part)]
    if not given:
        return np.asarray(parts[0])
    rest = given[0].shape[1:]
    filled = [
        part if len(part) else np.full((tree.node_count, *rest), WITHOUT.get(name, 0))
        for tree, part in zip(trees, parts, strict=True)
    ]
    return np.concatenate(filled)


def _begins(lists: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Where lists begin and end that were put one after another."""
    starts = accumulate((int(begin[-1]) for begin in lists), initial=0)
    parts = [begin[:-1] + start for begin, start in zip(lists, starts, strict=False)]
    total = sum(int(begin[-1]) for begin in lists)
    return np.concatenate([*parts, [total]]).astype(np.int64)


def _surrogates(trees: Sequence[Tree], starts: Sequence[int]) -> Surrogates | None:
    some = [(tree.surrogates, start) for tree, start in zip(trees, starts, strict=False) if tree.surrogates]
    if not some:
        return None
    kept = {name: np.concatenate([getattr(extra, name) for extra, _ in some]) for name in ENTRY_ARRAYS}
    kept["node"] = np.concatenate([extra.node + start for extra, start in some])
    return Surrogates(
        **kept,
        level_begin=_begins([extra.level_begin for extra, _ in some]),
        level_code=np.concatenate([extra.level_code for extra, _ in some]),
        level_child=np.concatenate([extra.level_child for extra, _ in some]),
    )
