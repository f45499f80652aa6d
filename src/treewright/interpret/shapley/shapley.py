"""Exact Shapley values: what each column adds to the prediction of each row."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.common.allowed import is_whole
from ...data.common.plural import counted
from ...data.common.result import Result
from ...data.common.text_width import cut, padded, width_of, wrapped
from ...data.common.threads import threads
from ...tree.decided import must_be_crisp
from ...tree.leaf_models import link_of
from ...tree.tree import STOPS, Tree
from ...tree.walks import sum_children
from ..described_model import DescribedModel, describe
from ..row import as_table

Floats = NDArray[np.float64]

BY_WEIGHT = "unknown columns are averaged over the training rows of each branch"
BY_ROWS = "unknown columns are taken from {}"
MOST = 20  # columns in printed text
PROBABILITY, LOG_ODDS, SCORE = "probability", "log odds", "score"  # of a class, beside the prediction


@dataclass(frozen=True, eq=False)
class ShapleyValues(Result):
    """Shapley values. For every row, `base` and the values of its columns add up to the prediction.

    Of logistic leaves they add up to the log odds of each class (`scale` is "log odds"), or of more than two
    classes to scores whose exponentials are in proportion to the probabilities ("score").

    `values` is (rows, columns) for regression, with a last axis of classes for a classifier, and with axes of
    outputs (and classes) for several targets. `base` has the last axes alone.
    """

    values: Floats
    base: Floats
    names: tuple[str, ...]
    classes: tuple[str, ...] | None  # of one output, as they are written
    how: str  # how unknown columns are replaced
    scale: str = "prediction"  # what the values add up to: "prediction", "probability", "log odds" or "score"

    @property
    def importance(self) -> Floats:
        """The mean absolute value of each column, over rows: (columns, ...)."""
        return np.asarray(np.abs(self.values).mean(axis=0))

    def of_class(self, label: Any = None) -> tuple[Floats, float]:
        """The values (rows, columns) and the base of one class, by how it is written; None: the last."""
        if self.classes is None:
            if self.values.ndim > 2:
                raise ValueError("of_class needs one target. Got several targets. Use values.")
            return self.values, float(self.base)
        written = self.classes[-1] if label is None else str(label)
        if written not in self.classes:
            raise ValueError(f"label must be one of {', '.join(self.classes[:10])}. Got {label!r}.")
        place = self.classes.index(written)
        return self.values[..., place], float(self.base[place])

    def to_dicts(self, label: Any = None) -> list[dict[str, float]]:
        """One dictionary of column and value per row, of one class (None: the last)."""
        return [dict(zip(self.names, row, strict=True)) for row in self.of_class(label)[0].tolist()]

    def plot(
        self, ax: Any = None, *, row: int | None = None, label: Any = None, max_columns: int = 12
    ) -> Any:
        """Draw the values of one row, or the mean absolute values over all rows.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; None: a new figure.
        row : int, optional
            The number of one row; None: the mean over all rows.
        label : label, optional
            The class; None: the last.
        max_columns : int, default 12
            How many columns to draw, those with the greatest values.

        Returns
        -------
        matplotlib Axes
        """
        from ..column_plots import check_max_columns, plot_bars, plot_contributions

        values, base = self.of_class(label)
        if row is not None and (not is_whole(row) or not 0 <= row < len(values)):
            raise ValueError(f"row must be None or an int in 0..{len(values) - 1}. Got {row!r}.")
        about = "" if self.classes is None else f" (class {self.classes[-1] if label is None else label})"
        if row is not None:
            sizes = dict(zip(self.names, values[row].tolist(), strict=True))
            scale = "prediction" if self.scale == "probability" else self.scale
            return plot_contributions(sizes, base, f"{scale}{about}", max_columns, ax)
        check_max_columns(max_columns)
        means = np.abs(values).mean(axis=0)
        order = [j for j in np.argsort(-means, kind="stable").tolist() if means[j] > 0][:max_columns]
        ax = plot_bars({self.names[j]: float(means[j]) for j in order}, 0.0, ax)
        scale = f" of the {self.scale}" if self.scale in {LOG_ODDS, SCORE} else ""
        ax.set_xlabel(f"mean absolute Shapley value{scale}{about}".replace("$", r"\$"))
        return ax

    def __str__(self) -> str:
        head = f"Shapley values of {counted(len(self.values), 'row')}: {self.how}."
        if self.classes is None and self.values.ndim > 2:
            return f"{head}\nvalues has the shape {self.values.shape}."
        sizes, what = self.importance, self.scale
        if self.classes is not None:
            two = len(self.classes) == 2
            several = "probabilities" if self.scale == PROBABILITY else "scores"
            what = f"{self.scale} of {self.classes[-1]}" if two else f"{several}, summed over classes"
            sizes = sizes[:, -1] if two else sizes.sum(axis=1)
        order = [j for j in np.argsort(-sizes, kind="stable").tolist() if sizes[j] > 0]
        lines = [*wrapped(head, 80), f"Mean absolute contribution of each column to the {what}:"]
        names = {j: cut(self.names[j], 40) for j in order[:MOST]}
        room = max(map(width_of, names.values()), default=0)
        lines += [f"  {padded(name, room)}  {sizes[j]:.4g}" for j, name in names.items()]
        if len(order) > MOST:
            lines.append(f"  … and {len(order) - MOST} more columns")
        if len(order) < len(self.names):
            lines.append(f"{counted(len(self.names) - len(order), 'column')} without any contribution.")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<ShapleyValues: values of shape {self.values.shape}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def shapley_values(model: Any, X: Any, *, background: Any = None, n_jobs: int | None = None) -> ShapleyValues:
    """Compute exactly what each column adds to the prediction of each row.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree, Tree or path
        A fitted tree of treewright, or the path of a model file.
    X : table, dict, or values of one row
        The rows to explain. Columns are found by name where both the model and X have names, else by
        position.
    background : table, optional
        Typical rows: an unknown column has their values, one row after another, and the results are averaged
        (interventional). Without it a row goes down every branch of a test whose column is unknown, by the
        branch's share of the training weight (path dependent).
    n_jobs : int, optional
        How many threads to use; None: all cores.

    Returns
    -------
    ShapleyValues
        For classifiers of the probabilities, for regressors of the number. For logistic leaves of the log
        odds, which are sums of terms as probabilities are not: `scale` says so.

    Notes
    -----
    A node sends a row where `predict` sends it, by a surrogate too, and its own column has the credit. A
    branch that no training row took has no weight; where no branch has any, all have the same.

    A test that combines columns is known where all of its columns are. The values of such a tree are computed
    over all sets of columns: at most 14 on a path, or with background rows 10 in all.

    In a linear leaf an unknown column counts as its mean in the leaf, without background rows. The values add
    up to the prediction (of logistic leaves the log odds) before it is limited to the range of the leaf.
    """
    described = describe(model)
    must_be_crisp(described.tree, "shapley_values")
    if n_jobs is not None and not is_whole(n_jobs):
        raise ValueError(f"n_jobs must be an int or None. Got {n_jobs!r}. None is all cores.")
    tree = described.tree
    if len(tree.pooled) and tree.pooled[0] and tree.shares_rows:
        raise ValueError(
            "shapley_values needs predictions that are means over leaves. Got a tree that smooths rows which "
            "are divided among several leaves. Fit it without smoothing."
        )
    usual = None if background is None else described.model.columns(background)
    if usual is not None and not usual.n_rows:
        raise ValueError("background must have at least one row. Got none. Leave it out, or give some.")
    cover, stopped = covers(tree)
    if tree.leaf_models is not None:
        return _of_linear_leaves(described, X, cover, usual)
    values = tree.prediction.reshape(tree.node_count, -1)
    one_of_two = tree.n_outputs == 1 and values.shape[1] == 2 and np.ptp(values.sum(axis=1)) < 1e-12
    values = np.ascontiguousarray(values[:, 1:] if one_of_two else values)
    if tree.combinations is not None:
        found, base = _of_combined_columns(described, X, background, (values, cover, stopped))
    else:
        columns = described.model.columns(as_table(X))
        found, base = _core.shapley(tree.predictor, columns, cover, stopped, values, usual, threads(n_jobs))
    if one_of_two:  # what one class gains the other loses
        total = tree.prediction[0].sum()
        found, base = np.concatenate([-found, found], axis=2), np.concatenate([total - base, base])
    how = BY_WEIGHT if usual is None else BY_ROWS.format(counted(usual.n_rows, "background row"))
    names, known = tuple(described.words.features), described.words.classes
    classes = tuple(known[0]) if known is not None and len(known) == 1 else None
    scale = "prediction" if tree.classes is None else PROBABILITY
    return ShapleyValues(*_shaped(tree, found, base), names, classes, how, scale)


def _of_combined_columns(
    described: DescribedModel, X: Any, background: Any, game: tuple[Floats, Floats, Floats]
) -> tuple[Floats, Floats]:
    """Those of a tree with tests of several columns; `game` has the values, covers and shares that stop."""
    from .combined import by_rows, by_weight, must_fit

    tree, (values, cover, stopped) = described.tree, game
    must_fit(tree, background is not None)
    columns = described.model.read(as_table(X)).columns
    if background is None:
        return by_weight(tree, columns, values, cover, stopped)
    return by_rows(tree, columns, values, described.model.read(background).columns)


def _of_linear_leaves(
    described: DescribedModel, X: Any, cover: Floats, usual: _core.Columns | None
) -> ShapleyValues:
    """Those of the numbers, or of the log odds: the probability of a logistic leaf is no sum of terms."""
    from .linear import linear_shapley

    tree, words = described.tree, described.words
    found, base = linear_shapley(tree, described.model.columns(as_table(X)), cover, usual)
    how = BY_WEIGHT if usual is None else BY_ROWS.format(counted(usual.n_rows, "background row"))
    link = link_of(tree)
    if link == "logistic":  # what one class gains the other loses
        found, base = np.concatenate([-found, found], axis=2), np.concatenate([-base, base])
    scale = {"identity": "prediction", "logistic": LOG_ODDS}.get(link, SCORE)
    classes = None if words.classes is None else tuple(words.classes[0])
    return ShapleyValues(*_shaped(tree, found, base), tuple(words.features), classes, how, scale)


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
