"""A tree as a drawing of our own: SVG without any dependency, PNG and PDF through matplotlib."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...data.common.allowed import is_whole
from ...data.common.atomic import whole_or_nothing
from ...tree.words import Names, check_count
from .bars import Bars
from .card_text import told_of
from .cards import ROOM, Cards
from .fold import unfolded
from .frame import LEAST, Frame
from .picture import paint
from .scene import MARGIN, planned
from .shapes import Scene
from .writer import svg_of

ENDINGS = (".svg", ".png", ".pdf")
DIRECTIONS = ("auto", "down", "right")
MAX_LEAVES, MAX_DEPTH = 32, 12


@dataclass(frozen=True)
class Drawing:
    """A drawn tree. A notebook shows it; `svg` is its text, and `save` writes it to a file."""

    svg: str
    shown: int  # nodes
    hidden: int
    scene: Scene
    width: float | None
    dark: bool | None

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a file whose name ends in .svg, .png or .pdf: all of it or nothing; returns the path.

        PNG and PDF need matplotlib, and are light unless the drawing is dark.
        """
        place = Path(path)
        ending = place.suffix.lower()
        if ending not in ENDINGS:
            raise ValueError(
                f"path must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}. Got {str(place)!r}."
            )
        if place.exists() and not place.is_file():
            raise ValueError(f"path must be that of a file. Got {str(place)!r}, which is something else.")
        with whole_or_nothing(place) as file:
            if ending == ".svg":
                file.write(self.svg.encode())
            else:
                paint(self.scene, file, ending[1:], self.width, bool(self.dark))
        return place

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f'<div style="overflow:auto;max-width:100%">{self.svg}</div>'

    def __repr__(self) -> str:
        more = f", {self.hidden:,} folded away" if self.hidden else ""
        return f"<Drawing: {self.shown:,} nodes{more}; {self.scene.width:.0f} × {self.scene.height:.0f}>"


def draw(
    model: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    max_depth: int | None = MAX_DEPTH,
    max_leaves: int | None = MAX_LEAVES,
    feature_names: Names | None = None,
    class_names: Names | None = None,
    precision: int | None = None,
    title: str | None = None,
    direction: str = "auto",
    width: float | None = None,
    dark: bool | None = None,
) -> Drawing:
    """Draw a tree as SVG.

    Every node is a card: the question or the answer, a bar of the shares of the classes (of numbers: where
    the prediction stands among all), and how many rows came there. Lines are as wide as the share of rows
    that take them, and dashed where missing values go. What is shortened stands in full in a tooltip.

    Parameters
    ----------
    model : a fitted tree of treewright, what `treewright.fit` or `treewright.load` returns, or a `Tree`
    path : optional
        Save the drawing there too; the name must end in .svg, .png or .pdf.
    max_depth, max_leaves : int, optional
        How many levels and how many ends are drawn; None: all. The parts with the fewest rows are folded
        away, and marks and a sentence say how many nodes are hidden.
    feature_names, class_names : names to use in place of the model's own
    precision : int, optional
        Decimals of the numbers; None: five digits, and all of them in tooltips.
    title : str, optional
        The line above the tree; None: the name of the target, or the kind of model.
    direction : "auto", "down" or "right"
        Where the tree grows to; "auto": downwards, unless it is too wide for that.
    width : optional
        The width of the picture in pixels; None: as much as the tree needs.
    dark : bool, optional
        Light letters on dark ground; None: as the reader's system has it.

    Returns
    -------
    Drawing
        With `svg`, its text, and `save`.
    """
    _check(max_depth, max_leaves, precision, direction, width, dark)
    told = told_of(model, feature_names, class_names, precision)
    if class_names is not None and told.full.classes is None:
        raise ValueError(
            f"class_names must be None for a model of numbers. Got {class_names!r:.100}. Leave it out."
        )
    places = unfolded(told.tree, max_leaves, max_depth)
    bars = Bars(told, ROOM)
    nodes = places.node[~places.is_more].tolist()
    says = any(told.missing(node) for node in nodes if not told.full.is_leaf(node))
    frame = Frame(told, bars, places, told.name if title is None else str(title))
    cards = Cards(told, bars, says)
    across = max(planned(cards, places, direction, 0.0).width, LEAST)
    head, top = frame.head(across)
    plan = planned(cards, places, direction, top)
    groups = [head, *plan.groups()]
    foot, bottom = frame.foot(across, plan.bottom + 28)
    scene = Scene(across, bottom + MARGIN / 2, frame.title, frame.description(), [*groups, foot])
    shown = len(nodes)
    made = Drawing(svg_of(scene, width, dark), shown, told.tree.node_count - shown, scene, width, dark)
    if path is not None:
        made.save(path)
    return made


def _check(max_depth: Any, max_leaves: Any, precision: Any, direction: Any, width: Any, dark: Any) -> None:
    check_count("max_depth", max_depth)
    check_count("precision", precision)
    if max_leaves is not None and not (is_whole(max_leaves) and max_leaves >= 1):
        raise ValueError(f"max_leaves must be an int of at least 1 or None. Got {max_leaves!r}. None: all.")
    if direction not in DIRECTIONS:
        raise ValueError(f"direction must be one of {', '.join(map(repr, DIRECTIONS))}. Got {direction!r}.")
    number = isinstance(width, (int, float, np.number)) and not isinstance(width, bool)
    if width is not None and not (number and 0 < width < 1e6):
        raise ValueError(
            f"width must be a number of pixels above 0 and below 1,000,000, or None. Got {width!r}."
        )
    if dark not in (None, True, False):
        raise ValueError(f"dark must be True, False or None. Got {dark!r}.")
