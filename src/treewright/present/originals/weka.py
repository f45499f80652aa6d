"""Trees as Weka prints them: J48, and in `m5p` M5P."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import partial

import numpy as np

from ...learn.fitted_tree import FittedTree
from ...tree.tree_text import TreeText
from .thresholds import branch_text

BAR = "|   "
EXACT = Context(prec=400)


def j48_text(model: FittedTree) -> str:
    """A tree as J48 prints it."""
    words, unpruned = model.words(), model.params.get("pruning") in (None, "collapse")
    test = _j48_binary if model.params.get("nominal_splits") == "one_vs_rest" else _j48_test
    tree, lines = words.tree, [f"J48 {'unpruned' if unpruned else 'pruned'} tree", "------------------"]
    lines += [f": {_j48_leaf(words, 0)}"] if words.is_leaf(0) else ["", *branch_lines(words, test, _j48_leaf)]
    lines += ["", f"Number of Leaves  : \t{tree.n_leaves}", "", f"Size of the tree : \t{tree.node_count}"]
    return "\n".join(lines) + "\n"


def branch_lines(
    words: TreeText,
    test: Callable[[TreeText, int, int], tuple[str, str]],
    leaf: Callable[[TreeText, int], str],
) -> Iterator[str]:
    """A line per branch, from the top down; `test` has what stands before an outcome, and without one."""
    tree = words.tree
    waiting = [*reversed(words.children(0))]
    while waiting:
        node = waiting.pop()
        parent = int(tree.parent[node])
        before, alone = test(words, parent, node - int(tree.first_child[parent]))
        bars = BAR * (int(tree.depth[node]) - 1)
        yield f"{bars}{before}{leaf(words, node)}" if words.is_leaf(node) else f"{bars}{alone}"
        waiting += reversed(words.children(node))


def _j48_test(words: TreeText, node: int, place: int) -> tuple[str, str]:
    test, name = words.tree.test(node), words.feature(node)
    if test.is_nominal:
        found = f"{name} = {words.level(test.feature, test.levels[place][0])}"
    else:
        found = f"{name} {branch_text(words, node, place, partial(decimals, most=6))}"
    return f"{found}: ", found


def _j48_binary(words: TreeText, node: int, place: int) -> tuple[str, str]:
    """With -B: one level against the rest, and numbers in full."""
    test, name = words.tree.test(node), words.feature(node)
    if test.is_nominal:
        found = f"{name} {('=', '!=')[place]} {words.level(test.feature, test.levels[0][0])}"
    else:
        found = f"{name} {branch_text(words, node, place, java_double)}"
    return f"{found}: ", found


def _j48_leaf(words: TreeText, node: int) -> str:
    tree = words.tree
    weight = float(tree.weighted_n_node_samples[node])
    wrong = weight * (1 - float(tree.value[node, 0].max()))
    errors = f"/{_double(wrong)}" if wrong > 1e-6 else ""
    return f"{words.predicted(node)} ({_double(weight)}{errors})"


def decimals(number: float, most: int) -> str:
    """A number with so many decimals at most, halves rounded up, and none that are 0 at its end."""
    if not math.isfinite(number):
        return str(number)
    found = f"{Decimal(number).quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP, EXACT):f}"
    found = found.rstrip("0").rstrip(".")
    return "0" if found == "-0" else found


def _double(number: float) -> str:
    """A number rounded to hundredths as Java prints it: at least one decimal."""
    return java_double(float(np.floor(100 * number + 0.5) / 100))


def java_double(number: float) -> str:
    """A number in full as Java prints it: below 0.001 and from ten million on with a power of ten."""
    number = float(number)
    if not math.isfinite(number) or number == 0 or 1e-3 <= abs(number) < 1e7:
        return str(number)
    sign, digits, _ = Decimal(str(number)).normalize().as_tuple()
    first, *others = map(str, digits)
    return f"{'-' * sign}{first}.{''.join(others) or '0'}E{Decimal(str(number)).adjusted()}"
