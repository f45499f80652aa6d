"""The prediction that a counterfactual must reach: another class, a given class, or an interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...tree.tree import Tree
from ..described_model import DescribedModel

REGRESSION = (
    'target must be ("above", number), ("below", number) or an interval (low, high), as the model predicts '
    "numbers."
)


@dataclass(frozen=True)
class TargetSpec:
    """Classes by their places, or an interval, which includes its ends unless `open_ends`."""

    output: int
    text: str
    classes: frozenset[int] | None
    low: float = -math.inf
    high: float = math.inf
    open_ends: bool = False

    def good(self, tree: Tree) -> NDArray[np.bool_]:
        """Which nodes have a wanted prediction."""
        if self.classes is not None:
            wanted = np.isin(tree.label[:, self.output], list(self.classes))
            return np.asarray(wanted & ~tree.predicts_nothing)
        return np.asarray(self._within(tree.prediction[:, self.output, 0]))

    def is_met(self, tree: Tree, columns: _core.Columns) -> bool:
        """Whether one row has a wanted prediction."""
        if self.classes is not None:
            return int(tree.labels(columns)[0, self.output]) in self.classes
        found = tree.predict(columns).reshape(tree.n_outputs, -1)[self.output, 0]
        return bool(self._within(found))

    def _within(self, numbers: Any) -> Any:
        if self.open_ends:
            return (numbers > self.low) & (numbers < self.high)
        return (numbers >= self.low) & (numbers <= self.high)


def target_spec(model: DescribedModel, target: Any, output: int, decided: int) -> TargetSpec:
    """The predictions that are wanted; `decided` is the place of the class that is predicted now."""
    if model.words.classes is None or model.labels is None:
        return _of_numbers(target, output)
    names = model.words.classes[output]
    if target is None:
        others = frozenset(range(len(names))) - {decided}
        only = f"be {names[min(others)]}" if len(others) == 1 else "be another class"
        return TargetSpec(output, only if decided >= 0 else "be any class", others)
    place = model.place_of(target, output, "target")
    return TargetSpec(output, f"be {names[place]}", frozenset({place}))


def _of_numbers(target: Any, output: int) -> TargetSpec:
    if not isinstance(target, tuple | list) or len(target) != 2:
        raise ValueError(f"{REGRESSION} Got {target!r}.")
    first, second = target
    if first in ("above", "below") and _is_number(second):
        bound = float(second)
        ends = {"low": bound} if first == "above" else {"high": bound}
        return TargetSpec(output, f"be {first} {bound:.6g}", None, open_ends=True, **ends)
    if _is_number(first) and _is_number(second) and first <= second:
        return TargetSpec(output, f"be in {first:.6g} to {second:.6g}", None, float(first), float(second))
    raise ValueError(f"{REGRESSION} Got {target!r}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and not math.isnan(value)
