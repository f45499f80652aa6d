"""An explanation as dictionaries of values that JSON can hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .leaf import LeafReached, to_json
from .path import PathStep, branch_text, split_text, value_sentence
from .rules.condition_text import MOST_LEVELS

if TYPE_CHECKING:
    from .explanation import Explanation


def step_rows(of: Explanation) -> list[dict[str, Any]]:
    """One flat dictionary per step; long sets of levels are shortened."""
    found = []
    for number, step in enumerate(of.steps, 1):
        facts = _step(of, step, MOST_LEVELS)
        others = "; ".join(each.text for each in of.next_best_splits.get(step.node, ()))
        row = {"row": of.row, "step": number, "this_row": facts["sentence"], "next_best": others}
        names = ("node", "column", "test", "decided_by", "before", "after", "rows", "gain")
        found.append(row | {name: facts[name] for name in names})
    return found


def explanation_dict(of: Explanation) -> dict[str, Any]:
    """Everything, with all levels."""
    labels: Any = of.model.labels
    found: dict[str, Any] = {
        "row": of.row,
        "kind": "regression" if labels is None else "classification",
        "target": to_json(of.model.target),
        "prediction": to_json(of.prediction),
        "start": to_json(of.start),
        "end": to_json(of.end),
    }
    if labels is not None:
        found["about"] = to_json(labels[of.output][of.about])
        found["probabilities"] = _by_class(of, of.probabilities)
    found["steps"] = [_step(of, step) for step in of.steps]
    found["leaves"] = [_leaf(of, leaf) for leaf in of.leaves]
    found["contributions"] = {name: to_json(value) for name, value in of.contributions.items()}
    if of.decision is not None:
        found["decision"] = of.decision
    if of.expected_costs is not None:
        found["expected_costs"] = _by_class(of, of.expected_costs)
    return found


def _by_class(of: Explanation, numbers: tuple[float, ...]) -> list[dict[str, Any]]:
    """A number for every class, beside its label: labels need not be text, as the keys of JSON must."""
    labels: Any = of.model.labels
    pairs = zip(labels[of.output], numbers, strict=True)
    return [{"class": to_json(label), "value": to_json(number)} for label, number in pairs]


def _step(of: Explanation, step: PathStep, most: int | None = None) -> dict[str, Any]:
    words, tree = of.model.words, of.model.tree
    test = tree.test(step.node)
    first = int(tree.first_child[step.node])
    placed = range(len(test.levels) or 2)  # a child for missing values has no condition
    reached = [child - first for child, _ in step.branch.to if child - first in placed]
    return {
        "node": step.node,
        "column": words.feature(step.node),
        "test": split_text(words, step.node, most),
        "value": of.cells.texts[test.feature] or None,
        "sentence": value_sentence(words, of.cells, step, most),
        "by": step.branch.by,
        "decided_by": words.features[step.column],
        "condition": [branch_text(words, test, child, most) for child in reached],
        "to": [{"node": child, "part": to_json(part)} for child, part in step.branch.to],
        "share": to_json(step.share),
        "before": to_json(step.before),
        "after": to_json(step.after),
        "rows": int(tree.n_node_samples[step.node]) if words.counts_rows else None,
        "gain": to_json(float(tree.gain[step.node])),
        "next_best_splits": [each.to_dict() for each in of.next_best_splits.get(step.node, ())],
    }


def _leaf(of: Explanation, leaf: LeafReached) -> dict[str, Any]:
    classes = of.model.labels is not None
    found: dict[str, Any] = {
        "node": leaf.node,
        "is_leaf": leaf.is_leaf,
        "share": to_json(leaf.share),
        "rows": leaf.rows,
        "of": leaf.of,
        "support": to_json(leaf.support),
        "predicted": _by_class(of, leaf.predicted) if classes else to_json(leaf.predicted[0]),
        "counted": _by_class(of, leaf.counted) if classes else to_json(leaf.counted[0]),
        "interval": None if leaf.low is None else [to_json(leaf.low), to_json(leaf.high)],
        "rule": list(leaf.rule),
    }
    return found if classes else found | {"spread": to_json(leaf.spread)}
