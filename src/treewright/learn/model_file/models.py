"""A fitted estimator → what a file keeps of it, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from ...tree.tree import Tree
from ..params import CLASSIFICATION, REGRESSION
from .json_values import decoded, settled
from .limits import FileError, refused
from .saved import Saved, facts
from .settings import ESTIMATORS, FITTED, savable

_LARGE = 10_000  # entries of a parameter that are too many for a file, as lists of rows are
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def saved_of(model: Any, *, target: str | None = None, training: Mapping[str, Any] | None = None) -> Saved:
    """What a file keeps of a fitted estimator, or of a tree alone.

    `target` is the name of the column that is predicted, `training` a free summary of text, numbers, lists
    and dictionaries.
    """
    before = vars(model).get("of_file_", {}) if hasattr(model, "__dict__") else {}
    target = before.get("target") if target is None else target
    summary = settled(dict(before.get("training", {}) if training is None else training), '"training"')
    if isinstance(model, Tree):
        kind = REGRESSION if model.classes is None else CLASSIFICATION
        name = "DecisionTreeRegressor" if kind == REGRESSION else "DecisionTreeClassifier"
        return Saved(kind, model, name, {}, facts(model, {}), target=target, training=summary)
    name = type(model).__name__
    kind, home = ESTIMATORS.get(name, ("", "estimators"))
    if not kind or type(model) is not getattr(import_module(f"..{home}", __package__), name):
        known = ", ".join(ESTIMATORS)
        raise FileError(f"The model must be one of treewright's own: {known}, or a Tree. Got {name}.")
    if "tree_" not in vars(model):
        raise FileError(f"The model must be fitted before it is saved. Got a {name} that is not.")
    tree = _named(model)
    params, unsaved = _params(kind, model.get_params(deep=False))
    fitted = facts(tree, {key: _fact(vars(model)[key], key) for key in FITTED if key in vars(model)})
    return Saved(kind, tree, name, params, fitted, _decision(model), target, summary, unsaved)


def _named(model: Any) -> Tree:
    """The tree, with the names that the estimator has: they rule where it was made around a tree."""
    tree: Tree = model.tree_
    changes: dict[str, Any] = {}
    names = getattr(model, "feature_names_in_", None)
    if names is not None and tuple(names.tolist()) != tree.feature_names:
        changes["feature_names"] = tuple(names.tolist())
    labels = getattr(model, "classes_", None)
    if labels is not None:
        ours = tuple(labels) if tree.n_outputs > 1 else labels
        same = replace(tree, classes=ours) == tree
        changes |= {} if same else {"classes": ours}
    return replace(tree, **changes) if changes else tree


def _params(kind: str, given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The parameters that a file can hold, and the others in words."""
    params, unsaved = {}, {}
    for name, value in given.items():
        try:
            if name == "cv" and isinstance(value, list | tuple):
                raise FileError("Row numbers mean nothing without their table.")
            if _size(value) > _LARGE:
                raise FileError("This is too large to be a setting.")
            params[name] = decoded(savable(kind, name, value), name)
        except FileError:
            unsaved[name] = _words(value)
    return params, unsaved


def _size(value: Any) -> int:
    """How many entries a value has, roughly: of lists in a list or a dictionary the sum."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, np.ndarray):
        return value.size
    if isinstance(value, list | tuple):
        return sum(np.size(part) if isinstance(part, np.ndarray | list | tuple) else 1 for part in value)
    return 1


def _words(value: Any) -> str:
    """What cannot be written, in words that do not change from run to run."""
    text = _ADDRESS.sub("", repr(value))
    return (text if len(text) <= 200 else text[:197] + "...").encode("ascii", "backslashreplace").decode()


def _fact(value: Any, name: str) -> Any:
    """One thing that a fit left; arrays in reports are rows, which mean nothing without their table."""
    if isinstance(value, dict):
        value = {key: part for key, part in value.items() if not isinstance(part, np.ndarray)}
    return settled(value, name)


def _decision(model: Any) -> dict[str, Any] | None:
    made = getattr(model, "decision_", None)
    if made is None:
        return None
    costs, prevalence = (None, None) if made.stakes is None else made.stakes
    said = {"words": made.words, "threshold": made.threshold, "positive": made.positive}
    said |= {"leaves": list(made.leaves), "costs": costs, "prevalence": prevalence}
    found: dict[str, Any] = settled(said, '"decision"')
    return found


# -- and back


def estimator_of(saved: Saved) -> Any:
    """The fitted estimator. Its class comes from our own list, never from a name in a file."""
    _, home = ESTIMATORS[saved.estimator]
    cls = getattr(import_module(f"..{home}", __package__), saved.estimator)
    with refused("The model"):
        made = cls.from_tree(saved.tree, **saved.params)
    vars(made).update((name, saved.fitted[name]) for name in FITTED if name in saved.fitted)
    if saved.decision is not None:
        from ...evaluate.decision import Decision

        words = {name: saved.decision[name] for name in ("words", "threshold", "positive")}
        costs = np.asarray(saved.tree.costs)
        leaves = tuple(saved.decision["leaves"])
        made.decision_ = Decision(costs, **words, leaves=leaves, stakes=saved.stakes)
    made.of_file_ = {"target": saved.target, "training": saved.training}  # to be saved with it again
    return made
