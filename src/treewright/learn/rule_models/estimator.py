"""`RuleModelRegressor`: rules with linear models, alone or in committees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ... import _core
from ...data.checked_target import LARGEST
from ...data.columns import columns_at_fit
from ...data.common.allowed import Allowed, Parameter, is_whole, real, whole
from ...data.common.array_types import Floats
from ...data.schema import ColumnType
from ..classic_rules import row_weights_by_rules
from ..estimators import DecisionTreeRegressor
from ..fitted_tree import FittedTree, of_estimator
from ..saved import SavedEstimator
from .data import Data, spread_of
from .fitted import FittedRuleModel, with_rule_model
from .induce import committee_of
from .neighbors import Neighbors
from .rule_model import RuleModel

MOST_DECIMALS = 7  # of targets and columns; more are noise
PARAMETERS = (
    Parameter("committees", 1, (whole(1),), ""),
    Parameter("rules", 100, (whole(1),), ""),
    Parameter(
        "neighbors", 0, (Allowed("a whole number from 0 to 9", lambda v: is_whole(v) and 0 <= v <= 9),), ""
    ),
    Parameter("unbiased", False, (Allowed("True or False", lambda v: isinstance(v, bool | np.bool_)),), ""),
    Parameter("extrapolation", 100.0, (real(0, 100),), ""),
    Parameter("sample", 0.0, (real(0, 99.9),), ""),
    Parameter("seed", 0, (whole(0),), ""),
)


def check_options(options: Any) -> None:
    """ValueError if a file has other parameters than the estimator."""
    names = [parameter.name for parameter in PARAMETERS]
    if not isinstance(options, dict) or options.keys() != set(names):
        raise ValueError(f"options must have {', '.join(names)}. Got {options!r:.100}.")
    for parameter in PARAMETERS:
        parameter.check(options[parameter.name])


class RuleModelRegressor(SavedEstimator, RegressorMixin, BaseEstimator):
    """Rules with linear models, as Cubist makes them of a model tree.

    A model tree is grown, pruned and smoothed; every leaf becomes a rule, and conditions are dropped as long
    as the estimated error of the rule does not rise. A row is predicted the mean of what all rules predict
    whose conditions it meets. Later members of a committee are made for twice the target less what the
    member before predicts; the predictions of all members are averaged. A missing value counts as the mean,
    or as the most frequent level.

    Parameters
    ----------
    committees : int, default=1
        How many sets of rules are averaged.
    rules : int, default=100
        The most rules of a set.
    neighbors : int, default=0
        How many of the nearest training rows, at most 9, correct a prediction; 0: none. The model keeps all
        training rows then.
    unbiased : bool, default=False
        Whether the errors of a rule have mean 0 on its rows; else their median is 0.
    extrapolation : float, default=100
        How far beyond the range of its rows a rule may predict, in percent of that range.
    sample : float, default=0
        The percentage of rows to fit, drawn at random; 0: all.
    seed : int, default=0
        The seed of that draw.

    Attributes
    ----------
    rule_model_ : RuleModel
        The rules: `committee` has a tuple of rules per member, each with conditions and a linear model.

    Examples
    --------
    >>> import treewright
    >>> model = treewright.RuleModelRegressor().fit([[0], [1], [2], [3]], [0, 1, 2, 3])
    >>> model.rule_model_.n_rules
    1
    """

    task = "regression"
    rule_model_: RuleModel
    estimator_: Any
    n_features_in_: int

    def __init__(  # noqa: PLR0913
        self,
        committees: int = 1,
        *,
        rules: int = 100,
        neighbors: int = 0,
        unbiased: bool = False,
        extrapolation: float = 100.0,
        sample: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.committees = committees
        self.rules = rules
        self.neighbors = neighbors
        self.unbiased = unbiased
        self.extrapolation = extrapolation
        self.sample = sample
        self.seed = seed

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Make the rules.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
        y : numbers of shape (n_rows,)
        sample_weight : array of shape (n_rows,), optional
            Weights of rows, which are divided by their mean; 0 counts as the mean.

        Returns
        -------
        self
        """
        for parameter in PARAMETERS:
            parameter.check(getattr(self, parameter.name))
        root = DecisionTreeRegressor(min_impurity_decrease=np.finfo(float).max).fit(X, y)
        if root.n_outputs_ > 1:
            raise ValueError(f"y must be one column of numbers. Got {root.n_outputs_}. Fit a model for each.")
        columns, types = columns_at_fit(self, X)
        target = np.asarray(column_or_1d(y, warn=True), dtype=np.float64)
        known = types or (ColumnType(),) * columns.n_columns
        is_number = np.array([each.kind != "nominal" for each in known], dtype=bool)
        rows = self._rows(len(target))
        weight = row_weights_by_rules(sample_weight, {"weights": "mean"}, len(target), X)
        weight = (np.ones(len(target)) if weight is None else weight)[rows]
        filled, usual, spread = _filled(columns, is_number, known, rows, weight)
        decimals = _decimals(target)
        n_levels = np.array(
            [len(each.levels) if each.kind == "nominal" else 0 for each in known], dtype=np.int64
        )
        facts = self.unbiased, self.extrapolation / 100, decimals
        data = Data(filled, target[rows], target[rows], weight, n_levels, spread, *facts)
        committee = committee_of(data, self.committees, self.rules, known, usual)
        options = {parameter.name: getattr(self, parameter.name) for parameter in PARAMETERS}
        near = Neighbors.of(data.X, data.y, spread, n_levels) if self.neighbors else None
        made = tuple(usual.tolist()), decimals, options, near
        self._take(root, RuleModel(tuple(committee), data.mean(data.y), *made))
        return self

    def _rows(self, count: int) -> Any:
        if not self.sample:
            return slice(None)
        many = max(1, round(count * self.sample / 100))
        return np.sort(np.random.RandomState(self.seed).permutation(count)[:many])

    def _take(self, root: Any, rule_model: RuleModel) -> None:
        """Become the fitted estimator of these."""
        self.__dict__.pop("feature_names_in_", None)
        known = ("n_features_in_", "feature_names_in_")
        self.__dict__.update((name, vars(root)[name]) for name in known if name in vars(root))
        self.estimator_, self.rule_model_ = root, rule_model

    @classmethod
    def of_rules(cls, fitted: FittedRuleModel) -> Self:
        """The fitted estimator of rules that were read from a file."""
        root = FittedTree(fitted.task, fitted.tree, fitted.estimator, fitted.params, fitted.fitted)
        made = cls(**fitted.rule_model.options)
        made._take(root.to_estimator(), fitted.rule_model)
        made.of_file_ = {"target": fitted.target, "training": fitted.training}
        return made

    @property
    def fitted_tree(self) -> FittedRuleModel:
        """The fitted model as every function of treewright sees it."""
        check_is_fitted(self, "rule_model_")
        before = vars(self).get("of_file_", {})
        return with_rule_model(replace(of_estimator(self.estimator_), **before), self.rule_model_, self)

    def get_n_leaves(self) -> int:
        """The number of rules of all members."""
        return self.rule_model_.n_rules

    def get_depth(self) -> int:
        """The conditions of the longest rule."""
        rules = [rule for member in self.rule_model_.committee for rule in member]
        return max(rule.path.n_conditions for rule in rules)

    def predict(self, X: Any) -> Floats:
        """The mean of what all rules predict that hold, averaged over the committee."""
        return np.asarray(self.fitted_tree.predict(X))


def _filled(
    columns: _core.Columns, is_number: Any, types: Any, rows: Any, weight: Floats
) -> tuple[Floats, Floats, Floats]:
    """Rows without missing values, what stands for them, and the spread of the known values of every column.

    The mean stands for a missing number, and the most frequent level for a missing level.
    """
    found = np.empty((len(weight), columns.n_columns))
    usual, spread = np.zeros(columns.n_columns), np.zeros(columns.n_columns)
    for j in range(columns.n_columns):
        x = columns.numbers(j)[rows]
        here = ~np.isnan(x)
        known = x[here]
        if np.isinf(known).any():
            raise ValueError(
                f"A linear model needs finite numbers. Got an infinite value in column {j}. Replace it, or "
                "mark it as missing."
            )
        if len(known) and is_number[j] and np.abs(known).max() > LARGEST:
            raise ValueError(
                f"Numbers of a linear model must lie between {-LARGEST:g} and {LARGEST:g}: sums of larger "
                f"squares are beyond floats. Got {known[np.abs(known).argmax()]:g} in column {j}. Divide it "
                "by a constant."
            )
        if len(known) and is_number[j]:
            digits = 10.0 ** (_decimals(known) + 1)
            usual[j] = np.floor(known.mean() * digits + 0.1) / digits  # down, but for the last tenth
            spread[j] = spread_of(known, weight[here])
        elif len(known):
            usual[j] = np.bincount(known.astype(np.int64), minlength=len(types[j].levels)).argmax()
        found[:, j] = np.where(here, x, usual[j])
    return found, usual, spread


def _decimals(values: Floats) -> int:
    """How many decimals some number has."""
    for digits in range(MOST_DECIMALS):
        if np.allclose(values, np.round(values, digits), rtol=1e-9, atol=0):
            return digits
    return MOST_DECIMALS
