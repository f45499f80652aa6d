"""What is explained: a fitted estimator, a saved model or a bare Tree, seen alike, without scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..tree.tree import Tree
from ..tree.words import Words, put_into_words

COSTS = "The class of least expected cost is predicted, which need not be the likeliest."


@dataclass(frozen=True)
class Subject:
    """A tree with its words, and what its model knows besides."""

    words: Words
    labels: list[list[Any]] | None  # the classes of every output as Python's own values; None for numbers
    names: Sequence[str] | None  # of the columns at fit, as they are
    decision: str | None = None  # how it decides, if that was chosen after growing
    target: str | None = None
    runners_up: Any = None  # as `RunnersUp.to_dicts` writes them

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.words.tree

    @property
    def decides(self) -> str | None:
        """How a class is decided for, if not by the greatest probability."""
        if self.decision is not None:
            return self.decision
        return None if self.tree.costs is None else COSTS

    @property
    def criterion(self) -> str:
        """What the splits made smaller; "impurity" if that is not known."""
        return self.words.criterion


def model_of(model: Any) -> Any:
    """The model in what `treewright.fit` returned; anything else as it is."""
    return model.model if hasattr(model, "summary") and hasattr(model, "model") else model


def subject_of(model: Any) -> Subject:
    """See a model as what is common to all of them; `treewright.fit` has told the name of the target."""
    if model_of(model) is not model:
        return replace(subject_of(model.model), target=model.target)
    held = getattr(model, "tree", None)
    if isinstance(held, Tree) and not isinstance(model, Tree):
        return _of_saved(model, held)
    words = put_into_words(model, None, None, None)
    names = getattr(model, "feature_names_in_", words.tree.feature_names)
    decision = getattr(model, "decision_", None)
    known: Any = getattr(model, "classes_", words.tree.classes)
    return Subject(
        words,
        _labels(words, known),
        None if names is None else list(map(str, names)),
        None if decision is None else str(decision),
    )


def _of_saved(model: Any, tree: Tree) -> Subject:
    """A model as it was read from a file: its tree knows names and classes."""
    fitted, params = getattr(model, "fitted", None) or {}, getattr(model, "params", None) or {}
    names = fitted.get("feature_names") or tree.feature_names
    words = put_into_words(tree, names, None, None)
    words = replace(words, criterion=str(params.get("criterion", "impurity")))
    decision, training = getattr(model, "decision", None), getattr(model, "training", None)
    return Subject(
        words,
        _labels(words, tree.classes),
        None if names is None else list(map(str, names)),
        str(decision["words"]) if isinstance(decision, Mapping) and decision.get("words") else None,
        getattr(model, "target", None),
        training.get("runners_up") if isinstance(training, Mapping) else None,
    )


def _labels(words: Words, known: Any) -> list[list[Any]] | None:
    if words.classes is None:
        return None
    if known is None:
        return [list(range(len(names))) for names in words.classes]
    each = [known] if len(words.classes) == 1 else known
    return [np.asarray(labels).tolist() for labels in each]
