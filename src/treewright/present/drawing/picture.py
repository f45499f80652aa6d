"""A scene painted by matplotlib, for PNG and PDF."""

from __future__ import annotations

import warnings
from typing import IO, Any

from .colours import DARK, LIGHT
from .letters import visible
from .shapes import Curve, Rect, Scene, Text

DOTS = 96.0  # pixels of the scene in an inch
SHARP = 2.0  # pixels of the file for one of the scene
MOST_PIXELS, LONGEST = 1e8, 32_000.0  # what a PNG may have
POINT = 72 / DOTS


def paint(scene: Scene, file: IO[bytes], kind: str, width: float | None, dark: bool) -> None:
    """Write a scene as "png" or "pdf"."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(f"A {kind} file needs matplotlib. Run: pip install matplotlib.") from error
    theme = DARK if dark else LIGHT
    zoom = 1.0 if width is None else width / scene.width
    figure = Figure(figsize=(scene.width / DOTS, scene.height / DOTS), facecolor=theme["paper"])
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    axes.set_axis_off()
    painters: dict[Any, Any] = {Rect: _rect, Curve: _curve, Text: _text}
    for order, shape in enumerate(shape for group in scene.groups for shape in group.shapes):
        painters[type(shape)](axes, shape, theme, order)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # the box in its place is all one can do
        known = {"Title": visible(scene.title), **({"CreationDate": None} if kind == "pdf" else {})}
        figure.savefig(file, format=kind, dpi=_dots(scene, zoom), facecolor=theme["paper"], metadata=known)


def _dots(scene: Scene, zoom: float) -> float:
    """Dots in an inch: sharp, but of no more pixels than can be held."""
    most = min((MOST_PIXELS / (scene.width * scene.height)) ** 0.5, LONGEST / max(scene.width, scene.height))
    return float(DOTS * min(SHARP * zoom, most))


def _rect(axes: Any, rect: Rect, theme: dict[str, str], order: int) -> None:
    from matplotlib.patches import FancyBboxPatch

    radius = min(rect.radius, rect.width / 2, rect.height / 2)
    style = f"round,pad=0,rounding_size={radius}" if radius else "square,pad=0"
    edge = theme[rect.stroke] if rect.stroke else "none"
    axes.add_patch(
        FancyBboxPatch(
            (rect.x, rect.y), rect.width, rect.height, boxstyle=style, facecolor=theme[rect.fill],
            edgecolor=edge, linewidth=POINT if rect.stroke else 0, zorder=order,
        )
    )  # fmt: skip


def _curve(axes: Any, curve: Curve, theme: dict[str, str], order: int) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    path = Path(curve.points, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
    line: Any = (0, (5 / curve.width, 4 / curve.width)) if curve.dashed else "solid"
    axes.add_patch(
        PathPatch(
            path, facecolor="none", edgecolor=theme[curve.stroke], linewidth=curve.width * POINT,
            linestyle=line, capstyle="butt", zorder=order,
        )
    )  # fmt: skip


def _text(axes: Any, text: Text, theme: dict[str, str], order: int) -> None:
    axes.text(
        text.x, text.y, visible(text.text), fontsize=text.size * POINT, color=theme[text.fill],
        fontweight="bold" if text.bold else "normal", va="baseline", zorder=order,
        ha={"start": "left", "middle": "center", "end": "right"}[text.anchor], parse_math=False,
    )  # fmt: skip
