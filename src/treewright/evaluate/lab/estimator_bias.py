"""The bias of a statistic: its mean over many samples against the true value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.common.array_types import Array, Floats
from ...data.common.errors import ParameterError, shown
from ...data.common.functions import check_takes
from ...data.common.plots import CHOICE, TRAINING, axes
from ...data.common.result import Result
from .mechanism import Mechanism
from .mechanism_checks import Generator, check_count, generator_of
from .named import as_mechanism

USUAL_ROWS, ROWS_FOR_TRUTH = 10, 1_000_000


@dataclass(frozen=True, eq=False, repr=False)
class EstimatorBias(Result):
    """What a statistic estimates on average, and how far that is from the truth."""

    truth: float
    estimates: Floats  # one for each sample
    n: int  # the rows of a sample

    @property
    def mean(self) -> float:
        """The mean of the estimates."""
        return float(self.estimates.mean())

    @property
    def bias(self) -> float:
        """The mean of the estimates minus the truth."""
        return self.mean - self.truth

    @property
    def standard_error(self) -> float:
        """The standard error of the statistic: how far single estimates scatter."""
        return float(self.estimates.std(ddof=1))

    @property
    def bias_error(self) -> float:
        """The standard error of `bias`, which more repeats make smaller."""
        return float(self.standard_error / len(self.estimates) ** 0.5)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary."""
        names = ("truth", "mean", "bias", "bias_error", "standard_error")
        return [{name: getattr(self, name) for name in names}]

    def plot(self, ax: Any = None) -> Any:
        """Draw how the estimates scatter, with their mean and the truth; returns the axes."""
        ax = axes(ax, "plot")
        ax.hist(
            self.estimates, bins=60, color=TRAINING, alpha=0.6, label=f"{len(self.estimates):,} estimates"
        )
        ax.axvline(self.truth, color="black", linestyle="--", label=f"truth {self.truth:.4g}")
        ax.axvline(self.mean, color=CHOICE, label=f"mean of the estimates {self.mean:.4g}")
        ax.set(xlabel="estimate", ylabel="samples", title=f"Bias {self.bias:.3g}, samples of {self.n:,} rows")
        ax.legend(frameon=False)
        ax.spines[["top", "right"]].set_visible(False)
        return ax

    def _columns(self) -> list[tuple[str, str]]:
        return [(name, ".4g") for name in self.to_dicts()[0]]

    def _headline(self) -> str:
        return f"{len(self.estimates):,} samples of {self.n:,} rows"


def estimator_bias(
    statistic: Callable[[Array], Any],
    mechanism: Any,
    n: int | None = None,
    repeats: int = 10_000,
    *,
    truth: float | None = None,
    random_state: Any = None,
) -> EstimatorBias:
    """Measure the bias of a statistic of y: E[estimate] − truth.

    The mean is unbiased. The variance that divides by n has bias −σ²/n; Bessel's correction, which divides by
    n − 1, removes it.

    Parameters
    ----------
    statistic : function of y
        Such as ``np.mean`` or ``np.var``. It gets the target of a sample and returns a number.
    mechanism : Mechanism of numbers, or the name of one
    n : int, optional
        The rows of a sample; None: 10, or the fixed rows.
    repeats : int, default=10,000
        The number of samples.
    truth : float, optional
        The true value. None: the statistic of a sample of a million rows.
    random_state : int, numpy Generator or RandomState, optional

    Returns
    -------
    EstimatorBias
        `bias` with its own standard error `bias_error`, `mean`, `truth`, the `standard_error` of the
        statistic, and all `estimates`. `plot()` draws them.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright.lab import Mechanism, estimator_bias
    >>> normal = Mechanism(lambda x: 0 * x, noise=2)
    >>> found = estimator_bias(np.var, normal, n=5, truth=4, random_state=0)
    >>> round(found.bias, 1)  # −σ²/n = −0.8
    -0.8
    """
    if not callable(statistic):
        raise ParameterError(f"statistic must be a function of y. Got {statistic!r:.80}.", "statistic")
    check_takes("statistic", statistic, "y", 1)
    source, rng = as_mechanism(mechanism), generator_of(random_state)
    check_count("repeats", repeats, 2)
    usual = USUAL_ROWS if n is None and source.fixed is None else n
    count = len(source.rows(usual, rng))
    y = _many(source, count, repeats, rng)
    if y.dtype.kind != "f":
        raise ParameterError("mechanism must be one of numbers. Got one of classes.", "mechanism")
    estimates = np.array([_number(statistic(each)) for each in y.reshape(repeats, count)])
    if truth is None:
        truth = _number(statistic(_many(source, count, -(-ROWS_FOR_TRUTH // count), rng)))
    return EstimatorBias(_number(truth, "truth must be"), estimates, count)


def _many(source: Mechanism, n: int, repeats: int, rng: Generator) -> Array:
    """The targets of many samples, one after the other."""
    return source.target(source.tables(repeats, n, rng), rng)


def _number(value: Any, must: str = "statistic must return") -> float:
    found = np.asarray(value)
    if found.ndim or found.dtype.kind not in "iuf" or not np.isfinite(found):
        raise ParameterError(f"{must} one finite number. Got {shown(value)}.", must.split(maxsplit=1)[0])
    return float(found)
