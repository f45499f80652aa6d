"""Findings about leakage: columns that give the target away."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .leakage import FEWEST_OTHERS, FEWEST_ROWS
from .reading import NUMBER, Coded
from .report import Finding
from .subject import Subject, floored

COPY = 0.05  # how far below the limit a column with as many values as classes is still a suspect
ONE_CLASS = 0.99  # the share of one class among rows with (or without) a value
CERTAIN = 1e-9  # the chance that so many rows have that class
KNOWN = "Is it known before the target is? If not, leave it out."


def leakage(q: Subject) -> Iterator[Finding]:
    """Columns that are the target, that have a value for one class only, or that alone predict too well."""
    if not q.one_column.can_tell():
        return
    for column in q.features:
        sentence = _copies(column, q) or _one_class(column, q) or _predicts(column, q)
        if sentence:
            yield Finding("leakage suspect", (column.name,), q.known, f"Column {column.name!r} {sentence}")


def _copies(column: Coded, q: Subject) -> str:
    """A column with one value for each value of the target."""
    if len(column.levels) != len(q.target.levels) or column.n_present < len(q.known):
        return ""
    if not q.labels:
        equal = column.kind == NUMBER and np.array_equal(column.codes[q.known], q.target.codes[q.known])
        same = equal and np.array_equal(np.asarray(column.levels), np.asarray(q.target.levels))
        return "is a copy of the target. Leave it out." if same else ""
    if 2 * len(q.labels) > len(q.known):
        return ""
    pairs = np.unique(column.codes[q.known] * len(q.labels) + q.y[q.known])
    if len(pairs) != len(q.labels) or len(np.unique(pairs % len(q.labels))) != len(q.labels):
        return ""
    return "is a copy of the target: each of its values occurs with one class only. Leave it out."


def _one_class(column: Coded, q: Subject) -> str:
    """A column that is missing, or has a value, in rows of one class alone."""
    there = column.codes[q.known] >= 0
    if not q.labels or not there.any() or there.all():
        return ""
    y = q.y[q.known]
    shares = np.bincount(y, minlength=len(q.labels)) / len(y)
    for rows, words in ((there, "has a value only"), (~there, "is missing only")):
        counts = np.bincount(y[rows], minlength=len(q.labels))
        k, n = int(counts.argmax()), int(counts.sum())
        share, chance = counts[k] / n, n * np.log(max(shares[k], 1e-300))
        strong = share >= ONE_CLASS and 1 - share <= (1 - shares[k]) / 10 and n >= FEWEST_ROWS
        if strong and n - counts[k] < FEWEST_OTHERS + n / 200 and chance < np.log(CERTAIN):
            rest = "" if counts[k] == n else f" ({counts[k]:,} of {n:,} rows)"
            return f"{words} in rows of class {q.labels[k]}{rest}. {KNOWN}"
    return ""


def _predicts(column: Coded, q: Subject) -> str:
    """A column that alone removes almost all errors, evaluated on held-out rows."""
    copied = len(column.levels) <= len(q.labels)  # the classes under other names, with some errors
    limit = q.leak - COPY if copied else q.leak
    score = q.one_column.score(column, limit)
    if score < limit:
        return ""
    what = "errors of the baseline (the most frequent class)" if q.labels else "variance of the target"
    some = len(q.one_column.rows) < len(q.known)
    sample = f" on {len(q.one_column.rows):,} of {len(q.known):,} rows" if some else ""
    return f"alone removes {floored(score)} of the {what}, cross-validated{sample}. {KNOWN}"
