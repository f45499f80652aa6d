"""The main job: a table and the name of a column in, a finished and honestly scored tree out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ...data.common.plural import counted
from ...data.common.progress import Progress, reporter
from ...data.common.tables import as_text
from ...learn.fitted_tree import FittedTree, as_model
from ...tree.displayed import Displayed
from ..data_check import DataCheck, check
from ..metrics import Score, verdict
from .goal import Goal, goal_of, names_of, read_frame
from .procedure import Recipe
from .scoring import MANY_ROWS, fits_to_score, scored_by

_COLUMNS = (("metric", ""), ("value", ".4g"), ("low", ".4g"), ("high", ".4g"), ("baseline", ".4g"))


@dataclass(frozen=True, eq=False)
class FitResult(Displayed):
    """A finished model, and what is known of it."""

    model: Any  # fitted on all rows (but those held out), pruned, smoothed, decided
    task: str
    target: str
    positive: Any
    scores: tuple[Score, ...]
    scored_on: str  # in words
    check: DataCheck | None
    notes: tuple[str, ...]
    n_rows: int
    columns: tuple[str, ...]
    params: dict[str, Any]
    seed: int
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def score(self) -> Score | None:
        """The first of the scores: accuracy, or R²."""
        return self.scores[0] if self.scores else None

    @property
    def fitted_tree(self) -> FittedTree:
        """The fitted model as every function of treewright sees it."""
        return replace(as_model(self.model), target=self.target, training=self.summary())

    def summary(self) -> dict[str, Any]:
        """All but the tree, as plain values that can be written as JSON; the same for the same seed."""
        return {
            "target": self.target,
            "task": self.task,
            "positive": _plain(self.positive),
            "rows": self.n_rows,
            "columns": list(self.columns),
            "params": {name: _plain(value) for name, value in self.params.items()},
            "seed": self.seed,
            "leaves": self.model.get_n_leaves(),
            "depth": self.model.get_depth(),
            "scores": [score.to_dict() for score in self.scores],
            "scored_on": self.scored_on,
            "notes": list(self.notes),
        }

    def save(self, path: str | Path) -> Path:
        """Write the model file, with this summary in it."""
        from ...learn.model_file import save

        return save(self.model, path, target=self.target, training=self.summary())

    def __str__(self) -> str:
        leaves, depth = self.model.get_n_leaves(), self.model.get_depth()
        size = f"{counted(self.n_rows, 'row')}, {counted(len(self.columns), 'column')}"
        head = f"{self.target!r}: {self.task}, {size}."
        tree = f"A tree of {counted(leaves, 'leaf')}, depth {depth}."
        return "\n".join([head, tree, *self.scores_text(), *self.notes])

    @property
    def verdict(self) -> str:
        """Whether the model is better than the trivial guess, beyond the intervals, and in what."""
        return verdict(self.scores)

    def scores_text(self) -> list[str]:
        """The scores as lines of a table."""
        if not self.scores:
            return [self.scored_on]
        lines = as_text([score.to_dict() for score in self.scores], _COLUMNS)
        return [*lines, f"Scored on {self.scored_on}.", self.verdict]

    def __repr__(self) -> str:
        return f"<FitResult>\n{self}"


def fit(  # noqa: PLR0913
    table: Any,
    target: Any,
    *,
    task: str | None = None,
    exclude: Any = (),
    positive: Any = None,
    weights: Any = None,
    test: Any = None,
    holdout: float | None = None,
    costs: Any = None,
    prevalence: Any = None,
    seed: int = 0,
    checks: bool = True,
    scores: bool = True,
    progress: bool | Progress | None = None,
    **params: Any,
) -> FitResult:
    """Grow, prune, smooth and honestly score a tree, with one setting that suits most tables.

    Types are taken as they are (text and categories are nominal), missing values go where they do best, the
    tree is pruned and smoothed by five folds, and all of that is scored by five outer folds (or on rows held
    out), beside the most trivial guess.

    Parameters
    ----------
    table : frame of pandas, polars or pyarrow; or the path of a file
    target : the column to predict
    task : "classification" or "regression", optional
        None: text, booleans and whole numbers of at most 20 values are classes.
    exclude : columns not to use
    positive : the class to rank first, of two
    weights : the column with the weights of the rows
    test : another table (or path) to score on, optional
    holdout : a share of the rows to keep from the model and score on, optional
    costs, prevalence : as for `with_decision`, optional
        Every leaf then decides for the class of least expected cost.
    seed : int
        Of what is drawn: the rows held out.
    checks, scores : bool
        Whether to look for faults of the table, and to score.
    params : other parameters of the estimator
    """
    if test is not None and holdout is not None:
        raise ValueError("holdout and test both say what to score on. Give one of them.")
    say, clock = reporter(progress), _Clock()
    frame, notes = read_frame(table)
    goal = goal_of(frame, target, task=task, exclude=exclude, positive=positive, weights=weights)
    decision = {
        name: value for name, value in (("costs", costs), ("prevalence", prevalence)) if value is not None
    }
    recipe = Recipe(goal, params, _for_classes(goal, decision))
    kept = grown_rows(goal, holdout, seed)
    fits = 1 + fits_to_score(recipe, kept, test, scores)
    say(0, fits, "checking")
    found, said = _checked(frame, goal) if checks else (None, ())
    clock.lap("checking")
    say(0, fits, "growing")
    model = recipe.fitted(None if holdout is None else kept)
    clock.lap("growing")
    scored, where = scored_by(recipe, model, kept, test, scores, say)
    say(fits, fits, "done")
    clock.lap("scoring")
    return FitResult(
        model=model, task=goal.task, target=goal.target, positive=goal.positive, scores=tuple(scored),
        scored_on=where, check=found, notes=(*notes, *goal.notes, *said), n_rows=goal.n_rows,
        columns=tuple(names_of(goal.frame)), params=recipe.params, seed=seed, seconds=clock.laps,
    )  # fmt: skip


class _Clock:
    """How long each part took."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self.last = perf_counter()

    def lap(self, name: str) -> None:
        now = perf_counter()
        self.laps[name], self.last = now - self.last, now


def _for_classes(goal: Goal, decision: dict[str, Any]) -> dict[str, Any]:
    if decision and not goal.is_classification:
        raise ValueError(f"{next(iter(decision))} is for classes. Got a target of numbers. Leave it out.")
    return decision


def _checked(frame: Any, goal: Goal) -> tuple[DataCheck, tuple[str, ...]]:
    """What is wrong with the table; of a large one, with rows drawn from it."""
    import narwhals.stable.v2 as nw

    rows = nw.from_native(frame, eager_only=True)
    ignore = [name for name in rows.columns if name not in {goal.target, *names_of(goal.frame)}]
    notes: tuple[str, ...] = ()
    if len(rows) > MANY_ROWS:
        drawn = np.random.default_rng(0).choice(len(rows), MANY_ROWS, replace=False)
        notes = (f"{MANY_ROWS:,} of {len(rows):,} rows were drawn to be checked.",)
        frame = rows[np.sort(drawn)].to_native()
    return check(frame, goal.target, task=goal.task, ignore=ignore), notes


def grown_rows(goal: Goal, holdout: float | None, seed: int) -> np.ndarray[Any, Any]:
    """The rows that the model is made from: all but those held out."""
    rows = np.arange(goal.n_rows)
    return rows if holdout is None else np.setdiff1d(rows, _held_out(goal, holdout, seed))


def _held_out(goal: Goal, share: float, seed: int) -> np.ndarray[Any, Any]:
    from ...learn.pruning.rows import held_out

    if not isinstance(share, float) or not 0 < share < 1:
        raise ValueError(f"holdout must be a share above 0 and below 1. Got {share!r}.")
    found = held_out(goal.y, share, seed, by_class=goal.is_classification).prune
    if not 2 <= len(found) <= goal.n_rows - 2:
        raise ValueError(
            f"holdout must leave two rows or more to score on and to grow on. Got {share!r} of "
            f"{goal.n_rows:,} rows, which is {len(found):,}."
        )
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value if isinstance(value, str | int | float | bool | list | dict | None) else repr(value)
