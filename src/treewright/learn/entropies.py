"""Information theory for whoever checks a tree by hand: information, entropy and divergence.

Everything works along the last axis and for any number of leading axes; one set gives a float. Logarithms
are in bits (`base=2`) or nats (`base="e"`); any other number above 1 is a base too.
"""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..data.common.array_types import Floats

Base = float | str  # 2, "e", or another number above 1
Result = Any  # a float for one set, an array for several

CLOSED_FORMS = {  # in nats, of standard deviation 1
    "normal": math.log(2 * math.pi * math.e) / 2,
    "uniform": math.log(12) / 2,
    "exponential": 1.0,
}


def information(p: ArrayLike, *, base: Base = 2) -> Result:
    """The information of an event of probability p: −log p. An impossible event (p = 0) has inf."""
    p = numbers(p, "p")
    outside = (p < 0) | (p > 1)
    if outside.any():
        raise ValueError(f"p must be a probability from 0 to 1. Got {first(p, outside)}.")
    with np.errstate(divide="ignore"):
        return plain((0.0 - np.log(p)) / log_of(base))


def entropy(p: ArrayLike, *, base: Base = 2) -> Result:
    """−Σ p log p of a distribution, (..., outcomes), with 0 log 0 = 0. Counts are divided by their sum."""
    p = distribution(p, "p")
    return plain((0.0 - times_log(p, p).sum(axis=-1)) / log_of(base))


def cross_entropy(p: ArrayLike, q: ArrayLike, *, base: Base = 2) -> Result:
    """−Σ p log q: what outcomes of p cost in a code made for q. inf where q = 0 and p > 0.

    Both are divided by their sums, so counts will do.
    """
    p, q = _pair(p, q)
    return plain((0.0 - times_log(p, q).sum(axis=-1)) / log_of(base))


def kl_divergence(p: ArrayLike, q: ArrayLike, *, base: Base = 2) -> Result:
    """Σ p log(p/q): the cross-entropy less the entropy of p; 0 only for p = q. inf where q = 0 and p > 0.

    Both are divided by their sums, so counts will do. It is not symmetric.
    """
    p, q = _pair(p, q)
    extra = (times_log(p, p) - times_log(p, q)).sum(axis=-1)
    return plain(np.maximum(extra, 0.0) / log_of(base))


def differential_entropy(
    sample: ArrayLike | str, *, k: int = 3, sd: float | None = None, base: Base = 2
) -> Result:
    """The differential entropy −∫ f log f: of the density f behind a sample, or of a distribution by name.

    Of a sample it is the estimator of Kozachenko and Leonenko: ψ(n) − ψ(k) + mean ln(2 r), with r the
    distance of a value to its k-th nearest neighbour. It moves exactly with the scale (log a is added for
    a·x) and not at all with the place. Its bias vanishes as n grows, slowly for heavy tails and for densities
    with jumps or poles; its standard error is of the order 1/√n nats. More than `k` equal values are not of a
    density and give −inf: add noise of the size of the rounding to rounded data.

    Parameters
    ----------
    sample : numbers of shape (..., rows), or the name of a distribution
        "normal": ½ ln(2πe sd²) nats, the largest of all distributions with this standard deviation;
        "uniform": ln(√12 sd); "exponential": 1 + ln sd.
    k : int, default=3
        Of a sample: a larger k is steadier but smooths more.
    sd : float, default=1
        Of a distribution by name: its standard deviation.
    base : 2, "e" or a number above 1

    Returns
    -------
    float, or an array for several samples

    Examples
    --------
    >>> from treewright.textbook import differential_entropy
    >>> [round(differential_entropy(name, base="e"), 4) for name in ("normal", "uniform", "exponential")]
    [1.4189, 1.2425, 1.0]
    """
    if isinstance(sample, str):
        return _closed_form(sample, 1.0 if sd is None else sd) / log_of(base)
    if sd is not None:
        raise ValueError(f"sd must be None for a sample, which has its own. Got {sd!r}. Leave it out.")
    x = np.sort(np.atleast_1d(numbers(sample, "sample")), axis=-1)
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ValueError(f"k must be a whole number of at least 1. Got {k!r}.")
    n = x.shape[-1]
    if n <= k:
        raise ValueError(f"sample must have more than k={k} values. Got {n}. Give more, or a smaller k.")
    radius = np.full(x.shape, np.inf)
    for place in range(k + 1):  # a value and its k nearest are a run of k + 1; it has this place in it
        low, value, high = (x[..., i : n - k + i] for i in (0, place, k))
        reach = radius[..., place : n - k + place]
        np.minimum(reach, np.maximum(value - low, high - value), out=reach)
    digammas = math.fsum(1.0 / j for j in range(k, n))  # ψ(n) − ψ(k)
    with np.errstate(divide="ignore"):
        return plain((digammas + np.log(2 * radius).mean(axis=-1)) / log_of(base))


def _closed_form(name: str, sd: float) -> float:
    """The entropy of a named distribution in nats."""
    if name not in CLOSED_FORMS:
        known = ", ".join(map(repr, CLOSED_FORMS))
        raise ValueError(f"A distribution must be one of {known}, or a sample of numbers. Got {name!r}.")
    if isinstance(sd, bool) or not isinstance(sd, int | float | np.number) or not 0 < sd < math.inf:
        raise ValueError(f"sd must be a finite number above 0. Got {sd!r}.")
    return CLOSED_FORMS[name] + math.log(sd)


# -- what goes in, what comes out


def times_log(p: Floats, q: Floats) -> Floats:
    """p ln q, with 0 ln 0 = 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(p * np.log(np.where(p > 0, q, 1.0)))


def log_of(base: Base) -> float:
    """The natural logarithm of a base."""
    if base == "e":
        return 1.0
    if isinstance(base, bool) or not isinstance(base, Real) or not 1 < base < math.inf:
        raise ValueError(f'base must be 2 for bits, "e" for nats, or a number above 1. Got {base!r}.')
    return math.log(base)


def plain(found: Floats) -> Result:
    """A float for one set, the array for several."""
    return float(found) if found.ndim == 0 else found


def numbers(values: ArrayLike, name: str) -> Floats:
    """Finite numbers, at least one."""
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers in a regular array. Got {values!r:.80}.") from None
    if not found.size:
        raise ValueError(f"{name} must have at least one number. Got shape {found.shape}.")
    if not np.isfinite(found).all():
        raise ValueError(f"{name} must be finite. Got {first(found, ~np.isfinite(found))}. Leave it out.")
    return found


def counts_of(values: ArrayLike, name: str) -> Floats:
    """Numbers of at least 0 along an axis, with a finite sum."""
    found = numbers(values, name)
    if found.ndim == 0:
        raise ValueError(f"{name} must be a list of numbers. Got the single number {found:g}.")
    if (found < 0).any():
        raise ValueError(f"{name} must not be negative. Got {first(found, found < 0)}.")
    with np.errstate(over="ignore"):
        if not np.isfinite(found.sum(axis=-1)).all():
            raise ValueError(f"{name} must have a finite sum. Got inf. Divide them by their maximum.")
    return found


def first(values: Floats, wrong: NDArray[np.bool_]) -> str:
    """The first of the wrong numbers, for a message."""
    return f"{values[wrong].flat[0]:g}"


def distribution(values: ArrayLike, name: str) -> Floats:
    """Numbers of at least 0, divided by their sum."""
    found = counts_of(values, name)
    total = found.sum(axis=-1, keepdims=True)
    if not (total > 0).all():
        raise ValueError(f"{name} must have a sum above 0 to be a distribution. Got only zeros.")
    return np.asarray(found / total)


def _pair(p: ArrayLike, q: ArrayLike) -> tuple[Floats, Floats]:
    p, q = distribution(p, "p"), distribution(q, "q")
    if p.shape != q.shape and (p.shape[-1] != q.shape[-1] or 1 not in {p.ndim, q.ndim}):
        raise ValueError(
            f"p and q must have the same shape, or one be a single distribution. Got {p.shape} and {q.shape}."
        )
    return p, q
