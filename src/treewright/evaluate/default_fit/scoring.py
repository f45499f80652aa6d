"""Fitting and scoring side by side: the model of all training rows, and those of the outer folds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.common.allowed import is_whole
from ...data.common.errors import ParameterError
from ...data.common.labels import coded, distinct
from ...data.common.plural import counted
from ...data.common.progress import Progress
from ...data.common.threads import threads
from ...data.table import is_frame
from ...learn.folds import Fold, held_out_fold, most_folds
from ..fold_means import over_folds
from ..metrics import BETTER, CONFIDENCE, Baseline, Predictions, Score
from ..procedure import Data, warn_once
from ..student_t import student_quantile
from .dataset import Dataset, is_name, read_dataset, read_table
from .procedure import Procedure

Array = NDArray[Any]

FOLDS = 5
NEEDED = f"{2 * FOLDS} rows, and of classes two with {FOLDS} rows each"
NOTICE = 0.1  # seconds until Ctrl-C is noticed
MANY_ROWS = 100_000  # beyond, one of the outer folds is enough


@dataclass(frozen=True, eq=False)
class Fitted:
    """A model, its scores, those of its `best_`, and in words the rows that they were computed on."""

    model: Any
    scores: tuple[list[Score], list[Score]]
    scored_on: str
    notes: tuple[str, ...] = ()
    params: dict[str, Any] = field(default_factory=dict)  # other parameters than those of the procedure

    def or_best(self, n_folds: int) -> Fitted:
        """The same, with the best tree where the simpler one loses more than one standard error."""
        simple, best = self.scores
        pair = next(((a, b) for a, b in zip(simple, best, strict=True) if a.metric == "cost"), None)
        one, other = pair or (simple[0], best[0])
        error = (other.high - other.low) / (2 * student_quantile(max(1, n_folds - 1), (1 + CONFIDENCE) / 2))
        if "best_" not in vars(self.model) or not BETTER[one.metric] * (other.value - one.value) > error:
            return self
        leaves = counted(self.model.get_n_leaves(), "leaf")
        note = (
            f"The simpler tree ({leaves}) loses more than one standard error of {one.metric} in the outer "
            f"folds: {one.value:.3f} against {other.value:.3f}. So this is the tree of the lowest loss."
        )
        model = self.model.best_
        return replace(
            self,
            model=model,
            scores=(best, best),
            notes=(*self.notes, note),
            params={"ccp_alpha": model.ccp_alpha},
        )


def fit_and_score(
    procedure: Procedure, held_out: Fold | None, test: Any, wanted: bool, say: Progress
) -> Fitted:
    """Fit on all rows (or on those not held out), and score on rows that had no part in the model."""
    dataset = procedure.dataset
    if held_out is not None or test is not None or not wanted:
        say(0, 1, "growing trees")
        model = procedure.fitted(None if held_out is None else held_out.train)
        if test is not None:
            return on_test_table(procedure, model, test, procedure.baseline(np.arange(dataset.n_rows)))
        if held_out is None or not wanted:
            return Fitted(model, ([], []), "Not scored.")
        base = procedure.baseline(held_out.train)
        scores = both_scores(base, both_predictions(procedure, model, dataset.data.rows(held_out.test)))
        return Fitted(model, scores, f"{counted(len(held_out.test), 'row')} held out")
    folds, why_not = outer_folds(dataset, procedure.given.get("cv"))
    large = dataset.n_rows > MANY_ROWS
    if large:  # in time, the last fold has the most training rows
        folds = folds[:1] if dataset.data.time is None else folds[-1:]
    tasks: list[Callable[[int | None], Any]] = [partial(procedure.fitted, None)]
    tasks += [partial(_predicted, procedure, fold) for fold in folds]
    what = ["growing trees", *(f"scoring: fold {k + 1} of {len(folds)}" for k in range(len(folds)))]
    model, *parts = side_by_side(tasks, 1 if large else threads(procedure.given.get("n_jobs")), say, what)
    if why_not:
        return Fitted(model, ([], []), f"Not scored: {why_not}. Give a test table.")
    bases = [procedure.baseline(fold.train) for fold in folds]
    if large:
        scores = both_scores(bases[0], parts[0])
        return Fitted(model, scores, f"{len(folds[0].test):,} held-out rows")
    constant = [each.values(part[0]) for each, part in zip(bases, parts, strict=True)]
    simple, best = (over_folds([pair[k].values() for pair in parts], constant, folds) for k in (0, 1))
    scored_on = f"{len(folds)} outer folds of nested cross-validation{_how(dataset)}"
    found = Fitted(model, (simple, best), scored_on)
    return found if "ccp_alpha" in procedure.given else found.or_best(len(folds))


def _predicted(procedure: Procedure, fold: Fold, n_jobs: int | None) -> Both:
    """What a model of the training rows predicts for the test rows, and what its `best_` does."""
    return both_predictions(
        procedure, procedure.fitted(fold.train, n_jobs), procedure.dataset.data.rows(fold.test)
    )


Both = tuple[Predictions, Predictions]  # of a model, and of its `best_`


def both_predictions(procedure: Procedure, model: Any, data: Data) -> Both:
    """What a model predicts for these rows, and what its `best_` does."""
    found = procedure.predictions_for(model, data)
    return found, procedure.predictions_for(model.best_, data) if "best_" in vars(model) else found


def both_scores(base: Baseline, both: Both) -> tuple[list[Score], list[Score]]:
    """The scores of both."""
    return both[0].scores(base), both[1].scores(base)


def _how(dataset: Dataset) -> str:
    data = dataset.data
    if data.time is not None:
        return ", each later than the rows it was trained on"
    return "" if data.groups is None else ", groups kept together"


def side_by_side(
    tasks: Sequence[Callable[[int | None], Any]], cores: int, say: Progress, what: Sequence[str]
) -> list[Any]:
    """Run tasks in threads, each with its part of the cores; the results do not depend on their number.

    The first task may warn; the others work on parts of the same rows, and their warnings are dropped. Ctrl-C
    reaches the calling thread alone, which then stops the tasks of the others.
    """
    workers, here = min(cores, len(tasks)), threading.local()
    flag = _core.StopFlag()
    n_jobs = None if workers < 2 else max(1, cores // len(tasks))

    def run_task(number: int) -> Any:
        if workers > 1:
            flag.watch()
        here.first = number == 0
        return tasks[number](n_jobs)

    found = []
    with warn_once(lambda: getattr(here, "first", False)):
        if workers < 2:
            for number in range(len(tasks)):
                say(number, len(tasks), what[number])
                found.append(run_task(number))
            return found
        with ThreadPoolExecutor(workers) as pool:
            futures = [pool.submit(run_task, number) for number in range(len(tasks))]
            try:
                for number, future in enumerate(futures):
                    say(number, len(tasks), what[number])
                    while not future.done():  # a wait without end may not notice that a signal came
                        wait([future], timeout=NOTICE)
                    found.append(future.result())
            except BaseException:
                flag.stop()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return found


def outer_folds(dataset: Dataset, cv: Any = None, rows: Array | None = None) -> tuple[list[Fold], str]:
    """The outer folds of all rows, or of some; or none, and why."""
    data = dataset.data if rows is None else dataset.data.rows(rows)
    y = np.asarray(data.y)
    cv = FOLDS if cv is None else cv
    if is_whole(cv):
        if len(y) < 2 * FOLDS:
            return [], f"that needs {NEEDED}"
        if dataset.is_classification and (np.bincount(coded(y)[1]) >= FOLDS).sum() < 2:
            return [], f"that needs {NEEDED}"
        cv = most_folds(int(cv), data.groups, data.time)
    folds = data.folds(cv, dataset.is_classification)
    if data.groups is not None or data.time is not None:
        folds = [fold for fold in folds if _can_be_divided(data.rows(fold.train), dataset.is_classification)]
        if not folds:
            return [], f"that needs more {'groups' if data.time is None else 'times'} than there are"
    return (folds if rows is None else [Fold(rows[fold.train], rows[fold.test]) for fold in folds]), ""


def _can_be_divided(train: Data, classifier: bool) -> bool:
    """Whether there are enough groups and times for inner folds."""
    try:
        train.folds(most_folds(FOLDS, train.groups, train.time), classifier)
    except ValueError:
        return False
    return True


def hold_out(dataset: Dataset, test_size: Any, random_state: Any) -> Fold | None:
    """The rows to train on and those held out, with groups whole groups, with time the latest."""
    if test_size is None:
        return None
    if isinstance(test_size, bool) or not isinstance(test_size, float) or not 0 < test_size < 1:
        raise ParameterError(
            f"test_size must be a float in (0, 1): the share of the rows. Got {test_size!r}.", "test_size"
        )
    data = dataset.data
    fold = held_out_fold(
        dataset.y, test_size, random_state, dataset.is_classification, data.groups, data.time
    )
    if min(len(fold.train), len(fold.test)) < 2:
        raise ParameterError(
            f"test_size must leave at least two rows to train on and to test. Got {test_size!r} of "
            f"{dataset.n_rows:,} rows, which leaves {len(fold.train):,} and {len(fold.test):,}.",
            "test_size",
        )
    return fold


# -- a test table


def on_test_table(procedure: Procedure, model: Any, test: Any, base: Baseline) -> Fitted:
    """The scores on other rows, by their own weights if they have any."""
    dataset = procedure.dataset
    found, notes = _read_test(dataset, test)
    unknown = sorted(set(map(str, distinct(found.y))) - set(map(str, procedure.classes)))
    if dataset.is_classification and unknown:
        raise ValueError(f"test must have only classes that the table has. Got {unknown[0]!r} too.")
    scores = both_scores(base, both_predictions(procedure, model, found.data))
    return Fitted(model, scores, f"{counted(found.n_rows, 'row')} of the test table", notes)


def _read_test(dataset: Dataset, test: Any) -> tuple[Dataset, tuple[str, ...]]:
    weights = None
    if isinstance(test, tuple):
        if len(test) not in {2, 3}:
            raise ValueError(
                f"test must be a table, or (X, y) or (X, y, sample_weight). Got {len(test)} parts."
            )
        table, target, weights = test if len(test) == 3 else (*test, None)
        table = read_table(table)[0]
    else:
        table, target = read_table(test)[0], dataset.target
    columns: dict[str, Any] = {}
    if is_frame(table) and is_frame(dataset.data.X):
        import narwhals.stable.v2 as nw

        frame = nw.from_native(table, eager_only=True)
        wanted = [*dataset.columns, *([target] if is_name(target) else [])]
        lacking = [name for name in wanted if name not in frame.columns]
        if lacking:
            raise ValueError(f"test must have all columns of the table. It lacks {lacking[0]!r}.")
        column = dataset.columns_of.get("sample_weight")
        if column in frame.columns and weights is None:
            wanted, weights = [*wanted, column], column
        table = frame.select(wanted).to_native()
    columns["sample_weight"] = weights
    found = read_dataset(table, target, task=dataset.task, to_score=True, **columns)
    unweighted = dataset.weights is not None and found.weights is None
    return found, ("The test rows have no weights: they all count alike.",) if unweighted else ()
