"""The nearest change of a row that changes its prediction, found exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ...data.columns import from_columns
from ...data.common.allowed import is_whole
from ...data.schema import ColumnType
from ...data.values import Column
from ...tree.decided import must_be_crisp
from ..described_model import DescribedModel, describe
from ..row import Row, as_table, n_rows_of, rows_of, value_text
from .changed_row import in_form
from .changes import FALLING, FIXED, RISING, ValueChange
from .combined import CombinedSearch, linked_values
from .equations import EquationSearch, wanted_scores
from .numbers import Number
from .result import ChangedValue, Counterfactual, Counterfactuals, Prediction
from .scales import ChangeRules, change_rules
from .search import MOST_PATHS, CandidatePath, NearestSearch, NodeSets, TooManyPathsError, reachable
from .target_spec import TargetSpec, target_spec

DISTANCES = ("scaled", "changes")


@dataclass(frozen=True)
class Task:
    """All that is the same for every row."""

    model: DescribedModel
    rules: ChangeRules
    target: Any
    output: int
    max_changes: int | None
    fewest: bool
    sets: NodeSets
    reached: dict[TargetSpec, tuple[Any, Any]] = field(default_factory=dict)

    def prediction(self, columns: Any) -> Prediction:
        """The prediction of one row."""
        tree, k = self.model.tree, self.output
        node = int(tree.apply(columns)[0])
        rows = int(tree.n_node_samples[node]) if self.model.words.counts_rows else None
        found = tree.predict(columns).reshape(tree.n_outputs, -1)[k]
        if self.model.labels is None:
            return Prediction(float(found[0]), f"{found[0]:.6g}", None, node, rows)
        place = int(tree.labels(columns)[0, k])
        text = self.model.class_text(k, place)
        if place < 0:
            return Prediction(None, text, None, node, rows)
        return Prediction(self.model.labels[k][place], text, float(found[place]), node, rows)

    def nodes(self, spec: TargetSpec) -> tuple[Any, Any]:
        """The nodes with a wanted prediction, and those above them; None where rows are divided."""
        if self.model.tree.shares_rows:
            return None, None
        if spec not in self.reached:
            good = spec.good(self.model.tree) | (self.model.tree.leaf_models is not None)
            self.reached[spec] = good, reachable(self.model.tree, good)
        return self.reached[spec]

    def search(
        self, row: Row, spec: TargetSpec, changes: dict[int, ValueChange]
    ) -> tuple[CandidatePath, dict[int, Number]] | None:
        """The nearest path and the new values on it; every one of them was tried."""
        tree, new = self.model.tree, dict[int, Number]()

        def accept(path: CandidatePath) -> bool:
            new.clear()
            linked = linked_values(path, search)
            new.update((j, value) for j, value in linked.items() if value != changes[j].start)
            for j, values in path.values.items():
                if j in linked or tree.terms(j):
                    continue
                value = changes[j].pick(values)
                if path.change_costs[j].changed and value is not None:
                    new[j] = value
            return spec.is_met(tree, from_columns(changed_columns(self.model, row, new), 1))

        search = self.searched(spec, changes)
        try:
            path = search.nearest(accept)
        except TooManyPathsError:
            raise ValueError(
                f"The nearest change must be among the first {MOST_PATHS:,} paths of the tree. Got more, "
                "since rows with missing values are divided. Give max_changes or fixed, or fill some in."
            ) from None
        return None if path is None else (path, new)

    def searched(self, spec: TargetSpec, changes: dict[int, ValueChange]) -> NearestSearch:
        """The search that the tests and the leaves of the tree need."""
        tree, limits = self.model.tree, (self.max_changes, self.fewest)
        if tree.leaf_models is not None:
            return EquationSearch(self.sets, changes, *self.nodes(spec), *limits, wanted_scores(tree, spec))
        kind = NearestSearch if tree.combinations is None else CombinedSearch
        return kind(self.sets, changes, *self.nodes(spec), *limits)

    def run(self, X: Any, row: Row) -> Counterfactual:
        """The counterfactual of one row."""
        model = self.model
        decided = -1 if model.labels is None else int(model.tree.labels(row.core)[0, self.output])
        spec, changes = target_spec(model, self.target, self.output, decided), self.rules.changes(row)
        found = self.search(row, spec, changes)
        path, new = found if found is not None else (None, dict[int, Number]())
        changed = [_changed_value(model, row, changes, j, new[j]) for j in sorted(new)]
        changed.sort(key=lambda each: -each.distance)
        sources = {self.rules.scales[j][1] for j in new} - {""}
        values = {j: table_value(model.words.column(j), row.columns[j], value) for j, value in new.items()}
        columns = changed_columns(model, row, new)
        return Counterfactual(
            row=row.number,
            found=path is not None,
            changes=tuple(changed),
            distance=math.inf if path is None else sum(each.distance for each in changed),
            least=math.inf if path is None else path.cost,
            before=self.prediction(row.core),
            after=None if path is None else self.prediction(from_columns(columns, 1)),
            wanted=spec.text,
            measured_by=" and ".join(sorted(sources)),
            target=model.target,
            make_row=partial(in_form, model, X, row.number, values, columns),
        )


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
) -> Counterfactual | Counterfactuals:
    """Find the nearest change of a row that changes its prediction; no nearer one exists.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree, Tree or path
        A fitted tree of treewright, or the path of a model file.
    X : table, dict, or values of one row
        Columns are found by name where both the model and X have names, else by position.
    target : label, or for regression ("above", v), ("below", v) or an interval (low, high), optional
        What the prediction must become. None: any other class than now.
    row : int, optional
        The number of one row of X, from 0. None: all rows.
    reference : table, optional
        Training rows. Numbers and times are measured by their quartile range there, or where that is 0 by
        the whole range. Without it the spread of the tree's own thresholds is used, and the result says so.
        Where all values of a column are whole numbers, it stays whole.
    scales : dict, optional
        What costs 1 in a column, by name or number, in place of that.
    weights : dict, optional
        Factors of the distance by column; 1 unless given.
    fixed, rising, falling : list of columns, default ()
        Columns that must not change; that may only increase; that may only decrease. A missing value of a
        rising or falling column stays missing.
    max_changes : int, optional
        The most columns that may change. None: any number.
    distance : {"scaled", "changes"}, default "scaled"
        "scaled": the sum of |change| / scale, where a changed level, a changed boolean and a value for a
        missing one cost 1, and an ordered level costs 1 a step. "changes": first the number of changed
        columns, then that sum.
    output : int, default 0
        Which of several targets to look at.

    Returns
    -------
    Counterfactual or Counterfactuals
        For several rows, a list. Every changed row has been through `predict`. Values have few digits as far
        as the leaf allows.

    Notes
    -----
    Where tests combine columns, the least change is the solution of a linear programme for each path. A
    missing value of a column that a test combines stays missing.
    """
    described = describe(model)
    must_be_crisp(described.tree, "counterfactual")
    if distance not in DISTANCES:
        raise ValueError(f"distance must be one of {', '.join(DISTANCES)}. Got {distance!r}.")
    if max_changes is not None and (not is_whole(max_changes) or max_changes < 0):
        raise ValueError(f"max_changes must be None or an int of at least 0. Got {max_changes!r}.")
    described.check_output(output)
    target_spec(described, target, output, 0)  # which rejects what cannot be a target
    limits = {FIXED: fixed, RISING: rising, FALLING: falling}
    several = n_rows_of(as_table(X)) > 1 and reference is None
    rules = change_rules(described, limits, weights, scales, reference, X if several else None)
    fewest, sets = distance == "changes", NodeSets(described.tree)
    task = Task(described, rules, target, output, max_changes, fewest, sets)
    rows = rows_of(described, X, row)
    if len(rows) == 1:
        return task.run(X, rows[0])
    return Counterfactuals(len(rows), lambda place: task.run(X, rows[place]))


# -- the changed row


def changed_columns(model: DescribedModel, row: Row, new: dict[int, Number]) -> list[Column]:
    """The columns of a row with new values: numbers, microseconds or codes of levels."""
    columns = list(row.columns)
    for j, value in new.items():
        known = model.words.column(j)
        dtype = _dtype(known, columns[j], value)
        columns[j] = Column(columns[j].name, np.array([value], dtype=dtype), None, known)
    return columns


def _dtype(known: ColumnType, held: Column, value: Number) -> Any:
    if known.kind == "nominal":
        return np.int32
    if known.kind == "boolean" or (isinstance(value, float) and held.values.dtype.kind == "f"):
        return held.values.dtype
    if isinstance(value, float):  # an int was given, but the column is one of any numbers
        return np.float64
    return np.int64 if value < 2**63 else np.uint64


def table_value(known: ColumnType, held: Column, value: Number) -> Any:
    """A value as a table would hold it."""
    if known.has_levels:
        return known.levels[int(value)]
    if known.kind == "datetime":
        return np.datetime64(int(value), "us")
    if known.kind == "duration":
        return np.timedelta64(int(value), "us")
    if known.kind == "boolean":
        return bool(value)
    if held.values.dtype == np.float32:
        return np.float32(value)
    return float(value) if held.values.dtype.kind == "f" else value


def _changed_value(
    model: DescribedModel, row: Row, changes: dict[int, ValueChange], column: int, value: Any
) -> ChangedValue:
    known, held = model.words.column(column), row.columns[column]
    start = changes[column].start
    single = held.values.dtype == np.float32 and not known.has_levels

    def text(number: Any) -> str:
        return str(np.float32(number)).removesuffix(".0") if single else value_text(known, number)

    return ChangedValue(
        column=model.words.features[column],
        before=None if start is None else table_value(known, held, start),
        after=table_value(known, held, value),
        before_text=text(start) if start is not None and single else row.texts[column] or "missing",
        after_text=text(value),
        distance=changes[column].distance(value),
    )
