"""An explanation as text that fits a width, and as dictionaries of values that JSON can hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..data.common.plural import counted
from ..data.common.text_width import check_width, padded, terminal_width, width_of, wrapped
from ..tree.condition_text import MOST_LEVELS, joined, percent
from ..tree.equation import range_text, short_equation
from ..tree.leaf_models import link_of
from ..tree.tree_text import one_line
from .described_model import NO_PREDICTION
from .leaf import CONFIDENCE, OPTIMISTIC, LeafReached, to_json
from .path import PathStep, branch_text, split_text, value_sentence

if TYPE_CHECKING:
    from .explanation import Explanation
    from .next_best.stored import NextBestSplit

MOST_STEPS, MOST_LEAVES, MOST_CLASSES, MOST_CONDITIONS = 60, 8, 12, 40
MOST_TERMS = 8  # of a linear leaf


def as_text(of: Explanation, width: int | None) -> str:
    """The lines of an explanation."""
    width = terminal_width() if width is None else width
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
        more = len(of.leaves) - MOST_LEAVES
        lines += ["", f"… and {more:,} more leaves, with {rest_share:.3g} of the row."]
    lines += _contributions(of, width)
    for note in next_best_notes(of):
        lines += ["", *wrapped(note, width)]
    for sentence in decision_sentences(of):
        lines += ["", *wrapped(sentence, width)]
    return "\n".join(lines) + "\n"


def headline(of: Explanation) -> str:
    """The prediction, and the leaf reached."""
    what = "" if of.model.target is None else f"{one_line(str(of.model.target))} = "
    if of.decided < 0:
        return f"Row {of.row}: {NO_PREDICTION} ({_place(of.leaves[0])}, which no training row reached)"
    sure = "" if of.model.labels is None else f" with probability {of.probabilities[of.decided]:.3g}"
    many = f", the mean of {len(of.leaves)} leaves that share the row"
    where = many if len(of.leaves) > 1 else f" ({_place(of.leaves[0])})"
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
    rows, gain = int(tree.n_node_samples[step.node]), float(tree.gain[step.node])
    facts = [f"{counted(rows, 'training row')} here"] if words.counts_rows else []
    if gain > 0:
        mass = float(tree.weighted_n_node_samples[step.node] * tree.impurity[step.node])
        part = f" ({percent(gain / mass)} of the impurity)" if mass > 0 else ""
        facts.append(f"the split gained {gain:.4g}{part}")
    if facts:
        yield "; ".join(facts)
    others = of.next_best_splits.get(step.node, ())
    if others:
        yield "next-best splits: " + "; ".join(f"{each.test} ({_gained(of, each)})" for each in others)


def _gained(of: Explanation, split: NextBestSplit) -> str:
    """`gained 12.3, 4.5 % of the impurity`, as for the split of the node."""
    tree = of.model.tree
    mass = float(tree.weighted_n_node_samples[split.node] * tree.impurity[split.node])
    share = f", {percent(split.gain / mass)} of the impurity" if mass > 0 else ""
    return f"gained {split.gain:.4g}{share}"


def next_best_notes(of: Explanation) -> list[str]:
    """Why a next-best split of these steps gains more than the split, if one does."""
    notes = of.model.model.training.get("next_best_splits_notes")
    gain = of.model.tree.gain
    beaten = any(
        split.gain > gain[step.node] * (1 + 1e-6)
        for step in of.steps[:MOST_STEPS]
        for split in of.next_best_splits.get(step.node, ())
    )
    return list(map(str, notes)) if beaten and isinstance(notes, list) else []


def _change(of: Explanation, step: PathStep) -> str:
    """`probability of bad: 0.3 -> 0.45 (+0.15)`."""
    number = _number_of(of)
    start = f"{of.about_text}: {number(step.before)}"
    if step.after != step.after:  # NaN
        return f"{start}, then {NO_PREDICTION}"
    return f"{start} -> {number(step.after)} ({_signed(of, step.after - step.before)})"


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
    if of.model.tree.leaf_models is not None:
        yield from equation_lines(of, leaf)
    elif of.decided >= 0:
        yield from _prediction_lines(of, leaf)
    else:
        yield "No training row reached this leaf, so there is no prediction."
    rule = leaf.rule_text(MOST_LEVELS)
    shown = rule[:MOST_CONDITIONS]
    more = f" and {len(rule) - len(shown)} more conditions" if len(rule) > len(shown) else ""
    yield f"Rule: {joined(shown, ' and ') or 'always'}{more}"


def equation_lines(of: Explanation, leaf: LeafReached) -> Iterator[str]:
    """The equation of a linear leaf, and what each of its terms changed for the row."""
    words, link = of.model.words, link_of(of.model.tree)
    score = of.output if link == "identity" else 0 if link == "logistic" else of.about
    scale = "" if link == "identity" else "log odds"
    name = of.about_text
    if link != "identity" and words.classes is not None:
        named = words.classes[of.output][1 if link == "logistic" else of.about]
        name = f"{'log odds' if link == 'logistic' else 'score'} of {named}"
    limit = range_text(words, leaf.node, score, short=True)
    yield f"Equation: {name} = {short_equation(words, leaf.node, score)}{limit}"
    moved = [term for term in of.terms if term.score_change or term.value is None]
    for term in moved[:MOST_TERMS]:
        yield term.sentence(scale)
    if len(moved) > MOST_TERMS:
        yield f"… and {len(moved) - MOST_TERMS} more terms"
    number = _number_of(of)
    start = float(of.model.tree.prediction[leaf.node, of.output, of.about])
    yield f"{of.about_text}: {number(start)} on average in the leaf -> {number(of.end)} for this row"


def _by_weight(leaf: LeafReached) -> str:
    alike = leaf.of and leaf.support is not None and abs(leaf.support - (leaf.rows or 0) / leaf.of) < 1e-9
    return "" if alike else " of the weight"


def _number_of(of: Explanation) -> Callable[[float], str]:
    """How to write what is predicted: a number of the target, or a probability."""
    if of.model.labels is None:
        return of.model.words.prediction_number
    return lambda value: f"{value:.3g}"


def _signed(of: Explanation, change: float) -> str:
    if of.model.labels is not None:
        return f"{change:+.3g}"
    text = of.model.words.prediction_number(abs(change))
    return ("-" if change < 0 else "+") + text


def _prediction_lines(of: Explanation, leaf: LeafReached) -> Iterator[str]:
    has_interval = leaf.low is not None and leaf.high is not None
    if of.model.words.classes is None:
        smooth = (
            f" (mean of its training rows: {_number_of(of)(leaf.counted[0])})" if leaf.is_smoothed else ""
        )
        spread = "" if leaf.spread is None else f", standard deviation {leaf.spread:.4g}"
        yield f"predicted {_number_of(of)(leaf.predicted[0])}{smooth}{spread}"
        if has_interval:
            reach = ((leaf.high or 0.0) - (leaf.low or 0.0)) / 2
            span = f"{_number_of(of)(leaf.predicted[0])} ± {_number_of(of)(reach)}"
            yield f"{CONFIDENCE:.0%} confidence interval of the mean: {span} (Student; {OPTIMISTIC})"
    else:
        yield _probabilities(of, leaf)
        if has_interval:
            span = f"{leaf.low:.3g} to {leaf.high:.3g}"
            what = f"{CONFIDENCE:.0%} confidence interval of the {of.about_text}"
            yield f"{what}: {span} (Jeffreys; {OPTIMISTIC})"
    if leaf.no_interval:
        yield leaf.no_interval


def _probabilities(of: Explanation, leaf: LeafReached) -> str:
    """The probability of every class, with the observed share where it differs; of many the greatest."""
    assert of.model.words.classes is not None
    names = of.model.words.classes[of.output]
    order = list(range(len(names)))
    if len(names) > MOST_CLASSES:
        order.sort(key=lambda k: (-leaf.predicted[k], k))
    found = []
    for k in order[:MOST_CLASSES]:
        raw = f" (observed {leaf.counted[k]:.3g})" if leaf.is_smoothed else ""
        found.append(f"{names[k]} {leaf.predicted[k]:.3g}{raw}")
    more = f", … and {len(order) - MOST_CLASSES} more classes" if len(order) > MOST_CLASSES else ""
    return ", ".join(found) + more


def _contributions(of: Explanation, width: int) -> list[str]:
    """What each column changed, under each other."""
    found = of.contributions
    if not found:
        return []
    number = _number_of(of)
    span = f"from {number(of.start)} at the root to {number(of.end)}"
    room = min(max(map(width_of, found)), width - 14)
    lines = ["", *wrapped(f"What each column changed, {span} ({of.about_text}):", width)]
    for name, value in found.items():
        *above, last = wrapped(name, room + 2, "  ")
        lines += [*above, f"{padded(last, room + 2)}  {_signed(of, value)}"]
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


# -- dictionaries


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
        "decided_by": words.name(step.column),
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
    if of.model.tree.leaf_models is not None:
        found["terms"] = [{name: to_json(value) for name, value in vars(term).items()} for term in of.terms]
    return found if classes else found | {"spread": to_json(leaf.spread)}
