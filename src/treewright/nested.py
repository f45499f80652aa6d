"""A tree as nested dictionaries and back: to look at, to keep as JSON, and to write by hand."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .tree import UNDEFINED, Tree

Array = NDArray[Any]
SIDES = ("left", "right")
INNER_KEYS = ("feature", "threshold", *SIDES)
NODE_KEYS = {
    *INNER_KEYS,
    "missing",
    "missing_seen",
    "value",
    "n",
    "weight",
    "impurity",
    "gain",
    "lower",
    "upper",
}
ROOT_KEYS = {"n_features", "feature_names", "n_classes", "classes"}
WHOLE_FROM = 2**52  # from here on whole numbers are compared as integers, as the core does


def to_nested(tree: Tree) -> dict[str, Any]:
    """See `Tree.to_dict`. Children come after their parent, so counting down meets them first."""
    tree.must_be_binary("to_dict")
    nodes: list[dict[str, Any]] = [{}] * tree.node_count
    for i in range(tree.node_count - 1, -1, -1):
        node: dict[str, Any] = {}
        if tree.n_children[i]:
            feature = int(tree.feature[i])
            node["feature"] = tree.feature_names[feature] if tree.feature_names else feature
            node["threshold"] = _json_number(tree.exact_threshold(i))
            node["missing"] = SIDES[tree.missing_child[i]]
            node["missing_seen"] = bool(tree.missing_seen[i])
            node["gain"] = float(tree.gain[i])
        node["n"] = int(tree.n_node_samples[i])
        node["weight"] = float(tree.weighted_n_node_samples[i])
        node["impurity"] = float(tree.impurity[i])
        node["value"] = _value_out(tree, i)
        if len(tree.lower):
            node |= {"lower": _json_number(tree.lower[i]), "upper": _json_number(tree.upper[i])}
        if tree.n_children[i]:
            first = int(tree.first_child[i])
            node |= {"left": nodes[first], "right": nodes[first + 1]}
        nodes[i] = node
    names: dict[str, Any] = {"n_features": tree.n_features, "n_classes": tree.n_classes.tolist()}
    if tree.feature_names:
        names["feature_names"] = list(tree.feature_names)
    if tree.classes is not None:
        several = isinstance(tree.classes, tuple)
        names["classes"] = (
            [c.tolist() for c in tree.classes] if several else np.asarray(tree.classes).tolist()
        )
    return names | nodes[0]


def _value_out(tree: Tree, node: int) -> Any:
    outputs = [tree.value[node, k, :n].tolist() for k, n in enumerate(tree.n_classes)]
    if len(outputs) > 1:
        return outputs
    return outputs[0] if tree.n_classes[0] > 1 or tree.classes is not None else outputs[0][0]


def _json_number(x: float) -> float | int | str:
    """JSON has no infinity: it is written as the text "inf", which float() reads."""
    return x if isinstance(x, int) or math.isfinite(x) else str(float(x))


def from_nested(
    nested: Mapping[str, Any], *, feature_names: Any, n_features: int | None, classes: Any
) -> Tree:
    """See `tree_from_dict`."""
    found = _breadth_first(nested)
    root = found[0].node
    names = feature_names if feature_names is not None else root.get("feature_names")
    names = None if names is None else tuple(str(name) for name in names)
    places = None if names is None else {name: place for place, name in enumerate(names)}
    columns = [_feature(reader, places) for reader in found]
    n_features = n_features or root.get("n_features") or (len(names) if names else max(1, max(columns) + 1))
    if names is not None and len(names) != n_features:
        raise ValueError(f"feature_names must have {n_features} names, one per column. Got {len(names)}.")
    too_far = [reader for reader, column in zip(found, columns, strict=True) if column >= n_features]
    if too_far:
        too_far[0].refuse(f'"feature" must be below the number of columns, {n_features}', "feature")
    rows, weight = _rows_and_weight(found)
    value = _values(found, weight)
    n_classes = np.asarray(root.get("n_classes", [value.shape[2]] * value.shape[1]), dtype=np.int64)
    arrays = _arrays(found, columns, rows, weight)
    given = classes if classes is not None else root.get("classes")
    labels = _labels(given, len(n_classes))
    return Tree(
        **arrays, value=value, n_features=n_features, n_classes=n_classes, feature_names=names, classes=labels
    )


@dataclass
class _Reader:
    """One dictionary, the way to it, and the sentences that refuse it."""

    node: Mapping[str, Any]
    path: str
    children: list[int] = field(default_factory=list)

    def refuse(self, must: str, key: str | None = None) -> None:
        got = self.node.get(key) if key else self.node
        raise ValueError(f"{must}. Got {_short(got)} at {self.path}.")

    def number(self, key: str, otherwise: float) -> float:
        got = self.node.get(key, otherwise)
        if isinstance(got, bool) or not isinstance(got, int | float | str | np.number):
            self.refuse(f'"{key}" must be a number', key)
        try:
            return float(got)
        except (ValueError, OverflowError):
            self.refuse(f'"{key}" must be a number', key)
            raise


def _breadth_first(nested: Any) -> list[_Reader]:
    """All nodes in the order of their numbers. An inner dictionary met twice might be a circle: refused."""
    found = [_Reader(nested, "root")]
    waiting, seen = deque(found), set()
    while waiting:
        reader = waiting.popleft()
        _check_keys(reader, NODE_KEYS | ROOT_KEYS if reader.path == "root" else NODE_KEYS)
        if "feature" not in reader.node:
            continue
        if id(reader.node) in seen:
            reader.refuse("Every inner node must be a dictionary of its own; copy it where it is used again")
        seen.add(id(reader.node))
        for side in SIDES:
            reader.children.append(len(found))
            found.append(_Reader(reader.node[side], _step(reader.path, side)))
            waiting.append(found[-1])
    return found


def _check_keys(reader: _Reader, known: set[str]) -> None:
    node = reader.node
    if not isinstance(node, Mapping):
        raise ValueError(f"A node must be a dictionary. Got {_short(node)} at {reader.path}.")
    unknown = [key for key in node if key not in known]
    if unknown:
        raise ValueError(f"A node must use the keys {sorted(known)}. Got {unknown} at {reader.path}.")
    lacking = [key for key in INNER_KEYS if key not in node]
    if len(lacking) == len(INNER_KEYS):
        if "value" not in node:
            reader.refuse(
                'A leaf must have a "value", and an inner node "feature", "threshold", "left", "right"'
            )
    elif lacking:
        raise ValueError(
            f"An inner node must have {list(INNER_KEYS)}. {lacking} is lacking at {reader.path}."
        )
    elif node.get("missing", "left") not in SIDES:
        reader.refuse('"missing" must be "left" or "right"', "missing")


def _feature(reader: _Reader, places: dict[str, int] | None) -> int:
    got = reader.node.get("feature", UNDEFINED)
    if isinstance(got, str):
        if places is None:
            reader.refuse('"feature" must be a number unless feature_names are given', "feature")
        elif got not in places:
            reader.refuse(f'"feature" must be one of {_short(list(places))}', "feature")
        else:
            return places[got]
    if isinstance(got, bool) or not isinstance(got, int | np.integer) or (reader.children and got < 0):
        reader.refuse('"feature" must be the number of a column, from 0, or its name', "feature")
    return int(got)


def _rows_and_weight(found: list[_Reader]) -> tuple[Array, Array]:
    """As given; an inner node that gives none has those of its children, a leaf weighs its rows."""
    rows, weight = np.zeros(len(found), dtype=np.int64), np.zeros(len(found))
    for i in range(len(found) - 1, -1, -1):
        reader, below = found[i], found[i].children
        rows[i] = reader.number("n", rows[below].sum())
        weight[i] = reader.number("weight", weight[below].sum() if below else rows[i])
    return rows, weight


def _values(found: list[_Reader], weight: Array) -> Array:
    """The values as (nodes, outputs, classes); an inner node without one has the mean of its children's."""
    shapes: dict[int, list[Array]] = {}
    for i, reader in enumerate(found):
        if "value" in reader.node:
            shapes[i] = _value_in(reader)
    wanted = [len(output) for output in shapes[next(iter(shapes))]]
    for i, outputs in shapes.items():
        if [len(output) for output in outputs] != wanted:
            found[i].refuse(
                f'Every "value" must have the same shape, here {wanted} numbers per output', "value"
            )
    value = np.zeros((len(found), len(wanted), max(wanted)))
    for i in range(len(found) - 1, -1, -1):
        if i in shapes:
            for k, output in enumerate(shapes[i]):
                value[i, k, : len(output)] = output
        else:
            below = found[i].children
            value[i] = np.average(
                value[below], axis=0, weights=weight[below] if weight[below].any() else None
            )
    return value


def _value_in(reader: _Reader) -> list[Array]:
    got = reader.node["value"]
    several = isinstance(got, Sequence | np.ndarray) and len(got) > 0 and np.ndim(got[0]) == 1
    try:
        outputs = [np.atleast_1d(np.asarray(part, dtype=float)) for part in (got if several else [got])]
    except (TypeError, ValueError):
        outputs = []
    if not outputs or any(part.ndim != 1 or not part.size or np.isnan(part).any() for part in outputs):
        reader.refuse('"value" must be a number, a list of shares, or a list of such lists', "value")
    return outputs


def _arrays(found: list[_Reader], columns: list[int], rows: Array, weight: Array) -> dict[str, Any]:
    """The arrays of the tree. A gain that is not given is the loss of weight times impurity."""
    impurity = np.array([reader.number("impurity", 0) for reader in found])
    mass, gain = weight * impurity, np.zeros(len(found))
    for i, reader in enumerate(found):
        if reader.children:
            gain[i] = reader.number("gain", mass[i] - mass[reader.children].sum())
    exact, whole = _whole_thresholds(found)
    bounded = any("lower" in reader.node or "upper" in reader.node for reader in found)
    return {
        "first_child": [reader.children[0] if reader.children else -1 for reader in found],
        "n_children": [len(reader.children) for reader in found],
        "feature": columns,
        "threshold": [_threshold(reader) if reader.children else UNDEFINED for reader in found],
        "integer_threshold": whole if any(exact) else [],
        "integer_exact": exact if any(exact) else [],
        "missing_child": [_missing_child(reader, rows) for reader in found],
        "missing_seen": [bool(reader.node.get("missing_seen", False)) for reader in found],
        "n_node_samples": rows,
        "weighted_n_node_samples": weight,
        "impurity": impurity,
        "gain": gain,
        "lower": [reader.number("lower", -math.inf) for reader in found] if bounded else [],
        "upper": [reader.number("upper", math.inf) for reader in found] if bounded else [],
    }


def _missing_child(reader: _Reader, rows: Array) -> int:
    """The side that the node names, else the one with more rows, the right if equal."""
    if not reader.children:
        return 0
    left, right = reader.children
    return SIDES.index(reader.node.get("missing", "left" if rows[left] > rows[right] else "right"))


def _threshold(reader: _Reader) -> float:
    threshold = reader.number("threshold", math.nan)
    if math.isnan(threshold):
        reader.refuse('"threshold" must be a number', "threshold")
    return threshold


def _whole_thresholds(found: list[_Reader]) -> tuple[list[int], list[int]]:
    """Which thresholds are whole numbers that float64 may merge with a neighbour, and their 64 bits."""
    exact, whole = [0] * len(found), [0] * len(found)
    for i, reader in enumerate(found):
        got = reader.node.get("threshold")
        if reader.children and isinstance(got, int) and abs(got) >= WHOLE_FROM:
            if not -(2**63) <= got < 2**64:
                reader.refuse('"threshold" must be a float or fit in 64 bits', "threshold")
            exact[i], whole[i] = 1, got - 2**64 if got >= 2**63 else got
    return exact, whole


def _labels(given: Any, n_outputs: int) -> Any:
    if given is None:
        return None
    return np.asarray(given) if n_outputs == 1 else tuple(np.asarray(labels) for labels in given)


def _step(path: str, side: str) -> str:
    """One step further down; the way to a deep node is shortened to its end."""
    return f"{path}.{side}" if len(path) < 200 else f"...{path[-100:]}.{side}"


def _short(got: Any) -> str:
    text = repr(dict.fromkeys(got, ...)) if isinstance(got, Mapping) else repr(got)
    return text if len(text) <= 80 else text[:77] + "..."
