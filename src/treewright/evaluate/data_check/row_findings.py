"""Findings about rows and the target: one function each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ...data.common.plural import counted
from .equal_rows import Rows, equal_rows, mixed_groups
from .reading import Codes
from .report import Finding
from .subject import Subject, count_of, listed, named, rows_have

RARE_SHARE, RARE_ROWS = 0.01, 5
MOST_RARE = 5  # classes that get a finding each


def missing_target(q: Subject) -> Iterator[Finding]:
    """Rows that cannot be learned from."""
    rows = np.flatnonzero(q.target.codes < 0)
    if len(rows):
        sentence = f"{rows_have(rows)} no target and cannot be learned from. Leave {_it(rows)} out."
        yield Finding("missing target", (), rows, sentence)


def same_rows(q: Subject, keys: Iterable[Any]) -> Iterator[Finding]:
    """Rows with the same features and another class, and rows that are the same altogether."""
    known, apart = q.known, list(keys)
    compared = [feature for feature in q.features if feature.name not in apart]
    if q.labels and compared:
        group = equal_rows(compared, known)
        places, n_groups = mixed_groups(group, q.y[known])
        if len(places):
            wrong = _least_errors(group[places], q.y[known][places])
            but = f" apart from c{named(apart)[1:]}" if apart else ""
            yield Finding(
                "contradictory rows",
                (),
                known[places],
                f"{rows_have(places)} the same features{but} as a row of another class, in "
                f"{counted(n_groups, 'group')}. Every tree gets at least {wrong:,} of them wrong. "
                "Add a column that tells them apart, or correct wrong classes.",
            )
    again = q.repeated
    if len(again):
        words = "repeats an earlier row" if len(again) == 1 else "repeat an earlier row"
        copies = "it is a copy" if len(again) == 1 else "they are copies"
        sentence = (
            f"{count_of(again)} {words} in every column, the target included. Repeats count twice, and put "
            f"the same row on both sides of a split into training and test. If {copies}, leave "
            f"{_it(again)} out."
        )
        yield Finding("duplicated rows", (), again, sentence)


def rare_classes(q: Subject) -> Iterator[Finding]:
    """Classes with too few rows to be learned or evaluated."""
    if len(q.labels) < 2:
        return
    counts = np.bincount(q.y[q.known], minlength=len(q.labels))
    few = (counts < RARE_ROWS) & (counts < counts.mean() / 2)
    rare = few | (counts < RARE_SHARE * counts.sum())
    places = [k for k in np.argsort(counts, kind="stable").tolist() if rare[k]]
    if len(places) > MOST_RARE:
        rows = np.flatnonzero(rare[q.y] & (q.y >= 0))
        shown = listed([f"{q.labels[k]} ({counted(int(counts[k]), 'row')})" for k in places])
        sentence = (
            f"{len(places):,} of {len(q.labels):,} classes are rare: {shown}. Accuracy hardly shows them. "
            "Merge them, or collect more rows; if the target is a number, use task='regression'."
        )
        yield Finding("rare class", (), rows, sentence)
        return
    for k in places:
        rows = np.flatnonzero(q.y == k)
        yield Finding(
            "rare class",
            (),
            rows,
            f"Class {q.labels[k]} has {count_of(rows)} of {counts.sum():,} "
            f"({counts[k] / counts.sum():.2%}). "
            "Accuracy hardly shows it. Merge it, collect more rows, or give it a class_weight.",
        )


def _it(rows: Rows) -> str:
    return "it" if len(rows) == 1 else "them"


def _least_errors(group: Codes, labels: Codes) -> int:
    """Rows less the largest class of each group."""
    pairs, counts = np.unique(np.stack([group, labels]), axis=1, return_counts=True)
    largest = np.zeros(int(group.max()) + 1, dtype=np.int64)
    np.maximum.at(largest, pairs[0], counts)
    return len(group) - int(largest.sum())
