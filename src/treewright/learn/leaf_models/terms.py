"""The terms of linear leaves: what a coefficient can stand before, as one matrix of standardised columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.common.array_types import Floats, Ints
from ...tree.leaf_models import IS_MISSING, NUMBER
from ..problem import Problem

FEWEST = 5  # rows of a level, or with a missing value, that a term of its own needs
MOST_LEVELS = 50  # of one column that have a term; the rarer ones have none
MOST_TERMS = 64  # of all leaves together: those most correlated with the target


class Term(NamedTuple):
    """(x - mean) / scale, where x is a number, or 1 and 0 for whether it is missing or has a level."""

    feature: int
    level: int  # NUMBER, IS_MISSING, or the code of a level
    mean: float
    scale: float


@dataclass(frozen=True)
class Terms:
    """Terms by column of `values`, whose first column is 1 for every row. A missing number is at the mean."""

    feature: Ints
    level: Ints
    mean: Floats
    scale: Floats
    values: Floats  # (rows, 1 + terms + targets)
    row_hash: NDArray[np.uint64]  # of each row, from its values alone

    def __len__(self) -> int:
        return len(self.feature)

    @property
    def design(self) -> Floats:
        """The values without the targets."""
        return self.values[:, : 1 + len(self)]


def read_terms(problem: Problem, wanted: list[int], weight: Floats, targets: Floats) -> Terms:
    """The most promising terms of these columns: numbers, frequent levels, whether a value is missing.

    A column that does not vary has no term, nor one whose squares are beyond floats. Of a nominal column
    without missing values or rare levels the most frequent level has none: the others differ from it.
    `weight` is in rows.
    """
    columns, types = problem.columns, problem.types
    moments, row_hash = _core.column_moments(columns, weight, problem.n_threads)
    found: list[Term] = []
    for column in wanted:
        known, missing, mean, scale, infinite = moments[column].tolist()
        if types is not None and types[column].kind == "nominal":
            codes = columns.numbers(column)
            found += [_indicator(column, code, share) for code, share in _frequent(codes, weight)]
        elif infinite:
            raise not_finite(column)
        elif known > 0 and 1e-12 * max(abs(mean), np.finfo(float).tiny) < scale < np.inf:
            found.append(Term(column, NUMBER, mean, scale))
        if missing >= FEWEST and known > 0:
            found.append(_indicator(column, IS_MISSING, missing / (known + missing)))
    if len(found) > MOST_TERMS:
        found = _most_correlated(problem, found, weight, targets)
    values = _written(problem, found, targets.shape[1])
    values[:, 1 + len(found) :] = targets
    feature, level, mean, scale = _arrays(found)
    return Terms(feature.astype(np.int64), level.astype(np.int64), mean, scale, values, row_hash)


def not_finite(column: int) -> ValueError:
    """What is said of a column with an infinite value."""
    return ValueError(
        f"A linear leaf needs finite numbers. Got an infinite value in column {column}. Replace it, "
        "or mark it as missing."
    )


def _indicator(column: int, level: int, share: float) -> Term:
    return Term(column, level, share, float(np.sqrt(share * (1 - share))))


def _frequent(codes: Floats, weight: Floats) -> list[tuple[int, float]]:
    """The levels that have a term, most frequent first, with their shares; the most frequent of all has none
    if it can."""
    known, total = ~np.isnan(codes), float(weight.sum())
    count = np.bincount(codes[known].astype(np.int64), weight[known])
    order = np.argsort(-count, kind="stable")
    often = order[count[order] >= FEWEST][: MOST_LEVELS + 1]
    rest = total - float(count[often].sum())
    often = often[1:] if rest < FEWEST or len(often) > MOST_LEVELS else often
    return [(int(code), float(count[code]) / total) for code in often if count[code] < total]


def _arrays(terms: list[Term]) -> list[Floats]:
    return [np.array([term[k] for term in terms]) for k in range(4)]


def _written(problem: Problem, terms: list[Term], n_targets: int) -> Floats:
    values = np.empty((problem.columns.n_rows, 1 + len(terms) + n_targets))
    feature, level, mean, scale = _arrays(terms)
    places = feature.astype(np.int32), level.astype(np.int32)
    _core.write_design(
        problem.columns, *places, mean.astype(float), scale.astype(float), values, problem.n_threads
    )
    return values


def _most_correlated(problem: Problem, terms: list[Term], weight: Floats, targets: Floats) -> list[Term]:
    """Some of the terms, found part by part: a wide table has too many for one matrix."""
    centred = (targets - np.average(targets, axis=0, weights=weight)) * weight[:, None]
    shared = np.concatenate(
        [
            np.abs(_written(problem, terms[begin : begin + MOST_TERMS], 0)[:, 1:].T @ centred).max(axis=1)
            for begin in range(0, len(terms), MOST_TERMS)
        ]
    )
    return [terms[k] for k in np.sort(np.argsort(-shared, kind="stable")[:MOST_TERMS])]
