"""The row of a C export: a struct with a field for each column, and what reads and fills it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Array
from ...tree.split_test import SplitTest
from .form import TIMES, Form, FormColumn
from .outputs import printable
from .rows import INT64, is_natural
from .tables import is_strict

MISSING, UNKNOWN = -1, -2  # codes of levels
_WORDS = """auto break case char const continue default do double else enum extern float for goto if
inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void
volatile while main bool true false asm class new delete this template private public protected"""
KEYWORDS = frozenset(_WORDS.split())


class Field(NamedTuple):
    """A column of a row as a field of the struct."""

    name: str  # in C
    column: FormColumn
    kind: str  # "number", "level", "time", "whole", "natural", or "empty"
    unknown: float | None = None  # the number that counts as missing

    @property
    def type(self) -> str:
        """The type in C."""
        whole = {"time": "int64_t", "whole": "int64_t", "natural": "uint64_t"}
        return whole.get(self.kind, "int32_t" if self.kind in {"level", "empty"} else "double")

    @property
    def has_mark(self) -> bool:
        """Whether a field of its own says that the value is missing."""
        return self.kind in {"whole", "natural"}

    def number(self) -> str:
        """The value as a double that is NAN where it is missing."""
        at = f"row->{self.name}"
        if self.kind == "number":
            return at if self.unknown is None else f"({at} == {self.unknown!r} ? NAN : {at})"
        missing = {"level": f"{at} < 0", "time": f"{at} == INT64_MIN", "empty": "1"}
        return f"({missing.get(self.kind, f'{at}_missing')} ? NAN : (double){at})"

    def case(self) -> str:
        """What a test of this column computes."""
        at = f"row->{self.name}"
        if self.kind == "time":
            return f"whole_side({at}, {at} == INT64_MIN, test)"
        if self.has_mark:
            return f"{self.kind}_side({at}, {at}_missing, test)"
        if self.kind == "level" and self.column.kind == "nominal":
            return f"level_side({at}, test)"
        return f"number_side({self.number()}, test)"

    def comment(self) -> str:
        """The column in words."""
        missing = {"number": "NAN", "level": "-1", "time": "INT64_MIN", "empty": "always"}
        gone = missing.get(self.kind, f"{self.name}_missing = 1")
        micros = ", microseconds" + (" since 1970" if self.column.kind == "datetime" else "")
        kind = self.column.kind + (micros if self.kind == "time" else "")
        return safe(f"{self.column.name!r}: {kind}; missing: {gone}")


def fields_of(form: Form) -> list[Field]:
    """The fields of the struct, each with a name of its own."""
    taken: set[str] = set()
    found = []
    for place, column in enumerate(form.columns):
        name = identifier(column.name, taken)
        taken |= {name, f"{name}_missing"}
        found.append(Field(name, column, _kind(form, place, column), form.unknown))
    return found


def _kind(form: Form, place: int, column: FormColumn) -> str:
    if column.kind in TIMES:
        return "time"
    if column.whole:
        return "natural" if is_natural(form, place) else "whole"
    if column.kind in {"nominal", "ordered"}:
        return "level" if column.levels else "empty"
    return "number"


def identifier(name: str, taken: set[str]) -> str:
    """A name as C has it, that no other field has."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")[:50]
    if not plain or plain[0].isdigit() or plain in KEYWORDS:
        plain = f"x_{plain}"
    found, number = plain, 1
    while found in taken or f"{found}_missing" in taken:
        number += 1
        found = f"{plain}_{number}"
    return found


def safe(text: str) -> str:
    """A text that cannot end a comment."""
    return printable(text).replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")


def string(text: str) -> str:
    """A string literal; all but plain letters as octal bytes of UTF-8."""
    plain = set(range(32, 127)) - set(b'"\\?')
    coded = text.encode("utf-8", "surrogatepass")
    return '"' + "".join(chr(b) if b in plain else f"\\{b:03o}" for b in coded) + '"'


def number(value: float) -> str:
    """A double literal."""
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(float(value))


def int64(value: int) -> str:
    """A literal of 64 bits."""
    return "INT64_MIN" if value == -(2**63) else f"INT64_C({value})"


def whole_cut(test: SplitTest, natural: bool) -> tuple[int, bool]:
    """The threshold of a test as a whole number of 64 bits, and whether the test is < instead of <=."""
    low, high = (0, 2**64 - 1) if natural else (int(INT64.min), int(INT64.max))
    cut, strict = test.threshold, is_strict(test)
    if cut < low or (strict and cut == low):
        return low, True
    if cut > high:
        return high, False
    floor = math.floor(cut)
    return floor, strict and floor == cut


# -- rows in memory


def packed(fields: Sequence[Field], rows: Sequence[Sequence[Any]]) -> Array:
    """Rows as the struct lies in memory."""
    types: list[tuple[str, Any]] = []
    for field in fields:
        kinds = {"double": np.float64, "int32_t": np.int32, "int64_t": np.int64, "uint64_t": np.uint64}
        types.append((field.name, kinds[field.type]))
        types += [(f"{field.name}_missing", np.uint8)] if field.has_mark else []
    found = np.zeros(len(rows), dtype=np.dtype(types or [("unused", np.uint8)], align=True))
    for place, field in enumerate(fields):
        cells = [row[place] for row in rows]
        gone = np.array([cell is None for cell in cells], dtype=bool)
        found[field.name] = _cells(field, cells)
        if field.has_mark:
            found[f"{field.name}_missing"] = gone
    return found


def _cells(field: Field, cells: list[Any]) -> list[Any]:
    if field.kind in {"level", "empty"}:
        codes = field.column.codes
        return [MISSING if cell is None else codes.get(cell, UNKNOWN) for cell in cells]
    missing = np.nan if field.kind == "number" else INT64.min if field.kind == "time" else 0
    return [missing if cell is None else cell for cell in cells]
