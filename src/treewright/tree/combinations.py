"""Weighted sums of columns, which oblique tests compare with a threshold as if each were one more column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..data.common.array_types import Array, Floats, Ints
from .flat_arrays import FlatArrays, read_only
from .leaf_models import kinds_of
from .value_text import shortest

if TYPE_CHECKING:
    from .arrays import TreeArrays

COMBINATION_ARRAYS: dict[str, type] = {"begin": np.int64, "column": np.int32, "coefficient": np.float64}
Terms = tuple[tuple[int, float], ...]  # column and coefficient


@dataclass(frozen=True, eq=False)
class Combinations(FlatArrays):
    """The weighted sums of columns that some tests compare; all arrays are read-only.

    Sum number j has the terms begin[j] to begin[j + 1] - 1: the sum of coefficient * column, added in this
    order in float64. A test of it has n_features + j as its `feature`. The sum is missing where the value of
    any of its columns is.
    """

    begin: Ints
    column: NDArray[np.int32]
    coefficient: Floats

    def __post_init__(self) -> None:
        for name, dtype in COMBINATION_ARRAYS.items():
            object.__setattr__(self, name, read_only(getattr(self, name), dtype))

    def __len__(self) -> int:
        return max(len(self.begin) - 1, 0)

    def terms(self, number: int) -> Terms:
        """The columns of one sum with their coefficients."""
        own = slice(self.begin[number], self.begin[number + 1])
        return tuple(zip(self.column[own].tolist(), self.coefficient[own].tolist(), strict=True))


def combinations_of(sums: Sequence[Terms]) -> Combinations | None:
    """These sums, or nothing."""
    if not sums:
        return None
    flat = [term for terms in sums for term in terms]
    begin = np.concatenate([[0], np.cumsum([len(terms) for terms in sums])])
    return Combinations(begin, np.array([c for c, _ in flat]), np.array([x for _, x in flat]))


def combined(terms: Terms, numbers: Any) -> Any:
    """The sum of one row, or of arrays of them: as the core adds it up. numbers[column] are the values."""
    total = terms[0][1] * numbers[terms[0][0]]
    for column, coefficient in terms[1:]:
        total = total + coefficient * numbers[column]
    return total


def sum_text(terms: Terms, names: Sequence[str]) -> str:
    """`x + y`, `2 income - debt`; where a name is no plain word, `2 * sepal length - petal width`."""
    plain = all(
        names[column].replace("_", "a").isalnum() and not names[column][0].isdigit() for column, _ in terms
    )
    parts = []
    for place, (column, coefficient) in enumerate(terms):
        size = "" if abs(coefficient) == 1 else shortest(abs(coefficient)) + (" " if plain else " * ")
        sign = ("-" if coefficient < 0 else "") if place == 0 else (" - " if coefficient < 0 else " + ")
        parts.append(f"{sign}{size}{names[column]}")
    return "".join(parts)


def must_test_one_column(tree: TreeArrays, what: str, instead: str) -> None:
    """Reject tests that combine columns, for the sake of the function called `what`."""
    if tree.combinations is not None:
        node = int((tree.feature >= tree.n_features).argmax())
        raise ValueError(
            f"{what} needs tests of one column. Got node {node}, which combines columns. {instead}"
        )


def in_one_form(feature: Array, given: Combinations, n_features: int) -> tuple[Array, Combinations | None]:
    """Each sum once, in the order of the nodes that test them first; none that no test uses."""
    is_sum = feature >= n_features
    tested = [given.terms(number) for number in (feature[is_sum] - n_features).tolist()]
    places = {terms: n_features + place for place, terms in enumerate(dict.fromkeys(tested))}
    renumbered = feature.copy()
    renumbered[is_sum] = [places[terms] for terms in tested]
    return renumbered, combinations_of([*places])


def fits(tree: TreeArrays, given: Combinations) -> bool:
    """Whether the arrays have the shape of weighted sums, each of columns that there are."""
    begin, column = given.begin, given.column
    return bool(
        begin.ndim == column.ndim == given.coefficient.ndim == 1
        and len(begin) > 1
        and begin[0] == 0
        and begin[-1] == len(column) == len(given.coefficient)
        and (begin[1:] > begin[:-1]).all()
        and ((column >= 0) & (column < tree.n_features)).all()
        and (tree.feature < tree.n_features + len(given)).all()
    )


def rules(tree: TreeArrays, given: Combinations) -> dict[str, Any]:
    """What must hold of the weighted sums of a tree: a sentence, and whether it is broken."""
    if not fits(tree, given):
        return {"begin of combinations must rise from 0 to the number of terms, each of a column": True}
    nominal, _ = kinds_of(tree, given.column)
    first = np.zeros(len(given.column), dtype=bool)
    first[given.begin[:-1]] = True
    return {
        "a combination must have at least two columns": np.diff(given.begin) < 2,
        "the columns of a combination must rise": ~first[1:] & (given.column[1:] <= given.column[:-1]),
        "a combination must have no nominal column": nominal,
        "coefficients of combinations must be finite and not 0": ~np.isfinite(given.coefficient)
        | (given.coefficient == 0),
    }
