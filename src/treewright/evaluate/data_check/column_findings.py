"""Findings about columns: one function each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from .reading import MIXED, NOMINAL, Coded
from .report import LOW, MEDIUM, Finding
from .subject import Subject, count_of, listed, named, names_of, title_of

DISTINCT = 0.95  # the share of distinct values from which a column may be a key
ENOUGH = 20  # values from which a column may be a key
FEWEST = 5  # values from which it is one in a small table, if nothing speaks against it
LARGE = 1_000_000  # whole numbers of this size that hardly repeat are rarely measured
ALIKE = "If they mean the same, spell them alike."
ONE_WAY, COUNTING = "and goes in one direction from row to row", "that count the rows"
CERTAINLY = "An identifier does not help to predict other rows: leave it out."
MAYBE = "If it is an identifier, leave it out; if it is a time, give it as time; if it was measured, keep it."
KEY_WORDS = {
    "id",
    "ids",
    "key",
    "uuid",
    "guid",
    "uid",
    "pk",
    "index",
    "idx",
    "rownum",
    "serial",
    "code",
    "number",
    "row",
}


def key_columns(q: Subject) -> Iterator[Finding]:
    """Columns that name rows instead of describing them."""
    for feature in q.features:
        why = _key_because(feature)
        if why:
            ordered = why in {ONE_WAY, COUNTING} and not _has_name_of_key(feature)
            advice = MAYBE if ordered else CERTAINLY
            yield Finding(
                "id-like column",
                (feature.name,),
                np.flatnonzero(feature.codes >= 0),
                f"Column {feature.name!r} has {len(feature.levels):,} distinct values in "
                f"{feature.n_present:,} rows {why}. {advice}",
                severity=LOW if why == COUNTING and ordered else "",
            )


def _key_because(feature: Coded) -> str:
    n, distinct = feature.n_present, len(feature.levels)
    if n < ENOUGH:
        return _key_of_few(feature)
    if distinct < DISTINCT * n:
        return ""
    if feature.kind in {NOMINAL, MIXED}:
        return "of text" if isinstance(feature.levels[0], str) else "without an order"
    if not feature.is_whole:
        return ""
    steps = np.diff(feature.codes[feature.codes >= 0])
    if (steps > 0).all() or (steps < 0).all():
        return ONE_WAY
    low, high = float(feature.levels[0]), float(feature.levels[-1])
    expected = n * n / (2 * (high - low + 1))  # repeats of numbers drawn from that range
    if expected >= 5 and n - distinct <= expected / 10:
        return f"though its range has room for {expected:,.0f} repeats"
    if _has_name_of_key(feature):
        return "and the name of a key"
    if np.median(np.abs(np.asarray(feature.levels, dtype=np.float64))) >= LARGE:
        return "and large whole numbers"
    return ""


def _key_of_few(feature: Coded) -> str:
    """In a table of few rows: text without a repeat, or numbers that count the rows."""
    n, codes = feature.n_present, feature.codes[feature.codes >= 0]
    if n < FEWEST or len(feature.levels) < n:
        return ""
    if feature.kind == NOMINAL and isinstance(feature.levels[0], str):
        return "of text"
    if not feature.is_whole or not (np.diff(codes) == 1).all():
        return ""
    counts = float(feature.levels[-1]) - float(feature.levels[0]) == n - 1
    return COUNTING if counts else ""


def _has_name_of_key(feature: Coded) -> bool:
    return bool(KEY_WORDS & name_words(feature.name))


def still_columns(q: Subject) -> Iterator[Finding]:
    """Columns with one value, or none."""
    every = np.arange(q.n_rows)
    constant = [f.name for f in q.features if len(f.levels) == 1 and f.n_present == q.n_rows]
    if constant:
        it = "it" if len(constant) == 1 else "them"
        one = "has one value" if len(constant) == 1 else "have one value each"
        sentence = f"{named(constant)} {one} in all rows. No split can use that: leave {it} out."
        yield Finding("constant column", tuple(constant), every, sentence)
    empty = [f.name for f in q.features if not len(f.levels)]
    if empty:
        has, it = ("has", "it") if len(empty) == 1 else ("have", "them")
        sentence = f"{named(empty)} {has} no value in any row: leave {it} out."
        yield Finding("empty column", tuple(empty), every, sentence)
    if len(q.target.levels) == 1:
        sentence = "The target has the same value in all rows that have one. There is nothing to learn."
        yield Finding("constant column", (), q.known, sentence)


def similar_levels(q: Subject) -> Iterator[Finding]:
    """Levels that differ only by case or blanks."""
    for column in (*q.features, q.target):
        if column.kind not in {NOMINAL, MIXED}:
            continue
        alike: dict[str, list[int]] = {}
        for i, level in enumerate(column.levels):
            if isinstance(level, str):
                alike.setdefault("".join(level.split()).casefold(), []).append(i)
        groups = [sorted(same, key=lambda i: -column.counts[i]) for same in alike.values() if len(same) > 1]
        if not groups:
            continue
        usual = {i: same[0] for same in groups for i in same[1:]}
        rows = np.flatnonzero(np.isin(column.codes, list(usual)))
        apart = " They are predicted as different classes." if column is q.target else ""
        shown = listed([" = ".join(repr(column.levels[i]) for i in same) for same in groups])
        yield Finding(
            "similar levels",
            names_of(column, q),
            rows,
            f"{title_of(column, q)} has levels that differ only by case or blanks: {shown}. "
            f"The less frequent spellings are in {count_of(rows)}. {ALIKE}{apart}",
            {column.levels[i]: column.levels[j] for i, j in usual.items()},
            without_values=f"{title_of(column, q)} has levels that differ only by case or blanks, "
            f"in {count_of(rows)}. {ALIKE}",
            severity=MEDIUM if apart else "",
        )


def name_words(name: Any) -> set[str]:
    """The words of a column's name: customerId and customer_id are customer and id."""
    return set(re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", str(name)).lower()))
