"""The optimism of the training error: both errors over the number of leaves, beside the VC bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.common.allowed import is_whole
from ...data.common.array_types import Array, Floats, Ints
from ...data.common.errors import ParameterError
from ...data.common.plots import HELD_OUT, TRAINING, axes, whole_ticks
from ...data.common.plural import counted
from ...data.common.result import Result
from ...learn.folds import folds_of, take
from ..procedure import Data, check_classifier, run, unfitted, warn_once
from .mechanism_checks import check_count, generator_of
from .repeats import codes_of, seeded
from .samples import FromTable, source_of
from .vc import bounded, check_constants, vc_bound

LEAVES = (2, 3, 5, 8, 12, 20, 30, 50, 80)
BOUND = "#999999"


@dataclass(frozen=True, eq=False, repr=False)
class Optimism(Result):
    """Training and test error of trees by their number of leaves, and the bound of the test error."""

    leaves: Ints  # the limit of each tree
    training: Floats
    test: Floats
    bound: Floats  # with h = the number of leaves; NaN where there is none
    standard_error: Floats  # of the test error
    n: int  # training rows

    @property
    def optimism(self) -> Floats:
        """By how much the training error is too good: test − training."""
        return self.test - self.training

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per number of leaves."""
        names = [name for name, _ in self._columns()]
        columns = [getattr(self, name).tolist() for name in names]
        rows = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
        return [row | ({"bound": None} if np.isnan(row["bound"]) else {}) for row in rows]

    def plot(self, ax: Any = None) -> Any:
        """Draw both errors and the bound over the number of leaves; returns the axes."""
        ax = axes(ax, "plot")
        leaves, faint = self.leaves, {"alpha": 0.18, "linewidth": 0}
        low, high = self.test - self.standard_error, self.test + self.standard_error
        ax.plot(leaves, self.bound, ":", color=BOUND, linewidth=2, label="VC bound of the test error")
        ax.plot(leaves, self.test, "o-", color=HELD_OUT, markersize=4, label="test error")
        ax.fill_between(leaves, low, high, color=HELD_OUT, label="± 1 standard error", **faint)
        ax.plot(leaves, self.training, "o-", color=TRAINING, markersize=4, label="training error")
        ax.fill_between(leaves, self.training, self.test, color=TRAINING, label="optimism", **faint)
        ax.set(xscale="log", xlabel="leaves", ylabel="error rate")
        ax.set_title(f"Optimism of the training error, {self.n:,} rows")
        ax.set_ylim(0, min(1.0, 1.1 * float(np.nanmax([self.bound, high]))))
        whole_ticks(ax)
        ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1))
        ax.spines[["top", "right"]].set_visible(False)
        return ax

    def _columns(self) -> list[tuple[str, str]]:
        return [("leaves", ",d"), *((name, ".4f") for name in ("training", "test", "optimism", "bound"))]

    def _headline(self) -> str:
        return f"Error rates over the number of leaves, {self.n:,} training rows"


def optimism(  # noqa: PLR0913
    estimator: Any,
    data: Any,
    *,
    leaves: Sequence[int] = LEAVES,
    n: int | None = None,
    repeats: int = 20,
    cv: Any = 5,
    eta: float = 0.05,
    a1: float = 1.0,
    a2: float = 1.0,
    random_state: Any = None,
) -> Optimism:
    """Measure how much better trees look on their training rows than on others, by their number of leaves.

    Parameters
    ----------
    estimator : a tree for two classes with the parameter `max_leaf_nodes`
    data : Mechanism, the name of one, or a table ``(X, y)``
        Of a mechanism the test error is exact: that of fresh rows. Of a table it is the error on the held-out
        rows of folds.
    leaves : list of int
        The default is 2, 3, 5, 8, 12, 20, 30, 50 and 80, as far as there are so many training rows.
    n, repeats : int
        Of a mechanism: the rows of a sample (None: 100), and how many samples are averaged.
    cv : int or splitter, default=5
        Of a table: the folds.
    eta, a1, a2 : float
        Of `vc_bound`, with h = the number of leaves. That is the VC dimension of trees on one column; trees
        on several columns have a larger one. The constants 1 and 1 are those usual in practice. More than
        a2 · n leaves have no bound.
    random_state : int, numpy Generator or RandomState, optional

    Returns
    -------
    Optimism
        The arrays `leaves`, `training`, `test`, `optimism` (test − training) and `bound`, which is NaN where
        there is none; `plot()` draws them.
    """
    check_classifier(estimator)
    sizes = _sizes(estimator, leaves)
    rng = generator_of(random_state)
    source = source_of(data, n, None, rng)
    if source.classes is None or len(source.classes) != 2:
        got = "numbers" if source.classes is None else counted(len(source.classes), "class")
        raise ParameterError(f"data must have two classes. Got {got}.", "data")
    check_count("repeats", repeats, 2)
    parts, n_rows = _folds(source, cv) if isinstance(source, FromTable) else ([], source.n)
    sizes = [size for size in sizes if size <= n_rows] if leaves is LEAVES else sizes
    _bound(np.zeros(len(sizes)), sizes, n_rows, eta, a1, a2)  # before any fit
    errors = []
    with warn_once():
        if isinstance(source, FromTable):
            errors = [[_errors(_tree(estimator, size, rng), *part) for part in parts] for size in sizes]
        else:
            samples = [
                (batch.table(k), y) for batch in source.batches(repeats, rng) for k, y in enumerate(batch.y)
            ]
            errors = [
                [_against(_tree(estimator, size, rng), X, y, source) for X, y in samples] for size in sizes
            ]
    found = np.array(errors)  # (sizes, repeats, 2)
    training, test = found.mean(axis=1).T
    spread = found[:, :, 1].std(axis=1, ddof=1) / np.sqrt(found.shape[1])
    bound = _bound(training, sizes, n_rows, eta, a1, a2)
    return Optimism(np.array(sizes), training, test, bound, spread, n_rows)


def _sizes(estimator: Any, leaves: Any) -> list[int]:
    if not hasattr(estimator, "get_params") or "max_leaf_nodes" not in estimator.get_params():
        must = "estimator must have the parameter max_leaf_nodes."
        raise ParameterError(f"{must} Got {type(estimator).__name__}.", "estimator")
    sizes = [leaves] if is_whole(leaves) else list(leaves) if hasattr(leaves, "__iter__") else []
    if not sizes or not all(is_whole(size) and size >= 2 for size in sizes):
        raise ParameterError(f"leaves must be ints of at least 2. Got {leaves!r:.80}.", "leaves")
    return sorted({int(size) for size in sizes})


def _bound(training: Floats, sizes: list[int], n: int, eta: float, a1: float, a2: float) -> Floats:
    """The bound for each number of leaves, NaN where there is none."""
    check_constants(eta, a1, a2)
    h, found = np.array(sizes), np.full(len(sizes), np.nan)
    known = bounded(h, n, a2)
    if known.any():
        found[known] = vc_bound(training[known], h[known], n, eta, a1, a2).bound
    return found


def _tree(estimator: Any, size: int, rng: Any) -> Any:
    return seeded(unfitted(estimator).set_params(max_leaf_nodes=size), rng)


def _folds(source: FromTable, cv: Any) -> tuple[list[tuple[Any, Array, Any, Array]], int]:
    folds = folds_of(cv, source.X, source.y, classifier=True)
    X, y = source.X, source.y
    rows = [(take(X, fold.train), y[fold.train], take(X, fold.test), y[fold.test]) for fold in folds]
    return rows, round(np.mean([len(fold.train) for fold in folds]))


def _errors(tree: Any, X: Any, y: Array, held_out: Any, truth: Array) -> tuple[float, float]:
    model = run(tree, Data(X, y))
    return _error(model, X, y), _error(model, held_out, truth)


def _against(tree: Any, X: Any, y: Array, source: Any) -> tuple[float, float]:
    """Training error, and the expected error at the points of a mechanism."""
    model = run(tree, Data(X, y))
    codes = codes_of(np.asarray(model.predict(source.at)), source.classes)
    right = np.take_along_axis(source.truth.mean, codes[:, None], axis=1)
    return _error(model, X, y), float(1 - right.mean())


def _error(model: Any, X: Any, y: Array) -> float:
    return float((np.asarray(model.predict(X)) != y).mean())
