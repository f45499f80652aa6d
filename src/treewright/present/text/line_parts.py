"""The parts of a line of a printed tree: predictions, bars, colours, and short forms of long names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...data.common.text_width import cut, middle_cut, start_of, width_of, wrapped
from ...tree.equation import leaf_equation
from ...tree.tree import Tree
from ...tree.tree_text import TreeText
from ..drawing.colours import TERMINAL

BAR = 10  # columns
MOST_NOTE = 3  # lines of a note: a column may have a hundred thousand levels
BLOCKS = " ▏▎▍▌▋▊▉"


def prediction_of(words: TreeText, node: int) -> str:
    """The class and its probability, or the number; those of several outputs side by side."""
    tree = words.tree
    if tree.leaf_models is not None:
        return leaf_equation(words, node, 2)
    if words.classes is None:
        return ", ".join(map(words.prediction_number, tree.prediction[node, :, 0].tolist()))
    if tree.n_outputs > 1:
        return ", ".join(words.predicted(node, k) for k in range(tree.n_outputs))
    mark = "*" if tree.smoothing_decides[node] else ""
    return f"{words.predicted(node)} {tree.prediction[node, 0, tree.label[node, 0]]:.2f}{mark}"


def mostly(words: TreeText, node: int) -> str:
    """What the rows of a node are, by what was counted; "" for classes of several outputs."""
    tree = words.tree
    if words.classes is None:
        return "about " + ", ".join(map(words.prediction_number, tree.value[node, :, 0].tolist()))
    if tree.n_outputs > 1:
        return ""
    place = int(tree.majority[node, 0])
    return f"mostly {words.classes[0][place]} ({tree.value[node, 0, place]:.2f})"


def percent(share: float) -> str:
    """A share in at most four columns."""
    number = 100 * share
    return f"{number:.0f}%" if number >= 9.95 or number == 0 else f"{max(number, 0.1):.1f}%"


def bar_of(tree: Tree, node: int, unicode: bool) -> str:
    """The probability of the class that a node predicts, as a bar."""
    part = min(max(float(tree.prediction[node, 0, tree.label[node, 0]]), 0.0), 1.0)
    if not unicode:
        return "#" * round(part * BAR)
    eighths = round(part * BAR * 8)
    return ("█" * (eighths // 8) + BLOCKS[eighths % 8]).rstrip()


def dim(text: str, colour: bool) -> str:
    """Text that steps back, where colours may be used."""
    return f"\x1b[2m{text}\x1b[0m" if colour and text.strip() else text


def tinted(text: str, number: int) -> str:
    """Text in the colour of a class. The text says the same without it."""
    return f"\x1b[38;5;{TERMINAL[number % len(TERMINAL)]}m{text}\x1b[0m" if text.strip() else text


@dataclass
class Legend:
    """What was shortened. Every short form stands for one thing only."""

    dots: str = "…"
    full: bool = False  # notes of any length
    names: dict[str, str] = field(default_factory=dict)  # short form to name
    notes: list[str] = field(default_factory=list)  # note k + 1

    def short(self, names: Sequence[str], width: int) -> list[str]:
        """Names that fit, each another one where it was another one before."""
        taken, found = {name for name in names if width_of(name) <= width}, []
        for name in names:
            known = next((brief for brief, full in self.names.items() if full == name), None)
            brief = name if width_of(name) <= width else known or self._new(name, width, taken)
            taken.add(brief)
            found.append(brief)
            if brief != name:
                self.names[brief] = name
        return found

    def _new(self, name: str, width: int, taken: set[str]) -> str:
        brief, number = middle_cut(name, width, self.dots), 1
        while brief in taken or brief in self.names:
            number += 1
            end = f"~{number}"
            brief = start_of(middle_cut(name, width - len(end), self.dots), width - len(end)) + end
        return brief

    def fit(self, text: str, full: str, width: int) -> str:
        """A text that fits; what was taken away is in a note with its number behind the text."""
        if width_of(text) <= width:
            return text
        self.notes.append(full)
        mark = f" [{len(self.notes)}]"
        return cut(text, width - len(mark), self.dots) + mark

    def lines(self, used: str, width: int) -> list[str]:
        """What each short form stands for that occurs in a text."""
        found = []
        for brief, name in self.names.items():
            if brief in used:
                found += wrapped(f"{brief} = {name}", width, "", "  ")
        for number, text in enumerate(self.notes, 1):
            start = text if self.full else start_of(text, (MOST_NOTE + 1) * width)
            lines = wrapped(start, width, f"[{number}] ", "  ")
            cut_off = not self.full and len(lines) > MOST_NOTE
            rest = f"  {self.dots} (in full: show --all, or export_text)"
            found += [*lines[:MOST_NOTE], rest] if cut_off else lines
        return found
