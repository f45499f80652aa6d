"""`treewright.fit` of a table that is not in memory: the same steps, on drawn rows where some are enough.

The task and the faults of the table are found in a sample of its rows. The model is fitted on all rows. It is
scored, as tables of more than 100,000 rows are in memory, on rows that a second model was not trained on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from ...data.common.allowed import is_whole
from ...data.common.errors import ParameterError
from ...data.common.progress import Progress
from ...data.known_target import is_lost_note, lost_note
from ...data.parts.drawn import Drawn, LargeTable, share_of_groups
from ...data.parts.in_memory import not_in_memory
from ...data.parts.value_counts import as_numbers
from ...learn.folds import held_out_fold
from ...learn.parts.cluster import a_client
from ...learn.parts.dask_frames import is_dask
from ...learn.parts.given import Given, Limits
from ...learn.parts.progress import reporting
from ...learn.parts.refusals import CLUSTER, FILES, refuse
from ...learn.parts.workers import computed
from ...learn.plain import PLAIN
from ..metrics import Baseline
from ..procedure import Data
from .dataset import is_name, listed, read_dataset
from .procedure import Procedure
from .scoring import Fitted, both_predictions, both_scores, on_test_table

SAMPLE = 100_000  # rows that the task is found in, and that are checked
HELD_OUT, MOST_HELD_OUT = 0.2, 200_000  # the share of the rows to score on, and how many are enough

Function = TypeVar("Function", bound=Callable[..., Any])


class LargeDaskTable:
    """A Dask frame of which rows are drawn by their number, as `LargeTable` does it for files."""

    where = "is on a cluster"

    def __init__(self, frame: Any, sizes: Any = None) -> None:
        self.frame = frame
        self.sizes = list(computed(frame.map_partitions(len))) if sizes is None else sizes
        self.n_rows = int(sum(self.sizes))

    def n_without(self, target: str) -> int:
        """How many rows have no target."""
        return int(computed(self.frame[target].isna().sum()))

    def drawn(self, drawn: Drawn) -> Any:
        """The rows that are drawn, in memory."""
        return computed(self._divided(drawn, inside=True))

    def rest(self, drawn: Drawn) -> Any:
        """The other rows."""
        return self._divided(drawn, inside=False)

    def whole(self) -> Any:
        """All rows."""
        return self.frame

    def without(self, names: Sequence[str]) -> LargeDaskTable:
        """The same rows without some columns."""
        return LargeDaskTable(self.frame.drop(columns=list(names)), self.sizes)

    def _divided(self, drawn: Drawn, inside: bool) -> Any:
        import dask.dataframe as dd
        from dask.delayed import delayed

        firsts = np.cumsum([0, *self.sizes]).tolist()
        pairs = zip(self.frame.to_delayed(), firsts, strict=False)
        parts = [delayed(drawn.rows)(part, first, inside) for part, first in pairs]
        return dd.from_delayed(parts, meta=self.frame._meta, verify_meta=False)  # noqa: SLF001


def on_cluster(function: Function) -> Function:
    """Let a function of a table have a client where the table is one of Dask: all of its work uses it."""

    @wraps(function)
    def runs(table: Any, *given: Any, client: Any = None, **named: Any) -> Any:
        if not is_dask(table) and not isinstance(table, LargeDaskTable):
            if client is not None:
                raise ParameterError(
                    f"client is for Dask tables. Got a table of type {type(table).__name__}.", "client"
                )
            return function(table, *given, **named)
        with a_client(client) as used, used.as_current():
            return function(table, *given, client=used, **named)

    return runs  # type: ignore[return-value]


def large_table(table: Any, memory: Any) -> LargeTable | LargeDaskTable | None:
    """The table, if it is not and cannot be in memory."""
    if isinstance(table, LargeTable | LargeDaskTable):
        return table
    if is_dask(table):
        if not hasattr(table, "columns"):
            raise ValueError("table must be a Dask frame, whose columns have names. Got a Dask array.")
        return LargeDaskTable(table)
    sources = not_in_memory(table, memory)
    return None if sources is None else LargeTable(sources)


def sample_of(table: LargeTable | LargeDaskTable, target: Any, beside: dict[str, Any]) -> Any:
    """Some of the rows, in memory. The target, the weights, groups and times must be columns."""
    for what, given in (("target", target), *beside.items()):
        if not is_name(given) and (given is not None or what == "target"):
            raise ParameterError(
                f"{what} must be the name of a column where the table {table.where}. Got "
                f"{type(given).__name__}.",
                what,
            )
    return table.drawn(Drawn(min(1.0, SAMPLE / max(1, table.n_rows))))


@dataclass(frozen=True, eq=False)
class LargeProcedure(Procedure):
    """A procedure on all rows of a large table; its dataset is a sample of them."""

    table: Any = None  # with the columns to predict from, and the target and the weights
    limits: Any = None  # memory or client, as `fit` of an estimator takes them
    labels: Any = ()  # the classes, once they are known

    @property
    def params(self) -> dict[str, Any]:
        """The parameters for all rows. Folds by the number of the row are made once."""
        return self._settings(self.table.n_rows, self.given) | {"cv_repeats": 1}

    @property
    def classes(self) -> Any:
        """The labels of all rows, sorted; until they are known, those of the sample."""
        return self.labels if len(self.labels) else super().classes

    def fitted_on(self, rows: Any) -> Any:
        """The finished model of these rows: a table as `fit` takes it."""
        model = PLAIN[self.dataset.task](**self.params)
        given = Given(rows, self.dataset.target, **self.dataset.columns_of)
        return self._decided(model.fit_rows(given, Limits(**self.limits, in_parts=True)))

    def held_out(self, share: float) -> Drawn:
        """Which rows to hold out: a share of them, by groups or the latest ones, as the sample has them."""
        names, data = self.dataset.columns_of, self.dataset.data
        if data.time is not None:
            late = held_out_fold(self.dataset.y, share, time=data.time).test
            return Drawn(time=names["time"], after=as_numbers(np.asarray(data.time)[late]).min())
        if data.groups is not None:
            return Drawn(share_of_groups(np.asarray(data.groups), share), names["groups"])
        return Drawn(share)


def large_procedure(
    procedure: Procedure, table: Any, exclude: Any, limits: Any, **beside: Any
) -> LargeProcedure:
    """The procedure of a sample for the whole table; what needs all rows in memory is refused."""
    dataset = procedure.dataset
    where = CLUSTER if isinstance(table, LargeDaskTable) else FILES
    cv = procedure.given.get("cv")
    if cv is not None and not is_whole(cv):
        raise ParameterError(f"cv must be a number of folds where the table {where[0]}. Got {cv!r}.", "cv")
    table = table.without([str(name) for name in listed(exclude)])
    made = LargeProcedure(dataset, procedure.given, procedure.decision, table, limits)
    known = vars(PLAIN[dataset.task](**made.params))
    refuse(known, where, **beside)
    return made


def fit_and_score_large(
    procedure: LargeProcedure, test: Any, test_size: float | None, wanted: bool, say: Progress
) -> Fitted:
    """Fit on all rows, or on those not held out; score on rows that had no part in the model."""
    table, dataset = procedure.table, procedure.dataset
    share = min(HELD_OUT, MOST_HELD_OUT / table.n_rows) if test_size is None else float(test_size)
    drawn = procedure.held_out(share)
    rows = table.whole() if test_size is None else table.rest(drawn)
    with reporting(lambda text: say(0, 2, f"growing trees: {text}")):
        model = procedure.fitted_on(rows)
    object.__setattr__(procedure, "labels", getattr(model, "classes_", ()))
    notes = tuple(model.notes_)
    if not wanted:
        return Fitted(model, ([], []), "Not scored.", notes)
    if test is not None:
        found = on_test_table(procedure, model, test, _baseline(procedure, model))
        return Fitted(found.model, found.scores, found.scored_on, (*notes, *found.notes))
    with reporting(lambda text: say(1, 2, f"scoring: {text}")):
        scored = model if test_size is not None else procedure.fitted_on(table.rest(drawn))
    names = dataset.columns_of
    held_out = read_dataset(table.drawn(drawn), dataset.target, task=dataset.task, to_score=True, **names)
    data = Data(held_out.data.X, held_out.y, None, held_out.weights)
    scores = both_scores(_baseline(procedure, scored), both_predictions(procedure, scored, data))
    notes = (*notes, *(note for note in held_out.notes if is_lost_note(note, dataset.target)))
    return Fitted(model, scores, f"{held_out.n_rows:,} held-out rows", notes)


def rows_and_notes(table: Any, target: str, notes: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """How many rows have a target, and the notes with one of all rows that have none.

    The sample, the training rows and the held-out rows each have such a note of their own.
    """
    others = tuple(note for note in notes if not is_lost_note(note, target))
    n_lost = table.n_without(target) if len(others) < len(notes) else 0
    return table.n_rows - n_lost, (*others, *lost_note(n_lost, target))


def _baseline(procedure: LargeProcedure, model: Any) -> Baseline:
    """The best constant predictions for the rows of a model; the median is that of the sample."""
    dataset, root = procedure.dataset, model.tree_.value[0, 0]
    if dataset.is_classification:
        return Baseline(np.asarray(root))
    return Baseline(None, float(root[0]), Baseline.of(dataset.y, dataset.weights, 0).median)
