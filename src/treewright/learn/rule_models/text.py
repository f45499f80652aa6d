"""Rules with linear models as Cubist prints them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...data.common.plural import counted
from ...tree.paths import PathConditions
from ...tree.tree_text import TreeText
from ..rule_sets.text import condition_lines
from .rule_model import LinearRule

if TYPE_CHECKING:
    from .fitted import FittedRuleModel

MISSING = "A missing value counts as the mean of its column, or as the most frequent level."
WIDTH = 80  # of a line with a model


def rule_model_text(model: FittedRuleModel, words: TreeText | None = None) -> str:
    """Every rule with its rows, their mean and range, its estimated error, conditions and model."""
    words = model.words() if words is None else words
    target, of = model.target or "outcome", model.rule_model
    lines: list[str] = []
    for member, rules in enumerate(of.committee, 1):
        several = len(of.committee) > 1
        lines += [f"Model {member}:" if several else "Model:", ""]
        for number, rule in enumerate(rules, 1):
            name = f"{member}/{number}" if several else str(number)
            lines += [*_rule_lines(name, rule, target, words, of.decimals), ""]
    return "\n".join([*lines, MISSING]) + "\n"


def _rule_lines(name: str, rule: LinearRule, target: str, words: TreeText, decimals: int) -> list[str]:
    near = f".{decimals + 1}f"
    ends = f"range {rule.low:.{decimals + 6}g} to {rule.high:.{decimals + 6}g}"
    facts = f"{counted(rule.cover, 'case')}, mean {rule.mean:{near}}, {ends}, est err {rule.error:{near}}"
    conditions = [f"\t{line}" for line in condition_words(rule.path, words)]
    between = ["    if", *conditions, "    then"] if conditions else []
    return [f"  Rule {name}: [{facts}]", "", *between, *model_lines(rule, target, words)]


def condition_words(path: PathConditions, words: TreeText) -> list[str]:
    """The conditions; missing values are replaced before they are looked at."""
    known = PathConditions({j: replace(values, missing=0.0) for j, values in path.values.items()})
    return condition_lines(known, words)


def model_lines(rule: LinearRule, target: str, words: TreeText) -> list[str]:
    """The linear model, the terms that move it most first."""
    signs = {True: "-", False: "+"}
    terms = [f" {signs[size < 0]} {abs(size):.6g} {words.name(j)}" for j, size in rule.terms.items()]
    line, lines = f"\t{target} = {rule.intercept:.10g}", []
    indent = "\t" + " " * (len(target) + 2)
    for term in terms:
        if len(line) + len(term) > WIDTH - 7:
            lines.append(line)
            line = indent
        line += term
    return [*lines, line]
