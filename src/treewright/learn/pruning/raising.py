"""Raising: a node may give its place to its largest child, whose branch then takes all of the node's rows.

As C5.0 does it, the raised test stays and what is below it is grown anew on the rows that came: a branch that
was made for a few of the rows may not suit all of them. The core decides; this is the call of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from ... import _core
from ...data.common.array_types import Floats, Ints
from ...tree.tree import Tree
from .bounds import limit_of
from .pieces import side_by_side
from .rebuild import gather
from .rows import Rows

SLACK = 0.1 + 1e-6  # how many errors more a simpler tree may make


class ErrorOptions(NamedTuple):
    """How errors are expected: the confidence, and the kind of limit."""

    CF: float
    bound: str
    pool: float = 0.0  # siblings of less weight count as one leaf


class Branches(Protocol):
    """Grows branches from some of the rows, and keeps them."""

    @property
    def core(self) -> Any:
        """What the core calls: its own grower, or a function from rows and weights to a predictor."""

    @property
    def sizes(self) -> Sequence[int]:
        """The nodes of every tree that was grown, in the order of growing."""

    def tree(self, number: int) -> Tree:
        """One of these trees."""


class Regrown(NamedTuple):
    """A tree whose branches were raised and regrown, not counted."""

    tree: Tree
    order: Ints  # the number of each node before; from `len(decision)` on: it was grown meanwhile
    decision: Ints
    report: dict[str, int]


class Raised(NamedTuple):
    """A tree whose branches were raised as they are, not counted."""

    tree: Tree
    order: Ints  # the number of each node before
    place: Ints  # ... and of the node whose place it has taken
    decision: Ints


def raised(tree: Tree, rows: Rows, decision: Ints, error_options: ErrorOptions) -> Raised:
    """The tree after all nodes are decided, children first; `decision` has those that are leaves already."""
    found = _decided(tree, rows, decision, error_options, None)
    order, place = found["node"], found["place"]
    return Raised(gather(tree, order, place, found["inner"].astype(bool)), order, place, found["decision"])


def regrown(
    tree: Tree, rows: Rows, decision: Ints, error_options: ErrorOptions, anew: bool = True
) -> Regrown:
    """The tree after all nodes are decided, where raised branches are grown anew, or stay as they are."""
    assert rows.branches is not None
    branches = rows.branches()
    found = _decided(tree, rows, decision, error_options, branches.core, anew)
    begin = tree.node_count + np.concatenate([[0], np.cumsum(branches.sizes)]).astype(np.int64)
    source, place = found["source"], found["place"]
    piece = np.searchsorted(begin, source, side="right") - 1  # -1: the old tree
    used = np.setdiff1d(np.searchsorted(begin, np.append(source, place), side="right") - 1, [-1])
    pool, starts = side_by_side([tree, *map(branches.tree, used.tolist())])
    moved = np.zeros(len(branches.sizes) + 1, dtype=np.int64)  # the last entry is that of -1
    moved[used] = np.array(starts[1:], dtype=np.int64) - begin[used]
    place_piece = np.searchsorted(begin, place, side="right") - 1
    made = gather(pool, source + moved[piece], place + moved[place_piece], found["inner"].astype(bool))
    report = {
        "raised": found["n_raised"],
        "regrown": int((found["node"] >= tree.node_count).sum()),
        "n_regrowths": found["n_regrown"],
        "n_routings": found["n_routed"],
    }
    return Regrown(made, found["node"], found["decision"], report)


def _decided(
    tree: Tree, rows: Rows, decision: Ints, error_options: ErrorOptions, grow: Any, anew: bool = True
) -> dict[str, Any]:
    """The call of the core."""
    labels = np.ascontiguousarray(rows.y, dtype=np.int32)
    costs = None if tree.costs is None else np.ascontiguousarray(tree.costs, dtype=np.float64)
    weight = np.ascontiguousarray(rows.weight, dtype=np.float64)
    given = _core.RaisingRows(
        rows.columns, labels, tree.max_n_classes, weight, _array(rows.factor), _array(rows.divisor), costs
    )
    wanted = np.ascontiguousarray(decision, dtype=np.int64)
    limit = limit_of(error_options.CF, error_options.bound)
    return _core.raise_branches(
        tree.predictor, given, wanted, limit, error_options.pool, grow, anew, rows.n_threads
    )


def _array(values: Floats | None) -> Floats | None:
    return None if values is None else np.ascontiguousarray(values, dtype=np.float64)
