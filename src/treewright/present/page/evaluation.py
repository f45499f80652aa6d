"""How good the predictions are: the ranking of two classes by a ROC curve, or the residuals of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.numbers import significant, significants
from ...evaluate.roc import hull as hulls
from ...evaluate.roc.curve import RocCurve, curve_of
from ...learn.costs import extra_costs
from ...learn.cross_validation.segments import Segments, joined
from .step_leaves import drawn_pairs
from .subject import Subject

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TWO_CLASSES = "A decision threshold needs two classes. The ROC curve of each class is under Evaluation."
MOST = 1000  # segments; more are joined with their neighbours
MOST_NODES = 2000  # of a tree whose inner nodes have boxes
ENDS = (0.0, 0.25, 0.5, 0.75, 1.0)
NAMES = ("low", "q1", "median", "q3", "high")


def roc_curves(subject: Subject) -> dict[str, Any]:
    """The part "roc", for two classes."""
    positive = subject.ranked
    if positive is None:
        note = TWO_CLASSES if subject.is_classification else None
        return {"roc": None, "roc_note": note}
    if subject.tree.leaf_models is not None and subject.held_out is None:
        return {"roc": None, "roc_note": subject.why_none("The ROC curve")}
    segments = _segments(subject)
    if not (segments.weight.sum(axis=0) > 0).all():
        return {"roc": None, "roc_note": "A ROC curve needs rows of both classes."}
    roc = curve_of(segments, positive, [1 - positive])
    costs, costs_and_prevalence = subject.tree.costs, subject.saved.costs_and_prevalence
    if costs_and_prevalence is not None:
        costs = costs_and_prevalence.costs
    fp, fn = (1.0, 1.0) if costs is None else extra_costs(np.asarray(costs), positive)
    share = float(roc.tp[-1] / (roc.tp[-1] + roc.fp[-1]))
    if costs_and_prevalence is not None and costs_and_prevalence.prevalence is not None:
        share = float(costs_and_prevalence.prevalence[positive])
    part = {
        "positive": positive,
        "source": roc.source.replace(" ", "-"),
        "auc": significant(roc.auc),
        "auc_low": significant(roc.interval[0]),
        "auc_high": significant(roc.interval[1]),
        "prevalence": share,
        "costs": [[0.0, fp], [fn, 0.0]],
        **curve(roc),
    }
    return {"roc": part}


def curve(roc: RocCurve) -> dict[str, Any]:
    """The segments by falling score, of very many those joined that are neighbours, and their hull."""
    score, up, across = roc.thresholds[1:], np.diff(roc.tp), np.diff(roc.fp)
    if len(score) > MOST:
        at = np.arange(len(score)) * MOST // len(score)
        both = up + across
        weight = np.bincount(at, both)
        score = np.bincount(at, score * both) / weight
        up, across = (np.bincount(at, part).astype(np.float64) for part in (up, across))
    rows = zip(score.tolist(), up.tolist(), across.tolist(), strict=True)
    return {
        "segments": [{"score": s, "positive": p, "negative": n} for s, p, n in rows],
        "hull": hulls.upper_hull(across, up).tolist(),
    }


def _segments(subject: Subject) -> Segments:
    """The rows by their predictions: unseen ones, those kept by the fit, or those of the tree."""
    found, tree = subject.held_out, subject.tree
    classes = np.array(subject.words.classes[0] if subject.words.classes else [], dtype=object)
    if found is not None:
        one_hot = np.eye(2)[found.y[:, 0]] * found.weight[:, None]
        parts = [(found.shares[:, 0], one_hot, one_hot * found.weight[:, None])]
        return joined(parts, found.source, classes)
    kept = getattr(subject.estimator, "out_of_fold_", None)
    if isinstance(kept, Segments):
        return kept
    leaf = tree.is_leaf
    weight = (tree.value * tree.weighted_n_node_samples[:, None, None])[leaf, 0]
    return joined([(tree.prediction[leaf, 0], weight, weight)], "training", classes)


# -- numbers


def residuals(subject: Subject) -> dict[str, Any]:
    """The part "residuals"."""
    if subject.is_classification:
        return {"residuals": None}
    if subject.tree.n_outputs > 1:
        return {"residuals": None, "residuals_note": "A plot of residuals is for one output."}
    found = subject.held_out
    if found is None:
        return {"residuals": None, "residuals_note": subject.why_none("A plot of residuals")}
    rows = drawn_pairs(found)
    pairs = zip(significants(found.y[rows, 0]), significants(found.shares[rows, 0, 0]), strict=True)
    part = {"source": found.source, "pairs": [list(pair) for pair in pairs], **leaves(subject)}
    return {"residuals": part}


def leaves(subject: Subject) -> dict[str, Any]:
    """Five numbers of the target in every leaf that rows come to, and in every inner node: it is a leaf of
    some pruned tree. Rows that weigh nothing are left out."""
    given, tree = subject.given, subject.tree
    assert given is not None
    row, node, share = given.reached
    weight, y = given.weights[row] * share, given.codes[row, 0].astype(np.float64)
    some = weight > 0
    node, weight, y = node[some], weight[some], y[some]
    at_leaves = tree.is_leaf[node]
    found = {"leaves": _boxes(node[at_leaves], y[at_leaves], weight[at_leaves]), "inner_nodes": None}
    if tree.node_count > MOST_NODES:
        return found
    nothing = (node[:0], y[:0], weight[:0])
    parts = [nothing]  # a row is in every node on its path
    while len(node):
        inner = ~tree.is_leaf[node]
        parts.append((node[inner], y[inner], weight[inner]))
        up = node > 0
        node, y, weight = tree.parent[node[up]], y[up], weight[up]
    found["inner_nodes"] = _boxes(*(np.concatenate(each) for each in zip(*parts, strict=True)))
    return found


def _boxes(node: Ints, y: Floats, weight: Floats) -> list[dict[str, Any]]:
    if not len(node):
        return []
    order = np.lexsort((y, node))
    weight, y, at = weight[order], y[order], node[order]
    firsts = np.flatnonzero(np.diff(at, prepend=-1))
    found = []
    for begin, end in zip(firsts.tolist(), [*firsts[1:].tolist(), len(at)], strict=True):
        five = quantiles(y[begin:end], weight[begin:end]).tolist()
        numbers = dict(zip(NAMES, map(significant, five), strict=True))
        found.append({"node": int(at[begin]), "n": end - begin, **numbers})
    return found


def quantiles(y: Floats, weight: Floats) -> Floats:
    """The ends and quartiles of sorted numbers; for equal weights as `np.percentile` has them.

    A number lies in the middle of its weight, the first at 0 and the last at 1.
    """
    middle = np.cumsum(weight) - weight / 2
    reach = middle[-1] - middle[0]
    if len(y) == 1 or not reach > 0:
        return np.asarray(y[[0, 0, len(y) // 2, -1, -1]])
    return np.interp(ENDS, (middle - middle[0]) / reach, y)
