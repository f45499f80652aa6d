"""The card of a node: its test or prediction, a bar, and its number of training rows."""

from __future__ import annotations

from dataclasses import dataclass

from ...data.common.numbers import percent
from ...data.common.plural import counted
from .bars import Bars
from .card_labels import CardLabels
from .colours import class_role
from .letters import BOLD, cut, cut_name, width_of
from .shapes import Curve, Group, Rect, Shape, Text

WIDTH, EDGE = 212.0, 12.0  # of a card, and of its margin at both sides
TITLE, SMALL = 13.0, 11.0  # sizes of letters
TITLES = TITLE * BOLD  # what a bold title counts as, where its width is measured
LINE = 16.0  # of small letters
ROOM = WIDTH - 2 * EDGE


@dataclass(frozen=True)
class Cards:
    """How every card of a tree is made; they are all of one size."""

    labels: CardLabels
    bars: Bars
    shows_missing: bool  # whether there is a line for what becomes of missing values

    @property
    def height(self) -> float:
        """Of a card."""
        lines = self.shows_missing + bool(self.labels.again)
        return 28 + self.bars.height + 22 + LINE * lines

    def group(self, node: int, x: float, y: float, hidden: int) -> Group:
        """The shapes of a card whose upper left corner is here."""
        labels, is_leaf = self.labels, self.labels.full.is_leaf(node)
        shapes: list[Shape] = []
        if hidden:  # a pile of cards
            shapes += [Rect(x + by, y + by, WIDTH, self.height, "card", 8, "line") for by in (6, 3)]
        shapes.append(Rect(x, y, WIDTH, self.height, "leaf" if is_leaf else "card", 8, "line"))
        shapes += self._prediction(node, x, y) if is_leaf else self._test(node, x, y)
        shapes += self.bars.shapes(node, x + EDGE, y + 28)
        base = y + 28 + self.bars.height + 15
        shapes += self._below(node, x + EDGE, base)
        missing = "" if is_leaf else labels.missing(node)
        if missing:
            base, start = base + LINE, x + EDGE
            begin, first, second, end = ((start + right, base - 4) for right in (0, 5, 11, 16))
            shapes.append(Curve((begin, first, second, end), "missing", 1.5, dashed=True))
            shapes.append(Text(start + 21, base, cut(missing, ROOM - 21, SMALL), "faint", SMALL))
        again = labels.stability(node)
        if again:
            shapes.append(Text(x + EDGE, base + LINE, again, "faint", SMALL))
        tip = labels.tooltip(node) + (f"\n{counted(hidden, 'node')} below, not shown" if hidden else "")
        return Group("node", shapes, tip, node)

    def _test(self, node: int, x: float, y: float) -> list[Shape]:
        name, rest = self.labels.test(node)
        if self.labels.tree.is_nominal[node] and width_of(name + rest, TITLES) > ROOM:
            rest = ""  # the lines to the children have the levels
        return [Text(x + EDGE, y + 19, cut_name(name, rest, ROOM, TITLES), "text", TITLE, bold=True)]

    def _prediction(self, node: int, x: float, y: float) -> list[Shape]:
        labels = self.labels
        certainty, prediction = labels.certainty(node), labels.prediction(node)
        room = ROOM - (width_of(certainty, 12) + 6 if certainty else 0)
        found: list[Shape] = [Text(x + EDGE, y + 19, cut(prediction, room, TITLES), "text", TITLE, bold=True)]
        if certainty:
            found.append(Text(x + WIDTH - EDGE, y + 19, certainty, "text", 12, anchor="end"))
        if labels.tree.n_outputs == 1 and not labels.tree.predicts_nothing[node]:
            number = int(labels.tree.label[node, 0]) if self.bars.has_colours() else 0
            found.insert(0, Rect(x + 4, y + 8, 3, self.height - 16, class_role(number), 1.5))
        return found

    def _below(self, node: int, x: float, base: float) -> list[Shape]:
        """The rows at the left; at the right what they mostly are, or their share of all."""
        labels = self.labels
        rows = cut(labels.rows(node), ROOM, SMALL)
        found: list[Shape] = [Text(x, base, rows, "faint", SMALL)] if rows else []
        room = ROOM - (width_of(rows, SMALL) + 10 if rows else 0)
        if labels.full.is_leaf(node):
            right = f"{percent(labels.share(node))} of all" if rows else ""
        else:
            certainty = "" if labels.full.classes is None else labels.certainty(node)
            sure = f": {certainty}" if certainty else ""
            right = cut_name(labels.prediction(node), sure, room, SMALL) if room > 40 else ""
        if right and width_of(right, SMALL) <= room:
            found.append(Text(x + ROOM, base, right, "faint", SMALL, anchor="end"))
        return found
