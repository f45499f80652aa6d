"""JSON as strict as it can be: within limits of depth, length and number, no key twice, nothing but UTF-8.

Arrays of numbers, which are nearly all of a file, are read in pieces and become numpy arrays at once, so that
a file never takes much more memory than its own size.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from .limits import MAX_DIGITS, MAX_NESTING, MAX_PARTS, MAX_TEXT, FileError

_SPACE = re.compile(rb"[ \t\r\n]*+")
_TEXT = re.compile(rb'"[^"\\\x00-\x1f]*+(?:\\["\\/bfnrtu][^"\\\x00-\x1f]*+)*+"')
_TEXTS = re.compile(rb'(?:"[^"\\\x00-\x1f]*+"[ \t\r\n]*+,[ \t\r\n]*+){1,1000}+(?=")')
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][+-]?[0-9]++)?(?![0-9.eE+-])")
_WORD = re.compile(rb"true|false|null")
_TOO_LONG = re.compile(rb"[^,]{%d}" % (MAX_DIGITS + 1))
_WORDS = {b"true": True, b"false": False, b"null": None}
SPECIAL = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}  # JSON has no such numbers
PIECE = 2**18  # bytes of an array that are read at a time

Read = Callable[[str], Any]  # reads the value of a key


class Text:
    """The bytes of a file, and how far they are read."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at, self._depth, self._parts = data, 0, 0, 0

    def refuse(self, must: str) -> NoReturn:
        """Raise what must hold, with what is there instead and in which line."""
        line = self.data.count(b"\n", 0, self.at) + 1
        there = self.data[self.at : self.at + 20].decode("utf-8", "replace")
        raise FileError(
            f"{must}. Got {there!r} in line {line}." if there else f"{must}. The file ends before."
        )

    def document(self, read: Read) -> dict[str, Any]:
        """The one object that the file is."""
        found = self.object(read)
        if self._next():
            self.refuse("Nothing may follow the object that a model file is")
        return found

    def object(self, read: Read) -> dict[str, Any]:
        """An object; `read` is called with each key and reads its value."""
        found: dict[str, Any] = {}
        self._open(b"{")
        while not self._closes(b"}", first=not found):
            key = self._text()
            if key in found:
                raise FileError(f"A key may be there only once. Got {key[:60]!r} twice in one object.")
            self._count(1)
            self._take(b":")
            found[key] = read(key)
        return found

    def value(self, _key: str = "") -> Any:
        """Any value, as plain Python."""
        head = self._next()
        if head == b"{":
            return self.object(self.value)
        if head == b"[":
            return self._list()
        self._count(1)
        if head == b'"':
            return self._text()
        word = _WORD.match(self.data, self.at)
        if word is None:
            return self._number()
        self.at = word.end()
        return _WORDS[word.group()]

    def _list(self) -> list[Any]:
        found: list[Any] = []
        self._open(b"[")
        while not self._closes(b"]", first=not found):
            found += self._texts()
            found.append(self.value())
        return found

    def _texts(self) -> list[str]:
        """The simple texts that come next, each with its comma: long lists of levels are read by many."""
        self._next()
        run = _TEXTS.match(self.data, self.at)
        if run is None or run.end() - self.at > MAX_TEXT:
            return []
        try:
            found: list[str] = json.loads(f"[{run.group().decode().rstrip()[:-1]}]")
        except ValueError:
            self.refuse("A text must be valid Unicode, written as UTF-8")
        self._count(len(found))
        self.at = run.end()
        return found

    # -- marks

    def _next(self) -> bytes:
        space = _SPACE.match(self.data, self.at)
        self.at = space.end() if space else self.at
        return self.data[self.at : self.at + 1]

    def _take(self, mark: bytes) -> None:
        if self._next() != mark:
            self.refuse(f"A model file must be JSON, with {mark.decode()!r} here")
        self.at += 1

    def _open(self, mark: bytes) -> None:
        self._take(mark)
        self._count(10)
        self._depth += 1
        if self._depth > MAX_NESTING:
            self.refuse(f"Lists and objects must be nested at most {MAX_NESTING} deep")

    def _closes(self, mark: bytes, first: bool) -> bool:
        """Whether a list or an object ends here; else the comma before its next part is passed."""
        if self._next() == mark:
            self.at += 1
            self._depth -= 1
            return True
        if not first:
            self._take(b",")
        return False

    def _count(self, parts: int) -> None:
        self._parts += parts
        if self._parts > MAX_PARTS:
            raise FileError(
                f"A model file must have at most {MAX_PARTS:,} parts beside its arrays. Got more."
            )

    # -- single values

    def _text(self) -> str:
        self._next()
        found = _TEXT.match(self.data, self.at)
        if found is None:
            self.refuse("A model file must be JSON, with a text in quotes here")
        token = found.group() if found.end() - self.at <= MAX_TEXT else b""
        if not token:
            self.refuse(f"A text must have at most {MAX_TEXT:,} bytes")
        try:
            text: str = token[1:-1].decode()
            if "\\" in text:
                text = json.loads(f'"{text}"')
                text.encode()
        except ValueError:  # no UTF-8, a wrong \u, or half of a pair
            self.refuse("A text must be valid Unicode, written as UTF-8")
        self.at = found.end()
        return text

    def _number(self) -> float | int:
        found = _NUMBER.match(self.data, self.at)
        if found is None:
            self.refuse("A model file must be JSON, with a value here")
        if found.end() - self.at > MAX_DIGITS:
            self.refuse(f"A number must have at most {MAX_DIGITS} characters")
        whole = found.group(1) is None and found.group(2) is None
        number = int(found.group()) if whole else float(found.group())
        if not whole and abs(number) == np.inf:
            self.refuse("A number must fit in 64 bits")
        self.at = found.end()
        return number

    # -- arrays of numbers

    def numbers(self, name: str, dtype: type, most: int) -> NDArray[Any]:
        """An array of at most so many numbers; those of a float type may be "nan", "inf" or "-inf"."""
        self._take(b"[")
        begin, end = self.at, self.data.find(b"]", self.at)
        if end < 0:
            self.refuse(f"The array {name!r} must end with ']'")
        parts: list[NDArray[Any]] = []
        count, cut = 0, -1
        while cut < end:
            cut = end if end - self.at <= PIECE else self.data.rfind(b",", self.at, self.at + PIECE)
            piece = self.data[self.at : max(cut, self.at)]
            if not piece.strip() and not (cut == end and self.at == begin):
                self.refuse(f"The array {name!r} must have a number here")
            parts.append(self._piece(piece, name, dtype))
            count += len(parts[-1])
            if count > most:
                raise FileError(f"The array {name!r} must have at most {most:,} numbers. Got more.")
            self.at = cut + 1
        return np.concatenate(parts)

    def _piece(self, piece: bytes, name: str, dtype: type) -> NDArray[Any]:
        """Some numbers between commas."""
        if b"[" in piece or b"{" in piece or _TOO_LONG.search(piece):
            self.refuse(f"The array {name!r} must hold numbers of at most {MAX_DIGITS} characters")
        try:
            items = json.loads(f"[{piece.decode('ascii')}]", parse_constant=_no_constant)
            found = _floats(items) if dtype is np.float64 else _integers(items, dtype)
        except (ValueError, OverflowError) as error:
            said = str(error) if isinstance(error, _FaultError) else "it is no JSON"
            raise FileError(f"The array {name!r} must hold numbers of its type only, but {said}.") from None
        return found


class _FaultError(ValueError):
    """What is wrong with a number."""


def _no_constant(word: str) -> NoReturn:
    raise _FaultError(f"{word} is no number in JSON")


def _floats(items: list[Any]) -> NDArray[np.float64]:
    kinds, wild = set(map(type, items)), 0
    if not kinds <= {float, int, str}:
        raise _FaultError("there is something else among them")
    if str in kinds:
        words = [item for item in items if isinstance(item, str)]
        if not SPECIAL.keys() >= set(words):
            raise _FaultError('there is a text other than "nan", "inf" and "-inf"')
        items, wild = [SPECIAL[item] if isinstance(item, str) else item for item in items], len(words)
    if int in kinds and any(isinstance(item, int) and abs(item) > 2**53 for item in items):
        raise _FaultError("there is a whole number that float64 cannot hold")
    found = np.array(items, dtype=np.float64)
    if np.count_nonzero(~np.isfinite(found)) != wild:
        raise _FaultError("there is one that float64 cannot hold")
    return found


def parts_of(value: Any) -> int:
    """How many parts a value has, as a reader of it counts them."""
    if isinstance(value, dict):
        return 10 + sum(1 + parts_of(part) for part in value.values())
    if isinstance(value, list):
        return 10 + sum(map(parts_of, value))
    return 1


def _integers(items: list[Any], dtype: type) -> NDArray[Any]:
    if not set(map(type, items)) <= {int}:
        raise _FaultError("there is something other than a whole number")
    limits = np.iinfo(dtype)
    if items and not limits.min <= min(items) <= max(items) <= limits.max:
        raise _FaultError(f"there is one outside of {limits.min}..{limits.max}")
    return np.array(items, dtype=dtype)
