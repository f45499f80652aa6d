"""A trace as JSON values: the nodes of the tree, and for every step its candidates with their data."""

from __future__ import annotations

import json
from collections.abc import Sequence
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

MOST_STEPS, MOST_COLUMNS = 100, 30
MOST_DATA = 500_000  # letters of JSON, after which only the chosen columns are drawn
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
    shown = [_step(step) for step in steps]
    _draw(steps, shown)
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
        "steps": shown,
        "weighted": _weighted(steps, words),
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
        "counts": _counts(step),
        "waiting": [[node, significant(gain)] for node, gain in step.waiting.items()],
        "gain": significant(step.winner.total_gain),
        "impurity": gain_text(step.impurity, step.impurity),
        "candidates": [_candidate(step, each, tie=id(each) in ties) for each in shown],
    }


def _draw(steps: Sequence[Step], shown: list[dict[str, Any]]) -> None:
    """Add what is drawn of the columns, of every step the best first, as far as the page stays small."""
    spent = 0
    for k in range(MOST_COLUMNS):
        for step, made in zip(steps, shown, strict=True):
            if k < len(made["candidates"]) and (k == 0 or spent < MOST_DATA):
                data = to_json(column_of(step, step.candidates[k]))
                made["candidates"][k]["data"] = data
                spent += len(json.dumps(data))


def _counts(step: Step) -> list[int] | None:
    """The rows of every class, whatever they weigh."""
    search = step.at.search
    if not search.target.classes:
        return None
    rows, _ = search.rows_at(step.node)
    found = np.bincount(search.target.y[rows, 0], minlength=len(search.target.classes[0]))
    return [int(count) for count in found]


def _weighted(steps: Sequence[Step], words: TreeText) -> bool:
    """Whether the shares of the classes are not those of the rows."""
    for step in steps:
        counts = np.array(_counts(step) or [])
        shares = words.tree.value[step.node, 0, : len(counts)]
        if len(counts) and not np.allclose(counts / counts.sum(), shares, atol=1e-6):
            return True
    return False


def _candidate(step: Step, each: Candidate, *, tie: bool) -> dict[str, Any]:
    found = {
        "column": each.column,
        "test": each.test,
        "gain": significant(each.gain),
        "says": step.gain_text(each.gain),
        "tie": tie,
        "data": None,
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
