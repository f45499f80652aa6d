"""Coded parts → a tree: by the threads of this process, or by an engine that has the parts elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from ... import _core
from ...data.common.array_types import Array, Ints
from ...data.common.hints import nearest
from ...data.parts import TableDescription
from ...data.target import Target
from ...tree.tree import Tree
from ..grow import as_tree, settings
from .coded import CodedPart, PartTotals, coders_of, core_columns, core_target
from .weights import ByClass


class Engine(Protocol):
    """Whatever has the coded parts and computes over all of them."""

    def compute(self, operation: int, words: Ints) -> tuple[Ints, Ints, Ints]:
        """Send a request to every part and add the replies: sums, maxima, and items one after another.

        A part replies `CodedPart.block(totals).compute(operation, words, rows)`, where `rows` are its own by
        node, `CodedPart.start()` at first. The operation ROUTE changes them.
        """


class Held(NamedTuple):
    """What is held of the parts at a time: it changes the work, never the tree. None: as the core does it."""

    gather_rows: int | None = None  # nodes of at most so many rows are finished in memory
    histogram_bytes: int | None = None  # of nodes that are counted in one pass, and of nodes kept
    gather_together: int | None = None  # rows of such nodes that are in memory at once
    run_rows: int | None = None  # a stretch of keys with at most so many rows comes row by row


def grow(
    parts: Sequence[CodedPart],
    description: TableDescription,
    params: dict[str, Any],
    gather_rows: int | None = None,
    keep: bool = True,
) -> Tree:
    """Grow the tree of parts that this process can read; it is the tree of the whole table.

    Parameters
    ----------
    parts : coded parts, in any order
    description : TableDescription
    params : dict
        The parameters of the estimator, checked.
    gather_rows : int, optional
        Nodes of at most so many rows are finished in memory.
    keep : bool, default=True
        Whether the blocks hold the tallies of the target in memory.

    Returns
    -------
    Tree
    """
    parts = [part for part in parts if part.n_rows]
    totals = PartTotals()
    for part in parts:
        totals.add(part.totals())
    setup = Setup(description, params, totals)
    setup.hold(Held(gather_rows))
    blocks, starts = [part.block(totals, keep) for part in parts], [part.start() for part in parts]
    return setup.tree(_core.grow_blocks(blocks, starts, *setup.arguments))


def grow_by_engine(
    engine: Engine,
    totals: PartTotals,
    description: TableDescription,
    params: dict[str, Any],
    held: Held | None = None,
) -> Tree:
    """Grow the tree of parts that an engine has. `totals` are the sums of `CodedPart.totals()`."""
    setup = Setup(description, params, totals)
    setup.hold(held or Held())
    return setup.tree(_core.grow_in_parts(engine.compute, *setup.arguments))


class Setup:
    """What the core must know of the whole table, and what becomes of its tree."""

    def __init__(self, description: TableDescription, params: dict[str, Any], totals: PartTotals) -> None:
        if not totals.weight > 0:
            raise ValueError("sample_weight must have a weight above zero. Got only zeros.")
        self.description = description
        classes = description.classes
        ends: Array = np.array([[description.low], [description.high]])
        if classes is not None:
            ends = np.zeros((1, 1), dtype=np.int32)
        example = np.ascontiguousarray(ends[:1])
        n_classes = 0 if classes is None else len(classes)
        core = core_target(example, n_classes, np.ones(1) if totals.weighted else None)
        known = () if classes is None else (classes,)
        by_class = ByClass.of(description, params)
        weights = (by_class.costs, by_class.growth)
        self.target = Target(core, ends, known, totals.n_rows, totals.weight, *weights)
        self.columns = _shape(description)
        params = dict(params) | {"monotonic_cst": signs(params["monotonic_cst"], description.names)}
        self.growth = settings(params, self.target, description.n_columns)
        n_bins = list(coders_of(description).n_bins)
        self.arguments = (self.columns, n_bins, core, totals.range, self.growth)

    def hold(self, held: Held) -> None:
        """Set what is held at a time, where it is given."""
        for name, value in held._asdict().items():
            if value is not None:
                setattr(self.growth, name, value)

    def tree(self, grown: dict[str, Any]) -> Tree:
        """What the core has grown."""
        names, types = self.description.names, self.description.column_types
        return as_tree(grown, self.columns, self.target, names, types)


def _shape(description: TableDescription) -> _core.Columns:
    """Columns of one row, of which the core takes the types and levels alone."""
    values: list[Array] = []
    for seen in description.columns:
        levels = seen.type.kind in {"nominal", "ordered"} and bool(seen.type.levels)
        values.append(np.zeros(1, dtype=np.int32 if levels else seen.dtype or np.float64))
    return core_columns(description.types, values, [None] * len(values), 1)


def signs(given: Any, names: Sequence[str]) -> Any:
    """Monotone constraints by place; those of columns that a dict does not name are 0."""
    if not isinstance(given, dict):
        return given
    for name in given:
        if name not in names:
            raise ValueError(
                f"monotonic_cst must name columns of X. Got {name!r}.{nearest(str(name), names)}"
            )
    return [int(given.get(name, 0)) for name in names]
