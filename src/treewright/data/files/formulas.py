"""Texts that a spreadsheet would run as formulas, made harmless by an apostrophe in front."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

_START = r"^[=+\-@\t\r]"
_HARMLESS = r"^[+-]?[ 0-9.,%]*(?:[eE][+-]?[0-9]+)?$"  # numbers, and a sign alone


def without_formulas(frame: pl.DataFrame, columns: Sequence[str] | None) -> tuple[pl.DataFrame, int]:
    """The frame with an apostrophe before texts that would be formulas, and how many of them there are.

    `columns` are those to look at; None for all, and for their names too.
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
    if columns is None:
        frame = frame.rename({name: f"'{name}" for name in frame.columns if name[:1] in tuple("=+-@\t\r")})
    return frame, int(n_cells)
