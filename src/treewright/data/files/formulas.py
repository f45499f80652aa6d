"""Texts that a spreadsheet would run as formulas, made harmless by an apostrophe in front."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

_START = r"^[=+\-@\t\r]"
_HARMLESS = r"^[+-]?[ 0-9.,%]*(?:[eE][+-]?[0-9]+)?$"  # numbers, and a sign alone
_FORMULA_NAME = re.compile(r"[=@\t\r]|[+-].*[(|!]")  # -1 and +x are names; +cmd|' /c x'!A0 is a formula
_SAFE_NAME = re.compile(rf"'(?:{_FORMULA_NAME.pattern})")


def without_formulas(frame: pl.DataFrame, columns: Sequence[str] | None) -> tuple[pl.DataFrame, int]:
    """The frame with an apostrophe before texts that would be formulas, and how many of them there are.

    `columns` are those to look at; None for all. Their names stay: see `safe_names`.
    """
    import polars as pl

    names = [name for name in columns or frame.columns if frame.schema[name] == pl.String]
    is_formula = [pl.col(name).str.contains(_START) & ~pl.col(name).str.contains(_HARMLESS) for name in names]
    n_cells = sum(frame.select(each.sum() for each in is_formula).row(0)) if names else 0
    if n_cells:
        frame = frame.with_columns(
            pl.when(each).then(pl.lit("'") + pl.col(name)).otherwise(pl.col(name)).alias(name)
            for name, each in zip(names, is_formula, strict=True)
        )
    return frame, int(n_cells)


def safe_names(names: Sequence[str]) -> dict[str, str]:
    """The names that would be formulas, each with an apostrophe in front; reading takes it off again."""
    return {name: f"'{name}" for name in names if _FORMULA_NAME.match(name)}


def name_as_read(cell: str) -> str:
    """The name in a cell of a header: without the apostrophe of `safe_names`."""
    return cell[1:] if _SAFE_NAME.match(cell) else cell
