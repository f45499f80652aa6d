"""The dialect of a table on disk: all that must be known to read it, or to write another like it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ..common.hints import nearest
from .errors import TableError, TableParameterError

KINDS = ("csv", "parquet", "arrow", "arrow stream")
COMPRESSIONS = (None, "gzip", "bzip2", "xz", "zstd", "zip")
NEWLINES = ("\n", "\r\n", "\r")

_NAMES = {"csv": "CSV", "parquet": "Parquet", "arrow": "Arrow", "arrow stream": "an Arrow stream"}
_SPOKEN = {"\t": "tab", " ": "space", "\x1f": "unit separator", "\x01": "control-A"}


@dataclass(frozen=True)
class Dialect:
    """How a table is written. All but `kind` and `compression` is for CSV only.

    `quote` is None where no cell can be quoted. `encoding` is a name that Python's codecs know.
    """

    kind: str = "csv"
    separator: str = ","
    decimal: str = "."
    encoding: str = "utf-8"
    header: bool = True
    quote: str | None = '"'
    newline: str = "\n"
    compression: str | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            check_option(field.name, getattr(self, field.name))
        check_together(self.separator, self.decimal, self.quote)

    def __str__(self) -> str:
        return self.words()

    def words(self, header_line: int = 1) -> str:
        """The dialect as part of a sentence: "CSV: ; between fields, decimal comma, cp1252, no header"."""
        packed = f", {self.compression}" if self.compression else ""
        if self.kind != "csv":
            return _NAMES[self.kind] + packed
        parts = [
            f"{spoken(self.separator)} between fields",
            *(["decimal comma"] if self.decimal == "," else []),
            *(["cells in '"] if self.quote == "'" else ["quotes as text"] if self.quote is None else []),
            self.encoding,
            f"header in line {header_line}" if self.header else "no header",
        ]
        return "CSV: " + ", ".join(parts) + packed

    def to_dict(self) -> dict[str, Any]:
        """The dialect as JSON can hold it."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Dialect:
        """The dialect that `to_dict` wrote; what is not there has its default."""
        unknown = sorted(set(values) - {field.name for field in fields(cls)})
        if unknown:
            raise TableError(f"A dialect must have the fields of Dialect only. Got {', '.join(unknown)}.")
        return cls(**values)


def spoken(separator: str) -> str:
    """A separator as a sentence names it."""
    return _SPOKEN.get(separator, separator)


# -- what a value may be

_OPTIONS = (
    *("separator", "decimal", "encoding", "header", "quote", "missing", "check_memory"),
    *(
        "also_missing",
        "day_first",
        "formats",
        "skip_rows",
        "comment",
        "text",
        "numbers",
        "unused",
        "only",
        "as_written",
    ),
)


def check_overrides(overrides: dict[str, Any]) -> None:
    """Reject an option of `read_table` that there is not, or whose value cannot be."""
    for name, value in overrides.items():
        if name not in _OPTIONS:
            hint = nearest(name, _OPTIONS) or f" There are {', '.join(_OPTIONS)}."
            raise TypeError(f"read_table has no option {name!r}.{hint}")
        check_option(name, value)


def check_option(name: str, value: Any) -> None:
    """Reject a value that a field of a dialect, or an option of reading, cannot have."""
    must = _MUST[name]
    if not must[1](value):
        raise TableParameterError(f"{name} must be {must[0]}. Got {value!r}.", name)


def check_together(separator: str | None, decimal: str | None, quote: str | None) -> None:
    """Reject one character with two meanings."""
    if separator is not None and separator in {decimal, quote}:
        other = "decimal mark" if separator == decimal else "quote"
        raise TableParameterError(
            f"The separator and the {other} must be two characters. Got {separator!r} for both. Change one."
        )


def _is_mark(value: Any) -> bool:
    one = isinstance(value, str) and len(value) == 1
    return one and value.isascii() and not value.isalnum() and value not in "\r\n\0+-."


def _is_encoding(value: Any) -> bool:
    try:
        return isinstance(value, str) and "".encode(value) is not None
    except (LookupError, ValueError):  # unknown, or no encoding of text
        return False


def _is_comment(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _is_words(value: Any) -> bool:
    return not isinstance(value, str | bytes) and all(isinstance(word, str) for word in value)


_MUST: dict[str, tuple[str, Any]] = {
    "kind": (f"one of {', '.join(KINDS)}", lambda value: value in KINDS),
    "separator": ("one ASCII character that is no part of words, numbers or lines", _is_mark),
    "decimal": ("'.' or ','", lambda value: value in (".", ",")),
    "encoding": ("an encoding that Python knows, such as 'utf-8' or 'cp1252'", _is_encoding),
    "header": ("True or False", lambda value: isinstance(value, bool)),
    "text": ("a list of names of columns", lambda value: isinstance(value, list | tuple | set)),
    "numbers": ("a list of names of columns", lambda value: isinstance(value, list | tuple | set)),
    "unused": ("a list of names of columns", lambda value: isinstance(value, list | tuple | set)),
    "only": ("a list of names of columns", lambda value: isinstance(value, list | tuple | set)),
    "quote": (
        "one ASCII character that is no part of words, numbers or lines, or None",
        lambda value: value is None or _is_mark(value),
    ),
    "newline": (r"'\n', '\r\n' or '\r'", lambda value: value in NEWLINES),
    "compression": ("None, " + ", ".join(map(repr, COMPRESSIONS[1:])), lambda value: value in COMPRESSIONS),
    "missing": ("a list of words", _is_words),
    "also_missing": (
        "a list of words, or words with commas between them",
        lambda value: isinstance(value, str) or _is_words(value),
    ),
    "day_first": ("True or False", lambda value: isinstance(value, bool)),
    "formats": ("a dictionary by column", lambda value: isinstance(value, dict)),
    "skip_rows": (
        "a whole number of at least 0",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
    ),
    "comment": ("one or more visible characters, such as '#'", _is_comment),
    "check_memory": ("True or False", lambda value: isinstance(value, bool)),
    "as_written": ("True or False", lambda value: isinstance(value, bool)),
}
