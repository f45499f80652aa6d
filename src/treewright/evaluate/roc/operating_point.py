"""The point of a ROC curve to work at: by costs and prevalence, by recall, precision or capacity."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from ...learn.costs import check_share, cost_matrix, extra_costs, prevalences
from ..segments import place_of, segments_of
from .curve import RocCurve, curve_of
from .hull import ROUNDING
from .point import OperatingPoint, counted, percent

CRITERIA = ("recall", "precision", "capacity")


def operating_point(  # noqa: PLR0913
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    costs: Any = None,
    prevalence: float | None = None,
    recall: float | None = None,
    precision: float | None = None,
    capacity: int | None = None,
    population: float | None = None,
    positive: Any = None,
    sample_weight: Any = None,
    cv: Any = None,
    groups: Any = None,
    time: Any = None,
) -> OperatingPoint:
    """Find the threshold: from which probability on a case is predicted positive.

    Give one criterion: costs and/or a prevalence, a recall, a precision, or a capacity.

    Parameters
    ----------
    model : a fitted classifier of two classes
    X, y, sample_weight, cv, groups, time : the rows to evaluate with, as for `treewright.roc_curve`
    costs : matrix true class × predicted class, or {"false_positive": 1, "false_negative": 5}, optional
        None: the parameter `costs` of the model, else 1 for each mistake. The point is where a line of equal
        cost touches the convex hull of the ROC curve; of several, the one that calls fewest.
    prevalence : float in (0, 1), optional
        The share of positives where the model will be used. None: that of the rows.
    recall : float in (0, 1]
        The fewest calls that find at least this share of the positives.
    precision : float in (0, 1]
        The most positives found with at least this share of the calls right.
    capacity : int
        The most positives found with at most so many calls ("we can call 500 people").
    population : number, optional
        Of how many cases; None: the weight of the rows.
    positive : label, optional
        None: the second class.

    Returns
    -------
    OperatingPoint
        Print it; `model.with_decision(point)` makes a model that predicts so.
    """
    criteria = {"recall": recall, "precision": precision, "capacity": capacity, "population": population}
    given = {"costs": costs, "prevalence": prevalence} | criteria
    check_one_criterion(given)
    segments = segments_of(model, X, y, sample_weight=sample_weight, cv=cv, groups=groups, time=time)
    if len(segments.classes) > 2:
        raise ValueError(
            f"An operating point needs two classes. Got {len(segments.classes)}. For more, "
            "model.with_decision(costs=...) predicts the class of least expected cost."
        )
    place = place_of(segments.classes, positive)
    return point_on(curve_of(segments, place, [1 - place]), usual=getattr(model, "costs", None), **given)


def check_one_criterion(options: dict[str, Any]) -> None:
    """Reject no criterion, several, and a population without a capacity."""
    given = [name for name in ("costs", "prevalence", *CRITERIA) if options.get(name) is not None]
    if not given or (len(given) > 1 and given != ["costs", "prevalence"]):
        raise ValueError(
            "Give one of: costs and/or prevalence, recall, precision, capacity. "
            f"Got {' and '.join(given) or 'none of them'}."
        )
    if options.get("population") is not None and given != ["capacity"]:
        raise ValueError("population needs a capacity: at most so many of the population. Got no capacity.")


def point_on(
    curve: RocCurve, *, costs: Any = None, prevalence: Any = None, usual: Any = None, **criteria: Any
) -> OperatingPoint:
    """The point of a curve. `usual` are the costs where none are given."""
    check_one_criterion({"costs": costs, "prevalence": prevalence} | criteria)
    place = place_of(curve.classes, curve.positive)
    matrix = cost_matrix(usual if costs is None else costs, curve.classes, place)
    share = float(curve.tp[-1] / (curve.tp[-1] + curve.fp[-1]))
    if prevalence is not None:
        share = float(prevalences(prevalence, curve.classes, place)[place])
    given = {name: value for name, value in criteria.items() if value is not None}
    for name, choose in _CHOICES.items():
        if name in given:
            return OperatingPoint(curve, *choose(curve, **given), share, matrix)
    false_positive, false_negative = extra_costs(matrix, place)
    words = (
        f"A false positive costs {false_positive:g}, a false negative {false_negative:g}; {percent(share)} "
        f"of the cases are {curve.positive!r}."
    )
    nowhere = OperatingPoint(curve, 0, words, share, matrix, by_cost=True)
    return replace(nowhere, place=curve.tangent(nowhere.slope))


Choice = tuple[int, str]


def _by_recall(curve: RocCurve, recall: Any) -> Choice:
    wanted = _check_rate(recall, "recall")
    place = int(np.flatnonzero(curve.tpr >= wanted - ROUNDING)[0])
    return place, f"Target: at least {percent(wanted)} of the cases of {curve.positive!r} found."


def _by_precision(curve: RocCurve, precision: Any) -> Choice:
    wanted = _check_rate(precision, "precision")
    right = curve.tp[1:] / (curve.tp[1:] + curve.fp[1:])
    good = 1 + np.flatnonzero(right >= wanted - ROUNDING)
    if not len(good):
        best = 1 + int(np.flatnonzero(right >= right.max() - ROUNDING)[-1])
        raise ValueError(
            f"No threshold reaches a precision of {wanted:g}. The best is {right[best - 1]:.4g}, with a "
            f"recall of {curve.tpr[best]:.4g}. Ask for no more than that."
        )
    words = f"Target: at least {percent(wanted)} of the positive predictions right, and the most found."
    return _first_with_as_many(curve, int(good[-1])), words


def _by_capacity(curve: RocCurve, capacity: Any, population: Any = None) -> Choice:
    if isinstance(capacity, bool) or not isinstance(capacity, Integral) or int(capacity) < 1:
        raise ValueError(
            f"capacity must be a whole number from 1 on: how many cases can be followed up. Got {capacity!r}."
        )
    rows = float(curve.fp[-1] + curve.tp[-1])
    if population is not None and (not isinstance(population, Real) or not 0 < float(population) < np.inf):
        raise ValueError(f"population must be a number above 0. Got {population!r}.")
    most, cases = int(capacity), rows if population is None else float(population)
    words = f"Target: at most {most:,} of {counted(cases)} cases predicted positive."
    if most > cases * (1 + ROUNDING):
        warnings.warn(
            f"capacity is larger than the population: {most:,} of {counted(cases)}. All are predicted "
            "positive.",
            UserWarning,
            stacklevel=4,
        )
        return len(curve.fp) - 1, words
    calls = (curve.fp + curve.tp) * (cases / rows)
    last = int(np.flatnonzero(calls <= most * (1 + ROUNDING))[-1])
    if last == 0:
        words += (
            f" The likeliest cases are {counted(float(calls[1]))}, and the model cannot distinguish them."
        )
    return _first_with_as_many(curve, last), words


_CHOICES: dict[str, Callable[..., Choice]] = {
    "recall": _by_recall,
    "precision": _by_precision,
    "capacity": _by_capacity,
}


def _first_with_as_many(curve: RocCurve, place: int) -> int:
    """The first point that finds as many positives as this one: it calls fewest."""
    return int(np.flatnonzero(curve.tp >= curve.tp[place])[0])


def _check_rate(value: Any, name: str) -> float:
    if isinstance(value, Real) and value == 1:
        return 1.0
    return check_share(value, name)
