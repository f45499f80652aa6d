"""What `treewright.fit` returns: a fitted model with its scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.plural import counted
from ...data.common.result import Result
from ...data.common.tables import as_text
from ...data.common.today import today
from ...learn.fitted_tree import BEST, SIMPLEST, FittedTree, as_fitted
from ...learn.losses import LOSS_WORDS
from ...learn.params import REGRESSION
from ...learn.training_rows import KEY
from ...tree.displayed import Displayed
from ..data_check import DataCheck
from ..data_check.subject import listed
from ..metrics import Score, verdict
from ..procedure import Data
from .procedure import Procedure

Array = NDArray[Any]

PERFECT, LEAKING = 0.99, 0.9  # the share of the possible gain from which a score is too good; with a suspect
_COLUMNS = (("metric", ""), ("value", ".4g"), ("low", ".4g"), ("high", ".4g"), ("baseline", ".4g"))


@dataclass(frozen=True, eq=False, repr=False)
class FitResult(Displayed, Result):
    """A fitted model and what is known of it. It predicts like a fitted estimator of scikit-learn.

    Attributes
    ----------
    model : DecisionTreeClassifier or DecisionTreeRegressor
        Fitted on all rows (but those held out), pruned and smoothed, deciding by the costs if there are any.
    scores : tuple of Score
        Each has `metric`, `value`, its confidence interval `low` to `high`, and the `baseline`.
    best : FitResult
        The tree of the lowest loss in cross-validation (`chosen_by`: log loss for classes); `model` is the
        simplest tree whose loss is nearly as low. The result itself where they are the same.
    scored_on : str
        The rows that the scores were computed on.
    check : DataCheck or None
        What was found in the table.
    notes : tuple of str
    divided_by : dict
        Which columns governed the folds: those of `groups` and of `time`, "an array" where it was one.
    zero_one : tuple of str
        The columns of numbers that held nothing but 0 and 1: tests on them read `= 0` and `= 1`.
    formats : dict
        How the numbers and dates of a file are written, by column: marks, unit, order of day and month.
    positive : label or None
        The positive class, of two: the given one (`positive_given`), or by default the second.
    task, target, n_rows, columns, params, random_state, seconds
        What was fitted, and how.
    """

    tree_model: Any  # without scikit-learn: see `learn/plain.py`
    task: str
    target: str
    positive: Any
    scores: tuple[Score, ...]
    scored_on: str
    check: DataCheck | None
    notes: tuple[str, ...]
    n_rows: int
    columns: tuple[str, ...]
    params: dict[str, Any]
    random_state: Any
    seconds: dict[str, float] = field(default_factory=dict)
    formats: dict[str, dict[str, Any]] = field(default_factory=dict)
    zero_one: tuple[str, ...] = ()
    divided_by: dict[str, str] = field(default_factory=dict)
    best_scores: tuple[Score, ...] = ()
    positive_given: bool = False  # else it is the default: the second of two classes
    training_rows: dict[str, Any] = field(default_factory=dict)  # the digest of `TrainingRows`
    column_notes: tuple[str, ...] = ()  # of the notes those that quote values of columns
    date: str = field(default_factory=today)  # of the fit
    _procedure: Procedure | None = None

    # -- as a fitted estimator

    @property
    def model(self) -> Any:
        """The fitted estimator, with the whole interface of scikit-learn."""
        from ...learn.estimators import with_sklearn

        return with_sklearn(self.tree_model)

    def predict(self, X: Any) -> Array:
        """The class or the number of each row."""
        return np.asarray(self.tree_model.predict(self.fitted_tree.table(X)))

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class for each row, in the order of `classes_`."""
        return np.asarray(self._classifier("predict_proba").predict_proba(self.fitted_tree.table(X)))

    def apply(self, X: Any) -> Array:
        """The number of the leaf of each row."""
        return np.asarray(self.tree_model.apply(self.fitted_tree.table(X)))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy, or R² for numbers, on other rows. The scores of the fit are in `scores`."""
        return float(self.model.score(X, y, sample_weight=sample_weight))

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, time: Any = None
    ) -> FitResult:
        """Fit the same procedure to other rows; returns a new result, without scores."""
        return self.again(X, y, groups=groups, sample_weight=sample_weight, time=time)

    def again(
        self, X: Any, y: Any, groups: Any = None, sample_weight: Any = None, time: Any = None
    ) -> FitResult:
        """The same as `fit`, as nested cross-validation needs it."""
        if self._procedure is None:
            raise ValueError("A result that was loaded cannot be fitted again. Call treewright.fit.")
        made = self._procedure.on(Data(X, np.asarray(y), groups, sample_weight, time))
        return replace(
            self,
            tree_model=made.fitted(),
            scores=(),
            best_scores=(),
            scored_on="Not scored.",
            check=None,
            training_rows={},
            n_rows=len(y),
        )

    @property
    def best(self) -> FitResult:
        """The tree of the lowest loss with its own scores; the result itself where there is no other."""
        if "best_" not in vars(self.tree_model):
            return self
        params = self.params | {"ccp_alpha": self.tree_model.best_.ccp_alpha}
        return replace(
            self, tree_model=self.tree_model.best_, scores=self.best_scores, best_scores=(), params=params
        )

    @property
    def classes_(self) -> Array:
        """The classes."""
        found: Array = self._classifier("classes_").classes_
        return found

    @property
    def n_features_in_(self) -> int:
        """The number of columns."""
        return int(self.tree_model.n_features_in_)

    @property
    def feature_names_in_(self) -> Array:
        """The names of the columns; an array has none."""
        found: Array = self.tree_model.feature_names_in_
        return found

    @property
    def feature_importances_(self) -> Array:
        """The share of each column in the decrease of the impurity."""
        found: Array = self.tree_model.feature_importances_
        return found

    def _classifier(self, name: str) -> Any:
        if not hasattr(self.tree_model, name):
            raise AttributeError(f"{name} is for classes. Got a model for numbers.")
        return self.tree_model

    def __sklearn_tags__(self) -> Any:
        return self.model.__sklearn_tags__()

    def __sklearn_is_fitted__(self) -> bool:
        return True

    # -- what is known of the model

    @property
    def fitted_tree(self) -> FittedTree:
        """The fitted model as every function of treewright reads it."""
        return replace(as_fitted(self.tree_model), target=self.target, training=self.training())

    @property
    def main_score(self) -> Score | None:
        """The first of the scores: accuracy, or R²."""
        return self.scores[0] if self.scores else None

    @property
    def sizes(self) -> str:
        """The sizes of both trees and their main scores in a line; empty where there is one tree."""
        best = self.best
        if best is self:
            return ""
        score = "" if best.main_score is None else f" {_shown(best).value:.3f}"
        leaves = counted(best.tree_model.get_n_leaves(), "leaf")
        return f"{_size(self)}; {leaves} (best: lowest {self.chosen_by} in cross-validation):{score}."

    @property
    def chosen_by(self) -> str:
        """The loss of cross-validation, of which `best` has the lowest."""
        curve = getattr(self.tree_model, "pruning_curve_", None)
        tree = getattr(self.tree_model, "tree_", None)  # several trees that vote have none
        if curve is None and tree is not None and tree.leaf_models is not None:
            return LOSS_WORDS["squared" if self.task == REGRESSION else "log_loss"]
        return "loss" if curve is None else LOSS_WORDS[curve.loss]

    @property
    def verdict(self) -> str:
        """Whether the model is better than the baseline, beyond the intervals, and on which metrics."""
        return " ".join([*self._too_good(), verdict(self.scores)])

    def _too_good(self) -> list[str]:
        """A warning of a main score that is nearly perfect, or high with a column suspected of leakage."""
        main = self.main_score
        if main is None or not main.baseline < 1:
            return []
        gain = (main.value - main.baseline) / (1 - main.baseline)
        suspects = [] if self.check is None else self.check.of("leakage suspect")
        if suspects and gain >= LEAKING:
            names = listed([repr(name) for each in suspects for name in each.columns])
            these = f"column {names} may" if len(suspects) == 1 else f"columns {names} may"
            return [f"{main.metric} {main.value:.4g} is too good to be true: {these} give the target away."]
        if gain < PERFECT:
            return []
        known = "Check that all columns are known before the target is."
        return [f"{main.metric} {main.value:.4g} is probably too good to be true. {known}"]

    def summary(self) -> dict[str, Any]:
        """All but the tree, as values that can be written as JSON; the same for the same random_state."""
        return {
            "target": self.target,
            "task": self.task,
            "positive": _json_value(self.positive),
            "positive_given": self.positive_given,
            "rows": self.n_rows,
            "columns": list(self.columns),
            "params": {name: _json_value(value) for name, value in self.params.items()},
            "random_state": _json_value(self.random_state),
            **self.summary_of_size(),
            "scored_on": self.scored_on,
            "tree": self._which_tree(),
            "chosen_by": self.chosen_by,
            "best": None if self.best is self else self.best.summary_of_size(),
            "notes": list(self.notes),
            **({"formats": self.formats} if self.formats else {}),
            **({"zero_one": list(self.zero_one)} if self.zero_one else {}),
            **({"divided_by": self.divided_by} if self.divided_by else {}),
            **({KEY: self.training_rows} if self.training_rows else {}),
        }

    def _which_tree(self) -> str | None:
        """Which tree along the pruning path this is; None where cross-validation did not choose it."""
        if not isinstance(self.params.get("ccp_alpha"), str):
            return None
        return SIMPLEST if "best_" in vars(self.tree_model) else BEST

    def summary_of_size(self) -> dict[str, Any]:
        """The size and the scores, for a summary."""
        model = self.tree_model
        scores = [score.to_dict() for score in self.scores]
        return {"leaves": model.get_n_leaves(), "depth": model.get_depth(), "scores": scores}

    def save(self, path: str | Path) -> Path:
        """Write the model file, with this summary in it, and return its path.

        The file has no next-best splits: pass `next_best_splits(result, X, y)` to `explain` to see them. The
        files of the command `treewright fit` have them.
        """
        from ...learn.model_file import save

        return save(self.tree_model, path, target=self.target, training=self.training())

    def training(self) -> dict[str, Any]:
        """The summary as a model file holds it: without notes that quote values of columns."""
        notes = [note for note in self.notes if note not in self.column_notes]
        return self.summary() | {"notes": notes, "date": self.date}

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per score."""
        return [score.to_dict() for score in self.scores]

    def _columns(self) -> Sequence[tuple[str, str]]:
        return _COLUMNS

    def scores_text(self) -> list[str]:
        """The scores as lines of a table."""
        if not self.scores:
            return [self.scored_on]
        table = as_text(self.to_dicts(), _COLUMNS)
        return [*table, *self._positive_line(), f"Scored on {self.scored_on}.", self.verdict]

    def _positive_line(self) -> list[str]:
        """Which class is positive, beside scores that depend on it."""
        if self.positive is None or not any(score.metric in {"AUC", "cost"} for score in self.scores):
            return []
        default = "" if self.positive_given else " (the second class, by default)"
        return [f"Positive class: {_json_value(self.positive)!r}{default}."]

    def __str__(self) -> str:
        leaves, depth = self.tree_model.get_n_leaves(), self.tree_model.get_depth()
        size = f"{counted(self.n_rows, 'row')}, {counted(len(self.columns), 'column')}"
        head = f"{self.target!r}: {self.task}, {size}."
        tree = f"A tree of {counted(leaves, 'leaf')}, depth {depth}."
        sizes = [self.sizes] if self.sizes else []
        return "\n".join([head, tree, *self.scores_text(), *sizes, *self.notes])


def _size(result: FitResult) -> str:
    """ "12 leaves: accuracy 0.79"."""
    main, leaves = result.main_score, counted(result.tree_model.get_n_leaves(), "leaf")
    return leaves if main is None else f"{leaves}: {_shown(result).metric} {_shown(result).value:.3f}"


def _shown(result: FitResult) -> Score:
    """The score that a comparison of sizes shows: the cost if there are costs, else the first."""
    return next((score for score in result.scores if score.metric == "cost"), result.scores[0])


def _json_value(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value if isinstance(value, str | int | float | bool | list | dict | None) else repr(value)
