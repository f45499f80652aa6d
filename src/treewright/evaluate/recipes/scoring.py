"""The honest score of a recipe: on rows that had no part in making the model."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.plural import counted
from ...data.common.progress import Progress
from ...learn.folds import Fold, folds_of
from ..metrics import Score
from .goal import Goal, goal_of, names_of, read_frame
from .procedure import Recipe
from .scores import over_folds

Array = NDArray[Any]

FOLDS = 5
NEEDED = f"{2 * FOLDS} rows, and of classes two with {FOLDS} rows each"
MANY_ROWS = 100_000  # beyond, one of the outer folds tells enough, and part of the rows is checked


def fits_to_score(recipe: Recipe, kept: Array, test: Any, wanted: bool) -> int:
    """How many models are made besides the one that is scored."""
    if test is not None or not wanted or len(kept) < recipe.goal.n_rows:
        return 0
    return 1 if _is_large(recipe) else FOLDS


def _is_large(recipe: Recipe) -> bool:
    return recipe.goal.n_rows > MANY_ROWS and recipe.can_nest


def scored_by(
    recipe: Recipe, model: Any, kept: Array, test: Any, wanted: bool, say: Progress
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
        found = recipe.answers(model, rest).scores(recipe.guess(kept, goal.y[rest], weight))
        return found, f"{counted(len(rest), 'row')} held out"
    if _is_large(recipe):
        say(1, 2, "scoring on a fifth of the rows")
        return _on_a_part(recipe, model)
    folds = outer_folds(goal)
    if folds is None:
        return [], f"Not scored: that needs {NEEDED}. Give a test table."
    figures, guesses = [], []
    for number, fold in enumerate(folds):
        say(number + 1, len(folds) + 1, "scoring by nested cross-validation")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts: the whole table has been spoken of
            part = recipe.fitted(fold.train)
        figures.append(recipe.answers(part, fold.test).values())
        weight = None if goal.weights is None else goal.weights[fold.test]
        guesses.append(recipe.guess(fold.train, goal.y[fold.test], weight).values())
    return over_folds(figures, guesses, folds), f"{len(folds)} outer folds, each left out of everything"


def _on_a_part(recipe: Recipe, model: Any) -> tuple[list[Score], str]:
    """A large table: one part left out of everything is enough."""
    goal = recipe.goal
    fold = folds_of(FOLDS, None, goal.y, None, goal.is_classification)[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the whole table has been spoken of
        part = recipe.nested(model, fold.train)
    weight = None if goal.weights is None else goal.weights[fold.test]
    found = recipe.answers(part, fold.test).scores(recipe.guess(fold.train, goal.y[fold.test], weight))
    return found, f"{len(fold.test):,} rows, left out of everything"


def outer_folds(goal: Goal, rows: Array | None = None) -> list[Fold] | None:
    """The folds of all rows, or of some; None if there are too few of them."""
    y = goal.y if rows is None else goal.y[rows]
    if len(y) < 2 * FOLDS:
        return None
    if goal.is_classification and (np.unique(y, return_counts=True)[1] >= FOLDS).sum() < 2:
        return None
    folds = folds_of(FOLDS, None, y, None, goal.is_classification)
    return folds if rows is None else [Fold(rows[fold.train], rows[fold.test]) for fold in folds]


def _on_table(recipe: Recipe, model: Any, kept: Any, test: Any) -> tuple[list[Score], str]:
    """The scores on another table, whose columns may be in any order, with others among them."""
    import narwhals.stable.v2 as nw

    goal = recipe.goal
    frame = nw.from_native(read_frame(test)[0], eager_only=True)
    wanted = [*names_of(goal.frame), goal.target]
    lacking = [name for name in wanted if name not in frame.columns]
    if lacking:
        raise ValueError(f"test must have all columns of the table. It lacks {lacking[0]!r}.")
    other = goal_of(frame.select(wanted).to_native(), goal.target, task=goal.task, to_judge=True)
    strange = sorted(set(map(str, np.unique(other.y))) - set(map(str, recipe.classes)))
    if goal.is_classification and strange:
        raise ValueError(f"test must have only classes that the table has. Got {strange[0]!r} too.")
    answers = recipe.answers_to(model, other.frame, other.y)
    return answers.scores(recipe.guess(kept, other.y)), f"{counted(other.n_rows, 'row')} of the test table"
