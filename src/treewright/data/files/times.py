"""Dates and times as ISO 8601 writes them: 2020-01-31, 2020-01-31T10:00:00.5+02:00."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import polars as pl

TIME = (
    r"^([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ]([0-9]{2}:[0-9]{2})(:[0-9]{2}(?:\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$"
)


def iso_times(cells: pl.Series) -> pl.Series:
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


_HOURS, _MINUTES = r"^([0-9]{1,3}) ?h(?:(?:ou)?rs?)?,? ?", r" ?m(?:in(?:ute)?s?)?\.?$"
SPAN = f"{_HOURS}[0-5]?[0-9]{_MINUTES}"  # 7h 3m
CLOCK = r"^([0-9]{1,3})[:h]([0-5][0-9])(?::([0-5][0-9](?:\.[0-9]{1,9})?))?(?: ?([AaPp])\.?[Mm]\.?)?$"


def hours(cells: pl.Series) -> pl.Series:
    """Times of day and durations as hours: 14:30, 2:30 PM and 14h 30m are 14.5; others are missing."""
    import polars as pl

    cells = cells.str.replace(f"{_HOURS}([0-9]){_MINUTES}", "${1}:0${2}")
    cells = cells.str.replace(f"{_HOURS}([0-5][0-9]){_MINUTES}", "${1}:${2}")
    parts = cells.str.extract_groups(CLOCK).struct.unnest()
    parts.columns = ["hour", "minute", "second", "half"]
    hour, half = pl.col("hour").cast(pl.Int64), pl.col("half").str.to_lowercase()
    hour = pl.when(half.is_null()).then(hour).when(half == "p").then(hour % 12 + 12).otherwise(hour % 12)
    seconds = (
        hour * 3600 + pl.col("minute").cast(pl.Int64) * 60 + pl.col("second").cast(pl.Float64).fill_null(0)
    )
    return parts.select((seconds / 3600).alias(cells.name)).to_series()
