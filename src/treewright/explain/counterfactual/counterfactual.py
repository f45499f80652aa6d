"""What would have to be different: the nearest change of a row that alters its prediction, exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from numbers import Number
from typing import Any

import numpy as np

from ...data.common.allowed import is_whole
from ...tree.walks import asked_columns
from ..cells import Cells, cells_of
from ..subject import Subject, subject_of
from .domains import typed_table
from .form import in_form
from .goal import Goal, goal_of
from .moves import FALLING, FIXED, RISING, Move
from .reference import Table
from .result import Answer, Change, Counterfactual
from .rows import Changed, core_row, expected, n_rows_of, plain_value, value_text
from .scales import Terms, terms_of
from .search import MOST_WAYS, Search, Tests, TooManyWaysError, Way, reachable

DISTANCES = ("scaled", "changes")


@dataclass(frozen=True)
class Inquiry:
    """All that is the same for every row."""

    subject: Subject
    terms: Terms
    output: int
    max_changes: int | None
    fewest: bool
    known: dict[Goal, tuple[Any, Any]] = field(default_factory=dict)
    asked: dict[Any, Tests] = field(default_factory=dict)

    def answer(self, columns: Any) -> Answer:
        """What is predicted for one row."""
        tree, k = self.subject.tree, self.output
        node = int(tree.apply(columns)[0])
        rows = int(tree.n_node_samples[node]) if self.subject.words.counts_rows else None
        found = tree.predict(columns).reshape(tree.n_outputs, -1)[k]
        if self.subject.labels is None or self.subject.words.classes is None:
            return Answer(float(found[0]), f"{found[0]:.6g}", None, node, rows)
        place = int(tree.labels(columns)[0, k])
        if place < 0:
            return Answer(None, "nothing", None, node, rows)
        label, word = self.subject.labels[k][place], self.subject.words.classes[k][place]
        return Answer(label, word, float(found[place]), node, rows)

    def place_of(self, columns: Any) -> int:
        """The place of the class that is predicted."""
        return -1 if self.subject.labels is None else int(self.subject.tree.labels(columns)[0, self.output])

    def ends(self, goal: Goal) -> tuple[Any, Any]:
        """The good nodes and those above them; None where rows are shared out, and only trying tells."""
        if self.subject.tree.shares_rows:
            return None, None
        if goal not in self.known:
            good = goal.good(self.subject.tree)
            self.known[goal] = good, reachable(self.subject.tree, good)
        return self.known[goal]

    @cached_property
    def numeric(self) -> list[int]:
        """The columns that the tree asks, but those of levels without an order."""
        types = self.terms.domains.types
        return [j for j in asked_columns(self.subject.tree) if types[j].kind != "nominal"]

    def tests(self, cells: Cells, moves: dict[int, Move]) -> Tests:
        """The tests as sets of values; the same for all rows whose columns can hold the same."""
        kinds = tuple(self.terms.domains.of(j, cells.columns[j]) for j in self.numeric)
        if kinds not in self.asked:
            self.asked[kinds] = Tests(self.subject.tree, moves)
        return self.asked[kinds]

    def run(self, cells: Cells, goal: Goal, moves: dict[int, Move]) -> tuple[Way, Changed] | None:
        """The nearest way and the new values on it; every one of them was tried."""
        tree, kept = self.subject.tree, Changed()

        def accept(way: Way) -> bool:
            kept.clear()
            for j, cell in way.cells.items():
                value = moves[j].pick(cell)
                if way.prices[j].changed and value is not None:
                    kept[j] = value
            return goal.is_met(tree, core_row(self.subject, cells, kept))

        good, reach = self.ends(goal)
        search = Search(self.tests(cells, moves), moves, good, reach, self.max_changes, self.fewest)
        try:
            way = search.nearest(accept)
        except TooManyWaysError:
            raise ValueError(
                f"The nearest change must be among the first {MOST_WAYS:,} ways through the tree. Got more, "
                "since missing values are shared out. Give max_changes or fixed, or fill some in."
            ) from None
        return None if way is None else (way, kept)


def counterfactual(  # noqa: PLR0913
    model: Any,
    X: Any,
    target: Any = None,
    *,
    row: int | None = None,
    reference: Any = None,
    scales: Mapping[Any, Any] | None = None,
    weights: Mapping[Any, float] | None = None,
    fixed: Any = (),
    rising: Any = (),
    falling: Any = (),
    max_changes: int | None = None,
    distance: str = "scaled",
    output: int = 0,
) -> Counterfactual | list[Counterfactual]:
    """Find the nearest change of a row that alters its prediction; no nearer one exists.

    Parameters
    ----------
    model : a fitted tree of treewright, what `treewright.fit` returned, a saved model, or a `Tree`
    X : one row, or a table
        A dict, the values of a row, or a table; one row gives one answer, several give a list.
    target : a class; for numbers ("above", v), ("below", v) or an interval (low, high)
        What the prediction is to be. None: any other class than now.
    row : int, optional
        The number of one row of X.
    reference : a table, optional
        Training rows. Numbers and times are measured by the quartile range that they have there, or where
        that is 0 by the whole range. Without it the spread of the tree's own thresholds stands in, and the
        answer says so. Where all of a column are whole numbers, it stays whole.
    scales : dict, optional
        What costs 1 in a column, by name or number, in place of that.
    weights : dict, optional
        Factors of the distance by column; 1 unless given.
    fixed, rising, falling : lists of columns
        Those that must stay; that may only grow; that may only become less. A missing value of a rising or
        falling column stays missing.
    max_changes : int, optional
        The most columns that may change.
    distance : "scaled" or "changes"
        The sum of |change| / scale, where a changed level, a changed boolean and a value for a missing one
        cost 1 and an ordered level costs 1 a step; or first the number of changed columns, then that sum.
    output : int
        Which of several targets to look at.

    Returns
    -------
    Counterfactual, or a list of them
        Every changed row has been through `predict`. Values have few digits as far as the leaf allows.
    """
    subject = subject_of(model)
    _check(subject, X, max_changes, distance, output)
    rules = {FIXED: fixed, RISING: rising, FALLING: falling}
    n_rows = n_rows_of(X)
    typed = None if reference is not None else typed_table(X, n_rows)
    terms = terms_of(subject, rules=rules, weights=weights, scales=scales, reference=reference, table=typed)
    inquiry = Inquiry(subject, terms, output, max_changes, distance == "changes")
    if row is None and n_rows != 1:
        table = Table(subject, X)
        return [_one(inquiry, X, number, target, table.cells(number)) for number in range(n_rows)]
    number = 0 if row is None else row
    return _one(inquiry, X, number, target, cells_of(subject, X, number))


def _check(subject: Subject, X: Any, max_changes: Any, distance: Any, output: Any) -> None:
    if X is None or isinstance(X, str | bytes | Number):
        raise ValueError(f"X must be a row or a table. Got {X!r:.100}. Give a dict, a list or a table.")
    if distance not in DISTANCES:
        raise ValueError(f"distance must be one of {', '.join(DISTANCES)}. Got {distance!r}.")
    if max_changes is not None and (not is_whole(max_changes) or max_changes < 0):
        raise ValueError(f"max_changes must be None or an int of at least 0. Got {max_changes!r}.")
    most = subject.tree.n_outputs - 1
    if not is_whole(output) or not 0 <= output <= most:
        raise ValueError(f"output must be an int in 0..{most}. Got {output!r}.")


def _one(inquiry: Inquiry, X: Any, row: int, target: Any, cells: Cells) -> Counterfactual:
    subject, terms = inquiry.subject, inquiry.terms
    goal = goal_of(subject, target, inquiry.output, inquiry.place_of(cells.core))
    moves = terms.moves(cells)
    before = inquiry.answer(cells.core)
    found = inquiry.run(cells, goal, moves)
    way, changed = found if found is not None else (None, Changed())
    changes = [_change(inquiry, cells, moves, j, changed[j]) for j in sorted(changed)]
    changes.sort(key=lambda change: -change.distance)
    sources = {terms.scales[j][1] for j in changed} - {""}
    new = {j: plain_value(subject.words.column(j), cells.columns[j], value) for j, value in changed.items()}
    return Counterfactual(
        row=int(row),
        found=way is not None,
        changes=tuple(changes),
        distance=math.inf if way is None else sum(change.distance for change in changes),
        least=math.inf if way is None else way.cost,
        before=before,
        after=None if way is None else inquiry.answer(core_row(subject, cells, changed)),
        wanted=goal.words,
        measured_by=" and ".join(sorted(sources)),
        target=subject.target,
        form=partial(in_form, subject, X, int(row), new, expected(subject, cells, changed)),
    )


def _change(inquiry: Inquiry, cells: Cells, moves: dict[int, Move], column: int, value: Any) -> Change:
    known, held = inquiry.subject.words.column(column), cells.columns[column]
    start = moves[column].start
    words = cells.texts[column]
    if start is not None and held.values.dtype == np.float32 and not known.has_levels:
        words = value_text(known, held, start)
    return Change(
        column=inquiry.subject.words.features[column],
        before=None if start is None else plain_value(known, held, start),
        after=plain_value(known, held, value),
        before_words=words or "missing",
        after_words=value_text(known, held, value),
        distance=moves[column].distance(value),
    )
