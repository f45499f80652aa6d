"""The scene: where cards and lines stand, downwards or to the right, whichever is narrower."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...data.common.plural import counted
from .cards import SMALL, WIDTH, Cards
from .collapse import Places
from .layout import layout
from .letters import cut, width_of
from .shapes import Curve, Group, Point, Rect, Shape, Text

MARGIN = 20.0
COMFORTABLE = 1100.0  # pixels across: a tree as narrow as this is drawn downwards
WIDEST, THIN = 22.0, 3.0  # the line of all rows; one that needs a core to be seen


@dataclass(frozen=True)
class Plan:
    """Where every place of a drawing stands."""

    cards: Cards
    places: Places
    down: bool
    top: float = 0.0

    @cached_property
    def _spots(self) -> list[Point]:
        """The upper left corner of each card."""
        across, level = layout(self.places.first_child, self.places.n_children)
        side, step = self._pitches
        x, y = (side * across, step * level) if self.down else (step * level, side * across)
        return [*zip((MARGIN + x).tolist(), (self.top + y).tolist(), strict=True)]

    @property
    def _pitches(self) -> tuple[float, float]:
        """From a card to the next beside it, and to the next level."""
        height = self.cards.height
        if self.down:
            return WIDTH + 20, height + 66
        return height + (20 if self._folds else 14), WIDTH + 118

    @cached_property
    def _folds(self) -> bool:
        """Whether there is a pile of cards."""
        return bool(self.places.hidden.any())

    @property
    def width(self) -> float:
        """Of the tree, with margins."""
        return max(x for x, _ in self._spots) + WIDTH + MARGIN

    @property
    def bottom(self) -> float:
        """Where the lowest card ends."""
        return max(y for _, y in self._spots) + self.cards.height + (10 if self._folds else 0)

    def groups(self) -> list[Group]:
        """Lines first, so that cards and words lie over them."""
        below = range(1, len(self.places))
        edges = [self._edge(place) for place in below]
        labels = [self._label(place) for place in below if not self.places.is_more[place]]
        cards = [self._card(place) for place in range(len(self.places))]
        return [*edges, *labels, *cards]

    # -- cards

    def _card(self, place: int) -> Group:
        x, y = self._spots[place]
        hidden = int(self.places.hidden[place])
        if self.places.is_more[place]:
            return self._more(place, x, y)
        node = int(self.places.node[place])
        group = self.cards.group(node, x, y, hidden)
        if hidden:
            text, base = f"+ {counted(hidden, 'node')}", y + self.cards.height + 9
            group.shapes.extend(_chip(text, x + WIDTH / 2, base))
        return group

    def _more(self, place: int, x: float, y: float) -> Group:
        """In place of the branches for which there is no room."""
        node, hidden = int(self.places.node[place]), int(self.places.hidden[place])
        shown = int(self.places.n_children[self.places.parent[place]]) - 1
        branches = int(self.cards.labels.tree.n_children[node]) - shown
        middle = y + self.cards.height / 2
        shapes: list[Shape] = [
            Rect(x, y, WIDTH, self.cards.height, "paper", 8, "line"),
            Text(x + WIDTH / 2, middle - 2, f"{branches:,} more branches", "text", 12, anchor="middle"),
            Text(x + WIDTH / 2, middle + 14, f"+ {counted(hidden, 'node')}", "faint", SMALL, anchor="middle"),
        ]
        return Group("more", shapes, "Branches with fewer rows, not shown")

    # -- lines

    def _edge(self, place: int) -> Group:
        labels, parent = self.cards.labels, int(self.places.parent[place])
        node, branch = int(self.places.node[parent]), int(self.places.branch[place])
        points = self._course(place, parent)
        width = self.line_widths[place]
        dashed = branch >= 0 and labels.dashed(node)[branch]
        shapes: list[Shape] = [Curve(points, "band", width)]
        if dashed or width < THIN:
            shapes.append(Curve(points, "missing" if dashed else "line", 1.5 if dashed else 1, dashed))
        return Group("edge", shapes, node=int(self.places.node[place]) if branch >= 0 else None)

    def _label(self, place: int) -> Group:
        """The condition of a branch, on its line, just before the card."""
        labels, branch = self.cards.labels, int(self.places.branch[place])
        node = int(self.places.node[self.places.parent[place]])
        text, full = (texts[branch] for texts in self._branch_labels[node])
        shown = cut(text, WIDTH + 4 if self.down else 104.0, SMALL)
        x, y = self._spots[place]
        if self.down:
            shapes = _chip(shown, x + WIDTH / 2, y - 13)
        else:
            shapes = _chip(shown, x - 10 - width_of(shown, SMALL) / 2, y + self.cards.height / 2 + 4)
        return Group("label", shapes, f"{labels.full.feature(node)} {full}")

    @cached_property
    def _branch_labels(self) -> dict[int, tuple[list[str], list[str]]]:
        """In brief and in full, what leads to each child of the nodes that are opened."""
        labels, inner = self.cards.labels, self.places.node[self.places.n_children > 0].tolist()
        return {node: (labels.branch_labels(node), labels.branch_labels(node, brief=False)) for node in inner}

    @cached_property
    def line_widths(self) -> list[float]:
        """Of the line to each place; that to the first is not drawn."""
        return [WIDEST, *(self._line_width(place) for place in range(1, len(self.places)))]

    def _line_width(self, place: int) -> float:
        """By the share of all rows; of further branches, what the others leave."""
        labels, parent = self.cards.labels, int(self.places.parent[place])
        if not labels.full.counts_rows:
            return 3.0
        share = labels.share(int(self.places.node[place]))
        if self.places.is_more[place]:
            first, count = int(self.places.first_child[parent]), int(self.places.n_children[parent])
            others = (labels.share(int(self.places.node[k])) for k in range(first, first + count - 1))
            share = max(share - sum(others), 0.0)
        return max(WIDEST * share, 1.0)

    def _course(self, place: int, parent: int) -> tuple[Point, Point, Point, Point]:
        """From the side of the parent, where the lines of its children lie side by side, to the child."""
        first, count = int(self.places.first_child[parent]), int(self.places.n_children[parent])
        widths = self.line_widths[first : first + count]
        offset = sum(widths[: place - first]) + widths[place - first] / 2 - sum(widths) / 2
        (x0, y0), (x1, y1) = self._spots[parent], self._spots[place]
        height = self.cards.height
        if self.down:
            start, end = (x0 + WIDTH / 2 + offset, y0 + height), (x1 + WIDTH / 2, y1)
            pull = (end[1] - start[1]) * 0.55
            return start, (start[0], start[1] + pull), (end[0], end[1] - pull), end
        start, end = (x0 + WIDTH, y0 + height / 2 + offset), (x1, y1 + height / 2)
        pull = (end[0] - start[0]) * 0.45
        return start, (start[0] + pull, start[1]), (end[0] - pull, end[1]), end


def _chip(text: str, x: float, base: float) -> list[Shape]:
    """Text in the middle of a strip of paper, so that no line crosses them."""
    long = width_of(text, SMALL)
    strip = Rect(x - long / 2 - 4, base - 12, long + 8, 16, "paper", 8)
    return [strip, Text(x, base, text, "text", SMALL, anchor="middle")]


def planned(cards: Cards, places: Places, direction: str, top: float) -> Plan:
    """Downwards if that is narrow enough, or narrower than to the right, unless the user chooses."""
    down, right = Plan(cards, places, True, top), Plan(cards, places, False, top)
    if direction != "auto":
        return down if direction == "down" else right
    return down if down.width <= max(COMFORTABLE, right.width) else right
