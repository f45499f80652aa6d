"""From grown nodes and their coefficients to a tree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from ...tree.leaf_models import IS_MISSING, NUMBER, LeafModels
from ...tree.tree import UNDEFINED, Tree
from ..problem import Problem
from .grow import Node, breadth_first
from .prepare import Prepared
from .ridge import squared_error


class Fitted(NamedTuple):
    """The nodes, those that become leaves, and the coefficients of standardised terms and targets."""

    nodes: list[Node]
    cut: set[int]
    coefficients: Floats  # (nodes, 1 + terms, scores)
    mean: Floats  # of the targets
    scale: Floats
    grams: Floats  # per node: of the design and the standardised targets


def as_tree(problem: Problem, prepared: Prepared, fitted: Fitted, y: Floats) -> Tree:
    """The tree of the nodes that stay, with a model for each."""
    order = breadth_first(fitted.nodes, fitted.cut)
    kept = [fitted.nodes[number] for number in order]
    grams, m = fitted.grams[order], len(fitted.scale)
    mass = grams[:, 0, 0]  # the first column of the design is 1
    value = fitted.mean + fitted.scale * grams[:, 0, -m:] / mass[:, None]
    unit = float(np.mean(fitted.scale**2)) / m
    loss = np.maximum(squared_error(grams, fitted.coefficients[order]), 0) * unit
    return Tree(
        **tests(problem, kept, [number in fitted.cut for number in order], loss),
        impurity=loss / mass,
        weighted_n_node_samples=mass,
        value=value[:, :, None],
        leaf_models=_models(prepared, fitted, order, y),
    )


def tests(problem: Problem, kept: list[Node], cut: list[bool], loss: Floats) -> dict[str, Any]:
    """All of a tree but what its nodes predict."""
    count = len(kept)
    inner = [bool(node.children) and not gone for node, gone in zip(kept, cut, strict=True)]
    n_children = np.where(inner, 2, 0)
    first = np.where(inner, 1 + np.cumsum(n_children) - n_children, -1)
    feature, threshold = np.full(count, UNDEFINED), np.full(count, float(UNDEFINED))
    missing_child, missing_seen, gain = np.zeros(count, int), np.zeros(count, int), np.zeros(count)
    begin, codes, children = [0], [], []
    for i, node in enumerate(kept):
        if inner[i]:
            split = node.split
            assert split is not None
            feature[i], threshold[i] = split.feature, split.threshold
            below = kept[first[i]], kept[first[i] + 1]
            more = int(len(below[1].rows) >= len(below[0].rows))
            missing_child[i] = more if split.missing_left is None else int(not split.missing_left)
            missing_seen[i] = split.missing_left is not None
            gain[i] = max(loss[i] - loss[first[i]] - loss[first[i] + 1], 0.0)
            listed = [(int(level), side) for side in (0, 1) for level in (split.levels or ((), ()))[side]]
            for level, side in sorted(listed):
                codes.append(level)
                children.append(side)
        begin.append(len(codes))
    types, names, n_features = problem.types, problem.names, problem.columns.n_columns
    return {
        "first_child": first,
        "n_children": n_children,
        "feature": feature,
        "threshold": threshold,
        "integer_threshold": (),
        "integer_exact": (),
        "missing_child": missing_child,
        "missing_seen": missing_seen,
        "n_node_samples": np.array([len(node.rows) for node in kept]),
        "gain": gain,
        "lower": (),
        "upper": (),
        "level_begin": begin if codes else (),
        "level_code": codes,
        "level_child": children,
        "heuristic": n_children > 0,
        "n_features": n_features,
        "n_classes": np.array(problem.target.n_classes),
        "feature_names": None if names is None else tuple(map(str, names)),
        "classes": problem.target.labels,
        "column_types": types,
        "costs": problem.target.costs,
    }


def _models(prepared: Prepared, fitted: Fitted, order: list[int], y: Floats) -> LeafModels:
    """Coefficients of the columns as they are, with the range of the target in each node."""
    margin, scores = prepared.options.margin, fitted.coefficients.shape[2]
    lower, upper = np.full((2, len(order), scores), [[[-np.inf]], [[np.inf]]])
    if np.isfinite(margin):
        least, most = _ranges(fitted, order, y)
        lower, upper = least - margin * (most - least), most + margin * (most - least)
    coefficients = fitted.coefficients[order] * fitted.scale
    return leaf_models(prepared, coefficients, fitted.mean, moments(fitted.grams[order]), (lower, upper))


class Moments(NamedTuple):
    """Of the standardised terms in every node: (nodes, terms)."""

    mean: Floats
    varies: Mask


def moments(grams: Floats) -> Moments:
    """Means of the terms, and whether they vary, from Gram matrices whose first column is 1."""
    mean = grams[:, 0, 1:] / grams[:, :1, 0]
    square = np.einsum("njj->nj", grams)[:, 1:] / grams[:, :1, 0]
    return Moments(mean, square - mean**2 > 1e-12 * (1 + square))


def _ranges(fitted: Fitted, order: list[int], y: Floats) -> Floats:
    """The least and the greatest target of every node: those of its leaves."""
    found = np.empty((2, len(order), y.shape[1]))
    place = {number: i for i, number in enumerate(order)}
    for i in range(len(order) - 1, -1, -1):
        node = fitted.nodes[order[i]]
        if node.children and order[i] not in fitted.cut:
            below = found[:, [place[child] for child in node.children]]
            found[0, i], found[1, i] = below[0].min(axis=0), below[1].max(axis=0)
        else:
            own = y[node.rows]
            found[0, i], found[1, i] = own.min(axis=0), own.max(axis=0)
    return found


def leaf_models(
    prepared: Prepared,
    coefficients: Floats,
    mean: Floats | float,
    own_moments: Moments,
    bounds: tuple[Floats, Floats],
) -> LeafModels:
    """From coefficients of standardised terms to those of columns; a number is centred at its node's mean.

    While fitting, a missing number stood at the mean of all rows. In a leaf it stands at the leaf's mean;
    the term of missing values takes up the difference. A term that does not vary in a node is part of
    its constant.
    """
    terms = prepared.terms
    is_number = terms.level == NUMBER
    partner = {int(f): t for t, f in enumerate(terms.feature) if terms.level[t] == IS_MISSING}
    begin, constant, found = [0], [], []
    for number in range(len(coefficients)):
        average, varies = own_moments.mean[number, : len(terms)], own_moments.varies[number, : len(terms)]
        centre = np.where(is_number | ~varies, terms.mean + terms.scale * average, 0.0)
        own = coefficients[number][1:] / terms.scale[:, None]
        constant.append(mean + coefficients[number][0] + (centre - terms.mean) @ own)
        own[~varies] = 0.0
        for t in np.flatnonzero(is_number):
            other = partner.get(int(terms.feature[t]))
            if other is not None and varies[other]:
                own[other] += own[t] * (terms.mean[t] - centre[t])
        size = np.abs(own * terms.scale[:, None]).max(axis=1, initial=0.0)
        listed: Ints = np.flatnonzero(size > 1e-12 * max(float(size.max(initial=0.0)), 1e-300))
        found += [(int(terms.feature[t]), int(terms.level[t]), float(centre[t]), own[t]) for t in listed]
        begin.append(len(found))
    arrays = [np.array([each[k] for each in found]) for k in range(3)]
    coefficient = np.array([each[3] for each in found]).reshape(len(found), coefficients.shape[2])
    return LeafModels(
        np.array(begin),
        arrays[0],
        arrays[1],
        arrays[2],
        coefficient,
        np.array(constant),
        bounds[0],
        bounds[1],
    )
