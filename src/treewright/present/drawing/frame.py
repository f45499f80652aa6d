"""The title and the legend above the tree, and the notes below it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...data.common.numbers import figure
from ...data.common.plural import counted
from ...interpret.described_model import COSTS
from ...tree.walks import tested_columns
from ..text.export_text import HIDDEN, rules_of
from .bars import MOST_OUTPUTS, Bars
from .card_labels import CardLabels
from .collapse import Places
from .colours import class_role
from .letters import BOLD, cut, lines_of, width_of
from .scene import MARGIN
from .shapes import Group, Rect, Shape, Text

HEADING, PLAIN = 16.0, 12.0
LINE = 18.0
LEAST = 460.0  # pixels across, so that sentences have room


@dataclass(frozen=True)
class Frame:
    """The texts around a tree."""

    labels: CardLabels
    bars: Bars
    places: Places
    title: str

    @property
    def size(self) -> str:
        """How large the tree is."""
        tree = self.labels.tree
        used = len(tested_columns(tree))
        parts = [counted(tree.n_leaves, "leaf"), counted(tree.max_depth, "level"), self.labels.rows(0)]
        parts.append(f"{used:,} of {counted(tree.n_features, 'column')} used")
        return " · ".join(filter(None, parts))

    def description(self) -> str:
        """The drawing in words, for screen readers."""
        full, tree = self.labels.full, self.labels.tree
        found = [f"A decision tree of {self.size.replace(' · ', ', ')}."]
        if tree.n_children[0]:
            tested = set(tested_columns(tree))
            heaviest = np.argsort(-tree.compute_feature_importances(), kind="stable")[:5]
            columns = ", ".join(full.features[k] for k in heaviest.tolist() if k in tested)
            found.append(f"Its first test is {full.test(0)}. The most important columns: {columns}.")
        else:
            found.append(f"It has no test and predicts {full.outcome(0)}.")
        return " ".join([*found, *self.sentences()])

    def sentences(self) -> list[str]:
        """The notes that a reader needs."""
        labels, places = self.labels, self.places
        hidden, inner = int(places.hidden.sum()), self._inner
        found = []
        if hidden:
            are = "is" if hidden == 1 else "are"
            total = counted(labels.tree.node_count, "node")
            found.append(f"{hidden:,} of {total} {are} folded away, those with few rows.")
        if inner and labels.full.counts_rows:
            found.append("Lines are as wide as the share of rows that take them.")
        if any(any(labels.dashed(node)) for node in inner):
            found.append("Dashed: the branch of missing values.")
        if labels.repeats:
            found.append(f"Chosen again: of {labels.repeats:,} bootstrap samples, with all splits above it.")
        found += rules_of(labels.full, inner, HIDDEN)
        if labels.tree.costs is not None:
            found.append(COSTS)
        if labels.brief.rounded:
            found.append("Long numbers are rounded.")
        return found

    @property
    def _inner(self) -> list[int]:
        """The nodes whose branches are drawn."""
        return [int(node) for node in self.places.node[self.places.n_children > 0]]

    def head(self, width: float) -> tuple[Group, float]:
        """The name, the size and the legend; and where they end."""
        room = width - 2 * MARGIN
        shapes: list[Shape] = [
            Text(MARGIN, 32, cut(self.title, room, HEADING * BOLD), "text", HEADING, bold=True),
            Text(MARGIN, 52, cut(self.size, room, PLAIN), "faint", PLAIN),
        ]
        legend, end = self._legend(width, 74)
        return Group("words", [*shapes, *legend], self.title), end

    def foot(self, width: float, top: float) -> tuple[Group, float]:
        """The sentences; and where they end."""
        lines = lines_of(self.sentences(), width - 2 * MARGIN, 11)
        texts = (Text(MARGIN, top + 16 * at, line, "faint", 11) for at, line in enumerate(lines))
        return Group("words", [*texts]), top + 16 * len(lines)

    def _legend(self, width: float, top: float) -> tuple[list[Shape], float]:
        """The colours of the classes, or what the marks of numbers mean."""
        entries = self._entries()
        shapes: list[Shape] = []
        x = MARGIN
        for role, text in entries:
            shown = cut(text, min(width - 2 * MARGIN - 20, 560), PLAIN)
            length = width_of(shown, PLAIN) + (34 if role else 14)
            if x > MARGIN and x + length - 14 > width - MARGIN:
                x, top = MARGIN, top + LINE
            if role:
                shapes.append(Rect(x, top - 9, 11, 11, role, 2.5))
            shapes.append(Text(x + (17 if role else 0), top, shown, "text" if role else "faint", PLAIN))
            x += length
        return shapes, top + 20 if entries else top - 4

    def _entries(self) -> list[tuple[str, str]]:
        """A colour, or none, and what to say of it."""
        classes = self.labels.full.classes
        found = self._scales() if classes is None else []
        for output, names in enumerate((classes or [])[:MOST_OUTPUTS]):
            if self.labels.tree.n_outputs > 1:
                found.append(("", f"output {output + 1}:"))
            if self.bars.has_colours(output):
                found += [(class_role(k), name) for k, name in enumerate(names)]
            else:
                found += [("class_0", "the class predicted"), ("rest", f"others of {len(names):,} classes")]
        more = self.labels.tree.n_outputs - MOST_OUTPUTS
        return [*found, ("", f"and {counted(more, 'more output')}")] if more > 0 else found

    def _scales(self) -> list[tuple[str, str]]:
        low, high = self.bars.spans[0]
        one = self.labels.tree.n_outputs == 1
        scale = f"on a scale from {figure(low)} to {figure(high)}" if one else "each on its own scale"
        spread = [("spread", "± standard deviation")] if self.labels.spread(0) else []
        return [("class_0", f"prediction, {scale}"), *spread, ("faint", "of all rows together")]
