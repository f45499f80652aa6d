"""`treewright.export_check`: run an exported file, and compare it with its model row by row."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ...data.common.plural import counted
from ...data.common.result import Result
from .form import Form, form_of
from .rows import Predicted, boundary_rows, predicted_by, table_rows
from .targets import TARGETS, module_of, target_of

TOLERANCE = 1e-12  # of probabilities that need exp, whose last bit languages compute differently


@dataclass(frozen=True)
class ExportCheck(Result):
    """How many rows an export and its model agree on."""

    to: str
    rows: int
    differing: dict[str, int]  # what is compared: in how many rows it differs
    first: dict[str, Any] | None = None  # the first row that differs

    @property
    def agrees(self) -> bool:
        """Whether nothing differs."""
        return not any(self.differing.values())

    def to_dicts(self) -> list[dict[str, Any]]:
        """One row for each thing that is compared."""
        return [{"compared": name, "rows": self.rows, "differing": n} for name, n in self.differing.items()]

    def _headline(self) -> str:
        if self.agrees:
            what = ", ".join(self.differing)
            return f"{self.to}: all of {counted(self.rows, 'row')} agree ({what})"
        worst = max(self.differing.values())
        return f"{self.to}: {worst:,} of {counted(self.rows, 'row')} differ"

    def __str__(self) -> str:
        return self._headline() if self.agrees else super().__str__()

    def _notes(self) -> Sequence[str]:
        return () if self.first is None else (f"The first row that differs: {self.first}",)


def export_check(
    model: Any, path: str | os.PathLike[str], X: Any = None, *, to: str | None = None, n_rows: int = 2000
) -> ExportCheck:
    """Run an exported file, and compare it with its model.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree, Tree or path
        The model that was exported.
    path : path
        The file that `export` wrote.
    X : table, optional
        Rows to compare, besides those at the boundaries of the tests.
    to : str, optional
        The format. By default the suffix of `path` decides.
    n_rows : int, default=2000
        The number of rows at the boundaries: at, before and after thresholds, missing and unknown values.

    Returns
    -------
    ExportCheck
        `agrees` says whether all rows have the same leaf, prediction and probabilities.

    Raises
    ------
    ModuleNotFoundError or FileNotFoundError
        If the program that runs the export is not installed.
    """
    name = target_of(to, path)
    if not TARGETS[name].runs:
        raise ValueError(f"An export to {name!r} is for reading, and cannot be run. Check another format.")
    form = form_of(model)
    rows = boundary_rows(form, n_rows) + ([] if X is None else table_rows(form, X))
    found = module_of(name).run(Path(path), form, rows)
    return compared(name, form, rows, found)


def compared(to: str, form: Form, rows: list[list[Any]], found: Predicted) -> ExportCheck:
    """The differences between what an export and the model predict for rows."""
    expected = predicted_by(form, rows)
    near = form.leaf_models is not None and form.link != "identity"
    differing: dict[str, int] = {}
    first: int | None = None
    for place, name in enumerate(Predicted._fields):
        ours: Any = expected[place]
        theirs: Any = found[place]
        if not theirs or not ours:
            continue
        close = near and name == "probabilities"
        wrong = [
            k
            for k, (a, b) in enumerate(zip(ours, theirs, strict=True))
            if a != b and not (close and _close(a, b))
        ]
        differing[name] = len(wrong)
        if wrong and (first is None or wrong[0] < first):
            first = wrong[0]
    shown = None
    if first is not None:
        shown = dict(zip((column.name for column in form.columns), rows[first], strict=True))
    return ExportCheck(to, len(rows), differing, shown)


def _close(a: list[list[float]], b: list[list[float]]) -> bool:
    flat = zip(chain(*a), chain(*b), strict=True)
    return all(abs(x - y) <= TOLERANCE * max(abs(x), abs(y)) for x, y in flat)
