"""Predictions for held-out rows, from which the report computes all its scores.

The model itself predicts rows that it was not trained on. Training rows are divided into folds; for each
fold a tree is fitted on the other rows, with the parameters of the model and with what it chose.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.classes import codes_of
from ...data.columns import from_columns
from ...data.typed_table import TypedTable as Table
from ...evaluate.out_of_fold import with_chosen_params
from ...evaluate.procedure import Data, run
from ...learn.fitted_tree import as_model
from ...learn.folds import most_folds, take
from ...tree.tree import LeavesReached, Tree
from .origin import PARTLY
from .rows import MANY
from .subject import Subject

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FOLDS = 5
FEWEST = 2 * FOLDS  # rows
HELD_OUT, OUT_OF_FOLD = "held-out", "out-of-fold"


@dataclass(frozen=True, eq=False)
class HeldOutRows:
    """A tree, and rows that it was not trained on, as it reads them."""

    tree: Tree
    rows: Ints  # their places in the table
    table: Table

    @cached_property
    def columns(self) -> _core.Columns:
        """The rows as the core reads them."""
        return from_columns(self.table.columns, self.table.n_rows)

    @cached_property
    def reached(self) -> LeavesReached:
        """The leaves that they reach."""
        return self.tree.leaves_reached(self.columns)


@dataclass(frozen=True, eq=False)
class HeldOutPredictions:
    """Predictions for held-out rows; one entry per row that has one."""

    source: str  # "held-out" or "out-of-fold"
    rows: Ints  # of the table, ascending
    y: Array  # (rows, outputs): codes of classes, or numbers
    weight: Floats
    shares: Floats  # (rows, outputs, classes): probabilities, or numbers
    label: Ints | None  # (rows, outputs): codes, -1 for no prediction; None for numbers
    parts: tuple[HeldOutRows, ...]

    @property
    def words(self) -> str:
        """Where the predictions come from, as text."""
        if self.source == HELD_OUT:
            return f"{len(self.rows):,} rows that the model was not trained on"
        how = f"({len(self.parts)}-fold cross-validation)"
        return f"{len(self.rows):,} training rows, each predicted by a tree that was fitted without it {how}"

    @property
    def unseen(self) -> str:
        """What a held-out row is, as a sentence."""
        if self.source == HELD_OUT:
            return "Unseen rows are those that the model was not trained on."
        return "Each row was predicted by a tree that was fitted without it."


def held_out_predictions(subject: Subject) -> HeldOutPredictions | None:
    """Predictions for held-out rows, or None; then `without_folds` of the rows says why."""
    given = subject.given
    assert given is not None
    if not given.grown_on:
        return _held_out(subject)
    given.without_folds = _refused(subject)
    if given.without_folds:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts of the rows
            return _out_of_fold(subject)
    except ValueError as error:  # a part may lack what the parameters need
        given.without_folds = f"Trees could not be fitted on parts of the rows: {error}"
        return None


def _refused(subject: Subject) -> str:
    """Why no folds are grown; nothing if they can be."""
    assert subject.given is not None
    unclear = subject.given.origin.unclear
    if unclear:
        known = PARTLY in unclear
        return "These are training rows." if known else "Whether these rows are such is not known."
    divided = subject.saved.training.get("divided_by")
    for name, column in divided.items() if isinstance(divided, dict) else ():
        if getattr(subject.given, name, None) is None:
            return f"The model was fitted with {name} ({column}). Give {name} here too, for folds like those."
    changed = getattr(subject.model, "changed_", None)
    if changed is not None:
        return (
            f"The model was {changed} after it was fitted, so that it cannot be cross-validated. Give "
            "held-out rows."
        )
    some = int(np.count_nonzero(subject.given.weights > 0))
    if some < FEWEST:
        weigh = "" if some == subject.given.n_rows else " that weigh something"
        return f"Cross-validation needs {FEWEST} rows or more{weigh}, and there are {some}."
    return ""


def _held_out(subject: Subject) -> HeldOutPredictions:
    """What the model itself predicts."""
    given = subject.given
    assert given is not None
    rows, table = np.flatnonzero(given.weights > 0), given.table
    if len(rows) < given.n_rows:
        table = as_model(given.tree).read(take(given.X, rows))
    part = HeldOutRows(given.tree, rows, table)
    shares = _predictions(part.tree, part.columns)
    label = part.tree.labels(part.columns) if subject.is_classification else None
    return HeldOutPredictions(HELD_OUT, rows, given.codes[rows], given.weights[rows], shares, label, (part,))


def _out_of_fold(subject: Subject) -> HeldOutPredictions:
    given, model = subject.given, with_chosen_params(subject.model)
    assert given is not None
    drawn = given.drawn
    if len(drawn) < given.n_rows:
        subject.notes.append(f"{MANY:,} of {given.n_rows:,} rows were drawn for cross-validation.")
    beside = (given.X, given.y, given.groups, given.weight, given.time)
    data = Data(*(take(part, drawn) for part in beside))
    shape = (len(drawn), given.tree.n_outputs)
    shares = np.full((*shape, given.tree.max_n_classes), np.nan)
    label = np.full(shape, -1, dtype=np.int64) if subject.is_classification else None
    parts, weight = [], given.weights[drawn]
    tested = np.zeros(len(drawn), dtype=bool)  # folds in time never test the first rows
    folds = data.folds(most_folds(FOLDS, data.groups, data.time), subject.is_classification)
    for number, fold in enumerate(folds):
        subject.say(number, len(folds), "fitting a tree without a fifth of the rows")
        grown = run(model, data.rows(fold.train))
        tree = _with_all_classes(grown.tree_, given.tree)
        test = fold.test[weight[fold.test] > 0]
        if not len(test):
            continue
        part = HeldOutRows(tree, drawn[test], as_model(tree).read(take(data.X, test)))
        shares[test] = _predictions(tree, part.columns)
        if label is not None:
            label[test] = tree.labels(part.columns)
        tested[test] = True
        parts.append(part)
    some = tested & (weight > 0)  # the others are not evaluated
    rows, predicted = drawn[some], None if label is None else label[some]
    y = given.codes[rows]
    return HeldOutPredictions(OUT_OF_FOLD, rows, y, weight[some], shares[some], predicted, tuple(parts))


def _predictions(tree: Tree, columns: Any) -> Floats:
    """What a tree predicts: (rows, outputs, classes)."""
    found = tree.predict(columns)
    return found if tree.n_outputs > 1 else found[:, None, :]


def _with_all_classes(part: Tree, whole: Tree) -> Tree:
    """A tree of some rows with the classes of all of them, and what mistakes cost there."""
    if whole.classes is None:
        return part
    known, seen = as_model(whole).classes, as_model(part).classes
    if all(one.tolist() == other.tolist() for one, other in zip(known, seen, strict=True)):
        return part if part.costs is whole.costs else replace(part, costs=whole.costs)
    arrays: dict[str, Any] = {}
    for name in ("value", "estimate"):
        before = getattr(part, name)
        if not len(before):
            continue
        wide = np.zeros((part.node_count, *whole.value.shape[1:]))
        for k, (labels, every) in enumerate(zip(seen, known, strict=True)):
            wide[:, k, codes_of(labels, every)] = before[:, k, : len(labels)]
        arrays[name] = wide
    return replace(part, **arrays, n_classes=whole.n_classes, classes=whole.classes, costs=whole.costs)
