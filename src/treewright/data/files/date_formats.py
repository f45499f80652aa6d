"""Dates as people write them: 01/31/2020, 31.01.2020, 31 Jan 2020, Jan 31, 2020, each also with a time.

The whole column decides: one style, and one order of day and month.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"((?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?))\.?"
)
_WEEKDAY = r"(?:(?i:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +)?"
_CLOCK = (
    r"(?:(?:[ T]|, ?)([0-9]{1,2}):([0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?) ?([AaPp])?(?:\.?[Mm]\.?)?"
    r"( ?(?:Z|(?:UTC|GMT)(?:[+-][0-9]{1,2}(?::?[0-9]{2})?)?)| ?[+-][0-9]{2}:?[0-9]{2})?)?$"
)
_DAY = r"([0-9]{1,2})(?:st|nd|rd|th)?"
_NUMBERS = ("first", "mark", "second", "year")
# The parts of the date in each style, and its pattern. With a year of two digits, only / or 31.01.20 will do.
_STYLES = (
    (_NUMBERS, r"^([0-9]{1,2})([/.-])([0-9]{1,2})[/.-]([0-9]{4})" + _CLOCK),
    (_NUMBERS, r"^([0-9]{1,2})(/)([0-9]{1,2})/([0-9]{2})" + _CLOCK),
    (_NUMBERS, r"^([0-9]{2})([.-])([0-9]{2})[.-]([0-9]{2})" + _CLOCK),
    (("year", "month", "day"), r"^([0-9]{4})[/.-]([0-9]{1,2})[/.-]([0-9]{1,2})" + _CLOCK),
    (("day", "name", "year"), rf"^{_WEEKDAY}{_DAY}[ .-]+{_MONTH},?[ -]+([0-9]{{4}}|[0-9]{{2}})" + _CLOCK),
    (("name", "day", "year"), rf"^{_WEEKDAY}{_MONTH} +{_DAY},? +([0-9]{{4}})" + _CLOCK),
)
_TIME = ("hour", "rest", "half", "zone")
DATE = "|".join(f"(?:{pattern})" for _, pattern in _STYLES)
_IS_DATE = re.compile(DATE)
_PIVOT = 69  # as POSIX has it: 69 is 1969, 68 is 2068


@dataclass(frozen=True)
class DateFormat:
    """Whether the day comes first where day and month are both numbers before the year."""

    day_first: bool


@dataclass(frozen=True, eq=False)
class Dates:
    """The dates of a column as ISO 8601 writes them, and what was decided about day and month, if any."""

    iso: pl.Series
    format: DateFormat | None = None
    is_unclear: bool = False


def looks_like_date(cell: str) -> bool:
    """Whether a cell may be such a date."""
    return _IS_DATE.match(cell) is not None


def read_dates(cells: pl.Series, day_first: bool | None) -> Dates | None:
    """The dates of cells without missing words; None if no style suits all of them."""
    for names, pattern in _STYLES:
        if not cells.str.contains(pattern).all():
            continue
        parts = cells.str.extract_groups(pattern).struct.unnest()
        parts.columns = [*names, *_TIME]
        if names is not _NUMBERS:
            return Dates(_iso(parts))
        first, second = (int(parts[name].cast(int).max() or 0) for name in ("first", "second"))  # type: ignore[arg-type]
        unclear = first <= 12 and second <= 12
        if day_first is None or not unclear:
            day_first = not (parts["mark"] == "/").any() if unclear else first > 12
        order = ["day", "mark", "month"] if day_first else ["month", "mark", "day"]
        parts.columns = [*order, "year", *_TIME]
        return Dates(_iso(parts), DateFormat(day_first), unclear)
    return None


def _iso(parts: pl.DataFrame) -> pl.Series:
    """The parts as one text: 2020-01-31T10:00:00+02:00."""
    import polars as pl

    year = pl.col("year").cast(pl.Int32)
    year = pl.when(year >= 100).then(year).when(year < _PIVOT).then(year + 2000).otherwise(year + 1900)
    if "name" in parts.columns:
        numbers = {name: f"{number:02}" for number, name in enumerate(_MONTHS, 1)}
        month = pl.col("name").str.slice(0, 3).str.to_lowercase().replace_strict(numbers, default=None)
    else:
        month = pl.col("month").str.zfill(2)
    date = pl.concat_str(year.cast(pl.String), month, pl.col("day").str.zfill(2), separator="-")
    hour, half = pl.col("hour").cast(pl.Int32), pl.col("half").str.to_lowercase()
    hour = pl.when(half.is_null()).then(hour).when(half == "p").then(hour % 12 + 12).otherwise(hour % 12)
    zone = pl.col("zone").str.strip_chars().str.replace("^(?:UTC|GMT)$", "Z").str.replace("UTC|GMT", "")
    zone = zone.str.replace("^([+-])([0-9])(:|$)", "${1}0${2}${3}").str.replace("^([+-][0-9]{2})$", "${1}:00")
    zone = zone.fill_null("")
    clock = pl.concat_str(pl.lit("T"), hour.cast(pl.String).str.zfill(2), pl.lit(":"), "rest", zone)
    return parts.select((date + clock.fill_null("")).alias("iso")).to_series()
