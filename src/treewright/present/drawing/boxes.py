"""What stands in the box of a node, and its colour: shared by the picture and the Graphviz export."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...tree.tree_text import TreeText, check_count

LABELS = ("all", "root", "none")
WIDTH, NARROW = 32, 18  # letters in a line of a box, or at an arrow, before it is broken


@dataclass(frozen=True)
class Box:
    """What to write in every box; the names and meanings are scikit-learn's."""

    label: str = "all"
    impurity: bool = True
    node_ids: bool = False
    proportion: bool = False
    sign: str = "<="
    max_levels: int | None = 12

    def __post_init__(self) -> None:
        if self.label not in LABELS:
            raise ValueError(f"label must be one of {', '.join(map(repr, LABELS))}. Got {self.label!r}.")
        check_count("max_levels", self.max_levels)

    def lines(self, words: TreeText, node: int) -> list[str]:
        """The lines of one box."""
        named = self.label == "all" or (self.label == "root" and node == 0)
        facts = self._test(words, node)
        if self.impurity:
            facts.append((words.criterion, words.short_number(float(words.tree.impurity[node]))))
        facts.append(("samples", self._samples(words, node)))
        facts.append(("value", self._value(words, node)))
        if words.classes is not None:
            names = [words.predicted(node, output) for output in range(len(words.classes))]
            facts.append(("class", ", ".join(names)))
        lines = [f"{name} = {text}" if named and name else text for name, text in facts]
        return [f"node #{node}" if named else f"#{node}", *lines] if self.node_ids else lines

    def branch_labels(self, words: TreeText, node: int) -> list[str]:
        """What stands at the arrow to each child of a node; of a plain tree True and False at the root."""
        if words.is_leaf(node):
            return []
        labels = [wrapped(text, NARROW) for text in words.branch_labels(node, self.max_levels)]
        plain = node == 0 or bool(words.tree.is_nominal.any())  # other arrows have words: none stays bare
        return labels or (["True", "False"] if plain else [])

    def _test(self, words: TreeText, node: int) -> list[tuple[str, str]]:
        if words.is_leaf(node):
            return []
        text = words.test(node, self.sign, self.max_levels)
        test = [("", wrapped(text) if words.tree.is_nominal[node] else text)]
        missing = self._missing(words, node).replace(" by share (", "\nby share (")
        return [*test, ("", wrapped(missing))] if missing else test

    def _missing(self, words: TreeText, node: int) -> str:
        """Where missing values go, unless an arrow or the common rule says it."""
        where, extra = words.missing_line(node, words.short_number), len(words.surrogates(node))
        if not where and not words.branch_labels(node) and not words.is_presence_test(node):
            shown = extra or words.shows_missing(node)
            where = f"goes {'right' if words.tree.missing_child[node] else 'left'}" if shown else ""
        if extra:
            then = where.removeprefix("goes ") or "as the arrows say"
            return f"missing goes by {extra} surrogate{'' if extra == 1 else 's'},\nthen {then}"
        return f"missing {where}" if where else ""

    def _samples(self, words: TreeText, node: int) -> str:
        rows = words.tree.n_node_samples
        return f"{100 * rows[node] / rows[0]:.1f}%" if self.proportion else str(int(rows[node]))

    def _value(self, words: TreeText, node: int) -> str:
        if words.classes is None:
            values = [words.number(value) for value in words.tree.prediction[node, :, 0]]
            return values[0] if len(values) == 1 else f"[{', '.join(values)}]"
        parts = []
        for output, names in enumerate(words.classes):
            shares = words.tree.prediction[node, output, : len(names)]
            shown = shares if self.proportion else words.weights(node, output)
            parts.append(f"[{', '.join(words.short_number(number) for number in shown)}]")
        return parts[0] if len(parts) == 1 else f"[{', '.join(parts)}]"


def wrapped(text: str, width: int = WIDTH) -> str:
    """A long list of levels or shares on several lines."""
    lines = [""]
    for part in text.split(", "):
        if lines[-1] and len(lines[-1]) + len(part) > width:
            lines.append("")
        lines[-1] += (", " if lines[-1] else "") + part
    return ",\n".join(lines)


def colours(words: TreeText) -> list[str]:
    """A colour per node, as #rrggbb: the hue is the class, the strength how sure the node is.

    Trees with numbers in their leaves go from white (lowest) to full (highest); several outputs are shown by
    impurity, the purest strongest.
    """
    value = words.tree.prediction
    if value.shape[1] > 1:
        return [_blend(0, 1, strength) for strength in _unit(-words.tree.impurity)]
    if words.classes is None:
        return [_blend(0, 1, strength) for strength in _unit(value[:, 0, 0])]
    shares = value[:, 0, : len(words.classes[0])]
    if shares.shape[1] == 1:
        return [_blend(0, 1, 0.0)] * len(shares)
    winner = words.tree.label[:, 0]
    first = shares[np.arange(len(shares)), winner]
    others = np.where(np.arange(shares.shape[1]) == winner[:, np.newaxis], -np.inf, shares)
    second = others.max(axis=1)
    margin = np.maximum(first - second, 0) / np.maximum(1 - second, 1e-12)  # costs may choose a lighter class
    return [_blend(int(k), shares.shape[1], strength) for k, strength in zip(winner, margin, strict=True)]


def _unit(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Numbers moved and scaled to 0..1; all 0 where they are equal."""
    low, high = numbers.min(), numbers.max()
    return np.asarray((numbers - low) / (high - low) if high > low else np.zeros(len(numbers)))


def _blend(k: int, n: int, strength: float) -> str:
    """The k-th of n hues, laid over white."""
    hue = colorsys.hsv_to_rgb((25 / 360 + k / n) % 1, 0.6, 0.95)
    red, green, blue = (round(255 * (strength * part + 1 - strength)) for part in hue)
    return f"#{red:02x}{green:02x}{blue:02x}"
