"""The runners-up of a split as they are kept in a file and shown beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from ...tree.tree import Tree
from ...tree.tree_text import one_line


class Rival(NamedTuple):
    """The best split of another column at a node."""

    node: int
    feature: str
    test: str  # in words
    gain: float

    def to_dict(self) -> dict[str, Any]:
        """As it is kept in a file."""
        return self._asdict()


class Contest(NamedTuple):
    """One inner node: the split that was chosen, and those that came after it, the best first."""

    node: int
    feature: str
    test: str
    gain: float
    runners_up: tuple[Rival, ...]


def rivals_at(given: Any, tree: Tree) -> dict[int, tuple[Rival, ...]]:
    """The runners-up by node. They may come from a file: what is no runner-up of this tree is left out."""
    listed = given.to_dicts() if hasattr(given, "to_dicts") else given
    found: dict[int, list[Rival]] = {}
    for each in listed if isinstance(listed, Iterable) and not isinstance(listed, str | dict) else ():
        rival = _read(each, tree)
        if rival is not None:
            found.setdefault(rival.node, []).append(rival)
    return {node: tuple(rivals) for node, rivals in found.items()}


def _read(each: Any, tree: Tree) -> Rival | None:
    if not isinstance(each, dict):
        return None
    node, feature, test, gain = (each.get(name) for name in Rival._fields)
    if not isinstance(node, int) or isinstance(node, bool) or not 0 <= node < tree.node_count:
        return None
    if not isinstance(gain, int | float) or isinstance(gain, bool) or not math.isfinite(gain):
        return None
    if not isinstance(feature, str) or not isinstance(test, str) or not tree.n_children[node]:
        return None
    return Rival(node, one_line(feature), one_line(test), float(gain))
