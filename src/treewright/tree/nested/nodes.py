"""The dictionaries of a nested tree: walked breadth-first, each with its path and its errors."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

SIDES = ("left", "right")
INNER_KEYS = ("feature", "threshold", *SIDES)
COUNT_KEYS = ("n", "weight", "impurity", "gain", "lower", "upper")
ANY_KEYS = ("value", "estimate", "model", *COUNT_KEYS, "missing", "missing_seen")
SPLIT_KEYS = ("children", "levels", "strict", "soft", "shares", "found_by", "heuristic", "surrogates")
NODE_KEYS = {*INNER_KEYS, *ANY_KEYS, *SPLIT_KEYS}
ROOT_KEYS = {"n_features", "feature_names", "n_classes", "classes", "columns", "costs", "pooled"}
MISSING = '"missing" must be "left", "right", "stop", "share", the number of a child, or a node'


@dataclass
class Reader:
    """One dictionary, its path, and the messages that reject it."""

    node: Mapping[str, Any]
    path: str
    children: list[int] = field(default_factory=list)

    @property
    def is_nominal(self) -> bool:
        """Whether it tests levels."""
        return "levels" in self.node

    @property
    def has_own_child(self) -> bool:
        """Whether its last child is for missing values alone."""
        return isinstance(self.node.get("missing"), Mapping)

    def reject(self, must: str, key: str | None = None) -> NoReturn:
        """Raise what must hold, what was got, and where."""
        got = self.node.get(key) if key else self.node
        raise ValueError(f"{must}. Got {short_repr(got)} at {self.path}.")

    def number(self, key: str, otherwise: float) -> float:
        """A number, or the text of one."""
        got = self.node.get(key, otherwise)
        if isinstance(got, bool) or not isinstance(got, int | float | str | np.number):
            self.reject(f'"{key}" must be a number', key)
        try:
            return float(got)
        except (ValueError, OverflowError):
            self.reject(f'"{key}" must be a number', key)

    def count(self, key: str, otherwise: float) -> float:
        """A number of rows or their weight."""
        number = self.number(key, otherwise)
        if not 0 <= number < math.inf:
            self.reject(f'"{key}" must be a finite number of at least 0', key)
        return number

    def yes(self, key: str) -> bool:
        """True or false; false unless given."""
        got = self.node.get(key, False)
        if not isinstance(got, bool | np.bool_):
            self.reject(f'"{key}" must be true or false', key)
        return bool(got)

    def items(self, key: str) -> list[Any]:
        """A list; empty if there is none."""
        got = self.node.get(key)
        if got is None:
            return []
        if not isinstance(got, Sequence | np.ndarray) or isinstance(got, str | bytes):
            self.reject(f'"{key}" must be a list', key)
        return list(got)


def breadth_first(nested: Any) -> list[Reader]:
    """All nodes in the order of their numbers. An inner dictionary met twice might be a circle: rejected."""
    found = [Reader(nested, "root")]
    waiting, seen = deque(found), set()
    while waiting:
        reader = waiting.popleft()
        _check_keys(reader, NODE_KEYS | ROOT_KEYS if reader.path == "root" else NODE_KEYS)
        if "feature" not in reader.node:
            continue
        if id(reader.node) in seen:
            reader.reject("Every inner node must be a dictionary of its own; copy it where it is used again")
        seen.add(id(reader.node))
        for name, node in _below(reader):
            reader.children.append(len(found))
            found.append(Reader(node, _step(reader.path, name)))
            waiting.append(found[-1])
        _check_missing(reader)
    return found


def _below(reader: Reader) -> Iterable[tuple[str, Any]]:
    """The children with the step to each, the one for missing values alone last."""
    children = reader.items("children")
    if not reader.is_nominal and "children" in reader.node and len(children) != 2:
        reader.reject('"children" of a threshold must be two nodes', "children")
    if "children" in reader.node:
        yield from ((f"children[{k}]", node) for k, node in enumerate(children))
    else:
        yield from ((side, reader.node[side]) for side in SIDES)
    if reader.has_own_child:
        yield "missing", reader.node["missing"]


def _check_keys(reader: Reader, known: set[str]) -> None:
    node = reader.node
    if not isinstance(node, Mapping):
        raise ValueError(f"A node must be a dictionary. Got {short_repr(node)} at {reader.path}.")
    unknown = [key for key in node if key not in known]
    if unknown:
        raise ValueError(f"A node must use the keys {sorted(known)}. Got {unknown} at {reader.path}.")
    if not any(key in node for key in (*INNER_KEYS, *SPLIT_KEYS)):
        if "value" not in node:
            reader.reject(
                'A leaf must have a "value", and an inner node "feature", "threshold", "left", "right"'
            )
        return
    wanted = ("feature", "levels", "children") if reader.is_nominal else INNER_KEYS
    if "children" in node and not reader.is_nominal:
        wanted = ("feature", "threshold", "children")
    lacking = [key for key in wanted if key not in node]
    if lacking:
        raise ValueError(f"An inner node must have {list(wanted)}. {lacking} is lacking at {reader.path}.")
    excess = [key for key in (*INNER_KEYS, "strict") if key in node and key not in (*wanted, "strict")]
    excess += ["strict"] if reader.is_nominal and "strict" in node else []
    if excess:
        raise ValueError(f"An inner node with {list(wanted)} must not have {excess} too, at {reader.path}.")


def _check_missing(reader: Reader) -> None:
    got, n_children = reader.node.get("missing", "stop"), len(reader.children)
    if n_children < 2:
        reader.reject("An inner node must have at least two children", "children")
    if isinstance(got, Mapping) or (isinstance(got, str) and got in ("stop", "share")):
        return
    if isinstance(got, str) and got in SIDES and not reader.is_nominal:
        return
    whole = isinstance(got, int | np.integer) and not isinstance(got, bool)
    if not whole or not 0 <= got < n_children:
        reader.reject(MISSING, "missing")


def _step(path: str, side: str) -> str:
    """One step further down; the path to a deep node is shortened to its end."""
    return f"{path}.{side}" if len(path) < 200 else f"...{path[-100:]}.{side}"


def short_repr(got: Any) -> str:
    """What was got, on one line; what lies deeper is left out, it may be very deep."""
    if isinstance(got, Mapping):
        got = dict.fromkeys(got, ...)
    elif isinstance(got, list | tuple):
        got = [{...} if isinstance(item, Mapping | list | tuple) else item for item in got]
    text = repr(got)
    return text if len(text) <= 80 else text[:77] + "..."
