"""Numbers as people write them: 1,234.50, 1.234,50, $350,000, 12.3 %, 5,650 sqft, (1,234).

The whole column decides how its numbers are written: one decimal mark, one mark between thousands, one unit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

ZERO_FIRST = r"^[+-]?0[0-9]"
# Patterns are those of Python and of polars: no look-around, [0-9] for digits, [^\W\d_] for letters.
_SIGN = "[+\\-\u2212]"
_SPACES = "[ \u00a0\u2009\u202f]"  # also those that do not break a line
_MARK = f"(?:[.,'\u2019]|{_SPACES})"
_SYMBOLS = r"[$€£¥₹₩₽₺₫₪₴₦₱฿¢]"
_CODES = (
    "USD|EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|RMB|HKD|SGD|INR|BRL|MXN|ZAR|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY"
    "|RUB|UAH|ILS|AED|SAR|KRW|TWD|THB|IDR|MYR|PHP|VND|EGP|NGN|KES|ARS|CLP|COP|PEN|BTC"
)
_CURRENCY = rf"(?:(?:US|CA|AU|NZ|HK|A|C|R|S)?{_SYMBOLS}|{_CODES}|Rs\.?|kr\.?|Fr\.)"
# Units that may follow a number without a space. Others need one, so that 3A or 9th stay text.
_UNITS = (
    rf"(?:%|‰|°[CFK]?|{_CURRENCY}|zł|Kč|Ft|[kcmµμn]?m[²³]?|[kmµμ]?g|[mc]?[lL]|lbs?|oz|ft|sqft|sqm|in|yd|mi|mph"
    r"|km/h|kph|[kMG]?Hz|[kMGT]i?B|[kMG]?Wh?|[kmM]?V|m?Ah|hp|PS|bar|[hM]?Pa|[kM]?J|k?cal|hrs?|h|min|sec|[mµn]?s"
    r"|days?|d|px|pts?|x|[kKM]|mn|bn)"
)
_HEAD = 1000  # cells to look at first
_NEVER = r"\x00"
_FREE = r"[^\W\d_](?:[^\W\d_]|[²³°/.% ^·*-]){0,15}"
_BODY = rf"(?:[0-9]|[.,][0-9])(?:[0-9.,]|{_MARK}[0-9])*(?:[eE][+-]?[0-9]+)?"


def _number(before: str, after: str) -> str:
    """The pattern of a number with these units: its groups are those of `_parts`."""
    first = rf"^(\()?{_SPACES}*({_SIGN})?{_SPACES}*({before})?{_SPACES}*({_SIGN})?({_BODY})"
    return first + rf"({after})?{_SPACES}*(-)?(\))?$"


WRITTEN = _number(_CURRENCY, rf"{_SPACES}*{_UNITS}|{_SPACES}+{_FREE}")
_IS_WRITTEN = re.compile(WRITTEN)


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
    is_unclear: bool = False  # whether a mark between thousands could be a decimal mark


def looks_written(cell: str) -> bool:
    """Whether a cell may be such a number."""
    return _IS_WRITTEN.match(cell) is not None


def unit_of(cell: str) -> str:
    """The unit of a cell that looks like a number."""
    found = _IS_WRITTEN.match(cell)
    return "" if found is None else " ".join(part.strip() for part in found.group(3, 6) if part)


def read_numbers(
    cells: pl.Series, decimal: str, known: NumberFormat | None, *, only: bool = False
) -> Numbers | None:
    """The numbers of cells without missing words; None if no format suits all of them.

    `decimal` is the decimal mark of the table, which decides in doubt; with `only` there is no other.
    """
    parts = _parts_fast(cells)
    if parts is None:
        return None
    units = _units(parts, known)
    if units is None:
        return None
    formats = _formats(decimal, only) if known is None else [(known.thousands, known.decimal)]
    suited = (each for each in formats if parts["body"].str.contains(_pattern(*each)).all())
    thousands, mark = next(suited, (None, ""))
    values = None if thousands is None else _values(parts, thousands, mark)
    if thousands is None or values is None:
        return None
    if known is not None:
        return Numbers(values, known)
    if thousands and not parts["body"].str.contains(thousands, literal=True).any():
        thousands = ""
    return Numbers(values, NumberFormat(mark, thousands, units), _is_unclear(parts["body"], thousands))


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
    unit = re.escape(units[0]) if units else _NEVER
    found = _parts(cells, _number(unit, rf"{_SPACES}*{unit}"))
    return _parts(cells) if found is None else found


def _parts(cells: pl.Series, pattern: str = WRITTEN) -> pl.DataFrame | None:
    """Sign, unit and digits of every cell; None if a cell has other parts."""
    import polars as pl

    names = ("open", "first", "before", "second", "body", "after", "last", "close")
    parts = cells.str.extract_groups(pattern).struct.unnest()
    parts.columns = list(names)
    body = pl.col("body").str.replace_all(_SPACES, " ").str.replace_all("\u2019", "'", literal=True)
    marks = pl.sum_horizontal(pl.col("open", "first", "second", "last").is_not_null().cast(pl.Int8))
    unit = pl.concat_str("before", pl.col("after").str.strip_chars(), separator=" ", ignore_nulls=True)
    parts = parts.select(
        body,
        negative=pl.col("open").is_not_null()
        | pl.col("last").is_not_null()
        | pl.coalesce("first", "second", pl.lit("+")).ne("+"),
        valid=(pl.col("open").is_null() == pl.col("close").is_null()) & (marks <= 1),
        unit=pl.when(unit != "").then(unit),
    )
    if parts["body"].null_count() > cells.null_count() or not parts["valid"].all():
        return None
    return parts


def _units(parts: pl.DataFrame, known: NumberFormat | None) -> str | None:
    """The one unit of the column, "" for none; None if there are several.

    A currency may be left out in some cells, and a 0 needs no unit.
    """
    import polars as pl

    units = parts["unit"].drop_nulls().unique().to_list()
    if len(units) > 1 or (known is not None and units not in ([], [known.unit])):
        return None
    if known is None and units and not re.fullmatch(_CURRENCY, units[0]):
        bare = parts.filter(pl.col("unit").is_null())["body"].drop_nulls()
        if not bare.str.contains(r"^[0.,]+$").all():
            return None
    return units[0] if units else ""


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
    whole = text.cast(pl.Int64, strict=False)
    if whole.null_count() == digits.null_count():
        return None if digits.str.contains(ZERO_FIRST).any() else whole
    return text.cast(pl.Float64, strict=False)


def _is_unclear(body: pl.Series, thousands: str) -> bool:
    """Whether the mark between thousands could be a decimal mark in every number that has it."""
    if thousands not in {",", "."}:
        return False
    mark = re.escape(thousands)
    with_mark = body.str.contains(mark)
    once = body.filter(with_mark).str.contains(rf"^[0-9]+{mark}[0-9]{{3}}$").all()
    return bool(once) and not body.filter(~with_mark).str.contains(r"[.,]|[0-9]{4}").any()
