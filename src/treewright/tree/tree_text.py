"""A tree as text: names, numbers, tests and predictions, the same in every drawing and export."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ..data.schema import ColumnType
from .combinations import sum_text
from .equation import equation, range_text
from .leaf_models import link_of
from .split_test import SplitTest
from .tree import SHARED, STOPS, Tree
from .value_text import Side, levels_text, shortest, sides

WEIGHTED = "Percentages and probabilities count the weights of the rows."
CONTRARY = (
    "* Most training rows of this leaf have another class. Smoothing decides: the probability depends on the "
    "nodes above too."
)
Names = Sequence[Any] | np.ndarray[Any, Any]


@dataclass(frozen=True)
class TreeText:
    """A tree with the names that its reader knows. `decimals=None` writes numbers in full."""

    tree: Tree
    features: list[str]
    classes: list[list[str]] | None  # per output; None where leaves hold numbers
    criterion: str
    decimals: int | None = None
    zero_one: frozenset[int] = frozenset()  # columns of numbers that held nothing but 0 and 1
    units: Mapping[int, str] = field(default_factory=dict)  # by column, where they are known
    unit: str = ""  # of the target

    def number(self, value: float) -> str:
        """A number with the chosen decimals."""
        return shortest(value) if self.decimals is None else f"{value:.{self.decimals}f}"

    def short_number(self, value: float) -> str:
        """A share, weight or impurity: three decimals by default, whole numbers without."""
        if math.isfinite(value) and abs(value - round(value)) < 1e-9 * max(1.0, abs(value)):
            return str(round(value))
        return f"{value:.{3 if self.decimals is None else self.decimals}f}"

    def prediction_number(self, value: float) -> str:
        """A predicted number: as many digits as tell the predictions of the leaves apart to a hundredth."""
        if self.decimals is not None or not math.isfinite(value):
            return with_unit(self.number(value), self.unit)
        text = f"{value:.4g}" if abs(value) >= 1e12 else f"{value:,.{self._digits}f}"
        return with_unit(text, self.unit)

    @cached_property
    def _digits(self) -> int:
        found = self.tree.prediction[self.tree.is_leaf]
        spread = float(np.ptp(found)) or float(np.abs(found).max(initial=0.0))
        if not 0 < spread < math.inf:
            return 0
        fewest = next((k for k in range(3) if np.all(found == np.round(found, k))), 12)
        return min(fewest, max(0, 2 - math.floor(math.log10(spread))))

    def is_leaf(self, node: int) -> bool:
        """Whether a walk ends here."""
        return bool(self.tree.n_children[node] == 0)

    def children(self, node: int) -> range:
        """The children of a node, first to last."""
        first = int(self.tree.first_child[node])
        return range(first, first + int(self.tree.n_children[node]))

    # -- tests

    def feature(self, node: int) -> str:
        """The name of the column that a node tests, or the sum of columns that it compares."""
        return self.name(int(self.tree.feature[node]))

    def name(self, feature: int) -> str:
        """The name of a column, or the text of a sum of columns: `2 income - debt`."""
        terms = self.tree.terms(feature)
        return sum_text(terms, self.features) if terms else self.features[feature]

    def is_presence_test(self, node: int) -> bool:
        """`x <= inf` with missing values on the other side tests only whether there is a value."""
        test = self.tree.test(node)
        only = test.threshold == math.inf and not test.strict and self.tree.n_children[node] == 2
        return only and self.tree.missing_child[node] == 1 and not self.surrogates(node)

    def has_own_child(self, node: int, test: SplitTest) -> bool:
        """Whether one child of a node is for missing values alone."""
        child = int(self.tree.missing_child[node])
        return child >= 0 and (not test.levels[child] if test.is_nominal else child == 2)

    def test(self, node: int, sign: str = "<=", most: int | None = None) -> str:
        """The test of a node; yes is the first child. With many branches it is the column alone."""
        test = self.tree.test(node)
        if self.is_presence_test(node):
            return f"{self.feature(node)} is present"
        if test.is_nominal and self.tree.n_children[node] > 2:
            return self.feature(node)
        how, value = self.parts(test, most)[0]
        return f"{self.feature(node)} {sign if how == '<=' else how} {value}{self.soft(node)}"

    def soft(self, node: int) -> str:
        """Where a row goes both ways, if the threshold of a node is soft: ` (both from 70 to 85)`."""
        low, high = (getattr(self.tree, name) for name in ("soft_low", "soft_high"))
        if not len(low) or math.isnan(low[node]):
            return ""
        return f" (both from {self.number(float(low[node]))} to {self.number(float(high[node]))})"

    def branches(self, node: int) -> list[str]:
        """For each child, the condition under which a row goes there."""
        test, name = self.tree.test(node), self.feature(node)
        if self.is_presence_test(node):
            return [f"{name} is present", f"{name} is missing"]
        aligned = test.levels == () and test.feature not in self.zero_one
        found = [f"{name} {sign:<2} {value}" if aligned else f"{name} {sign} {value}"
                 for sign, value in self.parts(test)]  # fmt: skip
        found = [text + self.soft(node) for text in found]
        found += [""] * (len(self.children(node)) - len(found))
        child = self.tree.missing_child[node]
        if self.has_own_child(node, test):
            found[child] = f"{name} is missing"
        elif child >= 0 and self.shows_missing(node):
            found[child] += " or missing"
        return found

    def branch_labels(self, node: int, most: int | None = None) -> list[str]:
        """What to write at the arrows to the children; nothing where first and second say it all."""
        test, child = self.tree.test(node), int(self.tree.missing_child[node])
        n_children = len(self.children(node))
        if not test.is_nominal and n_children == 2:
            return []
        found = [value if test.is_nominal else f"{sign} {value}" for sign, value in self.parts(test, most)]
        found += [""] * (n_children - len(found))
        if self.has_own_child(node, test):
            found[child] = "missing"
        elif child >= 0:
            found[child] += " or missing"
        return found

    def parts(self, test: SplitTest, most: int | None = None) -> list[tuple[str, str]]:
        """For each child a sign and a value: what a value must be to go there."""
        column = self.column(test.feature)
        if not test.is_nominal:
            both = [*self.sides(test)]
            return both[::-1] if test.reversed else both
        named = [[column.levels[code] for code in codes] for codes in test.levels]
        return [("=" if len(levels) == 1 else "in", levels_text(levels, most)) for levels in named]

    def sides(self, test: SplitTest, column: ColumnType | None = None) -> tuple[Side, Side]:
        """The two sides of a threshold; of a column of 0 and 1 these two, and numbers with their unit."""
        cut, feature = test.threshold, test.feature
        if feature in self.zero_one and (0 < cut <= 1 if test.strict else 0 <= cut < 1):
            return ("=", "0"), ("=", "1")
        unit = self.units.get(feature)
        number = self.number if not unit else lambda value: with_unit(_separated(self.number(value)), unit)
        return sides(test, self.column(feature) if column is None else column, number)

    def column(self, feature: int) -> ColumnType:
        """What a column holds."""
        types = self.tree.column_types
        return ColumnType("number") if types is None or feature >= len(types) else types[feature]

    def level(self, feature: int, code: int) -> str:
        """The name of a level of a column."""
        return one_line(str(self.column(feature).levels[code]))

    # -- missing values

    def shows_missing(self, node: int) -> bool:
        """Whether the node must say where missing values go: it learned that, or breaks the common rule.

        The rule, for a node that saw none while growing: to the child with most rows, the last of equals.
        """
        tree, children = self.tree, self.children(node)
        rows = tree.n_node_samples[children.start : children.stop]
        by_rule = len(rows) - 1 - int(rows[::-1].argmax())
        return bool(tree.missing_seen[node]) or tree.missing_child[node] != by_rule

    @cached_property
    def columns_with_missing(self) -> frozenset[int]:
        """The columns whose tests say where missing values go; of all others the common rule does."""
        inner = np.flatnonzero(~self.tree.is_leaf).tolist()
        return frozenset(int(self.tree.feature[node]) for node in inner if not self.follows_rule(node))

    def follows_rule(self, node: int) -> bool:
        """Whether nothing but the common rule says where missing values go."""
        if self.tree.missing_child[node] < 0 or self.shows_missing(node):
            return False
        return not self.has_own_child(node, self.tree.test(node))

    def missing_line(self, node: int, number: Callable[[float], str] | None = None) -> str:
        """What becomes of a missing value that takes no branch; empty if it takes one."""
        child = self.tree.missing_child[node]
        if child == STOPS:
            return "stops here"
        if child == SHARED:
            first, last = self.children(node)[0], self.children(node)[-1]
            shares = ", ".join(map(number or self.number, self.tree.share[first : last + 1]))
            return f"goes down every branch by share ({shares})"
        return ""

    def surrogates(self, node: int) -> range:
        """The places of the surrogates of a node, best first."""
        return range(0) if self.tree.surrogates is None else self.tree.surrogates.of(node)

    def surrogate(self, place: int, child: int) -> str:
        """The condition under which a surrogate sends a row to a child, and how far it can be trusted."""
        extra = self.tree.surrogates
        assert extra is not None
        test = extra.test(place)
        condition = " ".join([self.name(test.feature), *self.parts(test)[child]])
        digits = 3 if self.decimals is None else self.decimals
        known = {"agreement": extra.agreement[place], "adjusted": extra.adjusted[place]}
        facts = [f"{name} {round(float(x), digits):g}" for name, x in known.items() if not math.isnan(x)]
        return f"surrogate: {condition}" + (f" ({', '.join(facts)})" if facts and child == 0 else "")

    def significance(self, node: int) -> str:
        """The p-value of the permutation test that chose the column of a node; empty if there was none."""
        if not self.tree.p_value.size:
            return ""
        p_value = float(self.tree.p_value[node, self.tree.feature[node]])
        return "  (p < 0.001)" if p_value < 0.001 else f"  (p = {p_value:.3f})"

    # -- outcomes

    def weights(self, node: int, output: int) -> np.ndarray[Any, Any]:
        """The weight of every class of one output in a node; its share in a tree that counts nothing."""
        assert self.classes is not None
        shares = self.tree.value[node, output, : len(self.classes[output])]
        total = self.tree.weighted_n_node_samples
        return np.asarray(shares * total[node] if total[0] else shares)

    def predicted(self, node: int, output: int = 0) -> str:
        """The name of the class that a node predicts."""
        assert self.classes is not None
        if self.tree.predicts_nothing[node]:
            return "no class"
        return self.classes[output][int(self.tree.label[node, output])]

    def _predicted(self, node: int, output: int) -> str:
        """The class, with its probability where that is not a share of the rows that are counted."""
        name, tree = self.predicted(node, output), self.tree
        if not len(tree.estimate):
            return name
        mark = "*" if tree.smoothing_decides[node] else ""
        chance = self.short_number(float(tree.estimate[node, output, tree.label[node, output]]))
        return f"{name} (p {chance}){mark}"

    def outcome(self, node: int) -> str:
        """What a node predicts: `class: a` or `value: 1.5`, several outputs in brackets; or an equation."""
        if self.tree.leaf_models is not None:
            return self._equations(node)
        outputs = range(self.tree.value.shape[1])
        if self.classes is not None:
            kind, found = "class", [self._predicted(node, output) for output in outputs]
        else:
            kind, found = "value", [self.number(self.tree.prediction[node, output, 0]) for output in outputs]
        return f"{kind}: {found[0]}" if len(found) == 1 else f"{kind}: [{', '.join(found)}]"

    def _equations(self, node: int) -> str:
        """The equations of a linear leaf with their ranges, one per score."""
        models, link = self.tree.leaf_models, link_of(self.tree)
        assert models is not None
        found = [equation(self, node, k) + range_text(self, node, k) for k in range(models.n_scores)]
        if link == "identity":
            return f"value: {found[0]}" if len(found) == 1 else f"value: [{', '.join(found)}]"
        assert self.classes is not None
        names = self.classes[0]
        if link == "logistic":
            return f"log odds of {names[1]}: {found[0]}"
        return "scores: " + "; ".join(f"{name}: {text}" for name, text in zip(names, found, strict=True))

    @cached_property
    def counts_rows(self) -> bool:
        """Whether any node knows of rows."""
        return bool(self.tree.n_node_samples.any())

    def rows(self, node: int) -> str:
        """How many rows of the training table came here, and their weight where it is another number.

        A tree made by hand may count no rows at all: then nothing.
        """
        rows, weight = int(self.tree.n_node_samples[node]), float(self.tree.weighted_n_node_samples[node])
        if not self.counts_rows:
            return ""
        text = f"{rows} row{'' if rows == 1 else 's'}"
        same = abs(weight - rows) <= 1e-9 * rows  # priors and costs leave a rounding error
        return f"  [{text}]" if same else f"  [{text}, weight {self.short_number(weight)}]"

    def tallies(self, node: int) -> str:
        """The classes present in a node with their weights: `a 49, b 5`; outputs are parted by `;`."""
        if self.classes is None:
            return ""
        parts = []
        for output, names in enumerate(self.classes):
            weights = self.weights(node, output)
            parts.append(
                ", ".join(f"{names[k]} {self.short_number(weights[k])}" for k in np.flatnonzero(weights))
            )
        return "; ".join(parts)


def with_unit(number: str, unit: str) -> str:
    """`$350,000`, `5,650 sqft`, `12.3 %`: a currency sign stands before its number."""
    if not unit:
        return number
    if unicodedata.category(unit[0]) != "Sc":  # a currency
        return f"{number} {unit}"
    return f"-{unit}{number[1:]}" if number.startswith("-") else f"{unit}{number}"


def _separated(number: str) -> str:
    """Commas between the thousands of a number that is written out."""
    whole, dot, rest = number.partition(".")
    digits = whole.removeprefix("-")
    return f"{int(whole):,}{dot}{rest}" if digits.isdecimal() and int(whole) else number


def tree_text(
    tree: Tree,
    feature_names: Names | None = None,
    class_names: Names | None = None,
    decimals: int | None = None,
    criterion: str = "impurity",
) -> TreeText:
    """A tree with the names that its reader knows: those given, or its own."""
    classes = _class_names(tree, class_names)
    return TreeText(tree, _feature_names(tree, feature_names), classes, criterion, decimals)


def check_count(name: str, value: Any) -> None:
    """Reject what is neither None nor a whole number of at least 0."""
    fits = isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= 0
    if value is not None and not fits:
        raise ValueError(f"{name} must be an int of at least 0 or None. Got {value!r}.")


def _feature_names(tree: Tree, given: Names | None) -> list[str]:
    for names in (given, tree.feature_names):
        if names is not None:
            if len(names) != tree.n_features:
                raise ValueError(f"feature_names must have {tree.n_features} names. Got {len(names)}.")
            return [one_line(str(name)) for name in names]
    return [f"feature_{column}" for column in range(tree.n_features)]


def one_line(name: str) -> str:
    """A name that cannot break a line in two."""
    return name if name.isprintable() else repr(name)[1:-1]


def _class_names(tree: Tree, given: Names | None) -> list[list[str]] | None:
    known: Any = tree.classes
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
    return [[one_line(str(name)) for name in names] for names in per_output]
