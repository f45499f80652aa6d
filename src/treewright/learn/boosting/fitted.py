"""A fitted model of several trees that vote, as every function of treewright sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from ... import _core
from ...data.columns import columns_at_predict
from ...data.common.array_types import Array, Floats
from ...tree.tree import named
from ..fitted_tree import FittedTree


@dataclass(frozen=True)
class Trial:
    """What became of one trial: its size, and the rows and the weight that it predicts wrongly."""

    n_leaves: int
    n_wrong: int
    wrong_weight: float
    n_rows: int  # that were not dropped before it


@dataclass(frozen=True, eq=False, repr=False)
class FittedTrees(FittedTree):
    """Trees that vote. `tree`, `params` and what else a single model has are those of the first."""

    members: tuple[FittedTree, ...] = ()
    n_estimators: int = 1  # the most that were wanted
    trials: tuple[Trial, ...] = ()
    stopped: str = ""  # why there are fewer
    early_stopping: bool = True
    given_up: tuple[FittedTree, ...] = ()  # of the trials that were made but do not vote; not in files

    @property
    def alone(self) -> FittedTree:
        """The tree of a vote of one; ValueError where there are more."""
        if len(self.members) > 1:
            raise ValueError(self._refusal)
        return self.members[0].alone

    @property
    def _refusal(self) -> str:
        return (
            f"This needs a model of one tree. Got a boosted model of {len(self.members)}. Give one of its "
            "trees: model.estimators_[0], or --trial 0 on the command line."
        )

    @property
    def what(self) -> str:
        """What votes, in words."""
        return "trees" if type(self.members[0]) is FittedTree else "sets of rules"

    @property
    def n_leaves(self) -> int:
        """The leaves (or rules) of all members."""
        return sum(member.size for member in self.members)

    @property
    def depth(self) -> int:
        """The number of tests on the longest path."""
        return max(int(member.tree.max_depth) for member in self.members)

    @cached_property
    def used(self) -> list[int]:
        """The places of the columns that some tree uses."""
        return sorted({place for member in self.members for place in member.tree.used})

    def columns(self, X: Any) -> _core.Columns:
        """A table as the trees read it."""
        tree = self.tree
        known = (tree.feature_names, tree.column_types, tree.n_features, self.estimator)
        return columns_at_predict(self.table(X), *known, self.used)

    def each_vote(self, X: Any, n_threads: int = 1) -> Iterator[Floats]:
        """The votes of one tree after the other: (rows, classes)."""
        table = self.table(X)
        given = self.columns(table) if all(type(member) is FittedTree for member in self.members) else table
        for member in self.members:
            yield member.vote(given, n_threads)

    def votes(self, X: Any, n_threads: int = 1) -> Floats:
        """The votes of all trees."""
        return np.asarray(sum(self.each_vote(X, n_threads)))

    def predict(self, X: Any, n_threads: int = 1) -> Array:
        """The class with the most votes, the first of equals; of a single tree its class."""
        if len(self.members) == 1:
            return self.members[0].predict(X, n_threads)
        return named(self.classes[0], self.votes(X, n_threads).argmax(axis=1))

    def predict_proba(self, X: Any, n_threads: int = 1) -> Any:
        """The share of each class in the votes; of a single tree its probabilities."""
        if len(self.members) == 1:
            return self.members[0].predict_proba(X, n_threads)
        votes = self.votes(X, n_threads)
        return np.asarray(votes / votes.sum(axis=1, keepdims=True))

    def apply(self, X: Any, n_threads: int = 1) -> NoReturn:  # noqa: ARG002
        """A row ends in a leaf of every tree."""
        raise ValueError(self._refusal)

    def words(self, *_: Any, **__: Any) -> NoReturn:
        """Every tree has a text of its own."""
        raise ValueError(self._refusal)

    def to_estimator(self) -> Any:
        """The fitted estimator."""
        from .estimator import BoostedTreeClassifier

        return self.source or BoostedTreeClassifier.of_members(self)

    def to_plain_estimator(self) -> Any:
        """The same: there is no other."""
        return self.to_estimator()

    def _repr_html_(self) -> str:
        return f"<pre>{self!r}</pre>"

    def __repr__(self) -> str:
        return f"<FittedTrees {self.estimator}: {len(self.members)} trees>"


def boosted(
    first: FittedTree,
    members: tuple[FittedTree, ...],
    n_estimators: int,
    trials: Sequence[Trial],
    stopped: str,
    source: Any = None,
) -> FittedTrees:
    """The model of these trees; names, target and training are those of the first."""
    known = {field.name: getattr(first, field.name) for field in fields(FittedTree)}
    known |= {"source": source}
    return FittedTrees(
        **known, members=members, n_estimators=n_estimators, trials=tuple(trials), stopped=stopped
    )
