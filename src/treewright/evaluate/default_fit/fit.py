"""The main call: a table and its target in, a fitted and scored tree out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ...data.common.errors import ParameterError
from ...data.common.progress import Progress, reporter
from ...data.table import names_of
from ...data.text_numbers import numbers_of_text
from ...learn.fitted_tree import as_fitted
from ...learn.folds import Fold, take
from ...learn.training_rows import TrainingRows
from ..data_check import DataCheck
from ..data_check import check as check_data
from ..procedure import Data
from .dataset import Dataset, is_name, opened, read_dataset, read_table, read_test
from .large import (
    LargeProcedure,
    fit_and_score_large,
    large_procedure,
    large_table,
    on_cluster,
    rows_and_notes,
    sample_of,
)
from .procedure import Procedure
from .result import FitResult
from .scoring import fit_and_score, hold_out
from .target import read_values

MANY_ROWS = 100_000  # of more, as many are drawn to be checked


@on_cluster
def fit(  # noqa: PLR0913
    table: Any,
    target: Any,
    *,
    task: str | None = None,
    exclude: Any = (),
    positive: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    time: Any = None,
    cv: Any = None,
    test: Any = None,
    test_size: float | None = None,
    costs: Any = None,
    prevalence: Any = None,
    random_state: Any = 0,
    check: bool = True,
    score: bool = True,
    progress: bool | Progress | None = None,
    memory: Any = None,
    client: Any = None,
    **params: Any,
) -> FitResult:
    """Fit, prune, smooth and score a decision tree, with default parameters that suit most tables.

    Types are taken as they are (text and categories are nominal) and missing values need no treatment. The
    tree is pruned and smoothed by 5-fold cross-validation: the result is the simplest tree whose loss is
    nearly the least (within a fifth of a standard error, or half of one with linear or logistic leaves), and
    `best` beside it is the tree of least loss. A
    simple tree that loses more than one standard error in the outer folds is not returned; a note says so.
    All of that is scored by five outer folds (nested cross-validation), or on rows held out, beside a
    baseline of constant predictions.

    Parameters
    ----------
    table : data frame (pandas, polars, pyarrow), array, list of rows, sparse matrix, or path of a file
        The columns to predict from. A folder or a glob of Parquet files, a `pyarrow.dataset.Dataset` and a
        `polars.LazyFrame` are read into memory if they fit. A Dask frame stays on its cluster. What
        `treewright.data.files.read_table` has read is a table.
    target : name of a column, or series, array or list with one value per row
        What to predict. A series gives its name to the target.
    task : {"classification", "regression"}, optional
        By default text, booleans and whole numbers of at most 20 values are classes, and text that holds
        other numbers is read as numbers. More than 100 classes need task="classification".
    exclude : name or list of names, default=()
        Columns not to use.
    positive : label, optional
        Of two classes the one that AUC, costs and prevalence are about; by default the second in the order
        of `classes_`. The model file keeps it.
    sample_weight : name of a column or array, optional
        The weights of the rows. A column is not used to predict.
    groups : name of a column or array, optional
        Rows of one group (a patient, a customer) are never on both sides of a fold, inner or outer. A column
        is not used to predict.
    time : name of a column or array, optional
        When each row was observed: numbers, dates or times. Every fold trains on the past and tests on later
        rows. A column is not used to predict, since new rows are later than all of these.
    cv : int, splitter of scikit-learn, or list of pairs (train rows, test rows), optional
        The folds, inner and outer. By default 5, or as many as groups and times allow.
    test : table, (X, y), (X, y, sample_weight) or path, optional
        Other rows to score on. Weights are read from the column of `sample_weight`, if it is there.
    test_size : float in (0, 1), optional
        A share of the rows to hold out and score on: of every class its share; with `groups` whole groups,
        with `time` the latest rows.
    costs : matrix, or {"false_positive": number, "false_negative": number}, optional
        What mistakes cost: rows are true classes, columns predicted ones. Every leaf then predicts the class
        of least expected cost.
    prevalence : float, list or dict, optional
        How common the positive class (or each class) is where the model will be used.
    random_state : int, default=0
        Seed of what is drawn: the rows of `test_size`.
    check : bool, default=True
        Whether to look for faults of the table (`treewright.check`).
    score : bool, default=True
        Whether to score.
    progress : bool or function, optional
        True prints the progress on stderr; a function gets steps done, all steps and a text.
    memory : int or str such as "2GB", optional
        The most memory to take for a table in parts; by default half of what is free. A larger one is checked
        on a sample of its rows, fitted from a scratch file, and scored on rows held out.
    client : distributed.Client, optional
        Where a Dask frame is fitted: by default the current client, else a local cluster for this fit.
    **params
        Other parameters of DecisionTreeClassifier or DecisionTreeRegressor, such as max_depth=4. With
        ccp_alpha="cv" the result is the tree of least loss.

    Returns
    -------
    FitResult
        Predicts like a fitted estimator (`predict`, `predict_proba`, `score`, `classes_`), and has `model`,
        `scores`, `best`, `check`, `notes`, `summary()` and `save(path)`.

    Examples
    --------
    >>> import treewright
    >>> table = treewright.load_example("iris")
    >>> result = treewright.fit(table, table.columns[-1])  # doctest: +SKIP
    >>> result.predict(table)  # doctest: +SKIP
    """
    if test is not None and test_size is not None:
        raise ParameterError(
            "test and test_size both name the rows to score on. Give one of them.", "test_size"
        )
    say, clock = reporter(progress), _Clock()
    beside = {"sample_weight": sample_weight, "groups": groups, "time": time}
    large = large_table(table, memory)
    read = opened(table, memory) if large is None else sample_of(large, target, beside)
    table, notes, formats = read_table(read)
    if isinstance(test, str | Path):
        test = read_test(test, table, formats)
    dataset = read_dataset(table, target, task=task, exclude=exclude, positive=positive, **beside)
    params = ({} if cv is None else {"cv": cv}) | {"random_state": random_state} | params
    decision = {"costs": costs, "prevalence": prevalence}
    procedure = Procedure(dataset, params, _for_classes(dataset, decision))
    held_out = hold_out(dataset, test_size, random_state)
    if large is not None:
        limits = {"memory": memory} if client is None else {"client": client}
        procedure = large_procedure(procedure, large, exclude, limits, groups=groups, time=time)
    say(0, 1, "checking")
    known = {"groups": groups, "time": time}
    found, remarks = _checked(table, target, dataset, known, read) if check else (None, ())
    clock.lap("checking")
    if isinstance(procedure, LargeProcedure):
        fitted = fit_and_score_large(procedure, test, test_size, score, _after(say, 1))
        found = None if found is None else found.of_sample(procedure.table.n_rows)
    else:
        fitted = fit_and_score(procedure, held_out, test, score, _after(say, 1))
    say(1, 1, "done")
    clock.lap("fitting and scoring")
    notes_of_all = (*notes, *dataset.notes, *_costs_note(dataset, costs), *remarks, *fitted.notes)
    n_rows = dataset.n_rows
    if large is not None:
        n_rows, notes_of_all = rows_and_notes(large, dataset.target, notes_of_all)
    return FitResult(
        tree_model=fitted.model, task=dataset.task, target=dataset.target,
        positive=dataset.positive, positive_given=dataset.given_positive is not None,
        scores=tuple(fitted.scores[0]), best_scores=tuple(fitted.scores[1]),
        scored_on=fitted.scored_on, check=found, n_rows=n_rows, notes=notes_of_all,
        column_notes=(*notes, *dataset.column_notes),
        columns=dataset.columns, params=procedure.params | fitted.params, random_state=random_state,
        seconds=clock.laps, formats=formats,
        zero_one=() if large is not None else dataset.zero_one(_tested(fitted.model)),
        training_rows={} if large is not None else _digest(dataset, held_out),
        divided_by=_divided_by(groups, time),
        _procedure=None if large is not None else procedure.on(Data(None, dataset.y[:0])),
    )  # fmt: skip


def _after(say: Progress, n_steps: int) -> Progress:
    """Report steps that come after some others."""
    return lambda done, total, what: say(done + n_steps, total + n_steps, what)


def _with_numbers(table: Any, y: Any) -> tuple[Any, Any]:
    """The table and its target, with the numbers of a target that is text."""
    import narwhals.stable.v2 as nw

    if not is_name(y):
        found = numbers_of_text(read_values(y, "y"))
        return table, y if found is None else found[0]
    frame = nw.from_native(table, eager_only=True)
    found = numbers_of_text(read_values(frame[y], "y"))
    if found is None:
        return table, y
    column = nw.new_series(y, found[0], nw.Float64, backend=frame.implementation)
    return frame.with_columns(column).to_native(), y


def _divided_by(groups: Any, time: Any) -> dict[str, str]:
    given = {"groups": groups, "time": time}
    return {name: each if is_name(each) else "an array" for name, each in given.items() if each is not None}


def _tested(model: Any) -> list[int]:
    """The columns that the trees of a model test."""
    models = [model, getattr(model, "best_", model)]
    return sorted({column for each in models for column in as_fitted(each).used})


class _Clock:
    """How long each part took."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self.last = perf_counter()

    def lap(self, name: str) -> None:
        now = perf_counter()
        self.laps[name], self.last = now - self.last, now


def _for_classes(dataset: Dataset, decision: dict[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in decision.items() if value is not None}
    if given and not dataset.is_classification:
        raise ParameterError(
            f"{next(iter(given))} is for classes. Got a target of numbers. Leave it out.", next(iter(given))
        )
    return given


def _digest(dataset: Dataset, held_out: Fold | None) -> dict[str, Any]:
    """The digest of the rows that the model is trained on."""
    data = dataset.data if held_out is None else dataset.data.rows(held_out.train)
    found = TrainingRows.of(data.X, data.y)
    return {} if found is None else found.to_dict()


def _costs_note(dataset: Dataset, costs: Any) -> tuple[str, ...]:
    """Which class the costs of two mistakes are about, where the user did not say so."""
    if not isinstance(costs, Mapping) or dataset.given_positive is not None:
        return ()
    positive = dataset.positive
    note = f"costs: false negative = a missed {positive!r}, false positive = a wrong {positive!r}."
    return (f"{note} No positive class was given, so the second of the two is taken.",)


def _checked(
    table: Any, target: Any, dataset: Dataset, known: dict[str, Any], read: Any
) -> tuple[DataCheck | None, tuple[str, ...]]:
    """What is wrong with the table; of a large one, with rows drawn from it. `read` is as it was given."""
    if hasattr(table, "toarray"):
        return None, ("A sparse matrix is not checked.",)
    inside = is_name(target)
    y: Any = dataset.target if inside else target
    if not dataset.is_classification:
        table, y = _with_numbers(table, y)
    used = {*dataset.columns, *([y] if inside else [])}
    unused = [name for name in names_of(table) or () if name not in used]
    notes: tuple[str, ...] = ()
    n_rows = table.shape[0]
    if n_rows > MANY_ROWS:
        drawn = np.sort(np.random.default_rng(0).choice(n_rows, MANY_ROWS, replace=False))
        notes = (f"{MANY_ROWS:,} of {n_rows:,} rows were drawn to be checked.",)
        table, y = take(table, drawn), y if inside else take(y, drawn)
    elif type(read).__name__ == "ReadTable":
        table = replace(read, frame=table)  # which knows the line of a row
    found = check_data(table, y, task=dataset.task, exclude=unused, labels=False, **known)
    return found.of_sample(n_rows), notes
