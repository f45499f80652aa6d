"""How to train a decision tree, in five steps: rank first, decide last (Flach 2012, chapter 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..learn.estimators import DecisionTreeClassifier
from .calibration import CalibrationCurve, calibration_of
from .decision import Decision, with_decision
from .roc.curve import RocCurve, rows_of
from .roc.curves import RocCurves, roc_of
from .segments import Segments, segments_of

INVARIANT = ("sqrt_gini", "hellinger")  # their splits do not depend on how common each class is


@dataclass(frozen=True, eq=False)
class RankingSteps:
    """The results of the five steps, and a sentence for each."""

    steps: tuple[str, ...]
    ranking: Any  # the fitted classifier after step 3: neither decided nor merged
    roc: RocCurve | RocCurves  # of held-out rows
    calibration: CalibrationCurve  # of the same predictions
    decision: Decision

    def __str__(self) -> str:
        return "\n".join(f"{number}. {step}" for number, step in enumerate(self.steps, 1))

    def __repr__(self) -> str:
        return f"<RankingSteps>\n{self}"


def ranking_tree(  # noqa: PLR0913
    X: Any,
    y: Any,
    *,
    criterion: str = "sqrt_gini",
    oversample: bool | None = None,
    smoothing: str = "laplace",
    smoothing_strength: Any = None,
    costs: Any = None,
    prevalence: Any = None,
    recall: float | None = None,
    precision: float | None = None,
    capacity: int | None = None,
    population: float | None = None,
    positive: Any = None,
    merge: bool = True,
    sample_weight: Any = None,
    cv: Any = 5,
    groups: Any = None,
    quiet: bool = False,
    **params: Any,
) -> DecisionTreeClassifier:
    """Train a tree to rank, then make it decide; print what each of five steps did.

    1. Rank first: grow the tree without pruning.
    2. Let rare classes count: a criterion that does not depend on their proportions; with another one,
       rows weigh as if the rarer classes had been oversampled until all are as common.
    3. Smooth the probabilities of the leaves.
    4. Choose where to decide: by costs and prevalence, recall, precision or capacity, on held-out rows.
    5. Merge subtrees whose leaves now decide alike.

    Parameters
    ----------
    X, y, sample_weight : table, labels and weights, as for `fit`
    criterion : a criterion of DecisionTreeClassifier
    oversample : bool, optional
        None: only if the criterion depends on the proportions of the classes.
    smoothing, smoothing_strength : as for DecisionTreeClassifier
    costs, prevalence, recall, precision, capacity, population, positive : as for `operating_point`
        Without any, every mistake costs 1.
    merge : bool
        False leaves step 5 out, and with it the finer probabilities in.
    cv, groups : how rows are held out, as for DecisionTreeClassifier
    quiet : bool
        True prints nothing.
    params : other parameters of DecisionTreeClassifier

    Returns
    -------
    DecisionTreeClassifier
        Fitted and decided. Its `steps_` has what was printed, and in `steps_.ranking` the tree of step 3,
        which ranks best.
    """
    balance = criterion not in INVARIANT if oversample is None else oversample
    settings = {"criterion": criterion, "cv": cv, "smoothing": smoothing} | params
    settings |= {"smoothing_strength": smoothing_strength} | ({"class_weight": "balanced"} if balance else {})
    ranking = DecisionTreeClassifier(**settings).fit(X, y, sample_weight=sample_weight, groups=groups)
    held_out = segments_of(ranking, X, y, sample_weight=sample_weight, cv=cv, groups=groups)
    curve, calibration = roc_of(held_out, positive=positive), calibration_of(held_out)
    criteria = {"costs": costs, "prevalence": prevalence, "recall": recall, "precision": precision}
    criteria |= {"capacity": capacity, "population": population}
    made: DecisionTreeClassifier = _decided(ranking, held_out, curve, criteria, merge)
    strength = ranking.smoothing_strength_
    steps = (
        f"Rank first: grown without pruning, {ranking.get_n_leaves():,} leaves.",
        _balance(held_out, criterion, balance),
        f"Smooth: {smoothing}, strength {strength:g}. {_quality(curve, calibration)}",
        f"Decide: {made.decision_.words}",
        _merging(made, merge),
    )
    made.steps_ = RankingSteps(steps, ranking, curve, calibration, made.decision_)
    if not quiet:
        print(made.steps_)  # noqa: T201
    return made


def _decided(
    ranking: Any, held_out: Segments, curve: RocCurve | RocCurves, criteria: dict[str, Any], merge: bool
) -> Any:
    """Two classes: by the curve of the held-out rows. More: by costs, the classes as common as here."""
    if all(given is None for given in criteria.values()):
        criteria = {"costs": 1.0 - np.eye(len(held_out.classes))}
    if isinstance(curve, RocCurve) and len(held_out.classes) == 2:
        return with_decision(ranking, curve.operating_point(**criteria), merge=merge)
    if criteria.get("prevalence") is None:
        criteria = criteria | {"prevalence": held_out.weight.sum(axis=0) / held_out.weight.sum()}
    return with_decision(ranking, **criteria, merge=merge)


# -- a sentence for each step


def _quality(curve: RocCurve | RocCurves, calibration: CalibrationCurve) -> str:
    low, high = curve.interval
    rows, losses = (
        rows_of(curve.source),
        f"log loss {calibration.log_loss:.3f}, Brier score {calibration.brier:.3f}",
    )
    return f"By {rows}: AUC {curve.auc:.3f} ({low:.3f} to {high:.3f}), {losses}."


def _balance(held_out: Segments, criterion: str, balance: bool) -> str:
    proportions = held_out.weight.sum(axis=0) / held_out.weight.sum()
    named = ", ".join(
        f"{share:.1%} {name!r}" for name, share in zip(held_out.classes.tolist(), proportions, strict=True)
    )
    if balance:
        return f"Rare classes: rows ({named}) weigh as if all classes were as common; criterion {criterion}."
    skew = "does not depend on" if criterion in INVARIANT else "depends on"
    return (
        f"Rare classes: the classes have the proportions {named}; criterion {criterion}, which {skew} them."
    )


def _merging(made: Any, merge: bool) -> str:
    before, after = made.decision_.leaves
    if not merge:
        return f"Merge: left out; {before:,} leaves keep their probabilities."
    return f"Merge: leaves that decide alike became one, {before:,} are now {after:,}; no decision changed."
