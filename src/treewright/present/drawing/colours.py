"""The colours of drawings, plots and terminals; those of drawings by their use, on light and on dark.

The colours of classes begin with Okabe and Ito's blue and vermillion. All six stay apart for every kind of
sight, and stand out from cards and paper by 3:1. Letters stand on paper, cards and bands alone, at 4.5:1 or
better.
"""

from __future__ import annotations

COLOURS = {  # on light and on dark
    "paper": ("#ffffff", "#12171e"),
    "card": ("#ffffff", "#1b222c"),
    "leaf": ("#f3f6fa", "#222b37"),
    "line": ("#8a97a8", "#66758a"),  # around cards
    "text": ("#17212e", "#eef2f7"),
    "faint": ("#4d5a6b", "#b3bfce"),
    "band": ("#cdd6e2", "#394658"),  # from a parent to its child
    "missing": ("#5b6776", "#aab6c5"),  # the dashed line
    "empty": ("#e6ebf1", "#323d4b"),  # a bar without shares, and the ground of a scale
    "rest": ("#6f7c8c", "#8d9aab"),  # classes without a colour of their own, by turns
    "rest_2": ("#97a2b0", "#6c7889"),
    "spread": ("#9cc3e0", "#2f5f80"),
    "class_0": ("#0072b2", "#56b4e9"),
    "class_1": ("#d55e00", "#f0803c"),
    "class_2": ("#bb6f90", "#f0358f"),
    "class_3": ("#1d5c45", "#35e6b5"),
    "class_4": ("#5a2fd0", "#a05cf5"),
    "class_5": ("#574600", "#f7de4b"),
}
LIGHT, DARK = ({role: pair[side] for role, pair in COLOURS.items()} for side in (0, 1))
CLASSES = 6  # classes that can each have a colour
CLASS_COLOURS = [LIGHT[f"class_{number}"] for number in range(CLASSES)]  # for plots
TERMINAL = (32, 166, 36, 175, 178, 74)  # the same for terminals, among their 256 colours


def class_role(number: int) -> str:
    """The name of the colour of a class."""
    return f"class_{number % CLASSES}"
