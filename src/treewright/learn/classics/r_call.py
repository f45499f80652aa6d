"""A command of R as it is published: `rpart(Kyphosis ~ Age + Start, data=kyphosis, method="class")`.

What names data (the formula, `data`, `x` and `y`) is read apart: a table is given to `fit`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .options import WORDS

CALL = re.compile(r"(?:[\w.]+\s*(?:<-|=)\s*)?(?:\w+::)?([A-Za-z][\w.]*)\s*\((.*)\)\s*;?", re.DOTALL)
NAMED = re.compile(r"([A-Za-z][\w.]*)\s*=(?!=)\s*(.*)", re.DOTALL)
NAME = re.compile(r"`[^`]+`|[A-Za-z.][\w.]*")
OF_DATA = ("formula", "data", "x", "y")
OPENS, CLOSES = "([{", ")]}"


class Formula(NamedTuple):
    """The target and the columns that a formula names; None: all others."""

    target: str
    columns: tuple[str, ...] | None


class Call(NamedTuple):
    """A command: the name of the function, and its arguments with those of its control function."""

    name: str
    keywords: dict[str, Any]
    formula: Formula | None


class _Expression(str):
    """Something that R would look up: the name of a table or a column of it."""

    __slots__ = ()


def read_call(line: str) -> Call | None:
    """The command of a line; None if it is not written as a call."""
    found = CALL.fullmatch(line.strip())
    if found is None:
        return None
    keywords: dict[str, Any] = {}
    data: list[str] = []
    for name, value in _arguments(found[2]):
        if name is None and not isinstance(value, _Expression):
            raise ValueError(f"Arguments of {found[1]} must have names. Got {value!r}.")
        if name is None or name in OF_DATA:
            data.append(str(value))
        elif name == "control":
            keywords |= _options(value)
        else:
            keywords[name.replace(".", "_")] = value
    formulas = [text for text in data if "~" in text]
    return Call(found[1], keywords, _formula(formulas[0]) if formulas else None)


def _options(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"control must be a call such as rpart.control(cp=0). Got {value!r}.")
    return {name.replace(".", "_"): each for name, each in value.items()}


def _formula(text: str) -> Formula:
    target, _, right = (part.strip() for part in text.partition("~"))
    terms = [term.strip() for term in right.split("+")]
    for name in (target, *terms):
        if not NAME.fullmatch(name):
            raise ValueError(f"A formula must be of names, as in y ~ a + b or y ~ . Got {text!r}.")
    names = tuple(term.strip("`") for term in terms)
    return Formula(target.strip("`"), None if names == (".",) else names)


# -- values


def _arguments(text: str) -> Iterator[tuple[str | None, Any]]:
    for part in _parts(text):
        named = NAMED.fullmatch(part)
        yield (named[1], _value(named[2])) if named else (None, _value(part))


def _parts(text: str) -> Iterator[str]:
    """The text between commas that stand in no brackets and no quotes."""
    depth, quote, start = 0, "", 0
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'`":
            quote = letter
        elif letter in OPENS + CLOSES:
            depth += 1 if letter in OPENS else -1
        elif letter == "," and depth == 0:
            yield text[start:place].strip()
            start = place + 1
    if depth or quote:
        raise ValueError(f"Brackets and quotes must be closed. Got {text!r:.100}.")
    if text[start:].strip():
        yield text[start:].strip()


def _value(text: str) -> Any:
    """A word, number, text, vector, list or matrix; the options of a control function; else an expression."""
    if text in WORDS:
        return WORDS[text]
    if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?L?", text):
        number = float(text.rstrip("L"))
        return int(number) if re.fullmatch(r"[-+]?\d+L?", text) else number
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    call = CALL.fullmatch(text)
    return _Expression(text) if call is None else _made(call[1], text, [*_arguments(call[2])])


def _made(name: str, text: str, arguments: list[tuple[str | None, Any]]) -> Any:
    plain = [value for key, value in arguments if key is None]
    named = {key: value for key, value in arguments if key is not None}
    if name == "c":
        return plain or list(named.values())
    if name == "list" or name.lower().endswith("control"):
        return named or plain
    if name == "matrix" and plain:
        values, rows = np.ravel(plain[0]), named.get("nrow")
        columns = named.get("ncol", -1 if rows else 1)
        return values.reshape(rows or -1, columns, order="C" if named.get("byrow") else "F").tolist()
    if name == "structure" and plain and "dim" in named:
        return np.reshape(plain[0], named["dim"], order="F").tolist()
    return _Expression(text)
