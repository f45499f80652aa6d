"""Findings about how rows must be divided into folds: groups of similar rows, and an order in time."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.plural import counted
from .column_findings import name_words
from .equal_rows import equal_rows, repeats
from .reading import DATETIME, NOMINAL, NUMBER, Coded, Codes
from .report import HIGH, MEDIUM, Finding
from .subject import Subject

Floats = NDArray[np.float64]

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
BLOCKS, DRIFT, CERTAIN = 10, 0.4, 1e-9  # Cramér's V (or correlation) and p-value of a drift

CHANGES = ", and the target changes with them"


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
    """Columns of dates, and a target that drifts with the order of the rows."""
    if q.time_known:
        return
    dates = [each for each in q.features if each.kind == DATETIME and len(each.levels) >= BLOCKS]
    for column in dates:
        rows = q.known[column.codes[q.known] >= 0]
        rows = rows[np.argsort(column.codes[rows], kind="stable")]
        drift = _drifts(q.y[rows], bool(q.labels))
        yield Finding(
            "ordered in time",
            (column.name,),
            np.flatnonzero(column.codes >= 0),
            f"Column {column.name!r} holds dates or times{CHANGES if drift else ''}. If the model will "
            "predict later rows, shuffled folds score too well. Give this column as time. It is then not "
            "used to predict.",
            severity=HIGH if drift else "",
        )
    if not dates and _drifts(q.y[q.known], bool(q.labels)):
        yield Finding(
            "sorted rows",
            (),
            q.known,
            "The target changes from the first rows to the last. If the rows are in the order of time, give "
            "a column with the time. If they are sorted by something else, ignore this: folds are shuffled.",
        )


def _drifts(y: Floats | Codes, is_class: bool) -> bool:
    """Whether the target depends on the row number: by blocks of rows, unless it is simply sorted."""
    n = len(y)
    if n < 10 * BLOCKS:
        return False
    if _is_sorted(y) or (is_class and np.count_nonzero(np.diff(y)) < 2 * len(np.unique(y))):
        return False
    from scipy import stats

    if not is_class:
        found: Any = stats.spearmanr(np.arange(n), y)
        return bool(abs(found.statistic) >= DRIFT and found.pvalue < CERTAIN)
    codes = np.unique(y, return_inverse=True)[1].ravel()
    counts = np.zeros((BLOCKS, int(codes.max()) + 1))
    np.add.at(counts, (np.arange(n) * BLOCKS // n, codes), 1)
    if counts.shape[1] < 2 or counts.sum(axis=0).min() < BLOCKS:
        return False
    test: Any = stats.chi2_contingency(counts)
    strength = np.sqrt(test.statistic / n / (min(counts.shape) - 1))
    return bool(strength >= DRIFT and test.pvalue < CERTAIN)


def _is_sorted(y: Floats | Codes) -> bool:
    steps = np.diff(y)
    return bool((steps >= 0).all() or (steps <= 0).all())
