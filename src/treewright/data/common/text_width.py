"""The width of text: measured, shortened or wrapped to fit.

The unit is a column of a terminal, unless a function is given that measures letters otherwise.
"""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from numbers import Integral

LEAST, MOST = 40, 120  # columns: fewer hold no condition, and more are tiring to read
Measure = Callable[[str], float]  # the width of one letter


def columns(letter: str) -> int:
    """The columns of a terminal that a letter takes: 2 for wide characters, 0 for marks on others."""
    if letter.isascii():
        return 1
    if unicodedata.category(letter) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1


def width_of(text: str) -> int:
    """The columns of a terminal that a text takes."""
    return len(text) if text.isascii() else sum(map(columns, text))


def measured(text: str, measure: Measure) -> float:
    """The width of a text by any measure."""
    return width_of(text) if measure is columns else sum(map(measure, text))


def padded(text: str, width: int, right: bool = False) -> str:
    """A text with spaces after it, or before it, up to a width."""
    spaces = " " * (width - width_of(text))
    return spaces + text if right else text + spaces


def start_of(text: str, width: float, measure: Measure = columns) -> str:
    """As much of the start of a text as fits."""
    taken = 0.0
    for place, letter in enumerate(text):
        taken += measure(letter)
        if taken > width:
            return text[:place]
    return text


def cut(text: str, width: float, dots: str = "…", measure: Measure = columns) -> str:
    """A text that fits, with dots at its end if some of it was removed."""
    if measured(text, measure) <= width:
        return text
    start = start_of(text, max(width - measured(dots, measure), 0), measure)
    return start.rstrip() + start_of(dots, width, measure)


def middle_cut(text: str, width: float, dots: str = "…", measure: Measure = columns) -> str:
    """A text that fits, with dots in its middle if some of it was removed."""
    if measured(text, measure) <= width:
        return text
    room = max(width - measured(dots, measure), 0)
    end, taken = len(text), 0.0
    while end > 0 and taken + measure(text[end - 1]) <= room / 2:
        end -= 1
        taken += measure(text[end])
    while end < len(text) and measure(text[end]) == 0:  # a mark does not stand without its letter
        end += 1
    return start_of(text, room - taken, measure) + dots + text[end:]


def wrapped(
    text: str, width: float, indent: str = "", hang: str | None = None, measure: Measure = columns
) -> list[str]:
    """The lines of a text, the first after `indent` and the others after `hang`, broken at spaces."""
    later = indent if hang is None else hang
    lines, line, empty = [], indent, True
    room = width - max(measured(indent, measure), measured(later, measure))
    for word in _pieces(text.split(" "), room, measure):
        if not empty and measured(f"{line} {word}", measure) > width:
            lines.append(line.rstrip())
            line, empty = later, True
        line, empty = line + ("" if empty else " ") + word, False
    return [*lines, line.rstrip()]


def _pieces(words: Iterable[str], width: float, measure: Measure) -> Iterator[str]:
    """Words, of which those that are wider than a line are broken."""
    for word in words:
        rest = word
        while rest and measured(rest, measure) > width:
            first = start_of(rest, width, measure) or rest[:1]
            yield first
            rest = rest[len(first) :]
        yield rest


def fit_line(text: str, width: int) -> str:
    """The text in one printable line of at most so many columns, with ... at its end if it was longer."""
    return cut(printable(text), width, "...")


def printable(text: str, lines: bool = False) -> str:
    """The text with control characters and marks of direction spelled out; with `lines`, line breaks stay.

    Names and levels come from files: an escape sequence must not reach the terminal.
    """
    if text.isprintable():
        return text
    if lines:
        return "\n".join(map(printable, text.split("\n")))
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def terminal_width() -> int:
    """The width of the terminal, or 80 where there is none; within what is good to read."""
    return min(max(shutil.get_terminal_size((80, 24)).columns, LEAST), MOST)


def check_width(width: object) -> None:
    """Reject a width that no condition fits into."""
    whole = isinstance(width, Integral) and not isinstance(width, bool)
    if not whole or width < LEAST:  # type: ignore[operator]
        raise ValueError(f"width must be an int of at least {LEAST}. Got {width!r}.")


def plain_ascii(text: str) -> str:
    """A text for terminals that know nothing but ASCII; all else is written as its code."""
    return text.encode("ascii", "backslashreplace").decode("ascii")
