"""Exact Shapley values: what each column adds to the prediction of each row."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.common.allowed import is_whole
from ...data.common.plural import counted
from ...data.common.threads import threads
from ...tree.tree import STOPS, Tree
from ...tree.walks import sum_children
from ..subject import Subject, subject_of

Floats = NDArray[np.float64]

BY_WEIGHT = "columns that are not known are averaged over the training rows of each branch"
BY_ROWS = "columns that are not known are taken from {}"


@dataclass(frozen=True, eq=False)
class ShapleyValues:
    """Shapley values. For every row, `base` and the values of its columns add up to the prediction.

    `values` is (rows, columns) for one number, with a last axis of classes for a classifier, and with axes of
    outputs (and classes) for several targets. `base` has the last axes alone.
    """

    values: Floats
    base: Floats
    names: tuple[str, ...]
    classes: tuple[str, ...] | None  # of one output, as they are written
    how: str  # what is done about columns that are not known

    @property
    def importance(self) -> Floats:
        """The mean size of the values of each column, over rows: (columns, ...)."""
        return np.asarray(np.abs(self.values).mean(axis=0))

    def of_class(self, label: Any = None) -> tuple[Floats, float]:
        """The values (rows, columns) and the base of one class, by how it is written; None: the last."""
        if self.classes is None:
            if self.values.ndim > 2:
                raise ValueError("One class must be of one target. Got several targets. Use values.")
            return self.values, float(self.base)
        written = self.classes[-1] if label is None else str(label)
        if written not in self.classes:
            raise ValueError(f"label must be one of {', '.join(self.classes[:10])}. Got {label!r}.")
        place = self.classes.index(written)
        return self.values[..., place], float(self.base[place])

    def to_dicts(self, label: Any = None) -> list[dict[str, float]]:
        """One dictionary of column and value per row, of which any library makes a frame."""
        return [dict(zip(self.names, row, strict=True)) for row in self.of_class(label)[0].tolist()]

    def plot(self, row: int | None = None, *, label: Any = None, most: int = 12, ax: Any = None) -> Any:
        """Draw the values of one row, or without one how much each column matters; returns the axes."""
        from .plot import plot_shapley

        return plot_shapley(self, row, label, most, ax)

    def __str__(self) -> str:
        from .plot import as_text

        return as_text(self)

    def __repr__(self) -> str:
        return f"<ShapleyValues: values of shape {self.values.shape}>"


def shapley_values(model: Any, X: Any, *, background: Any = None, n_jobs: int | None = None) -> ShapleyValues:
    """Say exactly what each column adds to the prediction of each row.

    Parameters
    ----------
    model : a fitted tree of treewright, what `treewright.fit` returned, a saved model, or a `Tree`
    X : a table
        The rows to explain.
    background : a table, optional
        Rows that stand for what is usual: a column that is not known has their values, one row after another,
        and the results are averaged (interventional). Without it a row goes down every branch of a test whose
        column is not known, by the branch's share of the training weight (path dependent).
    n_jobs : int, optional
        As everywhere: None is all cores.

    Returns
    -------
    ShapleyValues
        For classifiers of the probabilities, for regressors of the number.

    Notes
    -----
    A node sends a row where `predict` sends it, by a surrogate too, and its own column has the credit. A
    branch that no training row took has no weight; where no branch has any, all have the same.
    """
    subject = subject_of(model)
    if n_jobs is not None and not is_whole(n_jobs):
        raise ValueError(f"n_jobs must be an int or None. Got {n_jobs!r}. None is all cores.")
    for name, table in (("X", X), ("background", background)):
        if isinstance(table, str | bytes | Number) or (table is None and name == "X"):
            raise ValueError(f"{name} must be a table. Got {table!r:.100}. Give the columns of fit.")
    tree = subject.tree
    if len(tree.pooled) and tree.pooled[0] and tree.shares_rows:
        raise ValueError(
            "shapley needs predictions that are means of the leaves'. Got a tree that smooths rows which are "
            "shared out over several leaves. Fit it without smoothing."
        )
    usual = None if background is None else subject.columns(background)
    if usual is not None and not usual.n_rows:
        raise ValueError("background must have rows. Got a table without. Leave it out, or give some.")
    cover, stopped = covers(tree)
    values = tree.prediction.reshape(tree.node_count, -1)
    one_of_two = tree.n_outputs == 1 and values.shape[1] == 2 and np.ptp(values.sum(axis=1)) < 1e-12
    found, base = _core.shapley(
        tree.predictor,
        subject.columns(X),
        cover,
        stopped,
        np.ascontiguousarray(values[:, 1:] if one_of_two else values),
        usual,
        threads(n_jobs),
    )
    if one_of_two:  # what one class gains the other loses
        total = values[0].sum()
        found, base = np.concatenate([-found, found], axis=2), np.concatenate([total - base, base])
    how = BY_WEIGHT if usual is None else BY_ROWS.format(counted(usual.n_rows, "background row"))
    names = tuple(subject.words.features)
    return ShapleyValues(*_shaped(tree, found, base), names, _classes(subject), how)


def _classes(subject: Subject) -> tuple[str, ...] | None:
    known = subject.words.classes
    return tuple(known[0]) if known is not None and len(known) == 1 else None


def _shaped(tree: Tree, found: Floats, base: Floats) -> tuple[Floats, Floats]:
    """Without an axis of one output, or of the one class of a number."""
    shape = [size for size in (tree.n_outputs, tree.max_n_classes) if size > 1]
    if tree.n_outputs == 1 and tree.max_n_classes == 1 and tree.classes is not None:
        shape = [1]
    return found.reshape(*found.shape[:2], *shape), base.reshape(shape)


def covers(tree: Tree) -> tuple[Floats, Floats]:
    """Of every node its share of the weight that its parent hands on, and the share that stops at it."""
    weight = np.maximum(tree.weighted_n_node_samples, 0.0)
    below = sum_children(tree, weight)
    stops = (tree.missing_child == STOPS) & ~tree.is_leaf
    stopped = np.where(stops & (weight - below > 1e-9 * weight), weight - below, 0.0)
    handed = below + stopped
    parent = np.maximum(tree.parent, 0)
    alike = 1.0 / np.maximum(tree.n_children[parent], 1)
    cover = np.divide(weight, handed[parent], out=alike, where=handed[parent] > 0)
    cover[0] = 1.0
    share = np.divide(stopped, handed, out=np.zeros_like(stopped), where=handed > 0)
    return np.ascontiguousarray(cover), share
