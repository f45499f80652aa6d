"""For every node: an interval, its error on held-out rows, and a histogram of the target."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.numbers import significants
from ...evaluate.intervals import effective, estimate_interval, mean_interval, share_interval
from ...tree.walks import sum_below
from .held_out import HeldOutPredictions
from .split_histograms import split_histograms
from .subject import Subject

Floats = NDArray[np.float64]

CONFIDENCE = 0.95
MOST_BINS, FEWEST_BINS, MOST_COUNTS = 24, 6, 40_000  # of a histogram, and of all of them together
OF_SHARE = "95 % interval of the probability of the predicted class, from the training rows of the node."
OF_MEAN = "95 % interval of the prediction, from the training rows of the node."
CHOSE = " The same rows chose the splits, so it is narrower than it should be."


def nodes(subject: Subject) -> dict[str, Any]:
    """The part "nodes"."""
    found = subject.held_out
    words = OF_SHARE if subject.is_classification else OF_MEAN
    return {
        "nodes": {
            "held_out_error": None if found is None else held_out_error(subject, found),
            "held_out_error_note": None if found is None else found.unseen,
            "interval": interval(subject),
            "interval_words": words + (CHOSE if subject.tree.node_count > 1 else ""),
            "histogram": histogram(subject),
            "split_histograms": split_histograms(subject),
        }
    }


def interval(subject: Subject) -> list[Any] | None:
    """Per node the ends of an interval around what it predicts; None where that is not known.

    The prediction may be smoothed, so it is the middle; the rows of the node say how wide the interval is.
    """
    tree = subject.tree
    n = tree.n_node_samples.astype(np.float64)
    if tree.n_outputs > 1 or not n.any():
        return None
    if subject.is_classification:
        share = np.take_along_axis(tree.prediction[:, 0], tree.label, axis=1)[:, 0]
        low, high = estimate_interval(share, n, CONFIDENCE)
    elif subject.words.criterion == "squared_error":
        low, high = mean_interval(tree.prediction[:, 0, 0], np.maximum(tree.impurity, 0.0), n, CONFIDENCE)
    else:
        return None
    pairs = zip(significants(low, 5), significants(high, 5), strict=True)
    return [list(pair) if None not in pair else None for pair in pairs]


def held_out_error(subject: Subject, found: HeldOutPredictions) -> list[Any]:
    """Per node the error on held-out rows that reach it, whichever leaf they end in."""
    tree, given = subject.tree, subject.given
    assert given is not None
    if found.label is None:
        wrong = np.abs(found.shares[:, :, 0] - found.y).mean(axis=1)
    else:
        wrong = (found.label != found.y).mean(axis=1)
    place = np.full(given.n_rows, -1)
    place[found.rows] = np.arange(len(found.rows))
    row, node, share = given.reached
    here = place[row] >= 0
    at, end = place[row[here]], node[here]
    w = found.weight[at] * share[here]
    sums = [w, w * w, w * wrong[at], w * wrong[at] ** 2]
    total, squares, err, err2 = (
        sum_below(tree, np.bincount(end, part, tree.node_count).astype(np.float64)) for part in sums
    )
    # a row that is shared out counts by its parts, so that the root has as many as there are
    parts = np.bincount(end, share[here] * (w > 0), tree.node_count).astype(np.float64)
    rows = np.maximum(np.rint(sum_below(tree, parts)), 1.0)
    return _entries(rows, total, squares, (err, err2), subject.is_classification and tree.n_outputs == 1)


def _entries(
    rows: Any, total: Floats, squares: Floats, errs: tuple[Floats, Floats], share: bool
) -> list[Any]:
    some = total > 0
    safe = np.where(some, total, 1.0)
    mean, n = errs[0] / safe, effective(total, squares)
    if share:
        low, high = share_interval(np.clip(mean, 0.0, 1.0) * n, n, CONFIDENCE)
    else:
        low, high = mean_interval(mean, np.maximum(errs[1] / safe - mean**2, 0.0), n, CONFIDENCE)
        low = np.maximum(low, 0.0)
    columns = (significants(mean, 4), significants(low, 4), significants(high, 4), rows.astype(int).tolist())
    names = ("error", "low", "high", "n")
    entries = (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))
    return [entry if there else None for there, entry in zip(some.tolist(), entries, strict=True)]


def histogram(subject: Subject) -> dict[str, Any] | None:
    """How the target is spread in every node, for numbers; by the rows that were given."""
    given, tree = subject.given, subject.tree
    if given is None or given.y is None or subject.is_classification or tree.n_outputs > 1:
        return None
    y = given.codes[:, 0].astype(np.float64)
    bins = int(np.clip(MOST_COUNTS // tree.node_count, FEWEST_BINS, MOST_BINS))
    some = y[given.weights > 0]
    low, high = float(some.min()), float(some.max())
    if not np.isfinite(high - low) or high <= low:
        return None
    edges = np.linspace(low, high, bins + 1)
    row, node, share = given.reached
    at = np.clip(np.searchsorted(edges, y[row], side="right") - 1, 0, bins - 1)
    flat = np.bincount(node * bins + at, given.weights[row] * share, tree.node_count * bins)
    counts = sum_below(tree, flat.astype(np.float64).reshape(-1, bins))
    whole = np.array_equal(counts, np.rint(counts))
    rounded = counts.astype(np.int64) if whole else counts.round(3)
    return {"edges": significants(edges, 8), "counts": rounded.tolist()}
