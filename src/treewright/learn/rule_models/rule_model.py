"""`RuleModel`: committees of rules with linear models, what they predict, and how a file has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np

from ...data.common.array_types import Floats, Mask
from ...data.schema import ColumnType
from ...data.values import Column
from ...tree.paths import PathConditions
from ..rule_sets.condition_doc import condition_doc, condition_of
from .data import widened
from .neighbors import Neighbors

NUMBERS = ("intercept", "cover", "mean", "low", "high", "error")
OF_RULE = ("conditions", "terms", *NUMBERS)
OF_MODEL = ("options", "default", "usual", "decimals", "committee", "neighbors")
MOST_RULES = 1_000_000  # of all members that a file may have


@dataclass(frozen=True)
class LinearRule:
    """If all conditions hold: intercept + sum of coefficients * columns, kept near the range of its rows."""

    path: PathConditions
    intercept: float
    terms: dict[int, float]  # coefficients by column
    cover: int  # training rows that meet the conditions
    mean: float  # of their targets
    low: float
    high: float
    error: float  # the mean absolute error on them, with a charge for parameters

    def holds(self, X: Floats) -> Mask:
        """Which rows meet all conditions; X has no missing values."""
        columns = {j: Column("", X[:, j], np.zeros(len(X), dtype=bool)) for j in self.path.values}
        return np.asarray(self.path.share(columns, len(X)) == 1)  # type: ignore[arg-type]

    def predict(self, X: Floats, extrapolation: float) -> Floats:
        """What it predicts for rows that meet its conditions; their mean where terms are beyond floats."""
        found = np.full(len(X), self.intercept)
        with np.errstate(over="ignore", invalid="ignore"):
            for j, size in self.terms.items():
                found += size * X[:, j]
        found = np.where(np.isnan(found), self.mean, found)
        return np.asarray(np.clip(found, *self.bounds(extrapolation)))

    def bounds(self, extrapolation: float) -> tuple[float, float]:
        """Between which numbers it predicts."""
        return widened(self.low, self.high, extrapolation)


@dataclass(frozen=True)
class RuleModel:
    """Sets of rules whose predictions are averaged. A set predicts the mean of all its rules that hold."""

    committee: tuple[tuple[LinearRule, ...], ...]
    default: float  # where no rule holds
    usual: tuple[float, ...]  # per column what a missing value counts as: a number, or the code of a level
    decimals: int  # of the targets
    options: dict[str, Any]  # the parameters of the estimator
    neighbors: Neighbors | None = field(default=None, compare=False)  # rows that correct predictions

    @property
    def extrapolation(self) -> float:
        """How far beyond the range of its rows a rule may predict, as a share of that range."""
        return float(self.options["extrapolation"]) / 100

    @cached_property
    def used(self) -> list[int]:
        """The places of the columns that some condition or model uses, or all where rows are compared."""
        if self.neighbors is not None:
            return list(range(len(self.usual)))
        rules = [rule for rules in self.committee for rule in rules]
        return sorted({j for rule in rules for j in (*rule.path.values, *rule.terms)})

    @property
    def n_rules(self) -> int:
        """The rules of all members."""
        return sum(map(len, self.committee))

    def predict(self, X: Floats) -> Floats:
        """What the rows of a table without missing values are predicted."""
        found = self._by_rules(X)
        if self.neighbors is None:
            return found
        y = self.neighbors.y
        bounds = widened(float(y.min()), float(y.max()), self.extrapolation)
        return self.neighbors.corrected(int(self.options["neighbors"]), X, found, self._own, bounds)

    def _by_rules(self, X: Floats) -> Floats:
        from .induce import mean_of

        each = [mean_of(rules, X, self.default, self.extrapolation) for rules in self.committee]
        return np.asarray(np.mean(each, axis=0))

    @cached_property
    def _own(self) -> Floats:
        assert self.neighbors is not None
        return self._by_rules(self.neighbors.X)

    def filled(self, columns: Any, n_features: int) -> Floats:
        """The columns that matter as numbers, without missing values; of the others the usual value."""
        found = np.tile(np.array(self.usual), (columns.n_rows, 1))
        for j in self.used:
            values = columns.numbers(j)
            found[:, j] = np.where(np.isnan(values), found[:, j], values)
        return found[:, :n_features]

    # -- as plain data

    def to_dict(self) -> dict[str, Any]:
        """The model as numbers, text and lists."""
        return {
            "options": self.options,
            "default": self.default,
            "usual": list(self.usual),
            "decimals": self.decimals,
            "committee": [[_rule_doc(rule) for rule in rules] for rules in self.committee],
            "neighbors": None if self.neighbors is None else self.neighbors.to_dict(),
        }

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any], columns: Sequence[ColumnType]) -> RuleModel:
        """The model of `to_dict`, all checked; ValueError where anything is wrong."""
        from .estimator import check_options

        whole = isinstance(doc, dict) and doc.keys() == set(OF_MODEL)
        _must(whole, f"an object with {', '.join(OF_MODEL)}", doc)
        check_options(doc["options"])
        _must(_is_number(doc["default"]), "a number as its default", doc["default"])
        usual, decimals, committee = doc["usual"], doc["decimals"], doc["committee"]
        _must(isinstance(usual, list) and len(usual) == len(columns) and all(map(_is_number, usual)),
              f"{len(columns)} usual values", usual)  # fmt: skip
        _must(type(decimals) is int and 0 <= decimals <= 15, "0 to 15 decimals", decimals)
        listed = (
            isinstance(committee, list) and committee and all(isinstance(each, list) for each in committee)
        )
        _must(listed and sum(map(len, committee)) <= MOST_RULES, "lists of rules in its committee", committee)
        made = tuple(tuple(_rule_of(each, columns) for each in rules) for rules in committee)
        rows = None if doc["neighbors"] is None else Neighbors.from_dict(doc["neighbors"], len(columns))
        _must(
            (rows is not None) == (doc["options"]["neighbors"] > 0),
            "rows where it has neighbors",
            doc["options"],
        )
        facts = float(doc["default"]), tuple(map(float, usual)), decimals, dict(doc["options"])
        return cls(made, *facts, rows)


def _rule_doc(rule: LinearRule) -> dict[str, Any]:
    conditions = [condition_doc(values) for values in rule.path.values.values()]
    terms = [[j, size] for j, size in rule.terms.items()]
    return {"conditions": conditions, "terms": terms, **{name: getattr(rule, name) for name in NUMBERS}}


def _rule_of(doc: Any, columns: Sequence[ColumnType]) -> LinearRule:
    whole = isinstance(doc, dict) and doc.keys() == set(OF_RULE)
    _must(whole, f"rules with {', '.join(OF_RULE)}", doc)
    _must(all(_is_number(doc[name]) for name in NUMBERS if name != "error"), "finite numbers in a rule", doc)
    error, cover, terms = doc["error"], doc["cover"], doc["terms"]
    _must(type(error) in (int, float) and error >= 0, "an error of at least 0", error)
    _must(type(cover) is int and cover >= 0 and doc["low"] <= doc["mean"] * (1 + 1e-9) + 1e-9
          and doc["low"] <= doc["high"], "a cover, and a mean and a range in order", doc)  # fmt: skip
    _must(
        isinstance(doc["conditions"], list) and isinstance(terms, list), "lists of conditions and terms", doc
    )
    for term in terms:
        valid = isinstance(term, list) and len(term) == 2 and type(term[0]) is int and _is_number(term[1])
        number = valid and 0 <= term[0] < len(columns) and columns[term[0]].kind != "nominal"
        _must(number, "terms of a column of numbers and a coefficient", term)
    values = [condition_of(each, columns) for each in doc["conditions"]]
    path = PathConditions({each.feature: each for each in values})
    _must(len(path.values) == len(values), "one condition per column in a rule", doc["conditions"])
    _must(len({term[0] for term in terms}) == len(terms), "one term per column", terms)
    sizes = {term[0]: float(term[1]) for term in terms}
    rest = (float(doc[name]) for name in ("mean", "low", "high", "error"))
    return LinearRule(path, float(doc["intercept"]), sizes, cover, *rest)


def _must(holds: Any, what: str, got: Any) -> None:
    if not holds:
        raise ValueError(f"A rule model must have {what}. Got {got!r:.100}.")


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and isfinite(value)
