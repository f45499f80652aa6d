"""A column of text → what it is: numbers, booleans, dates, times, or text; with words for missing values.

The whole column decides. Most of its first cells say what to try; a cell that does not fit leaves it text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from .cells import AMONG_VALUES, BOOLEANS, INTEGER, TIME, TRUE, ZERO_FIRST, family_of

if TYPE_CHECKING:
    import polars as pl

_HEAD = 1000  # cells that say what to try


@dataclass(frozen=True, eq=False)
class Settled:
    """A column in its type, how often each word was taken as missing, and what is odd about it.

    `odd_row` is the row of the first cell that did not fit, `odd_cells` how many there are, `among` what the
    others are.
    """

    column: pl.Series
    words: dict[str, int] = field(default_factory=dict)
    odd_row: int | None = None
    odd_cells: int = 0
    among: str = ""
    remark: str = ""


def settle(column: pl.Series, decimal: str, missing: tuple[str, ...]) -> Settled:
    """The column in the type that all its cells have."""
    family = _family(column, decimal, missing)
    if family in {"text", "missing"}:
        return as_text(column, missing)
    stripped = column.str.strip_chars()
    cells, words = _without(stripped, ("", *missing, *AMONG_VALUES))
    tried = _TRY[family](cells, decimal)
    if isinstance(tried, str):
        text = as_text(column, missing)
        return Settled(text.column, text.words, remark=tried)
    odd = tried.is_null() & cells.is_not_null()
    if odd.any():
        text, first = as_text(column, missing), odd.arg_max()
        return Settled(text.column, text.words, first, int(odd.sum()), _AMONG[family])
    remark = "has whole numbers of more than 64 bits; read as decimals" if _is_beyond(tried, cells) else ""
    words.pop("", None)
    return Settled(tried.alias(column.name), words, remark=remark)


def _family(column: pl.Series, decimal: str, missing: tuple[str, ...]) -> str:
    head = column.head(4 * _HEAD).drop_nulls().head(_HEAD).to_list()
    family = family_of(head, decimal, missing)
    if family != "missing":
        return family
    words = ["", *missing, *AMONG_VALUES]  # nothing but missing values at first: look further down
    known = column.filter(~column.str.strip_chars().is_in(words)).drop_nulls()
    return family_of(known.head(_HEAD).to_list(), decimal, missing)


def _without(cells: pl.Series, words: tuple[str, ...]) -> tuple[pl.Series, dict[str, int]]:
    """The cells without these words, and how often each was there."""
    is_word = cells.is_in(list(words)).fill_null(False)
    if not is_word.any():
        return cells, {}
    found = cells.filter(is_word).unique_counts(), cells.filter(is_word).unique(maintain_order=True)
    return cells.set(is_word, None), dict(zip(found[1].to_list(), found[0].to_list(), strict=True))


def as_text(column: pl.Series, missing: tuple[str, ...]) -> Settled:
    """The column as it is, but for words for missing values and empty texts, whether quoted or not."""
    words = ("", *missing)
    is_word = column.str.strip_chars().is_in(list(words)).fill_null(False)
    if not is_word.any():
        return Settled(column)
    _, counts = _without(column.filter(is_word).str.strip_chars(), words)
    counts.pop("", None)  # which goes without saying
    return Settled(column.set(is_word, None), counts)


# -- one family each: the cells in their type, missing where they do not fit; or why they stay text


def _numbers(cells: pl.Series, decimal: str) -> pl.Series | str:
    import polars as pl

    if decimal == ",":
        # with a decimal comma 1.500 may be one and a half or fifteen hundred: it is no number here
        cells = cells.set(cells.str.contains(".", literal=True).fill_null(False), "x")
        cells = cells.str.replace(",", ".", literal=True)
    found = cells.cast(pl.Int64, strict=False)
    whole = found.null_count() == cells.null_count()
    if not whole:
        found = cells.cast(pl.Float64, strict=False).fill_nan(None)
        whole = _is_large(found) and bool(cells.str.contains(INTEGER).all())
        wide = cells.cast(pl.UInt64, strict=False) if whole else found
        found = wide if wide.null_count() == cells.null_count() else found
    if whole and cells.str.contains(ZERO_FIRST).any():
        return "has whole numbers that start with 0, as codes do; read as text"
    return found


def _is_large(found: pl.Series) -> bool:
    """Whether a number is beyond the whole numbers of 64 bits with a sign."""
    return found.null_count() < len(found) and float(found.abs().max()) >= 2**63  # type: ignore[arg-type]


def _is_beyond(found: pl.Series, cells: pl.Series) -> bool:
    return found.dtype.is_float() and _is_large(found) and bool(cells.str.contains(INTEGER).all())


def _booleans(cells: pl.Series, _: str) -> pl.Series:
    known = cells.is_in(list(BOOLEANS))
    return cells.is_in(list(TRUE)).set(~known, None)


def _times(cells: pl.Series, _: str) -> pl.Series:
    """Dates if all are; else dates with a time, all with a time zone (as UTC) or all without."""
    dates = cells.str.to_date("%Y-%m-%d", strict=False)
    if dates.null_count() == cells.null_count():
        return dates
    parts = cells.str.extract_groups(TIME).struct.unnest()
    day, hour, second, zone = (parts.to_series(j) for j in range(4))
    text = day + "T" + hour.fill_null("00:00") + second.fill_null(":00")
    unit: Literal["ns", "us"] = "ns" if second.str.contains(r"\.[0-9]{6}[0-9]*[1-9]").any() else "us"
    aware = zone.is_not_null()
    if aware.any():
        text = (text + zone.str.replace("Z", "+00:00").str.replace(":", "")).set(~aware, None)
        return text.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%z", time_unit=unit, strict=False)
    return text.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit=unit, strict=False)


_TRY = {"number": _numbers, "boolean": _booleans, "time": _times}
_AMONG = {"number": "numbers", "boolean": "booleans", "time": "times"}
