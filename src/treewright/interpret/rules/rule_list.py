"""The rules of a tree: one for every node where rows end, of which exactly one holds for every row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...data.common.result import ListResult
from ...learn.fitted_tree import FittedTree, as_model
from ...tree.decided import must_be_crisp
from ...tree.paths import paths_of
from ...tree.sums import ColumnsWithSums
from ...tree.tree import Tree, cheapest, named
from ...tree.tree_text import Names, TreeText, check_count
from ...tree.value_sets import Mask
from . import printing
from .merging import Draft, merged, with_one_prediction
from .normal_form import NormalForm, normal_form
from .rule import SPREADS, Rule, rule_of

Labels = Sequence[NDArray[Any]]
ORDERS = ("class", "confidence", "support", "lift", "leaf")


@dataclass(frozen=True, eq=False, repr=False)
class Rules(ListResult[Rule]):
    """The rules of a tree, in order. Print them, or take `to_dicts()`, `to_frame()`, `dnf(label)`."""

    LISTED = "rules"

    rules: tuple[Rule, ...]
    words: TreeText
    labels: Labels | None  # the classes of every output; None for regression
    order: str
    notes: tuple[str, ...]  # sentences that the rules rely on
    model: FittedTree

    exclusive: ClassVar[bool] = True  # exactly one rule holds for every row

    @property
    def n_conditions(self) -> int:
        """The conditions of all rules; a range of a number counts as two."""
        return sum(rule.path.n_conditions for rule in self.rules)

    # -- rows

    def matches(self, X: Any) -> Mask:
        """Which rules hold for each row, by their conditions alone: (rows, rules).

        Exactly one holds, except in a tree that divides rows with missing values: see `shares`.
        """
        return np.stack([share > 0 for share in self._by_rule(X)], axis=1)

    def shares(self, X: Any) -> NDArray[np.float64]:
        """The share of each row that falls under each rule: (rows, rules). Every row sums to 1."""
        return np.stack(list(self._by_rule(X)), axis=1)

    def _by_rule(self, X: Any) -> Iterator[NDArray[np.float64]]:
        table = self.model.read(X)
        columns = ColumnsWithSums(self.words.tree, table.columns)
        return (rule.path.share(columns, table.n_rows) for rule in self.rules)

    def predict(self, X: Any) -> NDArray[Any]:
        """What the rules predict for each row: the same as the tree, by the conditions alone."""
        tree = self.words.tree
        if tree.shares_rows:
            predicted = self._by_mean(self.shares(X))
        else:
            predicted = np.array([rule.predicts for rule in self.rules])[self.matches(X).argmax(axis=1)]
        if self.labels is None:
            return predicted[:, 0] if tree.n_outputs == 1 else predicted
        found = [named(names, predicted[:, k]) for k, names in enumerate(self.labels)]
        return np.asarray(found[0]) if len(found) == 1 else np.stack(found, axis=1)

    def _by_mean(self, shares: NDArray[np.float64]) -> NDArray[Any]:
        """The prediction of the mean; the last bits of a sum decide nothing."""
        each = self.words.tree.prediction[[rule.leaf for rule in self.rules]]
        mean = np.einsum("ir,roc->ioc", shares, each)
        if self.labels is None:
            return np.asarray(mean[:, :, 0])
        return cheapest(np.round(mean * 2.0**40) / 2.0**40, self.words.tree.costs)

    # -- logic

    def dnf(self, label: Any, output: int = 0) -> NormalForm:
        """When a class is predicted, as a disjunction of conjunctions: "(a and b) or (c)"."""
        return self._form(label, output, True)

    def complement(self, label: Any, output: int = 0) -> NormalForm:
        """When a class is not predicted: the rules of all other classes, as one disjunction."""
        return self._form(label, output, False)

    def _form(self, label: Any, output: int, wanted: bool) -> NormalForm:
        if self.labels is None:
            raise ValueError("A normal form needs a classifier. Got a regressor. Print the rules instead.")
        if self.words.tree.shares_rows:
            raise ValueError(
                "A normal form needs rules of which one holds for every row. Got a tree that divides rows "
                'with missing values among branches. Fit it with another `missing`, such as "learned".'
            )
        if not 0 <= output < len(self.labels):
            raise ValueError(f"output must be in 0..{len(self.labels) - 1}. Got {output!r}.")
        known = self.labels[output].tolist()
        if label not in known:
            raise ValueError(f"label must be one of the classes {known!r:.200}. Got {label!r}.")
        index = known.index(label)
        split: dict[bool, list[Any]] = {True: [], False: []}
        for rule in self.rules:
            split[rule.predicts[output] == index].append(rule.path)
        name = self.words.classes[output][index] if self.words.classes else str(label)
        title = name if wanted else f"not {name}"
        return normal_form(title, split[wanted], split[not wanted], self.words, self.model)

    # -- output

    @property
    def spread_name(self) -> str:
        """What `spread` of a rule is, by the criterion of the tree; empty for classes."""
        return SPREADS.get(self.words.criterion, "impurity") if self.labels is None else ""

    @cached_property
    def is_weighted(self) -> bool:
        """Whether rows have weights."""
        return any(map(printing.is_weighted, self.rules))

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per rule, with all levels of its conditions."""
        return [printing.as_dict(self, number, rule) for number, rule in enumerate(self.rules, 1)]

    def text(self, *, missing: bool = True, full: bool = False) -> str:
        """The rules as text.

        Parameters
        ----------
        missing : bool, default True
            Whether to write what concerns rows with missing values.
        full : bool, default False
            Whether to name every level of a long set of levels.
        """
        return printing.as_text(self, missing, full)

    def __str__(self) -> str:
        return self.text()

    def _rows(self) -> list[dict[str, Any]]:
        return printing.table_rows(self)

    def _columns(self) -> Sequence[tuple[str, str]]:
        facts = [("spread", ".6g")] if self.labels is None else [("confidence", ""), ("lift", "")]
        shared = [("rule", "d"), ("conditions", ""), ("prediction", ""), ("rows", ",d"), ("support", ".1%")]
        return [*shared, *facts]

    def _headline(self) -> str:
        return printing.headline(self)

    def _notes(self) -> Sequence[str]:
        return self.notes


def rules(  # noqa: PLR0913
    model: Any,
    order: str = "class",
    *,
    merge: bool = False,
    simplify: str | None = None,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    feature_names: Names | None = None,
    class_names: Names | None = None,
    decimals: int | None = None,
) -> Rules:
    """Write a fitted tree as rules of which exactly one holds for every row, or as fewer that vote.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree, Tree or path
        A fitted tree of treewright, or the path of a model file.
    order : {"class", "confidence", "support", "lift", "leaf"}, default "class"
        "class": by the predicted class, then confidence and support, the greatest first; for regression by
        the predicted number.
    merge : bool, default False
        Make one rule of rules that predict the same and differ in one column only. The prediction of every
        row stays as it was; confidence and proportions are those of the merged rows.
    simplify : {"pessimistic", "laplace"}, optional
        Drop conditions as long as the estimated error of a rule does not rise, and keep the rules that
        describe the rows shortest: fewer and shorter rules, of which several may hold for a row. They vote,
        and predict almost as the tree. "pessimistic" estimates the errors by the upper limit of the binomial
        at confidence 0.25, "laplace" by (wrong + 1) / (rows + 2) as C5.0 does. For a classifier.
    X, y : table and labels, with `simplify`
        The rows that rules are counted on: the training rows.
    sample_weight : array of shape (n_rows,), optional
        Their weights.
    feature_names : list of str, optional
        Names of the columns, in place of those of the model.
    class_names : list of str, optional
        Names of the classes, in place of those of the model.
    decimals : int, optional
        Digits after the decimal point; None: as many as the exact number needs.

    Returns
    -------
    Rules
        One rule per leaf, and one for each inner node where a missing value can stop a row. The conditions
        of one column are merged into one, which also says whether a missing value meets it. Where a node has
        surrogates, a further condition says what they decide if its own value is missing. With `simplify`
        a `SimplifiedRules`, which has the default class, `votes`, and a model to save, `to_estimator()`.
    """
    check_count("decimals", decimals)
    fitted = as_model(model)
    must_be_crisp(fitted.tree, "rules")
    if simplify is not None or X is not None or y is not None or sample_weight is not None:
        from .simplified import simplified

        if order != "class" or merge:
            raise ValueError("simplify has an order of its own. Got order or merge as well. Leave these out.")
        names = {"feature_names": feature_names, "class_names": class_names, "decimals": decimals}
        return simplified(fitted, simplify, (X, y, sample_weight), names)
    words = fitted.words(feature_names, class_names, decimals)
    tree, labels = words.tree, None
    if words.classes is not None:
        labels = list(fitted.classes) or [np.arange(len(names)) for names in words.classes]
    if order not in ORDERS:
        raise ValueError(f"order must be one of {', '.join(ORDERS)}. Got {order!r}.")
    if labels is None and order in {"confidence", "lift"}:
        raise ValueError(f"order={order!r} needs a classifier. Got a regressor. Use 'class' or 'support'.")
    if merge and tree.shares_rows:
        raise ValueError(
            "merge=True needs a tree in which every row ends at one leaf. Got one that divides rows with "
            'missing values. Leave merge out, or fit it with another `missing`, such as "learned".'
        )
    drafts, unreached = _drafts(tree, labels is not None, merge)
    lists = None if labels is None else [names.tolist() for names in labels]
    made = [rule_of(draft, words, lists) for draft in drafts]
    notes = printing.notes_of(words, made, unreached)
    made.sort(key=lambda rule: _sort_key(rule, order, labels is not None))
    return Rules(tuple(made), words, labels, order, notes, fitted)


def _drafts(tree: Tree, classes: bool, merge: bool) -> tuple[list[Draft], int]:
    """The paths that rows can take, and how many leaves no row can reach."""
    # the place of the class that every node predicts (-1: none), or its number, per output
    each = np.where(tree.predicts_nothing[:, None], -1, tree.label) if classes else tree.prediction[:, :, 0]
    predicts = list(map(tuple, each.tolist()))
    is_end = with_one_prediction(tree, predicts) if merge else tree.is_leaf
    found, unreached = [], 0
    for node, stopped, path in paths_of(tree, is_end):
        if path.is_impossible:
            unreached += not stopped
            continue
        found.append(Draft(path.tidy(), predicts[node], ((node, stopped),)))
    return merged(found) if merge else found, unreached


def _sort_key(rule: Rule, order: str, classes: bool) -> tuple[Any, ...]:
    """Classes stand in their order, all else from the greatest to the least."""
    if order == "leaf":
        return (rule.leaf,)
    facts = _down(rule.confidence), _down(rule.support), rule.leaf
    if order == "class":
        return rule.predicts if classes else _down(rule.predicts), *facts
    return _down(getattr(rule, order)), *facts


def _down(value: Any) -> tuple[float, ...]:
    """Greatest first; what is not known comes last. The last bits of a sum decide nothing."""
    each = printing.each_output(value)
    return tuple(float("inf") if one is None else -float(f"{one:.12g}") for one in each)
