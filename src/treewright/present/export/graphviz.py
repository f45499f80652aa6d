"""A tree in the DOT language of Graphviz."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ...learn.fitted_tree import as_model
from ...tree.tree_text import Names, TreeText, check_count
from ..drawing.boxes import Box, colours
from .form import Form


def export_graphviz(
    decision_tree: Any,
    out_file: Any = None,
    *,
    max_depth: int | None = None,
    feature_names: Names | None = None,
    class_names: Names | bool | None = None,
    label: str = "all",
    filled: bool = False,
    leaves_parallel: bool = False,
    impurity: bool = True,
    node_ids: bool = False,
    proportion: bool = False,
    rotate: bool = False,
    rounded: bool = False,
    special_characters: bool = False,
    precision: int | None = None,
    max_levels: int | None = 12,
    fontname: str = "helvetica",
) -> str | None:
    """Write a fitted estimator or a Tree in DOT; the text is returned if there is no `out_file`.

    The parameters are those of scikit-learn's function of this name. By default thresholds are written in
    full (`precision=None`) and classes by name. Of more than `max_levels` levels only the first are listed
    (None: all). A level that a test does not list is treated as missing.
    """
    check_count("max_depth", max_depth)
    check_count("precision", precision)
    names = None if isinstance(class_names, bool) else class_names
    words = as_model(decision_tree).words(feature_names, names, precision)
    sign = "≤" if special_characters else "<="
    box = Box(label, impurity, node_ids, proportion, sign, max_levels)
    fills = colours(words) if filled else None
    lines = [*_head(filled, rounded, leaves_parallel, rotate, fontname)]
    lines += _body(words, box, max_depth, fills, 45 if rotate else -45)
    if leaves_parallel:
        lines += _ranks(words, max_depth)
    text = "\n".join([*lines, "}"])
    if out_file is None:
        return text
    if hasattr(out_file, "write"):
        out_file.write(text)
    else:
        Path(out_file).write_text(text, encoding="utf-8")
    return None


def write(form: Form, output: str, **options: Any) -> str:  # noqa: ARG001 - the boxes have all outputs
    """For `export`; the options are those of `export_graphviz`."""
    return str(export_graphviz(form.model, None, **options))


def quoted(text: str) -> str:
    """A DOT string: backslashes, quotes and what looks like an entity are escaped, line ends are \\n."""
    text = re.sub(r"&(?=#?\w+;)", "&amp;", text)
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _head(filled: bool, rounded: bool, leaves_parallel: bool, rotate: bool, fontname: str) -> Iterator[str]:
    styles = [name for name, wanted in (("filled", filled), ("rounded", rounded)) if wanted]
    style = f', style={quoted(", ".join(styles))}, color="black"' if styles else ""
    yield "digraph Tree {"
    yield f"node [shape=box{style}, fontname={quoted(fontname)}] ;"
    if leaves_parallel:
        yield "graph [ranksep=equally, splines=polyline] ;"
    yield f"edge [fontname={quoted(fontname)}] ;"
    if rotate:
        yield "rankdir=LR ;"


def _body(
    words: TreeText, box: Box, max_depth: int | None, fills: list[str] | None, angle: int
) -> Iterator[str]:
    """Nodes in order of their numbers, each followed by the edge from its parent."""
    tree = words.tree
    depth, parent = tree.depth, tree.parent
    labels: list[str] = []  # those of the parent at hand
    for node in range(len(tree.first_child)):
        if max_depth is not None and depth[node] > max_depth + 1:
            return  # nodes are numbered level by level
        if max_depth is not None and depth[node] > max_depth:
            text, fill = "(...)", "#c0c0c0"
        else:
            text, fill = "\n".join(box.lines(words, node)), fills[node] if fills else ""
        colour = f", fillcolor={quoted(fill)}" if fills else ""
        yield f"{node} [label={quoted(text)}{colour}] ;"
        if node:
            above = int(parent[node])
            place = node - int(tree.first_child[above])
            labels = box.branch_labels(words, above) if place == 0 else labels
            yield f"{above} -> {node}{_branch_label(labels[place : place + 1], angle)} ;"


def _branch_label(label: list[str], angle: int) -> str:
    """True and False beside the ends of the root's edges, other labels beside the middle of theirs."""
    if not label:
        return ""
    if label[0] not in ("True", "False"):
        return f" [label={quoted(label[0])}]"
    side = -angle if label[0] == "True" else angle
    return f' [labeldistance=2.5, labelangle={side}, headlabel="{label[0]}"]'


def _ranks(words: TreeText, max_depth: int | None) -> Iterator[str]:
    """All leaves on one line, and every level of inner nodes on one of its own."""
    tree = words.tree
    deepest = int(tree.depth.max()) if max_depth is None else max_depth
    ends = (tree.n_children == 0) | (tree.depth > deepest)
    groups = [np.flatnonzero(ends & (tree.depth <= deepest + 1))]
    groups += [np.flatnonzero(~ends & (tree.depth == level)) for level in range(deepest + 1)]
    for group in groups:
        if len(group):
            yield "{rank=same ; " + "; ".join(map(str, group)) + "} ;"
