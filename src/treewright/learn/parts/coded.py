"""A part of a table, coded: arrays that the core counts in, and that another process can be sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ... import _core
from ...data.common.array_types import Array, Floats, Ints, Mask
from ...data.parts import TableDescription
from ...data.parts.describe import Batch, read_batches
from ...data.schema import ColumnType
from ...data.typed import as_known
from ...data.values import Column
from ..params import ALIASES
from .folds import Division
from .refusals import is_chosen
from .weights import ByClass


@dataclass
class PartTotals:
    """What the coded parts of a table add up to; small, and the same in any order."""

    range: _core.TargetRange = field(default_factory=_core.TargetRange)
    n_rows: int = 0  # with a weight above 0
    weight: float = 0.0
    weighted: bool = False

    def add(self, other: PartTotals) -> None:
        """Add those of another part."""
        self.range.add(other.range)
        self.n_rows += other.n_rows
        self.weight += other.weight
        self.weighted = self.weighted or other.weighted


@dataclass
class CodedPart:
    """The rows of a part as the core reads them. Only arrays are pickled, never the block."""

    types: tuple[ColumnType, ...]
    values: list[Array]  # of each column; codes of levels for a nominal one
    missing: list[Mask | None]
    codes: list[Array | None]  # the bin of each value; None for nominal columns
    ranges: Ints
    n_bins: list[int]
    y: Array  # (rows, 1): places of classes, or numbers
    n_classes: int  # 0 for numbers
    weights: Floats | None
    criterion: str
    folds: Array | None = None  # of each row; None: by its number
    growth: Floats | None = None  # what a row of each class weighs by costs while the tree grows

    @property
    def n_rows(self) -> int:
        """How many rows it has."""
        return len(self.y)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_block"}

    def __sizeof__(self) -> int:  # for Dask, which else would think that moving a part costs nothing
        arrays = [*self.values, *self.missing, *self.codes, self.y, self.weights, self.folds]
        return sum(array.nbytes for array in arrays if array is not None)

    def evaluation_weights(self) -> Floats:
        """The weights of the rows without costs, which are in the loss."""
        if self.weights is None:
            return np.ones(self.n_rows)
        return self.weights if self.growth is None else np.asarray(self.weights / self.growth[self.y[:, 0]])

    def columns(self) -> _core.Columns:
        """The columns as the core sees them."""
        return core_columns(self.types, self.values, self.missing, self.n_rows)

    def target(self) -> _core.Target:
        """The target as the core sees it."""
        return core_target(self.y, self.n_classes, self.weights)

    def totals(self) -> PartTotals:
        """The part's share of what is known of all rows."""
        found = PartTotals()
        found.range.add_target(self.target())
        found.n_rows, found.weight = self.n_rows, float(self.n_rows)
        if self.weights is not None:
            found.n_rows, found.weight = int(np.count_nonzero(self.weights)), float(self.weights.sum())
            found.weighted = True
        return found

    def start(self, left_out: Mask | None = None) -> _core.RowsByNode:
        """The rows before growth: in the root, without those that weigh nothing or are left out."""
        counts = np.ones(self.n_rows, dtype=bool) if self.weights is None else self.weights > 0
        return _core.RowsByNode(counts if left_out is None else counts & ~left_out)

    def block(self, totals: PartTotals, keep: bool = True) -> _core.Block:
        """What computes this part's share of every reply; made once. `keep`: hold its tallies in memory."""
        made: _core.Block | None = vars(self).get("_block")
        if made is None:
            coded = (self.codes, self.n_bins, self.ranges, self.target(), totals.range, self.criterion, keep)
            made = self._block = _core.Block(self.columns(), *coded)
        return made


def totals_of(parts: Iterable[CodedPart]) -> PartTotals:
    """What some parts add up to."""
    found = PartTotals()
    for part in parts:
        found.add(part.totals())
    return found


def code_part(batches: Iterable[Any], description: TableDescription, params: dict[str, Any]) -> CodedPart:
    """Code the rows of a part by what is known of the whole table.

    Parameters
    ----------
    batches : frames of the part's rows
    description : TableDescription
        Of all parts.
    params : dict
        The parameters of the estimator.

    Returns
    -------
    CodedPart
    """
    found = list(read_batches(batches, description.reading, "a part"))
    found = [batch for batch in found if batch.n_rows] or found[:1]
    columns = [
        _joined([_known(batch, name, seen.type, seen.dtype) for batch in found])
        for name, seen in zip(description.names, description.columns, strict=True)
    ]
    y = _target(found, description)
    by_class = ByClass.of(description, params)
    weights = _weights(found, by_class, y)
    folds = _folds(found, description, params) if is_chosen(params) else None
    values, missing = [column.values for column in columns], [column.missing for column in columns]
    coders = coders_of(description)
    made = core_columns(description.types, values, missing, len(y))
    codes, ranges = coders.code(made)
    n_classes = 0 if description.classes is None else len(description.classes)
    criterion = ALIASES.get(params["criterion"], params["criterion"])
    n_bins = list(coders.n_bins)
    coded = (values, missing, codes, ranges, n_bins)
    return CodedPart(description.types, *coded, y, n_classes, weights, criterion, folds, by_class.growth)


def coders_of(description: TableDescription) -> _core.Coders:
    """How numbers become bins: the same for all parts."""
    return _core.Coders(list(description.samples))


def _known(batch: Batch, name: str, known: ColumnType, dtype: str) -> Column:
    column = as_known(batch.reads[name], known)
    if dtype and column.values.dtype.str != dtype:
        column = column._replace(values=column.values.astype(dtype))
    return column


def _joined(batches: list[Column]) -> Column:
    if len(batches) == 1:
        return batches[0]._replace(values=np.ascontiguousarray(batches[0].values))
    values = np.concatenate([each.values for each in batches]) if batches else np.empty(0)
    if all(each.missing is None for each in batches):
        return Column("", values)
    gaps = [np.zeros(len(each.values), bool) if each.missing is None else each.missing for each in batches]
    return Column("", values, np.concatenate(gaps))


def _target(batches: list[Batch], description: TableDescription) -> Array:
    classes = description.classes
    parts = [batch.target for batch in batches]
    y = np.concatenate(parts) if parts else np.empty(0)
    if classes is None:
        return y.astype(np.float64, copy=False).reshape(-1, 1)
    if classes.dtype.kind == "O":
        place = {label: code for code, label in enumerate(classes.tolist())}
        codes = np.fromiter(map(place.__getitem__, y.tolist()), dtype=np.int32, count=len(y))
    else:
        codes = np.searchsorted(classes, y).astype(np.int32)
    return codes.reshape(-1, 1)


def _weights(batches: list[Batch], by_class: ByClass, y: Array) -> Floats | None:
    given = [batch.weights for batch in batches if batch.weights is not None]
    weights = np.concatenate(given) if given else None
    for factors in by_class.all():
        by_row = factors[y[:, 0]]
        weights = by_row if weights is None else np.asarray(weights * by_row)
    return weights


def _folds(batches: list[Batch], description: TableDescription, params: dict[str, Any]) -> Array | None:
    division = Division(description, int(params["cv"]))
    found = [division.of(batch.groups, batch.times) for batch in batches]
    known = [each for each in found if each is not None]
    return np.concatenate(known) if known else None


# -- for the core


def core_columns(
    types: tuple[ColumnType, ...], values: list[Array], missing: list[Mask | None], n_rows: int
) -> _core.Columns:
    """Columns of these types, where they are."""
    columns = _core.Columns(n_rows)
    for known, each, gaps in zip(types, values, missing, strict=True):
        if known.kind == "nominal" and known.levels:
            columns.add_nominal(each, len(known.levels))
        else:
            columns.add_column(each, gaps, known.kind in {"datetime", "duration"})
    return columns


def core_target(y: Array, n_classes: int, weights: Floats | None) -> _core.Target:
    """A target of one output."""
    if n_classes:
        return _core.Target.classes(y, [n_classes], weights)
    return _core.Target.numbers(y, weights)
