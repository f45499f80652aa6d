"""Priors and costs: how much each class weighs, and what each mistake costs."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from .common.array_types import Array, Floats
from .common.errors import ParameterError
from .exact_totals import class_totals


def weigh_by_priors(priors: Any, classes: Array, labels: Array, weights: Floats | None) -> Floats:
    """Weights under which class k has the share prior_k: w prior_k / (share of k by weight)."""
    prior = check_shares("priors", priors, classes.tolist(), "every class of y")
    given = np.ones(len(labels)) if weights is None else weights
    return np.asarray(given * prior_factors(prior, class_totals(labels, weights, len(classes)))[labels])


def prior_factors(prior: Floats, totals: Floats) -> Floats:
    """What a row of each class weighs so that the classes, which have these totals, have these shares."""
    found = np.divide(prior * totals.sum(), totals, out=np.zeros(len(totals)), where=totals > 0)
    return np.asarray(found)


def summed_factors(totals: Floats) -> Floats:
    """What a row of each class weighs in rpart's sums: 1, but for the rounding of a sum over all mistakes.

    With prior_i = n_i / n and mistakes i, j, it is a_i = (sum_j prior_i) / (T n_i / n), T = sum_ij prior_i.
    """
    n, priors = float(totals.sum()), (totals / totals.sum()).tolist()
    total, weighed = 0.0, [0.0] * len(priors)
    for i, prior in enumerate(priors):
        for _ in range(len(priors) - 1):
            total, weighed[i] = total + prior, weighed[i] + prior
    shares = [float(count) / n for count in totals]
    made = [
        w / (total * share) if total * share > 0 else 1.0 for w, share in zip(weighed, shares, strict=True)
    ]
    return np.array(made)


def check_shares(what: str, given: Any, names: list[Any], every: str = "every class") -> Floats:
    """A share above 0 for each class, by label or in their order, with the sum 1."""
    if hasattr(given, "to_dict"):  # a labelled series
        given = given.to_dict()
    if isinstance(given, Mapping):
        if set(given) != set(names):
            raise ParameterError(f"{what} must name {every} once: {names}. Got {list(given)}.", what)
        given = [given[name] for name in names]
    shares = _numbers(what, given)
    if shares.shape != (len(names),):
        raise ParameterError(
            f"{what} must have one share per class, in the order {names}. Got {shares.size} numbers.", what
        )
    if not (shares > 0).all():
        raise ParameterError(
            f"{what} must be above 0. Got {shares.tolist()}. Leave rows of a class out to ignore it.", what
        )
    if not np.isclose(shares.sum(), 1, rtol=0, atol=1e-6):
        raise ParameterError(f"{what} must sum to 1. Got {shares.sum():g}. Divide them by their sum.", what)
    return np.asarray(shares / shares.sum())


def _numbers(what: str, given: Any) -> Floats:
    """Numbers in rows of equal length, or one row of them."""
    try:
        return np.asarray(given, dtype=np.float64)
    except (ValueError, TypeError, OverflowError):  # rows of several lengths, words, numbers beyond any float
        raise ValueError(
            f"{what} must be numbers, none beyond 1e308, in rows of equal length. Got {reprlib.repr(given)}."
        ) from None


def square_of(costs: Any, names: list[Any]) -> Floats:
    """Costs as a matrix with a row and a column per class; a labelled frame may have them in any order."""
    n = len(names)
    if hasattr(costs, "reindex"):  # a labelled frame
        if set(costs.index) != set(names) or set(costs.columns) != set(names):
            raise ValueError(
                f"A table of costs must be labelled with the classes {names} in its rows and columns. "
                f"Got rows {list(costs.index)} and columns {list(costs.columns)}."
            )
        costs = costs.reindex(index=names, columns=names)
    matrix = _numbers("costs", costs)
    if matrix.shape != (n, n):
        raise ValueError(
            f"costs must have a row and a column for each of the {n} classes {names}: "
            f"shape ({n}, {n}). Got {matrix.shape}."
        )
    return matrix


def check_costs(costs: Any, classes: Array) -> Floats:
    """A matrix of costs: one row per true class, one column per predicted class, nothing on the diagonal."""
    n, names = len(classes), classes.tolist()
    matrix = square_of(costs, names)
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        wrong = matrix[~(np.isfinite(matrix) & (matrix >= 0))][0]
        raise ValueError(f"costs must be finite and not negative. Got {wrong:g}.")
    if matrix.diagonal().any():
        raise ValueError(
            "costs must be 0 on the diagonal: what is right costs nothing. "
            f"Got {matrix.diagonal().tolist()}. Subtract each row's diagonal from the row."
        )
    free = np.flatnonzero(matrix.sum(axis=1) == 0)
    if n > 1 and len(free):
        raise ValueError(
            f"Each true class needs a mistake that costs something. Got a row of zeros for class "
            f"{names[free[0]]!r}. Leave its rows out, or give it a small cost."
        )
    return matrix


def cost_weights(costs: Floats, labels: Array, weights: Floats | None) -> Floats:
    """Altered priors (Breiman et al. 1984, 4.4): class i weighs sum_j costs[i, j] times as much."""
    return cost_factors(costs, class_totals(labels, weights, len(costs)))


def cost_factors(costs: Floats, totals: Floats) -> Floats:
    """The same, for classes that have these totals."""
    factors = costs.sum(axis=1)
    changed = totals @ factors
    return np.asarray(factors * totals.sum() / changed if changed > 0 else np.ones(len(costs)))


def undo_cost_weights(arrays: dict[str, Array], growth_weight: Floats) -> None:
    """Turn what was grown with altered priors back into shares and weights of the rows as they are.

    The mass of a node (weight times impurity) is left as it was grown, so gains still add up.
    """
    weight, shares = arrays["weighted_n_node_samples"], arrays["value"][:, 0, :]
    some = weight > 0  # a leaf without rows has shares all the same: those of its parent
    true = shares * np.where(some, weight, 1.0)[:, None] / growth_weight
    total = true.sum(axis=1)
    arrays["value"] = np.divide(true, total[:, None], out=np.zeros_like(true), where=total[:, None] > 0)[
        :, None, :
    ]
    arrays["weighted_n_node_samples"] = np.where(some, total, 0.0)
    arrays["impurity"] = np.divide(arrays["impurity"] * weight, total, out=np.zeros_like(total), where=some)
