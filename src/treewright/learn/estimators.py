"""The estimators with the whole of scikit-learn's interface: tags, routing of metadata, diagrams, scores."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.base import BaseEstimator, ClassifierMixin, MultiOutputMixin, RegressorMixin
from sklearn.utils.metadata_routing import UNUSED

from ..tree.displayed import DisplayedWhenFitted
from .params import CLASSIFICATION, REGRESSION, from_table
from .plain import PlainClassifier, PlainRegressor
from .signatures import ExtraTreeClassifierSignature, ExtraTreeRegressorSignature


class OfScikitLearn(DisplayedWhenFitted, MultiOutputMixin, BaseEstimator):
    """What scikit-learn needs to know of classifier and regressor."""

    # `check_input` is never routed. The others are passed on only where the user requests it, as in
    # `set_fit_request(groups=True)`: the groups of a grid search are for its own `cv`.
    __metadata_request__fit: ClassVar = {
        "check_input": UNUSED,
        "memory": UNUSED,
        "scratch": UNUSED,
        "client": UNUSED,
        "checkpoint": UNUSED,
        "groups": False,
        "prune_rows": False,
    }
    __metadata_request__predict: ClassVar = {"check_input": UNUSED}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


@from_table(CLASSIFICATION)
class DecisionTreeClassifier(ClassifierMixin, OfScikitLearn, PlainClassifier):
    """A decision tree for classification."""

    __metadata_request__predict_proba: ClassVar = {"check_input": UNUSED}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = self.leaf_model == "constant"  # a logistic leaf has one output
        return tags


@from_table(REGRESSION)
class DecisionTreeRegressor(RegressorMixin, OfScikitLearn, PlainRegressor):
    """A decision tree for regression."""

    __metadata_request__fit: ClassVar = {"exposure": False}


@from_table(CLASSIFICATION, splitter="random", max_features="sqrt")
class ExtraTreeClassifier(ExtraTreeClassifierSignature, DecisionTreeClassifier):
    """A decision tree classifier with random splits, for ensembles."""


@from_table(REGRESSION, splitter="random", max_features=1.0)
class ExtraTreeRegressor(ExtraTreeRegressorSignature, DecisionTreeRegressor):
    """A decision tree regressor with random splits, for ensembles."""


def with_sklearn(model: Any) -> Any:
    """The same model as one of these classes, if it is a plain one: only the class of the object changes."""
    known: dict[type, Any] = {PlainClassifier: DecisionTreeClassifier, PlainRegressor: DecisionTreeRegressor}
    for each in (model, vars(model).get("best_")):
        if type(each) in known:
            each.__class__ = known[type(each)]
    return model
