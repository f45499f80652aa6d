"""The same tree with other decisions: every node predicts what costs least; its probabilities stay."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..learn.costs import CostsAndPrevalence, check_decision, cost_matrix, prevalences
from ..learn.fitted_tree import as_estimator
from ..learn.pruning.merge import merge as merge_leaves
from ..tree.tree import Tree
from .roc.operating_point import operating_point
from .roc.point import OperatingPoint
from .segments import place_of

Floats = NDArray[np.float64]

# Costs are compared in units of 2**-40 of the greatest, so a threshold must not be closer to a probability.
CLOSE = 2.0**-36
_MOST_COSTS = 6  # that are named one by one


@dataclass(frozen=True, eq=False)
class Decision:
    """How a model with a decision came to what it predicts."""

    costs: Floats  # what the nodes go by: true class by predicted class, times the change of prevalence
    words: str
    threshold: float | None = None  # of the probability of the positive class, if that decides
    positive: Any = None
    point: OperatingPoint | None = None  # if it was found on a ROC curve
    leaves: tuple[int, int] = (0, 0)  # before and after merging
    costs_and_prevalence: CostsAndPrevalence | None = (
        None  # as they were given, if costs or a prevalence decided
    )

    def __str__(self) -> str:
        before, after = self.leaves
        merged = f" Leaves that agree were merged: {before:,} became {after:,}." if after < before else ""
        return self.words + merged

    def __repr__(self) -> str:
        return f"<Decision: {self}>"


def with_decision(  # noqa: PLR0913
    model: Any,
    decision: OperatingPoint | None = None,
    *,
    costs: Any = None,
    prevalence: Any = None,
    threshold: float | None = None,
    recall: float | None = None,
    precision: float | None = None,
    capacity: int | None = None,
    population: float | None = None,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    cv: Any = None,
    groups: Any = None,
    time: Any = None,
    positive: Any = None,
    merge: bool = False,
) -> Any:
    """Return a new fitted classifier that decides otherwise; the old one is left alone.

    Give one criterion: a `decision` (what `operating_point` returned), costs and/or a prevalence, a
    threshold, or a recall, precision or capacity. It becomes the parameter `decision` of the result, so that
    clones of it decide by it too when they are fitted; a criterion applied to other rows (X and y), or an
    operating point, becomes its threshold.

    Costs and prevalence, for any number of classes: every node predicts the class of least expected cost by
    its own probabilities. If X and y (two classes) are given, by the rows: the threshold is that of
    `operating_point`. A prevalence is the share of the positive class where the model will be used, or the
    proportions of all classes; None: those of the training rows. `costs` as for `operating_point`.

    With a threshold the positive class is predicted where its probability is above it; recall, precision and
    capacity find one on X and y, or on the rows that are known. `merge=True` merges sibling leaves that now
    agree, so that the tree is smaller and `predict_proba` coarser; no prediction changes, but where missing
    values are shared out among leaves.

    `decision_` of the result describes the decision; `tree_.costs` has the costs in effect.
    """
    model = as_estimator(model)
    _must_decide(model)
    criteria: dict[str, Any] = {"recall": recall, "precision": precision, "capacity": capacity}
    criteria |= {"population": population} | {"costs": costs, "prevalence": prevalence}
    chosen = {"threshold": threshold, "positive": positive, "merge": merge} | criteria
    if decision is None:
        check_decision(chosen)
    elif any(part is not None for part in (threshold, *criteria.values())):
        raise ValueError("Give a decision or one of its criteria such as threshold or costs. Got both.")
    else:
        positive = _checked(decision, model).positive
    place = place_of(model.classes_, positive)
    other_rows = decision is not None or X is not None
    if decision is None and threshold is None and ((costs is None and prevalence is None) or X is not None):
        rows = {"sample_weight": sample_weight, "cv": cv, "groups": groups, "time": time}
        decision = operating_point(model, X, y, positive=positive, **criteria, **rows)
    if decision is not None:
        threshold = decision.threshold
        if other_rows:  # which a later fit does not have
            chosen = {"threshold": threshold, "positive": positive, "merge": merge}
    if threshold is not None:
        tree, made = _by_threshold(model, threshold, place)
        if decision is not None:
            made = replace(
                made,
                point=decision,
                words=" ".join(decision.sentences),
                costs_and_prevalence=_costs_and_prevalence(decision, place),
            )
    else:
        tree, made = _by_costs(model, costs, prevalence, place)
    before = tree.n_leaves
    tree = merge_leaves(tree).tree if merge else tree
    changed = copy(model)
    changed.decision = _as_parameter(chosen, model.classes_, place)
    changed.tree_, changed.decision_ = tree, replace(made, leaves=(before, tree.n_leaves))
    return _consistent(changed, tree.n_leaves < before)


def _consistent(model: Any, merged: bool) -> Any:
    """The model without what was found out of another tree; its `best_` decides alike."""
    if merged:
        model.changed_ = "merged by with_decision"
        for name in ("out_of_fold_", "of_file_"):
            model.__dict__.pop(name, None)
    if "best_" in vars(model):
        model.best_ = with_decision(model.best_, **model.decision)
    return model


def _as_parameter(chosen: dict[str, Any], classes: Any, positive: int) -> dict[str, Any]:
    """The parameter `decision` that makes a fit decide the same, of values that a model file can hold."""
    made = {name: value for name, value in chosen.items() if value is not None and value is not False}
    if "costs" in made and not isinstance(made["costs"], Mapping):
        made["costs"] = cost_matrix(made["costs"], np.asarray(classes), positive).tolist()
    if "prevalence" in made and not isinstance(made["prevalence"], Real | Mapping):
        made["prevalence"] = np.asarray(made["prevalence"], dtype=np.float64).tolist()
    if "positive" in made:
        made["positive"] = np.asarray(classes).tolist()[positive]
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in made.items()}


def _must_decide(model: Any) -> None:
    if not hasattr(model, "predict_proba") or model.n_outputs_ > 1:
        got = f"{model.n_outputs_} outputs" if hasattr(model, "predict_proba") else "a regressor"
        raise ValueError(f"model must be a classifier of one output. Got {got}.")


def _checked(decision: Any, model: Any) -> OperatingPoint:
    if not isinstance(decision, OperatingPoint):
        raise ValueError(
            f"decision must be what treewright.operating_point returns. Got {type(decision).__name__}."
        )
    if decision.classes.tolist() != model.classes_.tolist():
        raise ValueError(
            f"decision must be of a model with the same classes {model.classes_.tolist()}. "
            f"Got one for {decision.classes.tolist()}."
        )
    return decision


def _costs_and_prevalence(point: OperatingPoint, positive: int) -> CostsAndPrevalence | None:
    if not point.by_cost:
        return None
    return CostsAndPrevalence(point.costs, prevalences(point.prevalence, point.classes, positive))


def _by_costs(model: Any, costs: Any, prevalence: Any, positive: int) -> tuple[Tree, Decision]:
    """Least expected cost; a class that becomes r times as common costs r times as much."""
    tree, classes = model.tree_, np.asarray(model.classes_)
    given = getattr(model, "costs", None) if costs is None else costs
    matrix = cost_matrix(given, classes, positive)
    extra = matrix - matrix.diagonal()[:, None]  # which shifts the cost of all predictions alike
    words, shares = "Each node predicts the class of least expected cost", None
    if prevalence is not None:
        shares, grown = prevalences(prevalence, classes, positive), tree.value[0, 0]
        if not (grown > 0).all():
            lacking = classes[grown <= 0].tolist()
            raise ValueError(f"prevalence needs a tree that has seen every class. Got one without {lacking}.")
        extra = extra * (shares / grown)[:, None]
        listed = ", ".join(
            f"{share:.4g} of {name!r}" for name, share in zip(classes.tolist(), shares.tolist(), strict=True)
        )
        words += f" where the classes have the proportions {listed}"
    costs_text = "1 for every mistake" if given is None else _costs_in_words(matrix, classes.tolist())
    return replace(tree, costs=extra), Decision(
        extra, f"{words}. Costs: {costs_text}.", costs_and_prevalence=CostsAndPrevalence(matrix, shares)
    )


def _costs_in_words(matrix: Any, classes: list[Any]) -> str:
    """Each cost with its classes; of many the whole matrix."""
    found = [(i, j) for i in range(len(classes)) for j in range(len(classes)) if matrix[i, j]]
    if not found:
        return "none"
    if len(found) > _MOST_COSTS:
        return f"{matrix.tolist()}, a row per true class and a column per predicted class of {classes}"
    return ", ".join(f"{matrix[i, j]:.4g} if {classes[i]!r} is predicted as {classes[j]!r}" for i, j in found)


def _by_threshold(model: Any, threshold: Any, positive: int) -> tuple[Tree, Decision]:
    """A false positive costs t and a false negative 1 - t: the positive class costs less where p > t."""
    if len(model.classes_) != 2:
        raise ValueError(
            f"threshold needs two classes. Got {len(model.classes_)}. Use costs, for any number of classes."
        )
    if not isinstance(threshold, Real) or not np.isfinite(float(threshold)):
        raise ValueError(f"threshold must be a probability. Got {threshold!r}.")
    probabilities, wanted = model.tree_.prediction[:, 0, positive], float(threshold)
    t = min(max(_apart(probabilities, wanted), 0.0), 1.0)
    costs = np.zeros((2, 2))
    costs[1 - positive, positive], costs[positive, 1 - positive] = t, 1 - t
    if not 0 <= wanted < 1:  # all alike, whatever their probabilities
        costs = np.zeros((2, 2))
        costs[:, positive if wanted >= 1 else 1 - positive] = 1.0
    tree, name = replace(model.tree_, costs=costs), model.classes_.tolist()[positive]
    differ = np.count_nonzero((tree.label[:, 0] == positive) != (probabilities > wanted))
    if differ:
        warnings.warn(
            f"{differ} of {tree.node_count} nodes have a probability of {name!r} that costs cannot "
            f"distinguish from the threshold {wanted:.4g}; "
            f"they predict the class {model.classes_.tolist()[0]!r}.",
            UserWarning,
            stacklevel=4,
        )
    words = f"{name!r} is predicted where its probability is above {wanted:.4g}."
    return tree, Decision(costs, words, wanted, name)


def _apart(probabilities: Floats, threshold: float) -> float:
    """The threshold, or where a share is too close to it, the middle between its neighbours."""
    if not 0 <= threshold < 1:
        return threshold
    if not (np.abs(probabilities - threshold) <= CLOSE).any():
        return threshold
    low = probabilities[probabilities <= threshold].max(initial=0.0)
    high = probabilities[probabilities > threshold].min(initial=1.0)
    return float(low + (high - low) / 2)
