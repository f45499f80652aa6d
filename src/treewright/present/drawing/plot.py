"""A tree as a picture, drawn with matplotlib."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...data.common.plots import given_axes, pyplot
from ...learn.fitted_tree import as_model
from ...tree.tree_text import Names, TreeText, check_count
from .boxes import Box, colours
from .layout import layout

PLAIN = ("True", "False")  # the labels at the root of a tree of thresholds


def plot_tree(
    decision_tree: Any,
    *,
    max_depth: int | None = None,
    feature_names: Names | None = None,
    class_names: Names | bool | None = None,
    label: str = "all",
    filled: bool = False,
    impurity: bool = True,
    node_ids: bool = False,
    proportion: bool = False,
    rounded: bool = False,
    precision: int | None = None,
    max_levels: int | None = 12,
    ax: Any = None,
    fontsize: int | None = None,
) -> list[Any]:
    """Draw a fitted estimator or a Tree on matplotlib axes and return the annotations.

    The parameters are those of scikit-learn's function of this name. By default thresholds are written in
    full (`precision=None`) and classes by name. The text is as large as the boxes allow, unless `fontsize`
    is given. A box says where missing values go if the node saw some while growing, or if it does not follow
    the rule for the rest: to the child with most rows, the last of equals. Of more than `max_levels` levels
    only the first are listed (None: all). A level that a test does not list is treated as missing.
    """
    check_count("max_depth", max_depth)
    check_count("precision", precision)
    names = None if isinstance(class_names, bool) else class_names
    words = as_model(decision_tree).words(feature_names, names, precision)
    box = Box(label, impurity, node_ids, proportion, max_levels=max_levels)
    ax = _clear_axes(ax)
    fills = colours(words) if filled else [ax.get_facecolor()] * len(words.tree.first_child)
    picture = _Picture(words, box, max_depth, fills)
    drawn = picture.draw(ax, "round" if rounded else "square", fontsize)
    if fontsize is None:
        picture.fit(ax, drawn)
    return drawn


def _clear_axes(ax: Any) -> Any:
    if ax is None:
        ax = pyplot("plot_tree").gca()
    (ax,) = given_axes(ax, 1)
    ax.clear()
    ax.set_axis_off()
    return ax


def _cut(words: TreeText, max_depth: int | None) -> tuple[Any, Any]:
    """The links of the tree, ended one level below `max_depth`; what hangs lower is left out."""
    tree = words.tree
    if max_depth is None:
        return tree.first_child, tree.n_children
    below = tree.depth > max_depth
    count = int(np.searchsorted(tree.depth, max_depth + 2))  # nodes are numbered level by level
    return np.where(below, -1, tree.first_child)[:count], np.where(below, 0, tree.n_children)[:count]


class _Picture:
    """The places of the boxes in axes coordinates, and what goes into them."""

    def __init__(self, words: TreeText, box: Box, max_depth: int | None, fills: list[Any]) -> None:
        self.words, self.box, self.fills, self.max_depth = words, box, fills, max_depth
        self.first_child, self.n_children = _cut(words, max_depth)
        x, self.level = layout(self.first_child, self.n_children)
        self.across, self.down = x.max() + 1, self.level.max() + 1
        self.spots = np.column_stack([(x + 0.5) / self.across, 1 - (self.level + 0.5) / self.down])

    def draw(self, ax: Any, boxstyle: str, fontsize: int | None) -> list[Any]:
        """Annotate the axes box by box; an arrow leads from every parent to its child."""
        from matplotlib import rcParams

        arrow = {"arrowstyle": "<-", "edgecolor": rcParams["text.color"]}
        common = {"xycoords": "axes fraction", "fontsize": fontsize}
        drawn, labels = [], self._branch_labels()
        for node in range(len(self.spots)):
            parent = int(self.words.tree.parent[node])
            hidden = self.max_depth is not None and self.level[node] > self.max_depth
            text = "\n  (...)  \n" if hidden else "\n".join(self.box.lines(self.words, node))
            look = {"boxstyle": boxstyle, "facecolor": "grey" if hidden else self.fills[node]}
            start = self.spots[max(parent, 0)]
            drawn.append(
                ax.annotate(
                    _literal(text), start, self.spots[node], ha="center", va="center", bbox=look,
                    arrowprops=dict(arrow), zorder=100 - 10 * self.level[node], **common,
                )
            )  # fmt: skip
            if node in labels:
                drawn.append(self._branch_label(ax, node, labels[node], common))
        return drawn

    def fit(self, ax: Any, drawn: list[Any]) -> None:
        """Make the text as large as lets neighbouring boxes stand apart."""
        renderer = ax.figure.canvas.get_renderer()
        for note in drawn:
            note.update_bbox_position_size(renderer)
        boxes = [note.get_bbox_patch().get_window_extent() for note in drawn if note.get_bbox_patch()]
        texts = [note for note in drawn if not note.get_bbox_patch()]
        labels = [note.get_window_extent(renderer) for note in texts if note.get_text().strip() not in PLAIN]
        room = ax.get_window_extent()
        width, height = room.width / self.across, room.height / self.down
        wide, high = max(box.width for box in boxes), max(box.height for box in boxes)
        most = min(0.92 * width / wide, 0.72 * height / high)  # and room for the arrows
        if labels:
            most = min(most, 0.95 * height / (high + 1.4 * max(label.height for label in labels)))
        for one, other in pairwise(labels):
            if abs(one.y0 + one.y1 - other.y0 - other.y1) < height:  # neighbours on one level
                apart = abs(other.x0 + other.x1 - one.x0 - one.x1)
                most = min(most, 0.95 * apart / (one.width + other.width))
        for note in drawn:
            note.set_fontsize(note.get_fontsize() * most)

    def _branch_labels(self) -> dict[int, str]:
        """What stands at the arrow to a node."""
        found: dict[int, str] = {}
        for parent in np.flatnonzero(self.n_children):
            labels = self.box.branch_labels(self.words, int(parent))
            found |= zip(range(self.first_child[parent], len(self.spots)), labels, strict=False)
        return found

    def _branch_label(self, ax: Any, node: int, text: str, common: dict[str, Any]) -> Any:
        """A label midway on an arrow; True and False stand beside it."""
        middle = (self.spots[self.words.tree.parent[node]] + self.spots[node]) / 2
        if text not in PLAIN:
            from matplotlib.patheffects import withStroke

            # the arrow ends where letters are
            halo = [withStroke(linewidth=3, foreground=ax.get_facecolor())]
            look = {"ha": "center", "va": "center", "zorder": 200, "path_effects": halo}
            return ax.annotate(_literal(text), middle, **look, **common)
        shown, side = ("True  ", "right") if text == "True" else ("  False", "left")
        return ax.annotate(shown, middle, ha=side, **common)


def _literal(text: str) -> str:
    """Text of which matplotlib would read $...$ as a formula."""
    return text.replace("$", r"\$")
