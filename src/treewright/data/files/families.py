"""Cells of text as numbers, booleans or times: one function for each family of cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from .cells import BOOLEANS, INTEGER, MISSING, TRUE
from .date_formats import DATE, DateFormat, read_dates
from .errors import CellError, shown
from .number_formats import PERCENT, ZERO_FIRST, NumberFormat, could_be_thousands, read_numbers
from .number_patterns import WRITTEN, unit_of
from .times import CLOCK, SPAN, TIME, hours, iso_times

if TYPE_CHECKING:
    import polars as pl

HOURS = "h"
Format = NumberFormat | DateFormat


@dataclass(frozen=True)
class Rules:
    """How cells of text are read.

    `decimal` decides in doubt, or always (`only_decimal`); with `doubt_mark` a note says where a decimal mark
    could stand between thousands. `formats` has what is known of columns, as at fit, and `numbers` the
    columns that were numbers then; those that are `unused` were too, but nothing depends on them.
    """

    decimal: str = "."
    only_decimal: bool = False
    missing: tuple[str, ...] = MISSING
    day_first: bool | None = None
    formats: Mapping[str, Format] = field(default_factory=dict)
    numbers: frozenset[str] = frozenset()
    unused: frozenset[str] = frozenset()
    doubt_mark: bool = False


class Attempt(NamedTuple):
    """Cells in a type, missing where they do not fit; how they are written, and what to say of it."""

    values: pl.Series
    remark: str = ""
    format: Format | None = None
    is_text: bool = False  # the cells fit, but are text all the same
    unit: str = ""  # that stands in the cells
    is_converted: bool = False  # whether they have another unit than at fit

    def fits(self, cells: pl.Series) -> bool:
        """Whether all cells are of this type."""
        return not self.is_text and self.values.null_count() == cells.null_count()


# -- numbers


def _numbers(cells: pl.Series, rules: Rules) -> Attempt:
    known = rules.formats.get(cells.name)
    known = known if isinstance(known, NumberFormat) else None
    found = None if known is None else _formatted(cells, rules, known)
    if found is None:
        found = _plain_numbers(cells, rules)
        if not found.is_text and not found.fits(cells):
            found = _formatted(cells, rules, None) or found
    return _in_unit_of_fit(cells, rules, found) if found.fits(cells) else found


def _in_unit_of_fit(cells: pl.Series, rules: Rules, found: Attempt) -> Attempt:
    """The numbers in the unit that the column had at fit; an error where that is not possible."""
    known = rules.formats.get(cells.name)
    if cells.name not in rules.numbers and not isinstance(known, NumberFormat):
        return found
    unit = known.unit if isinstance(known, NumberFormat) else ""
    if found.unit == unit or not len(cells.drop_nulls()):
        return found
    if found.unit:
        raise _other_unit(cells, unit, found.unit)
    values, more = found.values, f"without a unit: taken as {unit}, as at fit"
    if unit == PERCENT and ((values.abs() > 0) & (values.abs() < 1)).any() and (values.abs() <= 1).all():
        values, more = (values * 100).round(12), "a fraction, while at fit the numbers were in %"
    row = cells.is_not_null().arg_max() or 0
    remark = f"read {shown(cells[row])} as {values[row]:.15g} ({more})"
    return found._replace(values=values, remark=remark, is_converted=True)


def _other_unit(cells: pl.Series, known: str, found: str) -> CellError:
    import polars as pl

    has_unit = (
        cells.str.contains(f"(?:{CLOCK})|(?:{SPAN})")
        if found == HOURS
        else pl.Series([found == unit_of(cell or "") for cell in cells])
    )
    had = f"its numbers were in {known}" if known else "its numbers had no unit"
    if known:
        remedy = "Convert them."
    elif found == PERCENT:
        remedy = "Write percent or fractions, as at fit, without the sign."
    else:
        remedy = "Convert them, or remove the unit if it is that of fit."
    return CellError(has_unit.fill_null(False).arg_max() or 0, f"but at fit {had}. {remedy}")


def _plain_numbers(cells: pl.Series, rules: Rules) -> Attempt:
    import polars as pl

    given = cells
    if rules.decimal == ",":  # 1.500 may be fifteen hundred: that is for `_formatted` to decide
        cells = cells.set(cells.str.contains(".", literal=True).fill_null(False), "x")
        cells = cells.str.replace(",", ".", literal=True)
    found = cells.cast(pl.Int64, strict=False)
    whole = found.null_count() == cells.null_count()
    remark = ""
    if not whole:
        found = cells.cast(pl.Float64, strict=False).fill_nan(None)
        whole = _is_large(found) and bool(cells.str.contains(INTEGER).all())
        wide = cells.cast(pl.UInt64, strict=False) if whole else found
        fits = wide.null_count() == cells.null_count()
        if whole and not fits:
            if found.n_unique() < cells.n_unique():
                return Attempt(found, f"{_BEYOND} that decimals do not separate; read as text", is_text=True)
            remark = f"{_BEYOND}; read as decimals"
        found = wide if fits else found
    if whole and cells.str.contains(ZERO_FIRST).any():
        return Attempt(found, "has whole numbers that start with 0, as codes do; read as text", is_text=True)
    doubt = rules.doubt_mark and cells.name not in {*rules.formats, *rules.numbers}
    mark = rules.decimal
    if doubt and could_be_thousands(given, mark):
        row = given.str.contains(mark, literal=True).fill_null(False).arg_max() or 0
        marks, other = ("points", ",") if mark == "." else ("commas", ".")
        remark = (
            f"read {shown(given[row])} as {found[row]:.15g}, but all its {marks} have three digits after "
            f"them; pass decimal={other!r} if they stand between thousands"
        )
        return Attempt(found, remark, NumberFormat(mark))
    return Attempt(found, remark)


_BEYOND = "has whole numbers of more than 64 bits"


def _is_large(found: pl.Series) -> bool:
    """Whether a number is beyond the whole numbers of 64 bits with a sign."""
    return found.null_count() < len(found) and float(found.abs().max()) >= 2**63  # type: ignore[arg-type]


def _formatted(cells: pl.Series, rules: Rules, known: NumberFormat | None) -> Attempt | None:
    """Numbers with units and marks between thousands; None where no format suits all cells."""
    found = read_numbers(cells, rules.decimal, known, only=rules.only_decimal)
    if found is None:
        return None
    special = ~cells.str.contains(_PLAIN).fill_null(True) & ~found.limits
    if found.format.thousands == ".":  # 1.234 looks plain
        special |= cells.str.contains(".", literal=True).fill_null(False)
    remark, row = "", special.arg_max()
    if special.any() and row is not None:
        value, more = found.values[row], found.format.words(found.is_unclear)
        remark = f"read {shown(_with_spaces(cells[row]))} as {value:.15g}{more}"
    if found.limits.any():
        remark += f"{'; ' if remark else ''}{_limits_remark(cells, found.limits, found.values)}"
    return Attempt(found.values, remark, found.format, unit=found.unit)


def _limits_remark(cells: pl.Series, limits: pl.Series, values: pl.Series) -> str:
    row, words = limits.arg_max() or 0, cells.filter(limits).unique(maintain_order=True).to_list()
    more = f" (and {int(limits.sum()) - 1:,} more such cells)" if limits.sum() > 1 else ""
    option = f"; pass also_missing={','.join(words)!r} to make them missing" if _can_be_listed(words) else ""
    return f"read {shown(_with_spaces(cells[row]))}{more} as the limit, {values[row]:.15g}{option}"


def _can_be_listed(words: list[str]) -> bool:
    return len(words) <= 3 and not any("," in word for word in words)


def _with_spaces(cell: str) -> str:
    """The cell with plain spaces: others would be codes in a message."""
    return " ".join(cell.split())


# -- booleans and times


def _booleans(cells: pl.Series, _: Rules) -> Attempt:
    known = cells.is_in(list(BOOLEANS))
    return Attempt(cells.is_in(list(TRUE)).set(~known, None))


def _times(cells: pl.Series, rules: Rules) -> Attempt:
    plain = iso_times(cells)
    if plain.null_count() == cells.null_count():
        return Attempt(plain)
    clocks = hours(cells)
    if clocks.null_count() == cells.null_count():
        return _in_unit_of_fit(cells, rules, _as_hours(cells, clocks))
    known = rules.formats.get(cells.name)
    first = known.day_first if rules.day_first is None and isinstance(known, DateFormat) else rules.day_first
    found = read_dates(cells, first)
    if found is None:
        return Attempt(clocks if clocks.null_count() < plain.null_count() else plain)
    values = iso_times(found.iso)
    row = cells.is_not_null().arg_max() or 0
    remark = f"read {shown(cells[row])} as {values[row]}"
    if found.format is not None:
        order, other = ("day", "month") if found.format.day_first else ("month", "day")
        remark += f" ({order} first)"
        if found.is_unclear and first is None:
            flag = not found.format.day_first
            remark += f", since no number above 12 decides; pass day_first={flag} if the {other} comes first"
    return Attempt(values, remark, found.format)


def _as_hours(cells: pl.Series, values: pl.Series) -> Attempt:
    row = cells.is_not_null().arg_max() or 0
    is_day = float(values.max() or 0) < 24 and not cells.str.contains(SPAN).any()  # type: ignore[arg-type]
    remark = f"read {shown(cells[row])} as {values[row]:.6g} hours{' since midnight' if is_day else ''}"
    if not is_day and cells.str.contains("^[0-9]+:[0-9]{2}$").all():
        remark += " (hours and minutes); if the cells are minutes and seconds, read h as minutes"
    return Attempt(values, remark, NumberFormat(unit=HOURS), unit=HOURS)


_PLAIN = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"
TRY: dict[str, Any] = {"number": _numbers, "formatted": _numbers, "boolean": _booleans, "time": _times}
AMONG = {"number": "numbers", "formatted": "numbers", "boolean": "booleans", "time": "times"}
_BOOLEAN = rf"^(?:{'|'.join(BOOLEANS)})$"
LIKE = {
    "number": WRITTEN,
    "formatted": WRITTEN,
    "boolean": _BOOLEAN,
    "time": f"(?:{TIME})|(?:{CLOCK})|(?:{SPAN})|{DATE}",
}
