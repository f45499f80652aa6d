"""Which rows a model grows on, and which it is judged on."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..data.common.allowed import is_whole
from ..data.table import as_array, is_frame

Rows = NDArray[np.int64]
Array = NDArray[Any]


class Fold(NamedTuple):
    """One division of the rows; both parts are ascending row numbers."""

    train: Rows
    test: Rows


def folds_of(
    cv: Any, X: Any, y: Any, groups: Any = None, classifier: bool = False, repeats: int = 1
) -> list[Fold]:
    """The folds of a number, of one of scikit-learn's splitters, or of pairs (train rows, test rows).

    A number means shuffled folds, always the same ones: with equal shares of the classes where there are
    classes, and with every group in one fold where groups are given. With `repeats` the rows are shuffled
    so many times; other ways to divide them have no seed of ours.
    """
    answers = np.asarray(y)
    n_rows = len(answers)
    if groups is not None:
        groups = np.asarray(groups)
        if groups.shape != (n_rows,):
            raise ValueError(
                f"groups must have one entry per row: shape ({n_rows},). Got shape {groups.shape}."
            )
    splitter = check_cv(cv, answers, groups, classifier)
    if not hasattr(splitter, "split"):
        return [_as_fold(pair, n_rows, k) for k, pair in enumerate(_listed(splitter))]
    table = X if hasattr(X, "__len__") or hasattr(X, "shape") else np.empty((n_rows, 0))
    splitters = [splitter, *(_numbered(cv, answers, groups, classifier, seed) for seed in range(1, repeats))]
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "The least populated class", UserWarning
        )  # it is in some folds only
        labels = _codes(answers) if classifier else answers
        pairs = [pair for each in splitters for pair in each.split(table, labels, groups)]
    return [_as_fold(pair, n_rows, k) for k, pair in enumerate(pairs)]


def check_cv(cv: Any, y: Array, groups: Array | None = None, classifier: bool = False) -> Any:
    """What divides the rows: a splitter or pairs as they are; for a number one of scikit-learn's."""
    if hasattr(cv, "split") and not isinstance(cv, str):
        return cv
    if not is_whole(cv):
        if isinstance(cv, Iterable) and not isinstance(cv, str | bytes):
            return cv
        raise ValueError(_must_be(cv))
    if cv < 2:
        raise ValueError(_must_be(cv))
    if cv > len(y):
        raise ValueError(
            f"cv must be at most the number of rows: every fold has one. Got cv={cv} for {len(y)} rows."
        )
    return _numbered(int(cv), y, groups, classifier)


def _numbered(cv: int, y: Array, groups: Array | None, classifier: bool, seed: int = 0) -> Any:
    from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

    stratify = (
        classifier and y.squeeze().ndim == 1 and np.unique(_codes(y), return_counts=True)[1].max() >= cv
    )
    usual = {"n_splits": cv, "shuffle": True, "random_state": seed}
    if groups is None:
        return StratifiedKFold(**usual) if stratify else KFold(**usual)
    n_groups = len(np.unique(groups))
    if cv > n_groups:
        raise ValueError(
            f"cv must be at most the number of groups. Got cv={cv} for {n_groups} groups. Use fewer folds."
        )
    return StratifiedGroupKFold(**usual) if stratify else GroupKFold(**usual)


def _must_be(cv: Any) -> str:
    return (
        "cv must be an int of at least 2, one of scikit-learn's splitters, or a list of pairs (train rows, "
        f"test rows). Got {cv!r}."
    )


def _codes(y: Array) -> Array:
    """Labels as small numbers, which every splitter takes; several outputs stay as they are."""
    if y.ndim > 1 and y.shape[1] > 1:
        return y
    return np.unique(y.ravel(), return_inverse=True)[1].ravel()


def _listed(pairs: Iterable[Any]) -> list[Any]:
    found = list(pairs)
    if not found:
        raise ValueError("cv must have at least one pair (train rows, test rows). Got an empty list.")
    return found


def _as_fold(pair: Any, n_rows: int, number: int) -> Fold:
    try:
        train, test = pair
    except (TypeError, ValueError):
        raise ValueError(
            f"cv must give pairs (train rows, test rows). Got {pair!r} as fold {number}."
        ) from None
    fold = Fold(*(_rows(part, n_rows, f"{name} rows of fold {number}") for part, name in
                  ((train, "train"), (test, "test"))))  # fmt: skip
    both = fold.test[np.isin(fold.test, fold.train, assume_unique=True)]
    if len(both):
        raise ValueError(
            f"A row must not be both grown on and judged in one fold. Got row {both[0]} twice in fold "
            f"{number}. Take it out of one of the two."
        )
    return fold


def _rows(part: Any, n_rows: int, name: str) -> Rows:
    """Ascending row numbers of a list of them, or of a mask."""
    rows = np.asarray(part)
    if rows.dtype == bool and rows.shape == (n_rows,):
        rows = np.flatnonzero(rows)
    if rows.ndim != 1 or not len(rows) or rows.dtype.kind not in "iu":
        raise ValueError(f"The {name} must be a list of row numbers, and not empty. Got {part!r}.")
    rows = np.sort(rows.astype(np.int64))
    if rows[0] < 0 or rows[-1] >= n_rows:
        wrong = rows[0] if rows[0] < 0 else rows[-1]
        raise ValueError(f"The {name} must be numbers from 0 to {n_rows - 1}. Got {wrong}.")
    twice = np.flatnonzero(rows[1:] == rows[:-1])
    if len(twice):
        raise ValueError(
            f"The {name} must name a row once. Got row {rows[twice[0]]} twice. Use sample_weight instead."
        )
    return rows


def take(table: Any, rows: Rows) -> Any:
    """Some rows of a table or of a column of any kind, of the same kind."""
    if table is None:
        return None
    if hasattr(table, "tocsr"):
        return table.tocsr()[rows]
    if isinstance(table, np.ndarray):
        return table[rows]
    import narwhals.stable.v2 as nw

    wrapped = nw.from_native(table, allow_series=True, pass_through=True)
    if is_frame(table) or isinstance(wrapped, nw.Series):
        return wrapped[rows.tolist()].to_native()
    return as_array(table)[rows]
