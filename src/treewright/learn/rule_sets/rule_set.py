"""`RuleSet`: rules that vote for classes, and the class of rows that none of them covers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from ...data.schema import ColumnType
from ...data.values import Column
from ...tree.paths import PathConditions
from .condition_doc import condition_doc, condition_of

OF_RULE = ("conditions", "label", "cover", "correct")
OF_SET = ("rules", "default", "class_weights")


@dataclass(frozen=True)
class ClassRule:
    """A rule: if all conditions hold, this class. A missing value meets only conditions that say so."""

    path: PathConditions
    label: int  # the number of the class
    cover: float  # the weight of the training rows that meet the conditions
    correct: float  # and are of this class

    @property
    def confidence(self) -> float:
        """The estimated accuracy: (correct + 1) / (cover + 2)."""
        return (self.correct + 1.0) / (self.cover + 2.0)

    @property
    def vote(self) -> int:
        """The confidence in whole thousandths."""
        return int(1000.0 * self.confidence + 0.5)

    def holds(self, columns: Sequence[Column], n_rows: int) -> Mask:
        """Which rows meet all conditions."""
        return np.asarray(self.path.share(columns, n_rows) == 1)


@dataclass(frozen=True)
class RuleSet:
    """Rules that vote. All rules that hold for a row vote for their class; the greatest sum wins.

    Where sums are equal, or where no rule holds, the default wins if it is among the classes of the greatest
    sum, else the first of these.
    """

    rules: tuple[ClassRule, ...]
    default: int
    class_weights: tuple[float, ...]  # of the training rows

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.class_weights)

    @property
    def n_conditions(self) -> int:
        """The conditions of all rules; a range of a number counts as two."""
        return sum(each.path.n_conditions for each in self.rules)

    @cached_property
    def used(self) -> list[int]:
        """The places of the columns, or sums of columns, that some condition uses."""
        return sorted({place for each in self.rules for place in each.path.values})

    def lift(self, rule: ClassRule) -> float:
        """The confidence of a rule over the share of its class among all training rows."""
        share = self.class_weights[rule.label] / (sum(self.class_weights) or 1.0)
        return rule.confidence / share if share else 0.0

    def matches(self, columns: Sequence[Column], n_rows: int) -> Mask:
        """Which rules hold for each row: (rows, rules)."""
        if not self.rules:
            return np.zeros((n_rows, 0), dtype=bool)
        return np.stack([each.holds(columns, n_rows) for each in self.rules], axis=1)

    def votes(self, columns: Sequence[Column], n_rows: int) -> Ints:
        """The sum of the votes for each class, in thousandths: (rows, classes)."""
        return self._sums(self.matches(columns, n_rows))

    def _sums(self, matches: Mask) -> Ints:
        each = np.zeros((len(self.rules), self.n_classes), dtype=np.int64)
        for place, rule in enumerate(self.rules):
            each[place, rule.label] = rule.vote
        return np.asarray(matches.astype(np.int64) @ each)

    def predict(self, columns: Sequence[Column], n_rows: int) -> Ints:
        """The number of the class of each row."""
        return self._winners(self.votes(columns, n_rows))

    def _winners(self, votes: Ints) -> Ints:
        first = votes.argmax(axis=1)
        return np.where(votes[:, self.default] == votes.max(axis=1), self.default, first)

    def predict_proba(self, columns: Sequence[Column], n_rows: int) -> Floats:
        """An estimate of the probability of each class: (rows, classes).

        A class has the mean of its votes over all rules that hold, and the vote of the one of its rules that
        covers least. The winner gets the greater of the two, the others the smaller, and all are divided by
        their sum. Where no rule holds, or none with a vote, all classes are alike.
        """
        matches = self.matches(columns, n_rows)
        votes = self._sums(matches)
        narrowest = np.zeros(votes.shape)
        for place in sorted(range(len(self.rules)), key=lambda place: -self.rules[place].cover):
            narrowest[matches[:, place], self.rules[place].label] = self.rules[place].vote
        mean = votes / np.maximum(matches.sum(axis=1, keepdims=True), 1)
        found = np.minimum(mean, narrowest)
        rows, winner = np.arange(n_rows), self._winners(votes)
        found[rows, winner] = np.maximum(mean, narrowest)[rows, winner]
        found[~found.any(axis=1)] = 1.0
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    # -- as plain data

    def to_dict(self) -> dict[str, Any]:
        """The rules as numbers, text and lists."""
        rules = [
            {
                "conditions": [condition_doc(values) for values in rule.path.values.values()],
                "label": rule.label,
                "cover": rule.cover,
                "correct": rule.correct,
            }
            for rule in self.rules
        ]
        return {"rules": rules, "default": self.default, "class_weights": list(self.class_weights)}

    @classmethod
    def from_dict(cls, doc: Mapping[str, Any], columns: Sequence[ColumnType]) -> RuleSet:
        """The rules of `to_dict`, all checked; ValueError where anything is wrong.

        `columns` has what each column holds, and each sum of columns behind them.
        """
        _must(isinstance(doc, dict) and doc.keys() == set(OF_SET), f"an object with {', '.join(OF_SET)}", doc)
        weights, default, rules = doc["class_weights"], doc["default"], doc["rules"]
        _must(isinstance(weights, list) and bool(weights) and all(map(_is_weight, weights)),
              "class_weights that are numbers of at least 0", weights)  # fmt: skip
        _must(_is_place(default, len(weights)), f"a default in 0..{len(weights) - 1}", default)
        _must(isinstance(rules, list), "a list of rules", rules)
        made = tuple(_rule_of(each, len(weights), columns) for each in rules)
        return cls(made, default, tuple(map(float, weights)))


def _rule_of(doc: Any, n_classes: int, columns: Sequence[ColumnType]) -> ClassRule:
    _must(isinstance(doc, dict) and doc.keys() == set(OF_RULE), f"rules with {', '.join(OF_RULE)}", doc)
    label, cover, correct = doc["label"], doc["cover"], doc["correct"]
    _must(_is_place(label, n_classes), f"a label in 0..{n_classes - 1}", label)
    _must(_is_weight(cover) and _is_weight(correct) and correct <= cover * (1 + 1e-9),
          "cover and correct of at least 0, correct not above cover", (cover, correct))  # fmt: skip
    _must(isinstance(doc["conditions"], list), "a list of conditions", doc["conditions"])
    values = [condition_of(each, columns) for each in doc["conditions"]]
    path = PathConditions({each.feature: each for each in values})
    _must(len(path.values) == len(values), "one condition per column in a rule", doc["conditions"])
    return ClassRule(path, label, float(cover), float(correct))


def _must(holds: bool, what: str, got: Any) -> None:
    if not holds:
        raise ValueError(f"A rule set must have {what}. Got {got!r:.100}.")


def _is_place(value: Any, count: int) -> bool:
    return type(value) is int and 0 <= value < count


def _is_weight(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < float("inf")
