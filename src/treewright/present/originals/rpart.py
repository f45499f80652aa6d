"""Trees as R's rpart prints them: nodes numbered as in a binary heap, the side of the lower outcome first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...data.common.array_types import Floats
from ...learn.fitted_tree import FittedTree
from ...learn.pruning import node_risk
from ...tree.tree import Tree
from ...tree.tree_text import TreeText
from .thresholds import threshold_text

DIGITS = 7
MANY_CLASSES = 5  # from so many on, probabilities have two digits
OF_CLASS = "node), split, n, loss, yval, (yprob)"
OF_NUMBER = "node), split, n, deviance, yval"


def rpart_text(model: FittedTree, n_rows: int | None) -> str:
    """A tree as rpart prints it; `n_rows` are those of the training table, of which some may be left out."""
    printed, n = _Printed(model.words(), model), int(model.tree.n_node_samples[0])
    gone = 0 if n_rows is None else n_rows - n
    head = f"n= {n} "
    if gone > 0:
        head = f"n={n} ({gone} observation{'' if gone == 1 else 's'} deleted due to missingness)"
    kind = OF_NUMBER if model.tree.max_n_classes < 2 else OF_CLASS
    return "\n".join([head, "", kind, "      * denotes terminal node", "", *printed.lines()]) + "\n"


@dataclass(frozen=True)
class _Printed:
    words: TreeText
    model: FittedTree

    @property
    def tree(self) -> Tree:
        return self.words.tree

    def lines(self) -> list[str]:
        """The lines from the top down, with numbers formatted alike in all of them."""
        tree = self.tree
        order, number = self._order
        names = [f"{number[node]})" for node in order]
        width = max(map(len, names))
        outcome = dict(zip(order, self._outcomes(order), strict=True))
        return [
            f"{'  ' * int(tree.depth[node])}{name:>{width}} {self._split(node)} {tree.n_node_samples[node]} "
            f"{outcome[node]} {'*' if tree.is_leaf[node] else ' '}"
            for node, name in zip(order, names, strict=True)
        ]

    @cached_property
    def _order(self) -> tuple[list[int], dict[int, int]]:
        """The nodes from the top down, the left side first, and the number of each."""
        number, found, waiting = {0: 1}, [], [0]
        while waiting:
            node = waiting.pop()
            found.append(node)
            sides = self._sides(node)
            number |= {child: 2 * number[node] + k for k, child in enumerate(sides)}
            waiting += reversed(sides)
        return found, number

    def _sides(self, node: int) -> list[int]:
        children = [*self.words.children(node)]
        return sorted(children, key=self._outcome_rank) if children else []

    def _outcome_rank(self, node: int) -> float:
        """The mean of the numbers, or of the numbers of the classes."""
        value = self.tree.value[node, 0]
        return float(value[0] if len(value) == 1 else value @ np.arange(len(value)))

    def _split(self, node: int) -> str:
        if node == 0:
            return "root"
        parent = int(self.tree.parent[node])
        test, place = self.tree.test(parent), node - int(self.tree.first_child[parent])
        name = self.words.feature(parent)
        if test.is_nominal:
            return f"{name}={self._levels(test.feature, test.levels[place])}"
        column = self.words.column(test.feature)
        if column.levels:  # ordered
            rank = int(np.searchsorted(np.arange(len(column.levels)), test.threshold, side="right"))
            some = range(rank) if place == 0 else range(rank, len(column.levels))
            return f"{name}={self._levels(test.feature, some)}"
        cut = threshold_text(self.words, test, test.threshold, f"{{:.{DIGITS}g}}".format)
        return f"{name}{('< ', '>=')[place]}{cut}"

    def _levels(self, column: int, codes: Sequence[int]) -> str:
        return ",".join(self.words.level(column, code) for code in codes)

    def _outcomes(self, order: list[int]) -> list[str]:
        """What stands behind the number of rows: the deviance or loss, and the prediction."""
        tree = self.tree
        loss = r_format([signif(x) for x in self._losses[order]])
        if tree.max_n_classes < 2:
            value = r_format([signif(x) for x in tree.prediction[order, 0, 0]])
            return [f"{a} {b}" for a, b in zip(loss, value, strict=True)]
        n_classes, each = tree.max_n_classes, tree.prediction[order, 0].ravel().tolist()
        many = n_classes >= MANY_CLASSES
        shares = [f"{share:.2g}" for share in each] if many else r_format(each, DIGITS)
        rows = [" ".join(shares[k : k + n_classes]) for k in range(0, len(shares), n_classes)]
        names = [self.words.predicted(node) for node in order]
        return [f"{a} {b} ({c})" for a, b, c in zip(loss, names, rows, strict=True)]

    @property
    def _losses(self) -> Floats:
        """The risk that the program prunes by; of Poisson the whole deviance."""
        poisson = self.model.criterion == "poisson"
        usual = "impurity" if self.tree.max_n_classes < 2 else "error" if self.tree.costs is None else "cost"
        return node_risk(self.tree, "poisson" if poisson else usual) * (2.0 if poisson else 1.0)


# -- numbers of R


def signif(number: float) -> float:
    """A number rounded to so many digits; the last bits of a sum do not decide on a half."""
    return float(f"{float(f'{number:.13e}'):.{DIGITS - 1}e}")


def r_format(numbers: Sequence[float], least: int = 0) -> list[str]:
    """Numbers as R formats a vector: as few decimals as show each with seven digits, all of one width."""
    digits = [f"{x:.{DIGITS - 1}e}".split("e") for x in numbers]
    used = [len(mantissa.lstrip("-").replace(".", "").rstrip("0") or "0") for mantissa, _ in digits]
    power = [int(exponent) for _, exponent in digits]
    right = max(max(0, n - e - 1) for n, e in zip(used, power, strict=True))
    fixed = [f"{x:.{right}f}" for x in numbers]
    most = max(used)
    longer = 4 + (2 if max(map(abs, power)) < 100 else 3) - 2
    if max(map(len, fixed)) > (most + 1 if most > 1 else 1) + longer + any(x < 0 for x in numbers):
        fixed = [f"{x:.{most - 1}e}" for x in numbers]
    elif least > right:
        fixed = [f"{x:.{least}f}" for x in numbers]
    width = max(map(len, fixed))
    return [f"{each:>{width}}" for each in fixed]
