"""A column of text → what it is: numbers, booleans, dates, times, or text; with words for missing values.

The whole column decides. Most of its first cells say what to try; a cell that does not fit leaves it text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from .cells import AMONG_VALUES, BOOLEANS, INTEGER, MISSING, TRUE, family_of
from .date_formats import DATE, DateFormat, read_dates
from .errors import TableError, shown
from .number_formats import WRITTEN, ZERO_FIRST, NumberFormat, read_numbers
from .times import TIME, iso_times

if TYPE_CHECKING:
    import polars as pl

_HEAD = 1000  # cells that say what to try
_FEW_WORDS, _SMALL_SHARE = 3, 0.2  # of cells that may stand for missing values

Format = NumberFormat | DateFormat


@dataclass(frozen=True)
class Rules:
    """How cells of text are read.

    `decimal` decides in doubt, or always (`only_decimal`). `formats` has what is known of columns, as at fit;
    `families` what they hold ("number", "boolean" or "time"), so that a cell that does not fit is reported.
    """

    decimal: str = "."
    only_decimal: bool = False
    missing: tuple[str, ...] = MISSING
    day_first: bool | None = None
    formats: Mapping[str, Format] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Settled:
    """A column in its type, how often each word was taken as missing, and what is odd about it.

    `odd_row` is the row of the first cell that did not fit, `odd_cells` how many there are, `odd_words` the
    first of them, `among` what the others are, and `strays` the words that may stand for missing values.
    `format` is how its cells are written, where that is not plain.
    """

    column: pl.Series
    words: dict[str, int] = field(default_factory=dict)
    odd_row: int | None = None
    odd_cells: int = 0
    odd_words: tuple[str, ...] = ()
    among: str = ""
    remark: str = ""
    strays: tuple[str, ...] = ()
    format: Format | None = None


class _Tried(NamedTuple):
    """Cells in a type, missing where they do not fit; how they are written, and what to say of it."""

    values: pl.Series
    remark: str = ""
    format: Format | None = None
    is_text: bool = False  # the cells fit, but are text all the same


def settle(column: pl.Series, rules: Rules) -> Settled:
    """The column in the type that all its cells have."""
    family = _family(column, rules)
    if family in {"text", "missing"}:
        return as_text(column, rules.missing)
    stripped = column.str.strip_chars()
    cells, words = _without(stripped, ("", *rules.missing, *AMONG_VALUES))
    tried = _TRY[family](cells, rules)
    odd = tried.values.is_null() & cells.is_not_null()
    if tried.is_text or odd.any():
        text = as_text(column, rules.missing)
        if tried.is_text:
            return Settled(text.column, text.words, remark=tried.remark)
        return _odd_text(text, cells, odd, family, rules)
    words.pop("", None)
    return Settled(tried.values.alias(column.name), words, remark=tried.remark, format=tried.format)


def _family(column: pl.Series, rules: Rules) -> str:
    head = column.head(4 * _HEAD).drop_nulls().head(_HEAD).to_list()
    family = family_of(head, rules.decimal, rules.missing)
    family = rules.families.get(column.name, family) if family == "text" else family
    if family != "missing":
        return family
    words = ["", *rules.missing, *AMONG_VALUES]  # nothing but missing values at first: look further down
    known = column.filter(~column.str.strip_chars().is_in(words)).drop_nulls()
    return family_of(known.head(_HEAD).to_list(), rules.decimal, rules.missing)


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


def _odd_text(text: Settled, cells: pl.Series, odd: pl.Series, family: str, rules: Rules) -> Settled:
    """A column that stays text because of odd cells, which may be words for missing values."""
    unlike = ~cells.str.contains(_LIKE[family]).fill_null(True)
    unlike = unlike if unlike.any() else odd  # such as 0000-00-00 among dates
    strays: tuple[str, ...] = ()
    if unlike.sum() <= _SMALL_SHARE * (len(cells) - cells.null_count()):
        words = cells.filter(unlike).unique(maintain_order=True).to_list()
        rest = cells.set(unlike, None)
        if len(words) <= _FEW_WORDS and not any("," in word for word in words):
            again = _TRY[family](rest, rules)
            strays = tuple(words) if again.values.null_count() == rest.null_count() else ()
    if not strays and family == "formatted" and text.column.name not in rules.families:  # too vague
        return text
    odd = unlike if strays else odd
    first = cells.filter(unlike).unique(maintain_order=True).head(_FEW_WORDS + 1).to_list()
    found = (odd.arg_max(), int(odd.sum()), tuple(first), _AMONG[family])
    return Settled(text.column, text.words, *found, strays=strays)


# -- one family each


def _numbers(cells: pl.Series, rules: Rules) -> _Tried:
    known = rules.formats.get(cells.name)
    if isinstance(known, NumberFormat) and (tried := _formatted(cells, rules, known)) is not None:
        return tried
    plain = _plain_numbers(cells, rules.decimal)
    if plain.is_text or plain.values.null_count() == cells.null_count():
        return plain
    tried = _formatted(cells, rules, None)
    if tried is not None and isinstance(known, NumberFormat) and isinstance(tried.format, NumberFormat):
        _reject_other_unit(cells, known.unit, tried.format.unit)
    return tried or plain


def _reject_other_unit(cells: pl.Series, known: str, found: str) -> None:
    if known and found and known != found:
        cell = shown(cells.drop_nulls()[0])
        raise TableError(f"{shown(cells.name)} must be in {known}, as at fit. Got {cell}. Convert it.")


def _plain_numbers(cells: pl.Series, decimal: str) -> _Tried:
    import polars as pl

    if decimal == ",":  # 1.500 may be fifteen hundred: that is for `_formatted` to decide
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
                return _Tried(found, f"{_BEYOND} that decimals cannot tell apart; read as text", is_text=True)
            remark = f"{_BEYOND}; read as decimals"
        found = wide if fits else found
    if whole and cells.str.contains(ZERO_FIRST).any():
        return _Tried(found, "has whole numbers that start with 0, as codes do; read as text", is_text=True)
    return _Tried(found, remark)


_BEYOND = "has whole numbers of more than 64 bits"


def _is_large(found: pl.Series) -> bool:
    """Whether a number is beyond the whole numbers of 64 bits with a sign."""
    return found.null_count() < len(found) and float(found.abs().max()) >= 2**63  # type: ignore[arg-type]


def _formatted(cells: pl.Series, rules: Rules, known: NumberFormat | None) -> _Tried | None:
    """Numbers with units and marks between thousands; None where no format suits all cells."""
    found = read_numbers(cells, rules.decimal, known, only=rules.only_decimal)
    if found is None:
        return None
    special = ~cells.str.contains(_PLAIN).fill_null(True)
    remark, row = "", special.arg_max()
    if special.any() and row is not None:
        value, more = found.values[row], found.format.words(found.is_unclear)
        remark = f"read {shown(_with_spaces(cells[row]))} as {value:.15g}{more}"
    return _Tried(found.values, remark, found.format)


def _with_spaces(cell: str) -> str:
    """The cell with plain spaces: others would be codes in a message."""
    return " ".join(cell.split())


def _booleans(cells: pl.Series, _: Rules) -> _Tried:
    known = cells.is_in(list(BOOLEANS))
    return _Tried(cells.is_in(list(TRUE)).set(~known, None))


def _times(cells: pl.Series, rules: Rules) -> _Tried:
    plain = iso_times(cells)
    if plain.null_count() == cells.null_count():
        return _Tried(plain)
    known = rules.formats.get(cells.name)
    first = known.day_first if rules.day_first is None and isinstance(known, DateFormat) else rules.day_first
    found = read_dates(cells, first)
    if found is None:
        return _Tried(plain)
    values = iso_times(found.iso)
    row = cells.is_not_null().arg_max() or 0
    remark = f"read {shown(cells[row])} as {values[row]}"
    if found.format is not None:
        order, other = ("day", "month") if found.format.day_first else ("month", "day")
        remark += f" ({order} first)"
        if found.is_unclear and first is None:
            flag = not found.format.day_first
            remark += f", since no number above 12 decides; pass day_first={flag} if the {other} comes first"
    return _Tried(values, remark, found.format)


_PLAIN = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"
_TRY: dict[str, Any] = {"number": _numbers, "formatted": _numbers, "boolean": _booleans, "time": _times}
_AMONG = {"number": "numbers", "formatted": "numbers", "boolean": "booleans", "time": "times"}
_BOOLEAN = rf"^(?:{'|'.join(BOOLEANS)})$"
_LIKE = {"number": WRITTEN, "formatted": WRITTEN, "boolean": _BOOLEAN, "time": f"(?:{TIME})|{DATE}"}
