"""The bar on a card: class probabilities, or where the predicted number lies among all predictions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from typing import Any

import numpy as np

from .card_labels import CardLabels
from .colours import CLASSES, class_role
from .shapes import Rect, Shape

HIGH, APART = 8.0, 3.0  # of one bar, and between those of several outputs
GAP = 1.0  # between two shares, if both are broad enough to be seen
MOST_OUTPUTS = 4
MOST_SHARES = 12  # of classes without colours of their own


@dataclass(frozen=True)
class Bars:
    """The bars of a tree: their colours and scales are the same on every card."""

    labels: CardLabels
    width: float

    @property
    def n_outputs(self) -> int:
        """How many outputs have a bar; others have none."""
        return min(self.labels.tree.n_outputs, MOST_OUTPUTS)

    @property
    def height(self) -> float:
        """Of all bars of one card."""
        return HIGH * self.n_outputs + APART * (self.n_outputs - 1)

    def has_colours(self, output: int = 0) -> bool:
        """Whether each class of an output has a colour of its own."""
        classes = self.labels.full.classes
        return classes is not None and len(classes[output]) <= CLASSES

    def shapes(self, node: int, x: float, y: float) -> list[Shape]:
        """The bars of one node."""
        bar = self._scale if self.labels.full.classes is None else self._shares
        tops = (y + output * (HIGH + APART) for output in range(self.n_outputs))
        return [shape for output, top in enumerate(tops) for shape in bar(node, output, x, top)]

    # -- classes

    def shares(self, node: int, output: int = 0) -> list[tuple[str, float]]:
        """Colours and class probabilities, which sum to 1; nothing if the node predicts no class."""
        assert self.labels.full.classes is not None
        tree = self.labels.tree
        each = tree.prediction[node, output, : len(self.labels.full.classes[output])]
        if not each.sum() > 0:
            return []
        each = each / each.sum()
        if self.has_colours(output):
            return [(class_role(k), float(share)) for k, share in enumerate(each) if share > 0]
        chosen = int(tree.label[node, output])
        order = [k for k in np.argsort(-each, kind="stable").tolist() if k != chosen and each[k] > 0]
        found = [("class_0", float(each[chosen]))] if each[chosen] > 0 else []
        grey = cycle(("rest", "rest_2"))
        found += [(next(grey), float(each[k])) for k in order[:MOST_SHARES]]
        rest = float(each[order[MOST_SHARES:]].sum())
        return [*found, ("empty", rest)] if rest > 0 else found

    def _shares(self, node: int, output: int, x: float, y: float) -> list[Shape]:
        found: list[Shape] = []
        parts = self.shares(node, output)
        if not parts:
            return [Rect(x, y, self.width, HIGH, "empty", 2)]
        for at, (role, share) in enumerate(parts):
            width = share * self.width
            gap = GAP if at < len(parts) - 1 and width > 3 * GAP else 0.0
            found.append(Rect(x, y, width - gap, HIGH, role, 1.5 if width > 4 else 0))
            x += width
        return found

    # -- numbers

    @cached_property
    def spans(self) -> list[tuple[float, float]]:
        """For each output, where its scale begins and ends."""
        return [self._span(output) for output in range(self.n_outputs)]

    def _span(self, output: int) -> tuple[float, float]:
        """The least and the greatest number of any node, with the spread of the root around its own."""
        numbers = self.labels.tree.prediction[:, output, 0]
        numbers = numbers[np.isfinite(numbers)]
        if not len(numbers):
            return 0.0, 0.0
        low, high = float(numbers.min()), float(numbers.max())
        spread, middle = self.labels.spread(0), float(self.labels.tree.prediction[0, output, 0])
        if spread is not None and math.isfinite(middle + spread):
            low, high = min(low, middle - spread), max(high, middle + spread)
        return low, high

    def at(self, number: float, output: int) -> float:
        """Where a number stands on its scale: from 0 to 1; midway where all are equal."""
        low, high = self.spans[output]
        if not high > low or math.isnan(number):
            return 0.5
        return float(np.clip(number / (high - low) - low / (high - low), 0.0, 1.0))

    def _scale(self, node: int, output: int, x: float, y: float) -> list[Shape]:
        """A ground from the least to the greatest number, the spread of the node, and a mark."""
        number, spread = float(self.labels.tree.prediction[node, output, 0]), self.labels.spread(node)
        place = self.at(number, output) * self.width
        found: list[Any] = [Rect(x, y + 2, self.width, HIGH - 4, "empty", 2)]
        if spread:
            low, high = (self.at(number + sign * spread, output) * self.width for sign in (-1, 1))
            found.append(Rect(x + low, y + 2, high - low, HIGH - 4, "spread", 2))
        middle = self.at(float(self.labels.tree.prediction[0, output, 0]), output) * self.width
        found.append(Rect(x + middle - 0.5, y - 1, 1, HIGH + 2, "faint"))
        found.append(Rect(x + min(max(place - 2, 0), self.width - 4), y - 1, 4, HIGH + 2, "class_0", 2))
        return found
