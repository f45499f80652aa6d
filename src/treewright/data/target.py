"""y and weights → what the core counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .checked_target import check_size
from .classes import class_order, in_order
from .common.array_types import Array, Floats
from .common.errors import ParameterError
from .common.labels import coded, is_text
from .levels import check_known, with_missing
from .priors import check_costs, cost_weights, summed_factors, weigh_by_priors


@dataclass(frozen=True)
class Target:
    """The target of a fit: the core's tallies and what the estimator remembers."""

    core: _core.Target
    y: Array  # (rows, outputs): labels 0, 1, ... or numbers
    classes: tuple[Array, ...]  # per output; empty for regression
    n_rows: int  # with a weight above 0
    weight: float  # of all rows
    costs: Floats | None = None  # true class by predicted class
    growth_weight: Floats | None = None  # by class: what costs multiply weights with while growing
    own: Floats | None = None  # of the rows when tests are compared, if not what they weigh in growing
    summed: Floats = field(default_factory=lambda: np.empty(0))  # by class: what rows weigh in plain sums

    @property
    def n_outputs(self) -> int:
        """How many targets there are."""
        return int(self.y.shape[1])

    @property
    def n_classes(self) -> tuple[int, ...]:
        """How many classes each output has; 1 for regression."""
        return tuple(map(len, self.classes)) or (1,) * self.n_outputs

    @property
    def labels(self) -> Array | tuple[Array, ...] | None:
        """The classes as a tree keeps them: bare for one output, None for regression."""
        return self.classes[0] if len(self.classes) == 1 else self.classes or None

    def only(self, rows: Array, weights: Floats | None) -> Target:
        """The same target where only these rows weigh anything; `weights` are those of `row_weights`."""
        given = np.ones(len(self.y)) if weights is None else weights
        kept = np.zeros(len(given))
        kept[rows] = given[rows]
        if not self.classes:
            return replace(self, core=_core.Target.numbers(self.y, kept, self.own))
        codes = np.ascontiguousarray(self.y)
        if self.growth_weight is not None:
            kept *= self.growth_weight[self.y[:, 0]]
        return replace(self, core=_core.Target.classes(codes, list(self.n_classes), kept, self.own))


class ByClass(NamedTuple):
    """What the classes weigh and cost, and which is the first of them."""

    class_weight: Any = None
    priors: Any = None
    costs: Any = None
    order: Any = "sorted"
    only_decide: bool = False  # costs do not weigh the classes while the tree grows
    plain_sums: bool = False  # between equal gains plain sums decide

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> ByClass:
        """As the parameters of a classifier say."""
        rules = params["growth_rules"] or {}
        finer = rules.get("costs") == "decision", bool(rules.get("plain_sums"))
        return cls(params["class_weight"], params["priors"], params["costs"], params["class_order"], *finer)


def class_target(estimator: Any, y: Any, n_rows: int, sample_weight: Any, by_class: ByClass) -> Target:
    """Labels of any type, one output or several."""
    class_weight, priors, costs = by_class[:3]
    order = class_order(y, by_class.order)
    y = _two_dimensional(estimator, y, n_rows, dtype=None)
    coded = [encoded(y[:, k]) if order is None else in_order(y[:, k], order) for k in range(y.shape[1])]
    labels = np.column_stack([codes for _, codes in coded]).astype(np.int32, copy=False)
    classes = tuple(found for found, _ in coded)
    weights = check_weights(sample_weight, n_rows)
    if class_weight is not None:
        original = y if y.shape[1] > 1 else y[:, 0]
        factors = class_weights(class_weight, original)
        weights = _positive(
            factors if weights is None else weights * factors, "class_weight times sample_weight"
        )
    own, summed = (np.ones(n_rows) if weights is None else weights), np.empty(0)
    if by_class.plain_sums and labels.shape[1] == 1 and priors is None and costs is None:
        summed = summed_factors(np.bincount(labels[:, 0], own, len(classes[0])).astype(np.float64))
    if labels.shape[1] == 1 and priors is not None:
        weights = weigh_by_priors(priors, classes[0], labels[:, 0], weights)
    matrix = growth_weight = None
    if labels.shape[1] == 1 and costs is not None:
        matrix = check_costs(costs, classes[0])
    if matrix is not None and not by_class.only_decide:
        growth_weight = cost_weights(matrix, labels[:, 0], weights)
        factors = growth_weight[labels[:, 0]]
        weights = factors if weights is None else weights * factors
    other = None if priors is None and growth_weight is None else own
    sizes = [len(found) for found in classes]
    core = _core.Target.classes(np.ascontiguousarray(labels), sizes, weights, other)
    target = _summed(core, labels, classes, weights)
    return replace(target, costs=matrix, growth_weight=growth_weight, own=other, summed=summed)


def number_target(
    estimator: Any, y: Any, n_rows: int, sample_weight: Any, own: Floats | None = None
) -> Target:
    """Numbers, one output or several; `own` are the weights of rows without their exposure."""
    y = np.ascontiguousarray(_two_dimensional(estimator, y, n_rows, dtype=np.float64), dtype=np.float64)
    check_size(y)
    weights = check_weights(sample_weight, n_rows)
    return replace(_summed(_core.Target.numbers(y, weights, own), y, (), weights), own=own)


def row_weights(
    params: dict[str, Any], classes: Sequence[Array], codes: Array, sample_weight: Any
) -> Floats | None:
    """The weights of rows in an evaluation: as in training (with class_weight and priors), without costs.

    Costs are in the loss already. `codes` are the places of the labels among the classes.
    """
    weights = check_weights(sample_weight, len(codes))
    if params.get("class_weight") is not None:
        named = [names[part] for names, part in zip(classes, codes.T, strict=True)]
        original = named[0] if len(named) == 1 else np.column_stack(named)
        factors = class_weights(params["class_weight"], original)
        weights = factors if weights is None else weights * factors
    if params.get("priors") is not None:
        weights = weigh_by_priors(params["priors"], classes[0], codes[:, 0], weights)
    return weights


def _summed(core: _core.Target, y: Array, classes: Sequence[Array], weights: Floats | None) -> Target:
    if weights is None:
        return Target(core, y, tuple(classes), len(y), float(len(y)))
    return Target(core, y, tuple(classes), int(np.count_nonzero(weights)), float(weights.sum()))


def _two_dimensional(estimator: Any, y: Any, n_rows: int, dtype: Any) -> Array:
    if y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None."
        )
    y = with_missing(y) if isinstance(y, list | tuple) else y
    if not (_is_plain(y) or (dtype is None and type(y) is np.ndarray and y.size and is_text(y))):
        from sklearn.utils import check_array

        if np.asarray(y).dtype == object:
            check_known(np.asarray(y).ravel(), n_rows)
        y = check_array(y, ensure_2d=False, dtype=dtype, input_name="y", estimator=estimator)
    if len(y) != n_rows:
        raise ValueError(f"y must have one entry per row of X. Got {len(y)} entries for {n_rows} rows.")
    return np.reshape(y, (n_rows, -1))


def _is_plain(y: Any) -> bool:
    """Whether y is an array of finite numbers, so that there is nothing left for scikit-learn to check."""
    if type(y) is not np.ndarray or y.ndim not in {1, 2} or not y.size or y.dtype.kind not in "biuf":
        return False
    return y.dtype.kind != "f" or bool(np.isfinite(y).all())


# -- labels


def encoded(labels: Array) -> tuple[Array, NDArray[np.int32]]:
    """The sorted classes and the place of every label among them."""
    whole = _as_whole(labels)
    counted = None if whole is None else _count_whole(whole)
    if counted is not None:
        return counted[0].astype(labels.dtype), counted[1]
    if not is_text(labels):
        kinds = sorted({type(label).__name__ for label in labels.tolist()}) if labels.dtype == object else []
        if len(kinds) > 1:
            raise ValueError(f"Labels in y must be of one kind, none missing. Got {', '.join(kinds)}.")
        from sklearn.utils.multiclass import check_classification_targets

        check_classification_targets(labels)
    classes, codes = coded(labels)
    return classes, codes.astype(np.int32)


def _as_whole(labels: Array) -> Array | None:
    """Labels that are whole numbers, whatever their type, in a type of whole numbers."""
    if labels.dtype.kind in "biu":
        return labels
    if labels.dtype.kind != "f" or float(np.abs(labels).max()) >= 2**53:
        return None
    whole = labels.astype(np.int64)
    return whole if (whole == labels).all() else None


def _count_whole(labels: Array) -> tuple[Array, NDArray[np.int32]] | None:
    """Whole numbers close together are counted, not sorted; None where they are spread or very many."""
    low, high = int(labels.min()), int(labels.max())
    if high - low > 4 * len(labels) + 1000 or high >= 2**63:
        return None
    shifted = labels.astype(np.int64) - low
    present = np.bincount(shifted) > 0
    places = np.cumsum(present, dtype=np.int32) - np.int32(1)
    classes = (np.flatnonzero(present) + low).astype(labels.dtype)
    if 2 * len(classes) > len(labels):
        return None  # scikit-learn warns of labels that look like numbers
    return classes, places[shifted]


# -- classes or numbers


MOST_CLASSES = 20  # whole numbers of more values are numbers
MOST_CLASSES_UNASKED = 100  # more classes than these only where the task is given


def are_classes(y: Array) -> bool:
    """Whether a target holds classes, as it looks: text, booleans, or whole numbers of few values."""
    if y.dtype.kind not in "fiu":
        return True
    known = y[np.isfinite(y)]
    return bool((known == np.floor(known)).all()) and len(np.unique(known)) <= MOST_CLASSES


def reject_many_classes(n_classes: int, task: str | None, example: Any) -> None:
    """Reject more classes than anyone means, unless the task says that they are meant."""
    if task is None and n_classes > MOST_CLASSES_UNASKED:
        raise ParameterError(
            f"task must be given for a target of more than {MOST_CLASSES_UNASKED} classes. Got "
            f"{n_classes:,}, such as {example!r}. Pass task='classification' if they are meant, else make "
            "numbers of them.",
            "task",
        )


# -- weights


def class_weights(class_weight: Any, y: Array) -> Floats:
    """What the parameter `class_weight` weighs each row with, as scikit-learn computes it."""
    from sklearn.utils.class_weight import compute_sample_weight

    found: Floats = compute_sample_weight(class_weight, y)
    return found


def check_weights(sample_weight: Any, n_rows: int) -> Floats | None:
    """One finite weight of at least 0 per row, not all 0; None where none are given."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, Real):
        sample_weight = np.full(n_rows, sample_weight)
    if not _is_plain(sample_weight) or sample_weight.dtype != np.float64:
        from sklearn.utils import check_array

        sample_weight = check_array(
            sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight", order="C"
        )
    weights: Floats = np.ascontiguousarray(sample_weight)
    if weights.shape != (n_rows,):
        raise ValueError(
            f"sample_weight must have one number per row of X: shape ({n_rows},). Got shape {weights.shape}."
        )
    return _positive(weights, "sample_weight")


def _positive(weights: Floats, name: str) -> Floats:
    lowest = weights.argmin()
    if weights[lowest] < 0:
        raise ValueError(
            f"{name} must not be negative. Got {weights[lowest]:g} in row {lowest}. Use 0 to leave it out."
        )
    if not weights.any():
        raise ValueError(
            f"{name} must have a weight above zero. Got only zeros. Give None to weigh all rows alike."
        )
    if not np.isfinite(weights.sum()):
        raise ValueError(
            f"{name} must have a finite sum. Got {weights.sum():g}. Divide all weights by their maximum."
        )
    return weights
