"""The distance of a change: its scale in each column, and which changes are allowed."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...data.common.hints import nearest
from ...data.values import Column
from ..described_model import DescribedModel
from ..row import LazyDict, Row, is_gap
from .changes import FALLING, FIXED, FREE, RISING, LevelChange, NumberChange, ValueChange
from .numbers import TIMES, Domains

GIVEN, ROWS, RANGE, TREE = (
    "as given",
    "the quartile range of the reference rows",
    "the whole range of the reference rows",
    "the spread of the tree's thresholds",
)
PART = 0.01  # of a scale: as far as a value may be moved on to have fewer digits


class TypicalValues(NamedTuple):
    """What is usual: a middle value, whether all numbers are whole, and the levels, the commonest first."""

    middle: float | None
    whole: bool
    often: tuple[int, ...]


@dataclass(frozen=True)
class ChangeRules:
    """What the user allows, and how changes are measured: one entry per column in each list."""

    model: DescribedModel
    rules: list[str]
    weights: list[float]
    given: Mapping[int, float] = field(default_factory=dict)
    reference: list[Column] | None = None
    table: Any = None  # X, if it has several rows and types of its own

    @cached_property
    def domains(self) -> Domains:
        """The numbers that each column can hold."""
        return Domains(self.model, self.reference, self.table)

    @cached_property
    def scales(self) -> dict[int, tuple[float, str]]:
        """What costs 1 in each column, and where that is from; levels cost 1 a change, ranks 1 a step."""
        return LazyDict(self._scale)

    def _scale(self, column: int) -> tuple[float, str]:
        if column in self.given:
            return self.given[column], GIVEN
        if self.model.words.column(column).kind not in ("number", *TIMES):
            return 1.0, ""
        if self.reference is not None:
            spread, which = _spread(self._values(column))
            if spread > 0:
                return spread, which
        tested = self.thresholds[column]
        spread = float(tested[-1] - tested[0]) or abs(float(tested[0])) if len(tested) else 0.0
        return spread or 1.0, TREE

    def _values(self, column: int) -> NDArray[np.float64]:
        """What the reference rows have in a column of numbers, finite and not missing."""
        assert self.reference is not None
        held = self.reference[column]
        values = np.asarray(held.values, dtype=np.float64)
        if held.missing is not None:
            values = values[~held.missing]
        return values[np.isfinite(values)]

    @cached_property
    def thresholds(self) -> dict[int, NDArray[np.float64]]:
        """The finite thresholds of each column in the tree, rising."""
        tree = self.model.tree
        tested = np.where(tree.is_leaf, np.nan, tree.threshold)
        extra: dict[int, list[float]] = {}
        for node in np.flatnonzero(tree.feature >= tree.n_features).tolist():
            for column, coefficient in tree.test(node).terms:  # as if the other columns were 0
                extra.setdefault(column, []).append(float(tested[node]) / coefficient)

        def of_column(j: int) -> NDArray[np.float64]:
            own = tested[(tree.feature == j) & np.isfinite(tested)]
            return np.sort(np.concatenate([own, extra.get(j, [])]))

        return LazyDict(of_column)

    @cached_property
    def typical(self) -> dict[int, TypicalValues]:
        """What is usual in each column."""
        return LazyDict(self._typical_of)

    def _typical_of(self, column: int) -> TypicalValues:
        if self.reference is None:
            tested = self.thresholds[column]
            return TypicalValues(float(tested[len(tested) // 2]) if len(tested) else None, False, ())
        known = self.model.words.column(column)
        if known.kind == "nominal":
            codes, many = np.asarray(self.reference[column].values), len(known.levels)
            counts = np.bincount(codes[(codes >= 0) & (codes < many)].astype(np.int64), minlength=many)
            return TypicalValues(None, False, tuple(np.argsort(-counts, kind="stable").tolist()))
        values = self._values(column)
        middle = float(np.quantile(values, 0.5, method="lower")) if len(values) else None
        return TypicalValues(middle, bool(len(values)) and bool((values == np.floor(values)).all()), ())

    def changes(self, row: Row) -> dict[int, ValueChange]:
        """What each value of a row may become."""
        return LazyDict(lambda j: self._change(j, row.columns[j]))

    def _change(self, column: int, held: Column) -> ValueChange:
        known, (scale, _) = self.model.words.column(column), self.scales[column]
        middle, whole, often = self.typical[column]
        rule, weight = self.rules[column], self.weights[column]
        if known.kind == "nominal":
            code = int(held.values[0]) if known.levels and not is_gap(held) else -1
            start = code if 0 <= code < len(known.levels) else None
            return LevelChange(column, start, len(known.levels), weight, rule, often)
        numbers = self.domains.of(column, held)
        value: Any = None if is_gap(held) else held.values[0].item()
        slack = 1.0 if whole and not numbers.is_time else PART * scale
        return NumberChange(
            column, value, numbers, scale, weight, rule, known.kind == "boolean", slack, middle
        )


def _spread(values: NDArray[np.float64]) -> tuple[float, str]:
    """The quartile range, or if that is 0 the whole range; and which of them it is."""
    if not len(values):
        return 0.0, ROWS
    low, high = np.quantile(values, [0.25, 0.75])
    return (float(high - low), ROWS) if high > low else (float(np.ptp(values)), RANGE)


# -- parameters


def change_rules(
    model: DescribedModel, rules: Mapping[str, Any], weights: Any, scales: Any, reference: Any, table: Any
) -> ChangeRules:
    """Read the parameters; columns are called by name or by number."""
    ruled, weight = [FREE] * model.tree.n_features, [1.0] * model.tree.n_features
    for rule in (RISING, FALLING, FIXED):
        for each in _listed(rules[rule], rule):
            place = _column(model, each, rule)
            if rule != FIXED and model.words.column(place).kind == "nominal":
                raise ValueError(
                    f"{rule} needs a column with an order. Got {each!r}, of levels without one. Use fixed."
                )
            if ruled[place] not in (FREE, rule):
                raise ValueError(f"A column may have one rule. Got {each!r} as {ruled[place]} and {rule}.")
            ruled[place] = rule
    for each, value in _mapped(weights, "weights").items():
        weight[_column(model, each, "weights")] = _positive(value, "weights", each, least_zero=True)
    given = {
        _column(model, each, "scales"): _positive(_micros(value), "scales", each)
        for each, value in _mapped(scales, "scales").items()
    }
    rows = None if reference is None else model.model.read(reference).columns
    return ChangeRules(model, ruled, weight, given, rows, table)


def _listed(given: Any, name: str) -> Collection[Any]:
    if isinstance(given, str):
        raise ValueError(
            f"{name} must be a list of columns. Got {given!r}. One column is a list too: [{given!r}]."
        )
    if not isinstance(given, Iterable):
        raise ValueError(
            f"{name} must be a list of columns, by name or number. Got {given!r}. For none leave it out."
        )
    return list(given)


def _mapped(given: Any, name: str) -> Mapping[Any, Any]:
    if given is not None and not isinstance(given, Mapping):
        raise ValueError(
            f"{name} must be a dict of columns and numbers. Got {given!r:.100}. Write {{column: number}}."
        )
    return given or {}


def _column(model: DescribedModel, called: Any, name: str) -> int:
    features: Sequence[str] = model.names or model.words.features
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
