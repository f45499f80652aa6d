"""The list of rules as text, as a table for a notebook, and as dictionaries."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...data.common.plural import counted
from ...tree.condition_text import MOST_LEVELS, condition_text, percent, printed_text
from ...tree.equation import leaf_equation
from ...tree.paths import Condition, PathConditions, SurrogateCondition
from ...tree.tree_text import CONTRARY, WEIGHTED, TreeText
from ...tree.value_sets import ValueSet, meet
from ...tree.value_text import level_text
from ..described_model import NO_PREDICTION
from .rule import Rule

if TYPE_CHECKING:
    from .rule_list import Rules

KNOWN = "Only rows without missing values and without unknown levels are covered here."


def as_dict(found: Rules, number: int, rule: Rule) -> dict[str, Any]:
    """One rule, flat: with several outputs the keys carry the number of the output."""
    row: dict[str, Any] = {"rule": number, "conditions": rule.text}
    outputs = found.words.tree.n_outputs
    row |= _keyed("prediction", rule.prediction, outputs)
    row |= {"rows": rule.rows, "weight": rule.weight, "support": rule.support}
    if found.labels is None:
        row["spread"] = rule.spread
    else:
        row |= _keyed("confidence", rule.confidence, outputs) | _keyed("lift", rule.lift, outputs)
        if not found.exclusive:
            return row
        if len(found.words.tree.estimate):
            row |= _keyed("probability", rule.probability, outputs)
        shares = rule.proportions if outputs > 1 else (rule.proportions,)
        for k, names in enumerate(found.words.classes or []):
            values = [None] * len(names) if shares is None or shares[k] is None else shares[k].values()
            end = f"_{k}" if outputs > 1 else ""
            row |= {f"proportion{end}_{name}": value for name, value in zip(names, values, strict=False)}
    return row | {"leaf": rule.leaf}


def _keyed(name: str, value: Any, outputs: int) -> dict[str, Any]:
    if outputs == 1:
        return {name: value}
    return {f"{name}_{k}": None if value is None else value[k] for k in range(outputs)}


# -- text


def as_text(found: Rules, missing: bool, full: bool) -> str:
    """A headline, a block of lines per rule, and the sentences that they rely on.

    Conditions of surrogates are long and common to many rules: they are written once, below.
    """
    most, text_of = (None, condition_text) if full else (MOST_LEVELS, printed_text)
    paths = [rule.path if missing else known_only(rule.path) for rule in found.rules]
    shown = [(k, path) for k, path in enumerate(paths) if path is not None]
    marks: dict[SurrogateCondition, str] = {}
    for _, path in shown:
        for each in path.surrogates:
            marks.setdefault(each, f"(note {len(marks) + 1})")
    facts = _aligned([_facts(found, found.rules[k]) for k, _ in shown])
    lines, group = [headline(found)], None
    for (k, path), fact in zip(shown, facts, strict=True):
        title = _group(found, found.rules[k])
        if title != group:
            lines += ["", title] if title else []
            group = title
        conditions = [text_of(each, found.words, most) for each in path.values.values()]
        conditions += [
            f"if {condition_text(each.untested, found.words, most)}: {marks[each]}"
            for each in path.surrogates
        ]
        lines += ["", *_block(f"{k + 1:>{len(str(len(found)))}}. ", conditions, fact)]
    notes = [
        f"{mark[1:-1].capitalize()}: {condition_text(each, found.words, most)}."
        for each, mark in marks.items()
    ]
    notes += [*found.notes, *([] if missing else [KNOWN])]
    return "\n".join([*lines, *(["", *notes] if notes else [])]) + "\n"


def _block(number: str, conditions: list[str], fact: str) -> list[str]:
    """The lines of one rule."""
    if not conditions:
        return [f"{number}always {fact}".rstrip()]
    starts = ["if", *["and"] * (len(conditions) - 1), "then"]
    lines = [f"{start:<5}{line}".rstrip() for start, line in zip(starts, [*conditions, fact], strict=True)]
    return [number + lines[0], *(" " * len(number) + line for line in lines[1:])]


def known_only(path: PathConditions) -> PathConditions | None:
    """The conditions for a row without missing values; None where no such row takes the path."""
    known = {j: replace(values, missing=0.0) for j, values in path.values.items()}
    if any(values.takes_no_value for values in known.values()):
        return None
    needed = {j: values for j, values in known.items() if not values.takes_every_value}
    # a test may have no branch for a level that is known elsewhere
    surrogates = (each for each in path.surrogates if _concerns_known(each, known))
    return PathConditions(needed, tuple(surrogates))


def _concerns_known(each: SurrogateCondition, known: dict[int, ValueSet]) -> bool:
    untested = replace(each.untested, missing=0.0)
    return not meet(known.get(untested.feature), untested).takes_no_value


def headline(found: Rules) -> str:
    """How many rules there are, from how many rows."""
    rows = found.words.tree.n_node_samples[0]
    many = counted(len(found), "rule")
    source = f" from {counted(rows, 'row')}" if found.words.counts_rows else ""
    if not found.exclusive:
        return f"{many}{source}. Several may hold for a row: they vote."
    known = " whose values are known" if found.words.tree.shares_rows else ""
    return f"{many}{source}. Exactly one holds for every row{known}."


def _group(found: Rules, rule: Rule) -> str:
    """The heading above the rules of one class."""
    if found.order != "class" or found.words.classes is None or len(found.words.classes) > 1:
        return ""
    index = int(rule.predicts[0])
    if index < 0:
        return "No prediction"
    usual = float(found.words.tree.value[0, 0, index])
    share = f" ({percent(usual)} of all)" if found.words.counts_rows else ""
    return f"Class {found.words.classes[0][index]}{share}"


def _facts(found: Rules, rule: Rule) -> list[str]:
    """The prediction and how many training rows support it, in cells that are put under each other."""
    cells = [prediction_text(found, rule)]
    if rule.rows is not None:
        cells += [counted(rule.rows, "row"), f"({percent(rule.support)})"]
        if found.is_weighted:
            cells += ["weight", found.words.short_number(rule.weight or 0.0)]
    if found.labels is None:
        return cells if rule.spread is None else [*cells, found.spread_name, f"{rule.spread:.4g}"]
    if min(rule.predicts) < 0:
        return cells
    confidence, lift = _confidence_and_lift(rule)
    cells += ["confidence", confidence, "lift", lift]
    if not len(found.words.tree.estimate) or not found.exclusive:
        return cells
    chance = ", ".join(map(percent, each_output(rule.probability)))
    return [*cells, "probability", chance + ("*" if _is_contrary(rule) else "")]


def _is_contrary(rule: Rule) -> bool:
    """Whether smoothing makes the leaf predict another class than most of its training rows have."""
    return bool(rule.words.tree.smoothing_decides[list(rule.leaves)].any())


def _confidence_and_lift(rule: Rule) -> tuple[str, str]:
    lift = ("–" if each is None else f"{each:.2f}" for each in each_output(rule.lift))
    return ", ".join(map(percent, each_output(rule.confidence))), ", ".join(lift)


def each_output(value: Any) -> tuple[Any, ...]:
    """The values of all outputs."""
    return value if isinstance(value, tuple) else (value,)


def is_weighted(rule: Rule) -> bool:
    """Whether the weight of the rows is another number than theirs."""
    rows, weight = rule.rows, rule.weight
    return rows is not None and weight is not None and abs(weight - rows) > 1e-9 * max(rows, 1)


def prediction_text(found: Rules, rule: Rule) -> str:
    """The prediction as text."""
    classes, decimals = found.words.classes, found.words.decimals
    if found.words.tree.leaf_models is not None and rule.leaf is not None:
        return leaf_equation(found.words, rule.leaf)
    if classes is None:
        rounds = decimals is not None and all(map(math.isfinite, rule.predicts))
        if rounds:
            return ", ".join(f"{each:.{decimals}f}" for each in rule.predicts)
        return ", ".join(map(found.words.prediction_number, rule.predicts))
    if min(rule.predicts) < 0:
        return NO_PREDICTION
    return ", ".join(names[int(k)] for names, k in zip(classes, rule.predicts, strict=True))


def _aligned(cells: list[list[str]]) -> list[str]:
    """The first cell to the left, the others to the right; a line may lack the last ones."""
    most = max(map(len, cells), default=0)
    widths = [max(len(line[k]) for line in cells if k < len(line)) for k in range(most)]
    return [
        "  ".join(f"{cell:<{width}}" if k == 0 else f"{cell:>{width}}"
                  for k, (cell, width) in enumerate(zip(line, widths, strict=False)))
        for line in cells
    ]  # fmt: skip


# -- a notebook


def table_rows(found: Rules) -> list[dict[str, Any]]:
    """The rules as they stand in the table of a notebook."""
    rows = []
    for number, rule in enumerate(found.rules, 1):
        row = {"rule": number, "conditions": rule.short_text, "prediction": prediction_text(found, rule)}
        row |= {"rows": rule.rows, "support": rule.support, "spread": rule.spread}
        row["confidence"], row["lift"] = _confidence_and_lift(rule)
        rows.append(row)
    return rows


# -- sentences under the rules

SHARED = (
    "A row with a missing value may fall under several rules, each by a share of it. Its shares sum to 1, "
    "and the mean of the predictions of these rules decides."
)
LEVELS = "A level that no rule names is treated as missing."
MISSING = (
    "If a rule does not mention missing values, they go to the branch with more training rows at each split."
)
SMOOTHED = "Confidence is that of the training rows; the probabilities that the model predicts are smoothed."
COSTS = "The prediction is the class of least expected cost, which need not be the most frequent one."
EMPTY = "A rule without a prediction is a leaf that no training row reached."


def notes_of(words: TreeText, rules: Iterable[Rule], unreached: int) -> tuple[str, ...]:
    """The sentences that the rules rely on."""
    rules = list(rules)
    used = {feature for rule in rules for each in rule.path.conditions for feature in _features(each)}
    kinds = {feature: words.column(feature) for feature in sorted(used)}
    conditions = {
        SHARED: words.tree.shares_rows,
        WEIGHTED: words.tree.is_weighted and any(map(is_weighted, rules)),
        MISSING: bool(used - words.columns_with_missing),
        LEVELS: any(column.kind == "nominal" for column in kinds.values()),
        COSTS: words.tree.costs is not None,
        SMOOTHED: len(words.tree.estimate) > 0 and words.classes is not None,
        CONTRARY: any(_is_contrary(rule) for rule in rules),
        EMPTY: words.classes is not None and any(min(rule.predicts) < 0 for rule in rules),
    }
    found = [sentence for sentence, holds in conditions.items() if holds]
    for feature, column in kinds.items():
        if column.kind == "ordered" and column.levels:
            order = " < ".join(map(level_text, column.levels))
            found.append(
                f"The order of {words.features[feature]}: {order}; any other level is treated as missing."
            )
    if words.decimals is not None:
        places = "1 decimal" if words.decimals == 1 else f"{words.decimals} decimals"
        found.append(f"Numbers are rounded to {places} here; the model compares with exact ones.")
    if unreached:
        found.append(f"No row can reach {unreached} of the leaves, so these have no rule.")
    return tuple(found)


def _features(condition: Condition) -> list[int]:
    if isinstance(condition, SurrogateCondition):
        return [condition.untested.feature, *(step.values.feature for step in condition.steps)]
    return [condition.feature]
