"""A fitted rule model as every function of treewright sees it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NoReturn

from ...data.columns import columns_at_predict
from ...data.common.array_types import Array
from ..fitted_tree import FittedTree
from .rule_model import RuleModel

REFUSAL = (
    "This needs a model that is a tree. Got rules with linear models. "
    "treewright.show prints them; treewright.classics.m5p grows a tree with linear leaves."
)
EMPTY = RuleModel((), 0.0, (), 0, {})


@dataclass(frozen=True, eq=False, repr=False)
class FittedRuleModel(FittedTree):
    """Rules with linear models. `tree` is the root alone: it has the names and types of the columns."""

    rule_model: RuleModel = EMPTY

    @property
    def alone(self) -> NoReturn:
        """A set of rules is no tree."""
        raise ValueError(REFUSAL)

    @property
    def used(self) -> list[int]:
        """The places of the columns that some condition or model uses."""
        return self.rule_model.used

    def predict(self, X: Any, n_threads: int = 1) -> Array:  # noqa: ARG002
        """The mean of what the members of the committee predict."""
        tree = self.tree
        known = (tree.feature_names, tree.column_types, tree.n_features, "RuleModelRegressor")
        columns = columns_at_predict(self.table(X), *known, self.used)
        return self.rule_model.predict(self.rule_model.filled(columns, tree.n_features))

    def apply(self, X: Any, n_threads: int = 1) -> NoReturn:  # noqa: ARG002
        """A row ends in no leaf."""
        raise ValueError(REFUSAL)

    def to_estimator(self) -> Any:
        """The fitted estimator."""
        from .estimator import RuleModelRegressor

        return self.source or RuleModelRegressor.of_rules(self)

    def to_plain_estimator(self) -> Any:
        """The same: there is no other."""
        return self.to_estimator()

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"

    def __str__(self) -> str:
        from .text import rule_model_text

        return rule_model_text(self)

    def __repr__(self) -> str:
        return f"<FittedRuleModel: {self.rule_model.n_rules} rules>"


def with_rule_model(of: FittedTree, rule_model: RuleModel, source: Any = None) -> FittedRuleModel:
    """The model of a root with rules in its place."""
    known = {field.name: getattr(of, field.name) for field in fields(FittedTree)}
    return FittedRuleModel(**known | {"source": source, "best": None}, rule_model=rule_model)
