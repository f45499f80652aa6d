"""What a model of a file says of the rows of a table. Numpy and polars only, no scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.threads import threads
from .failures import bad_data

if TYPE_CHECKING:
    from ...learn.fitted_tree import FittedTree
    from ...tree.tree import Tree

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class RowPredictions:
    """The leaf of every row, its label and what is predicted there."""

    tree: Tree
    leaf: Array
    label: Array  # (rows, outputs): places of classes
    shares: Array  # (rows, outputs, classes): probabilities, or one number
    classes: list[list[Any]] | None  # of every output; None for numbers
    names: Sequence[str] | None  # of the columns

    @property
    def n_outputs(self) -> int:
        """How many targets are predicted."""
        return int(self.tree.n_outputs)

    def prediction(self, output: int = 0) -> Any:
        """The label or the number of every row."""
        if self.classes is None:
            return np.ascontiguousarray(self.shares[:, output, 0])
        return taken(self.classes[output], self.label[:, output])

    def probability(self, output: int = 0) -> Array:
        """That of the predicted class."""
        return np.asarray(self.shares[np.arange(len(self.leaf)), output, self.label[:, output]])

    def rules(self) -> Any:
        """The rule in words of the node where each row ends."""
        from ...explain.rules import rules

        book = rules(self.tree, feature_names=self.names)
        text = {node: str(rule.text) for rule in book for node in rule.leaves}
        nodes, place = np.unique(self.leaf, return_inverse=True)
        return taken([text.get(int(node), "") for node in nodes], place)


def taken(values: list[Any], places: Array) -> Any:
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
    """Read the columns that the model needs, and let the tree answer."""
    with bad_data():
        columns, n_threads = saved.columns(frame), threads(None)
    tree = saved.tree
    leaf = tree.apply(columns, n_threads)
    if tree.shares_rows or tree.answers_nothing.any():
        label = tree.labels(columns, n_threads)
        shares = tree.predict(columns, n_threads).reshape(len(leaf), tree.n_outputs, tree.max_n_classes)
    else:
        label, shares = tree.label[leaf], tree.prediction[leaf]
    return RowPredictions(tree, leaf, label, shares, classes_of(tree), names_of(saved))


def classes_of(tree: Tree) -> list[list[Any]] | None:
    """The labels of every output."""
    if tree.classes is None:
        return None
    several = tree.classes if tree.n_outputs > 1 else [tree.classes]
    return [np.asarray(labels).tolist() for labels in several]


def names_of(saved: FittedTree) -> list[str] | None:
    """The names of the columns, if the model knows some."""
    found = saved.tree.feature_names
    return None if found is None else list(map(str, found))
