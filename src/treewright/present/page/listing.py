"""The rules of the tree, and the settings that made it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.common.numbers import significant
from ...data.common.plural import counted
from ...interpret.rules import rules as rules_of
from ...interpret.rules.printing import LEVELS, MISSING
from ...learn.params import PARAMETERS
from ...tree.condition_text import printed_rule
from ...tree.paths import Branches, PathConditions
from ...tree.tree_text import TreeText
from .subject import Subject

MOST_RULES = 1000
LONGEST = 2000  # letters of a rule; a page has room for more, but nobody reads them
FEW_LEVELS = 3  # of a condition of the rules below the tree
MOST_LEAVES = 20_000  # beyond that to write all rules, of which most are left out, takes too long


def rules(subject: Subject) -> dict[str, Any]:
    """One rule per node where rows end; of very many those with the most rows."""
    tree = subject.tree
    if tree.n_leaves > MOST_LEAVES:
        return {"rules": [], "rules_note": f"{tree.n_leaves:,} leaves are too many to write as rules."}
    made = rules_of(tree, order="leaf", feature_names=subject.words.features)
    found = list(made)
    note: str | None = None
    if len(found) > MOST_RULES:
        note = f"The {MOST_RULES:,} rules with the most rows, of {len(found):,}."
        largest = sorted(found, key=lambda rule: -(rule.weight or 0.0))[:MOST_RULES]
        found = sorted(largest, key=lambda rule: rule.leaf)
    listed = [_rule(subject, rule) for rule in found]
    known = " whose values are known" if tree.shares_rows else ""
    words = f"Each leaf as a rule. Exactly one holds for every row{known}."
    words = " ".join([words, *(note for note in made.notes if note in {MISSING, LEVELS})])
    return {
        "rules": listed,
        "rules_words": words,
        "rules_note": note,
        "rules_of_inner_nodes": _inner_rules(subject),
    }


def _inner_rules(subject: Subject) -> dict[str, list[str]] | None:
    """The rule of every inner node by its number, in full and in short: it is a leaf of some pruned tree."""
    tree, words = subject.tree, subject.words
    if tree.node_count > 2 * MOST_RULES:
        return None
    found, open_ = {}, {0: PathConditions()}
    for node in np.flatnonzero(~tree.is_leaf).tolist():  # parents come before their children
        path = open_.pop(node)
        found[str(node)] = list(_texts(path.tidy(), words))
        branches = Branches(tree, node)
        for child in range(int(tree.n_children[node])):
            if not tree.is_leaf[branches.first + child]:
                open_[branches.first + child] = branches.down(path, child)
    return found


def _texts(path: PathConditions, words: TreeText) -> tuple[str, str]:
    """The conditions of a path, with all levels and with few of them."""
    whole, brief = (printed_rule(path.conditions, words, most) for most in (None, FEW_LEVELS))
    return (whole if len(whole) <= LONGEST else f"{whole[:LONGEST]} …"), brief[:LONGEST]


def _rule(subject: Subject, rule: Any) -> dict[str, Any]:
    text, short = _texts(rule.path, subject.words)
    several = isinstance(rule.confidence, tuple)
    return {
        "node": rule.leaf,
        "text": text,
        "short": short,
        "prediction": subject.words.outcome(rule.leaf).partition(": ")[2],
        "support": rule.rows,
        "confidence": None if several else significant(rule.confidence),
        "lift": None if several else significant(rule.lift),
    }


def settings(subject: Subject) -> dict[str, Any]:
    """Every parameter beside its default, and how to make the model again."""
    given, saved = subject.saved.params, subject.saved
    listed, changed = [], []
    for parameter in PARAMETERS[saved.task]:
        name, usual = parameter.name, parameter.default
        value = given.get(name, usual)
        shown = saved.unsaved.get(name, _literal(value))
        differs = shown != _literal(usual)
        listed.append({"name": name, "value": shown, "default": _literal(usual), "changed": differs})
        if differs:
            changed.append(f"{name}={shown}")
    command = subject.options.get("command") or subject.training.get("command")
    if subject.clusters is not None:
        return {"settings": [], "command": command, "python": _python_of_clusters(subject.clusters, subject)}
    return {
        "settings": listed,
        "command": command if isinstance(command, str) else None,
        "python": _python(saved.estimator, changed, subject),
    }


def _literal(value: Any) -> str:
    """A value as Python writes it; lists that are long are cut."""
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:297]}..."


def _python_of_clusters(params: dict[str, Any], subject: Subject) -> str:
    inside = ", ".join(f"{name}={_literal(value)}" for name, value in params.items())
    lines = ["from treewright import ClusteringTree", "", f"model = ClusteringTree({inside})", "model.fit(X)"]
    return "\n".join(
        [*lines, f"# X has {counted(subject.tree.n_features, 'column')}, in the order of this page", ""]
    )


def _python(estimator: str, changed: list[str], subject: Subject) -> str:
    inside = "".join(f"    {each},\n" for each in changed)
    call = f"{estimator}(\n{inside})" if changed else f"{estimator}()"
    lines = [f"from treewright import {estimator}", "", f"model = {call}", "model.fit(X, y)"]
    if subject.saved.decision is not None:
        lines.append(f"# then: {subject.saved.decision['words']}")
    n = subject.tree.n_features
    return "\n".join([*lines, f"# X has {counted(n, 'column')}, in the order of this page", ""])
