"""The rules of a tree, simplified: fewer and shorter, of which several may hold for a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...data.common.allowed import Parameter, one_of
from ...data.common.array_types import Floats, Ints
from ...learn.fitted_tree import FittedTree
from ...learn.rule_sets.fitted import FittedRules, with_rules
from ...learn.rule_sets.induce import RuleOptions, rules_of
from ...learn.rule_sets.rule_set import ClassRule, RuleSet
from ...tree.tree_text import TreeText
from .rule import Rule
from .rule_list import Rules

SIMPLIFY = Parameter("simplify", None, (one_of(["pessimistic", "laplace"]),), "")
VOTES = (
    "All rules that hold vote for their class, with (rows of the class + 1) / (rows + 2); the greatest sum "
    "wins, and the default where sums are equal."
)
DEFAULT = "A row that no rule holds for is {}."
MISSING = (
    "A missing value or an unknown level meets a condition that says so; in a column that had none, that of "
    "the branch with more training rows."
)


@dataclass(frozen=True, eq=False, repr=False)
class SimplifiedRules(Rules):
    """Rules that vote, ordered by class and then by confidence; `default` is the class of all other rows."""

    exclusive: ClassVar[bool] = False

    model: FittedRules

    @property
    def rule_set(self) -> RuleSet:
        """The rules as the model has them."""
        return self.model.rule_set

    @property
    def default(self) -> Any:
        """The class of rows that no rule holds for."""
        return self.model.classes[0].tolist()[self.rule_set.default]

    def votes(self, X: Any) -> Ints:
        """The sum of the votes for each class, in thousandths: (rows, classes)."""
        return self.model.votes(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the most votes."""
        return self.model.predict(X)

    def predict_proba(self, X: Any) -> Floats:
        """An estimate of the probability of each class: see `RuleSet.predict_proba`."""
        return np.asarray(self.model.predict_proba(X))

    def to_estimator(self) -> Any:
        """The rules as a fitted `RuleSetClassifier`, which can be saved."""
        return self.model.to_estimator()

    def _form(self, label: Any, output: int, wanted: bool) -> NoReturn:  # noqa: ARG002
        raise ValueError(
            "A normal form needs rules of which one holds for every row. Got simplified rules, which vote. "
            "Leave `simplify` out."
        )


def simplified(
    fitted: FittedTree, simplify: str | None, rows: tuple[Any, Any, Any], names: dict[str, Any]
) -> SimplifiedRules:
    """The simplified rules of a tree; `rows` are X, y and their weights."""
    X, y, weight = rows
    if simplify is None:
        raise ValueError("X, y and sample_weight need simplify='pessimistic'. Got simplify=None.")
    SIMPLIFY.check(simplify)
    if X is None or y is None:
        raise ValueError("simplify counts rules on rows. Got no X and y. Give the training rows.")
    rule_set = rules_of(fitted, X, y, weight, RuleOptions(simplify, narrow=False))
    model, words = with_rules(fitted, rule_set), fitted.words(**names)
    labels = fitted.classes[0].tolist()
    made = tuple(_rule(each, rule_set, words, labels, weight is None) for each in rule_set.rules)
    name = words.classes[0][rule_set.default] if words.classes else str(labels[rule_set.default])
    return SimplifiedRules(
        made, words, list(fitted.classes), "class", (VOTES, DEFAULT.format(name), MISSING), model
    )


def _rule(each: ClassRule, of: RuleSet, words: TreeText, labels: list[Any], counts: bool) -> Rule:
    """A rule as `Rules` has them; of weighted rows only the weight is known."""
    share = each.correct / each.cover if each.cover else 0.0
    usual = of.class_weights[each.label] / (sum(of.class_weights) or 1.0)
    return Rule(
        prediction=labels[each.label],
        rows=round(each.cover) if counts else None,
        weight=each.cover,
        support=each.cover / (sum(of.class_weights) or 1.0),
        confidence=share,
        lift=share / usual if usual else None,
        proportions=None,
        probability=None,
        spread=None,
        leaf=-1,
        leaves=(),
        path=each.path,
        predicts=(each.label,),
        words=words,
    )
