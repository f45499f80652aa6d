"""What C5.0 prints: trees or rules of every trial, the evaluation on rows, and the use of attributes.

Left out are the lines before the first tree, which name the program and its files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from ...data.common.plural import counted
from ...learn.boosting.fitted import FittedTrees
from ...learn.boosting.trials import LEAST_TRIALS
from ...learn.fitted_tree import FittedTree
from ...learn.rule_sets.fitted import FittedRules
from ...learn.rule_sets.text import rules_text
from ...tree.single_walk import SingleWalk
from ...tree.tree import Tree
from ...tree.tree_text import one_line
from .c50_tree import EMPTY, C50Tree, printed_labels

MOST_CLASSES = 20  # of a matrix
LEAST_USE = 0.01  # of the rows, below which an attribute is not listed
# Headings of the table of errors: of trees, of rules; each without and with costs.
TITLES = {
    (False, False): ("    Decision Tree   ", "  ----------------  ", "  Size      Errors  "),
    (False, True): (
        "       Decision Tree       ",
        "  -----------------------  ",
        "  Size      Errors   Cost  ",
    ),
    (True, False): ("        Rules     ", "  ----------------", "    No      Errors"),
    (True, True): ("           Rules         ", "  -----------------------", "    No      Errors   Cost"),
}


class Rows(NamedTuple):
    """Rows to evaluate a model on: the table, and the number of the class of each row."""

    X: Any
    codes: Ints


def c50_text(model: FittedTree, rows: Rows | None) -> str:
    """The text of a model of C5.0."""
    members: tuple[FittedTree, ...] = (model,)
    given_up: tuple[FittedTree, ...] = ()
    if isinstance(model, FittedTrees):
        members, given_up = model.members, model.given_up
    several = isinstance(model, FittedTrees) and model.n_estimators > 1
    parts = [*_winnowing(model)]
    for number, member in enumerate((*members, *given_up)):
        head = f"-----  Trial {number}:  -----\n\n" if several else ""
        if isinstance(member, FittedRules):
            parts.append(head + rules_text(member, trial=f"{number}/" if several else ""))
        else:
            parts.append(head + C50Tree(member.words()).text())
    if isinstance(model, FittedTrees) and model.stopped and len(members) < model.n_estimators:
        parts += _reduced(model)
    evaluation = [] if rows is None else ["", *_evaluation(model, members, rows)]
    return "\n".join([*parts, *evaluation])


def _reduced(model: FittedTrees) -> list[str]:
    """The lines on fewer trials than were wanted. A tree that is a single leaf is called inaccurate."""
    last_votes = "inaccurate" not in model.stopped and "leaf" not in model.stopped
    count = len(model.members) + len(model.given_up) - (0 if last_votes or not model.given_up else 1)
    why = "last classifier is very inaccurate" if "leaf" in model.stopped else model.stopped
    if count >= model.n_estimators:
        return []
    found = [f"*** boosting reduced to {counted(count, 'trial')} since {why.removeprefix('the ')}\n"]
    return [*found, "*** boosting abandoned (too few classifiers)\n"] if count < LEAST_TRIALS else found


def _winnowing(model: FittedTree) -> list[str]:
    found = model.fitted.get("winnowing_")
    if found is None:
        return []
    count = len(found["removed"])
    order = sorted(found["importance"].items(), key=lambda each: -max(each[1], 0.0))
    lines = [f"{count or 'No'} attribute{'' if count == 1 else 's'} winnowed"]
    if count:
        lines += ["Estimated importance of remaining attributes:", ""]
        lines += [f"{f'{100 * x:.0f}%' if x >= 0.01 else '<1%':>8}  {name}" for name, x in order]
    return ["\n".join([*lines, ""])]


# -- evaluation


def _evaluation(model: FittedTree, members: tuple[FittedTree, ...], rows: Rows) -> Iterator[str]:
    """The errors of every trial and of all, the matrix, and the attributes that are used."""
    costs, n_rows = model.tree.costs, len(rows.codes)
    title = TITLES[isinstance(members[0], FittedRules), costs is not None]
    boosted = len(members) > 1
    yield f"Evaluation on training data ({n_rows} cases):\n"
    for mark, line in zip(("Trial", "-----", ""), title, strict=True):
        yield f"{mark if boosted else ''}\t{line}"
    yield ""
    labels = [_labels(member, rows.X) for member in members]
    for number, (member, found) in enumerate(zip(members, labels, strict=True)):
        line = f"\t{_size(member):6d}{_errors(found, rows.codes, costs)}"
        yield f"{number:4d}{line}" if boosted else f"{line}   <<"
    decided = labels[0]
    if boosted:
        decided = np.asarray(sum(_votes(member, rows.X) for member in members)).argmax(axis=1)
        yield f"boost\t      {_errors(decided, rows.codes, costs)}   <<"
    yield from ("", "")
    yield from _matrix(decided, rows.codes, [one_line(str(name)) for name in model.classes[0]])
    yield from _usage(members, rows)


def _labels(member: FittedTree, X: Any) -> Ints:
    """The class of each row: that printed at its leaf, if it ends in one."""
    if isinstance(member, FittedRules):
        return member.labels(X)
    tree, columns = _with_middles(member), member.columns(X)
    reached = tree.shares(columns)
    alone = np.diff(reached.indptr) == 1
    found = np.empty(len(alone), dtype=np.int64)
    several = np.flatnonzero(~alone)
    found[several] = SingleWalk(tree, columns).labels(0, several)
    found[alone] = printed_labels(tree)[reached.indices[reached.indptr[:-1][alone]]]
    return np.asarray(found)


def _votes(member: FittedTree, X: Any) -> Floats:
    """What each row gets of a trial: the share of its class, not smoothed."""
    if isinstance(member, FittedRules):
        return member.vote(X)
    tree, columns = _with_middles(member), member.columns(X)
    return SingleWalk(tree, columns).votes(np.asarray(tree.with_estimate(np.empty(0)).predict(columns)))


def _with_middles(member: FittedTree) -> Tree:
    """The tree; soft thresholds have their middle where a prediction has the cut."""
    tree = member.tree
    if not len(tree.soft_low):
        return tree
    return replace(tree, threshold=np.where(np.isnan(tree.soft_middle), tree.threshold, tree.soft_middle))


def _size(member: FittedTree) -> int:
    """The rules, or the leaves with rows."""
    if isinstance(member, FittedRules):
        return member.size
    tree = member.tree
    return max(1, int((tree.is_leaf & (tree.weighted_n_node_samples > EMPTY)).sum()))


def _errors(labels: Ints, codes: Ints, costs: Floats | None) -> str:
    wrong = int((labels != codes).sum())
    found = f"{wrong:5d}({100 * wrong / len(codes):4.1f}%)"
    return found if costs is None else f"{found}{np.asarray(costs)[codes, labels].mean():7.2f}"


def _matrix(labels: Ints, codes: Ints, names: list[str]) -> Iterator[str]:
    """A row per class and a column per class that it is taken for."""
    if len(names) > MOST_CLASSES:
        return
    letters = [f"({chr(ord('a') + k)})" for k in range(len(names))]
    yield "\t" + "".join(f"{letter:>6}" for letter in letters) + "    <-classified as"
    yield "\t" + "  ----" * len(names)
    for k, name in enumerate(names):
        counts = np.bincount(labels[codes == k], minlength=len(names))
        cells = "".join(f"{count:6d}" if count else " " * 6 for count in counts)
        yield f"\t{cells}    {letters[k]}: class {name}"
    yield from ("", "")


def _usage(members: tuple[FittedTree, ...], rows: Rows) -> Iterator[str]:
    used = np.any([_used(member, rows) for member in members], axis=0)
    share = used.mean(axis=0)
    names = members[0].words().features
    if (share >= LEAST_USE).any():
        yield "\tAttribute usage:\n"
        for place in np.argsort(-share, kind="stable").tolist():
            if share[place] >= LEAST_USE:
                yield f"\t{100 * share[place]:6.2f}%\t{names[place]}"
        yield from ("", "")


def _used(member: FittedTree, rows: Rows) -> Mask:
    """Whether a row is decided by the value of a column: (rows, columns)."""
    tree, found = _with_middles(member), np.zeros((len(rows.codes), member.tree.n_features), dtype=bool)
    if isinstance(member, FittedRules):
        for rule, held in zip(member.rule_set.rules, member.matches(rows.X).T, strict=True):
            found[np.ix_(held, list(rule.path.values))] = True
        return found
    columns = member.columns(rows.X)
    passed = tree.decision_path(columns).tocsc()
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        column = int(tree.feature[node])
        values = np.asarray(columns.numbers(column))
        known = values >= 0 if tree.is_nominal[node] else ~np.isnan(values)
        here = passed.indices[passed.indptr[node] : passed.indptr[node + 1]]
        found[here, column] |= known[here]
    return found
