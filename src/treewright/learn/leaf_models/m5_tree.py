"""From the nodes of M5' to a tree: tests as others write them, and the smoothed models of the leaves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...data.common.array_types import Mask
from ...tree.leaf_models import IS_MISSING, NUMBER, LeafModels
from ...tree.tree import Tree
from ..problem import Problem
from .build import tests
from .grow import Node
from .m5 import M5Data, M5Node, Model, below
from .search import Found


def m5_tree(problem: Problem, data: M5Data, root: M5Node, smoothing: float) -> Tree:
    """The tree with the models of its nodes, smoothed along the path to each."""
    order = below(root)
    place = {id(node): k for k, node in enumerate(order)}
    nodes = [
        Node(node.rows, 0, None, _found(data, node), [place[id(c)] for c in node.children]) for node in order
    ]
    above = {id(child): node for node in order for child in node.children}
    models = [node.model if node.children else _smoothed(node, above, smoothing) for node in order]
    mass = np.array([float(len(node.rows)) for node in order])
    loss = mass * np.array(
        [node.error**2 if node.children else data.error(node.rows, node.model) ** 2 for node in order]
    )
    return Tree(
        **tests(problem, nodes, [False] * len(nodes), loss),
        impurity=loss / mass,
        weighted_n_node_samples=mass,
        value=np.array([[[float(data.y[node.rows].mean())]] for node in order]),
        leaf_models=_leaf_models(data, models),
    )


def _smoothed(leaf: M5Node, above: dict[int, M5Node], k: float) -> Model:
    """The model of a leaf, mixed on the way up with that of each node above it."""
    found, node = leaf.model, leaf
    while id(node) in above:
        parent = above[id(node)]
        found, node = _mixed(found, parent.model, len(node.rows), k), parent
    return found


def _mixed(own: Model, above: Model, n: int, k: float) -> Model:
    """(n own + k above) / (n + k)."""
    names = sorted({*own.coefficients, *above.coefficients})
    mix: Callable[[float, float], float] = lambda p, q: (n * p + k * q) / (n + k)  # noqa: E731
    sizes = {j: mix(own.coefficients.get(j, 0.0), above.coefficients.get(j, 0.0)) for j in names}
    return Model(mix(own.intercept, above.intercept), sizes)


def _found(data: M5Data, node: M5Node) -> Found | None:
    """The split of a node as others write it; a missing value goes where the usual one does."""
    if node.cut is None or not node.children:
        return None
    attribute, cut = data.attributes[node.cut[0]], node.cut[1]
    left: Mask = data.X[node.rows, node.cut[0]] <= cut
    if attribute.levels is None:
        return Found(attribute.feature, cut, None, attribute.usual <= cut, left, 0.0)
    return Found(
        attribute.feature, np.nan, attribute.levels, attribute.usual in attribute.levels[0], left, 0.0
    )


def _leaf_models(data: M5Data, models: list[Model]) -> LeafModels:
    begin, found, constant = [0], [], []
    for model in models:
        levels: dict[int, dict[int, float]] = {}
        start = model.intercept
        for j, size in model.coefficients.items():
            attribute = data.attributes[j]
            if attribute.levels is None:
                start += size * attribute.usual
                found.append((attribute.feature, NUMBER, attribute.usual, size))
                continue
            own = levels.setdefault(attribute.feature, {})
            for level in attribute.levels[1].tolist():
                own[level] = own.get(level, 0.0) + size
            if attribute.usual in attribute.levels[1]:
                own[IS_MISSING] = own.get(IS_MISSING, 0.0) + size
        found += [(f, level, 0.0, size) for f, own in levels.items() for level, size in sorted(own.items())]
        begin.append(len(found))
        constant.append(start)
    arrays = [np.array([each[k] for each in found]) for k in range(4)]
    return LeafModels(
        np.array(begin), arrays[0], arrays[1], arrays[2], arrays[3][:, None], np.array(constant)[:, None]
    )
