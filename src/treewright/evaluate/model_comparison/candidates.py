"""The models that a user lists for a comparison: names or estimators, and how they are fitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...data.common.allowed import is_whole
from ...data.common.errors import ParameterError
from ...data.common.hints import nearest
from ...learn.folds import most_folds
from ...learn.params import CLASSIFICATION, REGRESSION
from ..procedure import Data, is_search, run
from .models import DEFAULT, NAMED, TASKS, About, Named, calibrated, names_for, plain_name, prepared
from .result import BASELINE, OTHER, OUR_BEST, OURS

ALL = "all"  # every name for the task


@dataclass(frozen=True)
class Candidate:
    """A model to compare, not fitted."""

    label: str
    family: str
    model: Any

    @property
    def prepared(self) -> bool:
        """Whether its columns are prepared here."""
        from .prepare import PreparedTable

        return any(isinstance(step, PreparedTable) for _, step in getattr(self.model, "steps", ()))


def candidates(models: Any, table: About) -> list[Candidate]:
    """The models that the user lists: names, estimators, or both; None: the usual ones of the task."""
    if models is None:
        models = DEFAULT[table.task]
    elif isinstance(models, str) and models == ALL:
        models = names_for(table.task)
    if isinstance(models, Mapping):
        found = [_candidate(each, table, str(label)) for label, each in models.items()]
    elif isinstance(models, Sequence) and not isinstance(models, str):
        found = [_candidate(each, table) for each in models]
    else:
        found = [_candidate(models, table)]
    labels: list[str] = []
    for number, each in enumerate(found):
        again = sum(other.label == each.label for other in found[:number])
        labels.append(f"{each.label} ({again + 1})" if again else each.label)
    return [Candidate(label, each.family, each.model) for label, each in zip(labels, found, strict=True)]


def _candidate(given: Any, table: About, label: str | None = None) -> Candidate:
    if label in {OURS, OUR_BEST, BASELINE}:
        raise ParameterError(f"A name in models must not be {label!r}, which is always among them.", "models")
    if isinstance(given, str):
        named = _named(given, table.task)
        return Candidate(label or named.label, named.family, named.make(table))
    if not hasattr(given, "fit") or isinstance(given, type):
        where = f" for {label!r}" if label is not None else ""
        hint = f" Write {given.__name__}()." if isinstance(given, type) else ""
        raise ParameterError(f"models must hold names or estimators. Got {given!r}{where}.{hint}", "models")
    return _own(given, table, label)


def _named(name: str, task: str) -> Named:
    found = NAMED.get(plain_name(name))
    if found is None:
        hint = nearest(plain_name(name), NAMED) or f" They are {', '.join(map(repr, names_for(task)))}."
        raise ParameterError(f"models must be names of models, or estimators. Got {name!r}.{hint}", "models")
    if task not in found.tasks:
        raise ParameterError(
            f"models must predict {TASKS[task]}, as the target has. Got {name!r}, which predicts "
            f"{TASKS[found.tasks[0]]}. Choose from {', '.join(map(repr, names_for(task)))}.",
            "models",
        )
    return found


def _own(given: Any, table: About, label: str | None) -> Candidate:
    """An estimator of the user: a tree of treewright or a Pipeline as it is, others with columns prepared."""
    from sklearn.base import clone, is_classifier
    from sklearn.pipeline import Pipeline

    from ...learn.base import BaseDecisionTree

    name = type(given).__name__
    if is_classifier(given) != table.classes:
        kind = TASKS[CLASSIFICATION if is_classifier(given) else REGRESSION]
        raise ParameterError(
            f"models must predict {TASKS[table.task]}, as the target has. Got {name}, which predicts {kind}.",
            "models",
        )
    reads = given.estimator if is_search(given) else given
    if isinstance(reads, Pipeline | BaseDecisionTree):
        if table.classes and not hasattr(given, "predict_proba"):
            raise ParameterError(
                f"models must have predict_proba, since classes are compared by log loss. Got {name} without "
                "it. Put CalibratedClassifierCV around its last step.",
                "models",
            )
        return Candidate(label or name, OTHER, clone(given))
    if table.classes and not hasattr(given, "predict_proba"):
        return Candidate(label or f"{name}, calibrated", OTHER, prepared(calibrated(clone(given))))
    return Candidate(label or name, OTHER, prepared(clone(given)))


def fitted_candidate(candidate: Any, data: Data, classifier: bool) -> Any:
    """A copy of a model, fitted on these rows by their weights if it takes any.

    Models that divide their rows once more keep groups together and the future out of training. Calibration
    is given its folds, since by itself it refuses classes that are rarer than the folds are many.
    """
    from sklearn.base import clone
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.pipeline import Pipeline
    from sklearn.utils.validation import has_fit_parameter

    if not isinstance(candidate, Pipeline):
        weight = data.sample_weight if has_fit_parameter(candidate, "sample_weight") else None
        return run(candidate, replace(data, sample_weight=weight))
    model = clone(candidate)
    last, name = model[-1], model.steps[-1][0]
    apart = data.groups is not None or data.time is not None
    if "cv" in last.get_params(deep=False) and (apart or isinstance(last, CalibratedClassifierCV)):
        count = most_folds(last.cv if is_whole(last.cv) else 5, data.groups, data.time)
        last.set_params(cv=data.folds(count, classifier))
    weighted = {}
    if data.sample_weight is not None and has_fit_parameter(last, "sample_weight"):
        weighted = {f"{name}__sample_weight": data.sample_weight}
    model.fit(data.X, data.y, **weighted)
    if "n_jobs" in last.get_params(deep=False):  # threads of a forest add up its trees in any order
        last.set_params(n_jobs=1)
    return model
