"""The bound of Vapnik and Chervonenkis: how far a training error can be trusted."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...data.common.array_types import Floats, Mask
from ...data.common.errors import ParameterError, shown
from ...data.common.result import Result


@dataclass(frozen=True, eq=False, repr=False)
class VCBound(Result):
    """A bound of the test error. Numbers are floats, or arrays where arrays were given."""

    error: Any  # the training error
    h: Any
    n: Any
    eta: float
    a1: float
    a2: float
    epsilon: Any
    bound: Any

    @property
    def optimism(self) -> Any:
        """By how much the test error may exceed the training error: bound − error."""
        return self.bound - self.error

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per bound."""
        names = ("error", "h", "n", "epsilon", "bound", "optimism")
        each = np.broadcast_arrays(*(np.asarray(getattr(self, name)) for name in names))
        return [
            dict(zip(names, map(float, row), strict=True))
            for row in zip(*(a.flat for a in each), strict=True)
        ]

    def plot(self, ax: Any = None) -> Any:
        """Draw the bound over h and over n, beside each other; of several bounds the first.

        Returns the two axes.
        """
        from .vc_plot import plot_bound

        return plot_bound(self, ax)

    def _columns(self) -> list[tuple[str, str]]:
        return [
            ("error", ".4g"),
            ("h", ".6g"),
            ("n", ",.0f"),
            ("epsilon", ".5f"),
            ("bound", ".5f"),
            ("optimism", ".5f"),
        ]

    def _headline(self) -> str:
        return f"The test error is at most the bound, with probability {1 - self.eta:g}"

    def _notes(self) -> list[str]:
        return ["A bound of 1 or more says nothing."] if np.max(self.bound) >= 1 else []


def vc_bound(
    error: ArrayLike, h: ArrayLike, n: ArrayLike, eta: float = 0.05, a1: float = 4.0, a2: float = 2.0
) -> VCBound:
    """Bound the test error of a classifier of two classes by its training error and its capacity.

    With probability 1 − eta, the test error is at most error + ε/2 · (1 + √(1 + 4·error/ε)), where
    ε = a1 · (h · (ln(a2·n/h) + 1) − ln(eta/2)) / n (Cherkassky and Mulier 2007).

    Parameters
    ----------
    error : float or array
        The training error, from 0 to 1.
    h : float or array
        The VC dimension of the model: how many points it can shatter. A line in the plane has 3; `shatters`
        tries points. It is at most a2 · n: beyond it the formula is no bound.
    n : int or array
        The number of training rows.
    eta : float, default=0.05
        The probability that the bound does not hold.
    a1, a2 : float, default=4 and 2
        Constants in (0, 4] and (0, 2]. The defaults are the worst case; 1 and 1 are usual in practice.

    Returns
    -------
    VCBound
        `epsilon`, `bound` and `optimism` (bound − error). A bound of 1 or more says nothing. `plot()` draws
        it over h and n.

    Examples
    --------
    >>> from treewright.lab import vc_bound
    >>> print(vc_bound(0.2, h=3, n=1000))
    The test error is at most the bound, with probability 0.95
    error  h      n  epsilon    bound  optimism
      0.2  3  1,000  0.10478  0.40634   0.20634
    """
    err, size, rows = (_numbers(each, name) for each, name in ((error, "error"), (h, "h"), (n, "n")))
    try:
        np.broadcast_shapes(err.shape, size.shape, rows.shape)
    except ValueError:
        got = f"{err.shape}, {size.shape} and {rows.shape}"
        raise ParameterError(f"error, h and n must be numbers or arrays of one shape. Got {got}.") from None
    _check(err, (err >= 0) & (err <= 1), "error must be from 0 to 1", "error")
    _check(size, size > 0, "h must be above 0", "h")
    _check(rows, rows >= 1, "n must be at least 1", "n")
    check_constants(eta, a1, a2)
    beyond = ~bounded(size, rows, a2)
    if beyond.any():
        most, wrong = (np.broadcast_to(each, beyond.shape)[beyond].flat[0] for each in (a2 * rows, size))
        raise ParameterError(f"h must be at most a2 · n = {most:g} to have a bound. Got {wrong:g}.", "h")
    epsilon = a1 * (size * (np.log(rows / size * a2) + 1) - math.log(eta / 2)) / rows
    bound = err + epsilon / 2 * (1 + np.sqrt(1 + 4 * err / epsilon))
    constants = float(eta), float(a1), float(a2)
    return VCBound(_plain(err), _plain(size), _plain(rows), *constants, _plain(epsilon), _plain(bound))


def check_constants(eta: Any, a1: Any, a2: Any) -> None:
    """Reject constants that are outside of their ranges."""
    for value, name, most in ((eta, "eta", 1.0), (a1, "a1", 4.0), (a2, "a2", 2.0)):
        number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not number or not 0 < value <= most or (name == "eta" and value == 1):
            within = "in (0, 1)" if name == "eta" else f"in (0, {most:g}]"
            raise ParameterError(f"{name} must be {within}. Got {shown(value)}.", name)


def bounded(h: Any, n: Any, a2: float) -> Mask:
    """Whether there is a bound: h is at most a2 · n, but for rounding."""
    return np.asarray(n / h * a2 >= 1 - 1e-12)


def _numbers(values: ArrayLike, name: str) -> Floats:
    try:
        found = np.asarray(values)
    except ValueError:
        found = np.asarray(None)
    if not found.size or found.dtype.kind not in "iuf" or not np.isfinite(found).all():
        raise ParameterError(
            f"{name} must be a finite number, or an array of them. Got {values!r:.80}.", name
        )
    return found.astype(np.float64)


def _check(values: Floats, holds: Any, must: str, name: str) -> None:
    if not np.all(holds):
        wrong = np.broadcast_to(values, np.shape(holds))[~holds].flat[0]
        raise ParameterError(f"{must}. Got {wrong:g}.", name)


def _plain(found: Floats) -> Any:
    return float(found) if found.ndim == 0 else found
