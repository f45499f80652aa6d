"""The small parts of a line of a tree: answers, shares, bars and colours."""

from __future__ import annotations

from ...tree.tree import Tree
from ...tree.words import Words
from ..drawing.colours import TERMINAL

BAR = 10  # columns
BLOCKS = " ▏▎▍▌▋▊▉"


def answer_of(words: Words, node: int) -> str:
    """The class and its probability, or the number; those of several outputs side by side."""
    tree = words.tree
    if words.classes is None:
        return ", ".join(f"{value:.6g}" for value in tree.prediction[node, :, 0])
    if tree.n_outputs > 1:
        return ", ".join(words.predicted(node, k) for k in range(tree.n_outputs))
    return f"{words.predicted(node)} {tree.prediction[node, 0, tree.label[node, 0]]:.2f}"


def mostly(words: Words, node: int) -> str:
    """What the rows of a node are, by what was counted; "" for classes of several outputs."""
    tree = words.tree
    if words.classes is None:
        return "about " + ", ".join(f"{value:.4g}" for value in tree.value[node, :, 0])
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
