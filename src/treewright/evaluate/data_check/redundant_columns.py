"""Findings about columns that others make redundant: copies, and linear combinations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .reading import BOOLEAN, NUMBER, Coded
from .report import Finding
from .subject import Subject, listed

Floats = NDArray[np.float64]

ENOUGH, ENOUGH_OF_TWO = 8, 20  # rows with a value; columns of two values are soon equal by chance
MOST_ROWS, MOST_COLUMNS = 5_000, 200  # of the search for linear combinations
RESIDUAL = 1e-3  # of the standard deviation: what rounding may leave of a column
LEAST_TERM = 1e-4  # a coefficient of standardised columns that counts


def equal_columns(q: Subject, keys: Iterable[Any]) -> Iterator[Finding]:
    """Columns that say of every row the same as another column, in the same or in other words."""
    left_out = set(keys)
    groups: defaultdict[bytes, list[Coded]] = defaultdict(list)
    for feature in q.features:
        if feature.name not in left_out and _is_compared(feature):
            groups[_pattern(feature)].append(feature)
    for group in groups.values():
        first, *copies = group
        for copy in copies:
            same = len(first.levels) == len(copy.levels) and list(first.levels) == list(copy.levels)
            how = "equals" if same else "has the same information as"
            yield Finding(
                "equal columns",
                (copy.name,),
                np.flatnonzero(copy.codes >= 0),
                f"Column {copy.name!r} {how} column {first.name!r}: rows that are alike in one are alike in "
                "the other. A tree needs only one of them. Leave one out, so that the importance of the "
                "other is not misread.",
            )


def _is_compared(feature: Coded) -> bool:
    enough = ENOUGH_OF_TWO if len(feature.levels) == 2 else ENOUGH
    return len(feature.levels) > 1 and feature.n_present >= enough


def _pattern(feature: Coded) -> bytes:
    """Which rows are alike; where nearly every row is of its own, their order too, in either direction."""
    codes = feature.codes
    if feature.is_ordered and 2 * len(feature.levels) > feature.n_present:
        turned = np.where(codes < 0, -1, len(feature.levels) - 1 - codes)
        return b"order" + min(codes.tobytes(), turned.tobytes())
    if 2 * len(feature.levels) > feature.n_present:
        return b"names" + repr(feature.name).encode() + codes.tobytes()  # of its own
    used, first = np.unique(codes, return_index=True)
    place = np.empty(len(feature.levels) + 1, dtype=np.int64)
    place[used] = np.argsort(np.argsort(first))
    place[-1] = -1
    return b"groups" + place[codes].tobytes()


def collinear_columns(q: Subject, copies: Iterable[Any]) -> Iterator[Finding]:
    """Columns of numbers that are sums of others, but for rounding."""
    names, table = _numbers(q, set(copies))
    n_rows, n_columns = table.shape
    if n_columns < 3 or n_rows < max(20, 3 * n_columns):
        return
    basis = np.empty((n_rows, 0))
    kept: list[int] = []
    for j in range(n_columns):
        rest = table[:, j] - basis @ (basis.T @ table[:, j])
        rest -= basis @ (basis.T @ rest)  # once more, for the digits that the first pass lost
        size = float(np.linalg.norm(rest))
        if size > RESIDUAL * np.sqrt(n_rows):
            basis = np.column_stack([basis, rest / size])
            kept.append(j)
            continue
        terms = np.linalg.lstsq(table[:, kept], table[:, j], rcond=None)[0]
        of = [names[kept[k]] for k in np.flatnonzero(np.abs(terms) > LEAST_TERM)]
        yield Finding(
            "collinear columns",
            (names[j],),
            np.arange(q.n_rows),
            f"Column {names[j]!r} is a linear combination of {listed([repr(name) for name in of])}. A tree "
            "divides the importance among them, and the coefficients of linear leaves are not unique. Leave "
            "it out if you read either.",
        )


def _numbers(q: Subject, copies: set[Any]) -> tuple[list[Any], Floats]:
    """The columns of finite numbers without gaps, standardised, in at most so many rows."""
    rows = np.arange(q.n_rows)
    if q.n_rows > MOST_ROWS:
        rows = np.sort(np.random.default_rng(0).choice(q.n_rows, MOST_ROWS, replace=False))
    names: list[Any] = []
    columns: list[Floats] = []
    for feature in q.features:
        usable = feature.kind in {NUMBER, BOOLEAN} and feature.name not in copies
        if not usable or feature.n_present < q.n_rows or len(columns) == MOST_COLUMNS:
            continue
        values = np.asarray(feature.levels, dtype=np.float64)[feature.codes[rows]]
        spread = values.std() if np.isfinite(values).all() else 0.0
        if np.isfinite(spread) and spread > 0:
            names.append(feature.name)
            columns.append((values - values.mean()) / spread)
    return names, np.column_stack(columns) if columns else np.empty((len(rows), 0))
