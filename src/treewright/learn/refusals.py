"""What a table must not have, where the rules of growth refuse it as a classic program does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data.levels import Labels
from ..data.schema import ColumnType
from ..data.table import as_array, each_column, is_frame

MOST_MERGED = 1000  # levels: merging looks at every pair of groups, again and again
MANY_LEVELS = 0.3  # of the rows: C5.0 asks no column of so many levels


def check_refused(
    X: Any, n_rows: int, types: Sequence[ColumnType] | None, names: Any, params: dict[str, Any]
) -> None:
    """Refuse what a table must not have under these parameters."""
    rules = params["growth_rules"] or {}
    refused = rules.get("refuses", ())
    if "numbers" in refused:
        _refuse_numbers(types, names)
    if "missing" in refused:
        _refuse_missing(X)
    if params.get("nominal_splits") == "merged" and types is not None:
        ignored = MANY_LEVELS * n_rows if rules.get("merging") == "c5.0" else float("inf")
        _refuse_merging(types, names, ignored)


def _refuse_merging(types: Sequence[ColumnType], names: Any, ignored: float) -> None:
    for place, kind in enumerate(types):
        n_levels = len(kind.levels) if kind.kind == "nominal" else 0
        if MOST_MERGED < n_levels < ignored:
            name = repr(str(names[place])) if names is not None else place
            raise ValueError(
                f"Columns whose levels are merged must have at most {MOST_MERGED:,} levels. Got {n_levels:,} "
                f"in column {name}. Leave the column out, or do not merge: nominal_splits='multiway' "
                "(of C4.5 without -s, of C5.0 with subset=False)."
            )


def _refuse_numbers(types: Sequence[ColumnType] | None, names: Any) -> None:
    """All columns must have levels, as in ID3."""
    kinds = [ColumnType()] if types is None else types
    for place, kind in enumerate(kinds):
        if kind.kind != "nominal":
            name = repr(str(names[place])) if names is not None else place
            raise ValueError(
                f"Every column of X must hold levels, since numbers are refused here as in ID3. Got {kind} "
                f"in column {name}. Use treewright.classics.c45, which takes them; or make levels of them."
            )


def _refuse_missing(X: Any) -> None:
    for read in each_column(X if is_frame(X) else as_array(X)):
        if not isinstance(read, Labels):
            continue
        lacking = np.flatnonzero(read.codes < 0)
        if len(lacking):
            raise ValueError(
                "X must have no missing value, since these are refused here as in ID3. Got one in "
                f"{read.name}, row {lacking[0]}. Use treewright.classics.c45, which takes them; or leave "
                "the row out."
            )
