"""What is answered for rows by trees that have not seen them: all honest numbers of a page come from here.

Rows that the model was not grown on are answered by the model itself. Those that it was grown on are divided
into folds; a tree is grown anew without each, with the same settings and with what the model chose.
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
from ...learn.folds import folds_of, take
from ...tree.tree import Ends, Tree
from .rows import MANY
from .subject import Subject

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FOLDS = 5
FEWEST = 2 * FOLDS  # rows
HELD_OUT, OUT_OF_FOLD = "held-out", "out-of-fold"


@dataclass(frozen=True, eq=False)
class Judge:
    """A tree, and rows that it has not seen, as it reads them."""

    tree: Tree
    rows: Ints  # their places in the table
    table: Table

    @cached_property
    def columns(self) -> _core.Columns:
        """The rows as the core reads them."""
        return from_columns(self.table.columns, self.table.n_rows)

    @cached_property
    def ends(self) -> Ends:
        """Where they end in the tree."""
        return self.tree.ends(self.columns)


@dataclass(frozen=True, eq=False)
class Evidence:
    """Answers to unseen rows; one entry per row that has one."""

    source: str  # "held-out" or "out-of-fold"
    rows: Ints  # of the table, ascending
    y: Array  # (rows, outputs): codes of classes, or numbers
    weight: Floats
    shares: Floats  # (rows, outputs, classes): probabilities, or numbers
    label: Ints | None  # (rows, outputs): codes, -1 for no answer; None for numbers
    judges: tuple[Judge, ...]

    @property
    def words(self) -> str:
        """Where the answers come from, in words."""
        if self.source == HELD_OUT:
            return f"{len(self.rows):,} rows that the model was not grown on"
        return f"{len(self.rows):,} rows, each answered by a tree that was grown without it"

    @property
    def unseen(self) -> str:
        """What an unseen row is, as a sentence."""
        if self.source == HELD_OUT:
            return "Unseen rows are those that the model was not grown on."
        return "Each unseen row was answered by a tree that was grown without it."


def evidence_of(subject: Subject) -> Evidence | None:
    """Answers to unseen rows; None where there can be none, and then `without_folds` of the rows says why."""
    given = subject.given
    assert given is not None
    if not given.grown_on:
        return _held_out(subject)
    refused = _refused(subject)
    if refused:
        given.without_folds = refused
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts of the rows
            return _out_of_fold(subject)
    except ValueError as error:  # a part may lack what the settings ask for
        given.without_folds = f"Trees could not be grown on parts of the rows: {error}"
        return None


def _refused(subject: Subject) -> str | None:
    assert subject.given is not None
    if subject.given.origin.unclear:
        return "Whether these are such rows is not known."
    changed = getattr(subject.model, "changed_", None)
    if changed is not None:
        return (
            f"The model was {changed} after it was fitted, so that folds cannot be grown alike. Give rows "
            "that it has not seen."
        )
    some = int(np.count_nonzero(subject.given.weights > 0))
    if some < FEWEST:
        weigh = "" if some == subject.given.n_rows else " that weigh something"
        return f"Cross-validation needs {FEWEST} rows or more{weigh}, and there are {some}."
    return None


def _held_out(subject: Subject) -> Evidence:
    """What the model itself answers."""
    given = subject.given
    assert given is not None
    rows, table = np.flatnonzero(given.weights > 0), given.table
    if len(rows) < given.n_rows:
        table = as_model(given.tree).read(take(given.X, rows))
    judge = Judge(given.tree, rows, table)
    shares = _answers(judge.tree, judge.columns)
    label = judge.tree.labels(judge.columns) if subject.is_classification else None
    return Evidence(HELD_OUT, rows, given.codes[rows], given.weights[rows], shares, label, (judge,))


def _out_of_fold(subject: Subject) -> Evidence:
    given, model = subject.given, with_chosen_params(subject.model)
    assert given is not None
    drawn = given.drawn
    if len(drawn) < given.n_rows:
        subject.notes.append(f"{MANY:,} of {given.n_rows:,} rows were drawn for cross-validation.")
    data = Data(take(given.X, drawn), take(given.y, drawn), None, take(given.weight, drawn))
    shape = (len(drawn), given.tree.n_outputs)
    shares = np.full((*shape, given.tree.max_n_classes), np.nan)
    label = np.full(shape, -1, dtype=np.int64) if subject.is_classification else None
    judges, weight = [], given.weights[drawn]
    folds = folds_of(FOLDS, data.X, data.y, None, subject.is_classification)
    for number, fold in enumerate(folds):
        subject.say(number, len(folds), "growing a tree without a fifth of the rows")
        grown = run(model, data.rows(fold.train))
        tree = _with_all_classes(grown.tree_, given.tree)
        test = fold.test[weight[fold.test] > 0]
        if not len(test):
            continue
        judge = Judge(tree, drawn[test], as_model(tree).read(take(data.X, test)))
        shares[test] = _answers(tree, judge.columns)
        if label is not None:
            label[test] = tree.labels(judge.columns)
        judges.append(judge)
    some = weight > 0  # the others judge nothing
    rows, said = drawn[some], None if label is None else label[some]
    return Evidence(OUT_OF_FOLD, rows, given.codes[rows], weight[some], shares[some], said, tuple(judges))


def _answers(tree: Tree, columns: Any) -> Floats:
    """What a tree answers: (rows, outputs, classes)."""
    found = tree.predict(columns)
    return found if tree.n_outputs > 1 else found[:, None, :]


def _with_all_classes(part: Tree, whole: Tree) -> Tree:
    """A tree of some rows with the classes of all of them, and what mistakes cost there."""
    if whole.classes is None:
        return part
    known = [np.asarray(each) for each in _each(whole.classes)]
    seen = [np.asarray(each) for each in _each(part.classes)]
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


def _each(classes: Any) -> tuple[Any, ...]:
    return classes if isinstance(classes, tuple) else (classes,)
