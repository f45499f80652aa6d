"""Columns as what they are to a tree: at fit by their own types, at predict by those of fit.

At fit a column is what its type says, or nominal where the user lists it. At predict it is read as at fit:

- a level that a nominal column did not have at fit gets the code after the last one, which every test of the
  tree treats as a missing value;
- a level that an ordered column did not have at fit has no rank, and is missing;
- text, objects of text and categories stand for each other, and so do numbers and booleans of all types;
- a column without any value suits every type, and one that had none at fit takes anything as missing;
- a column of another kind than at fit is rejected, and so are times that have gained or lost a time zone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .levels import Codes, Labels, coded_as, in_order, is_missing
from .schema import NOTHING, ColumnType
from .values import Column, Read, as_numbers, labels_of_numbers


def as_at_fit(read: Read, nominal: bool | None) -> Column:
    """A column as what it is to the tree. `nominal`: whether the user lists it; None: its type decides."""
    if isinstance(read, Column):
        if not nominal:
            return read
        read = labels_of_numbers(read)
    elif nominal is False and not read.ordered:
        return as_numbers(read)
    levels, codes = in_order(read)
    ordered = read.ordered and not nominal
    return _coded(read.name, codes, ColumnType("ordered" if ordered else "nominal", levels))


def as_known(read: Read, known: ColumnType) -> Column:
    """A column read as what it was at fit."""
    if isinstance(read, Column) and read.type is known:
        return read
    column = _suited(read, known)
    if column is not None:
        return column
    if known == NOTHING or read.is_empty():
        return without_values(read.name, len(read.values if isinstance(read, Column) else read.codes))
    raise ValueError(
        f"Every column must hold what it held at fit, but {read.name} holds {read.holds()}"
        f"{_first_odd(read)}, and at fit it held {known}. Convert it, or fit again."
    )


def _first_odd(read: Read) -> str:
    """Where the first text stands that is not a number."""
    if isinstance(read, Column) or not read.is_text():
        return ""
    odd = [code for code, level in enumerate(read.levels) if not _is_number(level)]
    rows = np.flatnonzero(np.isin(read.codes, odd))
    return f" ({read.levels[read.codes[rows[0]]]!r} in row {rows[0]})" if len(rows) else ""


def _is_number(level: Any) -> bool:
    try:
        float(level)
    except (TypeError, ValueError):
        return False
    return True


def coded_text(cells: list[Any], name: str, known: ColumnType) -> Column | None:
    """Few cells read as of a known type with levels of text; None where one is neither text nor missing."""
    code_of, other = known.code_of, known.code_of_unknown
    unknown, codes = 0, []
    for cell in cells:
        if type(cell) is not str and not is_missing(cell):
            return None
        code = code_of.get(cell) if type(cell) is str else -1
        unknown += code is None
        codes.append(other if code is None else code)
    return _coded(name, np.array(codes, dtype=np.int32), known)._replace(unknown=unknown)


def _suited(read: Read, known: ColumnType) -> Column | None:
    """A column read as of a known type; None if it holds something else."""
    if known.levels:
        if isinstance(read, Column):
            if not read.type.is_number:
                return None
            read = labels_of_numbers(read)
        coded = coded_as(read, known)
        return None if coded is None else _coded(read.name, coded[0], known)._replace(unknown=coded[1])
    if isinstance(read, Labels) and read.is_text():
        return None
    column = as_numbers(read)
    same = column.type.is_number if known.is_number else column.type == known
    return column if same else None


def _coded(name: str, codes: Codes, known: ColumnType) -> Column:
    """A column of codes: those of ordered levels are numbers, with a mask of the missing ones."""
    if not known.levels:
        return without_values(name, len(codes))
    if known.kind == "nominal":
        return Column(name, codes, None, known)
    missing = codes < 0
    return Column(name, codes, missing if missing.any() else None, known)


def without_values(name: str, n_rows: int) -> Column:
    """A column without a value, which suits every type."""
    return Column(name, np.zeros(n_rows), np.ones(n_rows, dtype=bool), NOTHING)
