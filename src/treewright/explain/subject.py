"""What is explained: any fitted model with its tree in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from ..learn.fitted_tree import FittedTree, as_model
from ..tree.tree import Tree
from ..tree.words import Words

COSTS = "The class of least expected cost is predicted, which need not be the likeliest."


@dataclass(frozen=True)
class Subject:
    """A fitted model, its tree in words, and its classes as Python's own values."""

    model: FittedTree
    words: Words
    labels: list[list[Any]] | None  # the classes of every output; None for numbers

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.words.tree

    @property
    def names(self) -> Sequence[str] | None:
        """The names of the columns at fit, as they are."""
        return self.model.feature_names

    @property
    def target(self) -> str | None:
        """The name of the target column, if known."""
        return self.model.target

    @property
    def next_best_splits(self) -> Any:
        """The next-best splits that were kept with the model."""
        return self.model.training.get("runners_up")

    @property
    def decision(self) -> str | None:
        """How it decides, if that was chosen after growing."""
        made = getattr(self.model.source, "decision_", None)
        if made is not None:
            return str(made)
        return (self.model.decision or {}).get("words") or None

    @property
    def decides(self) -> str | None:
        """How a class is decided for, if not by the greatest probability."""
        if self.decision is not None:
            return self.decision
        return None if self.tree.costs is None else COSTS

    @property
    def criterion(self) -> str:
        """The impurity that the splits made smaller; "impurity" if that is not known."""
        return self.words.criterion

    def columns(self, X: Any) -> _core.Columns:
        """A table as the tree reads it."""
        return self.model.columns(X)


def subject_of(model: Any) -> Subject:
    """Any fitted model with its tree in words."""
    found = as_model(model)
    words = found.words()
    return Subject(found, words, _labels(words, found.classes or None))


def _labels(words: Words, known: Any) -> list[list[Any]] | None:
    if words.classes is None:
        return None
    if known is None:
        return [list(range(len(names))) for names in words.classes]
    return [np.asarray(labels).tolist() for labels in known]


def trained_estimator(model: Any) -> Any:
    """The estimator of a model, for what fits trees again; a bare Tree does not know how it was fitted."""
    found = as_model(model)
    if found.estimator == "Tree":
        raise ValueError(
            "model must know its training parameters, since trees are fitted again. Got a Tree. Give the "
            "estimator, or what treewright.fit or treewright.load returned."
        )
    return found.to_estimator()
