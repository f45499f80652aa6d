"""Small models of every kind for `fuzz_files`, and a checker of files that knows nothing of the reader."""

import json
import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from treewright import (
    BoostedTreeClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeRegressor,
    RuleModelRegressor,
    RuleSetClassifier,
)
from treewright.evaluate.decision import with_decision
from treewright.tree.tree import tree_from_dict

HOSTILE = [
    "<script>alert(1)</script>",
    "=1+1",
    'a "quoted" name',
    "line\nbreak",
    "\U0001f333 tree",
    "\u202eright",
]


def table(rows: int = 60, seed: int = 0) -> tuple[Any, Any]:
    """A frame with missing values, hostile names and levels, an order, booleans and times; and y."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    x = rng.normal(size=rows)
    frame = pd.DataFrame(
        {
            HOSTILE[0]: np.where(rng.random(rows) < 0.2, np.nan, x),
            HOSTILE[1]: pd.Categorical(rng.choice(HOSTILE, rows), categories=HOSTILE),
            HOSTILE[3]: pd.Categorical(
                rng.choice(["low", "mid", "high"], rows), ["low", "mid", "high"], ordered=True
            ),
            HOSTILE[4]: rng.random(rows) < 0.5,
            HOSTILE[5]: np.datetime64("2020-01-01T00:00:00", "us")
            + rng.integers(0, 10**12, rows).astype("m8[us]"),
            "whole": 2**60 + rng.integers(0, 40, rows),
        }
    )
    return frame, x + rng.normal(size=rows) / 2 + (frame[HOSTILE[1]] == HOSTILE[0])


def models() -> Iterator[tuple[str, Any, Any]]:
    """Name, fitted model, and rows to predict."""
    frame, y = table()
    labels = np.where(y > 0.5, "yes", np.where(y > 0, "maybe", "no"))
    two = np.column_stack([labels, np.where(y > 0, "b", "a")])
    small: dict[str, Any] = {"max_depth": 4, "random_state": 0}
    ways = {
        "classes": DecisionTreeClassifier(**small),
        "branch": DecisionTreeClassifier(missing="branch", nominal_splits="multiway", **small),
        "surrogates": DecisionTreeClassifier(missing="surrogate", **small),
        "shares": DecisionTreeClassifier(missing="fractional", smoothing="laplace", max_depth=4),
        "costs": DecisionTreeClassifier(
            costs=[[0, 1, 2], [3, 0, 1], [5, 1, 0]], level_correction=True, **small
        ),
    }
    for name, model in ways.items():
        yield name, model.fit(frame, labels), frame
    yield "boosted", BoostedTreeClassifier(n_estimators=4).fit(frame, labels), frame
    yield "rules", RuleSetClassifier().fit(frame, labels), frame
    yield "boosted rules", BoostedTreeClassifier(RuleSetClassifier(), 4).fit(frame, labels), frame
    yield "rule model", RuleModelRegressor(committees=2).fit(frame, y), frame
    rules = {"soft_thresholds": True}
    soft = DecisionTreeClassifier(missing="fractional", max_depth=4, growth_rules=rules)
    yield "soft", soft.fit(frame, labels), frame
    yield "outputs", DecisionTreeClassifier(**small).fit(frame, two), frame
    yield "numbers", DecisionTreeRegressor(smoothing="m_estimate", **small).fit(frame, y), frame
    yield "random", ExtraTreeRegressor(**small).fit(frame, np.column_stack([y, -y])), frame
    monotone = DecisionTreeClassifier(monotonic_cst=[1, 0], max_depth=3, class_weight={False: 1, True: 2.5})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = np.column_stack([y, np.arange(len(y))])
        yield "decision", with_decision(monotone.fit(plain, y > 0), threshold=0.4, positive=True), plain
    hand = {
        "feature": 0,
        "threshold": "inf",
        "missing": "stop",
        "left": {"value": 1.5},
        "right": {"value": -0.0},
    }
    yield "by hand", DecisionTreeRegressor.from_tree(tree_from_dict(hand)), np.zeros((3, 1))


def unsound(data: bytes) -> str | None:
    """What is wrong with a file that was loaded: links, names, tests, shares or counts."""
    doc = json.loads(data)
    tree, columns, classes = doc["tree"], doc["schema"]["columns"], doc["schema"]["classes"]
    first, below = tree["first_child"], tree["n_children"]
    n = len(first)
    seen, open_ = set(), [0]
    while open_:
        node = open_.pop()
        if node in seen or not 0 <= node < n:
            return f"node {node} is met twice or is none"
        seen.add(node)
        if below[node] and first[node] <= node:
            return f"the children of {node} come before it"
        open_ += range(first[node], first[node] + below[node]) if below[node] else []
    if len(seen) != n:
        return "there are orphans"
    names = [column["name"] for column in columns if "name" in column]
    if len(set(names)) != len(names) or len(names) not in (0, len(columns)):
        return "names of columns are not unique"
    for labels in classes or []:
        if len({(isinstance(label, bool), label) for label in labels["labels"]}) != len(labels["labels"]):
            return "classes are not unique"
    if (classes is None) == (doc["kind"] == "classification"):
        return "classes do not suit the kind"
    return _of_tests(tree, columns) or _of_outcomes(tree, classes) or _of_counts(tree)


def _of_tests(tree: dict[str, Any], columns: list[Any]) -> str | None:
    begin, codes = tree.get("level_begin"), tree.get("level_code", [])
    for node, feature in enumerate(tree["feature"]):
        if tree["n_children"][node]:
            if not 0 <= feature < len(columns):
                return f"node {node} tests column {feature}"
            listed = codes[begin[node] : begin[node + 1]] if begin else []
            column = columns[feature]
            if (column["kind"] == "nominal") != bool(listed) or listed != sorted(set(listed)):
                return f"node {node} lists levels that do not suit its column"
            if listed and not 0 <= listed[0] <= listed[-1] < len(column["levels"]):
                return f"node {node} lists levels that there are not"
            if not -2 <= tree["missing_child"][node] < tree["n_children"][node]:
                return f"node {node} has no such child for missing values"
    return None


def _of_outcomes(tree: dict[str, Any], classes: Any) -> str | None:
    widths = tree["n_classes"]
    if classes is not None and widths != [len(labels["labels"]) for labels in classes]:
        return "n_classes is not the number of classes"
    width = max(widths)
    for name in ("value", "estimate"):
        numbers = tree.get(name, [])
        if not all(isinstance(x, int | float) and math.isfinite(x) for x in numbers):
            return f"{name} is not finite"
        for start in range(0, len(numbers) if classes else 0, width):
            row = numbers[start : start + width]
            size = widths[start // width % len(widths)]
            if min(row) < 0 or any(row[size:]) or abs(math.fsum(row) - 1) > 1e-4:
                return f"{name} has numbers that are no shares"
    return None


def _of_counts(tree: dict[str, Any]) -> str | None:
    for name in ("n_node_samples", "weighted_n_node_samples"):
        counts = tree[name]
        if not all(isinstance(x, int | float) and 0 <= x < math.inf for x in counts):
            return f"{name} is not finite and positive"
        for node, size in enumerate(tree["n_children"]):
            if not size or tree["missing_child"][node] == -2:
                continue
            total = math.fsum(counts[tree["first_child"][node] : tree["first_child"][node] + size])
            gap = total - counts[node]
            slack = 1e-5 * counts[node] if name.startswith("w") else 0
            if gap > slack or (gap < -slack and tree["missing_child"][node] != -1):
                return f"{name} of node {node} does not add up"
    return None
