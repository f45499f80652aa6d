"""An explanation as text that fits a width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..data.common.plural import counted
from ..data.common.text_width import check_width, padded, terminal_width, width_of, wrapped
from ..tree.tree_text import one_line
from .described_model import NO_PREDICTION
from .leaf import CONFIDENCE, OPTIMISTIC, LeafReached
from .path import PathStep, split_text, value_sentence
from .rules.condition_text import MOST_LEVELS, joined, percent

if TYPE_CHECKING:
    from .explanation import Explanation

MOST_STEPS, MOST_LEAVES, MOST_CLASSES, MOST_CONDITIONS = 60, 8, 12, 40


def as_text(of: Explanation, width: int | None) -> str:
    """The lines of an explanation."""
    if width is None:
        width = terminal_width()
    check_width(width)
    lines = wrapped(headline(of), width)
    shown = of.steps[:MOST_STEPS]
    for number, step in enumerate(shown, 1):
        mark = f"{number}. "
        first, *rest = step_sentences(of, step)
        lines += ["", *wrapped(first, width, mark, " " * len(mark))]
        for sentence in rest:
            lines += wrapped(sentence, width, " " * len(mark), " " * (len(mark) + 2))
    if len(of.steps) > len(shown):
        lines += ["", f"… and {len(of.steps) - len(shown):,} more steps; to_dict() has all of them."]
    for leaf in of.leaves[:MOST_LEAVES]:
        first, *rest = leaf_lines(of, leaf)
        lines += ["", *wrapped(first, width)]
        for sentence in rest:
            lines += wrapped(sentence, width, "  ", "    ")
    if len(of.leaves) > MOST_LEAVES:
        rest_share = sum(leaf.share for leaf in of.leaves[MOST_LEAVES:])
        lines += [
            "",
            f"… and {len(of.leaves) - MOST_LEAVES:,} more leaves, with {rest_share:.3g} of the row.",
        ]
    lines += _contributions(of, width)
    for sentence in decision_sentences(of):
        lines += ["", *wrapped(sentence, width)]
    return "\n".join(lines) + "\n"


def headline(of: Explanation) -> str:
    """The prediction, and the leaf reached."""
    what = "" if of.model.target is None else f"{one_line(str(of.model.target))} = "
    if of.decided < 0:
        return f"Row {of.row}: {NO_PREDICTION} ({_place(of.leaves[0])}, which no training row reached)"
    sure = "" if of.model.labels is None else f" with probability {of.probabilities[of.decided]:.3g}"
    if len(of.leaves) > 1:
        where = f", the mean of {len(of.leaves)} leaves that share the row"
    else:
        where = f" ({_place(of.leaves[0])})"
    return f"Row {of.row}: {what}{of.prediction_text}{sure}{where}"


def _place(leaf: LeafReached) -> str:
    return f"{'leaf' if leaf.is_leaf else 'node'} {leaf.node}"


def step_sentences(of: Explanation, step: PathStep) -> Iterator[str]:
    """The test, the row's value, what that changed, and the worth of the split."""
    words, tree = of.model.words, of.model.tree
    part = "" if step.share == 1 else f" ({step.share:.3g} of the row)"
    yield f"{split_text(words, step.node, MOST_LEVELS)}?{part}"
    yield value_sentence(words, of.cells, step, MOST_LEVELS)
    yield _change(of, step)
    facts = (
        [f"{counted(int(tree.n_node_samples[step.node]), 'training row')} here"] if words.counts_rows else []
    )
    gain = float(tree.gain[step.node])
    if gain > 0:
        mass = float(tree.weighted_n_node_samples[step.node] * tree.impurity[step.node])
        part = f" ({percent(gain / mass)} of the impurity)" if mass > 0 else ""
        facts.append(f"the split gained {gain:.4g}{part}")
    if facts:
        yield "; ".join(facts)
    others = of.next_best_splits.get(step.node, ())
    if others:
        yield "next-best splits: " + "; ".join(each.text for each in others)


def _change(of: Explanation, step: PathStep) -> str:
    """`probability of bad: 0.3 -> 0.45 (+0.15)`."""
    digits = ".6g" if of.model.labels is None else ".3g"
    start = f"{of.about_text}: {step.before:{digits}}"
    if step.after != step.after:  # NaN
        return f"{start}, then {NO_PREDICTION}"
    return f"{start} -> {step.after:{digits}} ({step.after - step.before:+.3g})"


def leaf_lines(of: Explanation, leaf: LeafReached) -> Iterator[str]:
    """The leaf reached with its training rows, its prediction with an interval, and its rule."""
    place = _place(leaf).capitalize()
    part = "" if len(of.leaves) == 1 else f" ({leaf.share:.3g} of the row)"
    stops = "" if leaf.is_leaf else ", where a missing value stops the row"
    many = ""
    if leaf.rows is not None:
        weight = "" if leaf.support is None else f" ({percent(leaf.support)}{_by_weight(leaf)})"
        many = f": {leaf.rows:,} of {counted(leaf.of or 0, 'training row')}{weight}"
    yield f"{place}{part}{stops}{many}"
    if of.decided >= 0:
        yield from _prediction_lines(of, leaf)
    else:
        yield "No training row reached this leaf, so there is no prediction."
    rule = leaf.rule_text(MOST_LEVELS)
    shown = rule[:MOST_CONDITIONS]
    more = f" and {len(rule) - len(shown)} more conditions" if len(rule) > len(shown) else ""
    yield f"Rule: {joined(shown, ' and ') or 'always'}{more}"


def _by_weight(leaf: LeafReached) -> str:
    alike = leaf.of and leaf.support is not None and abs(leaf.support - (leaf.rows or 0) / leaf.of) < 1e-9
    return "" if alike else " of the weight"


def _prediction_lines(of: Explanation, leaf: LeafReached) -> Iterator[str]:
    has_interval = leaf.low is not None and leaf.high is not None
    if of.model.words.classes is None:
        smooth = f" (counted: {leaf.counted[0]:.6g})" if leaf.is_smoothed else ""
        spread = "" if leaf.spread is None else f", standard deviation {leaf.spread:.4g}"
        yield f"predicted {leaf.predicted[0]:.6g}{smooth}{spread}"
        if has_interval:
            reach = ((leaf.high or 0.0) - (leaf.low or 0.0)) / 2
            span = f"{leaf.counted[0]:.6g} ± {reach:.3g}"
            yield f"{CONFIDENCE:.0%} confidence interval of the mean: {span} (Student; {OPTIMISTIC})"
    else:
        yield _probabilities(of, leaf)
        if has_interval:
            span = f"{leaf.low:.3g} to {leaf.high:.3g}"
            what = of.about_text.replace("probability", "proportion", 1)
            yield f"{CONFIDENCE:.0%} confidence interval of the {what}: {span} (Jeffreys; {OPTIMISTIC})"
    if leaf.no_interval:
        yield leaf.no_interval


def _probabilities(of: Explanation, leaf: LeafReached) -> str:
    """The probability of every class, the greatest first, with what was counted where it differs."""
    assert of.model.words.classes is not None
    names = of.model.words.classes[of.output]
    order = sorted(range(len(names)), key=lambda k: (-leaf.predicted[k], k))
    found = []
    for k in order[:MOST_CLASSES]:
        raw = f" (counted {leaf.counted[k]:.3g})" if leaf.is_smoothed else ""
        found.append(f"{names[k]} {leaf.predicted[k]:.3g}{raw}")
    more = f", … and {len(order) - MOST_CLASSES} more classes" if len(order) > MOST_CLASSES else ""
    return ", ".join(found) + more


def _contributions(of: Explanation, width: int) -> list[str]:
    """What each column changed, under each other."""
    found = of.contributions
    if not found:
        return []
    digits = ".6g" if of.model.labels is None else ".3g"
    span = f"from {of.start:{digits}} at the root to {of.end:{digits}}"
    room = min(max(map(width_of, found)), width - 14)
    lines = ["", *wrapped(f"What each column changed, {span} ({of.about_text}):", width)]
    for name, value in found.items():
        *above, last = wrapped(name, room + 2, "  ")
        lines += [*above, f"{padded(last, room + 2)}  {value:+.3g}"]
    return lines


def decision_sentences(of: Explanation) -> Iterator[str]:
    """How the class was chosen, and what it would cost to predict each."""
    if of.decision is None:
        return
    yield f"Decision: {one_line(of.decision)}"
    costs, classes = of.expected_costs, of.model.words.classes
    if costs is not None and classes is not None:
        each = ", ".join(f"{name} {cost:.3g}" for name, cost in zip(classes[of.output], costs, strict=True))
        yield f"Expected cost of predicting each class: {each}."
