"""Linear models in the leaves of a tree: what a leaf computes from a row in place of one constant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.common.array_types import Array, Floats, Ints, Mask
from .flat_arrays import FlatArrays, read_only
from .split_test import select
from .surrogates import NONE

if TYPE_CHECKING:
    from .arrays import TreeArrays

NUMBER, IS_MISSING = -2, -1  # in `level`: the number itself, and whether it is missing
LINKS = ("identity", "logistic", "softmax")
TERM_ARRAYS: dict[str, type] = {"feature": np.int32, "level": np.int32, "centre": np.float64}
MODEL_ARRAYS: dict[str, type] = {
    "begin": np.int64,
    **TERM_ARRAYS,
    "coefficient": np.float64,
    "constant": np.float64,
    "lower": np.float64,
    "upper": np.float64,
}


class Term(NamedTuple):
    """One term of a leaf's equation: coefficient times (x - centre)."""

    feature: int
    level: int  # NUMBER, IS_MISSING or the code of a level
    centre: float
    coefficient: Floats  # one per score


@dataclass(frozen=True, eq=False)
class LeafModels(FlatArrays):
    """A linear model for every node; all arrays are read-only.

    Node i has the terms begin[i] to begin[i + 1] - 1. Its scores are constant[i] plus the sum over the terms
    of coefficient * (x - centre), kept within lower[i] and upper[i]. x is a number (level NUMBER), or 1 and 0
    for whether the column has a level, or whether it is missing (IS_MISSING). A missing number stands at its
    centre. A regressor has a score per output, which it predicts. A classifier of two classes has one score,
    the log odds of the second class; of more classes one score each, whose exponentials are in proportion to
    the probabilities.
    """

    begin: Ints
    feature: NDArray[np.int32]
    level: NDArray[np.int32]
    centre: Floats
    coefficient: Floats  # (terms, scores)
    constant: Floats  # (nodes, scores)
    lower: Floats = NONE  # (nodes, scores); empty: no bound
    upper: Floats = NONE

    def __post_init__(self) -> None:
        for name, dtype in MODEL_ARRAYS.items():
            object.__setattr__(self, name, read_only(getattr(self, name), dtype))
        for name in ("coefficient", "constant", "lower", "upper"):
            if getattr(self, name).ndim == 1 and getattr(self, name).size:
                object.__setattr__(self, name, read_only(getattr(self, name)[:, None], np.float64))
        for name, bound in (("lower", -np.inf), ("upper", np.inf)):
            if not getattr(self, name).size:
                object.__setattr__(self, name, read_only(np.full(self.constant.shape, bound), np.float64))
        if not self.coefficient.size and self.constant.ndim == 2:
            empty = np.empty((0, self.constant.shape[1]))
            object.__setattr__(self, "coefficient", read_only(empty, np.float64))

    @property
    def n_scores(self) -> int:
        """How many scores a leaf computes."""
        return int(self.constant.shape[1])

    def terms(self, node: int) -> list[Term]:
        """The terms of one node, in their order."""
        return [
            Term(int(self.feature[t]), int(self.level[t]), float(self.centre[t]), self.coefficient[t])
            for t in range(int(self.begin[node]), int(self.begin[node + 1]))
        ]

    def intercept(self, node: int) -> Floats:
        """The scores where every number is 0 and no indicator holds."""
        own = slice(self.begin[node], self.begin[node + 1])
        return np.asarray(self.constant[node] - self.centre[own] @ self.coefficient[own])

    def at_centre(self, link: str, shape: tuple[int, ...]) -> Floats:
        """What every node predicts where numbers are at their centres and no indicator holds."""
        begin = np.repeat(np.arange(len(self.constant)), np.diff(self.begin))
        drop = np.where((self.level == NUMBER)[:, None], 0.0, self.centre[:, None] * self.coefficient)
        score = self.constant.copy()
        np.subtract.at(score, begin, drop)
        return linked(np.clip(score, self.lower, self.upper), link).reshape(shape)

    @cached_property
    def used(self) -> list[int]:
        """The places of the columns that some term needs."""
        return [int(column) for column in np.unique(self.feature)]

    def kept(self, keep: NDArray[np.bool_]) -> LeafModels:
        """The models of the nodes that stay."""
        begin, listed = select(self.begin, keep, keep)
        terms = {name: getattr(self, name)[listed] for name in (*TERM_ARRAYS, "coefficient")}
        nodes = {name: getattr(self, name)[keep] for name in ("constant", "lower", "upper")}
        return LeafModels(begin=begin, **terms, **nodes)

    def core(self, link: str) -> _core.LinearLeaves:
        """The models as the core takes them."""
        flat = {name: np.ascontiguousarray(array).reshape(-1) for name, array in self.arrays().items()}
        return _core.LinearLeaves(**flat, link=LINKS.index(link))


def link_of(tree: TreeArrays) -> str:
    """How scores become predictions: by the classes of a tree."""
    if tree.max_n_classes == 1 and tree.classes is None:
        return "identity"
    return "logistic" if tree.max_n_classes == 2 else "softmax"


def linked(score: Floats, link: str) -> Floats:
    """The numbers or the probabilities of scores (rows, scores)."""
    if link == "identity":
        return score
    score = np.concatenate([np.zeros_like(score), score], axis=1) if link == "logistic" else score
    score = np.exp(score - score.max(axis=1, keepdims=True))
    return np.asarray(score / score.sum(axis=1, keepdims=True))


def must_be_constant(tree: TreeArrays, what: str, instead: str) -> None:
    """Reject linear leaves, for the sake of the function called `what`."""
    if tree.leaf_models is not None:
        raise ValueError(f"{what} needs leaves that predict a constant. Got linear leaves. {instead}")


def must_not_be_logistic(tree: TreeArrays, what: str) -> None:
    """Reject logistic leaves, whose splits are not chosen by the gain that the tree counts."""
    if tree.leaf_models is not None and link_of(tree) != "identity":
        raise ValueError(f"{what} needs constant or linear leaves. Got logistic leaves. Use explain.")


def rules(tree: TreeArrays, models: LeafModels) -> dict[str, Any]:
    """What must hold of the models of a tree: a sentence, and whether it is broken."""
    count, n_terms, link = tree.node_count, len(models.feature), link_of(tree)
    scores = tree.n_outputs if link == "identity" else 1 if link == "logistic" else tree.max_n_classes
    shapes = all(getattr(models, name).shape == (count, scores) for name in ("constant", "lower", "upper"))
    begin = models.begin
    found: dict[str, Any] = {
        "leaf_models must have a constant, a lower and an upper bound per node and score": not shapes,
        "leaf_models of classes must be of one output": link != "identity" and tree.n_outputs > 1,
        "terms of leaf_models must have arrays of one length": any(
            getattr(models, name).shape != (n_terms,) for name in TERM_ARRAYS
        )
        or models.coefficient.shape != (n_terms, scores),
        f"begin of leaf_models must have {count + 1} entries and rise from 0 to the number of terms": (
            begin.shape != (count + 1,)
            or begin[0] != 0
            or begin[-1] != n_terms
            or (begin[1:] < begin[:-1]).any()
        ),
        f"feature of a term must be in 0..{tree.n_features - 1}": (models.feature < 0)
        | (models.feature >= tree.n_features),
    }
    if any(np.any(broken) for broken in found.values()):
        return found
    nominal, sizes = kinds_of(tree, models.feature)
    numbers = ("centre", "coefficient", "constant")
    return found | {
        "a term must be of a number, a level of its column, or whether it is missing": (models.level < NUMBER)
        | ((models.level == NUMBER) & nominal)
        | ((models.level >= 0) & ~(nominal & (models.level < sizes))),
        "numbers of leaf_models must be finite": any(
            not np.isfinite(getattr(models, name)).all() for name in numbers
        ),
        "bounds of leaf_models must be in order": ~(models.lower <= models.upper),
    }


def kinds_of(tree: TreeArrays, feature: Array) -> tuple[Mask, Ints]:
    """Whether each of these columns is nominal, and how many levels it has; a weighted sum has none."""
    if tree.column_types is None:
        return np.zeros(len(feature), dtype=bool), np.zeros(len(feature), dtype=np.int64)
    one = np.where(feature < len(tree.column_types), feature, len(tree.column_types))
    nominal = np.array([*(column.kind == "nominal" for column in tree.column_types), False], dtype=bool)
    sizes = np.array([*(len(column.levels) for column in tree.column_types), 0], dtype=np.int64)
    return nominal[one], sizes[one]
