"""An explanation as text that fits a width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..data.common.plural import counted
from ..data.common.text_width import check_width, padded, terminal_width, width_of, wrapped
from .leaf import LEVEL, OPTIMISTIC, Leaf
from .path import MOST_LEVELS, Step, asked, told
from .rules.rule import joined
from .rules.text import percent

if TYPE_CHECKING:
    from .explanation import Explanation

MOST_STEPS, MOST_ENDS, MOST_CLASSES, MOST_RULE = 60, 8, 12, 40


def as_text(of: Explanation, width: int | None) -> str:
    """The lines of an explanation."""
    if width is None:
        width = terminal_width()
    check_width(width)
    lines = wrapped(head(of), width)
    shown = of.steps[:MOST_STEPS]
    for number, step in enumerate(shown, 1):
        mark = f"{number}. "
        first, *rest = step_sentences(of, step)
        lines += ["", *wrapped(first, width, mark, " " * len(mark))]
        for sentence in rest:
            lines += wrapped(sentence, width, " " * len(mark), " " * (len(mark) + 2))
    if len(of.steps) > len(shown):
        lines += ["", f"… and {len(of.steps) - len(shown):,} more steps; to_dict() has all of them."]
    for leaf in of.leaves[:MOST_ENDS]:
        lines += ["", *wrapped(leaf_head(of, leaf), width)]
        for sentence in leaf_sentences(of, leaf):
            lines += wrapped(sentence, width, "  ", "    ")
    if len(of.leaves) > MOST_ENDS:
        rest_share = sum(leaf.share for leaf in of.leaves[MOST_ENDS:])
        lines += ["", f"… and {len(of.leaves) - MOST_ENDS:,} more ends, with {rest_share:.3g} of the row."]
    lines += _contributions(of, width)
    for sentence in decision_sentences(of):
        lines += ["", *wrapped(sentence, width)]
    return "\n".join(lines) + "\n"


def head(of: Explanation) -> str:
    """What is predicted, and where the row ends."""
    what = "" if of.subject.target is None else f"{one_name(of.subject.target)} = "
    sure = "" if of.subject.labels is None else f" with probability {of.probabilities[of.decided]:.3g}"
    if len(of.leaves) > 1:
        return (
            f"Row {of.row}: {what}{of.answer_words}{sure}, the mean of {len(of.leaves)} ends by their shares"
        )
    leaf = of.leaves[0]
    return f"Row {of.row}: {what}{of.answer_words}{sure} ({_place(leaf)})"


def one_name(name: object) -> str:
    """A name that cannot break a line."""
    from ..tree.tree_text import one_line

    return one_line(str(name))


def _place(leaf: Leaf) -> str:
    return f"{'leaf' if leaf.is_leaf else 'node'} {leaf.node}"


def step_sentences(of: Explanation, step: Step, most: int | None = MOST_LEVELS) -> Iterator[str]:
    """What was asked, what the row said, what that changed, and what the split is worth."""
    words, tree = of.subject.words, of.subject.tree
    part = "" if step.share == 1 else f" ({step.share:.3g} of the row)"
    yield f"{asked(words, step.node, most)}{part}"
    yield told(words, of.cells, step, most)
    yield change_words(of, step.before, step.after)
    facts = (
        [f"{counted(int(tree.n_node_samples[step.node]), 'training row')} here"] if words.counts_rows else []
    )
    if tree.gain[step.node] > 0:
        facts.append(f"the split gained {gain_words(of, step.node)}")
    if facts:
        yield "; ".join(facts)
    rivals = of.runners_up.get(step.node, ())
    if rivals:
        yield "runners-up: " + "; ".join(f"{rival.test} (gain {rival.gain:.4g})" for rival in rivals)


def gain_words(of: Explanation, node: int) -> str:
    """The gain of a split, and how much of what there was."""
    tree = of.subject.tree
    gain, mass = float(tree.gain[node]), float(tree.weighted_n_node_samples[node] * tree.impurity[node])
    return f"{gain:.4g}" + (f" ({percent(gain / mass)} of the impurity)" if mass > 0 else "")


def change_words(of: Explanation, before: float, after: float) -> str:
    """`bad: 0.3 -> 0.45 (+0.15)`."""
    digits = ".6g" if of.subject.labels is None else ".3g"
    return f"{of.about_words}: {before:{digits}} -> {after:{digits}} ({after - before:+.3g})"


def leaf_head(of: Explanation, leaf: Leaf) -> str:
    """The node where the row ends, and how many training rows did too."""
    place = _place(leaf).capitalize()
    part = "" if len(of.leaves) == 1 else f" ({leaf.share:.3g} of the row)"
    stops = "" if leaf.is_leaf else ", where a missing value stops the row"
    if leaf.rows is None:
        return f"{place}{part}{stops}"
    many = f"{leaf.rows:,} of {counted(leaf.of or 0, 'training row')}"
    weight = "" if leaf.support is None else f" ({percent(leaf.support)}{_by_weight(leaf)})"
    return f"{place}{part}{stops}: {many}{weight}"


def _by_weight(leaf: Leaf) -> str:
    alike = leaf.of and leaf.support is not None and abs(leaf.support - (leaf.rows or 0) / leaf.of) < 1e-9
    return "" if alike else " of the weight"


def leaf_sentences(of: Explanation, leaf: Leaf) -> Iterator[str]:
    """What it answers, how sure that is, and by which rule."""
    if of.subject.words.classes is None:
        yield from _number_sentences(leaf)
    else:
        yield shares_words(of, leaf)
        if leaf.low is not None:
            span = f"{leaf.low:.3g} to {leaf.high:.3g}"
            share = of.about_words.replace("probability", "share")
            yield f"{LEVEL:.0%} interval of the {share}: {span} (Jeffreys; {OPTIMISTIC})"
    if leaf.no_interval:
        yield leaf.no_interval
    shown = leaf.rule[:MOST_RULE]
    more = f" and {len(leaf.rule) - len(shown)} more conditions" if len(leaf.rule) > len(shown) else ""
    yield f"Rule: {joined(shown, ' and ') or 'always'}{more}"


def _number_sentences(leaf: Leaf) -> Iterator[str]:
    smooth = f" (counted: {leaf.counted[0]:.6g})" if leaf.is_smoothed else ""
    spread = "" if leaf.spread is None else f", standard deviation {leaf.spread:.4g}"
    yield f"predicted {leaf.predicted[0]:.6g}{smooth}{spread}"
    if leaf.low is not None and leaf.high is not None:
        reach = (leaf.high - leaf.low) / 2
        span = f"{leaf.counted[0]:.6g} ± {reach:.3g}"
        yield f"{LEVEL:.0%} interval of the mean: {span} (Student; {OPTIMISTIC})"


def shares_words(of: Explanation, leaf: Leaf) -> str:
    """The probability of every class, the greatest first, with what was counted where it differs."""
    assert of.subject.words.classes is not None
    names = of.subject.words.classes[of.output]
    order = sorted(range(len(names)), key=lambda k: (-leaf.predicted[k], k))
    found = []
    for k in order[:MOST_CLASSES]:
        counted = f" (counted {leaf.counted[k]:.3g})" if leaf.is_smoothed else ""
        found.append(f"{names[k]} {leaf.predicted[k]:.3g}{counted}")
    more = f", … and {len(order) - MOST_CLASSES} more classes" if len(order) > MOST_CLASSES else ""
    return ", ".join(found) + more


def _contributions(of: Explanation, width: int) -> list[str]:
    """What each column changed, under each other."""
    found = of.contributions
    if not found:
        return []
    digits = ".6g" if of.subject.labels is None else ".3g"
    span = f"from {of.start:{digits}} at the root to {of.end:{digits}}"
    title = f"What the columns changed, {span}, the {of.about_words}:"
    most = max(map(width_of, found))
    room = min(most, width - 14)
    lines = ["", *wrapped(title, width)]
    for name, value in found.items():
        *above, last = wrapped(name, room + 2, "  ")
        lines += [*above, f"{padded(last, room + 2)}  {value:+.3g}"]
    return lines


def decision_sentences(of: Explanation) -> Iterator[str]:
    """How it was decided, and what the alternatives would have cost."""
    if of.decision is None:
        return
    yield f"Decision: {one_name(of.decision)}"
    costs, classes = of.expected_costs, of.subject.words.classes
    if costs is not None and classes is not None:
        each = ", ".join(f"{name} {cost:.3g}" for name, cost in zip(classes[of.output], costs, strict=True))
        yield f"Expected cost of each answer: {each}."
