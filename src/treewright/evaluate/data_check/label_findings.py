"""Suspect labels: rows whose class hardly any tree predicts that was grown without them.

Every row is predicted by trees that were not fitted to it, with other folds and other columns each time.
Where nearly all labels are predicted with confidence, the few that are not deserve a look. Where many are
not, the classes overlap, and a wrong label looks like an unusual row: then nothing is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.common.plural import counted
from ...data.target import Target
from ...learn.grow import grow_folds
from ...learn.params import CLASSIFICATION
from ...learn.plain import PLAIN
from .report import Finding
from .subject import Subject, listed

Floats = NDArray[np.float64]

FEWEST_ROWS, MOST_ROWS = 50, 20_000
FEWEST_OF_CLASS = 5
FOLDS = 5
REPEATS, WORK = (6, 20), 8e6  # fewest and most; and rows times columns of all together
ACCURATE, FOUND = 0.95, 0.9  # the least out-of-fold accuracy, of all rows and of the class of a suspect label
LABEL, OTHER = 0.05, 0.9  # the most that the label, and the least that another class is predicted with
HOPELESS = 0.85  # the accuracy of the first trees that more of them would not bring to the one above
MOST_SUSPECT = 0.03  # of the rows: of more the classes overlap
MOST_LISTED = 5
NOT_FOUND = "Wrong labels of rows that confirm each other, such as a whole kind of rows, cannot be found so."


def suspect_labels(q: Subject, keys: Iterable[Any]) -> Iterator[Finding]:
    """Rows whose label is hardly ever predicted, where nearly all others are."""
    left_out = set(keys)
    known = q.known
    counts = np.bincount(q.y[known], minlength=max(len(q.labels), 1)) if q.labels else np.zeros(1)
    enough = FEWEST_ROWS <= len(known) <= MOST_ROWS
    if len(q.labels) < 2 or not enough or np.sort(counts)[-2] < FEWEST_OF_CLASS:
        return
    features = [each for each in q.features if each.name not in left_out and len(each.levels) > 1]
    if not features:
        return
    y = q.y[known].astype(np.int32)
    shares = _out_of_fold(_columns(features, known), y, len(q.labels))
    if shares is None:
        return
    label = shares[np.arange(len(y)), y]
    best = shares.argmax(axis=1)
    suspect = (label <= LABEL) & (shares.max(axis=1) >= OTHER)
    others = np.bincount(y[~suspect], minlength=len(q.labels))  # suspects do not speak against the trees
    right = np.bincount(y[~suspect & (best == y)], minlength=len(q.labels))
    accurate = right.sum() >= ACCURATE * others.sum()
    suspect &= ((right >= FOUND * others) & (counts >= FEWEST_OF_CLASS))[y]  # a rare class is a finding
    many = int(suspect.sum())
    if not many or not accurate or many > max(1.0, MOST_SUSPECT * len(y)):
        return
    order = np.flatnonzero(suspect)[np.argsort(label[suspect], kind="stable")]
    shown = [f"row {known[k]} ({q.labels[y[k]]}, predicted {q.labels[best[k]]})" for k in order]
    rows = f"{counted(many, 'row')} {'has a label' if many == 1 else 'have labels'}"
    that = f"{rows} that trees grown without the row hardly ever predict"
    yield Finding(
        "suspect label",
        (),
        known[np.flatnonzero(suspect)],
        f"{that} (probability at most {LABEL:g}): {listed(shown, MOST_LISTED)}. Rows count from 0. Look at "
        f"them by hand: the label or a value may be wrong. {NOT_FOUND}",
        without_values=f"{that}. Look at them by hand: the label or a value may be wrong. {NOT_FOUND}",
    )


def _columns(features: list[Any], rows: NDArray[np.intp]) -> _core.Columns:
    """The columns as the core reads them: ranks, and the codes of levels."""
    columns = _core.Columns(len(rows))
    for feature in features:
        codes = feature.codes[rows]
        if feature.is_ordered:
            columns.add_column(np.where(codes < 0, np.nan, codes))
        else:
            columns.add_nominal(np.ascontiguousarray(codes, dtype=np.int32), len(feature.levels))
    return columns


def _out_of_fold(columns: _core.Columns, y: NDArray[np.int32], n_classes: int) -> Floats | None:
    """The mean probability of every class for each row, by trees that were grown without it.

    None where the first trees are so often wrong that no label can be suspect.
    """
    n_rows = len(y)
    core = _core.Target.classes(np.ascontiguousarray(y[:, None]), [n_classes], None)
    target = Target(core, y[:, None], (np.arange(n_classes),), n_rows, float(n_rows))
    params = PLAIN[CLASSIFICATION](max_features="sqrt").get_params(deep=False)
    repeats = int(np.clip(WORK / (n_rows * columns.n_columns), *REPEATS))
    total = np.zeros((n_rows, n_classes))
    for repeat in range(repeats):
        fold = np.random.default_rng(repeat).permutation(n_rows) % FOLDS
        trains = [np.flatnonzero(fold != k) for k in range(FOLDS)]
        trees = grow_folds(columns, target, params | {"random_state": repeat}, trains=trains)
        for k, tree in enumerate(trees):
            held_out = fold == k
            total[held_out] += tree.predict(columns)[held_out]
        if repeat == 1 and (total.argmax(axis=1) == y).mean() < HOPELESS:
            return None
    return np.asarray(total / repeats)
