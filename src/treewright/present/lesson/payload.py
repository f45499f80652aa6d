"""A trace as JSON values: the nodes of the tree, and for every step its candidates with their data."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.common.numbers import gain_text, significant
from ...data.common.plural import counted
from ...data.common.to_json import to_json
from ...interpret.growth.node_candidates import Candidate
from ...interpret.growth.order import IN_WORDS
from ...interpret.growth.split_information import printed_criterion
from ...interpret.growth.step import Step
from ...interpret.growth.trace import Trace
from ...tree.tree_text import TreeText
from .columns import column_of

MOST_STEPS, MOST_COLUMNS, MOST_DRAWN = 100, 30, 8
FORMAT = "treewright lesson"  # by which the script of the page knows it


def payload_of(trace: Trace, title: str | None = None) -> dict[str, Any]:
    """All that the page shows."""
    words, model = trace.words, trace.model
    steps = trace.steps[:MOST_STEPS]
    notes = list(trace.notes)
    if len(trace) > len(steps):
        notes.append(f"The page shows the first {len(steps)} of {counted(len(trace), 'step')}.")
    if words.tree.n_outputs > 1:
        notes.append("The tree predicts several targets. Gains are of all, pictures of the first.")
    found = {
        "format": FORMAT,
        "title": title or f"How the tree{f' for {model.target}' if model.target else ''} grows",
        "target": model.target,
        "criterion": trace.criterion.replace("_", " "),
        "impurity": printed_criterion(trace.criterion).replace("_", " "),
        "by_ratio": trace.criterion == "gain_ratio",
        "by_test": bool(words.tree.p_value.size),
        "rule": trace.rule,
        "order": IN_WORDS[trace.order],
        "classes": words.classes[0] if words.classes is not None else None,
        "rows": int(words.tree.n_node_samples[0]),
        "columns": words.tree.n_features,
        "splits": len(trace),
        "nodes": _nodes(words),
        "steps": [_step(step) for step in steps],
        "ends": _ends(trace),
        "notes": notes,
    }
    return dict(to_json(found))


def _nodes(words: TreeText) -> list[dict[str, Any]]:
    tree = words.tree
    edge: dict[int, str] = {}
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        labels = words.branch_labels(node, 3) or [f"{s} {v}" for s, v in words.parts(tree.test(node))]
        if words.is_presence_test(node):
            labels = ["present", "missing"]
        elif not words.shows_missing(node) and not words.has_own_child(node, tree.test(node)):
            labels = [label.removesuffix(" or missing") for label in labels]
        edge |= dict(zip(words.children(node), labels, strict=False))
    return [
        {
            "parent": int(tree.parent[node]),
            "children": list(words.children(node)),
            "edge": edge.get(node, ""),
            "column": "" if words.is_leaf(node) else words.feature(node),
            "rows": int(tree.n_node_samples[node]),
            "says": _says(words, node),
            "shares": _shares(words, node),
        }
        for node in range(tree.node_count)
    ]


def _says(words: TreeText, node: int) -> str:
    if words.classes is not None:
        return words.predicted(node)
    return words.prediction_number(float(words.tree.prediction[node, 0, 0]))


def _shares(words: TreeText, node: int) -> list[float] | None:
    if words.classes is None:
        return None
    many = len(words.classes[0])
    return [round(float(share), 4) for share in words.tree.value[node, 0, :many]]


def _step(step: Step) -> dict[str, Any]:
    shown = step.candidates[:MOST_COLUMNS]
    ties = {id(each) for each in step.ties}
    return {
        "node": step.node,
        "path": step.path,
        "sentence": step.sentence(),
        "more": len(step.candidates) - len(shown),
        "waiting": [[node, significant(gain)] for node, gain in step.waiting.items()],
        "gain": significant(step.winner.total_gain),
        "impurity": gain_text(step.impurity, step.impurity),
        "candidates": [
            _candidate(step, each, drawn=k < MOST_DRAWN, tie=id(each) in ties) for k, each in enumerate(shown)
        ],
    }


def _candidate(step: Step, each: Candidate, *, drawn: bool, tie: bool) -> dict[str, Any]:
    data = column_of(step, each) if drawn else None
    found = {
        "column": each.column,
        "test": each.test,
        "gain": significant(each.gain),
        "says": step.gain_text(each.gain),
        "tie": tie,
        "data": data,
    }
    more = {"ratio": each.ratio, "p_value": each.p_value}
    return found | {name: significant(value) for name, value in more.items() if value is not None}


def _ends(trace: Trace) -> list[str]:
    """Why no leaf is split any more: by reason, of how many leaves it holds."""
    tree, params = trace.model.tree, trace.model.params
    leaves = np.flatnonzero(tree.is_leaf)
    reasons: dict[str, int] = {}
    most = params.get("max_leaf_nodes")
    for node in leaves.tolist():
        if tree.impurity[node] <= 0:
            why = "all rows alike"
        elif params.get("max_depth") is not None and tree.depth[node] >= params["max_depth"]:
            why = f"at the greatest depth (max_depth={params['max_depth']})"
        elif most is not None and tree.n_leaves >= most:
            why = f"no further leaf allowed (max_leaf_nodes={most})"
        else:
            why = "no split that the parameters allow, or pruned"
        reasons[why] = reasons.get(why, 0) + 1
    return [f"{counted(many, 'leaf')}: {why}" for why, many in reasons.items()]
