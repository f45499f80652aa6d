"""The shapes that a drawing is made of, before they are written as SVG or painted by matplotlib.

Colours are named by their use: see `colours`. Lengths are pixels; y grows downwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Point = tuple[float, float]


@dataclass(frozen=True)
class Rect:
    """A box, perhaps with round corners and an outline."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    radius: float = 0.0
    stroke: str = ""


@dataclass(frozen=True)
class Curve:
    """A smooth line from the first point to the last; the two between them pull it."""

    points: tuple[Point, Point, Point, Point]
    stroke: str
    width: float
    dashed: bool = False


@dataclass(frozen=True)
class Text:
    """One line of letters; y is the line that they stand on."""

    x: float
    y: float
    text: str
    fill: str = "text"
    size: float = 12.0
    bold: bool = False
    anchor: str = "start"  # "middle", "end"


Shape = Rect | Curve | Text


@dataclass(frozen=True)
class Group:
    """Shapes that belong together, and what to say of them."""

    kind: str  # "node", "more", "edge", "words"
    shapes: list[Shape]
    tooltip: str = ""
    node: int | None = None


@dataclass(frozen=True)
class Scene:
    """A whole drawing."""

    width: float
    height: float
    title: str
    description: str
    groups: list[Group] = field(default_factory=list)
