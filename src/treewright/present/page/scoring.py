"""The figures of a model that came without any: by its answers to unseen rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...evaluate.metrics import Answers, Score
from .subject import Subject


def scored(subject: Subject) -> tuple[list[Score], str | None]:
    """The figures beside those of the root alone, and in words what they were made on."""
    found, tree = subject.evidence, subject.tree
    if found is None or tree.n_outputs > 1:
        return [], None
    y, root = found.y[:, 0], np.repeat(tree.prediction[:1, 0], len(found.rows), axis=0)
    if found.label is None:
        said = Answers(y, found.shares[:, 0, 0], None, found.weight)
        return said.scores(Answers(y, root[:, 0], None, found.weight)), found.words
    how: tuple[Any, ...] = (found.weight, ranked(subject), subject.saved.stakes)
    guess = Answers(y, np.full(len(y), tree.label[0, 0]), root, *how)
    return Answers(y, found.label[:, 0], found.shares[:, 0], *how).scores(guess), found.words


def ranked(subject: Subject) -> int | None:
    """The place of the class that is ranked first, of two: the second, unless the model was told."""
    labels = subject.explained.labels
    if labels is None or len(labels) != 1 or len(labels[0]) != 2:
        return None
    return labels[0].index(subject.positive) if subject.positive in labels[0] else 1
