"""`BoostedTreeClassifier`: trees (or sets of rules) that vote, grown one after the other as C5.0 does it."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from ...data.common.allowed import YES_NO, Allowed, Parameter, whole
from ...data.common.array_types import Array, Floats
from ...data.common.threads import threads
from ...tree.single_walk import SingleWalk
from ...tree.tree import Tree, named
from ..classic_columns import prepared
from ..fitted_tree import FittedTree
from ..problem import Problem, must_be_ours, read_problem, warn_of_column
from ..rule_sets.estimator import RuleSetClassifier
from ..saved import SavedEstimator
from .fitted import FittedTrees, Trial, boosted
from .later import later_problem
from .trials import LEAST_TRIALS, Weights, why_no_more

N_ESTIMATORS = Parameter("n_estimators", 10, (whole(1),), "")
EARLY_STOPPING = Parameter("early_stopping", True, (YES_NO,), "")
_TREE = Allowed(
    "a DecisionTreeClassifier or a RuleSetClassifier",
    lambda v: v is None or isinstance(v, RuleSetClassifier) or hasattr(type(v), "from_tree"),
)
ESTIMATOR = Parameter("estimator", None, (_TREE,), "")
COLUMNS = ("n_features_in_", "feature_names_in_")
CHANGED = ("growth_rules", "pruning_options")  # what differs between the first trial and later ones


class BoostedTreeClassifier(SavedEstimator, ClassifierMixin, BaseEstimator):
    """Trees that vote, each grown on rows weighted by the errors of those before it, as C5.0 boosts.

    After a trial a quarter of the difference between right and wrong weight moves to the rows that it
    predicts wrongly. From the second trial on a tree has about as many leaves as the first. It ends early
    where a tree makes no errors, or nearly half of all; with fewer than three trees the first stands alone.
    A tree votes for the class that it predicts, with the probability of that class.

    Parameters
    ----------
    estimator : DecisionTreeClassifier or RuleSetClassifier, default=None
        The tree to boost, or the rules to make of it, not fitted. None is that of
        `treewright.classics.c50()`.
    n_estimators : int, default=10
        The most trees.
    early_stopping : bool, default=True
        Whether to end after a tree without errors, and before one that is wrong for nearly half of the weight
        or is a single leaf. With False all trees are made and vote.
    n_jobs : int, default=None
        The number of threads. None is that of `estimator`.

    Attributes
    ----------
    estimators_ : list of DecisionTreeClassifier or RuleSetClassifier
        The trees or sets of rules that vote, in the order of the trials.
    trials_ : list of Trial
        Of every tree its leaves, the rows and the weight that it predicts wrongly, and the rows in play.
    given_up_ : list of DecisionTreeClassifier or RuleSetClassifier
        The trees that were made but do not vote. Files do not keep them.
    stopped_ : str
        Why there are fewer trees than `n_estimators`; "" if there are not.

    Examples
    --------
    >>> import treewright
    >>> iris = treewright.load_example("iris")
    >>> model = treewright.BoostedTreeClassifier(n_estimators=5)
    >>> model = model.fit(iris.drop(columns="species"), iris["species"])
    >>> len(model.estimators_)
    5
    """

    task = "classification"
    estimators_: list[Any]
    given_up_: list[Any]
    trials_: list[Trial]
    stopped_: str
    classes_: Any
    n_classes_: int
    n_features_in_: int

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 10,
        *,
        early_stopping: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.early_stopping = early_stopping
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the trees.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
        y : labels of shape (n_rows,)
        sample_weight : array of shape (n_rows,), optional

        Returns
        -------
        self
        """
        ESTIMATOR.check(self.estimator)
        N_ESTIMATORS.check(self.n_estimators)
        EARLY_STOPPING.check(self.early_stopping)
        template, rules = self._templates()
        warn_of_column(y)
        problem = read_problem(template, X, y, sample_weight)
        if problem.target.n_outputs > 1:
            raise ValueError(
                f"y must be one column of labels to be boosted. Got {problem.target.n_outputs}. "
                "Fit a model for each."
            )
        _take(self, template, COLUMNS)
        self.classes_, self.n_classes_ = problem.target.classes[0], len(problem.target.classes[0])
        self._boost(template, rules, problem, X)
        return self

    def _templates(self) -> tuple[Any, RuleSetClassifier | None]:
        """The tree of the first trial, not fitted, and the rules to make of it, if any."""
        rules = clone(self.estimator) if isinstance(self.estimator, RuleSetClassifier) else None
        tree = self.estimator if rules is None else rules.estimator
        if tree is None:
            from ..classics.c50 import c50

            tree = c50()
        must_be_ours(tree)
        found = deepcopy(tree).fresh()
        return (found if self.n_jobs is None else found.set_params(n_jobs=self.n_jobs)), rules

    def _boost(self, template: Any, rules: RuleSetClassifier | None, problem: Problem, X: Any) -> None:
        """Make the trials, and keep those that are used."""
        problem, winnowing = prepared(problem, X)
        done = {"winnow": False, "sample": 0.0}  # once for all trials
        problem = problem.changed(growth_rules=(problem.params["growth_rules"] or {}) | done)
        codes = problem.target.y[:, 0].astype(np.int64)
        start = np.ones(len(codes)) if problem.weights is None else problem.weights.copy()
        if problem.params["growth_rules"].get("weights") != "mean":  # the rule has done so
            start /= start[start > 0].mean()
        rows = Weights(self.n_estimators, codes, start, np.zeros((len(codes), self.n_classes_)))
        members: list[Any] = []
        given_up: list[Any] = []
        trials: list[Trial] = []
        self.stopped_, first = "", template
        for k in range(self.n_estimators):
            part = problem if k == 0 else later_problem(problem, rows.weight, first)
            tree = _member(template, part, X, later=k > 0)
            member, votes = tree, _votes(tree.tree_, problem)
            if rules is not None:
                member = clone(rules).fit_tree(tree, X, codes, rows.weight)
                votes = member.fitted_tree.vote(X)
            labels = votes.argmax(axis=1)
            size, wrong, n_rows = int(member.get_n_leaves()), rows.wrong_weight(labels), rows.n_in_play
            made = Trial(size, int((labels != codes)[rows.in_play].sum()), wrong, n_rows)
            rows.count(k, votes)
            wrong, n_rows = rows.wrong_weight(labels), rows.n_in_play  # of the rows that can still be won
            used, self.stopped_ = why_no_more(k, size, wrong, n_rows) if self.early_stopping else (True, "")
            first = tree if k == 0 else first
            if winnowing is not None and k == 0:
                tree.winnowing_ = winnowing
            (members if used or k == 0 else given_up).append(member)
            trials += [made] if used or k == 0 else []
            if self.stopped_:
                break
            if not n_rows:
                self.stopped_ = "no row is left whose class can still win"
                break
            rows.weigh(labels)
        if self.early_stopping and self.n_estimators > 1 and len(members) < LEAST_TRIALS:  # no vote of two
            members, given_up, trials = members[:1], members[1:] + given_up, trials[:1]
        self.estimators_, self.given_up_, self.trials_ = members, given_up, trials

    # -- prediction

    @property
    def fitted_tree(self) -> FittedTree:
        """The fitted model as every function of treewright sees it."""
        check_is_fitted(self, "estimators_")
        members = tuple(each.fitted_tree for each in self.estimators_)
        before = vars(self).get("of_file_", {})
        first = replace(members[0], target=before.get("target"), training=dict(before.get("training", {})))
        made = boosted(first, members, self.n_estimators, self.trials_, self.stopped_, self)
        given_up = tuple(each.fitted_tree for each in vars(self).get("given_up_", ()))
        return replace(made, early_stopping=self.early_stopping, given_up=given_up)

    @classmethod
    def of_members(cls, fitted: FittedTrees) -> Self:
        """The fitted estimator of trees that were read from a file."""
        members = [member.to_estimator() for member in fitted.members]
        made = cls(clone(members[0]), fitted.n_estimators, early_stopping=fitted.early_stopping)
        made.estimators_, made.trials_, made.stopped_ = members, list(fitted.trials), fitted.stopped
        _take(made, members[0], (*COLUMNS, "classes_", "n_classes_"))
        made.of_file_ = {"target": fitted.target, "training": fitted.training}
        return made

    def votes(self, X: Any) -> Floats:
        """The votes of all trees for each class: (rows, classes)."""
        return np.asarray(self._fitted.votes(X, self._n_threads))

    def predict(self, X: Any) -> Array:
        """The class with the most votes, the first of equals."""
        return np.asarray(self._fitted.predict(X, self._n_threads))

    def predict_proba(self, X: Any) -> Floats:
        """The share of each class in the votes: (rows, classes). Of a single tree its probabilities."""
        return np.asarray(self._fitted.predict_proba(X, self._n_threads))

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """What the first tree predicts, the first two, and so on."""
        total: Any = 0
        for votes in self._fitted.each_vote(X, self._n_threads):
            total = total + votes
            yield named(self.classes_, total.argmax(axis=1))

    @property
    def _fitted(self) -> Any:
        return self.fitted_tree

    @property
    def _n_threads(self) -> int:
        first = getattr(self.estimators_[0], "estimator_", self.estimators_[0])
        return threads(first.n_jobs if self.n_jobs is None else self.n_jobs)

    # -- size

    def get_n_leaves(self) -> int:
        """Return the number of leaves of all trees."""
        check_is_fitted(self, "estimators_")
        return int(sum(member.get_n_leaves() for member in self.estimators_))

    def get_depth(self) -> int:
        """Return the number of tests on the longest path of any tree."""
        check_is_fitted(self, "estimators_")
        return int(max(member.get_depth() for member in self.estimators_))

    @property
    def feature_importances_(self) -> Floats:
        """The mean of the importances of each column in the trees."""
        check_is_fitted(self, "estimators_")
        trees = [getattr(member, "estimator_", member) for member in self.estimators_]
        return np.asarray(np.mean([tree.feature_importances_ for tree in trees], axis=0))


def _member(template: Any, problem: Problem, X: Any, later: bool) -> Any:
    """A tree of these rows, as an estimator; a later one has parameters of its own."""
    member = template.fresh()
    if later:
        member.set_params(**{name: problem.params[name] for name in CHANGED})
    _take(member, template, COLUMNS)
    return member.fit_problem(problem, X)


def _votes(tree: Tree, problem: Problem) -> Floats:
    """What each row gets of a trial; of equally heavy classes in a leaf the first."""
    shares = tree.with_estimate(np.empty(0)).predict(problem.columns, problem.n_threads)
    return SingleWalk(tree, problem.columns).votes(np.asarray(shares))


def _take(to: Any, of: Any, names: tuple[str, ...]) -> None:
    """Give an estimator attributes that another one has, and no others of these names."""
    for name in names:
        to.__dict__.pop(name, None)
    to.__dict__.update((name, vars(of)[name]) for name in names if name in vars(of))
