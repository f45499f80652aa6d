"""The rows of a report, read as at fit, and whether they are training rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.columns import from_columns
from ...data.target import check_weights
from ...data.typed_table import TypedTable as Table
from ...learn.fitted_tree import FittedTree
from ...tree.tree import LeavesReached, Tree
from .origin import HELD_OUT, Origin, origin_of

Array = NDArray[Any]
Floats = NDArray[np.float64]

MANY = 100_000  # rows; of more, as many are drawn for whatever must be grown anew


@dataclass(eq=False)
class Given:
    """Rows, with the target or without. `y` is as it was given, `codes` as the tree counts it."""

    saved: FittedTree
    X: Any  # its columns are those of the model, in that order
    y: Array | None
    weight: Floats | None
    table: Table
    groups: Any = None  # of the rows, for folds that keep them together
    time: Any = None  # when each row was observed
    grow_rows: Any = None  # the training rows that the fit stored, where pruning held some out
    origin: Origin = HELD_OUT  # what they are to the tree
    without_folds: str = ""  # why no folds could be grown

    @property
    def tree(self) -> Tree:
        """The tree of the model."""
        return self.saved.tree

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.table.n_rows

    @property
    def grown_on(self) -> bool:
        """Whether the tree was grown on these rows, or may have been."""
        return self.origin.grown_on

    @cached_property
    def columns(self) -> _core.Columns:
        """The table as the core reads it."""
        return from_columns(self.table.columns, self.n_rows)

    @cached_property
    def reached(self) -> LeavesReached:
        """Where the rows end in the tree."""
        return self.tree.leaves_reached(self.columns)

    @cached_property
    def codes(self) -> Array:
        """The target: places of labels among the classes, or numbers; (rows, outputs)."""
        from ...learn.pruning.rows import rows_for

        return np.asarray(rows_for(self.tree, self.X, self.y, self.weight).y)

    @cached_property
    def weights(self) -> Floats:
        """What each row weighs."""
        return np.ones(self.n_rows) if self.weight is None else self.weight

    @cached_property
    def drawn(self) -> NDArray[np.int64]:
        """The rows for whatever must be grown anew: all, or of a large table some."""
        every = np.arange(self.n_rows)
        if self.n_rows <= MANY:
            return every
        return np.sort(np.random.default_rng(0).choice(every, MANY, replace=False))


def rows_of(
    saved: FittedTree, X: Any, y: Any, beside: dict[str, Any], held_out: bool | None, model: Any = None
) -> Given | None:
    """Read and validate the rows; `beside` has their sample_weight, groups and time."""
    if X is None:
        lonely = [name for name, part in ({"y": y} | beside).items() if part is not None]
        if lonely:
            raise ValueError(f"{lonely[0]} needs the rows X that it speaks of. Got none. Give X too.")
        return None
    if held_out is not None and not isinstance(held_out, bool):
        raise ValueError(f"held_out must be True, False or None. Got {held_out!r}.")
    X = saved.select(X)
    table = saved.read(X)
    if not table.n_rows:
        raise ValueError("X must have at least one row. Got none.")
    weight = check_weights(beside["sample_weight"], table.n_rows)
    for name in ("groups", "time"):
        if beside[name] is not None and len(beside[name]) != table.n_rows:
            got = f"{len(beside[name]):,} for {table.n_rows:,} rows"
            raise ValueError(f"{name} must have one value per row of X. Got {got}.")
    target = None if y is None else _target(y, saved.tree.classes is None)
    grown = (getattr(model, "pruning_", None) or {}).get("grow_rows")
    made = Given(saved, X, target, weight, table, beside["groups"], beside["time"], grown)
    if y is not None:
        _must_be_finite(made.codes)  # which says what else is wrong with y
        made.origin = origin_of(made, held_out)
    return made


def _target(y: Any, numbers: bool) -> Array:
    found = np.asarray(y)
    if numbers:
        try:
            found.astype(np.float64)
        except (ValueError, TypeError):
            got = f"{found.ravel()[0]!r:.100}" if found.size else "none"
            many = f"Got {got} and others of type {found.dtype}."
            raise ValueError(f"y must be numbers, as the model predicts them. {many}") from None
    return found[:, 0] if found.ndim == 2 and found.shape[1] == 1 else found


def _must_be_finite(y: Array) -> None:
    wrong = np.flatnonzero(~np.isfinite(y).all(axis=1))
    if len(wrong):
        place = int(wrong[0])
        raise ValueError(f"y must be finite. Got {y[place].tolist()} in row {place}. Leave it out.")
