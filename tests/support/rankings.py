"""Rows with scores, as segments, and small rankings full of ties."""

import numpy as np
from hypothesis import strategies as st

from treewright import DecisionTreeClassifier
from treewright.learn.cross_validation.segments import Segments


def by_score(score, y, weight=None, n_classes=2, source="held out"):
    """Segments of rows; the score is that of class 1, or of all classes."""
    y, weight = np.asarray(y), np.ones(len(y)) if weight is None else np.asarray(weight, dtype=float)
    table = np.asarray(score, dtype=float)
    table = np.column_stack([1 - table, table]) if table.ndim == 1 else table
    distinct, at = np.unique(table, axis=0, return_inverse=True)
    sums = [np.zeros((len(distinct), n_classes)) for _ in range(2)]
    for total, part in zip(sums, (weight, weight**2), strict=True):
        np.add.at(total, (at.reshape(-1), y), part)
    return Segments(distinct, *sums, source, np.arange(n_classes))


@st.composite
def rankings(draw, n_classes=2):
    """Scores with many ties, labels of which all occur with a weight, and weights of which some are 0."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(n_classes, 40))
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n)])
    score = rng.integers(0, draw(st.sampled_from([1, 3, 8, 1000])), (n + n_classes, n_classes)) + 1.0
    score[np.arange(len(y)), y] += rng.integers(0, 3, len(y)) * draw(st.sampled_from([0, 1, 5]))
    weight = rng.integers(0, 4, len(y)) / 2 if draw(st.booleans()) else np.ones(len(y))
    weight[:n_classes] = 1
    return score / score.sum(axis=1, keepdims=True), y, weight


def table(seed, n=160, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, (n, 3)).astype(float)
    signal = X[:, 0] + X[:, 1] / 2 + rng.normal(0, 4, n)
    y = np.digitize(signal, [8.5, 13][: n_classes - 1])
    y[:n_classes] = range(n_classes)
    return X, np.array(["a", "b", "c"])[y]


def grown(seed, n_classes=2, **params):
    X, y = table(seed, n_classes=n_classes)
    return DecisionTreeClassifier(max_leaf_nodes=12, **params).fit(X, y), X, y
