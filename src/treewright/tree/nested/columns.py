"""The columns of a nested tree: which one a node tests, of what kind it is, and the codes of its levels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...data.schema import KINDS, NUMBER, ColumnType
from ..tree import UNDEFINED
from .nodes import Reader, short_repr

KEYS = {"kind", "levels", "utc"}
WHOLE_FROM = 2**52  # from here on whole numbers are compared as integers, as the core does


def surrogates_of(reader: Reader) -> list[Reader]:
    """A reader for each surrogate of a node."""
    found = []
    for k, node in enumerate(reader.items("surrogates")):
        extra = Reader(node, f"{reader.path}.surrogates[{k}]")
        if not isinstance(node, Mapping):
            raise ValueError(f"A surrogate must be a dictionary. Got {short_repr(node)} at {extra.path}.")
        known = {"feature", "agreement", "adjusted"}
        known |= {"levels"} if extra.is_nominal else {"threshold", "strict", "reversed"}
        unknown = [key for key in node if key not in known]
        lacking = [
            key for key in ("feature", "levels" if extra.is_nominal else "threshold") if key not in node
        ]
        if unknown or lacking:
            extra.reject(f'A surrogate must have "feature" and "threshold" or "levels", of {sorted(known)}')
        found.append(extra)
    return found


def feature_of(reader: Reader, places: dict[str, int] | None) -> int:
    """The column that a node or a surrogate tests; -2 for a leaf."""
    got = reader.node.get("feature", UNDEFINED)
    if isinstance(got, str):
        if places is None:
            reader.reject('"feature" must be a number unless feature_names are given', "feature")
        elif got not in places:
            reader.reject(f'"feature" must be one of {short_repr(list(places))}', "feature")
        else:
            return places[got]
    whole = isinstance(got, int | np.integer) and not isinstance(got, bool)
    if not whole or (got < 0 and "feature" in reader.node):
        reader.reject('"feature" must be the number of a column, from 0, or its name', "feature")
    return int(got)


def terms_of(reader: Reader, places: dict[str, int] | None) -> tuple[tuple[int, float], ...]:
    """The columns that a test combines, ascending, with their coefficients; nothing where it tests one."""
    given = reader.node.get("feature")
    if not isinstance(given, list | tuple):
        return ()
    found: dict[int, float] = {}
    for pair in given:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            reader.reject("A combination must be a list of pairs, a column and its coefficient", "feature")
        term = Reader({"feature": pair[0], "coefficient": pair[1]}, reader.path)
        column, coefficient = feature_of(term, places), term.number("coefficient", 0.0)
        if not math.isfinite(coefficient) or coefficient == 0 or column in found:
            reader.reject(
                "A combination must have each column once, with a finite coefficient but 0", "feature"
            )
        found[column] = coefficient
    if len(found) < 2 or reader.is_nominal:
        reader.reject(
            "A combination must be compared with a threshold and have at least two columns", "feature"
        )
    return tuple(sorted(found.items()))


class Columns:
    """The kinds of all columns: as the root gives them, else a column tested by levels is nominal."""

    def __init__(self, root: Reader, tests: list[tuple[Reader, int]], n_features: int) -> None:
        self.types = [NUMBER] * n_features
        if root.node.get("columns") is not None:
            self.types = [_column(root, given) for given in root.items("columns")]
            if len(self.types) != n_features:
                got = len(self.types)
                raise ValueError(
                    f'"columns" must have {n_features} entries, one per column. Got {got} at root.'
                )
        else:
            met: dict[int, dict[Any, Any]] = {}
            for reader, feature in tests:
                if reader.is_nominal:
                    names = met.setdefault(feature, {})
                    names |= {_key(name): name for group in _groups(reader) for name in group}
            for feature, names in met.items():
                self.types[feature] = ColumnType("nominal", tuple(names.values()))
        self._codes: dict[int, dict[Any, int]] = {}

    def codes_of(self, reader: Reader, feature: int) -> list[tuple[int, int]]:
        """The levels that a test lists, as (code, child) in the order of the codes."""
        if self.types[feature].kind != "nominal":
            reader.reject(
                f'"levels" can only be tested in a nominal column. Column {feature} is not', "levels"
            )
        codes = self._codes.setdefault(feature, _by_key(self.types[feature].levels))
        found: dict[int, int] = {}
        for child, group in enumerate(_groups(reader)):
            for name in group:
                code = codes.get(_key(name))
                if code is None:
                    reader.reject(f'"levels" must name levels of the column, which {name!r} is not', "levels")
                if code in found:
                    reader.reject(
                        f'"levels" must name each level once, but {name!r} is there twice', "levels"
                    )
                found[code] = child
        if not found:
            reader.reject('"levels" must name at least one level', "levels")
        return sorted(found.items())

    def threshold_of(self, reader: Reader, feature: int) -> tuple[float, int | None]:
        """The threshold, and its 64 bits where it is a whole number that float64 may merge with another."""
        got = reader.node.get("threshold")
        column = self.types[feature] if feature < len(self.types) else NUMBER
        if column.kind == "nominal":
            reader.reject(f'"threshold" cannot be tested in column {feature}, which is nominal', "threshold")
        if column.kind == "ordered" and isinstance(got, str) and got in column.levels:
            return column.levels.index(got) + 0.5, None
        threshold = reader.number("threshold", np.nan)
        if np.isnan(threshold):
            reader.reject('"threshold" must be a number', "threshold")
        if not isinstance(got, int) or abs(got) < WHOLE_FROM or feature >= len(self.types):
            return threshold, None
        if not -(2**63) <= got < 2**64:
            reader.reject('"threshold" must be a float or fit in 64 bits', "threshold")
        return threshold, got - 2**64 if got >= 2**63 else got


def _column(root: Reader, given: Any) -> ColumnType:
    """One of the root's columns."""
    kind = given.get("kind") if isinstance(given, Mapping) else None
    if not isinstance(kind, str) or kind not in KINDS or given.keys() - KEYS:
        raise ValueError(
            f'Each of "columns" must be a dictionary with "kind", one of {list(KINDS)}, and "levels" or '
            f'"utc". Got {short_repr(given)} at {root.path}.'
        )
    reader = Reader(given, f"{root.path}.columns")
    levels = tuple(_name(reader, level) for level in reader.items("levels"))
    if levels and given["kind"] not in {"nominal", "ordered"}:
        reader.reject('Only a nominal or ordered column has "levels"')
    if len(_by_key(levels)) != len(levels):
        reader.reject('"levels" of a column must differ', "levels")
    if reader.yes("utc") and given["kind"] != "datetime":
        reader.reject('Only a datetime column may be "utc"')
    return ColumnType(given["kind"], levels, reader.yes("utc"))


def _groups(reader: Reader) -> Iterator[list[Any]]:
    """The names of the levels that go to each child."""
    groups = reader.items("levels")
    n_lists = len(reader.children) - reader.has_own_child if reader.children else 2
    if len(groups) != n_lists or not all(isinstance(group, list | tuple | np.ndarray) for group in groups):
        reader.reject(f'"levels" must be a list of {n_lists} lists of names, one per child', "levels")
    for group in groups:
        yield [_name(reader, name) for name in group]


def _name(reader: Reader, level: Any) -> Any:
    """The name of a level as plain Python."""
    name = plain_level(level)
    if not isinstance(name, str | int | float | bool) or (isinstance(name, float) and math.isnan(name)):
        reader.reject(f'"levels" must be text, numbers, true or false, which {name!r} is not')
    return name


def _key(name: Any) -> tuple[bool, Any]:
    """What tells levels apart: Python takes True for 1."""
    return isinstance(name, bool), name


def _by_key(levels: tuple[Any, ...]) -> dict[Any, int]:
    return {_key(plain_level(level)): code for code, level in enumerate(levels)}


def plain_level(level: Any) -> Any:
    """A level as plain Python."""
    return level.item() if isinstance(level, np.generic) else level
