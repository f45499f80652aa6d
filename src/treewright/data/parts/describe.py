"""One part of a table → what its columns hold, its classes, and a sample of its numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..checked_target import LARGEST
from ..common.array_types import Array, Floats, Ints
from ..common.hints import nearest
from ..common.labels import coded, is_text
from ..exact_totals import exact_totals
from ..files.errors import TableError
from ..known_target import known_rows
from ..levels import Labels
from ..schema import nominal_mask
from ..table import frame_of, read_series
from ..typed import as_at_fit
from ..values import Column, Read
from .columns_seen import ColumnSeen, column_seen
from .sample import Sample
from .value_counts import ValueCounts, group_hashes, time_values


@dataclass(frozen=True)
class Reading:
    """Which columns are what."""

    target: str
    classes: bool  # whether the target is one of classes
    sample_weight: str | None = None
    categorical_features: Any = "from_dtype"  # as the parameter of the estimators
    groups: str | None = None
    time: str | None = None
    exposure: str | None = None  # of a target of events, whose rates are predicted

    def beside(self) -> dict[str, str]:
        """The columns that are not predicted from, by what they are."""
        what = ("target", "sample_weight", "groups", "time", "exposure")
        return {each: name for each in what if (name := getattr(self, each)) is not None}


@dataclass(frozen=True)
class PartDescription:
    """What one part holds. It is small, whatever the part."""

    name: str
    n_rows: int
    names: tuple[str, ...]  # of the columns to predict from, in order
    columns: dict[str, ColumnSeen]
    target_dtype: str = ""
    counts: Counter[Any] = field(default_factory=Counter)  # rows by class
    low: float = np.inf  # of a target of numbers
    high: float = -np.inf
    sample: dict[str, Floats] = field(default_factory=dict)
    weights: Counter[Any] = field(default_factory=Counter)  # by class: exact sums, where rows have weights
    groups: ValueCounts = field(default_factory=ValueCounts)
    times: ValueCounts = field(default_factory=ValueCounts)
    n_lost: int = 0  # rows without a target, which are left out and not in `n_rows`


@dataclass(frozen=True)
class Batch:
    """Some rows of a part."""

    reads: dict[str, Read]
    marks: dict[str, bool | None]
    target: Array
    weights: Floats | None
    n_rows: int
    groups: Ints | None = None  # hashes
    times: Array | None = None
    n_lost: int = 0  # rows without a target, which are left out


def describe(batches: Iterable[Any], reading: Reading, name: str) -> PartDescription:
    """Look at the rows of a part that have a target. `name` is what messages call it, such as its file.

    Parameters
    ----------
    batches : frames (pandas, polars, pyarrow) of the same columns
    reading : Reading
    name : str

    Returns
    -------
    PartDescription
    """
    columns: dict[str, ColumnSeen] = {}
    counts: Counter[Any] = Counter()
    names: tuple[str, ...] = ()
    low, high, n_rows, n_lost, dtype, sample = np.inf, -np.inf, 0, 0, "", Sample()
    weights: Counter[Any] = Counter()
    groups, times = ValueCounts(), ValueCounts()
    for batch in read_batches(batches, reading, name):
        names = tuple(batch.reads)
        numbers: dict[str, Column] = {}
        for key, read in batch.reads.items():
            seen = column_seen(read, batch.marks[key], name)
            columns[key] = columns[key] + seen if key in columns else seen
            if not _has_levels(read, batch.marks[key]):
                numbers[key] = as_at_fit(read, batch.marks[key])
        sample.add(numbers, batch.n_rows)
        n_rows, n_lost = n_rows + batch.n_rows, n_lost + batch.n_lost
        if not batch.n_rows:
            continue
        found = batch.target.dtype.str
        dtype = found if not dtype else str(np.promote_types(dtype, found).str)
        if reading.classes:
            counts.update(_counted(batch.target))
            weights.update(_weighed(batch))
        else:
            low, high = min(low, float(batch.target.min())), max(high, float(batch.target.max()))
        groups = groups if batch.groups is None else groups + ValueCounts.of(batch.groups)
        times = times if batch.times is None else times + ValueCounts.of(batch.times)
    known = (low, high, sample.values(), weights, groups, times, n_lost)
    return PartDescription(name, n_rows, names, columns, dtype, counts, *known)


def read_batches(batches: Iterable[Any], reading: Reading, name: str) -> Iterator[Batch]:
    """The columns of each batch as what they are, with its target and weights; of rows that have a target."""
    for given in batches:
        frame = frame_of(given)
        all_names = list(map(str, frame.columns))
        beside = reading.beside()
        for what, column in beside.items():
            if column not in all_names:
                hint = nearest(column, all_names)
                raise TableError(
                    f"{what} must be a column of every part. {name} has no column {column!r}.{hint}"
                )
        known = known_rows(frame[reading.target])
        n_all, frame = len(frame), frame if known is None else frame[known]
        features = [each for each in all_names if each not in beside.values()]
        if not features:
            raise TableError(f"The table must have a column besides {reading.target!r}. {name} has none.")
        mask = nominal_mask(reading.categorical_features, features, len(features))
        reads = {each: read_series(frame[each]) for each in features}
        target, weights = _target_and_weights(frame, reading, name)
        groups = None if reading.groups is None else group_hashes(frame[reading.groups], reading.groups, name)
        times = None if reading.time is None else time_values(frame[reading.time], reading.time, name)
        marks = _marks(reads, mask, reading.categorical_features)
        yield Batch(reads, marks, target, weights, len(frame), groups, times, n_all - len(frame))


def _marks(reads: dict[str, Read], mask: Any, chosen: Any) -> dict[str, bool | None]:
    """Whether each column is nominal by the parameter; None: by its type. As at fit in memory."""
    if mask is not None:
        return dict(zip(reads, mask.tolist(), strict=True))
    unordered = isinstance(chosen, str) and chosen == "unordered"
    return {each: True if unordered and isinstance(read, Labels) else None for each, read in reads.items()}


def _has_levels(read: Read, mark: bool | None) -> bool:
    if isinstance(read, Labels):
        return mark is not False or read.ordered
    return bool(mark)


# -- target and weights


def target_values(series: Any, reading: Reading, name: str) -> Array:
    """The target of some rows as an array: text as objects, numbers as they are. None is missing."""
    import narwhals.stable.v2 as nw

    what = f"The target {reading.target!r}"
    if not len(series):
        return np.empty(0)
    dtype = series.dtype
    if isinstance(dtype, nw.Categorical | nw.Enum | nw.String) or dtype == nw.Object:
        values = _packed(series.to_list())
    else:
        values = np.asarray(series.to_numpy())
    if reading.classes:
        _check_classes(values, what, name)
        return values
    if values.dtype.kind not in "biuf":
        got = "text" if values.dtype.kind == "O" else str(values.dtype)
        raise TableError(f"{what} of a regressor must be made of numbers. {name} holds {got}.")
    values = values.astype(np.float64)
    if len(values) and not float(np.abs(values).max()) <= LARGEST:
        raise TableError(
            f"{what} must lie between -{LARGEST:g} and {LARGEST:g}. {name} has {np.abs(values).max():g}."
        )
    return values


def _packed(items: list[Any]) -> Array:
    """Text as objects; the numbers of categories as an array of numbers."""
    return np.array(items, dtype=object if any(isinstance(item, str) for item in items) else None)


def _check_classes(values: Array, what: str, name: str) -> None:
    if values.dtype.kind == "O" and len(values) and not is_text(values):
        raise TableError(f"{what} must hold labels of one kind. {name} mixes text and others.")
    if values.dtype.kind not in "biufO":
        raise TableError(f"{what} must hold classes. {name} holds {values.dtype}.")
    if values.dtype.kind == "f" and not (values == np.floor(values)).all():
        odd = values[values != np.floor(values)][0]
        raise TableError(
            f"{what} of a classifier must hold classes. {name} has numbers with decimals, such as {odd:g}. "
            "Use a regressor, or make text of them."
        )


def _counted(values: Array) -> dict[Any, int]:
    if values.dtype.kind == "O":
        return Counter(values.tolist())
    labels, counts = np.unique(values, return_counts=True)
    return dict(zip(labels.tolist(), counts.tolist(), strict=True))


def _weighed(batch: Batch) -> dict[Any, int]:
    """The exact sum of the weights of each class."""
    if batch.weights is None:
        return {}
    labels, codes = coded(batch.target)
    return dict(zip(labels.tolist(), exact_totals(codes, batch.weights, len(labels)), strict=True))


def _target_and_weights(frame: Any, reading: Reading, name: str) -> tuple[Array, Floats | None]:
    """Both; of events in so much exposure their rates, weighted by it, as in memory."""
    target = target_values(frame[reading.target], reading, name)
    weights = None
    if reading.sample_weight is not None:
        weights = _weights(frame[reading.sample_weight], f"sample_weight {reading.sample_weight!r}", name)
    if reading.exposure is None:
        return target, weights
    what = f"exposure {reading.exposure!r}"
    exposure = _weights(frame[reading.exposure], what, name)
    if not (exposure > 0).all():
        raise TableError(f"{what} must be above 0. {name} has {exposure.min():g}. Leave such rows out.")
    return target / exposure, exposure if weights is None else weights * exposure


def _weights(series: Any, what: str, name: str) -> Floats:
    if not series.dtype.is_numeric() and len(series):
        raise TableError(f"{what} must be a column of numbers. In {name} it is of {series.dtype}.")
    if series.null_count():
        raise TableError(f"{what} must have a number in every row. {name} has rows without one.")
    weights = np.ascontiguousarray(series.to_numpy(), dtype=np.float64)
    if not np.isfinite(weights).all() or (weights < 0).any():
        wrong = weights[~(np.isfinite(weights) & (weights >= 0))][0]
        raise TableError(f"{what} must be finite and not negative. {name} has {wrong:g}.")
    return weights
