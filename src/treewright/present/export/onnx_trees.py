"""The nodes of ai.onnx.ml TreeEnsemble (opset 5) for the tests of a tree.

A node there has two branches, one condition and a side for NaN. A test with more branches, or with a branch
of its own for missing values, becomes a chain of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...tree.split_test import SplitTest
from .c_row import whole_cut
from .form import Form
from .tables import is_strict

LEQ, LT, MEMBER = 0, 1, 6
Target = tuple[str, int]  # "node" or "leaf", and its number; or a node of the tree that is still to be added


@dataclass
class Ensemble:
    """The attributes of a TreeEnsemble while it is built: nodes, and leaves with a weight."""

    feature: list[int] = field(default_factory=list)
    mode: list[int] = field(default_factory=list)
    split: list[float] = field(default_factory=list)
    members: list[float] = field(default_factory=list)
    nan_true: list[int] = field(default_factory=list)
    true: list[Target] = field(default_factory=list)
    false: list[Target] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    roots: list[int] = field(default_factory=list)

    def add(self, feature: int, mode: int, split: float, nan_true: bool = False) -> int:
        """A node whose branches are set later."""
        self.feature.append(feature)
        self.mode.append(mode)
        self.split.append(split)
        self.nan_true.append(int(nan_true))
        self.true.append(("leaf", 0))
        self.false.append(("leaf", 0))
        return len(self.feature) - 1

    def leaf(self, weight: float) -> Target:
        """A leaf."""
        self.weight.append(weight)
        return "leaf", len(self.weight) - 1

    def attributes(self, dtype: Any) -> dict[str, Any]:
        """The attributes of the operator, whose numbers are of this type."""
        from onnx import numpy_helper

        # Runtimes read the members node by node in the order of nodes, each list ended by NaN.
        found: dict[str, Any] = {
            "tree_roots": self.roots,
            "nodes_featureids": self.feature,
            "nodes_splits": numpy_helper.from_array(np.array(self.split, dtype=dtype)),
            "nodes_modes": numpy_helper.from_array(np.array(self.mode, dtype=np.uint8)),
            "nodes_missing_value_tracks_true": self.nan_true,
            "nodes_truenodeids": [number for _, number in self.true],
            "nodes_trueleafs": [int(kind == "leaf") for kind, _ in self.true],
            "nodes_falsenodeids": [number for _, number in self.false],
            "nodes_falseleafs": [int(kind == "leaf") for kind, _ in self.false],
            "leaf_targetids": [0] * len(self.weight),
            "leaf_weights": numpy_helper.from_array(np.array(self.weight, dtype=dtype)),
            "n_targets": 1,
            "aggregate_function": 1,
            "post_transform": 0,
        }
        if MEMBER in self.mode:
            found["membership_values"] = numpy_helper.from_array(np.array(self.members, dtype=dtype))
        return found


@dataclass(frozen=True)
class Features:
    """What the tests compare: columns, sums of columns, and the outcomes of tests with surrogates."""

    form: Form
    cuts: dict[int, list[int]]  # of columns of whole numbers: their thresholds, in order
    choices: dict[int, int]  # node with surrogates: its feature
    float32: bool

    def threshold(self, test: SplitTest) -> tuple[int, float]:
        """The mode and the number of a test: of whole numbers the place of the threshold among all."""
        if test.feature in self.cuts:
            whole, below = whole_cut(test, natural=False)
            return LEQ, float(self.cuts[test.feature].index(whole - below))
        cut, strict = float(test.threshold), is_strict(test)
        if self.float32:
            return (LT if strict else LEQ), _as_float32(cut, up=strict)
        return (LT if strict else LEQ), cut


def _as_float32(cut: float, up: bool) -> float:
    """The float32 number next to a threshold that keeps every float32 number on its side."""
    with np.errstate(over="ignore"):
        near = np.float32(cut)
    if up and float(near) < cut:
        near = np.nextafter(near, np.float32(np.inf))
    if not up and float(near) > cut:
        near = np.nextafter(near, np.float32(-np.inf))
    return float(near)


def chain(
    trees: Ensemble, features: Features, test: SplitTest, missing: int
) -> tuple[int, dict[Any, list[Any]]]:
    """Add the nodes of one test; return the first, and which branches wait for each child or "missing"."""
    open_: dict[Any, list[Any]] = {}

    def leads(node: int, side: str, to: Any) -> None:
        open_.setdefault(to, []).append((node, side))

    if test.is_nominal:
        column = features.form.columns[test.feature]
        known: Sequence[float] = (
            range(len(column.levels)) if column.is_text else [float(x) for x in column.numbers]
        )
        groups = [(child, codes) for child, codes in enumerate(test.levels) if codes and child != missing]
        first = before = -1
        for child, codes in groups:
            node = trees.add(test.feature, MEMBER, 0.0)
            trees.members += [*(float(known[code]) for code in codes), math.nan]
            first = node if first < 0 else first
            if before >= 0:
                trees.false[before] = ("node", node)
            leads(node, "true", child)
            before = node
        leads(before, "false", missing if missing >= 0 else "missing")
        return first, open_
    mode, split = features.threshold(test)
    if missing in (0, 1):
        node = trees.add(test.feature, mode, split, nan_true=missing == 0)
        leads(node, "true", 0)
        leads(node, "false", 1)
        return node, open_
    there = trees.add(test.feature, LEQ, math.inf)
    node = trees.add(test.feature, mode, split)
    trees.true[there] = ("node", node)
    leads(there, "false", missing if missing >= 0 else "missing")
    leads(node, "true", 0)
    leads(node, "false", 1)
    return there, open_


def put(trees: Ensemble, where: Sequence[tuple[int, str]], target: Target) -> None:
    """Let branches lead to a target."""
    for node, side in where:
        (trees.true if side == "true" else trees.false)[node] = target


def walk_ensemble(form: Form, features: Features, places: dict[int, int]) -> Ensemble:
    """One tree whose leaves have the place of an end among all ends."""
    trees = Ensemble()
    trees.roots.append(0)
    if form.tests[0] is None:
        node = trees.add(0, LEQ, 0.0)
        put(trees, [(node, "true"), (node, "false")], trees.leaf(float(places[0])))
        return trees
    waiting: list[tuple[int, list[Any]]] = [(0, [])]
    while waiting:
        node, where = waiting.pop()
        test, missing = form.tests[node], form.missing[node]
        if test is None:
            put(trees, where, trees.leaf(float(places[node])))
            continue
        if node in features.choices:
            first, open_ = _by_choice(trees, features.choices[node], missing)
        else:
            first, open_ = chain(trees, features, test, missing)
        put(trees, where, ("node", first))
        for to, branches in open_.items():
            if to == "missing":
                put(trees, branches, trees.leaf(float(places[node])))
            else:
                waiting.append((form.first_child[node] + to, branches))
    return trees


def _by_choice(trees: Ensemble, feature: int, missing: int) -> tuple[int, dict[Any, list[Any]]]:
    """A node whose test and surrogates were evaluated before: 0, 1, or 2 where none of them decides."""
    node = trees.add(feature, LEQ, 0.5)
    if missing >= 0:
        return node, {0: [(node, "true")], 1: [(node, "false")]}
    other = trees.add(feature, LEQ, 1.5)
    trees.false[node] = ("node", other)
    return node, {0: [(node, "true")], 1: [(other, "true")], "missing": [(other, "false")]}


def choice_ensemble(form: Form, features: Features, node: int) -> Ensemble:
    """For a node with surrogates a small tree: which child they choose, 2 where none decides."""
    trees = Ensemble()
    test = form.tests[node]
    assert test is not None
    where: list[Any] = []
    for place, each in enumerate((test, *form.surrogates[node])):
        first, open_ = chain(trees, features, each, missing=-1)
        if place:
            put(trees, where, ("node", first))
        else:
            trees.roots.append(first)
        for child in (0, 1):
            to = 1 - child if each.reversed else child
            for branch in open_.get(child, []):
                put(trees, [branch], trees.leaf(float(to)))
        where = open_["missing"]
    missing = form.missing[node]
    put(trees, where, trees.leaf(float(missing if missing >= 0 else 2)))
    return trees
