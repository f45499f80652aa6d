"""What readability costs: the tree of the recipe beside other models, on the same folds."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import has_fit_parameter

from ...data.common.plural import counted
from ...data.common.progress import Progress, reporter
from ...data.common.tables import as_html, as_text
from ...learn.folds import Fold
from ..metrics import Answers, Score
from .encoding import encoder
from .goal import goal_of, read_frame
from .procedure import Recipe
from .scores import over_folds
from .scoring import NEEDED, outer_folds

Array = NDArray[Any]

MOST_ROWS = 20_000  # nearest neighbours and forests take long beyond that
OURS = "treewright"
GUESS = "trivial guess"
SHOWN = ("log loss", "accuracy", "AUC", "R²", "mean absolute error")  # what a table has room for


@dataclass(frozen=True, eq=False)
class Comparison:
    """Models beside each other, the best first."""

    rows: tuple[dict[str, Any], ...]
    metric: str
    n_rows: int
    n_folds: int
    notes: tuple[str, ...]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per model, of which any library makes a frame."""
        return [dict(row) for row in self.rows]

    def _columns(self) -> list[tuple[str, str]]:
        figures = [key for key in self.rows[0] if key not in {"model", "leaves", "seconds", "low", "high"}]
        first = [("model", ""), (self.metric, ".4f"), ("low", ".4f"), ("high", ".4f")]
        rest = [(key, ".4f") for key in figures if key != self.metric]
        return [*first, *rest, ("leaves", ",.0f"), ("seconds", ".2f")]

    @property
    def verdict(self) -> str:
        """What readability costs, in a sentence."""
        ours = next(row for row in self.rows if row["model"] == OURS)
        best = self.rows[0]
        if best is ours:
            return "No model here is better than the tree: readability costs nothing."
        gap = abs(best[self.metric] - ours[self.metric])
        inside = ours["low"] <= best[self.metric] <= ours["high"]
        sure = "which is within the interval of the tree" if inside else "more than its interval allows for"
        return f"The best, {best['model']}, is ahead of the tree by {gap:.4f} in {self.metric}, {sure}."

    def __str__(self) -> str:
        head = f"{self.n_rows:,} rows, {self.n_folds} folds, the same for all; the best first."
        return "\n".join([head, *as_text(self.rows, self._columns()), self.verdict, *self.notes])

    def __repr__(self) -> str:
        return f"<Comparison>\n{self}"

    def _repr_html_(self) -> str:
        return as_html(self.rows, self._columns())


def compare(  # noqa: PLR0913
    table: Any,
    target: Any,
    *,
    task: str | None = None,
    exclude: Any = (),
    positive: Any = None,
    weights: Any = None,
    seed: int = 0,
    progress: bool | Progress | None = None,
    **params: Any,
) -> Comparison:
    """Set the tree of the recipe beside other models on the same folds.

    They are scikit-learn's linear or logistic model, nearest neighbours, a random forest and gradient
    boosting, as they come, on columns that are one-hot, filled and scaled as each needs; and the trivial
    guess. Nearest neighbours know no weights. Of more than 20,000 rows as many are drawn. Parameters as for
    `treewright.fit`.
    """
    frame, notes = read_frame(table)
    goal = goal_of(frame, target, task=task, exclude=exclude, positive=positive, weights=weights)
    recipe = Recipe(goal, params, {})
    rows = np.arange(goal.n_rows)
    if len(rows) > MOST_ROWS:
        rows = np.sort(np.random.default_rng(seed).choice(rows, MOST_ROWS, replace=False))
        notes = (*notes, f"{MOST_ROWS:,} of {goal.n_rows:,} rows were drawn.")
    folds = outer_folds(goal, rows)
    if folds is None:
        raise ValueError(f"To compare models needs {NEEDED}. Got {counted(len(rows), 'row')}.")
    say, ways = reporter(progress), _ways(recipe, seed)
    found = []
    for number, (name, answer) in enumerate(ways.items()):
        say(number, len(ways), name)
        found.append(_judged(name, answer, folds, recipe))
    say(len(ways), len(ways), "done")
    metric = "log loss" if goal.is_classification else "R²"
    sign = 1 if metric == "log loss" else -1
    ordered = sorted(found, key=lambda row: sign * row[metric])
    return Comparison(tuple(ordered), metric, len(rows), len(folds), (*notes, *goal.notes))


Answer = Callable[[Fold], tuple[Answers, float | None]]


def _judged(name: str, answer: Answer, folds: list[Fold], recipe: Recipe) -> dict[str, Any]:
    """One model: its figures over the folds, the leaves of its tree, and the seconds of a fit."""
    figures, leaves, start = [], [], perf_counter()
    for fold in folds:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts, and of models that did not converge
            answers, size = answer(fold)
        figures.append(answers.values())
        leaves.append(size)
    seconds = (perf_counter() - start) / len(folds)
    scores = over_folds(figures, figures, folds)
    main = _main(scores, recipe.goal.is_classification)
    size = None if leaves[0] is None else float(np.mean([part for part in leaves if part is not None]))
    row: dict[str, Any] = {"model": name}
    row |= {score.metric: score.value for score in scores if score.metric in SHOWN}
    return row | {"low": main.low, "high": main.high, "leaves": size, "seconds": seconds}


def _main(scores: list[Score], classes: bool) -> Score:
    wanted = "log loss" if classes else "R²"
    return next(score for score in scores if score.metric == wanted)


def _ways(recipe: Recipe, seed: int) -> dict[str, Answer]:
    def ours(fold: Fold) -> tuple[Answers, float | None]:
        model = recipe.fitted(fold.train)
        return recipe.answers(model, fold.test), model.get_n_leaves()

    def guess(fold: Fold) -> tuple[Answers, float | None]:
        weight = None if recipe.goal.weights is None else recipe.goal.weights[fold.test]
        return recipe.guess(fold.train, recipe.goal.y[fold.test], weight), None

    def other(make: Callable[[], Any]) -> Answer:
        def answer(fold: Fold) -> tuple[Answers, float | None]:
            goal = recipe.goal
            model, weighted = make(), {}
            if goal.weights is not None and has_fit_parameter(model[-1], "sample_weight"):
                weighted = {f"{model.steps[-1][0]}__sample_weight": goal.weights[fold.train]}
            model.fit(table[fold.train], goal.y[fold.train], **weighted)
            if "n_jobs" in model[-1].get_params():  # threads of a forest add up its trees as they come
                model[-1].set_params(n_jobs=1)
            weight = None if goal.weights is None else goal.weights[fold.test]
            return recipe.answers_to(model, table[fold.test], goal.y[fold.test], weight), None

        return answer

    table, pipelines = encoder(recipe.goal, seed)
    return {OURS: ours} | {name: other(make) for name, make in pipelines.items()} | {GUESS: guess}
