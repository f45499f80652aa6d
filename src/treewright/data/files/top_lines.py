"""Lines that are no part of a CSV: titles, comments and sep=; above the header, and comments below it."""

from __future__ import annotations

import re
from typing import Any

from .detection import USUAL, Rows, find_header, is_blank, split
from .errors import shown

_LINES = 200  # that are looked at
_MOST_TITLES = 20


def lines_above(text: str, given: dict[str, Any]) -> tuple[str, str | None, tuple[str, ...]]:
    """What stands above the header, the separator that it names (sep=; of spreadsheets), and notes."""
    separator = given.get("separator")
    at = _after_lines(text, given["skip_rows"]) if given.get("skip_rows") else 0
    found, notes = None, []
    if given.get("comment") or "skip_rows" not in given:
        end = _after_comments(text, at, given.get("comment"))
        if end > at and "comment" not in given:
            notes.append(_note("a comment", text[at:end]))
        at = end
    blank = "" if separator == " " else " *"
    top = re.compile(rf"(?:{blank}\r?\n)*(?:\"?sep=(.)\"?\r?\n)?").match(text, at)
    if top is not None:
        at, found = top.end(), top.group(1)
    if "skip_rows" not in given:
        end = at + _titles(text[at:], separator or found, given)
        if end > at:
            notes.append(_note("a title", text[at:end]))
        at = end
    return text[:at], found, tuple(notes)


def _note(what: str, text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip(" ,;\t|")]
    if not lines:
        return "Empty lines above the header are left out."
    first = shown(lines[0].rstrip("\r ,;\t|"))
    if len(lines) == 1:
        said, they = f"The line {first} above the header is left out as {what}", "it belongs"
    else:
        said = f"{len(lines)} lines above the header are left out as {what[2:]}s; the first is {first}"
        they = "they belong"
    return f"{said}. Pass skip_rows=0 if {they} to the table."


def _after_lines(text: str, n: int) -> int:
    at = 0
    for _ in range(n):
        end = text.find("\n", at)
        if end < 0:
            return len(text)
        at = end + 1
    return at


def _after_comments(text: str, at: int, comment: str | None) -> int:
    """Where the lines of comments end. By default these begin with # or %; names of columns may, too."""
    mark = re.escape(comment) if comment else "(?:#|%)"
    match = re.compile(rf"(?: *\r?\n)*(?:{mark}[^\n]*(?:\n|\Z)(?: *\r?\n)*)+").match(text, at)
    if match is None:
        return at
    if comment is None:
        start = text.rfind("\n", 0, len(match.group().rstrip()) + at) + 1
        names, row = text[start : match.end()].strip(), text[match.end() :].split("\n", 1)[0]
        if any(mark in names and names.count(mark) == row.count(mark) for mark in USUAL):
            return max(start, at)  # as in #id,size,price
    return match.end()


def _titles(text: str, separator: str | None, given: dict[str, Any]) -> int:
    """How long the titles above the header are: lines of few fields before lines of equally many."""
    lines = text.split("\n", _LINES)[:_LINES]
    lines = lines if len(lines) < _LINES else lines[:-1]
    found = []
    for mark in [separator] if separator else USUAL:
        n_titles = _count_titles(lines, mark, given)
        if n_titles == 0:
            return 0
        if n_titles is not None:
            found.append(n_titles)
    return sum(len(line) + 1 for line in lines[: min(found)]) if found else 0


def _count_titles(lines: list[str], separator: str, given: dict[str, Any]) -> int | None:
    """The lines before the first of those that have equally many fields; None if there are none such."""
    quote = given.get("quote", '"')
    rows: Rows = [next(iter(split(line, separator, quote)), []) for line in lines]
    widths = [0 if is_blank(row) else len(row) for row in rows]
    width = next((each for each in reversed(widths) if each), 0)
    if width < 2:
        return None
    start = 1 + max((j for j, each in enumerate(widths) if each not in {0, width}), default=-1)
    header = given.get("header", True)
    while header and width > 2 and start + 2 < len(rows) and _is_padded(rows[start]):
        start += 1
    start += next((j for j, each in enumerate(widths[start:]) if each), 0)
    if start == 0:
        return 0
    below = [row for row in rows[start:] if not is_blank(row)]
    narrow = all(
        each <= max(1, width - 2) or _is_padded(row) for each, row in zip(widths[:start], rows, strict=False)
    )
    if len(below) < 2 or start > _MOST_TITLES or not narrow:
        return None
    if quote is not None and any(line.count(quote) % 2 for line in lines[:start]):
        return None  # a name with a line break in it
    if header and not find_header(below, given.get("decimal", ".")):
        return None
    return start


def _is_padded(row: list[str]) -> bool:
    """Whether at most the first cell holds anything, as in a title that a spreadsheet has written."""
    return bool(row) and not any(cell.strip() for cell in row[1:])


def without_comments(data: bytes, comment: str, quote: str | None) -> bytes:
    """The text with blank lines for those that begin with the mark, unless they are inside quotes."""
    mark, pieces, start, seen, quotes = b"\n" + comment.encode(), [], 0, 0, 0
    at = data.find(mark)
    while at >= 0:
        quotes += data.count(quote.encode(), seen, at) if quote is not None else 0
        seen = at
        end = data.find(b"\n", at + 1)
        end = len(data) if end < 0 else end
        if quotes % 2 == 0:
            pieces.append(data[start : at + 1])
            start = end
        at = data.find(mark, end)
    return b"".join([*pieces, data[start:]])
