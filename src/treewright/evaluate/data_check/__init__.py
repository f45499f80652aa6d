"""`treewright.check`: look at a table and its target before fitting, and list their faults."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ...data.common.allowed import YES_NO
from ...data.common.errors import ParameterError
from ...data.common.hints import nearest
from ...data.common.plural import counted
from ...data.target import MOST_CLASSES, reject_many_classes
from ...learn.fitted_tree import is_file
from . import column_findings as of_columns
from . import fold_findings as of_folds
from . import row_findings as of_rows
from .label_findings import suspect_labels
from .leak_findings import leakage
from .mixed_types import mixed_types
from .reading import NOMINAL, NUMBER, Array, Coded, as_times, read, read_beside
from .redundant_columns import collinear_columns, equal_columns
from .report import KINDS, SEVERITIES, DataCheck, Finding
from .subject import Subject, listed

__all__ = ["KINDS", "DataCheck", "Finding", "check"]

_SHOWN = 6


def check(  # noqa: PLR0913
    table: Any,
    target: Any,
    *,
    positive: Any = None,
    task: str | None = None,
    exclude: str | int | Iterable[Any] | None = (),
    groups: Any = None,
    time: Any = None,
    leak: float = 0.95,
    labels: bool = True,
) -> DataCheck:
    """List the faults of a table, and how many rows each affects. Nothing is changed.

    Parameters
    ----------
    table : frame (pandas, polars, pyarrow, ...), array of two dimensions, or path of a file
    target : name of a column, or an array with one entry per row
    positive : class, optional
        Look at this class against all the others.
    task : 'classification', 'regression' or None
        None: text, booleans, and whole numbers of at most 20 values are classes, other numbers are numbers.
    exclude : name or list of names, default=()
        Columns not to look at: known keys, for example, so that rows which differ in nothing else count as
        duplicates.
    groups, time : name of a column or array, optional
        As given to `treewright.fit`: then rows that look grouped or ordered in time are no finding,
        but that the target or other columns change with the time is one.
    leak : float, default=0.95
        A column that alone removes this share of the errors of the baseline (or of the variance) is a leakage
        suspect.
    labels : bool, default=True
        Whether to look for suspect labels, for which many small trees are grown.

    Returns
    -------
    DataCheck
        Findings of these kinds, the worst first.

        - 'missing target': rows without one.
        - 'contradictory rows': the same features and another class; id-like columns are not compared.
        - 'duplicated rows': equal to an earlier row in every column and the target. Missing equals missing.
        - 'suspect label' (low): rows of at most 20,000 whose class is hardly ever predicted by trees that
          were grown without the row, where 95 % of all other rows are predicted right. Where the classes
          overlap more, nothing is reported: a wrong label looks like an unusual row. Rows with
          wrong labels that confirm each other cannot be found so.
        - 'rare class': less than 1 % of the rows; or fewer than 5 rows and than half of an average class.
        - 'leakage suspect' (high): a copy of the target; a column that has values, or is missing, in rows of
          one class only; or a column that alone predicts almost perfectly rows that it was not fitted to, by
          a table of levels or a tree of 64 leaves, in three folds of at most 20,000 rows and at least 20. A
          column with no more values than there are classes is one from 0.05 below `leak`: a copy with errors.
        - 'grouped rows' (high): rows with the same value of a column (an id) have the same target, or nearly
          equal other columns; or (medium) many rows are equal beyond chance. Give `groups` to `fit`.
        - 'ordered in time': a column of dates, or of text such as 2020-01-31; high or medium if the target or
          other columns change with them, else low. Give `time` to `fit`.
        - 'drift in time' (low): the target or other columns change with the `time` that is given.
        - 'sorted rows': the target changes with the order of the rows, and there is no column of dates.
        - 'id-like column': at least 20 values, 95 % of them distinct, and text; or whole numbers that rise or
          fall from row to row, repeat less than chance would have it, have the name of a key, or are large.
          With 5 to 19 values: text that is different in every row, or numbers that count the rows (low,
          without the name of a key: they may be a time or a measurement).
        - 'equal columns' (low): a column that says of every row the same as another one, be it in other
          words (a code and its name) or on another scale (Celsius and Fahrenheit).
        - 'collinear columns' (low): a column of numbers that is a linear combination of others, as a total
          is.
        - 'constant column', 'empty column': one value in all rows; none in any.
        - 'mixed types': several types; text of which 80 % and more are numbers or times; or numbers in
          several units or formats. Names the odd values, and their lines if the table is a file.
        - 'similar levels': they differ only by case or blanks.
    """
    line_of = None
    if is_file(table):
        from ...data.files import read_table

        read_file = read_table(Path(table)) if isinstance(table, str | os.PathLike) else table
        table, line_of = read_file.frame, read_file.line_of
    features, y_column = _read_both(table, target)
    beside = [name for name in (groups, time) if isinstance(name, str)]
    names = [feature.name for feature in features if feature is not y_column]
    left_out = _excluded(exclude, "exclude", names) | _excluded(beside, "groups and time", names)
    columns = tuple(column.name for column in features if column is not y_column)
    every = tuple(column.name for column in features)
    if groups is not None and not isinstance(groups, str):
        read_beside(groups, len(y_column.codes), "groups")
    if time is not None:
        time = (
            next((f for f in features if f.name == time), None)
            if isinstance(time, str)
            else (read_beside(time, len(y_column.codes), "time"))
        )
    time = None if time is None else as_times(time)
    features = [as_times(f) for f in features if f is not y_column and f.name not in left_out]
    if not features:
        raise ValueError(f"table must have a column besides the target. Got {len(columns)} to look at.")
    if not isinstance(leak, int | float) or not 0 < leak <= 1:
        raise ParameterError(f"leak must be a share above 0 and at most 1. Got {leak!r}.", "leak")
    if not YES_NO.holds(labels):
        raise ParameterError(f"labels must be True or False. Got {labels!r:.80}.", "labels")
    names_of_classes, y = _classes_or_numbers(y_column, task, positive)
    known = groups is not None
    q = Subject(features, y_column, names_of_classes, y, float(leak), known, time, line_of, labels)
    summary = _summary(q, len(columns) - len(features))
    return DataCheck(tuple(_findings(q)), q.n_rows, every, y_column.name, summary)


def _findings(q: Subject) -> list[Finding]:
    mixed = list(mixed_types(q))
    apart = {name for finding in mixed for name in finding.columns}  # numbers: neither keys nor groups
    keys = [each for each in of_columns.key_columns(q) if each.columns[0] not in apart]
    named = [finding.columns[0] for finding in keys if finding.option]
    copies = list(equal_columns(q, named))
    leaks = list(leakage(q))
    coded = {feature.name for feature in q.features if len(feature.levels) <= len(q.labels)}
    codes = [name for finding in leaks for name in finding.columns if name in coded]  # for the classes
    found = [
        *of_rows.missing_target(q),
        *of_rows.same_rows(q, named),
        *(suspect_labels(q, [*named, *codes]) if q.labels_checked else ()),
        *of_rows.rare_classes(q),
        *leaks,
        *of_folds.grouped_rows(q, apart),
        *of_folds.ordered_in_time(q),
        *keys,
        *copies,
        *collinear_columns(q, [finding.columns[0] for finding in copies]),
        *of_columns.still_columns(q),
        *mixed,
        *of_columns.similar_levels(q),
    ]
    return sorted(found, key=lambda each: (SEVERITIES.index(each.severity), KINDS.index(each.kind)))


def _read_both(table: Any, target: Any) -> tuple[list[Coded], Coded]:
    """All columns of the table, and the target, which may be one of them."""
    columns = read(table)
    n_rows = len(columns[0].codes) if columns else 0
    if not n_rows:
        got = f"{counted(n_rows, 'row')} and {counted(len(columns), 'column')}"
        raise ValueError(f"table must have at least one row and one column. Got {got}.")
    names = [column.name for column in columns]
    if isinstance(target, str) or np.ndim(target) == 0:
        if target not in names:
            hint = nearest(target, names) or f" It has {listed(list(map(repr, names)))}."
            raise ValueError(
                f"target must be a column of the table or an array with one entry per row. Got {target!r}."
                f"{hint}"
            )
        return columns, columns[names.index(target)]
    return columns, read_beside(target, n_rows, "target")


def _excluded(given: str | int | Iterable[Any] | None, what: str, names: list[Any]) -> set[Any]:
    several: Any = given if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    found = set() if given is None else set(several)
    unknown = sorted(repr(name) for name in found if name not in names)
    if unknown:
        raise ValueError(
            f"{what} must name columns of the table, and not the target. Got {', '.join(unknown)}."
        )
    return found


def _classes_or_numbers(y_column: Coded, task: str | None, positive: Any) -> tuple[list[str], Array]:
    """The names of the classes and their codes; or no names, and the numbers."""
    if task not in {None, "classification", "regression"}:
        raise ParameterError(f"task must be 'classification', 'regression' or None. Got {task!r}.", "task")
    if not len(y_column.levels):
        raise ValueError("target must have a value in at least one row. Got only missing ones.")
    few = y_column.is_whole and len(y_column.levels) <= MOST_CLASSES
    is_class = task == "classification" or (task is None and (y_column.kind != NUMBER or few))
    if positive is not None:
        is_class = is_class or task is None
        return _against_the_rest(y_column, positive, is_class)
    if is_class:
        if y_column.kind == NOMINAL:
            reject_many_classes(len(y_column.levels), task, y_column.levels[0])
        return [repr(_plain(level)) for level in y_column.levels], y_column.codes
    if y_column.kind != NUMBER:
        raise ParameterError(
            f"task='regression' needs a target of numbers. Got one of kind {y_column.kind!r}.", "task"
        )
    levels = np.append(np.asarray(y_column.levels, dtype=np.float64), np.nan)
    return [], levels[y_column.codes]


def _against_the_rest(y_column: Coded, positive: Any, is_class: bool) -> tuple[list[str], Array]:
    levels = list(y_column.levels)
    if not is_class:
        raise ParameterError(
            "positive is for classes, but task='regression'. Leave one of the two out.", "positive"
        )
    if positive not in levels:
        shown = listed([repr(_plain(level)) for level in levels])
        raise ParameterError(
            f"positive must be a class of the target. Got {positive!r}. It has {shown}.", "positive"
        )
    is_positive = y_column.codes == levels.index(positive)
    return ["other", repr(_plain(positive))], np.where(y_column.codes < 0, -1, is_positive)


def _summary(q: Subject, n_excluded: int) -> str:
    name = "the target" if q.target.name is None else f"target {q.target.name!r}"
    excluded = f" ({n_excluded} more excluded)" if n_excluded else ""
    size = f"{counted(q.n_rows, 'row')}, {counted(len(q.features), 'column')}{excluded}; {name}"
    if not q.labels:
        return f"{size} is a number with {counted(len(q.target.levels), 'distinct value')}"
    counts = np.bincount(q.y[q.known], minlength=len(q.labels))
    few = len(q.labels) <= _SHOWN  # in the order of `classes_`; of many the most frequent
    order = _sorted_places(q) if few else np.argsort(-counts, kind="stable")
    shown = listed([f"{q.labels[k]} {counts[k]:,}" for k in order], _SHOWN)
    return f"{size} has {counted(len(q.labels), 'class')}: {shown}"


def _sorted_places(q: Subject) -> list[int]:
    """The places of the classes in sorted order."""
    levels = list(q.target.levels) if len(q.labels) == len(q.target.levels) else []
    try:
        return sorted(range(len(levels)), key=levels.__getitem__) or list(range(len(q.labels)))
    except TypeError:  # levels of several types
        return list(range(len(q.labels)))


def _plain(level: Any) -> Any:
    return level.item() if isinstance(level, np.generic) else level
