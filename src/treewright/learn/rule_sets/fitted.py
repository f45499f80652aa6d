"""A fitted set of rules as every function of treewright sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NoReturn

import numpy as np

from ...data.common.array_types import Array, Floats, Ints, Mask
from ...data.values import Column
from ...tree.sums import ColumnsWithSums
from ...tree.tree import named
from ..fitted_tree import FittedTree
from .rule_set import RuleSet

REFUSAL = (
    "This needs a model that is a tree. Got a set of rules. Give the tree that the rules were made of: "
    "model.estimator_."
)


EMPTY = RuleSet((), 0, (1.0,))


@dataclass(frozen=True, eq=False, repr=False)
class FittedRules(FittedTree):
    """A set of rules. `tree`, `params` and all else are those of the tree that the rules were made of."""

    rule_set: RuleSet = EMPTY

    @property
    def alone(self) -> NoReturn:
        """A set of rules is no tree."""
        raise ValueError(REFUSAL)

    def _columns(self, X: Any) -> tuple[Sequence[Column], int]:
        table = self.read(X)
        return ColumnsWithSums(self.tree, table.columns), table.n_rows

    def votes(self, X: Any, n_threads: int = 1) -> Ints:  # noqa: ARG002
        """The sum of the votes of all rules that hold, for each class, in thousandths."""
        return self.rule_set.votes(*self._columns(X))

    def matches(self, X: Any) -> Mask:
        """Which rules hold for each row: (rows, rules)."""
        return self.rule_set.matches(*self._columns(X))

    def labels(self, X: Any) -> Ints:
        """The number of the class of each row."""
        return self.rule_set.predict(*self._columns(X))

    def predict(self, X: Any, n_threads: int = 1) -> Array:  # noqa: ARG002
        """The class with the most votes."""
        return named(self.classes[0], self.labels(X))

    def predict_proba(self, X: Any, n_threads: int = 1) -> Floats:  # noqa: ARG002
        """See `RuleSet.predict_proba`."""
        return np.asarray(self.rule_set.predict_proba(*self._columns(X)))

    def vote(self, X: Any, n_threads: int = 1) -> Floats:  # noqa: ARG002
        """For every row the probability of the class that it is predicted to have, and 0 for the others."""
        columns = self._columns(X)
        shares, label = self.rule_set.predict_proba(*columns), self.rule_set.predict(*columns)
        return np.asarray(np.where(label[:, None] == np.arange(shares.shape[1]), shares, 0.0))

    @property
    def size(self) -> int:
        """The number of rules."""
        return len(self.rule_set.rules)

    def apply(self, X: Any, n_threads: int = 1) -> NoReturn:  # noqa: ARG002
        """A row ends in no leaf."""
        raise ValueError(REFUSAL)

    def to_estimator(self) -> Any:
        """The fitted estimator."""
        from .estimator import RuleSetClassifier

        return self.source or RuleSetClassifier.of_rules(self)

    def to_plain_estimator(self) -> Any:
        """The same: there is no other."""
        return self.to_estimator()

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"

    def __str__(self) -> str:
        from .text import rules_text

        return rules_text(self)

    def __repr__(self) -> str:
        return f"<FittedRules {self.estimator}: {len(self.rule_set.rules)} rules>"


def with_rules(of: FittedTree, rule_set: RuleSet, source: Any = None) -> FittedRules:
    """The model of a tree with rules in its place."""
    known = {field.name: getattr(of, field.name) for field in fields(FittedTree)}
    return FittedRules(**known | {"source": source, "best": None}, rule_set=rule_set)
