"""How far is far: what a change of each column is measured by, and what may change at all."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..hints import nearest
from ..schema import NUMBER, ColumnType
from ..values import Column
from .cells import Cells
from .counterfactual_moves import FALLING, FIXED, FREE, RISING, LevelMove, Move, NumberMove
from .counterfactual_numbers import Numbers, numbers_of
from .counterfactual_reference import reference_columns
from .subject import Subject

GIVEN, ROWS, TREE = (
    "as given",
    "the quartile range of the reference rows",
    "the spread of the tree's thresholds",
)
T = TypeVar("T")
TIMES = ("datetime", "duration")
PART = 0.01  # of a scale: as far as a value may be moved on to have fewer digits


class Habit(NamedTuple):
    """What is usual: a middle value, whether all numbers are whole, and the levels, the commonest first."""

    middle: float | None
    whole: bool
    often: tuple[int, ...]


class Lazy(dict[int, T]):
    """Entries that are made when first asked for: a tree asks few columns of a wide table."""

    def __init__(self, make: Callable[[int], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, column: int) -> T:
        found = self[column] = self._make(column)
        return found


@dataclass(frozen=True)
class Terms:
    """What the user allows, and how changes are measured: one entry per column in each list."""

    subject: Subject
    rules: list[str]
    weights: list[float]
    given: Mapping[int, float] = field(default_factory=dict)
    reference: list[Column] | None = None

    def type_of(self, column: int) -> ColumnType:
        """What a column holds."""
        return self.subject.words.column(column)

    @property
    def tree(self) -> Any:
        """The tree."""
        return self.subject.tree

    @cached_property
    def scales(self) -> dict[int, tuple[float, str]]:
        """What costs 1 in each column, and where that is from; levels cost 1 a change, ranks 1 a step."""
        return Lazy(self._scale)

    def _scale(self, column: int) -> tuple[float, str]:
        if column in self.given:
            return self.given[column], GIVEN
        if self.type_of(column).kind not in ("number", *TIMES):
            return 1.0, ""
        if self.reference is not None:
            spread = _spread(self._values(column))
            if spread > 0:
                return spread, ROWS
        return self._of_thresholds(column), TREE

    def _values(self, column: int) -> NDArray[np.float64]:
        """What the reference rows have in a column of numbers, finite and not missing."""
        assert self.reference is not None
        held = self.reference[column]
        values = np.asarray(held.values, dtype=np.float64)
        if held.missing is not None:
            values = values[~held.missing]
        return values[np.isfinite(values)]

    def _of_thresholds(self, column: int) -> float:
        asked = self.thresholds[column]
        spread = float(asked[-1] - asked[0]) if len(asked) else 0.0
        if spread > 0:
            return spread
        size = abs(float(asked[0])) if len(asked) else 0.0
        return size if size > 0 else 1.0

    @cached_property
    def thresholds(self) -> dict[int, NDArray[np.float64]]:
        """The finite thresholds of each column in the tree, rising."""
        asked = np.where(self.tree.is_leaf, np.nan, self.tree.threshold)
        return Lazy(lambda j: np.sort(asked[(self.tree.feature == j) & np.isfinite(asked)]))

    @cached_property
    def habits(self) -> dict[int, Habit]:
        """What is usual in each column."""
        return Lazy(self._habit)

    def _habit(self, column: int) -> Habit:
        if self.reference is None:
            asked = self.thresholds[column]
            return Habit(float(asked[len(asked) // 2]) if len(asked) else None, False, ())
        if self.type_of(column).kind == "nominal":
            codes = np.asarray(self.reference[column].values)
            many = len(self.type_of(column).levels)
            counts = np.bincount(codes[(codes >= 0) & (codes < many)].astype(np.int64), minlength=many)
            return Habit(None, False, tuple(np.argsort(-counts, kind="stable").tolist()))
        values = self._values(column)
        middle = float(np.quantile(values, 0.5, method="lower")) if len(values) else None
        return Habit(middle, bool(len(values)) and bool((values == np.floor(values)).all()), ())

    def moves(self, cells: Cells) -> dict[int, Move]:
        """What each cell of a row may become."""
        return Lazy(lambda j: self._move(j, cells.columns[j]))

    def _move(self, column: int, held: Column) -> Move:
        known, (scale, _) = self.type_of(column), self.scales[column]
        middle, whole, often = self.habits[column]
        rule, weight = self.rules[column], self.weights[column]
        if known.kind == "nominal":
            code = int(held.values[0]) if known.levels and not is_gap(held) else -1
            start = code if 0 <= code < len(known.levels) else None
            return LevelMove(start, len(known.levels), weight, rule, often)
        numbers = domain(known, held)
        value: Any = None if is_gap(held) else held.values[0].item()
        slack = 1.0 if whole and not numbers.is_time else PART * scale
        return NumberMove(value, numbers, scale, weight, rule, known.kind == "boolean", slack, middle)


def is_gap(held: Column) -> bool:
    """Whether the one cell of a column is missing."""
    if held.missing is not None:
        return bool(held.missing[0])
    return held.values.dtype.kind == "f" and bool(np.isnan(held.values[0]))


def domain(known: ColumnType, held: Column) -> Numbers:
    """The numbers that a cell can hold."""
    if known.kind == "ordered":
        return Numbers(np.dtype(np.int64), 0, len(known.levels) - 1)
    if known.kind == "boolean":
        return Numbers(held.values.dtype, 0, 1)
    if known.kind in TIMES:
        return Numbers(np.dtype(np.int64), -(2**63) + 1, 2**63 - 1, is_time=True)
    return numbers_of(held.values.dtype)


def _spread(values: NDArray[np.float64]) -> float:
    """The quartile range, or if that is 0 the whole range."""
    if not len(values):
        return 0.0
    low, high = np.quantile(values, [0.25, 0.75])
    return float(high - low) or float(np.ptp(values))


# -- what the user says


def terms_of(
    subject: Subject,
    *,
    rules: Mapping[str, Any],
    weights: Mapping[Any, float] | None,
    scales: Mapping[Any, Any] | None,
    reference: Any,
) -> Terms:
    """Read the parameters; columns are called by name or by number."""
    types = subject.tree.column_types or [NUMBER] * subject.tree.n_features
    ruled = [FREE] * len(types)
    for rule in (RISING, FALLING, FIXED):
        for each in _listed(rules[rule], rule):
            place = _column(subject, each, rule)
            if rule != FIXED and types[place].kind == "nominal":
                raise ValueError(
                    f"{rule} needs a column with an order. Got {each!r}, of levels without one. Use fixed."
                )
            if ruled[place] not in (FREE, rule):
                raise ValueError(f"A column may have one rule. Got {each!r} as {ruled[place]} and {rule}.")
            ruled[place] = rule
    weight = [1.0] * len(types)
    for each, value in (weights or {}).items():
        weight[_column(subject, each, "weights")] = _positive(value, "weights", each, least_zero=True)
    given = {}
    for each, value in (scales or {}).items():
        given[_column(subject, each, "scales")] = _positive(_micros(value), "scales", each)
    rows = None if reference is None else reference_columns(subject, reference)
    return Terms(subject, ruled, weight, given, rows)


def _listed(given: Any, name: str) -> Collection[Any]:
    if isinstance(given, str):
        raise ValueError(
            f"{name} must be a list of columns. Got {given!r}. One column is a list too: [{given!r}]."
        )
    return list(given)


def _column(subject: Subject, called: Any, name: str) -> int:
    features: Sequence[str] = subject.names or subject.words.features
    if isinstance(called, str) and called in features:
        return list(features).index(called)
    if isinstance(called, int | np.integer) and not isinstance(called, bool) and 0 <= called < len(features):
        return int(called)
    hint = nearest(called, features)
    raise ValueError(f"{name} must name columns of the model, or have their numbers. Got {called!r}.{hint}")


def _micros(value: Any) -> Any:
    if isinstance(value, dt.timedelta):
        return value / dt.timedelta(microseconds=1)
    return value / np.timedelta64(1, "us") if isinstance(value, np.timedelta64) else value


def _positive(value: Any, name: str, column: Any, least_zero: bool = False) -> float:
    fine = isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    if not fine or value < 0 or (value == 0 and not least_zero):
        more = "at least 0" if least_zero else "above 0"
        raise ValueError(f"{name} must be finite numbers {more}. Got {value!r} for {column!r}.")
    return float(value)
