"""Numbers as people write them: 1,234.50, 1.234,50, $350,000, 12.3 %, 5,650 sqft, (1,234), 0.93k, <0.5.

The whole column decides how its numbers are written: one decimal mark, one mark between thousands, one unit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .number_patterns import CURRENCY, GROUPS, NEVER, POWERS, SPACES, WRITTEN, is_unit, number_pattern

if TYPE_CHECKING:
    import polars as pl

ZERO_FIRST = r"^[+-]?0[0-9]"
PERCENT = "%"
_HEAD = 1000  # cells to look at first
_MOST_LIMITS = 0.5  # the share of cells such as <0.5; above, they are names of groups
_THREE_DIGITS = r"^[+-]?(?:[1-9][0-9]{{0,2}}{mark}[0-9]{{3}}|[0-9]{{1,3}})$"


@dataclass(frozen=True)
class NumberFormat:
    """How the numbers of a column are written: decimal mark, mark between thousands ("" is none), unit."""

    decimal: str = "."
    thousands: str = ""
    unit: str = ""

    def words(self, is_unclear: bool) -> str:
        """What a note adds to an example."""
        parts = [f"unit {self.unit}"] if self.unit else []
        if is_unclear:
            parts.append(f"{self.thousands!r} stands between thousands, as all have three digits after it")
        return f" ({'; '.join(parts)})" if parts else ""


@dataclass(frozen=True, eq=False)
class Numbers:
    """The numbers of a column of text, missing where a cell is no such number, and how they are written."""

    values: pl.Series
    format: NumberFormat
    unit: str  # that stands in the cells; `format` may be of other cells
    limits: pl.Series  # whether a cell is a limit, such as <0.5
    is_unclear: bool = False  # whether a mark between thousands could be a decimal mark


def read_numbers(
    cells: pl.Series, decimal: str, known: NumberFormat | None, *, only: bool = False
) -> Numbers | None:
    """The numbers of cells without missing words; None if no format suits all of them.

    `decimal` is the decimal mark of the table, which decides in doubt; with `only` there is no other.
    """
    parts = _parts_fast(cells)
    if parts is None or not _are_clear(parts):
        return None
    unit = _unit(parts, known)
    if unit is None:
        return None
    formats = _formats(decimal, only) if known is None else [(known.thousands, known.decimal)]
    suited = (each for each in formats if parts["body"].str.contains(_pattern(*each)).all())
    thousands, mark = next(suited, (None, ""))
    values = None if thousands is None else _values(parts, thousands, mark)
    if thousands is None or values is None:
        return None
    if known is not None:
        return Numbers(values, known, unit, parts["limit"])
    if thousands and not parts["body"].str.contains(thousands, literal=True).any():
        thousands = ""
    unclear = _is_unclear(parts["body"], thousands)
    return Numbers(values, NumberFormat(mark, thousands, unit), unit, parts["limit"], unclear)


def could_be_thousands(cells: pl.Series, mark: str) -> bool:
    """Whether the marks of plain numbers could stand between thousands: all have three digits after."""
    has_mark = cells.str.contains(mark, literal=True).any()
    return bool(has_mark and cells.str.contains(_THREE_DIGITS.format(mark=re.escape(mark))).all())


def without_format(cells: pl.Series, decimal: str) -> pl.Series | None:
    """The few cells that do not fit the format that suits most of them; None where there are none such."""
    body = _extracted(cells, WRITTEN)["body"]
    suited = [body.str.contains(_pattern(*each)).fill_null(False) for each in _formats(decimal, False)]
    best = max(suited, key=lambda each: int(each.sum()))
    odd = ~best & cells.is_not_null()
    return odd if 0 < 2 * odd.sum() < len(cells) - cells.null_count() else None


def units_in(cells: pl.Series) -> pl.Series | None:
    """The unit of every cell that looks like a number ("" is none); None where these are hardly units.

    A few words that come back are units too; 12 Main St, 7 High St, <18 and >65 have none.
    """
    import polars as pl

    parts = _extracted(cells, WRITTEN)
    if _has_many_limits(parts):
        return None
    units = pl.select(pl.when(parts["body"].is_not_null()).then(parts["unit"].fill_null(""))).to_series()
    different = units.drop_nulls().unique().to_list()
    few = len(different) <= 3 and len(cells) >= 10 * len(different)
    return units if few or all(map(is_unit, different)) else None


# -- the parts of cells


def _parts_fast(cells: pl.Series) -> pl.DataFrame | None:
    """As `_parts`: the first cells may show that the others need no look, and the unit to look for."""
    if len(cells) <= 2 * _HEAD:
        return _parts(cells)
    head = _parts(cells.head(_HEAD))
    if head is None:
        return None
    units = head["unit"].drop_nulls().unique().to_list()
    if len(units) > 1:
        return None
    unit = re.escape(units[0]) if units else NEVER
    found = _parts(cells, number_pattern(unit, unit, unit))
    return _parts(cells) if found is None else found


def _parts(cells: pl.Series, pattern: str = WRITTEN) -> pl.DataFrame | None:
    """Sign, unit, magnitude and digits of every cell; None if a cell has other parts."""
    parts = _extracted(cells, pattern)
    if parts["body"].null_count() > cells.null_count() or not parts["valid"].all():
        return None
    return parts


def _extracted(cells: pl.Series, pattern: str) -> pl.DataFrame:
    """The parts of every cell, missing where it is no number."""
    import polars as pl

    parts = cells.str.extract_groups(pattern).struct.unnest()
    parts.columns = list(GROUPS)
    body = pl.col("body").str.replace_all(SPACES, " ").str.replace_all("\u2019", "'", literal=True)
    signs = pl.sum_horizontal(pl.col("open", "first", "second", "last").is_not_null().cast(pl.Int8))
    after = pl.coalesce("after", "free").str.strip_chars()
    millions = pl.col("before").is_not_null() & (after == "m").fill_null(False)  # $5m
    thousands = (after == "K").fill_null(False) & pl.col("magnitude").is_not_null().any()  # 5 K beside 2 M
    magnitude = pl.when(millions | thousands).then(after).otherwise(pl.col("magnitude").str.strip_chars())
    behind = pl.when(~(millions | thousands)).then(after)
    unit = pl.concat_str("before", behind, separator=" ", ignore_nulls=True)
    return parts.select(
        body,
        magnitude=magnitude,
        limit=pl.col("limit").is_not_null(),
        negative=pl.col("open").is_not_null()
        | pl.col("last").is_not_null()
        | pl.coalesce("first", "second", pl.lit("+")).ne("+"),
        valid=(pl.col("open").is_null() == pl.col("close").is_null()) & (signs <= 1),
        unit=pl.when(unit != "").then(unit),
    )


def _are_clear(parts: pl.DataFrame) -> bool:
    """Whether limits are few, and B is billions: beside other magnitudes, a currency or decimals."""
    if _has_many_limits(parts):
        return False
    magnitudes = parts["magnitude"].drop_nulls().unique().to_list()
    if magnitudes != ["B"]:
        return True
    has_currency = parts["unit"].str.contains(f"^{CURRENCY}$").any()
    return bool(has_currency or parts["body"].str.contains("[.,]").any())


def _has_many_limits(parts: pl.DataFrame) -> bool:
    return bool(parts["limit"].sum() > _MOST_LIMITS * (len(parts) - parts["body"].null_count()))


def _unit(parts: pl.DataFrame, known: NumberFormat | None) -> str | None:
    """The one unit of the column, "" for none; None if there are several.

    A currency may be left out in some cells, and a 0 needs no unit.
    """
    import polars as pl

    units = parts["unit"].drop_nulls().unique().to_list()
    if len(units) > 1 or (known is not None and units not in ([], [known.unit])):
        return None
    if known is None and units and not re.fullmatch(CURRENCY, units[0]):
        bare = parts.filter(pl.col("unit").is_null())["body"].drop_nulls()
        if not bare.str.contains(r"^[0.,]+$").all():
            return None
    return units[0] if units else ""


# -- marks and values


def _formats(decimal: str, only: bool) -> list[tuple[str, str]]:
    """Marks between thousands and decimal marks; of two that suit all cells the first is taken."""
    marks = [decimal] if only else [decimal, "," if decimal == "." else "."]
    return [
        (thousands, mark) for mark in marks for thousands in ("", ",", ".", " ", "'") if thousands != mark
    ]


def _pattern(thousands: str, decimal: str) -> str:
    """Whole thousands of three digits (or those of India, 12,34,567), then decimals."""
    whole, mark = "[0-9]+", re.escape(thousands)
    if thousands:
        whole += rf"|[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+"
        whole += rf"|[1-9][0-9]?(?:{mark}[0-9]{{2}})+{mark}[0-9]{{3}}" if thousands == "," else ""
    point = re.escape(decimal)
    return rf"^(?:(?:{whole})(?:{point}[0-9]*)?|{point}[0-9]+)(?:[eE][+-]?[0-9]+)?$"


def _values(parts: pl.DataFrame, thousands: str, decimal: str) -> pl.Series | None:
    """The numbers; None where they start with 0, as codes do."""
    import polars as pl

    digits = parts["body"]
    if thousands:
        digits = digits.str.replace_all(thousands, "", literal=True)
    if decimal == ",":
        digits = digits.str.replace(",", ".", literal=True)
    signs = pl.select(pl.when(parts["negative"]).then(pl.lit("-")).otherwise(pl.lit(""))).to_series()
    text = signs + digits
    if parts["magnitude"].null_count() < len(parts):  # 2.01k is 2.01e3: a product would round twice
        if digits.str.contains(ZERO_FIRST).any():
            return None
        name = parts["magnitude"]
        name = name.zip_with(name.str.len_chars() < 2, name.str.to_lowercase())
        power = name.replace_strict({word: f"e{power}" for word, power in POWERS.items()}, default=None)
        text += power.fill_null("")
    whole = text.cast(pl.Int64, strict=False)
    if whole.null_count() == digits.null_count():
        return None if digits.str.contains(ZERO_FIRST).any() else whole
    values = text.cast(pl.Float64, strict=False)
    return values if values.null_count() == digits.null_count() else None


def _is_unclear(body: pl.Series, thousands: str) -> bool:
    """Whether the mark between thousands could be a decimal mark in every number that has it."""
    if thousands not in {",", "."}:
        return False
    mark = re.escape(thousands)
    with_mark = body.str.contains(mark)
    once = body.filter(with_mark).str.contains(rf"^[0-9]+{mark}[0-9]{{3}}$").all()
    return bool(once) and not body.filter(~with_mark).str.contains(r"[.,]|[0-9]{4}").any()
