"""What differs between databases: names, texts, numbers, times, NaN, and how deep an expression may be."""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import dataclass
from typing import Any

from ..rows import YEARS

EPOCH = dt.datetime(1970, 1, 1)
MICRO = dt.timedelta(microseconds=1)


@dataclass(frozen=True)
class Dialect:
    """The SQL of one database."""

    name: str
    quotes: str  # around names: the first, and the last, which is doubled within
    double: str  # the type of float64
    integer: str = "INTEGER"
    backslash: bool = False  # whether a backslash in a text begins an escape
    nan: str = (
        ""  # NaN, where it is greater than all numbers; "": there is none, or no comparison with it holds
    )
    is_nan: str = "{0} <> {0}"
    depth: int = 40  # of nested CASE
    time: str = "TIMESTAMP '{}'"
    time_utc: str = "TIMESTAMP '{}+00:00'"
    booleans: tuple[str, str] = ("FALSE", "TRUE")
    text: str = "{}"  # a column whose texts are compared letter by letter
    text_end: str = ""  # of each text that it is compared with
    values: str = "{name}({columns}) AS (VALUES {rows})"
    row: str = "({})"
    suffix: str = ""  # of a number that must be a double
    texts: str = "TEXT"  # the type of texts
    times: tuple[str, str] = ("TIMESTAMP", "TIMESTAMPTZ")  # of times without and with a zone
    stage: str = "{} AS (\n{}\n)"  # a step that the database must not copy into the next one, again and again

    def quoted(self, name: str) -> str:
        """A name of a column or table."""
        first, last = self.quotes[0], self.quotes[-1]
        doubled = (
            name.replace("\\", "\\\\").replace("`", "\\`")
            if self.name == "bigquery"
            else name.replace(last, last * 2)
        )
        return f"{first}{doubled}{last}"

    def string(self, text: str, compared: bool = False) -> str:
        """A text; if it is compared with a column, with the end that `text` gives the column."""
        text += self.text_end if compared else ""
        if "\0" in text and self.name == "sqlite":
            return f"CAST(x'{text.encode().hex()}' AS TEXT)"
        if not self.backslash:
            national = "N" if self.name == "sqlserver" else ""
            return national + "'" + text.replace("'", "''") + "'"
        escapes = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
        return "'" + re.sub(r"[\\'\n\r\t]", lambda found: escapes[found[0]], text) + "'"

    def number(self, value: float) -> str:
        """A double, with an exponent so that no database reads a decimal number of fixed digits."""
        shown = repr(float(value))
        shown = shown if "e" in shown else f"{shown}e0"
        if self.name == "sqlite" and len(re.sub(r"e.*|[-.]", "", shown).strip("0")) > 15:
            return _exactly(float(value)) or shown  # its reader may miss the last bit of long numbers
        return shown + self.suffix

    def literal(self, value: Any) -> str:
        """A class, or what is predicted."""
        if value is None:
            return "NULL"
        if isinstance(value, bool):
            return self.booleans[value]
        if isinstance(value, str):
            return self.string(value)
        return str(value) if isinstance(value, int) else self.number(value)

    def moment(self, micros: int, utc: bool) -> str | None:
        """A date with time; None where it is before or after all that there are."""
        if not YEARS[0] <= micros <= YEARS[1]:
            return None
        return (self.time_utc if utc else self.time).format(EPOCH + micros * MICRO)

    def cast(self, expression: str) -> str:
        """A number as float64."""
        return f"CAST({expression} AS {self.double})"


def _exactly(value: float) -> str | None:
    """A double as a whole number over a power of two, which any reader gets right; or None."""
    top, bottom = value.as_integer_ratio()
    if bottom < 2**62 and abs(top) < 2**62 and math.isfinite(value):
        return f"({top} / {bottom}.0)" if bottom < 2**53 else f"({top} / CAST({bottom} AS REAL))"
    return None


LIMITED = "{} AS (\n{}\nLIMIT 18446744073709551615\n)"  # a step with a limit is not copied
DIALECTS = {
    each.name: each
    for each in (
        Dialect("sqlite", '"', "REAL", depth=18, booleans=("0", "1"), is_nan="{0} IS NULL",
                stage="{} AS MATERIALIZED (\n{}\n)"),
        Dialect("duckdb", '"', "DOUBLE", nan="CAST('NaN' AS DOUBLE)", is_nan="isnan({0})", depth=60,
                time_utc="TIMESTAMPTZ '{}+00:00'"),
        Dialect("postgres", '"', "DOUBLE PRECISION", nan="CAST('NaN' AS DOUBLE PRECISION)",
                is_nan="{0} = CAST('NaN' AS DOUBLE PRECISION)", depth=60, time_utc="TIMESTAMPTZ '{}+00:00'",
                stage="{} AS (\n{}\nOFFSET 0\n)"),
        Dialect("mysql", "`", "DOUBLE", "SIGNED", backslash=True, text="CAST({} AS BINARY)", row="ROW({})",
                texts="CHAR", times=("DATETIME(6)", "DATETIME(6)"), stage=LIMITED),
        Dialect("mariadb", "`", "DOUBLE", "SIGNED", backslash=True, text="CAST({} AS BINARY)", texts="CHAR",
                time_utc="CONVERT_TZ(TIMESTAMP '{}', '+00:00', @@time_zone)",
                times=("DATETIME(6)", "DATETIME(6)"), stage=LIMITED),
        Dialect("sqlserver", "[]", "FLOAT", "INT", depth=9, booleans=("0", "1"), text_end="|",
                time="CAST('{}' AS DATETIME2)", time_utc="CAST('{}+00:00' AS DATETIMEOFFSET)",
                text="({} + N'|') COLLATE Latin1_General_100_BIN2",
                values="{name} AS (SELECT * FROM (VALUES {rows}) AS v({columns}))",
                texts="NVARCHAR(4000)", times=("DATETIME2", "DATETIMEOFFSET")),
        Dialect("snowflake", '"', "DOUBLE", backslash=True, nan="CAST('NaN' AS DOUBLE)",
                is_nan="{0} = CAST('NaN' AS DOUBLE)", time="CAST('{}' AS TIMESTAMP_NTZ)",
                time_utc="CAST('{}+00:00' AS TIMESTAMP_TZ)",
                values="{name}({columns}) AS (SELECT * FROM (VALUES {rows}))",
                times=("TIMESTAMP_NTZ", "TIMESTAMP_TZ")),
        Dialect("bigquery", "`", "FLOAT64", "INT64", backslash=True, is_nan="IS_NAN({0})",
                time="DATETIME '{}'", values="{name} AS (SELECT * FROM UNNEST([STRUCT{first}{rest}]))",
                texts="STRING", times=("DATETIME", "TIMESTAMP")),
        Dialect("spark", "`", "DOUBLE", "INT", backslash=True, nan="CAST('NaN' AS DOUBLE)", suffix="D",
                is_nan="isnan({0})", time="TIMESTAMP_NTZ '{}'", time_utc="TIMESTAMP '{}+00:00'",
                texts="STRING", times=("TIMESTAMP_NTZ", "TIMESTAMP")),
    )
}  # fmt: skip
