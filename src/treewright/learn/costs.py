"""What a decision is made by: what each mistake costs, and how common each class is."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from ..data.common.array_types import Array, Floats
from ..data.common.hints import nearest
from ..data.priors import check_shares, square_of

MISTAKES = ("false_positive", "false_negative")
CRITERIA = ("costs", "prevalence", "threshold", "recall", "precision", "capacity")
DECISION_KEYS = (*CRITERIA, "population", "positive", "merge")  # of the parameter `decision`


class CostsAndPrevalence(NamedTuple):
    """What decides: costs in the user's units, and the expected proportion of each class, if known."""

    costs: Floats  # true class by predicted class
    prevalence: Floats | None = None


def cost_matrix(costs: Any, classes: Array, positive: int) -> Floats:
    """Costs as a matrix, true class by predicted class; None: every mistake costs 1.

    Two classes may be given as {"false_positive": ..., "false_negative": ...}. What is right may cost too,
    as a treatment does, but no mistake may cost less than being right.
    """
    names = classes.tolist()
    if costs is None:
        return np.asarray(1.0 - np.eye(len(names)))
    matrix = _as_matrix(costs, names, positive)
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        wrong = matrix[~(np.isfinite(matrix) & (matrix >= 0))][0]
        raise ValueError(f"costs must be finite and not negative. Got {wrong:g}.")
    extra = matrix - matrix.diagonal()[:, None]
    if (extra < 0).any():
        i, j = np.argwhere(extra < 0)[0]
        raise ValueError(
            f"No mistake may cost less than being right. Got {matrix[i, j]:g} for saying {names[j]!r} where "
            f"{names[i]!r} is true, and {matrix[i, i]:g} for saying {names[i]!r}. The rows of costs are true "
            "classes, the columns predicted ones."
        )
    if not extra.any():
        raise ValueError("Some mistake must cost more than being right. Got costs that are all alike.")
    return matrix


def _as_matrix(costs: Any, names: list[Any], positive: int) -> Floats:
    n = len(names)
    if isinstance(costs, Mapping):
        if n != 2 or set(costs) != set(MISTAKES):
            raise ValueError(
                "A dictionary of costs must have the keys 'false_positive' and 'false_negative', for two "
                f"classes. Got {list(costs)} for {n} classes. Give a matrix: a row per true class, a column "
                "per predicted one."
            )
        false_positive, false_negative = (costs[key] for key in MISTAKES)
        costs = [[0, false_positive], [false_negative, 0]]
        costs = costs if positive == 1 else [row[::-1] for row in costs[::-1]]
    return square_of(costs, names)


def extra_costs(matrix: Floats, positive: int) -> tuple[float, float]:
    """What a false positive and a false negative cost more than being right."""
    extra = matrix - matrix.diagonal()[:, None]
    return float(extra[1 - positive, positive]), float(extra[positive, 1 - positive])


def check_share(value: Any, name: str) -> float:
    """A number in (0, 1)."""
    if not isinstance(value, Real) or not 0 < float(value) < 1:
        raise ValueError(
            f"{name} must be a share between 0 and 1, neither of them itself. Got {value!r}. "
            "Write 2 % as 0.02."
        )
    return float(value)


def prevalences(prevalence: Any, classes: Array, positive: int) -> Floats:
    """The shares of all classes where the model will be used.

    For two classes a number, that of the positive one; for any number a list in the order of the classes, or
    a dictionary, that sums to 1.
    """
    names = classes.tolist()
    if isinstance(prevalence, Real):
        if len(names) != 2:
            raise ValueError(
                f"prevalence must have a share for each of the {len(names)} classes {names}. "
                f"Got the number {prevalence!r}. Give a dictionary of labels and shares."
            )
        share = check_share(prevalence, "prevalence")
        made = np.full(2, 1 - share)
        made[positive] = share
        return made
    return check_shares("prevalence", prevalence, names)


def check_decision(decision: Mapping[str, Any] | None) -> None:
    """Reject a parameter `decision` with unknown keys, with no criterion, or with several."""
    if decision is None:
        return
    for name in decision:
        if name not in DECISION_KEYS:
            hint = nearest(str(name), DECISION_KEYS)
            raise ValueError(
                f"The keys of decision must be among {', '.join(DECISION_KEYS)}. Got {name!r}.{hint}"
            )
    given = [name for name in CRITERIA if decision.get(name) is not None]
    if not given or (len(given) > 1 and given != ["costs", "prevalence"]):
        raise ValueError(
            "decision must have one of: costs and/or prevalence, threshold, recall, precision, capacity. "
            f"Got {' and '.join(given) or 'none of them'}."
        )
    if decision.get("population") is not None and given != ["capacity"]:
        raise ValueError("population needs a capacity: at most so many of the population. Got no capacity.")
    merge = decision.get("merge", False)
    if not isinstance(merge, bool | np.bool_):
        raise ValueError(f'"merge" of decision must be True or False. Got {merge!r}.')
