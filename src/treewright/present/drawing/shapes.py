"""The shapes that a drawing is made of, and how they are written as SVG; `picture` paints them otherwise.

Colours are named by their use: see `colours`. Lengths are pixels; y grows downwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256

from .colours import DARK, LIGHT
from .letters import xml

SPACE = "http://www.w3.org/2000/svg"
FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', 'DejaVu Sans', sans-serif"
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


# -- SVG, with one style sheet for light and dark backgrounds


def svg_of(scene: Scene, width: float | None, dark: bool | None) -> str:
    """Write a scene; `dark=None` leaves it to the reader's own preference."""
    body = "\n".join(map(_group, scene.groups))
    across = scene.width if width is None else width
    down = scene.height * across / scene.width
    key = f"{scene.title}{scene.description}{body}{dark}".encode(errors="replace")
    name = f"tw-{sha256(key).hexdigest()[:12]}"  # two drawings of one page must not share a style
    box = f'viewBox="0 0 {_n(scene.width)} {_n(scene.height)}"'
    said = f'role="img" aria-label="{xml(scene.title)}" aria-describedby="{name}-d"'
    return "\n".join([
        f'<svg xmlns="{SPACE}" id="{name}" width="{_n(across)}" height="{_n(down)}" {box} {said}>',
        f"<title>{xml(scene.title)}</title>",
        f'<desc id="{name}-d">{xml(scene.description)}</desc>',
        f"<style>{_style(name, dark)}</style>",
        f'<rect class="f-paper" width="{_n(scene.width)}" height="{_n(scene.height)}" rx="8"/>',
        body,
        "</svg>",
        "",
    ])  # fmt: skip


def _style(name: str, dark: bool | None) -> str:
    first, other = (DARK, LIGHT) if dark else (LIGHT, DARK)
    scheme = "light dark" if dark is None else "dark" if dark else "light"
    rules = [
        f"#{name}{{font-family:{FONTS};color-scheme:{scheme}}}",
        f"#{name} text{{unicode-bidi:isolate;white-space:pre;font-variant-numeric:tabular-nums}}",
        f"#{name} .bold{{font-weight:600}}",
        f"#{name} .dashed{{stroke-dasharray:5 4}}",
        _colours(name, first),
    ]
    if dark is None:
        rules.append(f"@media (prefers-color-scheme: dark){{{_colours(name, other)}}}")
        rules.append(f"@media print{{{_colours(name, first)}}}")  # paper is white
    return "".join(rules)


def _colours(name: str, theme: dict[str, str]) -> str:
    fills = "".join(f"#{name} .f-{role}{{fill:{colour}}}" for role, colour in theme.items())
    strokes = [f"#{name} .s-{role}{{stroke:{theme[role]}}}" for role in ("band", "missing", "line")]
    return fills + "".join(strokes)


def _group(group: Group) -> str:
    node = "" if group.node is None else f' data-node="{group.node}"'
    tip = f"<title>{xml(group.tooltip)}</title>" if group.tooltip else ""
    return f'<g class="{group.kind}"{node}>{tip}{"".join(map(_shape, group.shapes))}</g>'


def _shape(shape: Shape) -> str:
    if isinstance(shape, Rect):
        return _rect(shape)
    return _text(shape) if isinstance(shape, Text) else _curve(shape)


def _rect(rect: Rect) -> str:
    looks = f"f-{rect.fill}" + (f" s-{rect.stroke}" if rect.stroke else "")
    round_ = f' rx="{_n(rect.radius)}"' if rect.radius else ""
    place = f'x="{_n(rect.x)}" y="{_n(rect.y)}" width="{_n(rect.width)}" height="{_n(rect.height)}"'
    return f'<rect class="{looks}" {place}{round_}/>'


def _curve(curve: Curve) -> str:
    start, *others = (f"{_n(x)},{_n(y)}" for x, y in curve.points)
    looks = f"s-{curve.stroke}" + (" dashed" if curve.dashed else "")
    course = f"M{start}C{' '.join(others)}"
    return f'<path class="{looks}" d="{course}" fill="none" stroke-width="{_n(curve.width)}"/>'


def _text(text: Text) -> str:
    looks = f"f-{text.fill}" + (" bold" if text.bold else "")
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    place = f'x="{_n(text.x)}" y="{_n(text.y)}" font-size="{_n(text.size)}"{anchor}'
    return f'<text class="{looks}" {place}>{xml(text.text)}</text>'


def _n(number: float) -> str:
    """A length to a hundredth of a pixel."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
