"""A table of the leaves: what each answers, and how far that can be trusted."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier

from ...evaluate.intervals import check_confidence, check_method
from ...evaluate.out_of_fold import mean_out_of_fold
from ...learn.fitted_tree import as_estimator
from ..rules import rules
from .rows import Asked, from_tree, sample_of
from .table import Leaves

__all__ = ["Leaves", "leaves"]

NOBODY = "no row comes here"


def leaves(  # noqa: PLR0913
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    level: float = 0.95,
    method: str = "jeffreys",
    sample_weight: Any = None,
    cv: Any = None,
    groups: Any = None,
) -> Leaves:
    """Say what every leaf answers and how far that can be trusted.

    A leaf was chosen because its rows look alike, so their share or mean is too good, and so is its interval.
    X and y give honest numbers beside it.

    Parameters
    ----------
    model : a fitted tree of treewright with one output
    X, y : rows, optional
        Without `cv` they are rows that the tree was not grown on: for each leaf the share of every class (or
        the mean of y) among those that end there. Rows weigh as in growing, by class_weight and priors too.
        With `cv` they are the rows that it was grown on. Then trees are grown anew on the folds with the same
        parameters (and with the alpha and strength that the model chose), every row is answered by trees that
        have not seen it (by what their leaves counted, not smoothed; by the mean, if there are several), and
        the honest number of a leaf is the mean of these answers over the training rows that end there. It
        says what such rows are told where they are not known; it is no test of this very leaf, as held-out
        rows are.
    level : float
        How often an interval by held-out rows covers the truth. Those by training rows cover it less often.
    method : "jeffreys" or "wilson"
        How the interval of a share is made; that of a mean is Student's.
    sample_weight : one number per row, optional
        With rows of unequal weight an interval counts (Σw)² / Σw² of them. The tree remembers only how many
        its rows are, so that its own intervals are then too narrow.
    cv : int, splitter of scikit-learn, or pairs (train rows, test rows), optional
    groups : one entry per row, optional
        For `cv`: rows of a group stay together.

    Notes
    -----
    Out-of-fold intervals count the rows of the leaf as if each were a draw of its own, which they are not, so
    that `level` is no promise for them: they come nearer to it than training intervals, but may fall short.
    For numbers their spread is the mean squared distance between y and the unseen answers.
    With 'absolute_error' the leaf answers the median, while `training` and `honest` speak of the mean; what
    the tree remembers is no mean, and of 'poisson' no variance: these are NaN, unless `cv` brings the rows.
    """
    model = as_estimator(model)
    check_confidence(level)
    check_method(method)
    _check_rows(model, X, y, {"sample_weight": sample_weight, "cv": cv, "groups": groups})
    tree, asked, classes = model.tree_, Asked(float(level), method), is_classifier(model)
    training, honest, source, elsewhere = from_tree(model, asked), None, None, 0
    if X is not None:
        sample = sample_of(model, X, y, sample_weight, groups)
        elsewhere = sample.elsewhere
        source = "held out" if cv is None else "out of fold"
        if cv is None:
            honest = sample.held_out(asked)
        else:
            honest = sample.out_of_fold(mean_out_of_fold(model, sample.data, cv), asked)
            training = training if np.isfinite(training.low).any() else sample.held_out(asked)
    leaf = np.flatnonzero(tree.is_leaf)
    ways = {rule.leaf: rule.text for rule in rules(model, order="leaf")}
    predicted = tree.prediction[leaf, 0]
    decided = tree.label[leaf, 0] if classes else np.zeros(len(leaf), dtype=np.int64)
    labels = np.asarray(model.classes_) if classes else None
    return Leaves(
        leaf=leaf,
        rule=tuple(ways.get(node, NOBODY) for node in leaf.tolist()),
        answer=predicted[:, 0] if labels is None else labels[decided],
        decided=decided,
        predicted=predicted,
        training=training,
        honest=honest,
        source=source,
        classes=labels,
        level=asked.level,
        method=method,
        elsewhere=elsewhere,
    )


def _check_rows(model: Any, X: Any, y: Any, others: dict[str, Any]) -> None:
    if model.tree_.n_outputs > 1:
        got = model.tree_.n_outputs
        raise ValueError(f"leaves needs a tree with one output. Got {got}. Fit a tree for each.")
    if (X is None) != (y is None):
        raise ValueError("X and y must be given together. Got one of them.")
    needs_rows = [name for name, value in others.items() if value is not None]
    if X is None and needs_rows:
        raise ValueError(f"{needs_rows[0]} needs the rows X and y that it speaks of. Got none.")
    if others["groups"] is not None and others["cv"] is None:
        raise ValueError("groups are for the folds of cv. Got cv=None. Give cv, or leave groups out.")
