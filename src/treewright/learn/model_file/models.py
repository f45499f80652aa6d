"""A fitted estimator → what a file keeps of it, and back."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from ...data.schema import NOTHING
from ...tree.tree import Tree
from ...tree.walks import used_columns
from ..boosting.fitted import FittedTrees
from ..fitted_tree import FITTED, FittedTree, as_fitted
from ..params import CLASSIFICATION, REGRESSION
from ..plain import PLAIN
from ..rule_models.fitted import FittedRuleModel
from ..rule_sets.fitted import FittedRules
from .json_values import as_read_again, decoded
from .limits import FileError, rejected
from .settings import ESTIMATORS, savable

_LARGE = 10_000  # entries of a parameter that are too many for a file, as lists of rows are
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def file_form(
    model: Any, *, target: str | None = None, training: Mapping[str, Any] | None = None
) -> FittedTree:
    """What a file keeps of any model: parameters that it can hold, and the others in words.

    `target` is the name of the column that is predicted, `training` a free summary of text, numbers, lists
    and dictionaries.
    """
    found = as_fitted(model)
    summary = as_read_again(dict(found.training if training is None else training), '"training"')
    target = found.target if target is None else target
    if isinstance(found, FittedTrees):
        return replace(_boosted_form(found), target=target, training=summary)
    if isinstance(found, FittedRules):
        found = _rules_form(found)
    if isinstance(found, FittedRuleModel):
        return replace(_rule_model_form(found), target=target, training=summary)
    saved = replace(_settings_form(found), target=target, training=summary)
    best = None if found.best is None else replace(_settings_form(found.best), target=target, training={})
    return _without_unused(replace(saved, best=best))


def _settings_form(found: FittedTree) -> FittedTree:
    """A model with the settings that a file can hold."""
    if found.source is None:
        name = _OF_TREE[found.task] if found.estimator == "Tree" else found.estimator
        return replace(found, estimator=name)
    _check_class(found.source)
    params, unsaved = _params(found.task, found.params)
    return replace(
        found,
        params=params,
        unsaved=unsaved,
        fitted={key: _fact(value, key) for key, value in found.fitted.items()},
        decision=None if found.decision is None else as_read_again(found.decision, '"decision"'),
    )


def _without_unused(saved: FittedTree) -> FittedTree:
    """The model without values of columns that neither of its trees uses.

    A file is shared: it holds no identifiers and names that predict nothing. Next-best splits of such columns
    say that their levels are not stored; thresholds of numbers and times stay.
    """
    trees = [saved.tree] if saved.best is None else [saved.tree, saved.best.tree]
    used = {place for tree in trees for place in used_columns(tree)}
    names, listed = saved.feature_names or (), saved.training.get("next_best_splits")
    types = saved.tree.column_types or ()
    named = zip(names, types, strict=False)
    unused = {name for place, (name, t) in enumerate(named) if place not in used and t.has_levels}
    if isinstance(listed, list):
        kept = [_named_only(each, unused) for each in listed]
        saved = replace(saved, training=saved.training | {"next_best_splits": kept})
    best = saved.best
    if best is not None:
        best = replace(best, tree=without_levels(best.tree, used))
    return replace(saved, tree=without_levels(saved.tree, used), best=best)


def _boosted_form(found: FittedTrees) -> FittedTrees:
    """The trees with the settings that a file can hold, without values of columns that none of them uses."""
    name = type(found.source).__name__
    if found.source is not None and name != "BoostedTreeClassifier":
        raise FileError(f"A boosted model must be a BoostedTreeClassifier to be saved. Got a {name}.")
    members = tuple(
        replace(each, tree=without_levels(each.tree, found.used))
        for each in (
            _settings_form(_rules_form(m) if isinstance(m, FittedRules) else m) for m in found.members
        )
    )
    first = members[0]
    same = ("tree", "params", "unsaved", "fitted", "decision", "estimator")
    return replace(found, members=members, **{name: getattr(first, name) for name in same})


def _rules_form(found: FittedRules) -> FittedRules:
    """A set of rules as the tree that it was made of, which the settings belong to."""
    name = type(found.source).__name__
    if found.source is None:
        return found
    if name != "RuleSetClassifier":
        raise FileError(f"A set of rules must be a RuleSetClassifier to be saved. Got a {name}.")
    return replace(found, source=found.source.estimator_)


def _rule_model_form(found: FittedRuleModel) -> FittedTree:
    """Rules with linear models as their root, without values of columns that no rule uses."""
    name = type(found.source).__name__
    if found.source is not None and name != "RuleModelRegressor":
        raise FileError(f"Rules with linear models must be a RuleModelRegressor to be saved. Got a {name}.")
    root = found.source and replace(found, source=found.source.estimator_)
    return replace(_settings_form(root or found), tree=without_levels(found.tree, found.used))


def _named_only(split: Any, unused: Container[Any]) -> Any:
    """A next-best split; of an unused column with levels its name in place of the test."""
    hidden = isinstance(split, dict) and split.get("feature") in unused
    return {**split, "test": f"{split['feature']} (levels not stored)"} if hidden else split


def without_levels(tree: Tree, used: Container[int]) -> Tree:
    """The tree without the levels of columns that are not used: anything suits them at predict."""
    types = tree.column_types or ()
    kept = tuple(NOTHING if t.levels and place not in used else t for place, t in enumerate(types))
    return tree if kept == types else replace(tree, column_types=kept)


_OF_TREE = {CLASSIFICATION: "DecisionTreeClassifier", REGRESSION: "DecisionTreeRegressor"}


def _check_class(model: Any) -> None:
    """A file names one of our own classes, never one that was derived from it."""
    name = type(model).__name__
    if type(model) in PLAIN.values():
        return
    if name not in ESTIMATORS or type(model) is not _class_of(name):
        known = ", ".join(ESTIMATORS)
        raise FileError(f"The model must be one of treewright's own: {known}, or a Tree. Got {name}.")


def _class_of(name: str) -> Any:
    return getattr(import_module("..estimators", __package__), name)


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
    return as_read_again(value, name)


# -- and back


def estimator_of(saved: FittedTree, *, plain: bool = False) -> Any:
    """The fitted estimator. Its class comes from our own list, never from a name in a file.

    With `plain` it is without the interface of scikit-learn, if there is such a class.
    """
    name = _OF_TREE[saved.task] if saved.estimator == "Tree" else saved.estimator
    is_plain = plain and name == PLAIN[saved.task].stands_for
    with rejected("The model"):
        made = (PLAIN[saved.task] if is_plain else _class_of(name)).from_tree(saved.tree, **saved.params)
    vars(made).update((name, saved.fitted[name]) for name in FITTED if name in saved.fitted)
    if saved.decision is not None:
        from ...evaluate.decision import Decision

        words = {name: saved.decision[name] for name in ("words", "threshold", "positive")}
        costs = np.asarray(saved.tree.costs)
        leaves = tuple(saved.decision["leaves"])
        made.decision_ = Decision(
            costs, **words, leaves=leaves, costs_and_prevalence=saved.costs_and_prevalence
        )
    if saved.best is not None:
        made.best_ = estimator_of(saved.best, plain=plain)
    made.of_file_ = {"target": saved.target, "training": saved.training}  # to be saved with it again
    return made
