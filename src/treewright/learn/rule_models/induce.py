"""From the leaves of a model tree to rules, and from rules to committees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...data.common.array_types import Floats, Mask
from ...data.schema import ColumnType
from ...tree.paths import PathConditions
from ...tree.value_sets import FIRST, LAST, LevelSet, NumberRange, ValueSet, is_whole
from .data import Data, Linear
from .growth import Cut, ModelNode, grown, leaves_of, smoothed
from .rule_model import LinearRule

Condition = tuple[Cut, bool]  # whether it holds, or does not


def rules_of(data: Data, most: int, types: Sequence[ColumnType], usual: Floats) -> tuple[LinearRule, ...]:
    """The rules of the model tree of these rows, by the mean of the rows that they cover."""
    found: dict[tuple[frozenset[Condition], tuple[float, ...]], LinearRule] = {}
    for leaf in leaves_of(grown(data, most)):
        model = data.rounded(leaf.rows, smoothed(data, leaf))
        conditions, covers = _general(data, leaf, model)
        rows = np.flatnonzero(covers)
        if data.unbiased or len(rows) != len(leaf.rows):
            model = data.rounded(rows, model, data.unbiased)
        error = _error(data, covers, model, leaf.model.size)
        key = frozenset(conditions), (model.intercept, *model.terms.values())
        y = data.y[rows]
        path = PathConditions().then(*(_values(each, types, usual) for each in conditions))
        facts = len(rows), float(y.mean()), float(y.min()), float(y.max()), error
        found.setdefault(key, LinearRule(path, model.intercept, model.terms, *facts))
    return tuple(sorted(found.values(), key=lambda rule: rule.mean))


def committee_of(
    data: Data, members: int, most: int, types: Sequence[ColumnType], usual: Floats
) -> list[tuple[LinearRule, ...]]:
    """Rules; and from the second member on rules for 2 y - what the member before predicts."""
    found, current = [], data
    for number in range(members):
        rules = rules_of(current, most, types, usual)
        if number:
            rules = tuple(_in_y(data, each) for each in rules)
        found.append(rules)
        if number + 1 < members:
            current = replace(
                current, y=2 * data.y - mean_of(rules, data.X, data.y.mean(), data.extrapolation)
            )
    return found


def _in_y(data: Data, rule: LinearRule) -> LinearRule:
    """A rule with the mean and the range of y itself among the rows that it covers."""
    y = data.y[rule.holds(data.X)]
    mean, low, high = float(y.mean()), float(y.min()), float(y.max())
    return replace(rule, mean=mean, low=low, high=high)


def mean_of(rules: Sequence[LinearRule], X: Floats, default: float, extrapolation: float) -> Floats:
    """The mean of what all rules that hold predict; the default where none does."""
    total, count = np.zeros(len(X)), np.zeros(len(X))
    for rule in rules:
        rows = np.flatnonzero(rule.holds(X))
        total[rows] += rule.predict(X[rows], extrapolation)
        count[rows] += 1
    return np.where(count > 0, total / np.maximum(count, 1), default)


def _general(data: Data, leaf: ModelNode, model: Linear) -> tuple[list[Condition], Mask]:
    """The conditions of a leaf without those that are not needed: the error does not rise without them."""
    conditions: list[Condition] = []
    node = leaf
    while node.above is not None and node.above.cut is not None:
        conditions.append((node.above.cut, node is node.above.children[0]))
        node = node.above
    conditions = list(dict.fromkeys(reversed(conditions)))
    holds = [cut.holds(data.X[:, cut.column]) == side for cut, side in conditions]
    every = np.ones(len(data.y), dtype=bool)
    covers = np.logical_and.reduce(holds) if holds else every
    error = _error(data, covers, model, leaf.model.size)
    while holds:
        wider = [np.logical_and.reduce([every, *holds[:k], *holds[k + 1 :]]) for k in range(len(holds))]
        errors = [_error(data, each, model, leaf.model.size) for each in wider]
        k = int(np.argmin(errors))
        if errors[k] > error:
            break
        error, covers = errors[k], wider[k]
        conditions.pop(k)
        holds.pop(k)
    return conditions, covers


def _error(data: Data, covers: Mask, model: Linear, size: int) -> float:
    rows = np.flatnonzero(covers)
    n, off = len(rows), np.abs(data.y[rows] - data.predict(rows, model))
    return float(off.mean()) * (n + size) / (n - size) if n > size else float("inf")


def _values(condition: Condition, types: Sequence[ColumnType], usual: Floats) -> ValueSet:
    """A condition on a column; a missing value meets it as the usual one does."""
    cut, side = condition
    missing = float(bool(cut.holds(usual[[cut.column]])[0]) == side)
    if cut.levels is None:
        at = (cut.threshold, 1)
        low, high = (FIRST, at) if side else (at, LAST)
        return NumberRange(cut.column, low, high, missing, is_whole(types[cut.column]))
    count = len(types[cut.column].levels)
    codes = cut.levels if side else frozenset(range(count)) - cut.levels
    return LevelSet(cut.column, count, codes, missing)
