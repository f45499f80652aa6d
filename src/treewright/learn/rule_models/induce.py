"""From the leaves of a model tree to rules, and from rules to committees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...data.common.array_types import Floats, Mask
from ...data.schema import ColumnType
from ...tree.paths import PathConditions
from ...tree.value_sets import FIRST, LAST, LevelSet, NumberRange, ValueSet, is_whole
from .data import Data, Linear
from .growth import Cut, ModelTree
from .rule_model import LinearRule

Condition = tuple[Cut, bool]  # whether it holds, or does not


@dataclass
class _Draft:
    """A rule while its conditions are looked at."""

    model: Linear
    size: int  # parameters of the leaf's own model
    conditions: list[Condition]
    fails: Mask  # per condition and row
    predicted: Floats


def rules_of(data: Data, most: int, types: Sequence[ColumnType], usual: Floats) -> tuple[LinearRule, ...]:
    """The rules of the model tree of these rows, by the mean of the rows that they cover."""
    tree = ModelTree(data)
    drafts = []
    for leaf in tree.leaves(most):
        model, conditions = tree.finals[leaf], tree.conditions(leaf)
        fails = [~cut.on(side, data.X[:, cut.column]) for cut, side in conditions]
        table = np.array(fails, dtype=bool).reshape(len(fails), len(data.y))
        predicted = np.clip(data.predict(slice(None), model), *data.bounds)
        drafts.append(_Draft(model, tree.model(leaf).size, conditions, table, predicted))
    _drop_conditions(data, drafts)
    found: dict[frozenset[ValueSet], LinearRule] = {}  # of rules with the same conditions the best
    for each in drafts:
        rows = np.flatnonzero(~each.fails.any(axis=0))
        model = data.without_bias(rows, each.model) if data.unbiased else each.model
        path = PathConditions().then(*(_values(one, types, usual) for one in each.conditions))
        y, error = data.truth[rows], data.error(rows, model, each.size)
        facts = len(rows), data.mean(y, rows), float(y.min()), float(y.max()), error
        rule, key = LinearRule(path, model.intercept, model.terms, *facts), frozenset(path.values.values())
        if key not in found or error < found[key].error:
            found[key] = rule
    return tuple(sorted(found.values(), key=lambda rule: rule.mean))


def _drop_conditions(data: Data, drafts: Sequence[_Draft]) -> None:
    """Drop conditions as long as the error of all rules together does not rise.

    A row is predicted the mean of all rules that cover it. Of a rule the condition goes first whose loss
    lowers the sum of absolute errors most. What a rule predicts for rows that it has gained is then kept
    within the range of the targets of all its rows.
    """
    total, count = np.zeros(len(data.y)), np.zeros(len(data.y))
    for each in drafts:
        covered = ~each.fails.any(axis=0)
        total += each.predicted * covered
        count += covered
    slack = 1e-12 * float(data.weight @ np.abs(data.truth - total / count))
    for each in drafts:
        first = ~each.fails.any(axis=0)
        while len(each.conditions) > 1:
            near = np.flatnonzero(each.fails.sum(axis=0) == 1)  # rows that one condition keeps out
            which = each.fails[:, near].argmax(axis=0)
            before = np.abs(data.truth[near] - total[near] / count[near])
            after = np.abs(data.truth[near] - (total[near] + each.predicted[near]) / (count[near] + 1))
            change = np.bincount(which, data.weight[near] * (after - before), minlength=len(each.conditions))
            k = int(change.argmin())
            if change[k] > slack:
                break
            each.conditions.pop(k)
            each.fails = np.delete(each.fails, k, axis=0)
        covered = ~each.fails.any(axis=0)
        y, new = data.truth[covered], covered & ~first
        total[new] += np.clip(each.predicted[new], y.min(), y.max())
        count[new] += 1


def committee_of(
    data: Data, members: int, most: int, types: Sequence[ColumnType], usual: Floats
) -> list[tuple[LinearRule, ...]]:
    """Rules; and from the second member on rules for 2 y - what the member before predicts."""
    found, current = [], data
    for number in range(members):
        rules = rules_of(current, most, types, usual)
        found.append(rules)
        if number + 1 < members:
            current = replace(
                current, y=2 * data.y - mean_of(rules, data.X, data.mean(data.y), data.extrapolation)
            )
    return found


def mean_of(rules: Sequence[LinearRule], X: Floats, default: float, extrapolation: float) -> Floats:
    """The mean of what all rules that hold predict; the default where none does."""
    total, count = np.zeros(len(X)), np.zeros(len(X))
    for rule in rules:
        rows = np.flatnonzero(rule.holds(X))
        total[rows] += rule.predict(X[rows], extrapolation)
        count[rows] += 1
    return np.where(count > 0, total / np.maximum(count, 1), default)


def _values(condition: Condition, types: Sequence[ColumnType], usual: Floats) -> ValueSet:
    """A condition on a column; a missing value meets it as the usual one does."""
    cut, side = condition
    missing, levels = float(cut.on(side, usual[[cut.column]])[0]), cut.levels if side else cut.other_levels
    if levels is None:
        at = (cut.threshold, 1)
        low, high = (FIRST, at) if side else (at, LAST)
        return NumberRange(cut.column, low, high, missing, is_whole(types[cut.column]))
    return LevelSet(cut.column, len(types[cut.column].levels), levels, missing)
