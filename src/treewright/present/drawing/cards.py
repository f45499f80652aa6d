"""The card of a node: its question or answer, a bar, and how many rows came to it."""

from __future__ import annotations

from dataclasses import dataclass

from ...data.common.plural import counted
from .bars import Bars
from .card_text import Told, percent
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

    told: Told
    bars: Bars
    says_missing: bool  # whether there is a line for what becomes of missing values

    @property
    def height(self) -> float:
        """Of a card."""
        return 28 + self.bars.height + 22 + (LINE if self.says_missing else 0)

    def group(self, node: int, x: float, y: float, hidden: int) -> Group:
        """The shapes of a card whose upper left corner is here."""
        told, is_leaf = self.told, self.told.full.is_leaf(node)
        shapes: list[Shape] = []
        if hidden:  # a pile of cards
            shapes += [Rect(x + 6, y + 6, WIDTH, self.height, "card", 8, "line")]
            shapes += [Rect(x + 3, y + 3, WIDTH, self.height, "card", 8, "line")]
        shapes.append(Rect(x, y, WIDTH, self.height, "leaf" if is_leaf else "card", 8, "line"))
        shapes += self._answer(node, x, y) if is_leaf else self._question(node, x, y)
        shapes += self.bars.shapes(node, x + EDGE, y + 28)
        base = y + 28 + self.bars.height + 15
        shapes += self._below(node, x + EDGE, base)
        missing = "" if is_leaf else told.missing(node)
        if missing:
            base += LINE
            start = x + EDGE
            points = (
                (start, base - 4),
                (start + 5, base - 4),
                (start + 11, base - 4),
                (start + 16, base - 4),
            )
            shapes.append(Curve(points, "missing", 1.5, dashed=True))
            shapes.append(Text(start + 21, base, cut(missing, ROOM - 21, SMALL), "faint", SMALL))
        tip = told.tooltip(node) + (f"\n{counted(hidden, 'node')} below, not shown" if hidden else "")
        return Group("node", shapes, tip, node)

    def _question(self, node: int, x: float, y: float) -> list[Shape]:
        name, rest = self.told.test(node)
        if self.told.tree.is_nominal[node] and width_of(name + rest, TITLES) > ROOM:
            rest = ""  # the lines to the children have the levels
        return [Text(x + EDGE, y + 19, cut_name(name, rest, ROOM, TITLES), "ink", TITLE, bold=True)]

    def _answer(self, node: int, x: float, y: float) -> list[Shape]:
        told = self.told
        sure, answer = told.sure(node), told.answer(node)
        room = ROOM - (width_of(sure, 12) + 6 if sure else 0)
        found: list[Shape] = [Text(x + EDGE, y + 19, cut(answer, room, TITLES), "ink", TITLE, bold=True)]
        if sure:
            found.append(Text(x + WIDTH - EDGE, y + 19, sure, "ink", 12, anchor="end"))
        if told.tree.n_outputs == 1 and not told.tree.answers_nothing[node]:
            number = int(told.tree.label[node, 0]) if self.bars.has_colours() else 0
            found.insert(0, Rect(x + 4, y + 8, 3, self.height - 16, class_role(number), 1.5))
        return found

    def _below(self, node: int, x: float, base: float) -> list[Shape]:
        """The rows at the left; at the right what they mostly are, or their share of all."""
        told = self.told
        rows = cut(told.rows(node), ROOM, SMALL)
        found: list[Shape] = [Text(x, base, rows, "faint", SMALL)] if rows else []
        room = ROOM - (width_of(rows, SMALL) + 10 if rows else 0)
        if told.full.is_leaf(node):
            right = f"{percent(told.share(node))} of all" if rows else ""
        else:
            sure = f": {told.sure(node)}" if told.full.classes is not None and told.sure(node) else ""
            right = cut_name(told.answer(node), sure, room, SMALL) if room > 40 else ""
        if right and width_of(right, SMALL) <= room:
            found.append(Text(x + ROOM, base, right, "faint", SMALL, anchor="end"))
        return found
