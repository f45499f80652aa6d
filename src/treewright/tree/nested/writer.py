"""From a tree to nested dictionaries."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.schema import ColumnType
from ..invariants import SOFT
from ..split_test import SplitTest
from ..tree import FOUND_BY, SHARED, STOPS, Tree
from .columns import plain_level
from .models import model_doc
from .nodes import SIDES

ENDS = {STOPS: "stop", SHARED: "share"}
INFINITIES = {math.inf: ("inf", "+inf", "infinity"), -math.inf: ("-inf", "-infinity", " -inf")}


def to_nested(tree: Tree) -> dict[str, Any]:
    """See `Tree.to_dict`. Children come after their parent, so counting down meets them first."""
    nodes: list[dict[str, Any]] = [{}] * tree.node_count
    for i in range(tree.node_count - 1, -1, -1):
        node: dict[str, Any] = {}
        first, count = int(tree.first_child[i]), int(tree.n_children[i])
        below = nodes[first : first + count] if count else []
        if count:
            node |= _test(tree, i, below)
        node["n"] = int(tree.n_node_samples[i])
        node["weight"] = float(tree.weighted_n_node_samples[i])
        node["impurity"] = float(tree.impurity[i])
        node["value"] = _value(tree, tree.value[i])
        if len(tree.estimate):
            node["estimate"] = _value(tree, tree.estimate[i])
        if tree.leaf_models is not None:
            node["model"] = model_doc(tree, i)
        if len(tree.lower):
            node |= {"lower": json_number(tree.lower[i]), "upper": json_number(tree.upper[i])}
        if count:
            node |= _children(tree, i, below)
        nodes[i] = node
    return _names(tree) | nodes[0]


def json_number(x: float, taken: tuple[Any, ...] = ()) -> float | int | str:
    """JSON has no infinity: it is written as the text "inf", which float() reads.

    `taken` are names that this text must not be mistaken for.
    """
    if isinstance(x, int) or math.isfinite(x):
        return x
    return next(text for text in INFINITIES[float(x)] if text not in taken)


def _names(tree: Tree) -> dict[str, Any]:
    """What only the root has."""
    names: dict[str, Any] = {"n_features": tree.n_features, "n_classes": tree.n_classes.tolist()}
    if tree.feature_names:
        names["feature_names"] = list(tree.feature_names)
    if tree.classes is not None:
        several = isinstance(tree.classes, tuple)
        names["classes"] = (
            [c.tolist() for c in tree.classes] if several else np.asarray(tree.classes).tolist()
        )
    if tree.column_types is not None:
        names["columns"] = [_column(column) for column in tree.column_types]
    if tree.costs is not None:
        names["costs"] = tree.costs.tolist()
    if len(tree.pooled):
        names["pooled"] = tree.pooled[0].item()
    return names


def _column(column: ColumnType) -> dict[str, Any]:
    levels = {"levels": [plain_level(level) for level in column.levels]} if column.levels else {}
    return {"kind": column.kind, **levels, **({"utc": True} if column.utc else {})}


def _test(tree: Tree, node: int, below: list[dict[str, Any]]) -> dict[str, Any]:
    test = tree.test(node)
    own = _has_own_child(tree, node, test)
    found = _test_doc(tree, test, len(below) - own)
    found["missing"] = _missing(tree, node, test, below)
    found["missing_seen"] = bool(tree.missing_seen[node])
    found["gain"] = float(tree.gain[node])
    if len(tree.share):
        first = int(tree.first_child[node])
        found["shares"] = tree.share[first : first + len(below)].tolist()
    if len(tree.soft_low) and not math.isnan(tree.soft_low[node]):
        found["soft"] = [float(getattr(tree, name)[node]) for name in SOFT]
    if len(tree.found_by) and tree.found_by[node]:
        found["found_by"] = FOUND_BY[tree.found_by[node]]
    if len(tree.heuristic) and tree.heuristic[node]:
        found["heuristic"] = True
    extra = tree.surrogates
    if extra is not None and len(extra.of(node)):
        found["surrogates"] = [_surrogate(tree, place) for place in extra.of(node)]
    return found


def _test_doc(tree: Tree, test: SplitTest, n_lists: int) -> dict[str, Any]:
    """The column and the test of a node or a surrogate."""
    feature = test.feature
    names: Any = tree.feature_names or range(tree.n_features)
    if test.terms:
        found: dict[str, Any] = {
            "feature": [[names[column], coefficient] for column, coefficient in test.terms]
        }
        return found | {"threshold": json_number(test.threshold)} | ({"strict": True} if test.strict else {})
    found = {"feature": names[feature]}
    column = tree.column_types[feature] if tree.column_types else ColumnType("number")
    if test.is_nominal:
        lists = test.levels[:n_lists]
        return found | {"levels": [[plain_level(column.levels[code]) for code in codes] for codes in lists]}
    found["threshold"] = _threshold(test.threshold, column)
    if test.strict:
        found["strict"] = True
    return found


def _threshold(threshold: float, column: ColumnType) -> Any:
    """Midway between two levels it is written as the name of the lower one."""
    if column.kind != "ordered":
        return json_number(threshold)
    level = threshold - 0.5
    if level in range(len(column.levels)) and isinstance(column.levels[int(level)], str):
        return plain_level(column.levels[int(level)])
    return json_number(threshold, column.levels)


def _has_own_child(tree: Tree, node: int, test: SplitTest) -> bool:
    """Whether the last child is for missing values alone."""
    last = int(tree.n_children[node]) - 1
    alone = not test.levels[last] if test.is_nominal else last == 2
    return bool(tree.missing_child[node] == last) and alone


def _missing(tree: Tree, node: int, test: SplitTest, below: list[dict[str, Any]]) -> Any:
    to = int(tree.missing_child[node])
    if to < 0:
        return ENDS[to]
    if _has_own_child(tree, node, test):
        return below[-1]
    return to if test.is_nominal else SIDES[to]


def _children(tree: Tree, node: int, below: list[dict[str, Any]]) -> dict[str, Any]:
    test = tree.test(node)
    if test.is_nominal:
        return {"children": below[: len(below) - _has_own_child(tree, node, test)]}
    return {"left": below[0], "right": below[1]}


def _surrogate(tree: Tree, place: int) -> dict[str, Any]:
    assert tree.surrogates is not None
    test = tree.surrogates.test(place)
    found = _test_doc(tree, test, 2)
    if test.reversed:
        found["reversed"] = True
    for name in ("agreement", "adjusted"):
        number = float(getattr(tree.surrogates, name)[place])
        if not math.isnan(number):
            found[name] = json_number(number)
    return found


def _value(tree: Tree, outcome: NDArray[np.float64]) -> Any:
    outputs = [outcome[k, :n].tolist() for k, n in enumerate(tree.n_classes)]
    if len(outputs) > 1:
        return outputs
    return outputs[0] if tree.n_classes[0] > 1 or tree.classes is not None else outputs[0][0]
