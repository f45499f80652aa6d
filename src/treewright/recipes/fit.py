"""The main job: a table and the name of a column in, a finished and honestly scored tree out."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ..checking import DataCheck, check
from ..judging.folds import Fold, folds_of
from ..judging.progress import Progress, reporter
from ..judging.tables import as_text
from .goal import Goal, goal_of
from .procedure import Recipe
from .scores import Score, on_rows, over_folds

FOLDS = 5
MANY_ROWS = 100_000  # beyond, one of the outer folds tells enough, and part of the rows is checked
_COLUMNS = (("metric", ""), ("value", ".4g"), ("low", ".4g"), ("high", ".4g"), ("baseline", ".4g"))


@dataclass(frozen=True, eq=False)
class Fitted:
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
        from ..filing import save

        return save(self.model, path, target=self.target, training=self.summary())

    def __str__(self) -> str:
        leaves, depth = self.model.get_n_leaves(), self.model.get_depth()
        head = f"{self.target!r}: {self.task}, {self.n_rows:,} rows, {len(self.columns):,} columns."
        tree = f"A tree of {leaves:,} {'leaf' if leaves == 1 else 'leaves'}, depth {depth}."
        return "\n".join([head, tree, *self.scores_text(), *self.notes])

    @property
    def verdict(self) -> str:
        """Whether the model is better than the trivial guess, beyond the intervals, and in what."""
        better = [score.metric for score in self.scores if score.helps]
        others = [score.metric for score in self.scores if not score.helps]
        if not better:
            return "NOT surely better than guessing."
        return f"Better than guessing by {', '.join(better)}" + (
            f"; not surely by {', '.join(others)}." if others else "."
        )

    def scores_text(self) -> list[str]:
        """The scores as lines of a table."""
        if not self.scores:
            return [self.scored_on]
        lines = as_text([score.to_dict() for score in self.scores], _COLUMNS)
        return [*lines, f"Scored on {self.scored_on}.", self.verdict]

    def __repr__(self) -> str:
        return f"<Fitted>\n{self}"


def fit(  # noqa: PLR0913
    table: Any,
    target: str,
    *,
    task: str | None = None,
    exclude: Iterable[str] = (),
    positive: Any = None,
    weights: str | None = None,
    test: Any = None,
    holdout: float | None = None,
    costs: Any = None,
    prevalence: Any = None,
    seed: int = 0,
    checks: bool = True,
    scores: bool = True,
    progress: bool | Progress | None = None,
    **params: Any,
) -> Fitted:
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
    say, clock = reporter(progress), _Clock()
    frame, notes = _read(table)
    goal = goal_of(frame, target, task=task, exclude=exclude, positive=positive, weights=weights)
    decision = {
        name: value for name, value in (("costs", costs), ("prevalence", prevalence)) if value is not None
    }
    recipe = Recipe(goal, params, _for_classes(goal, decision))
    say(0, FOLDS + 2, "checking")
    found, said = _checked(frame, goal, exclude, weights) if checks else (None, ())
    clock.lap("checking")
    say(1, FOLDS + 2, "growing")
    rows = np.arange(goal.n_rows)
    kept = rows if holdout is None else np.setdiff1d(rows, _held_out(goal, holdout, seed))
    model = recipe.fitted(None if holdout is None else kept)
    clock.lap("growing")
    scored, where = _scored(recipe, model, kept, test, scores, say)
    clock.lap("scoring")
    return Fitted(
        model=model, task=goal.task, target=target, positive=goal.positive, scores=tuple(scored),
        scored_on=where, check=found, notes=(*notes, *goal.notes, *said), n_rows=goal.n_rows,
        columns=tuple(_names(goal.frame)), params=recipe.params, seed=seed, seconds=clock.laps,
    )  # fmt: skip


class _Clock:
    """How long each part took."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self.last = perf_counter()

    def lap(self, name: str) -> None:
        now = perf_counter()
        self.laps[name], self.last = now - self.last, now


def _read(table: Any) -> tuple[Any, tuple[str, ...]]:
    if not isinstance(table, str | Path):
        return table, ()
    from ..reading import read_table

    found = read_table(table)
    return found.frame, found.notes


def _names(frame: Any) -> list[str]:
    import narwhals.stable.v2 as nw

    return list(nw.from_native(frame, eager_only=True).columns)


def _for_classes(goal: Goal, decision: dict[str, Any]) -> dict[str, Any]:
    if decision and not goal.is_classification:
        raise ValueError(f"{next(iter(decision))} is for classes. Got a target of numbers. Leave it out.")
    return decision


def _checked(
    frame: Any, goal: Goal, exclude: Iterable[str], weights: str | None
) -> tuple[DataCheck, tuple[str, ...]]:
    """What is wrong with the table; of a large one, with rows drawn from it."""
    import narwhals.stable.v2 as nw

    ignore = [*([exclude] if isinstance(exclude, str) else exclude), *([weights] if weights else [])]
    rows = nw.from_native(frame, eager_only=True)
    notes: tuple[str, ...] = ()
    if len(rows) > MANY_ROWS:
        drawn = np.random.default_rng(0).choice(len(rows), MANY_ROWS, replace=False)
        notes = (f"{MANY_ROWS:,} of {len(rows):,} rows were drawn to be checked.",)
        frame = rows[np.sort(drawn)].to_native()
    return check(frame, goal.target, task=goal.task, ignore=ignore), notes


def _held_out(goal: Goal, share: float, seed: int) -> np.ndarray[Any, Any]:
    from ..pruning.rows import held_out

    if not isinstance(share, float) or not 0 < share < 1:
        raise ValueError(f"holdout must be a share above 0 and below 1. Got {share!r}.")
    return held_out(goal.y, share, seed, by_class=goal.is_classification).prune


def _scored(
    recipe: Recipe, model: Any, kept: np.ndarray[Any, Any], test: Any, wanted: bool, say: Progress
) -> tuple[list[Score], str]:
    """The scores, and in words what they were made on."""
    goal = recipe.goal
    if test is not None:
        return _on_table(recipe, model, kept, test)
    if not wanted:
        return [], "Not scored."
    if len(kept) < goal.n_rows:
        rest = np.setdiff1d(np.arange(goal.n_rows), kept)
        weight = None if goal.weights is None else goal.weights[rest]
        found = on_rows(recipe.answers(model, rest), recipe.guess(kept, goal.y[rest], weight))
        return found, f"{len(rest):,} rows held out"
    if goal.n_rows > MANY_ROWS and recipe.can_nest:
        return _on_a_part(recipe, model)
    folds = _outer(goal)
    if folds is None:
        return [], "Not scored: there are too few rows of a class. Give a test table."
    figures, guesses = [], []
    for number, fold in enumerate(folds):
        say(number + 2, len(folds) + 2, "scoring by nested cross-validation")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts: the whole table has been spoken of
            part = recipe.fitted(fold.train)
        figures.append(recipe.answers(part, fold.test).figures())
        weight = None if goal.weights is None else goal.weights[fold.test]
        guesses.append(recipe.guess(fold.train, goal.y[fold.test], weight).figures())
    say(len(folds) + 2, len(folds) + 2, "done")
    return over_folds(figures, guesses, folds), f"{len(folds)} outer folds, each left out of everything"


def _on_a_part(recipe: Recipe, model: Any) -> tuple[list[Score], str]:
    """A large table: one part left out of everything is enough."""
    goal = recipe.goal
    fold = folds_of(FOLDS, None, goal.y, None, goal.is_classification)[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the whole table has been spoken of
        part = recipe.nested(model, fold.train)
    weight = None if goal.weights is None else goal.weights[fold.test]
    found = on_rows(recipe.answers(part, fold.test), recipe.guess(fold.train, goal.y[fold.test], weight))
    return found, f"{len(fold.test):,} rows, left out of everything"


def _outer(goal: Goal) -> list[Fold] | None:
    if goal.n_rows < 2 * FOLDS:
        return None
    if goal.is_classification and (np.unique(goal.y, return_counts=True)[1] >= FOLDS).sum() < 2:
        return None
    return folds_of(FOLDS, goal.frame, goal.y, None, goal.is_classification)


def _on_table(recipe: Recipe, model: Any, kept: Any, test: Any) -> tuple[list[Score], str]:
    """The scores on another table, whose columns may be in any order, with others among them."""
    import narwhals.stable.v2 as nw

    goal = recipe.goal
    frame = nw.from_native(_read(test)[0], eager_only=True)
    wanted = [*_names(goal.frame), goal.target]
    lacking = [name for name in wanted if name not in frame.columns]
    if lacking:
        raise ValueError(f"test must have all columns of the table. It lacks {lacking[0]!r}.")
    other = goal_of(frame.select(wanted).to_native(), goal.target, task=goal.task, to_judge=True)
    strange = sorted(set(map(str, np.unique(other.y))) - set(map(str, recipe.classes)))
    if goal.is_classification and strange:
        raise ValueError(f"test must have only classes that the table has. Got {strange[0]!r} too.")
    answers = recipe.answers_to(model, other.frame, other.y)
    return on_rows(answers, recipe.guess(kept, other.y)), f"{other.n_rows:,} rows of the test table"


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value if isinstance(value, str | int | float | bool | list | dict | None) else repr(value)
