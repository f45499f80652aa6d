"""From the nodes of M5' to a tree: tests as others write them, and the smoothed models of the leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...tree.leaf_models import IS_MISSING, NUMBER, LeafModels
from ...tree.tree import Tree
from ..grow import as_tree
from ..problem import Problem
from .m5 import M5Data, M5Node, Model
from .ridge import kept


def m5_tree(
    problem: Problem, data: M5Data, grown: dict[str, Any], nodes: list[M5Node], smoothing: float
) -> Tree:
    """The tree with the models of its nodes, smoothed along the path to each, and pruned."""
    parent = {child: number for number, node in enumerate(nodes) for child in node.children}
    mass = np.array([float(len(node.rows)) for node in nodes])
    inner = [bool(node.children) and not node.is_cut for node in nodes]
    errors = [
        node.error if below else data.error(node.rows, node.model)
        for node, below in zip(nodes, inner, strict=True)
    ]
    loss = mass * np.square(errors)
    gain = [max(loss[k] - sum(loss[child] for child in node.children), 0.0) for k, node in enumerate(nodes)]
    arrays = grown | _tests(data, nodes)
    arrays |= {
        "impurity": loss / mass,
        "gain": np.where([bool(node.children) for node in nodes], gain, 0.0),
        "missing_seen": np.array([bool(node.children) for node in nodes]),
    }
    names = None if problem.names is None else tuple(map(str, problem.names))
    tree = as_tree(arrays, problem.columns, problem.target, names, problem.types)
    cut = np.array([node.is_cut for node in nodes])
    stays = kept(tree, cut)
    models = [nodes[k].model if inner[k] else _smoothed(int(k), nodes, parent, smoothing) for k in stays]
    return replace(tree.collapse(cut & ~tree.is_leaf), leaf_models=_leaf_models(data, models))


def _smoothed(leaf: int, nodes: list[M5Node], parent: dict[int, int], k: float) -> Model:
    """The model of a leaf, mixed on the way up with that of each node above it."""
    found, number = nodes[leaf].model, leaf
    while k and number in parent:
        above = parent[number]
        found, number = _mixed(found, nodes[above].model, len(nodes[number].rows), k), above
    return found


def _mixed(own: Model, above: Model, n: int, k: float) -> Model:
    """(n own + k above) / (n + k)."""
    names = sorted({*own.coefficients, *above.coefficients})
    mix: Callable[[float, float], float] = lambda p, q: (n * p + k * q) / (n + k)  # noqa: E731
    sizes = {j: mix(own.coefficients.get(j, 0.0), above.coefficients.get(j, 0.0)) for j in names}
    return Model(mix(own.intercept, above.intercept), sizes)


def _tests(data: M5Data, nodes: list[M5Node]) -> dict[str, Any]:
    """The splits as others write them; a missing value goes where the usual one does."""
    feature, threshold, missing, begin = [], [], [], [0]
    codes: list[int] = []
    children: list[int] = []
    for node in nodes:
        if node.cut is None:
            feature.append(-1)
            threshold.append(np.nan)
            missing.append(0)
        else:
            attribute, cut = data.attributes[node.cut[0]], node.cut[1]
            feature.append(attribute.feature)
            threshold.append(cut if attribute.levels is None else np.nan)
            low, high = attribute.levels or ((), ())
            right = attribute.usual > cut if attribute.levels is None else attribute.usual in high
            missing.append(int(right))
            listed = sorted([(int(level), 0) for level in low] + [(int(level), 1) for level in high])
            codes += [level for level, _ in listed]
            children += [side for _, side in listed]
        begin.append(len(codes))
    return {
        "feature": np.array(feature),
        "threshold": np.array(threshold),
        "missing_child": np.array(missing),
        "level_begin": np.array(begin if codes else []),
        "level_code": np.array(codes),
        "level_child": np.array(children),
    }


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
