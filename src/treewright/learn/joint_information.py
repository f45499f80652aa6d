"""Information between two variables, codes and Jensen's inequality, for whoever checks a tree by hand."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..data.common.array_types import Floats
from ..data.common.functions import numbers_of, of_arrays
from .entropies import Base, Result, counts_of, distribution, log_of, numbers, plain, times_log


def conditional_entropy(table: ArrayLike, *, base: Base = 2) -> Result:
    """The entropy of the class once the branch is known: H(class | branch) = Σ W_b/W · H(class in b).

    Parameters
    ----------
    table : counts of shape (..., branches, classes)
        One row per branch of a split, one column per class.
    base : 2, "e" or a number above 1

    Returns
    -------
    float, or an array for several tables

    Examples
    --------
    >>> from treewright.textbook import conditional_entropy
    >>> round(conditional_entropy([[2, 3], [4, 0], [3, 2]]), 3)  # outlook, of the tennis table
    0.694
    """
    p = _joint(table)
    in_branch = p.sum(axis=-1, keepdims=True)
    return plain((times_log(in_branch, in_branch).sum(axis=(-2, -1)) - _sum(p)) / log_of(base))


def mutual_information(table: ArrayLike, *, base: Base = 2) -> Result:
    """What branch and class tell of each other: H(class) − H(class | branch). It is the information gain.

    Parameters
    ----------
    table : counts of shape (..., branches, classes)
        Transposed, it gives the same number.
    base : 2, "e" or a number above 1

    Returns
    -------
    float, or an array for several tables

    Examples
    --------
    >>> from treewright.textbook import mutual_information
    >>> round(mutual_information([[2, 3], [4, 0], [3, 2]]), 3)
    0.247
    """
    p = _joint(table)
    branches, classes = p.sum(axis=-1), p.sum(axis=-2)
    alone = times_log(branches, branches).sum(axis=-1) + times_log(classes, classes).sum(axis=-1)
    return plain(np.maximum(_sum(p) - alone, 0.0) / log_of(base))


def jensen_gap(f: Callable[[Floats], Any], x: ArrayLike, p: ArrayLike | None = None) -> float:
    """E f(x) − f(E x): at least 0 for a convex f, at most 0 for a concave one (Jensen's inequality).

    An impurity is concave, so that no split has a negative gain.

    Parameters
    ----------
    f : function of an array
    x : list of numbers
    p : list of probabilities or counts, optional
        Of each x; None: all alike.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright.textbook import jensen_gap
    >>> jensen_gap(np.square, [1, 3])  # the variance
    1.0
    """
    values = np.atleast_1d(numbers(x, "x"))
    weights = distribution(np.ones(values.shape) if p is None else p, "p")
    if values.ndim != 1 or weights.shape != values.shape:
        raise ValueError(
            f"x and p must be lists of one length. Got shapes {values.shape} and {weights.shape}."
        )
    middle = np.array([float(values @ weights)])
    each, at_mean = (
        numbers_of(of_arrays("f", f, "x", at), "f must return numbers.") for at in (values, middle)
    )
    if each.shape != values.shape or at_mean.shape != (1,):
        raise ValueError(f"f must return one number for each x. Got shape {each.shape} for {values.shape}.")
    return float(each @ weights - at_mean[0])


def code_length(p: ArrayLike) -> NDArray[np.int64]:
    """The length of each code word of the best code of bits (Huffman 1952).

    Frequent outcomes get short words. The mean length, Σ p · length, is at least the entropy and less than
    the entropy + 1; it is the entropy where all p are powers of ½.

    Parameters
    ----------
    p : list of probabilities or counts

    Examples
    --------
    >>> from treewright.textbook import code_length
    >>> code_length([5 / 8, 1 / 4, 1 / 16, 1 / 16]).tolist()
    [1, 2, 3, 3]
    """
    weights = distribution(p, "p")
    if weights.ndim != 1:
        raise ValueError(f"p must be one list of probabilities or counts. Got shape {weights.shape}.")
    lengths = np.zeros(len(weights), dtype=np.int64)
    open_ = [(float(weight), k, [k]) for k, weight in enumerate(weights) if weight > 0]
    if len(open_) == 1:
        lengths[open_[0][2]] = 1  # one word still needs a bit to be seen
    heapq.heapify(open_)
    while len(open_) > 1:  # the two rarest get one bit more each, and are one from now on
        first, second = heapq.heappop(open_), heapq.heappop(open_)
        both = first[2] + second[2]
        lengths[both] += 1
        heapq.heappush(open_, (first[0] + second[0], min(first[1], second[1]), both))
    return lengths


def expected_error(shares: ArrayLike) -> Result:
    """The expected zero-one loss of the best constant prediction: 1 − max p.

    Parameters
    ----------
    shares : (..., classes)
        Probabilities or counts of the classes.

    Returns
    -------
    float, or an array for several sets

    Examples
    --------
    >>> from treewright.textbook import expected_error
    >>> expected_error([6, 2])
    0.25
    """
    return plain(np.asarray(1 - distribution(shares, "shares").max(axis=-1)))


def _joint(table: ArrayLike) -> Floats:
    """Counts of branches and classes as shares of their sum."""
    counts = counts_of(table, "table")
    if counts.ndim < 2:
        raise ValueError(
            f"table must have a row per branch and a column per class. Got shape {counts.shape}."
        )
    largest = counts.max(axis=(-2, -1), keepdims=True)
    counts = np.ldexp(counts, -np.frexp(largest)[1])  # exact, and the sum does not overflow
    total = counts.sum(axis=(-2, -1), keepdims=True)
    if not (total > 0).all():
        raise ValueError("table must have a sum above 0. Got only zeros.")
    return np.asarray(counts / total)


def _sum(p: Floats) -> Floats:
    """Σ p ln p over branches and classes."""
    return np.asarray(times_log(p, p).sum(axis=(-2, -1)))
