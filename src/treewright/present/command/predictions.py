"""Predictions of a model file for the rows of a table. Numpy and polars only, no scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.threads import threads
from .failures import bad_data

if TYPE_CHECKING:
    from ...learn.fitted_tree import FittedTree

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class RowPredictions:
    """For every row its leaf, its class and its probabilities or number."""

    model: FittedTree
    leaf: Array
    label: Array  # (rows, outputs): places of classes
    shares: Array  # (rows, outputs, classes): probabilities, or one number

    @cached_property
    def classes(self) -> list[list[Any]] | None:
        """The labels of every output; None for numbers."""
        return [labels.tolist() for labels in self.model.classes] or None

    @property
    def n_outputs(self) -> int:
        """How many targets are predicted."""
        return int(self.model.tree.n_outputs)

    def prediction(self, output: int = 0) -> Any:
        """The label or the number of every row."""
        if self.classes is None:
            return np.ascontiguousarray(self.shares[:, output, 0])
        return gathered(self.classes[output], self.label[:, output])

    def probability(self, output: int = 0) -> Array:
        """That of the predicted class."""
        return np.asarray(self.shares[np.arange(len(self.leaf)), output, self.label[:, output]])

    def rules(self) -> Any:
        """The rule of the leaf of each row, as text."""
        from ...interpret.rules import rules

        text = {node: str(rule.text) for rule in rules(self.model) for node in rule.leaves}
        nodes, place = np.unique(self.leaf, return_inverse=True)
        return gathered([text.get(int(node), "") for node in nodes], place)


def gathered(values: list[Any], places: Array) -> Any:
    """Some of a few values, as a column; labels of several types become text."""
    import polars as pl

    try:
        few = pl.Series(values)
    except (TypeError, pl.exceptions.PolarsError):
        few = pl.Series([str(value) for value in values])
    if not (places < 0).any():
        return few.gather(pl.Series(places.astype(np.uint32)))
    return few.gather(pl.Series([None if place < 0 else place for place in places.tolist()]))  # no answer


def predict_rows(saved: FittedTree, frame: Any) -> RowPredictions:
    """Read the columns of the model, and predict."""
    with bad_data():
        columns, n_threads = saved.columns(frame), threads(None)
    tree = saved.tree
    leaf = tree.apply(columns, n_threads)
    if tree.shares_rows or tree.answers_nothing.any():
        label = tree.labels(columns, n_threads)
        shares = tree.predict(columns, n_threads).reshape(len(leaf), tree.n_outputs, tree.max_n_classes)
    else:
        label, shares = tree.label[leaf], tree.prediction[leaf]
    return RowPredictions(saved, leaf, label, shares)
