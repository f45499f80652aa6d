"""The colours of drawings, plots and terminals; those of drawings by their use, on light and on dark.

The colours of classes begin with Okabe and Ito's blue and vermillion. All six stay apart for every kind of
sight, and stand out from cards and paper by 3:1. Letters stand on paper, cards and bands alone, at 4.5:1 or
better.
"""

from __future__ import annotations

LIGHT = {
    "paper": "#ffffff",
    "card": "#ffffff",
    "leaf": "#f3f6fa",
    "line": "#8a97a8",  # around cards
    "text": "#17212e",
    "faint": "#4d5a6b",
    "band": "#cdd6e2",  # from a parent to its child
    "missing": "#5b6776",  # the dashed way
    "empty": "#e6ebf1",  # a bar without shares, and the ground of a scale
    "rest": "#6f7c8c",  # classes without a colour of their own, by turns
    "rest_2": "#97a2b0",
    "spread": "#9cc3e0",
    "class_0": "#0072b2",
    "class_1": "#d55e00",
    "class_2": "#bb6f90",
    "class_3": "#1d5c45",
    "class_4": "#5a2fd0",
    "class_5": "#574600",
}
DARK = {
    "paper": "#12171e",
    "card": "#1b222c",
    "leaf": "#222b37",
    "line": "#66758a",
    "text": "#eef2f7",
    "faint": "#b3bfce",
    "band": "#394658",
    "missing": "#aab6c5",
    "empty": "#323d4b",
    "rest": "#8d9aab",
    "rest_2": "#6c7889",
    "spread": "#2f5f80",
    "class_0": "#56b4e9",
    "class_1": "#f0803c",
    "class_2": "#f0358f",
    "class_3": "#35e6b5",
    "class_4": "#a05cf5",
    "class_5": "#f7de4b",
}
CLASSES = 6  # classes that can each have a colour
CLASS_COLOURS = [LIGHT[f"class_{number}"] for number in range(CLASSES)]  # for plots
TERMINAL = (32, 166, 36, 175, 178, 74)  # the same for terminals, among their 256 colours
GROUNDS = ("paper", "card", "leaf", "band")  # on which letters stand
LETTERS = ("text", "faint")


def class_role(number: int) -> str:
    """The name of the colour of a class."""
    return f"class_{number % CLASSES}"


def contrast(one: str, other: str) -> float:
    """How well two colours stand apart, from 1 to 21, as WCAG 2 defines it."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
