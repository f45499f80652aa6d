"""The nested sequence of cost-complexity pruning, from the model as it is to its root alone."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.numbers import significants
from ...learn.cross_validation.loss_sums import EvaluationRows, Sums
from ...learn.cross_validation.pruning_curve import Curve, middles
from ...learn.cross_validation.row_losses import Spans, spans_of
from ...learn.losses import CLASS_LOSSES, class_table, mean_losses
from ...learn.pruning import stop_alphas
from ...tree.tree import Tree
from ...tree.walks import sum_children
from .held_out import HELD_OUT, HeldOutPredictions
from .step_predictions import StepTree, predictions_by_step
from .step_scores import step_figures
from .subject import Subject

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# The criteria whose impurity is the mean loss of a node that predicts its own value.
SPREADS = {"squared": {"squared_error", "friedman_mse", "mse"}, "absolute": {"absolute_error", "mae"}}
MOST_STEPS = 400
NAMES = {
    "log_loss": "log loss",
    "brier": "Brier score",
    "squared": "mean squared error",
    "absolute": "mean absolute error",
}


def pruning(subject: Subject) -> dict[str, Any]:
    """The part "pruning": when each node becomes a leaf, and what each tree loses."""
    tree = subject.tree
    if tree.node_count == 1:
        return {"pruning": None, "pruning_note": "The tree is a single leaf: there is nothing to prune."}
    loss = loss_of(subject)
    try:
        alphas, steps = sequence_of(subject)
    except ValueError as error:  # a tree made by hand may have no impurities
        return {"pruning": None, "pruning_note": f"There is no sequence to prune along: {error}"}
    size = len(alphas)
    spans = spans_at(subject, steps, size)
    found = subject.held_out
    curve, note = _held_out_loss(subject, loss, alphas, spans)
    training = training_losses(subject, loss, spans, size)
    nothing = np.full(size, np.nan)
    mean, se = (nothing, nothing) if curve is None else (curve.mean, curve.se)
    shown, leaves = alphas_to_type(subject.tree, alphas), spans.n_leaves(size).tolist()
    columns = (shown, leaves, significants(training), significants(mean), significants(se))
    names = ("alpha", "leaves", "training_loss", "held_out_loss", "held_out_loss_se")
    part = {
        "collapse_at": steps.tolist(),
        "steps": [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)],
        "original": 0,
        "command": f"treewright prune MODEL.tree.json{subject.options.get('of_file', '')} --alpha",
        "best": None if curve is None else curve.place("cv"),
        "one_se": None if curve is None else curve.place("1se"),
        "loss": NAMES[loss],
        "source": None if found is None else found.source,
        **({} if found is None else step_figures(subject, fold_spans(found, alphas, spans), spans, size)),
    }
    return {"pruning": part, "pruning_note": note}


def _held_out_loss(
    subject: Subject, loss: str, alphas: Floats, spans: Spans
) -> tuple[Curve | None, str | None]:
    """The curve of unseen rows, or why there is none."""
    if subject.held_out is None:
        return None, subject.why_none("The loss on unseen rows")
    if subject.tree.leaf_models is not None and subject.tree.n_outputs > 1:
        return None, "The loss of pruned trees with linear leaves is for one output."
    curve = cross_validated(subject.held_out, loss, alphas, spans)
    if np.isfinite(curve.mean).all() and np.isfinite(curve.se).all():
        return curve, None
    return None, "The loss on unseen rows is larger than numbers can be."


def loss_of(subject: Subject) -> str:
    """What is measured: how good probabilities are, or how near numbers.

    A tree that is not smoothed predicts 0 for what it has not seen, which costs so much by the log loss that
    nothing else would show.
    """
    if subject.is_classification:
        smooth = len(subject.tree.estimate) or subject.tree.leaf_models is not None
        return "log_loss" if smooth else "brier"
    return "absolute" if subject.words.criterion == "absolute_error" else "squared"


def sequence_of(subject: Subject) -> tuple[Floats, Ints]:
    """The alphas of the steps, from 0, and per node the step from which it is a leaf; -1 for leaves.

    What is cut for nothing is cut at the step after the first, which is the model as it is. Of more steps
    than a slider can show, some are left out.
    """
    tree = subject.tree
    stops = np.maximum(stop_alphas(tree)[1], np.nextafter(0.0, 1.0))
    gone = tree.over_ancestors(np.minimum, stops)  # a node is gone with the first one above it
    alphas = np.concatenate([[0.0], np.unique(stops[np.isfinite(stops)])])
    if len(alphas) > MOST_STEPS:
        kept = np.unique(np.linspace(0, len(alphas) - 1, MOST_STEPS).round().astype(np.int64))
        alphas = alphas[kept]
    steps = np.searchsorted(alphas, gone)
    return alphas, np.where(tree.is_leaf, -1, steps)


def spans_at(subject: Subject, steps: Ints, size: int) -> Spans:
    """For every node the steps in which it is a leaf of the pruned tree."""
    tree = subject.tree
    end = np.full(tree.node_count, size)
    end[1:] = np.where(steps[tree.parent[1:]] < 0, size, steps[tree.parent[1:]])
    return Spans(np.where(tree.is_leaf, 0, steps), end)


def alphas_to_type(tree: Tree, alphas: Floats) -> list[float]:
    """For every step a short number at which `prune` gives that very tree.

    A tree of the sequence stays the same from its alpha up to the next one, so that any number between
    the two will do. Rounding the alpha itself could fall below it.
    """
    path = stop_alphas(tree)[0]
    found = [0.0]
    for alpha in alphas[1:].tolist():
        after = path[path > alpha]
        found.append(shortest_between(alpha, float(after.min()) if len(after) else 2 * alpha))
    return found


def shortest_between(low: float, high: float) -> float:
    """The number of fewest digits from `low` on and below `high`."""
    least = max(low, 1e-6 * high)  # what is cut for nothing has the least alpha that there is
    exact = Decimal(repr(least))
    for digits in range(17):
        unit = Decimal(1).scaleb(exact.adjusted() - digits)
        near = float((exact / unit).to_integral_value(ROUND_CEILING) * unit)
        if least <= near < high:
            return near
    return low


def fold_spans(found: HeldOutPredictions, alphas: Floats, spans: Spans) -> list[StepTree]:
    """Each tree that predicts held-out rows, with the steps in which its nodes are leaves.

    The model itself is cut at the steps. Trees of folds shrink at alphas of their own, and are cut at the
    middle, on a logarithmic scale, between those of two steps.
    """
    if found.source == HELD_OUT:
        return [StepTree(part, spans) for part in found.parts]
    stops = [stop_alphas(part.tree) for part in found.parts]
    grid = middles([alphas, *(path for path, _ in stops)])
    return [
        StepTree(part, spans_of(part.tree, stop, grid))
        for part, (_, stop) in zip(found.parts, stops, strict=True)
    ]


def cross_validated(found: HeldOutPredictions, loss: str, alphas: Floats, spans: Spans) -> Curve:
    """The loss on held-out rows at every step."""
    size, sums, trees = len(alphas), [], fold_spans(found, alphas, spans)
    if found.parts[0].tree.leaf_models is not None:
        return _by_model(found, loss, trees, alphas, spans)
    for part, own in trees:
        here = np.searchsorted(found.rows, part.rows)
        rows = EvaluationRows(part.tree, part.reached, found.y[here], found.weight[here])
        sums.append(rows.sums(part.tree, own, loss, size))
    total = Sums(*(sum(part) for part in zip(*sums, strict=True)))
    return Curve(
        loss=loss,
        ccp_alphas=alphas,
        n_leaves=spans.n_leaves(size),
        training=np.full(size, np.nan),
        mean=total.mean(),
        se=total.standard_error(),
        by_fold=np.array([each.mean() for each in sums]),
    )


def _by_model(
    found: HeldOutPredictions, loss: str, trees: list[StepTree], alphas: Floats, spans: Spans
) -> Curve:
    """The same where the rows of a leaf are predicted one by one."""
    w, rows = found.weight, []
    for each in predictions_by_step(found, trees, len(alphas)):
        e = mean_losses(loss, each.shares, found.y, found.parts[0].tree.costs)
        rows.append((w @ e, w**2 @ e, w**2 @ e**2))
    we, wwe, wwee = np.array(rows).T
    total = Sums(we, wwe, wwee, w.sum(), (w**2).sum())
    return Curve(
        loss=loss,
        ccp_alphas=alphas,
        n_leaves=spans.n_leaves(len(alphas)),
        training=np.full(len(alphas), np.nan),
        mean=total.mean(),
        se=total.standard_error(),
        by_fold=total.mean()[None],
    )


# -- the loss on the training rows, from what the tree stores of them


def training_losses(subject: Subject, loss: str, spans: Spans, size: int) -> Floats:
    """The mean loss at every step; NaN where neither the tree nor rows can tell."""
    given, tree = subject.given, subject.tree
    if tree.leaf_models is not None:  # the impurity is what the models of a regression leave
        known = tree.weighted_n_node_samples * tree.impurity
        lost = known if tree.classes is None else None
    elif given is not None and given.y is not None and given.origin.made_the_tree:
        rows = EvaluationRows(tree, given.reached, given.codes, given.weights)
        return rows.sums(tree, spans, loss, size).mean()
    else:
        lost = None if _sums_differ(subject) else node_losses(tree, loss, subject.words.criterion)
    weight = tree.weighted_n_node_samples
    if lost is None or not weight[0] > 0:
        return np.full(size, np.nan)
    return _along(tree, spans, lost, size) / float(weight[0])


def _sums_differ(subject: Subject) -> bool:
    """Whether sums over leaves are no loss of rows as they are.

    A row that is shared out gets the mean of its leaves, and class weights or priors make rows
    weigh what they do not weigh in an evaluation.
    """
    params = subject.saved.params
    weighed = any(params.get(name) is not None for name in ("class_weight", "priors"))
    return weighed or subject.tree.shares_rows


def node_losses(tree: Tree, loss: str, criterion: str) -> Floats | None:
    """The summed loss of every node's rows if the node predicts them; None where the tree does not know."""
    weight = tree.weighted_n_node_samples
    if loss in CLASS_LOSSES:
        table = class_table(loss, tree.prediction, tree.label, tree.costs)
        real = np.arange(tree.max_n_classes) < tree.n_classes[:, None]
        return np.asarray(weight * (tree.value * np.where(real, table, 0.0)).sum(axis=2).mean(axis=1))
    if criterion not in SPREADS[loss] or not (tree.impurity.any() or np.ptp(tree.value) == 0):
        return None
    moved = (tree.prediction - tree.value)[:, :, 0]
    if loss == "absolute" and moved.any():
        return None
    return np.asarray(weight * (tree.impurity + (moved**2).mean(axis=1)))


def _along(tree: Tree, spans: Spans, lost: Floats, size: int) -> Floats:
    """Add up what nodes lose while they are leaves, and before that what those rows lose that stop there."""
    change = np.zeros(size + 1)
    there = spans.begin < spans.end
    np.add.at(change, spans.begin[there], lost[there])
    np.subtract.at(change, spans.end[there], lost[there])
    stops, weight = ~tree.is_leaf & (tree.missing_child == -1), tree.weighted_n_node_samples
    if stops.any():  # at an inner node: its own rows but those of its children, at its mean loss
        own = np.maximum(weight - sum_children(tree, weight), 0.0)
        each = np.divide(lost, weight, out=np.zeros_like(lost), where=weight > 0) * own
        until = np.minimum(spans.begin, spans.end)
        change[0] += each[stops].sum()
        np.subtract.at(change, until[stops], each[stops])
    return np.cumsum(change)[:size]
