"""The dissimilarity of a set of rows, and of a split, from a matrix of their pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...data.common.array_types import Floats

BLOCK = 512  # rows of a matrix that are looked at together


def dissimilarity(M: ArrayLike, rows: Any = None) -> float:
    """The mean dissimilarity of all pairs of rows: Dis(D) = ΣΣ d(x, x′) / |D|².

    A row is paired with itself too. For squared Euclidean distances it is twice the sum of the variances
    of the columns.

    Parameters
    ----------
    M : (n, n) array
        The dissimilarity of each pair of rows: symmetric, at least 0, and 0 on the diagonal.
    rows : row numbers or a mask, optional
        The set of rows; by default all.

    Returns
    -------
    float

    Examples
    --------
    >>> from treewright.textbook import dissimilarity
    >>> dissimilarity([[0, 4], [4, 0]])  # of the numbers 0 and 2, whose variance is 1
    2.0
    """
    matrix = check_matrix(M)
    part = matrix if rows is None else matrix[np.ix_(_rows(rows, len(matrix)), _rows(rows, len(matrix)))]
    return float(part.mean())


def split_dissimilarity(M: ArrayLike, parts: Sequence[Any]) -> float:
    """The dissimilarity that a split leaves: Σ |Dⱼ| / |D| · Dis(Dⱼ). A good split makes it small.

    Parameters
    ----------
    M : (n, n) array
        The dissimilarity of each pair of rows: symmetric, at least 0, and 0 on the diagonal.
    parts : sequence of row numbers or masks
        The rows of each child. No row may be in two of them.

    Returns
    -------
    float

    Examples
    --------
    >>> from treewright.textbook import split_dissimilarity
    >>> split_dissimilarity([[0, 1, 9], [1, 0, 4], [9, 4, 0]], [[0, 1], [2]])  # doctest: +ELLIPSIS
    0.333...
    """
    matrix = check_matrix(M)
    sets = [_rows(part, len(matrix)) for part in parts]
    every = np.concatenate(sets) if sets else np.empty(0, dtype=np.int64)
    if len(every) != len(np.unique(every)):
        raise ValueError("No row may be in two parts of a split. Got one that is. Give every row once.")
    if not len(every):
        raise ValueError("parts must have at least one row. Got none.")
    return float(sum(matrix[np.ix_(part, part)].sum() / len(part) for part in sets if len(part)) / len(every))


def _rows(given: Any, n_rows: int) -> Any:
    rows = np.asarray(given)
    if rows.dtype == bool:
        if rows.shape != (n_rows,):
            raise ValueError(f"A mask must have one mark per row, {n_rows}. Got shape {rows.shape}.")
        rows = np.flatnonzero(rows)
    rows = rows.astype(np.int64)
    if rows.ndim != 1 or ((rows < 0) | (rows >= n_rows)).any():
        raise ValueError(f"Row numbers must be a list of numbers in 0..{n_rows - 1}. Got others.")
    return rows


def check_matrix(M: Any, n_rows: int | None = None) -> Floats:
    """A matrix of dissimilarities as an array of floats; a float array is not copied.

    The checks look at a block of rows at a time: the matrix may fill half of the memory.
    """
    matrix = np.asarray(M)
    if matrix.dtype not in (np.float32, np.float64):
        matrix = matrix.astype(np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"dissimilarity must be a square matrix. Got shape {matrix.shape}.")
    if n_rows is not None and len(matrix) != n_rows:
        raise ValueError(
            f"dissimilarity must have a row and a column per row of X, {n_rows:,}. Got shape {matrix.shape}."
        )
    if not len(matrix):
        raise ValueError("dissimilarity must have at least one row. Got none.")
    for start in range(0, len(matrix), BLOCK):
        rows = slice(start, start + BLOCK)
        if not all(
            _is_sound(matrix[rows, other : other + BLOCK], matrix[other : other + BLOCK, rows].T)
            for other in range(start, len(matrix), BLOCK)
        ):
            _check_rows(matrix, rows)
    own = np.flatnonzero(np.diagonal(matrix))
    if len(own):
        raise ValueError(
            "dissimilarity must be 0 between a row and itself. "
            f"Got {matrix[own[0], own[0]]:g} for row {own[0]}."
        )
    return matrix


def _is_sound(block: Floats, mirror: Floats) -> bool:
    """Whether a block is finite, not negative and exactly symmetric: most are, and it is quickly seen."""
    return bool(block.min() >= 0 and block.max() < np.inf and np.array_equal(block, mirror))


def _check_rows(matrix: Floats, rows: slice) -> None:
    """Reject rows that are not as they must be; rounding may make mirrors differ a little."""
    block, mirror = matrix[rows], matrix[:, rows].T
    if not np.isfinite(block).all():
        _reject("finite", "a missing or infinite entry", ~np.isfinite(block), rows.start)
    if (block < 0).any():
        _reject("at least 0", "a negative entry", block < 0, rows.start)
    far = np.abs(block - mirror) > 1e-6 * np.maximum(block, mirror)
    if far.any():
        _reject("symmetric", "an entry that differs from its mirror", far, rows.start)


def _reject(wanted: str, got: str, where: Any, start: int) -> None:
    row, column = np.argwhere(where)[0]
    raise ValueError(
        f"dissimilarity must be {wanted} everywhere. Got {got} in row {start + row}, column {column}."
    )
