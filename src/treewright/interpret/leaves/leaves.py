"""A table of the leaves: the prediction of each, and its confidence interval."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...evaluate.intervals import check_confidence, check_method
from ...evaluate.out_of_fold import mean_out_of_fold
from ...learn.fitted_tree import as_estimator
from ...learn.params import CLASSIFICATION
from ...tree.tree import named
from ..rules import rules
from .measured import IntervalMethod, from_tree, read_sample
from .table import Leaves

__all__ = ["Leaves", "leaves"]


def leaves(  # noqa: PLR0913
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    confidence: float = 0.95,
    method: str = "jeffreys",
    sample_weight: Any = None,
    cv: Any = None,
    groups: Any = None,
    time: Any = None,
) -> Leaves:
    """Make a table of the leaves: the prediction of each, with confidence intervals.

    A leaf was chosen because its training rows look alike, so their proportion or mean is optimistic, and so
    is its interval. X and y give validation numbers beside it.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree, Tree or path
        A fitted tree of treewright with one output, or the path of a model file.
    X : table, optional
        Without `cv`, held-out rows: for each leaf the proportion of every class (or the mean of y) among
        those that end there. Rows weigh as in the fit, by class_weight and priors too. With `cv`, the
        training rows. Then trees are trained on the folds with the same parameters (and with the alpha and
        strength that the model chose), every row gets the prediction of trees trained without it (by what
        their leaves counted, not smoothed; by the mean, if there are several), and the validation number of a
        leaf is the mean of these predictions over the training rows that end there. It estimates predictions
        for such rows when they are new; it does not test this very leaf, as held-out rows do.
    y : one value per row, optional
        The target of these rows.
    confidence : float, default 0.95
        How often an interval from held-out rows covers the truth. Those from training rows cover it less
        often.
    method : {"jeffreys", "wilson"}, default "jeffreys"
        How the interval of a proportion is made; that of a mean is Student's.
    sample_weight : one number per row, optional
        With rows of unequal weight an interval counts (Σw)² / Σw² of them. The tree stores only how many its
        training rows are, so that its own intervals are then too narrow.
    cv : int, splitter of scikit-learn, or pairs (train rows, test rows), optional
        Folds for out-of-fold predictions.
    groups : one entry per row, optional
        For `cv`: rows of a group stay together.
    time : one entry per row, optional
        For `cv`: every fold trains on the past and tests on later rows.

    Returns
    -------
    Leaves

    Notes
    -----
    Out-of-fold intervals count the rows of the leaf as if they were independent, which they are not, so that
    `confidence` is no promise for them: they come nearer to it than training intervals, but may fall short.
    For regression their spread is the mean squared distance between y and the out-of-fold predictions.
    With 'absolute_error' the leaf predicts the median, while `training` and `validation` are about the mean;
    the tree stores no mean then, and for 'poisson' no variance: these are NaN, unless `cv` brings the rows.
    """
    model = as_estimator(model)
    check_confidence(confidence)
    check_method(method)
    _check_rows(model, X, y, {"sample_weight": sample_weight, "cv": cv, "groups": groups, "time": time})
    tree, intervals = model.tree_, IntervalMethod(float(confidence), method)
    classes = model.task == CLASSIFICATION
    training, validation, source, stopped = from_tree(model, intervals), None, None, 0
    if X is not None:
        sample = read_sample(model, X, y, sample_weight, groups)
        stopped = sample.stopped
        source = "held out" if cv is None else "out of fold"
        if cv is None:
            validation = sample.held_out(intervals)
        else:
            predicted = mean_out_of_fold(model, replace(sample.data, time=time), cv)
            validation = sample.out_of_fold(predicted, intervals)
            training = training if np.isfinite(training.low).any() else sample.held_out(intervals)
    leaf = np.flatnonzero(tree.is_leaf)
    found = rules(model, order="leaf")
    by_leaf = {rule.leaf: rule for rule in found}
    predicted = tree.prediction[leaf, 0]
    decided = tree.label[leaf, 0] if classes else np.zeros(len(leaf), dtype=np.int64)
    labels = np.asarray(model.classes_) if classes else None
    places = np.where(tree.predicts_nothing[leaf], -1, decided)
    return Leaves(
        leaf=leaf,
        rules=tuple(by_leaf.get(node) for node in leaf.tolist()),
        prediction=predicted[:, 0] if labels is None else named(labels, places),
        decided=decided,
        predicted=predicted,
        training=training,
        validation=validation,
        source=source,
        classes=labels,
        confidence=float(confidence),
        method=method,
        words=found.words,
        stopped=stopped,
    )


def _check_rows(model: Any, X: Any, y: Any, others: dict[str, Any]) -> None:
    if model.tree_.n_outputs > 1:
        got = model.tree_.n_outputs
        raise ValueError(f"leaves needs a tree with one output. Got {got}. Fit a tree for each.")
    if (X is None) != (y is None):
        raise ValueError("X and y must be given together. Got one of them.")
    needs_rows = [name for name, value in others.items() if value is not None]
    if X is None and needs_rows:
        raise ValueError(f"{needs_rows[0]} needs the rows X and y that it is about. Got none.")
    if others["groups"] is not None and others["cv"] is None:
        raise ValueError("groups are for the folds of cv. Got cv=None. Give cv, or leave groups out.")
