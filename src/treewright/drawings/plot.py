"""A tree as a picture, drawn with matplotlib."""

from __future__ import annotations

from typing import Any

import numpy as np

from .boxes import Box, colours
from .layout import layout
from .words import Names, Words, check_count, put_into_words


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
    ax: Any = None,
    fontsize: int | None = None,
) -> list[Any]:
    """Draw a fitted estimator or a Tree on matplotlib axes and return the annotations.

    The parameters are those of scikit-learn's function of this name. By default thresholds are written in
    full (`precision=None`) and classes by name. The text is as large as the boxes allow, unless `fontsize`
    is given. A box says where missing values go if the node saw some while growing, or if it does not follow
    the rule for the rest: to the child with more rows, the second if equal.
    """
    check_count("max_depth", max_depth)
    check_count("precision", precision)
    names = None if isinstance(class_names, bool) else class_names
    words = put_into_words(decision_tree, feature_names, names, precision)
    box = Box(label=label, impurity=impurity, node_ids=node_ids, proportion=proportion)
    ax = _clear_axes(ax)
    fills = colours(words) if filled else [ax.get_facecolor()] * len(words.tree.first_child)
    picture = _Picture(words, box, max_depth, fills)
    drawn = picture.draw(ax, "round" if rounded else "square", fontsize)
    if fontsize is None:
        picture.fit(ax, drawn)
    return drawn


def _clear_axes(ax: Any) -> Any:
    if ax is None:
        try:
            from matplotlib import pyplot as plt
        except ImportError as error:
            raise ImportError("plot_tree needs matplotlib. Run: pip install matplotlib.") from error
        ax = plt.gca()
    ax.clear()
    ax.set_axis_off()
    return ax


def _cut(words: Words, max_depth: int | None) -> tuple[Any, Any]:
    """The links of the tree, ended one level below `max_depth`; what hangs lower is left out."""
    tree = words.tree
    if max_depth is None:
        return tree.first_child, tree.n_children
    below = tree.depth > max_depth
    count = int(np.searchsorted(tree.depth, max_depth + 2))  # nodes are numbered level by level
    return np.where(below, -1, tree.first_child)[:count], np.where(below, 0, tree.n_children)[:count]


class _Picture:
    """The places of the boxes in axes coordinates, and what goes into them."""

    def __init__(self, words: Words, box: Box, max_depth: int | None, fills: list[Any]) -> None:
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
        drawn = []
        for node in range(len(self.spots)):
            parent = int(self.words.tree.parent[node])
            look = {"boxstyle": boxstyle, "facecolor": self._fill(node)}
            start = self.spots[max(parent, 0)]
            drawn.append(
                ax.annotate(
                    self._text(node), start, self.spots[node], ha="center", va="center", bbox=look,
                    arrowprops=dict(arrow), zorder=100 - 10 * self.level[node], **common,
                )
            )  # fmt: skip
            if parent == 0:
                drawn.append(self._answer(ax, node, common))
        return drawn

    def fit(self, ax: Any, drawn: list[Any]) -> None:
        """Make the text as large as lets neighbouring boxes stand apart."""
        renderer = ax.figure.canvas.get_renderer()
        for note in drawn:
            note.update_bbox_position_size(renderer)
        boxes = [note.get_bbox_patch().get_window_extent() for note in drawn if note.get_bbox_patch()]
        room = ax.get_window_extent()
        wide = 0.92 * room.width / self.across / max(box.width for box in boxes)
        high = 0.72 * room.height / self.down / max(box.height for box in boxes)  # and room for the arrows
        for note in drawn:
            note.set_fontsize(note.get_fontsize() * min(wide, high))

    def _hidden(self, node: int) -> bool:
        return self.max_depth is not None and bool(self.level[node] > self.max_depth)

    def _text(self, node: int) -> str:
        text = "\n  (...)  \n" if self._hidden(node) else "\n".join(self.box.lines(self.words, node))
        return text.replace("$", r"\$")  # matplotlib would read $...$ as a formula

    def _fill(self, node: int) -> Any:
        return "grey" if self._hidden(node) else self.fills[node]

    def _answer(self, ax: Any, node: int, common: dict[str, Any]) -> Any:
        """The words True and False beside the root's arrows."""
        middle = (self.spots[0] + self.spots[node]) / 2
        first = node == self.first_child[0]
        text, side = ("True  ", "right") if first else ("  False", "left")
        return ax.annotate(text, middle, ha=side, **common)
