"""Columns of a new table as they were at fit.

A file of few rows may look otherwise: codes of which all happen to be numbers, or a column without any value.
What was text at fit is matched with the levels that it had.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .talk import Talk

if TYPE_CHECKING:
    from ..filing import Saved

TRUTH = {"true": True, "false": False}


def as_at_fit(talk: Talk, saved: Saved, frame: Any) -> Any:
    """The table with the columns of a model as the model knows them."""
    names, types = saved.tree.feature_names, saved.tree.column_types
    if names is None or types is None:
        return frame
    known = {
        name: kind.levels
        if kind.has_levels and all(isinstance(level, str) for level in kind.levels)
        else None
        for name, kind in zip(names, types, strict=True)
    }
    return matched(talk, frame, known)


def as_in(talk: Talk, model: Any, frame: Any) -> Any:
    """The columns of one table as they are in another, the one of the fit."""
    import polars as pl

    known = {
        name: model.get_column(name).drop_nulls().unique().to_list()
        if model.schema[name] == pl.String
        else None
        for name in model.columns
    }
    return matched(talk, frame, known)


def matched(talk: Talk, frame: Any, known: Mapping[str, Iterable[str] | None]) -> Any:
    """The table with text where there are levels of text, and no type where there is no value."""
    import polars as pl

    changed = []
    for name, levels in known.items():
        if name not in frame.columns:
            continue
        column = frame.get_column(name)
        if column.null_count() == len(column):
            changed.append(
                pl.Series(name, [None] * len(column), dtype=pl.Null if levels is None else pl.String)
            )
        elif levels is not None and (column.dtype.is_numeric() or column.dtype == pl.Boolean):
            changed.append(_as_text(column, levels))
            talk.note(f"Column {name!r} was text at fit, so its values are taken as text.")
    return frame.with_columns(changed) if changed else frame


def _as_text(column: Any, levels: Iterable[str]) -> Any:
    """Every value as the level that is written so, or that means the same number."""
    exact = set(levels)
    meant: dict[Any, str] = {}
    for level in sorted(exact):
        value = _meaning(level)
        if value is not None:
            meant.setdefault((isinstance(value, bool), value), level)
    values = column.drop_nulls().unique().to_list()
    texts = [
        str(value) if str(value) in exact else meant.get((isinstance(value, bool), value), str(value))
        for value in values
    ]
    import polars as pl

    return column.replace_strict(values, texts, default=None, return_dtype=pl.String)


def _meaning(level: str) -> bool | float | None:
    """What a level would be if it were read from a table of such values only."""
    text = level.strip()
    if text.lower() in TRUTH:
        return TRUTH[text.lower()]
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None
