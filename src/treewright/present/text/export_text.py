"""A tree as text that can be followed by hand: every test, count and outcome, on one line per branch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...learn.fitted_tree import as_model
from ...tree.equation import CENTRED, CLIPPED
from ...tree.tree import STOPS
from ...tree.tree_text import CONTRARY, Names, TreeText, check_count
from .collapse import sizes

# Deeper lines carry their level as a number instead of bars: a tree may be 100,000 levels deep, and bars
# would make its text grow with the square of that.
MOST_BARS = 40
RULE = "A missing value goes to the branch with more rows (the second if equal)."
WIDE_RULE = "A missing value goes to the branch with most rows (the last if equal)."
SURROGATES = (
    "Where a value is missing, the first surrogate whose own value is there decides, before all else."
)
HIDDEN = "Where a value is missing, surrogates that are not shown here decide, before all else."
LEVELS = "A level that a test does not list is treated as missing."


def export_text(
    decision_tree: Any,
    *,
    feature_names: Names | None = None,
    class_names: Names | None = None,
    max_depth: int | None = None,
    spacing: int = 3,
    decimals: int | None = None,
    show_weights: bool = True,
    show_surrogates: bool = True,
) -> str:
    """Return the whole tree as text, one line per branch.

    The parameters are those of scikit-learn's function of this name. `show` prints a shorter text that fits
    the terminal.

    Parameters
    ----------
    decision_tree : estimator, FitResult, FittedTree, Tree or path
        The fitted model.
    feature_names, class_names : sequence of str, optional
        Names to use instead of the model's own.
    max_depth : int, optional
        The deepest level to write. By default all levels are written.
    spacing : int, default=3
        The width of one level of indentation.
    decimals : int, optional
        Digits after the decimal point. By default numbers are written in full: the fewest digits that read
        back as the same number.
    show_weights : bool, default=True
        Whether to write the class weights of every leaf.
    show_surrogates : bool, default=True
        Whether to write under each branch the surrogate splits that lead to it.

    Returns
    -------
    str

    Examples
    --------
    >>> import treewright
    >>> model = treewright.DecisionTreeRegressor().fit([[0], [1]], [0, 1])
    >>> print(treewright.export_text(model))  # doctest: +NORMALIZE_WHITESPACE
    |--- feature_0 <= 0.5  [1 row]
    |   |--- value: 0
    |--- feature_0 >  0.5  [1 row]
    |   |--- value: 1
    A missing value goes to the branch with more rows (the second if equal).
    """
    check_count("max_depth", max_depth)
    check_count("decimals", decimals)
    check_count("spacing", spacing)
    if not spacing:
        raise ValueError("spacing must be an int of at least 1. Got 0.")
    words = as_model(decision_tree).words(feature_names, class_names, decimals)
    writer = _Writer(words, max_depth, spacing, show_weights, show_surrogates)
    lines = [*writer.lines()]
    lines += rules_of(words, writer.shown, SURROGATES if show_surrogates else HIDDEN)
    if words.tree.leaf_models is not None:
        lines += [CENTRED, CLIPPED]
    if words.tree.smoothing_decides[words.tree.is_leaf].any():
        lines.append(CONTRARY)
    return "\n".join(lines) + "\n"


@dataclass
class _Writer:
    """The lines of a tree, and the inner nodes that they show."""

    words: TreeText
    max_depth: int | None
    spacing: int
    show_weights: bool
    show_surrogates: bool
    shown: list[int] = field(default_factory=list)  # the inner nodes that were written

    def lines(self) -> Iterator[str]:
        """The lines, from a stack of (node, level, the lines that lead here); -1 is no node."""
        words = self.words
        heights = None if self.max_depth is None else sizes(words.tree)[1]
        stack: list[tuple[int, int, list[str]]] = [(0, 0, [])]
        while stack:
            node, level, lead = stack.pop()
            yield from lead
            if node < 0:
                continue
            prefix = self._prefix(level)
            if words.is_leaf(node):
                yield f"{prefix} {self._outcome(node)}"
            elif heights is not None and self.max_depth is not None and level > self.max_depth:
                yield f"{prefix} truncated branch of depth {heights[node] + 1}{words.rows(node)}"
            else:
                self.shown.append(node)
                stack += reversed([*self._branches(node, level)])

    def _branches(self, node: int, level: int) -> Iterator[tuple[int, int, list[str]]]:
        """One entry per branch, and one for missing values that take none."""
        words, prefix = self.words, self._prefix(level)
        below = self._prefix(level + 1).replace("-", "").removesuffix("|")
        for k, (child, branch) in enumerate(zip(words.children(node), words.branches(node), strict=True)):
            lead = [f"{prefix} {branch}{words.rows(child)}{words.significance(node) if k == 0 else ''}"]
            if self.show_surrogates:
                lead += [below + words.surrogate(place, k) for place in words.surrogates(node)]
            yield child, level + 1, lead
        missing = words.missing_line(node)
        if missing:
            stops = f", {self._outcome(node)}" if words.tree.missing_child[node] == STOPS else ""
            yield -1, level, [f"{prefix} {words.feature(node)} is missing: {missing}{stops}"]

    def _prefix(self, level: int) -> str:
        if level <= MOST_BARS:
            return ("|" + " " * self.spacing) * level + "|" + "-" * self.spacing
        return f"(level {level}) |" + "-" * self.spacing

    def _outcome(self, node: int) -> str:
        tallies = self.words.tallies(node) if self.show_weights else ""
        return self.words.outcome(node) + (f"  [{tallies}]" if tallies else "")


def rules_of(words: TreeText, shown: list[int], of_surrogates: str, by_rows: bool = True) -> list[str]:
    """The sentences that the tests of these nodes rely on; `by_rows`: whether missing values go by rows."""
    tree = words.tree
    by_rule = [node for node in shown if words.follows_rule(node)] if by_rows else []
    extra = [place for node in shown for place in words.surrogates(node)]
    found = [of_surrogates] if extra else []
    if by_rule:
        rule = WIDE_RULE if tree.n_children[by_rule].max() > 2 else RULE
        marked = len(by_rule) < len(shown)
        found.append(
            rule.replace("to the branch", "to the branch that says so, else to the one") if marked else rule
        )
    lists = tree.is_nominal[shown].any()
    if tree.surrogates is not None:
        lists |= np.isnan(tree.surrogates.threshold[extra]).any()
    return [*found, LEVELS] if lists else found
