"""Text in a drawing: its width in pixels, how it is shortened, and how it is written as XML."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from html import escape

from ...data.common import text_width

DOTS = "…"
# Widths in parts of the size of the letters, as in DejaVu Sans, which is broader than most fonts of systems:
# what fits here fits elsewhere.
_WIDTHS = {
    **dict.fromkeys("'ijlIJ ,.·", 0.32),
    **dict.fromkeys('/:;\\|f-()[]t!r"*_`', 0.42),
    **dict.fromkeys("w#+<=>^~≤≥±M", 0.86),
    **dict.fromkeys("mW@%…—", 1.0),
}
USUAL, CAPITAL, OTHER, FULL, EMOJI = 0.64, 0.76, 0.8, 1.05, 1.4
BOLD = 1.12
# XML 1.0 has no other characters, and no way to write them.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Marks that turn the direction of a line.
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")
ISOLATE, END = "\u2068", "\u2069"
_STRETCH = re.compile("R(?:[R ]*R)?")


@cache
def _letter_width(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if unicodedata.combining(letter) or unicodedata.category(letter) in {"Mn", "Me", "Cf"}:
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return FULL if letter < "\U0001f000" else EMOJI
    if letter.isupper():
        return CAPITAL
    return USUAL if letter < "\u0250" else OTHER


def width_of(text: str, size: float) -> float:
    """About how many pixels a text takes."""
    return size * sum(map(_letter_width, text))


def cut(text: str, room: float, size: float) -> str:
    """A text that fits, with an ellipsis where its end was."""
    return text_width.cut(text, room / size, DOTS, _letter_width)


def cut_name(name: str, rest: str, room: float, size: float) -> str:
    """A name and the text after it: where both are too long, the middle of the name is removed first."""
    if width_of(name + rest, size) <= room:
        return name + rest
    said = cut(rest, max(room * 0.66, room - width_of(name, size)), size)
    return text_width.middle_cut(name, (room - width_of(said, size)) / size, DOTS, _letter_width) + said


def lines_of(sentences: Iterable[str], room: float, size: float) -> list[str]:
    """Sentences one after the other, broken between words."""
    text = " ".join(sentences)
    return text_width.wrapped(text, room / size, measure=_letter_width) if text else []


def visible(text: str) -> str:
    """A text without what XML cannot hold and without marks that turn the direction of a line."""
    return _TURNS.sub("", _NO_XML.sub("\ufffd", text))


def xml(text: str) -> str:
    """A text as XML, in which words written from right to left move nothing outside of them."""
    return escape(_isolated(visible(text)))


def _isolated(text: str) -> str:
    """Wrap each stretch of words that are written from right to left in an isolate."""
    kinds = "".join(map(_direction, text))
    found, done = [], 0
    for stretch in _STRETCH.finditer(kinds):
        found += [text[done : stretch.start()], ISOLATE, text[slice(*stretch.span())], END]
        done = stretch.end()
    return "".join([*found, text[done:]])


def _direction(letter: str) -> str:
    """`R`: from right to left; ` `: may stand between such letters; `L`: all else."""
    kind = unicodedata.bidirectional(letter)
    return "R" if kind in {"R", "AL"} else " " if kind in {"WS", "NSM", "AN"} else "L"
