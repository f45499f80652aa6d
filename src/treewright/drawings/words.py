"""How a tree is put into words: names, numbers, tests and outcomes, the same in every drawing and export."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..tree import Tree

Names = Sequence[Any] | np.ndarray[Any, Any]


def shortest(number: float) -> str:
    """The fewest digits that read back as the same float64; 2.0 is "2".

    From 2**53 up, as far as 64 bits go, all digits are written: whole numbers are compared exactly there, and
    x <= 1e18 read by hand must mean the same.
    """
    if 2.0**53 <= abs(number) < 2.0**64:
        return str(int(number))
    return repr(float(number)).removesuffix(".0")


@dataclass(frozen=True)
class Words:
    """A tree with the names that its reader knows. `decimals=None` writes numbers in full."""

    tree: Tree
    features: list[str]
    classes: list[list[str]] | None  # per output; None where leaves hold numbers
    criterion: str
    decimals: int | None = None

    def number(self, value: float) -> str:
        """A number at the precision asked for."""
        return shortest(value) if self.decimals is None else f"{value:.{self.decimals}f}"

    def short(self, value: float) -> str:
        """A share, weight or impurity: three decimals unless told otherwise, whole numbers whole."""
        if math.isfinite(value) and abs(value - round(value)) < 1e-9 * max(1.0, abs(value)):
            return str(round(value))
        return f"{value:.{3 if self.decimals is None else self.decimals}f}"

    def is_leaf(self, node: int) -> bool:
        """Whether a walk ends here."""
        return bool(self.tree.n_children[node] == 0)

    def children(self, node: int) -> range:
        """The children of a node, first to last."""
        first = int(self.tree.first_child[node])
        return range(first, first + int(self.tree.n_children[node]))

    def threshold(self, node: int) -> str:
        """The number that a node compares with, exact for integers beyond float64."""
        exact = self.tree.exact_threshold(node)
        return str(exact) if isinstance(exact, int) else self.number(exact)

    def feature(self, node: int) -> str:
        """The name of the column that a node tests."""
        return self.features[int(self.tree.feature[node])]

    def is_presence_test(self, node: int) -> bool:
        """`x <= inf` with missing values on the other side asks only whether there is a value."""
        return self.tree.exact_threshold(node) == math.inf and self.tree.missing_child[node] == 1

    def test(self, node: int, sign: str = "<=") -> str:
        """The question of a node; yes is the first child."""
        if self.is_presence_test(node):
            return f"{self.feature(node)} is present"
        return f"{self.feature(node)} {sign} {self.threshold(node)}"

    def branch(self, node: int, child: int) -> str:
        """The condition under which a row goes from a node to its child number `child`."""
        if self.is_presence_test(node):
            return f"{self.feature(node)} is {'missing' if child else 'present'}"
        condition = f"{self.feature(node)} {'> ' if child else '<='} {self.threshold(node)}"
        says = self.tells_missing(node) and self.tree.missing_child[node] == child
        return f"{condition} or missing" if says else condition

    def tells_missing(self, node: int) -> bool:
        """Whether the node must say where missing values go: it learned that, or breaks the common rule.

        The rule, for a node that saw none while growing: to the child with more rows, the second if equal.
        """
        tree, (first, second) = self.tree, self.children(node)
        by_rule = 0 if tree.n_node_samples[first] > tree.n_node_samples[second] else 1
        return bool(tree.missing_seen[node]) or tree.missing_child[node] != by_rule

    def weights(self, node: int, output: int) -> np.ndarray[Any, Any]:
        """The weight of every class of one output in a node; its share in a tree that counts nothing."""
        assert self.classes is not None
        shares = self.tree.value[node, output, : len(self.classes[output])]
        total = self.tree.weighted_n_node_samples
        return np.asarray(shares * total[node] if total[0] else shares)

    def majority(self, node: int, output: int = 0) -> str:
        """The name of the class that a node predicts; the first of equals."""
        assert self.classes is not None
        return self.classes[output][int(self.tree.majority[node, output])]

    def outcome(self, node: int) -> str:
        """What a node predicts: `class: a` or `value: 1.5`, in brackets for several outputs."""
        outputs = range(self.tree.value.shape[1])
        if self.classes is not None:
            kind, found = "class", [self.majority(node, output) for output in outputs]
        else:
            kind, found = "value", [self.number(self.tree.value[node, output, 0]) for output in outputs]
        return f"{kind}: {found[0]}" if len(found) == 1 else f"{kind}: [{', '.join(found)}]"

    def rows(self, node: int) -> str:
        """How many rows of the training table came here, and their weight where it is another number.

        A tree made by hand may count no rows at all: then nothing.
        """
        rows, weight = int(self.tree.n_node_samples[node]), float(self.tree.weighted_n_node_samples[node])
        if not self.tree.n_node_samples[0]:
            return ""
        text = f"{rows} row{'' if rows == 1 else 's'}"
        return f"  [{text}]" if weight == rows else f"  [{text}, weight {self.short(weight)}]"

    def tallies(self, node: int) -> str:
        """The classes present in a node with their weights: `a 49, b 5`; outputs are parted by `;`."""
        if self.classes is None:
            return ""
        parts = []
        for output, names in enumerate(self.classes):
            weights = self.weights(node, output)
            parts.append(", ".join(f"{names[k]} {self.short(weights[k])}" for k in np.flatnonzero(weights)))
        return "; ".join(parts)


def put_into_words(
    model: Any, feature_names: Names | None, class_names: Names | None, decimals: int | None
) -> Words:
    """Find the tree, the names and the criterion in a fitted estimator or a bare Tree."""
    tree = tree_of(model)
    classes = _class_names(model, tree, class_names)
    criterion = getattr(model, "criterion", "impurity")
    return Words(tree, _feature_names(model, tree, feature_names), classes, criterion, decimals)


def tree_of(model: Any) -> Tree:
    """The Tree inside an estimator, or the thing itself."""
    if isinstance(model, Tree):
        return model
    if not hasattr(model, "fit"):
        raise TypeError(f"A fitted estimator or a Tree is needed. Got {type(model).__name__}.")
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(model)
    tree = getattr(model, "tree_", None)
    if not isinstance(tree, Tree):
        kind = f"{type(model).__module__}.{type(model).__name__}"
        raise TypeError(
            f"A decision tree of treewright is needed. Got {kind}. Fit treewright's class instead."
        )
    return tree


def check_count(name: str, value: Any) -> None:
    """Refuse what is neither None nor a whole number of at least 0."""
    fits = isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= 0
    if value is not None and not fits:
        raise ValueError(f"{name} must be an int of at least 0 or None. Got {value!r}.")


def _feature_names(model: Any, tree: Tree, given: Names | None) -> list[str]:
    for names in (given, getattr(model, "feature_names_in_", None), tree.feature_names):
        if names is not None:
            if len(names) != tree.n_features:
                raise ValueError(f"feature_names must have {tree.n_features} names. Got {len(names)}.")
            return [str(name) for name in names]
    return [f"feature_{column}" for column in range(tree.n_features)]


def _class_names(model: Any, tree: Tree, given: Names | None) -> list[list[str]] | None:
    known: Any = getattr(model, "classes_", tree.classes)
    counts = tree.n_classes.tolist()
    if known is None and max(counts) == 1:
        return None
    if given is not None:
        if len(counts) > 1:
            raise ValueError("class_names can be given for one output only. Leave it out for several.")
        if len(given) != counts[0]:
            raise ValueError(f"class_names must have {counts[0]} names. Got {len(given)}.")
        known = given
    if known is None:
        return [[str(k) for k in range(count)] for count in counts]
    per_output = [known] if len(counts) == 1 else known
    return [[str(name) for name in names] for names in per_output]
