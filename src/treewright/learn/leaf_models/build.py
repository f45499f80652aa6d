"""From a grown tree and the coefficients of its nodes to a tree with models."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from ...tree.leaf_models import IS_MISSING, NUMBER, LeafModels
from ...tree.tree import Tree
from ...tree.walks import sum_below, sum_children
from .prepare import Grown, Prepared


def finished(
    prepared: Prepared,
    grown: Grown,
    cut: Mask,
    *,
    loss: Floats,
    value: Floats,
    leaf_models: LeafModels,
) -> Tree:
    """The tree with models, pruned: `loss` and `value` are of all nodes, the models of those that stay.

    A loss is summed over the weights of a node's rows, in rows.
    """
    tree, leaf = grown
    size, used = tree.node_count, prepared.weight > 0
    count = sum_below(tree, np.bincount(leaf[used], minlength=size))
    mass = sum_below(tree, np.bincount(leaf, prepared.weight, size))
    gain = np.where(tree.is_leaf, 0.0, np.maximum(loss - sum_children(tree, loss), 0.0))
    whole = replace(
        tree,
        n_node_samples=count,
        weighted_n_node_samples=mass * prepared.row_weight,
        impurity=loss / mass,
        gain=gain * prepared.row_weight,
        value=value,
    )
    return replace(whole.collapse(cut & ~tree.is_leaf), leaf_models=leaf_models)


class Moments(NamedTuple):
    """Of the standardised terms in every node: (nodes, terms)."""

    mean: Floats
    varies: Mask


def moments(grams: Floats) -> Moments:
    """Means of the terms, and whether they vary, from Gram matrices whose first column is 1."""
    mean = grams[:, 0, 1:] / grams[:, :1, 0]
    square = np.einsum("njj->nj", grams)[:, 1:] / grams[:, :1, 0]
    return Moments(mean, square - mean**2 > 1e-12 * (1 + square))


def leaf_models(
    prepared: Prepared,
    coefficients: Floats,
    mean: Floats | float,
    own_moments: Moments,
    bounds: tuple[Floats, ...],
    stays: Ints,
) -> LeafModels:
    """From coefficients of standardised terms to those of columns; a number is centred at its node's mean.

    While fitting, a missing number stood at the mean of all rows. In a leaf it stands at the leaf's mean;
    the term of missing values takes up the difference. A term that does not vary in a node is part of
    its constant. All but `bounds` are of all nodes.
    """
    terms = prepared.terms
    is_number = terms.level == NUMBER
    partner = {int(f): t for t, f in enumerate(terms.feature) if terms.level[t] == IS_MISSING}
    begin, constant, listed, centres, slopes = [0], [], [], [], []
    for number in stays:
        average, varies = own_moments.mean[number, : len(terms)], own_moments.varies[number, : len(terms)]
        centre = np.where(is_number | ~varies, terms.mean + terms.scale * average, 0.0)
        own = coefficients[number][1:] / terms.scale[:, None]
        constant.append(mean + coefficients[number][0] + (centre - terms.mean) @ own)
        own[~varies] = 0.0
        for t in np.flatnonzero(is_number) if partner else ():
            other = partner.get(int(terms.feature[t]))
            if other is not None and varies[other]:
                own[other] += own[t] * (terms.mean[t] - centre[t])
        size = np.abs(own * terms.scale[:, None]).max(axis=1, initial=0.0)
        some = np.flatnonzero(size > 1e-12 * max(float(size.max(initial=0.0)), 1e-300))
        listed.append(some)
        centres.append(centre[some])
        slopes.append(own[some])
        begin.append(begin[-1] + len(some))
    place = np.concatenate(listed)
    lower, upper = (each[stays] for each in bounds)
    return LeafModels(
        np.array(begin),
        terms.feature[place].astype(np.int32),
        terms.level[place].astype(np.int32),
        np.concatenate(centres),
        np.concatenate(slopes),
        np.array(constant),
        lower,
        upper,
    )
