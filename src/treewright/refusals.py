"""What a table must not have, where the rules of growth refuse it as a classic program does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .levels import Labels
from .schema import ColumnType
from .table import each_column


def check_refused(
    X: Any, types: Sequence[ColumnType] | None, names: Any, rules: dict[str, Any] | None
) -> None:
    """Refuse numbers or missing values in a table, if the rules say so."""
    refused = (rules or {}).get("refuses", ())
    if "numbers" in refused:
        _refuse_numbers(types, names)
    if "missing" in refused:
        _refuse_missing(X)


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
    for read in each_column(X):
        if not isinstance(read, Labels):
            continue
        lacking = np.flatnonzero(read.codes < 0)
        if len(lacking):
            raise ValueError(
                "X must have no missing value, since these are refused here as in ID3. Got one in "
                f"{read.name}, row {lacking[0]}. Use treewright.classics.c45, which takes them; or leave "
                "the row out."
            )
