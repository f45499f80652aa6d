"""The one loop of all classic oracles: get the test of a node from the program, divide its rows, go on."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from tests.oracle.classic_rows import Data, Real, Sample, Test, divide
from treewright.tree.tree import Tree, tree_from_dict


@dataclass(frozen=True)
class Path:
    """How a node was reached: its depth, and the columns that are not tested again."""

    depth: int = 0
    tested: frozenset[int] = frozenset()


class Program(Protocol):
    """What a classic has of its own."""

    @property
    def empty(self) -> str:
        """What a branch without rows predicts: its parent's "shares", its parent's "class", or "nothing"."""

    def best(self, sample: Sample, path: Path) -> Test | None:
        """The test of a node; None: it stays a leaf."""

    def tests_once(self, data: Data, test: Test, /) -> bool:
        """Whether the column of this test is not tested again below."""


def grow(program: Program, sample: Sample) -> dict[str, Any]:
    """The tree as nested dictionaries. A parent comes before its children, and they in their order."""
    root: dict[str, Any] = {}
    waiting = [(root, sample, Path(), outcome(sample))]
    while waiting:
        node, here, path, parent = waiting.pop()
        node |= outcome(here) if len(here) else empty_leaf(program, parent)
        test = program.best(here, path) if len(here) else None
        if test is None:
            continue
        parts = divide(here, test)
        below: list[dict[str, Any]] = [{} for _ in parts]
        node |= split_fields(here.data, test, below)
        tested = path.tested | {test.column} if program.tests_once(here.data, test) else path.tested
        next_path = Path(path.depth + 1, tested)
        waiting += [(one, part, next_path, node) for one, part in zip(below, parts, strict=True)][::-1]
    return root


def grown_tree(program: Program, data: Data, real: Real = np.float64) -> Tree:
    """The tree of a whole table."""
    columns = [{"kind": "nominal" if c.levels else "number", "levels": list(c.levels)} for c in data.columns]
    names = {"feature_names": [c.name for c in data.columns], "classes": list(data.classes) or None}
    return tree_from_dict(grow(program, Sample.of(data, real)) | names | {"columns": columns})


def outcome(sample: Sample) -> dict[str, Any]:
    """What a node of these rows predicts, and its weight."""
    weight = sample.weight.astype(np.float64)
    whole = float(weight.sum())
    if not sample.data.classes:
        return {"value": float((sample.y * weight).sum() / whole), "weight": whole}
    counts = sample.counts()[0].astype(np.float64)  # summed in the type of the weights
    return {"value": (counts / whole).tolist(), "weight": whole}


def empty_leaf(program: Program, parent: dict[str, Any]) -> dict[str, Any]:
    """A leaf that no row reached."""
    value = parent["value"]
    if program.empty == "class":
        value = [float(k == int(np.argmax(value))) for k in range(len(value))]
    elif program.empty == "nothing":
        value = [0.0] * len(value)
    return {"value": value, "weight": 0.0}


def split_fields(data: Data, test: Test, below: list[dict[str, Any]]) -> dict[str, Any]:
    """A test in the words of nested dictionaries."""
    column = data.columns[test.column]
    missing: dict[str, Any] = {"missing": "share", "shares": list(test.shares)}
    found: dict[str, Any] = {"feature": column.name, "children": below[: test.n_branches]}
    if test.alone:
        missing = {"missing": below[-1]}
    if test.threshold is None:
        found["levels"] = [[column.levels[level] for level in group] for group in test.groups]
    else:
        found |= {"threshold": float(test.threshold), "strict": test.strict}
    return found | missing
