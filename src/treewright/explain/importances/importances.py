"""Which columns matter, with intervals: by what splits gained, and by what is lost if one is shuffled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from ...data.common import tables
from ...data.common.plural import counted
from ...data.common.progress import Progress, reporter
from ...data.common.text_width import wrapped
from ...evaluate.procedure import Data, run
from ...learn.folds import take
from ...learn.losses import check_loss
from ..subject import subject_of, trained_estimator
from .permutation import Judge
from .validation import FEWEST, check_settings, check_target, checked_table, checked_weights

Floats = NDArray[np.float64]

OUT_OF_BAG, HELD_OUT = "out-of-bag", "held-out"
_COLUMNS = (
    ("column", ""),
    ("permutation", ">"),
    ("permutation_interval", ">"),
    ("impurity", ">"),
    ("impurity_interval", ">"),
)
MOST = 30  # columns in a printed table


@dataclass(frozen=True)
class Importance:
    """How much one column matters; None where there is no interval."""

    column: str
    impurity: float
    impurity_low: float | None
    impurity_high: float | None
    permutation: float
    permutation_low: float
    permutation_high: float


@dataclass(frozen=True, eq=False)
class Importances:
    """The columns, those that matter most first. Print it, or take `to_dicts()` and `plot()`."""

    columns: tuple[Importance, ...]
    source: str  # the rows that judge: "out-of-bag" or "held-out"
    loss: str
    level: float
    refits: int
    repeats: int

    @property
    def words(self) -> str:
        """What the numbers are, in sentences."""
        loss = self.loss.replace("_", " ")
        spread = (
            f"Intervals of {self.level:.0%}: by the spread of {self.refits} trees, each grown as the model "
            "was, on rows drawn with replacement."
            if self.source == OUT_OF_BAG
            else f"Interval of {self.level:.0%}: by the spread of the held-out rows."
        )
        return (
            f"Permutation: how much the {loss} grows if the column is shuffled, on {self.source} rows. "
            f"Impurity: the column's share of all that the splits gained. {spread}"
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per column, of which any library makes a frame."""
        return [dict(vars(each)) for each in self.columns]

    def plot(self, axes: Any = None, most: int = 15) -> Any:
        """Draw both importances with their intervals, on two axes side by side; returns these."""
        from .plot import plot_importances

        return plot_importances(self, axes, most)

    def _written(self) -> list[dict[str, Any]]:
        """The numbers with as many decimals as the greatest needs for three digits."""
        most = max((abs(each.permutation_high) for each in self.columns), default=0.0)
        decimals = min(max(2 - floor(log10(most)), 0), 12) if most > 0 else 0
        found = []
        for each in self.columns[:MOST]:
            low, middle, high = (
                f"{number:.{decimals}f}"
                for number in (each.permutation_low, each.permutation, each.permutation_high)
            )
            row = {"column": each.column, "permutation": middle, "permutation_interval": f"{low} to {high}"}
            row["impurity"] = f"{each.impurity:.3f}"
            if each.impurity_low is not None:
                row["impurity_interval"] = f"{each.impurity_low:.3f} to {each.impurity_high:.3f}"
            found.append(row)
        return found

    def __str__(self) -> str:
        rest = len(self.columns) - MOST
        more = [f"… and {rest} more columns; to_dicts() has all."] if rest > 0 else []
        return "\n".join([*wrapped(self.words, 80), *tables.as_text(self._written(), _COLUMNS), *more])

    def __repr__(self) -> str:
        return f"<Importances of {counted(len(self.columns), 'column')}, {self.source}>"

    def _repr_html_(self) -> str:
        return tables.as_html(self._written(), _COLUMNS) + f"<p>{self.words}</p>"


def importances(  # noqa: PLR0913
    model: Any,
    X: Any,
    y: Any,
    *,
    held_out: bool = False,
    loss: str | None = None,
    refits: int = 20,
    repeats: int = 5,
    level: float = 0.95,
    sample_weight: Any = None,
    random_state: int = 0,
    progress: bool | Progress | None = None,
) -> Importances:
    """Say how much each column matters, with intervals, on rows that the judged tree has not seen.

    Parameters
    ----------
    model : a fitted tree of treewright, what `treewright.fit` returned, or a saved model
    X, y : the table and its target
        The rows that the model was fitted on; or with `held_out=True` others.
    held_out : bool
        False: trees like the model are grown on rows drawn with replacement, and judged on the rows that were
        not drawn. True: the model itself is judged on X and y; its impurities then have no interval.
    loss : "error", "log_loss", "brier", "cost", "squared" or "absolute", optional
    refits : int
        How many trees are grown.
    repeats : int
        How often each column is shuffled.
    level : float
        Of the intervals.
    sample_weight : one number of at least 0 per row, optional
    """
    check_settings(held_out, refits, repeats, level, random_state)
    subject, say = subject_of(model), reporter(progress)
    tree = subject.tree
    if tree.n_outputs > 1:
        raise ValueError(f"importances needs one target. Got a model of {tree.n_outputs}.")
    criterion = subject.criterion
    measure = check_loss(loss, subject.labels is not None, tree.costs, criterion)
    judge = Judge(subject, measure, repeats)
    rng, own = np.random.default_rng(random_state), tree.compute_feature_importances()
    X = checked_table(subject, X)
    n_rows = int(X.shape[0])
    check_target(subject, y, n_rows)
    weights = checked_weights(sample_weight, n_rows, held_out)
    if held_out:
        spread = _by_rows(judge.rises(model, X, y, rng), weights)
        columns = _columns(subject.words.features, own, None, spread, level)
        return Importances(columns, HELD_OUT, measure, level, 0, repeats)
    estimator = trained_estimator(model)
    gains, losses = np.zeros((2, refits, tree.n_features))
    for number, (drawn, left) in enumerate(_draws(n_rows, refits, weights, rng)):
        say(number, refits, f"tree {number}")
        refitted = run(estimator, Data(X, y, None, weights).rows(drawn))
        rises = judge.rises(refitted, take(X, left), take(y, left), rng)
        gains[number] = refitted.tree_.compute_feature_importances()
        losses[number] = np.average(rises, axis=1, weights=None if weights is None else weights[left])
    say(1, 1, "done")
    columns = _columns(subject.words.features, own, gains, (*_by_trees(losses), refits - 1), level)
    return Importances(columns, OUT_OF_BAG, measure, level, refits, repeats)


def _draws(
    n_rows: int, refits: int, weights: Floats | None, rng: np.random.Generator
) -> Iterator[tuple[Any, Any]]:
    """Rows drawn with replacement, in order, and those that were not drawn; both have some weight."""
    if n_rows < FEWEST:
        raise ValueError(f"X must have at least {FEWEST} rows to draw from. Got {n_rows}. Use held_out=True.")
    heavy = np.ones(n_rows, dtype=bool) if weights is None else weights > 0
    for _ in range(refits):
        drawn: Any = np.empty(0, dtype=np.int64)
        left: Any = drawn
        while not heavy[left].any() or not heavy[drawn].any():
            drawn = np.sort(rng.integers(n_rows, size=n_rows))
            left = np.setdiff1d(np.arange(n_rows), drawn)
        yield drawn, left


def _by_trees(losses: Floats) -> tuple[Floats, Floats]:
    """The mean over trees, and how far one tree is from another."""
    return losses.mean(axis=0), losses.std(axis=0, ddof=1)


def _by_rows(rises: Floats, given: Floats | None) -> tuple[Floats, Floats, float]:
    """The mean over rows, its standard error and the degrees of freedom."""
    weights = np.ones(rises.shape[1]) if given is None else given
    mean = np.average(rises, axis=1, weights=weights)
    variance = np.average((rises - mean[:, None]) ** 2, axis=1, weights=weights)
    free = max(weights.sum() ** 2 / (weights**2).sum() - 1, 1.0)
    return mean, np.sqrt(variance / free), free


def _columns(
    names: list[str],
    own: Floats,
    gains: Floats | None,
    spread: tuple[Floats, Floats, float],
    level: float,
) -> tuple[Importance, ...]:
    """The columns with their intervals; `spread` has means, standard errors and degrees of freedom."""
    mean, error, free = spread
    reach = float(stdtrit(free, (1 + level) / 2))
    ends: list[Any] = [[None] * len(own)] * 2
    if gains is not None:
        far = reach * gains.std(axis=0, ddof=1)
        ends = [np.maximum(own - far, 0.0).tolist(), np.minimum(own + far, 1.0).tolist()]
    bounds = (mean - reach * error).tolist(), (mean + reach * error).tolist()
    rows = map(Importance, names, own.tolist(), *ends, mean.tolist(), *bounds)
    return tuple(sorted(rows, key=lambda each: (-each.permutation, -each.impurity)))
