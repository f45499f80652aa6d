"""The encoding of a text, found by trial on its first part; and the text as UTF-8."""

from __future__ import annotations

import codecs
import mmap
import re
from typing import TypeAlias

from .errors import TableError

# A file is looked at where it lies; all else is in memory.
Bytes: TypeAlias = bytes | mmap.mmap

_MARKS = (  # a mark of UTF-32 begins with one of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Control characters that no text has; tab, line breaks, page break, control-Z and separators may be there.
_STRANGE = re.compile("[\x00\x02-\x08\x0e-\x19\x1b\x7f]")
_PIECE = 1 << 24


def find_encoding(start: bytes, *, complete: bool, name: str) -> str:
    """The encoding of a text of which this is the start, or all (`complete`)."""
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return encoding
    if 0 in start:
        return _of_two_bytes(start, name)
    at = first_not_utf8(start, complete=complete)
    return "utf-8" if at is None else encoding_instead(start, at, None, name)


def is_utf8(encoding: str) -> bool:
    """Whether bytes of this encoding are UTF-8, but for a mark at the start."""
    return codecs.lookup(encoding).name in {"utf-8", "utf-8-sig"}


def decode_start(start: bytes, encoding: str, *, complete: bool, name: str) -> str:
    """The text of the start of a file; a character cut off at its end is left out."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(start, final=complete)
    except UnicodeError as problem:
        raise _undecodable(name, encoding, start, problem) from None
    if len(_STRANGE.findall(text)) > len(text) // 200:
        raise not_text(name)
    return text.removeprefix("\ufeff")


def as_utf8(data: bytes, encoding: str, name: str) -> bytes:
    """All of a text as UTF-8, without a mark at the start."""
    try:
        return data.decode(encoding).removeprefix("\ufeff").encode()
    except UnicodeError as problem:
        raise _undecodable(name, encoding, data, problem) from None


def first_not_utf8(data: Bytes, *, complete: bool = True) -> int | None:
    """Where the first byte stands that is not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(data), _PIECE):
        piece = data[start : start + _PIECE]
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(piece, final=complete and start + _PIECE >= len(data))
        except UnicodeDecodeError as problem:
            return start - pending + problem.start
    return None


def encoding_instead(data: Bytes, at: int, encoding: str | None, name: str) -> str:
    """What a text is if it is not UTF-8 at this byte; rejected where it is UTF-8 before it, or said to be."""
    before = data[:at]
    if encoding is not None or not before.removeprefix(codecs.BOM_UTF8).isascii():
        raise TableError(
            f"{name} is not {encoding or 'utf-8'} in line {before.count(10) + 1:,}, where it has the byte "
            f"0x{data[at]:02x}. Give its encoding, for example encoding='cp1252', or repair the line."
        )
    return "cp1252" if _decodes(data[:], "cp1252", True) else "latin-1"


def not_text(name: str) -> TableError:
    """The sentence for binary nonsense."""
    return TableError(
        f"{name} must be a table: CSV or TSV text, Parquet or Arrow, plain or compressed. Its bytes are "
        "neither text nor one of these. Give its encoding if it is text, for example encoding='utf-16'."
    )


def _of_two_bytes(start: bytes, name: str) -> str:
    """UTF-16 without a mark has a zero in nearly every second byte of a table; else it is not text."""
    pairs = len(start) // 2
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        zeros, others = start[first::2].count(0), start[1 - first :: 2].count(0)
        if 2 * zeros > pairs and not others and _decodes(start[: 2 * pairs], encoding, False):
            return encoding
    raise not_text(name)


def _decodes(data: bytes, encoding: str, final: bool) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(data, final=final)
    except UnicodeDecodeError:
        return False
    return True


def _undecodable(name: str, encoding: str, data: bytes, problem: UnicodeError) -> TableError:
    at = problem.start if isinstance(problem, UnicodeDecodeError) else 0
    line = data[:at].count(10) + 1
    return TableError(
        f"{name} is not {encoding} in line {line:,}. Leave the encoding out to have it found, or give "
        "another."
    )
