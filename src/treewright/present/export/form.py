"""The one form of a fitted tree that every exporter reads.

It has only the columns that predictions depend on, numbered from 0. Each inner node has a test, surrogates,
and the child of values that are missing or of an unknown level. A node where a row can end has an outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Floats, Ints
from ...data.schema import NUMBER
from ...learn.fitted_tree import FittedTree, as_model
from ...learn.params import CLASSIFICATION
from ...tree.combinations import Terms
from ...tree.decided import must_be_crisp
from ...tree.leaf_models import LeafModels, link_of
from ...tree.split_test import SplitTest
from ...tree.tree import STOPS, Tree
from ...tree.walks import rows_behind

TIMES = ("datetime", "duration")


class FormColumn(NamedTuple):
    """A column that predictions depend on."""

    name: str
    kind: str  # as in ColumnType
    levels: tuple[Any, ...]
    utc: bool
    place: int  # among all columns of the tree
    whole: bool  # compared as a whole number of 64 bits: a time, or a threshold that float64 cannot hold

    @property
    def is_text(self) -> bool:
        """Whether its levels are text."""
        return bool(self.levels) and isinstance(self.levels[0], str)

    @property
    def codes(self) -> dict[Any, int]:
        """The code of each level."""
        return {level: code for code, level in enumerate(self.levels)}

    @property
    def numbers(self) -> list[Any]:
        """Its levels as numbers where they are no text: a boolean is 0 or 1."""
        return [int(level) if isinstance(level, bool) else level for level in self.levels]


@dataclass(frozen=True, eq=False)
class Form:
    """A fitted tree as exporters read it. All lists have one entry per node; node 0 is the root."""

    model: FittedTree
    columns: tuple[FormColumn, ...]
    sums: tuple[Terms, ...]  # what oblique tests compare; `feature` of such a test is len(columns) + place
    first_child: list[int]
    n_children: list[int]
    tests: list[SplitTest | None]  # None for a leaf
    surrogates: list[tuple[SplitTest, ...]]
    missing: list[int]  # the child of missing values; -1: the row ends here; -2: it goes down every child

    @property
    def tree(self) -> Tree:
        """The tree itself."""
        return self.model.tree

    @property
    def hash(self) -> str:
        """A short hash of all that predicts."""
        return self.tree.digest

    @property
    def is_classifier(self) -> bool:
        """Whether it predicts classes."""
        return self.model.task == CLASSIFICATION

    @cached_property
    def classes(self) -> list[list[Any]]:
        """The labels of each output as Python's own values; no output for regression."""
        if not self.is_classifier:
            return []
        known = self.model.classes or tuple(np.arange(n) for n in np.atleast_1d(self.tree.n_classes))
        return [labels.tolist() for labels in known]

    @property
    def n_outputs(self) -> int:
        """How many targets there are."""
        return int(self.tree.n_outputs)

    @cached_property
    def sizes(self) -> list[int]:
        """For each output how many numbers are predicted: one per class, or 1."""
        return [len(labels) for labels in self.classes] or [1] * self.n_outputs

    @property
    def shares_rows(self) -> bool:
        """Whether a row with missing values may end in several leaves."""
        return self.tree.shares_rows

    @property
    def depth(self) -> int:
        """The number of tests on the longest path."""
        return self.tree.max_depth

    @cached_property
    def ends(self) -> list[int]:
        """The nodes where a row can end: leaves, and where missing values stop."""
        return [
            node
            for node, (test, missing) in enumerate(zip(self.tests, self.missing, strict=True))
            if test is None or missing == STOPS
        ]

    @cached_property
    def every_test(self) -> list[SplitTest]:
        """The tests of all nodes and their surrogates."""
        found = zip(self.tests, self.surrogates, strict=True)
        return [each for test, behind in found if test is not None for each in (test, *behind)]

    @cached_property
    def end_set(self) -> frozenset[int]:
        """The nodes where a row can end, to look one up."""
        return frozenset(self.ends)

    @cached_property
    def values(self) -> Floats:
        """What every node predicts: (nodes, outputs, classes). With `pooled` the counted values."""
        tree = self.tree
        return tree.value if self.pooled else tree.prediction

    @cached_property
    def labels(self) -> Ints:
        """The index of the class of every node and output; -1 where there is no prediction."""
        tree = self.tree
        return np.where(tree.predicts_nothing[:, None], -1, tree.label)

    @property
    def pooled(self) -> float:
        """The smoothing strength that applies to the mean over a row's leaves; 0: none does."""
        pooled = self.tree.pooled
        return float(pooled[0]) if len(pooled) and self.shares_rows else 0.0

    @property
    def rows_behind(self) -> Floats:
        """The weight of the training rows behind every node, which `pooled` needs."""
        return rows_behind(self.tree)

    @property
    def share(self) -> list[float]:
        """The share that a node gets of a row that goes down every child of its parent."""
        found: list[float] = self.tree.share.tolist()
        return found or [1.0] * len(self.tests)

    @property
    def costs(self) -> list[list[float]] | None:
        """What each kind of mistake costs: by true and by predicted class."""
        return None if self.tree.costs is None else np.asarray(self.tree.costs).tolist()

    @property
    def unknown(self) -> float | None:
        """A number that counts as a missing value, as -999 does for C4.5."""
        rules = self.model.params.get("growth_rules")
        return rules.get("unknown_number") if isinstance(rules, dict) else None

    @property
    def leaf_models(self) -> LeafModels | None:
        """The linear models of the nodes; their features are places in the tree: see `place`."""
        return self.tree.leaf_models

    @property
    def link(self) -> str:
        """How the scores of linear leaves become predictions: identity, logistic or softmax."""
        return link_of(self.tree)

    @cached_property
    def place(self) -> dict[int, int]:
        """From the place of a column in the tree to its place in `columns`."""
        return {column.place: k for k, column in enumerate(self.columns)}

    @cached_property
    def kinds(self) -> dict[str, bool]:
        """What a format may be unable to express, in words; and whether this tree has it."""
        whole = any(column.whole and column.kind == "number" for column in self.columns)
        return {
            "rows that go down several branches (missing='fractional')": self.shares_rows,
            "linear leaves": self.leaf_models is not None,
            "oblique tests": bool(self.sums),
            "surrogates": any(self.surrogates),
            "several outputs": self.n_outputs > 1,
            "rows that stop at an inner node": any(self.tests[node] for node in self.ends),
            "dates and times": any(column.kind in TIMES for column in self.columns),
            "whole numbers beyond 2**53": whole,
            "leaves without a prediction": bool((self.labels[self.ends] < 0).any()) and self.is_classifier,
        }

    def refuse(self, target: str, kinds: Sequence[str], instead: str) -> None:
        """Raise if the tree has one of these kinds, which the format cannot express."""
        for kind in kinds:
            if self.kinds[kind]:
                raise ValueError(f"{target} cannot express {kind}, which this tree has. {instead}")

    def children(self, node: int) -> range:
        """The children of a node."""
        return range(self.first_child[node], self.first_child[node] + self.n_children[node])


def form_of(model: Any) -> Form:
    """Bring any fitted model into the form that exporters read."""
    found = as_model(model)
    tree = found.tree
    must_be_crisp(tree, "An export")
    inner = [node for node, count in enumerate(tree.n_children.tolist()) if count]
    places = {column: k for k, column in enumerate(tree.used)}
    original = {node: tree.test(node) for node in inner}
    sums = (
        []
        if tree.combinations is None
        else [tree.terms(tree.n_features + j) for j in range(len(tree.combinations))]
    )

    def renumbered(test: SplitTest) -> SplitTest:
        here = (
            places[test.feature]
            if test.feature < tree.n_features
            else (len(places) + test.feature - tree.n_features)
        )
        return test._replace(feature=here, terms=tuple((places[c], x) for c, x in test.terms))

    behind: list[tuple[SplitTest, ...]] = [()] * tree.node_count
    given = tree.surrogates
    for place, node in enumerate([] if given is None else given.node.tolist()):
        assert given is not None
        behind[node] = (*behind[node], renumbered(given.test(place)))
    tests: list[SplitTest | None] = [None] * tree.node_count
    for node, test in original.items():
        tests[node] = renumbered(test)
    exact = {
        test.feature
        for test in [*(t for t in tests if t is not None), *(t for some in behind for t in some)]
        if isinstance(test.threshold, int)
    }
    missing = np.where(tree.n_children > 0, tree.missing_child, STOPS)
    return Form(
        model=found,
        columns=tuple(_column(found, column, k in exact) for column, k in places.items()),
        sums=tuple(tuple((places[c], x) for c, x in terms) for terms in sums),
        first_child=tree.first_child.tolist(),
        n_children=tree.n_children.tolist(),
        tests=tests,
        surrogates=behind,
        missing=missing.tolist(),
    )


def _column(model: FittedTree, column: int, exact: bool) -> FormColumn:
    tree = model.tree
    names, types = tree.feature_names, tree.column_types
    name = f"feature_{column}" if names is None else str(names[column])
    known = NUMBER if types is None else types[column]
    return FormColumn(name, known.kind, known.levels, known.utc, column, exact or known.kind in TIMES)
