"""A fitted model with the texts that explanations need."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..data.common.errors import ParameterError
from ..data.common.hints import nearest
from ..learn.fitted_tree import FittedTree, as_model
from ..learn.params import ALIASES
from ..tree.tree import Tree
from ..tree.tree_text import TreeText

COSTS = "The class of least expected cost is predicted, which need not be the likeliest."
NO_PREDICTION = "no prediction"


@dataclass(frozen=True)
class DescribedModel:
    """A fitted model, its tree as text, and its classes as Python's own values."""

    model: FittedTree
    words: TreeText

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.words.tree

    @property
    def names(self) -> tuple[str, ...] | None:
        """The names of the columns at fit, as they are."""
        return self.model.feature_names

    @property
    def target(self) -> str | None:
        """The name of the target column, if known."""
        return self.model.target

    @cached_property
    def labels(self) -> list[list[Any]] | None:
        """The classes of every output; None for regression."""
        if self.words.classes is None:
            return None
        known = self.model.classes or [range(len(names)) for names in self.words.classes]
        return [labels.tolist() if hasattr(labels, "tolist") else list(labels) for labels in known]

    @property
    def decides(self) -> str | None:
        """How the class is chosen, if not by the greatest probability."""
        made = getattr(self.model.source, "decision_", None)
        text = str(made) if made is not None else (self.model.decision or {}).get("words")
        return text or (None if self.tree.costs is None else COSTS)

    def class_text(self, output: int, place: int) -> str:
        """A class as text; -1 is no prediction."""
        assert self.words.classes is not None
        return self.words.classes[output][place] if place >= 0 else NO_PREDICTION

    def place_of(self, label: Any, output: int, name: str) -> int:
        """The place of a class, by its label or by its text; `name` is the parameter."""
        assert self.labels is not None
        labels = self.labels[output]
        for place, each in enumerate(labels):
            if each == label or str(each) == str(label):
                return place
        hint = nearest(label, labels) or f" It has {', '.join(map(repr, labels[:10]))}."
        raise ParameterError(f"{name} must be a class of the model. Got {label!r}.{hint}", name)

    def check_output(self, output: Any) -> None:
        """Reject what is not the number of an output."""
        most = self.tree.n_outputs - 1
        if isinstance(output, bool) or not isinstance(output, int) or not 0 <= output <= most:
            raise ValueError(f"output must be an int in 0..{most}. Got {output!r}.")


def describe(model: Any) -> DescribedModel:
    """Any fitted model with its texts."""
    found = as_model(model)
    return DescribedModel(found, found.words())


def trained_estimator(model: Any) -> Any:
    """The estimator of a model; a bare Tree does not know how it was fitted."""
    found = as_model(model)
    if found.estimator == "Tree":
        raise ValueError(
            "model must know its training parameters: it must be a fitted DecisionTreeClassifier or "
            "DecisionTreeRegressor, or what treewright.fit or treewright.load returned. Got a "
            f"{type(model).__name__}."
        )
    return found.to_estimator() if found.source is None else found.source


def without_old_names(model: Any) -> Any:
    """An estimator like this before its fit, which has warned of an old name of the criterion."""
    made = model.fresh()
    return made.set_params(criterion=ALIASES.get(made.criterion, made.criterion))
