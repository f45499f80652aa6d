"""`draw`: a tree as SVG without dependencies, and as PNG or PDF through matplotlib."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...data.common.allowed import is_whole
from ...data.common.atomic import whole_or_nothing
from ...interpret.growth.stability import Stability
from ...tree.tree_text import Names, check_count
from .bars import Bars
from .card_labels import card_labels
from .cards import ROOM, Cards
from .collapse import drawn_places
from .frame import LEAST, Frame
from .picture import paint
from .scene import MARGIN, planned
from .shapes import Scene, svg_of

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
            raise ValueError(f"path must end in .svg, .png or .pdf. Got {str(place)!r}.")
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
        more = f", {self.hidden:,} collapsed" if self.hidden else ""
        return f"<Drawing: {self.shown:,} nodes{more}; {self.scene.width:.0f} × {self.scene.height:.0f}>"


def draw(
    model: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    max_depth: int | None = MAX_DEPTH,
    max_leaves: int | None = MAX_LEAVES,
    feature_names: Names | None = None,
    class_names: Names | None = None,
    decimals: int | None = None,
    title: str | None = None,
    direction: str = "auto",
    width: float | None = None,
    dark: bool | None = None,
    stability: Any = None,
) -> Drawing:
    """Draw the tree as SVG, PNG or PDF.

    Every node is a card with its test or its prediction, a bar (the class probabilities, or where the
    predicted number lies among all predictions) and the number of training rows. The width of a line is
    the share of rows that take the branch; a dashed line is the path of missing values. Tooltips hold the
    full text of what is shortened.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree, Tree or path
        The fitted model.
    path : path, optional
        Where to save the drawing; the name must end in .svg, .png or .pdf.
    max_depth : int or None, default=12
        The deepest level to draw; None draws all levels.
    max_leaves : int or None, default=32
        The greatest number of final cards; None draws all. Subtrees with the fewest rows are collapsed first,
        and marks say how many nodes are hidden.
    feature_names, class_names : sequence of str, optional
        Names to use instead of the model's own.
    decimals : int, optional
        Digits after the decimal point. By default numbers have five significant digits, and all of them in
        tooltips.
    title : str, optional
        The title. By default the name of the target, or the class of the model.
    direction : {"auto", "down", "right"}, default="auto"
        Where children are drawn; "auto": below, unless the drawing would be too wide.
    width : float, optional
        The width in pixels. By default as much as the tree needs.
    dark : bool, optional
        Whether to draw on a dark background. By default an SVG follows the reader's system.
    stability : Stability, optional
        What `treewright.lab.stability` returned for this model. Every split then says how often it is chosen
        again in bootstrap samples; its tooltip has the range of its threshold.

    Returns
    -------
    Drawing
        With `svg` (text) and `save(path)`; a notebook shows it.
    """
    _check(max_depth, max_leaves, decimals, direction, width, dark)
    if stability is not None and not isinstance(stability, Stability):
        must = "stability must be what treewright.lab.stability returned, or None."
        raise ValueError(f"{must} Got {type(stability).__name__}.")
    labels = card_labels(model, feature_names, class_names, decimals, stability)
    if class_names is not None and labels.full.classes is None:
        got = f"Got {class_names!r:.100}. Leave it out."
        raise ValueError(f"class_names must be None for a model of numbers. {got}")
    places = drawn_places(labels.tree, max_leaves, max_depth)
    bars = Bars(labels, ROOM)
    nodes = places.node[~places.is_more].tolist()
    says = any(labels.missing(node) for node in nodes if not labels.full.is_leaf(node))
    frame = Frame(labels, bars, places, labels.name if title is None else str(title))
    cards = Cards(labels, bars, says)
    across = max(planned(cards, places, direction, 0.0).width, LEAST)
    head, top = frame.head(across)
    plan = planned(cards, places, direction, top)
    groups = [head, *plan.groups()]
    foot, bottom = frame.foot(across, plan.bottom + 28)
    scene = Scene(across, bottom + MARGIN / 2, frame.title, frame.description(), [*groups, foot])
    shown = len(nodes)
    made = Drawing(svg_of(scene, width, dark), shown, labels.tree.node_count - shown, scene, width, dark)
    if path is not None:
        made.save(path)
    return made


def _check(max_depth: Any, max_leaves: Any, decimals: Any, direction: Any, width: Any, dark: Any) -> None:
    check_count("max_depth", max_depth)
    check_count("decimals", decimals)
    if max_leaves is not None and not (is_whole(max_leaves) and max_leaves >= 1):
        raise ValueError(f"max_leaves must be an int of at least 1 or None. Got {max_leaves!r}. None: all.")
    if direction not in DIRECTIONS:
        raise ValueError(f"direction must be one of {', '.join(map(repr, DIRECTIONS))}. Got {direction!r}.")
    number = isinstance(width, (int, float, np.number)) and not isinstance(width, bool)
    if width is not None and not (number and 0 < width < 1e6):
        must = "width must be a number of pixels above 0 and below 1,000,000, or None."
        raise ValueError(f"{must} Got {width!r}.")
    if dark not in (None, True, False):
        raise ValueError(f"dark must be True, False or None. Got {dark!r}.")
