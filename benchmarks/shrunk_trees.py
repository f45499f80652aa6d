"""The trees that `benchmarks.probabilities` compares: ours, scikit-learn's, C4.4's, and imodels' shrunk ones.

A method takes a part (an outer fold) and returns a grown model with the rows that it predicts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from .contenders import REFERENCE, Parts, encoded, ours, scikit_learn, scikit_learn_pruned, their_tree
from .real_tables import Array, Floats, Table

INNER = 3  # folds by which imodels chooses how much to shrink: its default


class Part:
    """One outer fold of a table: the rows to grow on and those to test, also encoded for other libraries."""

    def __init__(self, table: Table, train: Array, test: Array) -> None:
        self.classes = table.classes
        self.grow, self.test = table.X.iloc[train], table.X.iloc[test]
        self.y, self.truth = table.y[train], table.y[test]

    @cached_property
    def encoded(self) -> Parts:
        """As scikit-learn needs them."""
        return encoded(self.grow, self.test)

    @cached_property
    def pruned(self) -> Any:
        """scikit-learn's CV-pruned tree: kept, since it takes long and two methods need it."""
        return scikit_learn_pruned(self.encoded[0], self.y, self.classes)


class Grown(NamedTuple):
    """A model, and the rows that it predicts."""

    model: Any
    test: Any

    def predict(self, classes: bool) -> Floats:
        """The shares of the classes, or the numbers."""
        return np.asarray(self.model.predict_proba(self.test) if classes else self.model.predict(self.test))

    @property
    def leaves(self) -> int:
        """Those of the tree; imodels keeps it inside."""
        return int(getattr(self.model, "estimator_", self.model).get_n_leaves())


Method = Callable[[Part], Grown]


def _ours(**params: Any) -> Method:
    fit = ours(**params)
    return lambda part: Grown(fit(part.grow, part.y, part.classes), part.test)


def _recipe(part: Part) -> Grown:
    """The setting of `treewright.fit`, the same for all tables."""
    from treewright.evaluate.default_fit.procedure import settings

    task = "classification" if part.classes else "regression"
    return _ours(**settings(task, len(part.y)))(part)


def _scikit_learn(part: Part) -> Grown:
    return Grown(scikit_learn(part.encoded[0], part.y, part.classes), part.encoded[1])


def _scikit_learn_pruned(part: Part) -> Grown:
    return Grown(part.pruned, part.encoded[1])


def _shrunk(part: Part) -> Grown:
    return _imodels(part, their_tree(part.classes))


def _shrunk_pruned(part: Part) -> Grown:
    # its alpha is where the tree changes: without a nudge the order of the rows, which rounds sums, decides
    return _imodels(part, their_tree(part.classes, part.pruned.ccp_alpha * (1 + 1e-9)))


def _imodels(part: Part, tree: Any) -> Grown:
    """One of imodels' trees, how much it shrinks chosen by its own cross-validation."""
    from imodels import HSTreeClassifierCV, HSTreeRegressorCV

    from treewright.learn.folds import folds_of

    X, y = part.encoded[0], part.y
    # It divides the rows as they come, and fails on a sorted table. So it gets them in a fixed random order:
    # one shuffled fold after the other, with equal shares of the classes, or a rare one may be absent.
    order = np.concatenate([fold.test for fold in folds_of(INNER, X, y, None, part.classes)])
    kind = HSTreeClassifierCV if part.classes else HSTreeRegressorCV
    return Grown(kind(estimator_=tree, cv=INNER).fit(X[order], y[order]), part.encoded[1])


OURS = "treewright"
OTHERS: dict[str, Method] = {
    "scikit-learn, unpruned": _scikit_learn,
    REFERENCE: _scikit_learn_pruned,
}
SHRUNK: dict[str, Method] = {
    "imodels, shrunk full tree": _shrunk,
    "imodels, shrunk pruned tree": _shrunk_pruned,
}


def has_imodels() -> bool:
    """Whether it can be imported."""
    return find_spec("imodels") is not None


def methods(classes: bool) -> dict[str, Method]:
    """All that can run here, for tables of two classes or of numbers."""
    shrunk = SHRUNK if has_imodels() else {}
    if not classes:
        return {OURS: _recipe, **OTHERS, **shrunk}
    return {
        OURS: _recipe,
        **OTHERS,
        # C4.5's criterion, no pruning, Laplace
        "C4.4 style": _ours(criterion="gain_ratio", smoothing="laplace"),
        **shrunk,
    }
