"""The importance of each column: by the gain of its splits, and by permutation."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.columns import from_columns
from ...data.common.numbers import significant, significants
from ...data.values import Column
from ...evaluate.intervals import mean_interval
from ...interpret.importances.permutation import shuffle_increases
from ...learn.losses import mean_losses
from .held_out import HeldOutRows
from .pruning import NAMES, loss_of
from .subject import Subject

Floats = NDArray[np.float64]

REPEATS, MOST_ROWS, MOST_COLUMNS = 5, 2_000, 200
GAIN = (
    "Share of the gain: the gain of the splits of a column, as a share of the gain of all splits; it is too "
    "high for columns of many values."
)


def importance(subject: Subject) -> dict[str, Any]:
    """The part "importance", for the columns that the tree uses; the others have none."""
    tree = subject.tree
    gains = tree.compute_feature_importances()
    terms = set() if tree.leaf_models is None else set(tree.leaf_models.used)
    ranked = np.argsort(-gains, kind="stable").tolist()
    order = [j for j in ranked if gains[j] > 0 or j in terms][:MOST_COLUMNS]
    if not order:
        return {"importance": None, "importance_note": "The tree has no splits, so that no column matters."}
    shuffled, words = permuted(subject, order)
    ends, spans = _of_folds(subject)
    rows = []
    for column, (low, middle, high) in zip(order, shuffled or repeat((None, None, None)), strict=False):
        least, most = (None, None) if ends is None else (ends[0][column], ends[1][column])
        row = {"column": subject.words.features[column], "impurity": significant(gains[column])}
        row["impurity_low"] = None if least is None else significant(min(least, gains[column]))
        row["impurity_high"] = None if most is None else significant(max(most, gains[column]))
        rows.append(row | {"permutation": middle, "permutation_low": low, "permutation_high": high})
    return {"importance": {"rows": rows, "words": f"{GAIN}{spans} {words}"}}


def _of_folds(subject: Subject) -> tuple[tuple[Floats, Floats] | None, str]:
    """The least and the greatest share of each column in the trees of the folds, if there are some."""
    found = subject.held_out
    if found is None or len(found.parts) < 2:
        return None, ""
    each = np.stack([part.tree.compute_feature_importances() for part in found.parts])
    spans = f" Its line spans the shares in {len(each)} trees, each fitted without a part of the rows."
    return (each.min(axis=0), each.max(axis=0)), spans


def permuted(subject: Subject, order: list[int]) -> tuple[list[Any] | None, str]:
    """What the loss of unseen rows grows by when a column is shuffled: low, mean and high of each."""
    found, loss = subject.held_out, loss_of(subject)
    if found is None:
        return None, subject.why_none("Shuffling")
    rng, rises = np.random.default_rng(0), []
    for number, part in enumerate(found.parts):
        subject.say(number, len(found.parts), "shuffling columns")
        rises.append(_rises(subject, part, order, loss, rng))
    # (trees, columns), or of one tree (shuffles, columns)
    means = np.stack([each.mean(axis=1) for each in rises]) if len(rises) > 1 else rises[0].T
    low, high = mean_interval(means.mean(axis=0), means.var(axis=0), float(len(means)))
    parts = zip(significants(low), significants(means.mean(axis=0)), significants(high), strict=True)
    by = f"over {len(rises)} trees" if len(rises) > 1 else f"over {REPEATS} shuffles"
    words = f"Permutation importance: by how much the {NAMES[loss]} on unseen rows grows"
    return list(parts), f"{words} when the values of the column are shuffled, with a 95 % interval {by}."


def _rises(
    subject: Subject, part: HeldOutRows, order: list[int], loss: str, rng: np.random.Generator
) -> Floats:
    """What a tree loses more on its rows, at most so many, by every shuffle: (columns, shuffles)."""
    assert subject.given is not None
    tree, rows = part.tree, np.arange(len(part.rows))
    if len(rows) > MOST_ROWS:
        rows = np.sort(rng.choice(rows, MOST_ROWS, replace=False))
    columns = [column.take(rows) for column in part.table.columns]
    y, weight = subject.given.codes[part.rows[rows]], subject.given.weights[part.rows[rows]]

    def lost(table: list[Column]) -> Floats:
        predictions = tree.predict(from_columns(table, len(rows)))
        shares = predictions if tree.n_outputs > 1 else predictions[:, None, :]
        return np.average(mean_losses(loss, shares, y, tree.costs)[None], axis=1, weights=weight)

    found: Floats = np.zeros((len(order), REPEATS))
    known = set(tree.used)
    places = {column: place for place, column in enumerate(order) if column in known}
    for repeat_, (column, rise) in enumerate(shuffle_increases(columns, places, lost, REPEATS, rng)):
        found[places[column], repeat_ % REPEATS] = rise[0]
    return found
