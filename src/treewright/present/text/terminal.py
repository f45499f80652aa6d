"""A tree as text that fits a terminal: one line per branch, and what is too much is folded away."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TextIO

import numpy as np

from ...data.common.plural import counted
from ...data.common.text_width import check_width, padded, plain_ascii, terminal_width, width_of, wrapped
from ...interpret.described_model import describe
from ...learn.boosting.fitted import FittedTrees
from ...learn.fitted_tree import as_fitted
from ...learn.rule_models.fitted import FittedRuleModel
from ...learn.rule_models.text import rule_model_text
from ...learn.rule_sets.fitted import FittedRules
from ...learn.rule_sets.text import rules_text
from ...tree.tree import STOPS
from ...tree.tree_text import CONTRARY, WEIGHTED, TreeText, check_count, one_line
from .alike import merged
from .collapse import Line, expanded, lines_of, sizes
from .export_text import HIDDEN, rules_of
from .line_parts import BAR, Legend, bar_of, dim, mostly, percent, prediction_of, tinted

LEAST_CONDITION = 16
LEAST_LINES = 12  # of a tree among several
GUIDES = {True: ("├─", "└─", "│", "…"), False: ("+-", "`-", "|", "...")}


def show(
    model: Any,
    *,
    max_depth: int | None = None,
    max_lines: int | None = 60,
    width: int | None = None,
    color: bool | None = None,
    merge: bool = False,
    file: TextIO | None = None,
) -> None:
    """Print the tree, collapsed to fit the terminal.

    Subtrees with the fewest rows are collapsed first; a line in their place says what they hold.
    `export_text` returns the whole tree. A `*` marks a leaf whose class is decided by smoothing, against most
    of its training rows.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree, Tree or path
        The fitted model.
    max_depth : int, optional
        The deepest level to print. By default there is no limit.
    max_lines : int or None, default=60
        The greatest number of lines, at least 2; None prints every node.
    width : int, optional
        The greatest number of characters in a line, at least 40. By default the width of the terminal.
    color : bool, optional
        Whether to colour predictions by class. By default only on a terminal, unless the environment
        variable NO_COLOR is set.
    merge : bool, default=False
        Whether a final split is printed as one leaf where its leaves predict the same class, with
        probabilities that do not differ beyond their 95 % confidence intervals.
    file : text file, optional
        Where to print; by default standard output.

    Examples
    --------
    >>> import treewright
    >>> model = treewright.DecisionTreeRegressor().fit([[0], [1]], [0, 1])
    >>> treewright.show(model, width=80)
    all rows             2  100%
    ├─ feature_0 <= 0.5  1   50%  0
    └─ feature_0 >  0.5  1   50%  1
    A missing value goes to the branch with more rows (the second if equal).
    """
    out = sys.stdout if file is None else file
    if color is None:
        color = out.isatty() and not os.environ.get("NO_COLOR")
    width = terminal_width() if width is None else width
    unicode = (getattr(out, "encoding", None) or "utf-8").lower().startswith("utf")
    text = terminal_text(
        model,
        width=width,
        unicode=unicode,
        color=bool(color),
        max_depth=max_depth,
        max_lines=max_lines,
        merge=merge,
    )
    print(text, end="", file=out)


def terminal_text(
    model: Any,
    *,
    width: int = 80,
    unicode: bool = True,
    color: bool = False,
    max_depth: int | None = None,
    max_lines: int | None = 60,
    merge: bool = False,
) -> str:
    """The text that `show` prints, for a terminal of so many columns.

    Each line has the condition of a branch, the training rows that take it, their share of all, and for a
    leaf its prediction: the class with its probability, and a bar of that, or the number. Names that are too
    long are shortened, and stand in full below the tree. `unicode=False`: ASCII alone, other letters as their
    codes. Sentences below the tree do not count as lines.
    """
    check_width(width)
    check_count("max_depth", max_depth)
    check_count("max_lines", max_lines)
    if max_lines is not None and max_lines < 2:
        raise ValueError(f"max_lines must be an int of at least 2 or None. Got {max_lines}.")
    found = as_fitted(model)
    if isinstance(found, FittedTrees) and len(found.members) > 1:
        look = {"width": width, "unicode": unicode, "color": color, "max_depth": max_depth, "merge": merge}
        most = None if max_lines is None else max(LEAST_LINES, max_lines // len(found.members))
        return _trials_text(found, max_lines=most, **look)
    if isinstance(found, FittedTrees):  # a vote of one: a tree, or a set of rules
        found = found.members[0]
    if isinstance(found, FittedRuleModel):
        return rule_model_text(found, found.words() if unicode else _in_ascii(found.words()))
    if isinstance(found, FittedRules):
        return rules_text(found, found.words() if unicode else _in_ascii(found.words()))
    subject = describe(found)
    words = subject.words if unicode else _in_ascii(subject.words)
    hidden = 0
    if merge:
        words = replace(words, tree=merged(words.tree))
        hidden = subject.tree.n_leaves - words.tree.n_leaves
    shown = expanded(words, max_lines, max_depth)
    page = _Page(words, int(width), unicode, color, Legend(GUIDES[unicode][3], full=max_lines is None))
    tree_lines = page.tree(shown)
    below = page.below(shown, "\n".join(tree_lines))
    if hidden:
        are = "is" if hidden == 1 else "are"
        text = f"{counted(hidden, 'split')} between leaves that predict alike {are} not shown."
        below = wrapped(text, int(width)) + below
    how = "" if subject.decides is None else one_line(f"Decision: {subject.decides}")
    decision = wrapped(how if unicode else plain_ascii(how), width) if how else []
    return "\n".join([*tree_lines, *decision, *below]) + "\n"


def _trials_text(found: FittedTrees, **look: Any) -> str:
    """The trees of all trials, one below the other."""
    pieces = []
    for number, (member, trial) in enumerate(zip(found.members, found.trials, strict=True)):
        errors = f"{trial.n_wrong:,} of {counted(trial.n_rows, 'training row')} wrong"
        pieces += [f"-----  Trial {number}:  -----  {errors}", terminal_text(member, **look)]
    pieces.append(
        f"{len(found.members)} {found.what} vote, each with the probability of the class that it predicts."
    )
    if found.stopped:
        pieces.append(f"There are fewer than {found.n_estimators}, since {found.stopped}.")
    return "\n".join(pieces) + "\n"


def _in_ascii(words: TreeText) -> TreeText:
    classes = words.classes
    if classes is not None:
        classes = [[plain_ascii(name) for name in names] for names in classes]
    return replace(words, features=[plain_ascii(name) for name in words.features], classes=classes)


@dataclass(frozen=True)
class _Columns:
    """How wide the parts of a line are; 0: left out."""

    condition: int  # with the branches before it
    rows: int
    share: int
    prediction: int
    bar: int

    @property
    def others(self) -> int:
        """All but the condition, with the gaps before them."""
        return sum(part + 2 for part in (self.rows, self.share, self.prediction, self.bar) if part)


@dataclass
class _Page:
    """The drawing of one tree."""

    words: TreeText
    width: int
    unicode: bool
    color: bool
    legend: Legend
    shows_missing: bool = False  # every test says where missing values go, for want of a column of rows

    def tree(self, shown: set[int]) -> list[str]:
        """The lines of the tree."""
        first = lines_of(self.words, shown, False)
        stems, predictions = self._stems(first), self._predictions(first)
        parts = self._columns(first, stems, predictions)
        self.shows_missing = not parts.rows and self.words.counts_rows
        full = self._written(self.words, shown)
        names = self.legend.short(self.words.features, max(10, self.width // 5))
        brief = self._written(replace(self.words, features=names), shown)
        more = sizes(self.words.tree) if any(line.kind == "collapsed" for line in full) else None
        found = []
        for stem, line, short, prediction in zip(stems, full, brief, predictions, strict=True):
            if line.kind == "collapsed" and more is not None:
                below, levels = int(more[0][line.node]), int(more[1][line.node])
                found.append(self._collapsed_line(stem, line.node, below, levels))
                continue
            room = parts.condition - width_of(stem)
            fits = width_of(line.condition) <= room
            said = line.condition if fits else self.legend.fit(short.condition, line.condition, room)
            found.append(self._line(stem, said, line, parts, prediction))
        return found

    def _written(self, words: TreeText, shown: set[int]) -> list[Line]:
        """The lines in the letters that may be used."""
        found = lines_of(words, shown, self.shows_missing)
        if self.unicode:
            return found
        return [line._replace(condition=plain_ascii(line.condition)) for line in found]

    def below(self, shown: set[int], used: str) -> list[str]:
        """The sentences that the lines rely on, what is hidden, and what was shortened."""
        tree = self.words.tree
        sentences = rules_of(self.words, sorted(shown), HIDDEN, by_rows=not self.shows_missing)
        if tree.smoothing_decides[tree.is_leaf].any():
            sentences.insert(0, CONTRARY)
        if tree.is_weighted:
            sentences.insert(0, WEIGHTED)
        inner = np.flatnonzero(~tree.is_leaf)
        if len(shown) < len(inner):
            seen = 1 + int(tree.n_children[sorted(shown)].sum())
            sentences.insert(0, f"{tree.node_count - seen:,} of {tree.node_count:,} nodes are not shown.")
        found = [line for sentence in sentences for line in wrapped(sentence, self.width)]
        legend = self.legend.lines(used, self.width)
        return found + ([""] if found and legend else []) + legend

    # -- parts of a line

    def _stems(self, lines: Sequence[Line]) -> list[str]:
        """The branches before every condition. Levels without room for them are numbers."""
        tee, corner, bar, _ = GUIDES[self.unicode]
        deepest = max(line.level for line in lines)
        indent = next((n for n in (3, 2) if n * deepest <= self.width // 3), 1)
        most = self.width // 3 // indent
        open_: list[bool] = []  # for every level above, whether lines of it follow
        found = []
        for line in lines:
            del open_[max(line.level - 1, 0) :]
            if line.level > most:
                found.append(f"({line.level}) ")
            elif line.level:
                mark = corner if line.last else tee
                start = "".join(padded(bar if goes_on else "", indent) for goes_on in open_)
                found.append(start + padded(mark[: max(indent - 1, 1)], indent))
            else:
                found.append("")
            if line.level:
                open_.append(not line.last)
        return found

    def _predictions(self, lines: Sequence[Line]) -> list[str]:
        """The prediction of rows that end at each line; "" where none does."""
        words, tree = self.words, self.words.tree
        if words.classes is not None:
            limit = max(8, self.width // 5)
            words = replace(words, classes=[self.legend.short(names, limit) for names in words.classes])
        found = []
        for line in lines:
            leaf = line.kind == "branch" and words.is_leaf(line.node)
            stop = line.kind == "missing" and tree.missing_child[line.node] == STOPS
            text = prediction_of(words, line.node) if leaf or stop else ""
            room = self.width // 2 if tree.leaf_models is not None else self.width // 3
            found.append(self.legend.fit(text, text, room))
        return found

    def _columns(self, lines: Sequence[Line], stems: list[str], predictions: list[str]) -> _Columns:
        """The widths of the parts. Where there is no room, bars go first, then shares, then rows."""
        counts, one_output = self.words.counts_rows, self.words.tree.n_outputs == 1
        rows = max(len(f"{self.words.tree.n_node_samples[line.node]:,}") for line in lines) if counts else 0
        linear = self.words.tree.leaf_models is not None
        bar = BAR if self.words.classes is not None and one_output and not linear else 0
        said = (line.condition if self.unicode else plain_ascii(line.condition) for line in lines)
        natural = max(width_of(stem + text) for stem, text in zip(stems, said, strict=True))
        parts = _Columns(natural, rows, 4 if counts else 0, max(map(width_of, predictions)), bar)
        if natural + parts.others > self.width:
            parts = replace(parts, bar=0)
        least = min(max(map(width_of, stems)) + LEAST_CONDITION, natural)
        for name in ("share", "rows"):
            if least + parts.others > self.width:
                parts = replace(parts, **{name: 0})
        return replace(parts, condition=min(natural, self.width - parts.others))

    def _line(self, stem: str, said: str, line: Line, parts: _Columns, prediction: str) -> str:
        tree, node = self.words.tree, line.node
        branch = line.kind == "branch"
        rows = f"{tree.n_node_samples[node]:,}" if branch else ""
        weight = float(tree.weighted_n_node_samples[0])
        share = percent(float(tree.weighted_n_node_samples[node]) / weight) if branch and weight > 0 else ""
        found = dim(stem, self.color) + padded(said, parts.condition - width_of(stem))
        if parts.rows:
            found += "  " + padded(rows, parts.rows, right=True)
        if parts.share:
            found += "  " + padded(share, parts.share, right=True)
        if prediction:
            found += "  " + self._tinted(padded(prediction, parts.prediction if parts.bar else 0), node)
            if parts.bar:
                found += "  " + self._tinted(bar_of(tree, node, self.unicode), node)
        return found.rstrip()

    def _collapsed_line(self, stem: str, node: int, below: int, levels: int) -> str:
        """`… 37 more nodes below (depth 6, 812 rows): mostly good (0.81)`, or less where there is no room."""
        words, tree, dots = self.words, self.words.tree, self.legend.dots
        rows = f", {counted(int(tree.n_node_samples[node]), 'row')}" if words.counts_rows else ""
        many = f"{dots} {counted(below, 'more node')} below"
        texts = [f"{many} (depth {levels}{rows})", many]
        most = mostly(words, node)
        texts = [f"{texts[0]}: {most}", *texts] if most else texts
        fits = [text for text in texts if width_of(stem + text) <= self.width]
        return dim(stem + (fits[0] if fits else dots), self.color)

    def _tinted(self, text: str, node: int) -> str:
        number = int(self.words.tree.label[node, 0]) if self.words.classes is not None else 0
        return tinted(text, number) if self.color else text
