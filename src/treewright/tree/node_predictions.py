"""What any node of a tree would predict for any row, were it a leaf."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..data.common.array_types import Floats, Ints
from .leaf_models import IS_MISSING, NUMBER, LeafModels, link_of, linked

if TYPE_CHECKING:
    from .tree import Tree

MOST_TERMS = 2_000_000  # that are computed at a time


def predictions_at(tree: Tree, columns: _core.Columns, row: Ints, node: Ints) -> Floats:
    """The predictions of pairs of a row and a node: (pairs, outputs, classes)."""
    if tree.leaf_models is None:
        return np.asarray(tree.prediction[node])
    numbers = {column: columns.numbers(column) for column in tree.leaf_models.used}
    score = scores_at(tree.leaf_models, numbers, row, node)
    return linked(score, link_of(tree)).reshape(len(row), *tree.prediction.shape[1:])


def scores_at(models: LeafModels, numbers: dict[int, Floats], row: Ints, node: Ints) -> Floats:
    """The scores of pairs of a row and a node; `numbers` has the columns that some term needs."""
    n_terms = np.diff(models.begin)[node]
    at_once = max(1, MOST_TERMS // max(1, int(n_terms.max(initial=1))))
    found = models.constant[node].copy()
    for first in range(0, len(node), at_once):
        some = slice(first, first + at_once)
        pair = np.repeat(np.arange(len(node[some])), n_terms[some])
        offset = np.arange(len(pair)) - np.repeat(np.cumsum(n_terms[some]) - n_terms[some], n_terms[some])
        term = models.begin[node[some]][pair] + offset
        value = _values(models, numbers, term, row[some][pair])
        for score in range(models.n_scores):
            part = models.coefficient[term, score] * value
            found[some, score] += np.bincount(pair, part, len(node[some]))
    found = np.where(np.isnan(found), models.constant[node], found)  # infinities of both signs
    return np.asarray(np.clip(found, models.lower[node], models.upper[node]))


def _values(models: LeafModels, numbers: dict[int, Floats], term: Ints, row: Ints) -> Floats:
    """What each term is worth for its row, before its coefficient."""
    x, feature, level = np.empty(len(term)), models.feature[term], models.level[term]
    for column, values in numbers.items():
        own = np.flatnonzero(feature == column)
        x[own] = values[row[own]]
    missing, centre = np.isnan(x), models.centre[term]
    holds = np.where(level == IS_MISSING, missing, x == level)
    return np.where(level == NUMBER, np.where(missing, 0.0, x - centre), holds - centre)
