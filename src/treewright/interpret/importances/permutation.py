"""What is lost if the values of a column are shuffled among the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.columns import from_columns
from ...data.values import Column
from ...learn.losses import mean_losses
from ..described_model import DescribedModel, describe

Floats = NDArray[np.float64]


def shuffle_increases(
    columns: list[Column],
    places: Iterable[int],
    losses: Callable[[list[Column]], Floats],
    repeats: int,
    rng: np.random.Generator,
) -> Iterator[tuple[int, Floats]]:
    """By how much losses increase when one of these columns is shuffled, once for every column and repeat."""
    before = losses(columns)
    for j in places:
        for _ in range(repeats):
            mixed = columns[j].take(rng.permutation(len(columns[j].values)))
            yield j, losses([*columns[:j], mixed, *columns[j + 1 :]]) - before


@dataclass(frozen=True)
class ShuffleEvaluation:
    """How a tree is evaluated: by a loss, with the classes and costs of the model in question."""

    model: DescribedModel
    loss: str
    repeats: int

    def increases(self, model: Any, X: Any, truth: NDArray[Any], rng: np.random.Generator) -> Floats:
        """By how much the loss of each row increases if a column is shuffled, the mean of all repeats.

        `truth` has numbers, or the places of the classes in the model in question. The shape is (columns,
        rows). A column that no test uses has 0.
        """
        evaluated = describe(model)
        tree, columns = evaluated.tree, evaluated.model.read(X).columns
        found = np.zeros((tree.n_features, len(truth)))
        losses = partial(self._losses, evaluated, truth[:, None])
        for j, increase in shuffle_increases(columns, tree.used, losses, self.repeats, rng):
            found[j] += increase
        return found / self.repeats

    def _losses(self, evaluated: DescribedModel, truth: NDArray[Any], columns: list[Column]) -> Floats:
        predicted = evaluated.tree.predict(from_columns(columns, len(truth)))
        values = predicted.reshape(len(truth), 1, -1)
        if self.model.labels is not None and evaluated.labels is not None:
            wide = np.zeros((len(truth), 1, len(self.model.labels[0])))
            wide[:, :, [self.model.labels[0].index(label) for label in evaluated.labels[0]]] = values
            values = wide
        return mean_losses(self.loss, values, truth, self.model.tree.costs)
