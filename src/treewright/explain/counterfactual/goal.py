"""What a counterfactual is to lead to: another class, this class, or a number in an interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.common.hints import nearest
from ...tree.tree import Tree
from ..subject import Subject

REGRESSION = (
    'target must be ("above", number), ("below", number) or an interval (low, high), as the model predicts '
    "numbers."
)


@dataclass(frozen=True)
class Goal:
    """Classes by their places, or an interval; an end of it belongs to it unless `open_ends`."""

    output: int
    words: str
    classes: frozenset[int] | None
    low: float = -math.inf
    high: float = math.inf
    open_ends: bool = False

    def good(self, tree: Tree) -> NDArray[np.bool_]:
        """Which nodes answer what is wanted."""
        if self.classes is not None:
            wanted = np.isin(tree.label[:, self.output], list(self.classes))
            return np.asarray(wanted & ~tree.answers_nothing)
        return np.asarray(self._within(tree.prediction[:, self.output, 0]))

    def is_met(self, tree: Tree, columns: _core.Columns) -> bool:
        """Whether one row is predicted what is wanted."""
        if self.classes is not None:
            return int(tree.labels(columns)[0, self.output]) in self.classes
        found = tree.predict(columns).reshape(tree.n_outputs, -1)[self.output, 0]
        return bool(self._within(found))

    def _within(self, numbers: Any) -> Any:
        if self.open_ends:
            return (numbers > self.low) & (numbers < self.high)
        return (numbers >= self.low) & (numbers <= self.high)


def goal_of(subject: Subject, target: Any, output: int, decided: int) -> Goal:
    """What is asked for; `decided` is the place of the class that is predicted now."""
    if subject.words.classes is None:
        return _of_numbers(target, output)
    assert subject.labels is not None
    labels, names = subject.labels[output], subject.words.classes[output]
    if target is None:
        rest = frozenset(range(len(labels))) - {decided}
        only = f"be {names[min(rest)]}" if len(rest) == 1 else "be anything else"
        return Goal(output, only, rest)
    for place, label in enumerate(labels):
        if label == target or str(label) == str(target):
            return Goal(output, f"be {names[place]}", frozenset({place}))
    hint = nearest(target, labels) or f" It has {', '.join(map(repr, labels[:10]))}."
    raise ValueError(f"target must be a class of the model. Got {target!r}.{hint}")


def _of_numbers(target: Any, output: int) -> Goal:
    if not isinstance(target, tuple | list) or len(target) != 2:
        raise ValueError(f"{REGRESSION} Got {target!r}.")
    first, second = target
    if first in ("above", "below") and _is_number(second):
        bound = float(second)
        ends = {"low": bound} if first == "above" else {"high": bound}
        return Goal(output, f"be {first} {bound:.6g}", None, open_ends=True, **ends)
    if _is_number(first) and _is_number(second) and first <= second:
        return Goal(output, f"be in {first:.6g} to {second:.6g}", None, float(first), float(second))
    raise ValueError(f"{REGRESSION} Got {target!r}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and not math.isnan(value)
