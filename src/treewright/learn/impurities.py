"""Impurity and gain from counts and samples: the numbers of a textbook, for checking and teaching.

Everything works along the last axis and for any number of leading axes; one node gives a float. The core has
its own code for growing; the tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..data.common.array_types import Floats
from .entropies import Base, Result, counts_of, first, log_of, numbers, plain, times_log


def impurity(
    counts: ArrayLike, criterion: str = "gini", *, weights: ArrayLike | None = None, base: Base = 2
) -> Result:
    """The impurity of a node, by the formulas of the guide.

    Parameters
    ----------
    counts : (..., classes)
        The weight of each class, at least 0; only shares matter. A node without any weight has impurity 0, so
        that an empty child adds nothing. For 'squared_error', 'absolute_error' and 'poisson' it is the sample
        itself: (..., rows).
    criterion : str
        'gini', 'entropy' (or 'log_loss'), 'error', 'sqrt_gini' (or 'hellinger', for two classes), or one of
        the three above.
    weights : (..., rows), optional
        The weights of a sample; classes have theirs in `counts`.
    base : 2, 'e' or a number above 1
        The unit of 'entropy': bits, nats or another; the other criteria have none.
    """
    if criterion in _OF_NUMBERS:
        return plain(_OF_NUMBERS[criterion](*_sample(counts, weights, criterion)))
    if criterion not in _OF_CLASSES:
        known = ", ".join(map(repr, (*_OF_CLASSES, *_OF_NUMBERS)))
        raise ValueError(f"criterion must be one of {known}. Got {criterion!r}.")
    if weights is not None:
        raise ValueError(
            f"weights must be None for criterion={criterion!r}, since counts are weights already. "
            "Got some. Add up the weights of each class instead."
        )
    return plain(_of_classes(counts_of(counts, "counts"), criterion, base))


def gain(parent: ArrayLike, children: Any, criterion: str = "gini", *, base: Base = 2) -> Result:
    """What a split takes from the impurity: i(parent) − Σ W_c/W · i(c). Never negative.

    It is per weight, as in textbooks; `tree_.gain` is this times the weight of the node. With 'entropy' it is
    the information gain.

    Parameters
    ----------
    parent : (..., classes), or the sample of one node
    children : (..., children, classes), or a list of the children's samples
        Together they must be the parent. A child may be empty.
    criterion, base
        As for `impurity`.
    """
    whole, parts, shares = _split(parent, children, criterion, base)
    return plain(np.maximum(whole - (shares * parts).sum(axis=-1), 0.0))


def relative_impurity(parent: ArrayLike, children: Any, criterion: str = "gini") -> Result:
    """Each child's weighted impurity over its parent's: (W_c/W) · i(c) / i(parent), one per child.

    Their sum is 1 − gain / i(parent). Of a pure parent there is nothing to share, and all are 0. For two
    classes and 'sqrt_gini' none of them changes if one class is multiplied.
    """
    whole, parts, shares = _split(parent, children, criterion, 2)
    return _ratio(shares * parts, whole[..., None])


def split_information(children: ArrayLike, *, base: Base = 2) -> Result:
    """The entropy of the children's shares of the weight: −Σ W_c/W · log W_c/W. `children` as for `gain`."""
    return plain(_of_classes(_children(children).sum(axis=-1), "entropy", base))


def gain_ratio(parent: ArrayLike, children: ArrayLike) -> Result:
    """Information gain over split information, as in C4.5, without unit; 0 where one child has all rows."""
    gained = np.asarray(gain(parent, children, "entropy"))
    return plain(_ratio(gained, np.asarray(split_information(children))))


# -- of classes: p, and 1 − p without its loss of digits


def _of_classes(counts: Floats, criterion: str, base: Base) -> Floats:
    if criterion == "hellinger" and counts.shape[-1] != 2:
        raise ValueError(
            f"criterion='hellinger' needs two classes. Got {counts.shape[-1]}. Use criterion='sqrt_gini'."
        )
    total = counts.sum(axis=-1, keepdims=True)
    p, rest = _ratio(counts, total), _ratio(total - counts, total)
    unit = log_of(base)
    found = np.asarray(_OF_CLASSES[criterion](p, rest))
    return found / unit if criterion in {"entropy", "log_loss"} else found


_OF_CLASSES: dict[str, Callable[[Floats, Floats], Any]] = {
    "gini": lambda p, rest: (p * rest).sum(axis=-1),
    "entropy": lambda p, _: 0.0 - times_log(p, p).sum(axis=-1),
    "log_loss": lambda p, _: 0.0 - times_log(p, p).sum(axis=-1),
    "error": lambda _, rest: rest.min(axis=-1),
    "sqrt_gini": lambda p, rest: np.sqrt(p * rest).sum(axis=-1),
    "hellinger": lambda p, rest: np.sqrt(p * rest).sum(axis=-1),
}


def _ratio(above: Floats, below: Floats) -> Floats:
    """above / below, and 0 where below is 0."""
    return np.asarray(np.where(below > 0, above / np.where(below > 0, below, 1.0), 0.0))


# -- of numbers


def _mean(values: Floats, w: Floats) -> Floats:
    return np.asarray((values * w).sum(axis=-1) / w.sum(axis=-1))


def _squared_error(y: Floats, w: Floats) -> Floats:
    return _mean((y - _mean(y, w)[..., None]) ** 2, w)


def _absolute_error(y: Floats, w: Floats) -> Floats:
    order = np.argsort(y, axis=-1)
    below = np.cumsum(np.take_along_axis(w, order, axis=-1), axis=-1)
    middle = (2 * below >= below[..., -1:]).argmax(axis=-1, keepdims=True)  # every median has the same sum
    median = np.take_along_axis(y, np.take_along_axis(order, middle, axis=-1), axis=-1)
    return _mean(np.abs(y - median), w)


def _poisson(y: Floats, w: Floats) -> Floats:
    mean = _mean(y, w)[..., None]
    return np.maximum(_mean(times_log(y, _ratio(y, mean)), w), 0.0)


_OF_NUMBERS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "squared_error": _squared_error,
    "absolute_error": _absolute_error,
    "poisson": _poisson,
}


def _sample(values: ArrayLike, weights: ArrayLike | None, criterion: str) -> tuple[Floats, Floats]:
    y = np.atleast_1d(numbers(values, "y"))
    if criterion == "poisson" and (y < 0).any():
        raise ValueError(f"criterion='poisson' needs y of at least 0. Got {first(y, y < 0)}.")
    if weights is None:
        return y, np.ones_like(y)
    w = counts_of(weights, "weights")
    if w.shape not in {y.shape, y.shape[-1:]}:
        raise ValueError(f"weights must have the shape of y, {y.shape}. Got {w.shape}.")
    if not (w.sum(axis=-1) > 0).all():
        raise ValueError("weights must have a weight above 0 in every sample. Got only zeros.")
    return y, np.broadcast_to(w, y.shape)


# -- a node and its children


def _split(parent: ArrayLike, children: Any, criterion: str, base: Base) -> tuple[Floats, Floats, Floats]:
    """The impurity of the parent, those of its children, and their shares of the weight."""
    if criterion in _OF_NUMBERS:
        return _split_sample(parent, children, criterion)
    whole, parts = counts_of(parent, "parent"), _children(children)
    if whole.shape != (*parts.shape[:-2], parts.shape[-1]):
        raise ValueError(
            "children must have the shape of parent, with an axis of children before the last. "
            f"Got {parts.shape} for a parent of {whole.shape}."
        )
    slack = 1e-9 * whole.sum(axis=-1, keepdims=True)
    if (np.abs(parts.sum(axis=-2) - whole) > slack).any():
        raise ValueError(
            "children must add up to parent, class by class. Got a sum of "
            f"{parts.sum(axis=-2).tolist()!s:.80} for {whole.tolist()!s:.80}. Leave no row out."
        )
    shares = _ratio(parts.sum(axis=-1), whole.sum(axis=-1)[..., None])
    each = np.asarray(impurity(parts, criterion, base=base))
    return np.asarray(impurity(whole, criterion, base=base)), each, shares


def _split_sample(parent: ArrayLike, children: Any, criterion: str) -> tuple[Floats, Floats, Floats]:
    whole = numbers(parent, "parent")
    samples = [numbers(child, "children") if len(child) else whole[:0] for child in children]
    flat = whole.ndim == 1 and all(sample.ndim == 1 for sample in samples)
    if not flat or not np.array_equal(np.sort(np.concatenate([whole[:0], *samples])), np.sort(whole)):
        raise ValueError(
            f"For criterion={criterion!r} children must be a list of samples that together are the parent. "
            f"Got shapes {[sample.shape for sample in samples]} for a parent of {whole.shape}."
        )
    each = [impurity(sample, criterion) if len(sample) else 0.0 for sample in samples]
    shares = np.array([len(sample) for sample in samples]) / len(whole)
    return np.asarray(impurity(whole, criterion)), np.array(each), shares


def _children(values: ArrayLike) -> Floats:
    found = counts_of(values, "children")
    if found.ndim < 2:
        raise ValueError(f"children must have the shape (..., children, classes). Got {found.shape}.")
    return found
