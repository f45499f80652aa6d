"""One step of growth as a plot: what the step did on the left, the tree so far on the right."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.common.allowed import is_whole
from ...data.common.errors import ParameterError
from ..drawing.draw import draw
from ..drawing.picture import paint
from ..drawing.shapes import Group, Rect
from .candidates import plot_column
from .regions import plot_regions

if TYPE_CHECKING:
    from ...interpret.growth.trace import Trace

MOST_LEAVES = 16  # of the tree so far that are drawn


def tree_after(trace: Trace, step: int) -> Any:
    """The model with the tree as it was after a step."""
    tree = trace.model.tree
    split = np.zeros(tree.node_count, dtype=bool)
    split[[each.node for each in trace.steps[:step]]] = True
    return replace(trace.model, tree=tree.collapse(~split & ~tree.is_leaf), source=None)


def plot_step(trace: Trace, step: Any) -> Any:
    """Draw a step of growth; returns the figure."""
    if not len(trace):
        raise ValueError("The tree is a single leaf, so there is no step to draw.")
    if not is_whole(step) or not 1 <= step <= len(trace):
        raise ParameterError(f"step must be an int from 1 to {len(trace)}. Got {step!r}.", "step")
    from matplotlib import pyplot as plt

    shown, so_far = trace[step - 1], tree_after(trace, step)
    figure = plt.figure(figsize=(14, 5.5), layout="constrained")
    left, right = np.asarray(figure.subfigures(1, 2, width_ratios=(1, 1.1))).tolist()
    kinds = [column.type.kind for column in shown.at.search.columns]
    if len(kinds) <= 2 and set(kinds) <= {"number", "boolean"} and trace.model.tree.n_outputs == 1:
        plot_regions({"regions so far": so_far}, *trace.data, ax=left.subplots())
    else:
        plot_column(shown.at.column(shown.winner.place), left.subplots(2, 1))
    _draw_tree(right.subplots(), so_far, _place_of(trace, step))
    where = f"node {shown.node}" + (f": {shown.path}" if shown.path else ", the root")
    won = f"{shown.winner.test} (gain {shown.gain_text(shown.winner.gain)})"
    title = f"Step {step} of {len(trace)}: {won} splits {where}"
    figure.suptitle(title.replace("$", r"\$"), fontsize="medium")
    return figure


def _draw_tree(ax: Any, so_far: Any, node: int) -> None:
    """The drawn tree as a picture, with a bold line around the node that was split."""
    from matplotlib.pyplot import imread

    scene = draw(so_far, title="the tree so far", max_leaves=MOST_LEAVES).scene
    groups = [
        _marked(group) if (group.kind, group.node) == ("node", node) else group for group in scene.groups
    ]
    file = io.BytesIO()
    paint(replace(scene, groups=groups), file, "png", None, dark=False)
    file.seek(0)
    ax.imshow(imread(file))
    ax.set_axis_off()


def _marked(group: Group) -> Group:
    first = next(shape for shape in group.shapes if isinstance(shape, Rect))
    around = Rect(first.x - 5, first.y - 5, first.width + 10, first.height + 10, "class_1", 11)
    return replace(group, shapes=[around, *group.shapes])


def _place_of(trace: Trace, step: int) -> int:
    """The number that the node of a step has in the tree after it: nodes are numbered level by level."""
    tree = trace.model.tree
    split = {each.node for each in trace.steps[:step]}
    kept = [node for node in range(tree.node_count) if node == 0 or int(tree.parent[node]) in split]
    return kept.index(trace[step - 1].node)
