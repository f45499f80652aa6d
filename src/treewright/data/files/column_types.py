"""A column of text → what it is: numbers, booleans, dates, times, or text; with words for missing values.

The whole column decides. Most of its first cells say what to try; a cell that does not fit leaves it text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .cells import AMONG_VALUES, family_of
from .families import AMONG, LIKE, TRY, Format, Rules
from .number_formats import units_in, without_format

if TYPE_CHECKING:
    import polars as pl

_HEAD = 1000  # cells that say what to try
_FEW_WORDS, _SMALL_SHARE = 3, 0.2  # of cells that may stand for missing values
_ONE_UNIT = "Convert them to one unit."


@dataclass(frozen=True, eq=False)
class ReadColumn:
    """A column in its type, how often each word was taken as missing, and what is odd about it.

    `odd` marks the cells that did not fit, `among` is what the others are, `remedy` what to do, and `strays`
    are words that may stand for missing values. `format` is how its cells are written, where that is not
    plain.
    """

    column: pl.Series
    words: dict[str, int] = field(default_factory=dict)
    odd: pl.Series | None = None
    among: str = ""
    remedy: str = ""
    remark: str = ""
    strays: tuple[str, ...] = ()
    format: Format | None = None
    is_converted: bool = False  # whether the cells have another unit than at fit

    @property
    def odd_row(self) -> int:
        """The row of the first cell that did not fit."""
        return 0 if self.odd is None else self.odd.arg_max() or 0

    @property
    def odd_cells(self) -> int:
        """How many cells did not fit."""
        return 0 if self.odd is None else int(self.odd.sum())


def read_column(column: pl.Series, rules: Rules) -> ReadColumn:
    """The column in the type that all its cells have."""
    family = _family(column, rules)
    if family in {"text", "missing"}:
        return as_text(column, rules.missing)
    stripped = column.str.strip_chars()
    cells, words = _without(stripped, ("", *rules.missing, *AMONG_VALUES))
    tried = TRY[family](cells, rules)
    odd = tried.values.is_null() & cells.is_not_null()
    if tried.is_text or odd.any():
        text = as_text(column, rules.missing)
        if tried.is_text:
            return ReadColumn(text.column, text.words, remark=tried.remark)
        return _odd_text(text, cells, odd, family, rules)
    words.pop("", None)
    values = tried.values.alias(column.name)
    return ReadColumn(
        values, words, remark=tried.remark, format=tried.format, is_converted=tried.is_converted
    )


def _family(column: pl.Series, rules: Rules) -> str:
    head = column.head(4 * _HEAD).drop_nulls().head(_HEAD).to_list()
    family = family_of(head, rules.decimal, rules.missing)
    if family == "text" and column.name in rules.numbers:  # a few cells of other kinds, as at fit
        return "number"
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


def as_text(column: pl.Series, missing: tuple[str, ...]) -> ReadColumn:
    """The column as it is, but for words for missing values and empty texts, whether quoted or not."""
    words = ("", *missing)
    is_word = column.str.strip_chars().is_in(list(words)).fill_null(False)
    if not is_word.any():
        return ReadColumn(column)
    _, counts = _without(column.filter(is_word).str.strip_chars(), words)
    counts.pop("", None)  # which goes without saying
    return ReadColumn(column.set(is_word, None), counts)


def as_numbers(read: ReadColumn, rules: Rules) -> ReadColumn:
    """A column whose values do not matter as numbers, if it has any: what is none is missing."""
    import polars as pl

    if read.column.dtype != pl.String:
        return read
    cells = read.column.str.strip_chars()
    cells = cells.str.replace(",", ".", literal=True) if rules.decimal == "," else cells
    values = cells.cast(pl.Float64, strict=False)
    return ReadColumn(values, read.words) if values.null_count() < len(values) else read


# -- columns that stay text because of some cells


def _odd_text(text: ReadColumn, cells: pl.Series, odd: pl.Series, family: str, rules: Rules) -> ReadColumn:
    """A column that stays text because of odd cells: words for missing values, other units, other formats."""
    unlike = ~cells.str.contains(LIKE[family]).fill_null(True)
    strays = _strays(cells, unlike if unlike.any() else odd, family, rules)  # such as 0000-00-00 among dates
    if strays:
        odd = cells.is_in(list(strays)).fill_null(False)
        return ReadColumn(text.column, text.words, odd, AMONG[family], strays=strays)
    if AMONG[family] == "numbers" and not unlike.any():
        return _other_units(text, cells, odd, rules.decimal)
    if family == "formatted":  # too vague to speak of
        return text
    return ReadColumn(text.column, text.words, odd, AMONG[family])


def _strays(cells: pl.Series, unlike: pl.Series, family: str, rules: Rules) -> tuple[str, ...]:
    """The few words without which the column is of its family; none if there are no such words."""
    if unlike.sum() > _SMALL_SHARE * (len(cells) - cells.null_count()):
        return ()
    words = cells.filter(unlike).unique(maintain_order=True).to_list()
    if len(words) > _FEW_WORDS or any("," in word for word in words):
        return ()
    rest = cells.set(unlike, None)
    return tuple(words) if TRY[family](rest, rules).fits(rest) else ()


def _other_units(text: ReadColumn, cells: pl.Series, odd: pl.Series, decimal: str) -> ReadColumn:
    """A column in which every cell looks like a number, but not of one unit or format."""
    units = units_in(cells)
    if units is None:  # 12 Main St
        return text
    counts = units.drop_nulls().value_counts(sort=True).to_series().to_list()
    if len(counts) < 2:
        few = 2 * odd.sum() < len(cells) - cells.null_count()
        if few:
            return ReadColumn(text.column, text.words, odd, "numbers")
        unlike = without_format(cells, decimal)  # such as 0'225 beside 1'200
        return ReadColumn(text.column, text.words, odd if unlike is None else unlike)
    among = f"numbers in {counts[0]}" if counts[0] else "numbers without a unit"
    odd = (units != counts[0]).fill_null(False)
    return ReadColumn(text.column, text.words, odd, among, _ONE_UNIT)
