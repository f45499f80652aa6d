"""The rules of a tree: one for every node where rows end, of which exactly one holds for every row."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ...learn.fitted_tree import as_model
from ...tree.tree import Tree, cheapest
from ...tree.words import Names, Words, check_count
from . import listing
from .cuts import Mask
from .merging import Draft, alike, merged
from .normal_form import NormalForm, normal_form
from .orders import check_order, sorting
from .paths import ends_of
from .reading import read
from .rule import Rule, rule_of
from .text import clause_text, notes_of

Labels = Sequence[NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of a tree, in order. Print them, or take `to_dicts()`, `to_frame()`, `dnf(label)`."""

    rules: tuple[Rule, ...]
    words: Words
    labels: Labels | None  # the classes of every output; None for numbers
    order: str
    notes: tuple[str, ...]  # sentences that the rules rely on
    names: Sequence[Any] | None  # of the columns at fit

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    @overload
    def __getitem__(self, place: int) -> Rule: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Rule, ...]: ...
    def __getitem__(self, place: int | slice) -> Rule | tuple[Rule, ...]:
        return self.rules[place]

    # -- rows

    def matches(self, X: Any) -> Mask:
        """Which rules hold for each row, by their conditions alone: (rows, rules).

        It is exactly one, but for a tree that shares rows out: see `shares`.
        """
        table = read(X, self.words.tree, self.names)
        found = np.empty((table.n_rows, len(self)), dtype=bool)
        for k, rule in enumerate(self.rules):
            found[:, k] = rule.way.share(*table) > 0
        return found

    def shares(self, X: Any) -> NDArray[np.float64]:
        """The share of each row that falls under each rule: (rows, rules). Every row sums to 1."""
        table = read(X, self.words.tree, self.names)
        return np.stack([rule.way.share(*table) for rule in self.rules], axis=1)

    def predict(self, X: Any) -> NDArray[Any]:
        """What the rules decide for each row: as the tree does, found by the conditions alone."""
        tree = self.words.tree
        if tree.shares_rows:
            decided = self._by_mean(self.shares(X))
        else:
            decided = np.array([rule.decides for rule in self.rules])[self.matches(X).argmax(axis=1)]
        if self.labels is None:
            return decided[:, 0] if tree.n_outputs == 1 else decided
        found = [names[decided[:, k]] for k, names in enumerate(self.labels)]
        return np.asarray(found[0]) if len(found) == 1 else np.stack(found, axis=1)

    def _by_mean(self, shares: NDArray[np.float64]) -> NDArray[Any]:
        """What the mean of the answers decides; the last bits of a sum decide nothing."""
        answers = self.words.tree.prediction[[rule.leaf for rule in self.rules]]
        mean = np.einsum("ir,roc->ioc", shares, answers)
        if self.labels is None:
            return np.asarray(mean[:, :, 0])
        return cheapest(np.round(mean * 2.0**40) / 2.0**40, self.words.tree.costs)

    # -- logic

    def dnf(self, label: Any, output: int = 0) -> NormalForm:
        """When a class is decided, as a disjunction of conjunctions: "(a and b) or (c)"."""
        return self._form(label, output, True)

    def complement(self, label: Any, output: int = 0) -> NormalForm:
        """When a class is not decided: the rules of all other classes, as one disjunction."""
        return self._form(label, output, False)

    def _form(self, label: Any, output: int, wanted: bool) -> NormalForm:
        if self.labels is None:
            raise ValueError(
                "A normal form needs a tree of classes. Got one of numbers. Print the rules instead."
            )
        if self.words.tree.shares_rows:
            raise ValueError(
                "A normal form needs rules of which one holds for every row. Got a tree that shares out rows "
                'with missing values. Grow it with another `missing`, such as "learned".'
            )
        if not 0 <= output < len(self.labels):
            raise ValueError(f"output must be in 0..{len(self.labels) - 1}. Got {output!r}.")
        known = self.labels[output].tolist()
        if label not in known:
            raise ValueError(f"label must be one of the classes {known!r:.200}. Got {label!r}.")
        index = known.index(label)
        split: dict[bool, list[Any]] = {True: [], False: []}
        for rule in self.rules:
            split[rule.decides[output] == index].append(rule.way)
        name = self.words.classes[output][index] if self.words.classes else str(label)
        title = name if wanted else f"not {name}"
        return normal_form(title, split[wanted], split[not wanted], self.words, self.names)

    # -- forms

    @cached_property
    def spread_is(self) -> str:
        """What `spread` of a rule is."""
        return listing.spread_name(self)

    @cached_property
    def is_weighted(self) -> bool:
        """Whether rows have weights."""
        return any(map(listing.is_weighted, self.rules))

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per rule, of which any library makes a frame."""
        return [listing.as_dict(self, number, rule) for number, rule in enumerate(self.rules, 1)]

    def to_frame(self) -> Any:
        """The rules as a pandas DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.to_dicts())

    def text(self, *, missing: bool = True) -> str:
        """The rules to read. `missing=False` writes only what concerns rows without a missing value."""
        return listing.as_text(self, missing)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Rules: {len(self)}>\n{self}"

    def _repr_html_(self) -> str:
        return listing.as_html(self)


def rules(
    model: Any,
    order: str = "class",
    *,
    merge: bool = False,
    feature_names: Names | None = None,
    class_names: Names | None = None,
    decimals: int | None = None,
) -> Rules:
    """Write a fitted estimator or a Tree as rules of which exactly one holds for every row.

    Parameters
    ----------
    model : a fitted tree of treewright, or its `Tree`
    order : "class", "confidence", "support", "lift" or "leaf"
        "class": by the decided class, then confidence and support, the greatest first; numbers by the number.
    merge : bool
        Make one rule of rules that decide the same and differ in one column only. Every row is decided as
        before; confidence and shares are those of the merged rows.
    feature_names, class_names, decimals : as for `export_text`

    Returns
    -------
    Rules
        One rule per leaf, and one for each inner node where a missing value can end a row. Conditions of one
        column are merged into one, which also says whether a missing value meets it. Where a node has
        surrogates, a further condition says what they must answer if its own value is missing.
    """
    check_count("decimals", decimals)
    words = as_model(model).words(feature_names, class_names, decimals)
    tree, labels = words.tree, _labels(words)
    check_order(order, labels is not None)
    if merge and tree.shares_rows:
        raise ValueError(
            "merge=True needs a tree in which every row ends at one leaf. Got one that shares out rows with "
            'missing values. Leave merge out, or grow it with another `missing`, such as "learned".'
        )
    drafts, unreached = _drafts(tree, labels is not None, merge)
    plain = None if labels is None else [names.tolist() for names in labels]
    made = [rule_of(draft, words, plain, _texts(draft, words)) for draft in drafts]
    notes = notes_of(words, (clause for draft in drafts for clause in draft.way.clauses), unreached)
    names = tree.feature_names
    return Rules(
        tuple(sorted(made, key=sorting(order, labels is not None))), words, labels, order, notes, names
    )


def _texts(draft: Draft, words: Words) -> tuple[str, ...]:
    return tuple(clause_text(clause, words) for clause in draft.way.clauses)


def _drafts(tree: Tree, classes: bool, merge: bool) -> tuple[list[Draft], int]:
    """The ways that rows can go, and how many leaves no row can reach."""
    decides: list[Hashable] = list(map(tuple, _decisions(tree, classes).tolist()))
    is_end = alike(tree, decides) if merge else tree.is_leaf
    found, unreached = [], 0
    for node, stopped, way in ends_of(tree, is_end):
        if way.is_closed:
            unreached += not stopped
            continue
        found.append(Draft(way.tidy(), decides[node], ((node, stopped),)))
    return merged(found) if merge else found, unreached


def _decisions(tree: Tree, classes: bool) -> NDArray[Any]:
    """The index of the class that every node decides for, or its number, per output."""
    return tree.label if classes else tree.prediction[:, :, 0]


def _labels(words: Words) -> Labels | None:
    """The classes of every output, as the model has them."""
    if words.classes is None:
        return None
    known: Any = words.tree.classes
    if known is None:
        return [np.arange(len(names)) for names in words.classes]
    return [np.asarray(known)] if len(words.classes) == 1 else [np.asarray(each) for each in known]
