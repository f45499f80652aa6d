"""The next-best splits of a node as they are stored in a file and shown beside its split."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from ...tree.tree import Tree
from ...tree.tree_text import one_line


class NextBestSplit(NamedTuple):
    """The best split of another column at a node."""

    node: int
    feature: str
    test: str  # as text
    gain: float

    def to_dict(self) -> dict[str, Any]:
        """As it is stored in a file."""
        return self._asdict()

    @property
    def text(self) -> str:
        """The test with its gain."""
        return f"{self.test} (gain {self.gain:.4g})"


class NodeSplits(NamedTuple):
    """One inner node: the split that was chosen, and the next-best ones, the best first."""

    node: int
    feature: str
    test: str
    gain: float
    next_best: tuple[NextBestSplit, ...]


def splits_at(given: Any, tree: Tree) -> dict[int, tuple[NextBestSplit, ...]]:
    """The next-best splits by node. They may come from a file: what does not suit the tree is left out."""
    listed = given.to_dicts() if hasattr(given, "to_dicts") else given
    found: dict[int, list[NextBestSplit]] = {}
    for each in listed if isinstance(listed, Iterable) and not isinstance(listed, str | dict) else ():
        split = _read(each, tree)
        if split is not None:
            found.setdefault(split.node, []).append(split)
    return {node: tuple(splits) for node, splits in found.items()}


def _read(each: Any, tree: Tree) -> NextBestSplit | None:
    if not isinstance(each, dict):
        return None
    node, feature, test, gain = (each.get(name) for name in NextBestSplit._fields)
    if not isinstance(node, int) or isinstance(node, bool) or not 0 <= node < tree.node_count:
        return None
    if not isinstance(gain, int | float) or isinstance(gain, bool) or not math.isfinite(gain):
        return None
    if not isinstance(feature, str) or not isinstance(test, str) or not tree.n_children[node]:
        return None
    return NextBestSplit(node, one_line(feature), one_line(test), float(gain))
