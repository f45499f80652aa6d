"""`RuleSetClassifier`: a set of rules, made of a tree, that vote."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any, Self

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...data.common.allowed import Allowed, Parameter, one_of, real
from ...data.common.array_types import Array, Floats
from ..fitted_tree import FittedTree, of_estimator
from ..problem import must_be_ours, warn_of_column
from ..saved import SavedEstimator
from .fitted import FittedRules, with_rules
from .induce import RuleOptions, induce, rules_of
from .rule_set import RuleSet

ESTIMATES = ("laplace", "pessimistic")
_TREE = Allowed("a DecisionTreeClassifier", lambda v: v is None or hasattr(type(v), "from_tree"))
PARAMETERS = (
    Parameter("estimator", None, (_TREE,), ""),
    Parameter("estimate", "laplace", (one_of(ESTIMATES),), ""),
    Parameter("CF", 0.25, (real(0, 1, "()"),), ""),
)


class RuleSetClassifier(SavedEstimator, ClassifierMixin, BaseEstimator):
    """A set of rules that vote, made of a tree as C5.0 does it.

    Every node of the tree is a rule at first. As long as the estimated error of a rule does not rise, or the
    rule is not worth its length, conditions are dropped from it. The choice begins with rules that get
    more rows right than wrong of those that more confident rules of their class leave, by more than
    `min_samples_leaf` of the tree. Rules are added and removed as long as all of them and their errors become
    shorter. All rules that hold for a row vote for their class with their confidence
    (correct + 1) / (cover + 2); the greatest sum wins. A row that no rule covers gets the default: a class
    that is frequent, and frequent among the training rows that are not covered.

    Parameters
    ----------
    estimator : DecisionTreeClassifier, default=None
        The tree to make rules of, not fitted. None is that of `treewright.classics.c50()`.
    estimate : {'laplace', 'pessimistic'}, default='laplace'
        The estimated share of errors of a rule: (wrong + 1) / (cover + 2) as in C5.0, or the upper limit of
        the binomial at confidence `CF`, which generalises rules of few rows further.
    CF : float, default=0.25
        The confidence of 'pessimistic'.
    n_jobs : int, optional
        The number of threads; None is that of `estimator`. Their number never changes the result.

    Attributes
    ----------
    rule_set_ : RuleSet
        The rules: conditions, class, cover, confidence, and the default.
    estimator_ : DecisionTreeClassifier
        The tree that they were made of.

    Examples
    --------
    >>> import treewright
    >>> iris = treewright.load_example("iris")
    >>> model = treewright.RuleSetClassifier().fit(iris.drop(columns="species"), iris["species"])
    >>> len(model.rule_set_.rules)
    4
    """

    task = "classification"
    rule_set_: RuleSet
    estimator_: Any
    classes_: Any
    n_classes_: int
    n_features_in_: int

    def __init__(
        self,
        estimator: Any = None,
        *,
        estimate: str = "laplace",
        CF: float = 0.25,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.estimate = estimate
        self.CF = CF
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree, and make rules of it.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
        y : labels of shape (n_rows,)
        sample_weight : array of shape (n_rows,), optional

        Returns
        -------
        self
        """
        for parameter in PARAMETERS:
            parameter.check(getattr(self, parameter.name))
        warn_of_column(y)
        tree = self._template().fit(X, y, sample_weight=sample_weight)
        if tree.n_outputs_ > 1:
            raise ValueError(
                f"y must be one column of labels to make rules. Got {tree.n_outputs_}. Fit a model for each."
            )
        rule_set = rules_of(of_estimator(tree), X, y, sample_weight, self._options(tree))
        self._take(tree, rule_set)
        return self

    def fit_tree(self, tree: Any, X: Any, codes: Any, weights: Any) -> Self:
        """Become the rules of a fitted tree, counted on rows that are coded already."""
        table = of_estimator(tree).read(X)
        self._take(tree, induce(tree.tree_, table, codes, weights, self._options(tree)))
        return self

    def _template(self) -> Any:
        if self.estimator is None:
            from ..classics.c50 import c50

            found = c50()
        else:
            must_be_ours(self.estimator)
            found = deepcopy(self.estimator).fresh()
        return found if self.n_jobs is None else found.set_params(n_jobs=self.n_jobs)

    def _options(self, tree: Any) -> RuleOptions:
        apart, least = tree.nominal_splits == "multiway", tree.min_samples_leaf
        options = RuleOptions(self.estimate, self.CF, narrow=self.estimate == "laplace", apart=apart)
        return replace(options, least=float(least)) if least >= 1 else options  # else a share of the rows

    def _take(self, tree: Any, rule_set: RuleSet) -> None:
        """Become the fitted estimator of these."""
        self.__dict__.pop("feature_names_in_", None)
        for name in ("n_features_in_", "feature_names_in_", "classes_", "n_classes_"):
            if name in vars(tree):
                setattr(self, name, vars(tree)[name])
        self.estimator_, self.rule_set_ = tree, rule_set

    @classmethod
    def of_rules(cls, fitted: FittedRules) -> Self:
        """The fitted estimator of rules that were read from a file, or made of a fitted tree."""
        tree = replace(FittedTree(fitted.task, fitted.tree, fitted.estimator, fitted.params, fitted.fitted))
        made = cls()
        made._take(tree.to_estimator(), fitted.rule_set)
        made.estimator = made.estimator_.fresh()
        made.of_file_ = {"target": fitted.target, "training": fitted.training}
        return made

    @property
    def fitted_tree(self) -> FittedRules:
        """The fitted model as every function of treewright sees it."""
        check_is_fitted(self, "rule_set_")
        before = vars(self).get("of_file_", {})
        tree = replace(of_estimator(self.estimator_), **before)
        return with_rules(tree, self.rule_set_, self)

    def votes(self, X: Any) -> Array:
        """The sum of the votes for each class, in thousandths: (rows, classes)."""
        return self.fitted_tree.votes(X)

    def predict(self, X: Any) -> Array:
        """The class with the most votes; the default where no rule holds."""
        return self.fitted_tree.predict(X)

    def predict_proba(self, X: Any) -> Floats:
        """An estimate of the probability of each class: see `RuleSet.predict_proba`."""
        return self.fitted_tree.predict_proba(X)

    def get_n_leaves(self) -> int:
        """Return the number of rules."""
        check_is_fitted(self, "rule_set_")
        return len(self.rule_set_.rules)

    def get_depth(self) -> int:
        """Return the most conditions of a rule."""
        check_is_fitted(self, "rule_set_")
        return max((rule.path.n_conditions for rule in self.rule_set_.rules), default=0)

    @property
    def feature_importances_(self) -> Floats:
        """Those of the tree that the rules were made of."""
        check_is_fitted(self, "rule_set_")
        found: Floats = self.estimator_.feature_importances_
        return found
