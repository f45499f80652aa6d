"""Findings about how rows must be divided into folds: groups of similar rows, and an order in time."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from ...data.common.plural import counted
from .column_findings import name_words
from .drift import BLOCKS, drift_of_levels, drift_of_numbers
from .equal_rows import Rows, equal_rows, repeats
from .reading import DATETIME, NOMINAL, NUMBER, Coded
from .report import HIGH, LOW, MEDIUM, Finding
from .subject import Subject, listed

GROUP_WORDS = {
    "id", "ids", "key", "uid", "uuid", "guid", "code", "patient", "subject", "person", "customer", "client",
    "user", "household", "family", "device", "sensor", "machine", "session", "visit", "store", "shop",
    "school", "batch", "group", "participant", "account",
}  # fmt: skip
FEWEST_GROUPS = 5
UNNAMED_GROUPS = 20  # distinct values from which a column without such a name may hold groups
ALIKE = 0.2  # the share of the variance that is left within groups, below which rows are alike
TARGET = 0.5  # the share of the errors that knowing the group removes, from which its target is the same
TARGET_NAMED = 0.2  # the same, for a column with the name of a group
MOST_PER_GROUP = 20  # rows, on average, up to which a text without such a name may hold groups
MOST_OTHERS = 40  # columns in which the rows of a group are compared
MOST_CHANCE, FEWEST_EQUAL = 0.01, 0.1  # of the rows: equal by chance, and equal in this table
LATER = "If the model will predict later rows, shuffled folds score too well: then"
WEAK, STRONG = 0.15, 0.4  # Cramér's V, or the correlation, of a drift
YEARS = 1500, 2200
IS_TIME = 0.95  # the correlation from which a column is the time in other words: a year, a running number


def grouped_rows(q: Subject, apart: Collection[Any] = ()) -> Iterator[Finding]:
    """Columns such as an id whose rows are alike, and rows that are equal beyond chance.

    Columns that are `apart` hold no groups.
    """
    if q.groups_known:
        return
    found = False
    for column in q.features:
        why = "" if column.name in apart else _group_because(column, q)
        if why:
            found = True
            n, groups = column.n_present, len(column.levels)
            yield Finding(
                "grouped rows",
                (column.name,),
                np.flatnonzero(column.codes >= 0),
                f"Column {column.name!r} has {groups:,} distinct values in {n:,} rows, and rows with the "
                f"same value {why}. Shuffled folds have such rows on both sides, and score too well. Give "
                "this column as groups.",
            )
    again = q.repeated
    if not found and len(again) >= FEWEST_EQUAL * q.n_rows and _by_chance(q) <= MOST_CHANCE * q.n_rows:
        yield Finding(
            "grouped rows",
            (),
            again,
            f"{counted(len(again), 'row')} repeat an earlier row, far more than by chance. If rows come from "
            "the same source, give groups= what names it; if they are copies, remove them.",
            severity=MEDIUM,
        )


def _group_because(column: Coded, q: Subject) -> str:
    """In what the rows of a group are alike; nothing if the column does not hold groups."""
    groups, n = len(column.levels), column.n_present
    named = bool(GROUP_WORDS & name_words(column.name))
    if groups < (FEWEST_GROUPS if named else UNNAMED_GROUPS) or n < 2 * groups:
        return ""
    if column.kind in {DATETIME, NUMBER} and not column.is_whole:
        return ""
    limit = TARGET_NAMED if named else TARGET
    same = q.one_column.can_tell() and q.one_column.score(column, limit, levels_only=True) >= limit
    many = column.kind == NOMINAL and n <= MOST_PER_GROUP * groups  # names of things, not a category
    if not named and not same:
        return ""
    alike = _within(column, q) <= ALIKE
    if not alike and not (same and (named or many)):
        return ""
    parts = ["have nearly the same target"] * same + ["are nearly equal in the other columns"] * alike
    return " and ".join(parts)


def _within(group: Coded, q: Subject) -> float:
    """The median over the other columns of the variance within groups, as a share of all of it.

    Of n rows in k groups, (n - k) / (n - 1) is left by chance; the share is relative to that.
    """
    rows = np.flatnonzero(group.codes >= 0)
    codes, n, k = group.codes[rows], len(rows), len(group.levels)
    others = [c for c in q.features if c is not group and c.is_ordered and len(c.levels) >= UNNAMED_GROUPS]
    shares = []
    for column in others[:: max(len(others) // MOST_OTHERS, 1)]:
        values = column.codes[rows].astype(np.float64)  # ranks, which outliers do not rule
        total = float(((values - values.mean()) ** 2).sum())
        means = np.bincount(codes, values, k) / np.bincount(codes, minlength=k)
        shares.append(float(((values - means[codes]) ** 2).sum()) / total * (n - 1) / max(n - k, 1))
    return float(np.median(shares)) if shares else 1.0


def _by_chance(q: Subject) -> int:
    """How many rows would repeat an earlier one if the columns had nothing to do with each other."""
    rng = np.random.default_rng(0)
    columns = [
        Coded(each.name, each.kind, rng.permutation(each.codes), each.levels)
        for each in (*q.features, q.target)
    ]
    return len(repeats(equal_rows(columns, np.arange(q.n_rows))))


def ordered_in_time(q: Subject) -> Iterator[Finding]:
    """Columns of dates, and what drifts with them; or a target that drifts with the order of the rows."""
    if q.time is not None:
        yield from _drift_in_time(q.time, q)
        return
    dates = [each for each in q.features if _is_time(each) and len(each.levels) >= BLOCKS]
    for column in dates:
        severity, what = _drift_over(column, q)
        if severity == LOW and column.kind != DATETIME:
            continue
        text = " It is text: to predict with it, convert it to dates." if column.is_text else ""
        later = LATER if severity != LOW else "To score on later rows all the same,"
        yield Finding(
            "ordered in time",
            (column.name,),
            np.flatnonzero(column.codes >= 0),
            f"Column {column.name!r} holds dates or times{what} {later} give this column as time. It is then "
            f"not used to predict.{text}",
            severity=severity,
        )
    if not dates and _target_drift(q, q.known) >= STRONG:
        yield Finding(
            "sorted rows",
            (),
            q.known,
            "The target changes from the first rows to the last. If the rows are in the order of time, give "
            "a column with the time. If they are sorted by something else, ignore this: folds are shuffled.",
        )


def _drift_in_time(time: Coded, q: Subject) -> Iterator[Finding]:
    """A target that changes with the time that was given."""
    severity, what = _drift_over(time, q)
    if severity != LOW:
        where = "" if time.name is None else f" in column {time.name!r}"
        yield Finding(
            "drift in time",
            (),
            np.flatnonzero(time.codes >= 0),
            f"There are times{where}{what} A model of earlier rows may predict later ones worse: compare "
            "the scores of the folds.",
        )


def _is_time(column: Coded) -> bool:
    """Dates, or whole numbers that are called a year and may be one."""
    if column.kind == DATETIME:
        return True
    if not column.is_whole or not {"year", "yr"} & name_words(column.name):
        return False
    return bool(YEARS[0] <= column.levels[0] and column.levels[-1] <= YEARS[1])


def _drift_over(date: Coded, q: Subject) -> tuple[str, str]:
    """How much it matters that rows are in the order of a date, and what changes with it, in words."""
    rows = np.flatnonzero(date.codes >= 0)
    rows = rows[np.argsort(date.codes[rows], kind="stable")]
    target = _target_drift(q, rows[q.target.codes[rows] >= 0])
    if target >= STRONG:
        return HIGH, ", and the target changes with them."
    if target >= WEAK:
        return MEDIUM, ", and the target changes a little with them."
    others = [each for each in q.features if each.kind != DATETIME]
    moving = [repr(each.name) for each in others if STRONG <= _column_drift(each, rows) < IS_TIME]
    if moving:
        return MEDIUM, f", and other columns change with them: {listed(moving, 3)}."
    return LOW, "; neither the target nor other columns change with them."


def _target_drift(q: Subject, rows: Rows) -> float:
    return drift_of_levels(q.y[rows]) if q.labels else drift_of_numbers(q.y[rows])


def _column_drift(column: Coded, rows: Rows) -> float:
    codes = column.codes[rows]
    codes = codes[codes >= 0]
    return drift_of_numbers(codes) if column.is_ordered else drift_of_levels(codes)
