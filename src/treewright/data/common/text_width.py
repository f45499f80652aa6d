"""Text by the room that it takes on a terminal: how wide it is, made shorter, or broken into lines."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterable, Iterator
from numbers import Integral

LEAST, MOST = 40, 120  # columns: fewer hold no condition, and more are tiring to read


def width_of(text: str) -> int:
    """The columns of a terminal that a text takes: 2 for wide characters, 0 for marks on others."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(letter: str) -> int:
    if unicodedata.category(letter) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1


def padded(text: str, width: int, right: bool = False) -> str:
    """A text with spaces after it, or before it, up to a width."""
    spaces = " " * (width - width_of(text))
    return spaces + text if right else text + spaces


def start_of(text: str, width: int) -> str:
    """As much of the start of a text as fits."""
    taken = 0
    for place, letter in enumerate(text):
        taken += _columns(letter)
        if taken > width:
            return text[:place]
    return text


def cut(text: str, width: int, dots: str = "…") -> str:
    """A text that fits, with dots at its end if that took some of it away."""
    if width_of(text) <= width:
        return text
    return start_of(text, max(width - width_of(dots), 0)) + start_of(dots, width)


def middle_cut(text: str, width: int, dots: str = "…") -> str:
    """A text that fits, with dots in its middle if that took some of it away."""
    if width_of(text) <= width:
        return text
    room = max(width - width_of(dots), 0)
    end, taken = len(text), 0
    while end > 0 and taken + _columns(text[end - 1]) <= room // 2:
        end -= 1
        taken += _columns(text[end])
    while end < len(text) and _columns(text[end]) == 0:  # a mark does not stand without its letter
        end += 1
    return start_of(text, room - taken) + dots + text[end:]


def wrapped(text: str, width: int, indent: str = "", hang: str | None = None) -> list[str]:
    """The lines of a text, the first after `indent` and the others after `hang`, broken at spaces."""
    later = indent if hang is None else hang
    lines, line, empty = [], indent, True
    for word in _pieces(text.split(" "), width - max(width_of(indent), width_of(later))):
        if not empty and width_of(line) + 1 + width_of(word) > width:
            lines.append(line.rstrip())
            line, empty = later, True
        line, empty = line + ("" if empty else " ") + word, False
    return [*lines, line.rstrip()]


def _pieces(words: Iterable[str], width: int) -> Iterator[str]:
    """Words, of which those that are wider than a line are broken."""
    for word in words:
        rest = word
        while width_of(rest) > width:
            first = start_of(rest, max(width, 2))  # a wide character needs two columns
            yield first
            rest = rest[len(first) :]
        yield rest


def terminal_width() -> int:
    """The width of the terminal, or 80 where there is none; within what is good to read."""
    return min(max(shutil.get_terminal_size((80, 24)).columns, LEAST), MOST)


def check_width(width: object) -> None:
    """Refuse a width that no condition fits into."""
    whole = isinstance(width, Integral) and not isinstance(width, bool)
    if not whole or width < LEAST:  # type: ignore[operator]
        raise ValueError(f"width must be an int of at least {LEAST}. Got {width!r}.")


def plain_ascii(text: str) -> str:
    """A text for terminals that know nothing but ASCII; all else is written as its code."""
    return text.encode("ascii", "backslashreplace").decode("ascii")
