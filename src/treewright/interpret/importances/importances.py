"""Which columns matter, with intervals: by the gain of splits, and by the loss if a column is shuffled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from ...data.checked_target import checked_target
from ...data.common.allowed import is_whole
from ...data.common.progress import Progress, reporter
from ...data.common.result import Result
from ...data.common.text_width import wrapped
from ...evaluate.procedure import Data, run
from ...learn.folds import take
from ...learn.losses import check_loss
from ..described_model import describe, trained_estimator
from .permutation import ShuffleEvaluation

Floats = NDArray[np.float64]

OUT_OF_BAG, HELD_OUT = "out-of-bag", "held-out"
MOST = 30  # columns in a printed table
FEWEST = 4  # rows to draw from


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


@dataclass(frozen=True, eq=False, repr=False)
class Importances(Result):
    """The columns, those that matter most first. Print it, or take `to_dicts()` and `plot()`."""

    columns: tuple[Importance, ...]
    source: str  # the rows of the evaluation: "out-of-bag" or "held-out"
    loss: str
    confidence: float
    refits: int
    repeats: int

    @property
    def summary(self) -> str:
        """What the numbers are."""
        loss = self.loss.replace("_", " ")
        spread = (
            f"{self.confidence:.0%} confidence intervals: by the spread of {self.refits} trees, each trained "
            "as the model was, on rows drawn with replacement."
            if self.source == OUT_OF_BAG
            else f"{self.confidence:.0%} confidence interval: by the spread of the held-out rows."
        )
        return (
            f"Permutation: how much the {loss} increases if the column is shuffled, on {self.source} rows. "
            f"Impurity: the column's share of the gain of all splits. {spread}"
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per column."""
        return [dict(vars(each)) for each in self.columns]

    def plot(self, ax: Any = None, *, max_columns: int = 15) -> Any:
        """Draw both importances with their intervals, on two axes side by side.

        Parameters
        ----------
        ax : pair of matplotlib Axes, optional
            Where to draw; None: a new figure.
        max_columns : int, default 15
            How many columns to draw, those that matter most.

        Returns
        -------
        pair of matplotlib Axes
        """
        from ..column_plots import plot_importances

        return plot_importances(self, ax, max_columns)

    def _rows(self) -> list[dict[str, Any]]:
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

    def _columns(self) -> Sequence[tuple[str, str]]:
        kinds = ("permutation", "impurity")
        return [("column", ""), *((f"{kind}{end}", ">") for kind in kinds for end in ("", "_interval"))]

    def _headline(self) -> str:
        return "\n".join(wrapped(self.summary, 80))

    def _notes(self) -> Sequence[str]:
        rest = len(self.columns) - MOST
        return [f"… and {rest} more columns; to_dicts() has all."] if rest > 0 else []


def importances(  # noqa: PLR0913
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    held_out: bool = False,
    loss: str | None = None,
    refits: int = 20,
    repeats: int = 5,
    confidence: float = 0.95,
    sample_weight: Any = None,
    random_state: int = 0,
    progress: bool | Progress | None = None,
) -> Importances:
    """Compute how much each column matters, with intervals, on rows that the evaluated tree has not seen.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree or path
        A fitted tree of treewright, or the path of a model file; with `held_out=True` also a Tree.
    X : table
        The training rows; or with `held_out=True` others.
    y : one value per row
        Their target.
    held_out : bool, default False
        False: trees like the model are trained on rows drawn with replacement, and evaluated on the rows that
        were not drawn. True: the model itself is evaluated on X and y; its impurities then have no interval.
    loss : {"error", "log_loss", "brier", "cost", "squared", "absolute"}, optional
        What increases when a column is shuffled; None: by the criterion of the model.
    refits : int, default 20
        How many trees are trained.
    repeats : int, default 5
        How often each column is shuffled.
    confidence : float, default 0.95
        Of the intervals.
    sample_weight : one number of at least 0 per row, optional
        Weights of the rows.
    random_state : int, default 0
        Seed of the random draws; None: other draws every time.
    progress : bool or callable, optional
        Whether to show progress, or what to call with it.

    Returns
    -------
    Importances
    """
    _check_settings(held_out, refits, repeats, confidence, random_state)
    described, report = describe(model), reporter(progress)
    if X is None and y is None:
        raise ValueError(
            "importances needs X and y: the training rows, or with held_out=True other rows. Got neither. "
            "For the importance by impurity, which needs no rows, use feature_importances_ of the model."
        )
    tree, features = described.tree, described.words.features
    if tree.n_outputs > 1:
        raise ValueError(f"importances needs one target. Got a model of {tree.n_outputs}.")
    measure = check_loss(loss, described.labels is not None, tree.costs, described.words.criterion)
    evaluation = ShuffleEvaluation(described, measure, repeats)
    rng, own = np.random.default_rng(random_state), tree.compute_feature_importances()
    X = described.model.select(X)
    n_rows = int(X.shape[0])
    if not n_rows:
        raise ValueError("X must have at least one row. Got a table without rows.")
    truth = checked_target(y, n_rows, None if described.labels is None else described.labels[0])
    weights = _checked_weights(sample_weight, n_rows, held_out)
    if held_out:
        spread = _by_rows(evaluation.increases(model, X, truth, rng), weights)
        columns = _columns(features, own, None, spread, confidence)
        return Importances(columns, HELD_OUT, measure, confidence, 0, repeats)
    estimator = trained_estimator(model)
    gains, losses = np.zeros((2, refits, tree.n_features))
    for number, (drawn, left) in enumerate(_draws(n_rows, refits, weights, rng)):
        report(number, refits, f"tree {number}")
        refitted = run(estimator, Data(X, y, None, weights).rows(drawn))
        increases = evaluation.increases(refitted, take(X, left), truth[left], rng)
        gains[number] = refitted.tree_.compute_feature_importances()
        losses[number] = np.average(increases, axis=1, weights=None if weights is None else weights[left])
    report(1, 1, "done")
    spread = losses.mean(axis=0), losses.std(axis=0, ddof=1), refits - 1
    columns = _columns(features, own, gains, spread, confidence)
    return Importances(columns, OUT_OF_BAG, measure, confidence, refits, repeats)


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


def _by_rows(increases: Floats, given: Floats | None) -> tuple[Floats, Floats, float]:
    """The mean over rows, its standard error and the degrees of freedom."""
    weights = np.ones(increases.shape[1]) if given is None else given
    mean = np.average(increases, axis=1, weights=weights)
    variance = np.average((increases - mean[:, None]) ** 2, axis=1, weights=weights)
    free = max(weights.sum() ** 2 / (weights**2).sum() - 1, 1.0)
    return mean, np.sqrt(variance / free), free


def _columns(
    names: list[str],
    own: Floats,
    gains: Floats | None,
    spread: tuple[Floats, Floats, float],
    confidence: float,
) -> tuple[Importance, ...]:
    """The columns with their intervals; `spread` has means, standard errors and degrees of freedom."""
    mean, error, free = spread
    reach = float(stdtrit(free, (1 + confidence) / 2))
    ends: list[Any] = [[None] * len(own)] * 2
    if gains is not None:
        far = reach * gains.std(axis=0, ddof=1)
        ends = [np.maximum(own - far, 0.0).tolist(), np.minimum(own + far, 1.0).tolist()]
    bounds = (mean - reach * error).tolist(), (mean + reach * error).tolist()
    rows = map(Importance, names, own.tolist(), *ends, mean.tolist(), *bounds)
    return tuple(sorted(rows, key=lambda each: (-each.permutation, -each.impurity)))


# -- validation


def _check_settings(held_out: Any, refits: Any, repeats: Any, confidence: Any, random_state: Any) -> None:
    """Reject numbers that are out of range."""
    if not isinstance(held_out, bool | np.bool_):
        raise ValueError(
            f"held_out must be True or False. Got {held_out!r}. True: the model has not seen the rows of X."
        )
    if not is_whole(refits) or refits < 2:
        raise ValueError(f"refits must be an int of at least 2. Got {refits!r}.")
    if not is_whole(repeats) or repeats < 1:
        raise ValueError(f"repeats must be an int of at least 1. Got {repeats!r}.")
    if not isinstance(confidence, float) or not 0 < confidence < 1:
        raise ValueError(f"confidence must be a float between 0 and 1. Got {confidence!r}.")
    if random_state is not None and (not is_whole(random_state) or random_state < 0):
        raise ValueError(f"random_state must be an int of at least 0 or None. Got {random_state!r}.")


def _checked_weights(given: Any, n_rows: int, held_out: bool) -> Floats | None:
    """The weights of the rows, as numbers; None where there are none."""
    if given is None:
        return None
    wanted = "sample_weight must be None or a finite number of at least 0 for each row."
    try:
        weights = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{wanted} Got {given!r:.100}. Give numbers.") from None
    if weights.shape != (n_rows,):
        raise ValueError(f"{wanted} Got the shape {weights.shape} for {n_rows:,} rows. Give one for each.")
    wrong = ~np.isfinite(weights) | (weights < 0)
    if wrong.any():
        raise ValueError(f"{wanted} Got {weights[wrong][0]}. Set it to 0 to leave a row out.")
    positive, least = int((weights > 0).sum()), 1 if held_out else FEWEST
    if positive < least:
        raise ValueError(
            f"sample_weight must be above 0 for at least {least} rows. Got {positive}. Give more weights."
        )
    return weights
