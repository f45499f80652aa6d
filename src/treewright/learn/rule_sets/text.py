"""A set of rules as C5.0 prints it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...tree.condition_text import values_text
from ...tree.paths import PathConditions
from ...tree.tree_text import TreeText
from ...tree.value_sets import FIRST, LAST, LevelSet, NumberRange, ValueSet
from ...tree.value_text import levels_text
from .rule_set import ClassRule, RuleSet

if TYPE_CHECKING:
    from .fitted import FittedRules


def rules_text(model: FittedRules, words: TreeText | None = None, trial: str = "") -> str:
    """Every rule with the rows that it covers and gets wrong, its lift, conditions, class and confidence.

    `trial` stands before the number of each rule.
    """
    words = model.words() if words is None else words
    classes = words.classes[0] if words.classes else [str(k) for k in range(model.rule_set.n_classes)]
    lines = ["Rules:", ""]
    for number, rule in enumerate(model.rule_set.rules, 1):
        lines += [*rule_lines(f"{trial}{number}", rule, model.rule_set, classes, words), ""]
    return "\n".join([*lines, f"Default class: {classes[model.rule_set.default]}"]) + "\n"


def rule_lines(
    number: int | str, rule: ClassRule, of: RuleSet, classes: list[str], words: TreeText
) -> list[str]:
    """The lines of one rule."""
    wrong = rule.cover - rule.correct
    covered = _weight(rule.cover) + (f"/{_weight(wrong)}" if _weight(wrong) != "0" else "")
    return [
        f"Rule {number}: ({covered}, lift {of.lift(rule):.1f})",
        *(f"\t{each}" for each in condition_lines(rule.path, words)),
        f"\t->  class {classes[rule.label]}  [{rule.vote / 1000:.3f}]",
    ]


def condition_lines(path: PathConditions, words: TreeText) -> list[str]:
    """One line for each condition; a range of numbers has two."""
    return [line for values in path.values.values() for line in _lines(values, words)]


def _lines(values: ValueSet, words: TreeText) -> list[str]:
    if isinstance(values, NumberRange):
        if values.n_sides == 1 and words.column(values.feature).kind == "boolean":  # levels of the program
            return [f"{words.name(values.feature)} = {'false' if values.low == FIRST else 'true'}"]
        if values.n_sides == 1:
            return [values_text(values, words)]
        sides = replace(values, high=LAST), replace(values, low=FIRST)
        return [values_text(side, words) for side in sides]
    if values.missing or not values.codes:
        return [values_text(values, words)]
    return [_levels(values, words)]


def _levels(values: LevelSet, words: TreeText) -> str:
    levels = [words.column(values.feature).levels[code] for code in sorted(values.codes)]
    return f"{words.name(values.feature)} {'=' if len(levels) == 1 else 'in'} {levels_text(levels, None)}"


def _weight(value: float) -> str:
    return f"{value:.0f}" if abs(value - round(value)) < 0.05 else f"{value:.1f}"
