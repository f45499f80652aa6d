"""Folds: which rows a model is trained on, and which it is tested on. Every division of rows is made here."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..data.common.allowed import is_whole
from ..data.common.array_types import Array, Ints
from ..data.common.labels import coded
from ..data.common.random_state import random_state_of
from ..data.levels import is_missing, labels_of
from ..data.table import as_array, is_frame
from ..data.text_numbers import times_of_text

Rows = Ints

_FILTERS = threading.Lock()  # warning filters belong to all threads: one thread at a time may change them


class Fold(NamedTuple):
    """One division of the rows; both parts are ascending row numbers."""

    train: Rows
    test: Rows


def folds_of(  # noqa: PLR0913, PLR0917
    cv: Any, X: Any, y: Any, groups: Any = None, classifier: bool = False, repeats: int = 1, time: Any = None
) -> list[Fold]:
    """The folds of a number, of one of scikit-learn's splitters, or of pairs (train rows, test rows).

    A number means shuffled folds, always the same ones: with equal proportions of the classes where there are
    classes, and with every group in one fold where groups are given. With `repeats` the rows are shuffled
    so many times; splitters and pairs are used once.

    With `time` a number means forward chaining: the rows in order of time are divided into cv + 1 blocks, and
    a model of all blocks before is tested on each block after the first. Rows of equal time stay together, so
    there may be fewer folds. Whatever makes the folds, none may have a group on both sides, nor a training
    row that is as late as a test row.
    """
    target = _codes(np.asarray(y)) if classifier else np.asarray(y)
    n_rows = len(target)
    group_codes = None if groups is None else codes_of_groups(groups, n_rows)
    times = None if time is None else ranks_of_times(time, n_rows)
    splitter = check_cv(cv, target, group_codes, classifier, times)
    if isinstance(splitter, list):  # forward chaining
        return splitter
    if not hasattr(splitter, "split"):
        pairs = list(splitter)
        if not pairs:
            raise ValueError("cv must have at least one pair (train rows, test rows). Got an empty list.")
    else:
        table = X if hasattr(X, "__len__") or hasattr(X, "shape") else np.empty((n_rows, 0))
        more = [_numbered(cv, target, group_codes, classifier, seed) for seed in range(1, repeats)]
        with (
            _FILTERS,
            warnings.catch_warnings(),
        ):  # a rare class may lack in folds; groups are checked below
            warnings.filterwarnings("ignore", "The least populated class|The groups parameter", UserWarning)
            pairs = [pair for each in (splitter, *more) for pair in each.split(table, target, group_codes)]
    folds = [_as_fold(pair, n_rows, k) for k, pair in enumerate(pairs)]
    for number, fold in enumerate(folds):
        _check_groups_and_time(fold, number, groups, group_codes, times)
    return folds


def check_cv(
    cv: Any, y: Array, groups: Array | None = None, classifier: bool = False, times: Array | None = None
) -> Any:
    """What divides the rows: a splitter or pairs as they are; for a number a splitter, or folds in time."""
    if hasattr(cv, "split") and not isinstance(cv, str):
        return cv
    if not is_whole(cv):
        if isinstance(cv, Iterable) and not isinstance(cv, str | bytes):
            return tuple(cv)
        raise ValueError(_must_be(cv))
    if cv < 2 and not (times is not None and cv == 1):
        raise ValueError(_must_be(cv))
    if cv > len(y):
        raise ValueError(
            f"cv must be at most the number of rows: every fold has one. Got cv={cv} for {len(y)} rows."
        )
    if times is not None:
        return _forward_chaining(int(cv), times, groups)
    return _numbered(int(cv), y, groups, classifier)


def most_folds(cv: int, groups: Any = None, time: Any = None) -> int:
    """`cv`, or as many folds as the groups or the times allow."""
    if time is not None:
        return max(1, min(cv, len(np.unique(ranks_of_times(time))) - 1))
    return cv if groups is None else min(cv, len(np.unique(codes_of_groups(groups))))


def held_out_fold(
    y: Any,
    share: float,
    random_state: Any = 0,
    classifier: bool = False,
    groups: Any = None,
    time: Any = None,
) -> Fold:
    """Hold out a share of the rows: of every class its share; or whole groups; or the latest rows."""
    n_rows = len(y)
    if time is not None:
        times = ranks_of_times(time, n_rows)
        starts = _starts(times)
        cut = int(starts[np.argmin(np.abs(starts - (1 - share) * n_rows))]) if len(starts) else n_rows
        order = np.argsort(times, kind="stable")
        codes = None if groups is None else codes_of_groups(groups, n_rows)
        return _apart(np.sort(order[:cut]), np.sort(order[cut:]), codes)
    if groups is not None:
        codes = codes_of_groups(groups, n_rows)
        sizes = np.bincount(codes)
        shuffled = random_state_of(random_state).permutation(len(sizes))
        total = np.cumsum(sizes[shuffled])
        test = np.isin(codes, shuffled[: 1 + int(np.argmin(np.abs(total - share * n_rows)))])
        return Fold(np.flatnonzero(~test), np.flatnonzero(test))
    from .pruning.rows import held_out

    return Fold(*held_out(y, share, random_state, by_class=classifier))


# -- groups and time


def codes_of_groups(groups: Any, n_rows: int | None = None) -> Array:
    """A small number for each group."""
    values = _one_per_row("groups", groups, n_rows)
    try:
        return np.unique(values, return_inverse=True)[1].ravel()
    except TypeError:  # text beside numbers
        return np.asarray(labels_of(values.tolist(), "groups").codes)


def ranks_of_times(time: Any, n_rows: int | None = None) -> Array:
    """The rank of each row in time; equal times have equal ranks."""
    values = _one_per_row("time", time, n_rows)
    text = values.dtype.kind in "US" or (len(values) and isinstance(values[0], str))
    times = times_of_text(values.astype(object)) if text else values
    if times is None:
        raise ValueError(f"time must hold numbers, dates or times. Got text, such as {str(values[0])!r}.")
    return np.unique(times, return_inverse=True)[1].ravel()


def _one_per_row(name: str, given: Any, n_rows: int | None) -> Array:
    values = np.asarray(given)
    if values.ndim != 1 or (n_rows is not None and len(values) != n_rows):
        size = "" if n_rows is None else f": shape ({n_rows},)"
        raise ValueError(f"{name} must have one entry per row{size}. Got shape {values.shape}.")
    if values.dtype.kind in "mM":
        missing = np.isnat(values).any()
    else:
        missing = values.dtype.kind in "fO" and any(map(is_missing, values.tolist()))
    if missing:
        raise ValueError(f"{name} must have a value in every row. Got missing ones. Leave these rows out.")
    return values


def _starts(times: Array) -> Rows:
    """Where, among the rows in order of time, a new time starts; the first is left out."""
    counts = np.bincount(times)
    return np.cumsum(counts)[:-1]


def time_cuts(counts: Ints, cv: int) -> Ints:
    """Of times in order, with so many rows each: the first ones of `cv` blocks of about equal size.

    They come after a further block; there are fewer where boundaries fall together.
    """
    starts = np.cumsum(counts)[:-1]
    ideal = np.arange(1, cv + 1) * counts.sum() / (cv + 1)
    return np.unique(np.abs(starts[:, None] - ideal).argmin(axis=0)) + 1


def _forward_chaining(cv: int, times: Array, groups: Array | None) -> list[Fold]:
    """Train on the past, test on the next block: boundaries are at the start of the nearest time."""
    counts, n_rows = np.bincount(times), len(times)
    if len(counts) < 2:
        raise ValueError("time must have at least two different times, to test on later rows. Got one.")
    cuts = np.cumsum(counts)[time_cuts(counts, cv) - 1]
    order = np.argsort(times, kind="stable")
    ends = [*cuts[1:], n_rows]
    folds = [
        _apart(np.sort(order[:cut]), np.sort(order[cut:end]), groups)
        for cut, end in zip(cuts, ends, strict=True)
    ]
    kept = [fold for fold in folds if len(fold.train)]
    if not kept:
        raise ValueError(
            "With groups and time, a fold must have earlier rows of other groups to train on. Got none. Give "
            "one of the two."
        )
    return kept


def _apart(train: Rows, test: Rows, groups: Array | None) -> Fold:
    """A fold without the training rows whose group is tested."""
    if groups is not None:
        train = train[~np.isin(groups[train], groups[test])]
    return Fold(train, test)


def _check_groups_and_time(
    fold: Fold, number: int, groups: Any, codes: Array | None, times: Array | None
) -> None:
    if codes is not None:
        both = fold.test[np.isin(codes[fold.test], codes[fold.train])]
        if len(both):
            raise ValueError(
                "cv must keep each group on one side of a fold. Got group "
                f"{np.asarray(groups)[both].tolist()[0]!r} on both sides of fold {number}. "
                "Give cv a number, or a splitter such as GroupKFold."
            )
    if times is not None and times[fold.train].max() >= times[fold.test].min():
        raise ValueError(
            f"cv must train on rows that are earlier than those it tests. Got fold {number} with a training "
            "row as late as a test row. Give cv a number."
        )


class Shuffled(NamedTuple):
    """Shuffled folds: those of scikit-learn's KFold or StratifiedKFold, which are slow to load."""

    n_splits: int
    seed: int
    stratify: bool  # every class in equal parts

    def split(self, X: Any, y: Array, groups: Any = None) -> Iterator[tuple[Rows, Rows]]:  # noqa: ARG002
        """The training rows and the test rows of each fold."""
        fold = self._by_class(coded(y)[1]) if self.stratify else self._of_all(len(y))
        for k in range(self.n_splits):
            yield np.flatnonzero(fold != k), np.flatnonzero(fold == k)

    def _of_all(self, n_rows: int) -> Ints:
        """The fold of each row: the shuffled rows are cut into parts, the first of which have one more."""
        fold = np.empty(n_rows, dtype=np.int64)
        order = np.random.RandomState(self.seed).permutation(n_rows)
        for k, part in enumerate(np.array_split(order, self.n_splits)):
            fold[part] = k
        return fold

    def _by_class(self, y: Array) -> Ints:
        """The fold of each row: the rows sorted by class are dealt out in turn, then shuffled by class.

        Classes are small numbers; they are in the order of their first rows.
        """
        first = np.full(y.max() + 1, len(y))
        first[y[::-1]] = np.arange(len(y))[::-1]  # the last to be written is the first row
        codes = np.argsort(np.argsort(first))[y]
        ends, random_state = np.cumsum(np.bincount(codes)), np.random.RandomState(self.seed)
        places = np.tile(np.arange(self.n_splits), len(y) // self.n_splits + 1)[: len(y)]
        fold = np.empty(len(y), dtype=np.int64)
        for code, (begin, end) in enumerate(pairwise([0, *ends.tolist()])):
            counts = np.bincount(places[begin:end], minlength=self.n_splits)
            parts = np.repeat(np.arange(self.n_splits), counts)
            random_state.shuffle(parts)
            fold[codes == code] = parts
        return fold


def _numbered(cv: int, y: Array, groups: Array | None, classifier: bool, seed: int = 0) -> Any:
    stratify = classifier and y.squeeze().ndim == 1 and np.bincount(y.ravel()).max() >= cv
    if groups is None:
        return Shuffled(cv, seed, stratify)
    from sklearn.model_selection import GroupKFold, StratifiedGroupKFold

    usual = {"n_splits": cv, "shuffle": True, "random_state": seed}
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
    return coded(y)[1]


def _as_fold(pair: Any, n_rows: int, number: int) -> Fold:
    try:
        train, test = pair
    except (TypeError, ValueError):
        raise ValueError(
            f"cv must give pairs (train rows, test rows). Got {pair!r} as fold {number}."
        ) from None
    fold = Fold(*(_rows(part, n_rows, f"{name} rows of fold {number}") for part, name in
                  ((train, "train"), (test, "test"))))  # fmt: skip
    trained = np.zeros(n_rows, dtype=bool)
    trained[fold.train] = True
    both = fold.test[trained[fold.test]]
    if len(both):
        raise ValueError(
            f"A row must not be in both parts of a fold, for training and for testing. Got row {both[0]} "
            f"twice in fold {number}. Take it out of one of the two."
        )
    return fold


def _rows(part: Any, n_rows: int, name: str) -> Rows:
    """Ascending row numbers of a list of them, or of a mask."""
    rows = np.asarray(part)
    if rows.dtype == bool and rows.shape == (n_rows,):
        rows = np.flatnonzero(rows)
    if rows.ndim != 1 or not len(rows) or rows.dtype.kind not in "iu":
        raise ValueError(f"The {name} must be a list of row numbers, and not empty. Got {part!r}.")
    rows = rows.astype(np.int64, copy=False)
    rising = bool((rows[1:] > rows[:-1]).all())
    if not rising:
        rows = np.sort(rows)
    if rows[0] < 0 or rows[-1] >= n_rows:
        wrong = rows[0] if rows[0] < 0 else rows[-1]
        raise ValueError(f"The {name} must be numbers from 0 to {n_rows - 1}. Got {wrong}.")
    if not rising and len(twice := np.flatnonzero(rows[1:] == rows[:-1])):
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
