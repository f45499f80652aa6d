"""The figures of a model that came without any: by its answers to unseen rows."""

from __future__ import annotations

from typing import Any

from ...evaluate.metrics import Baseline, Predictions, Score
from .subject import Subject


def scored(subject: Subject) -> tuple[list[Score], str | None]:
    """The figures beside those of the root alone, and in words what they were made on."""
    found, tree = subject.evidence, subject.tree
    if found is None or tree.n_outputs > 1:
        return [], None
    y, root = found.y[:, 0], tree.prediction[0, 0]
    if found.label is None:
        predicted = Predictions(y, found.shares[:, 0, 0], None, found.weight)
        return predicted.scores(Baseline(mean=float(root[0]))), found.words
    how: tuple[Any, ...] = (found.weight, ranked(subject), subject.saved.stakes)
    predicted = Predictions(y, found.label[:, 0], found.shares[:, 0], *how)
    return predicted.scores(Baseline(root)), found.words


def ranked(subject: Subject) -> int | None:
    """The place of the class that is ranked first, of two: the second, unless the model was told."""
    labels = subject.explained.labels
    if labels is None or len(labels) != 1 or len(labels[0]) != 2:
        return None
    return labels[0].index(subject.positive) if subject.positive in labels[0] else 1
