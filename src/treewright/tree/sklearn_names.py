"""The tree's arrays under the names of scikit-learn, for trees that scikit-learn could have grown."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..data.common.array_types import Floats, Ints
from .arrays import TreeArrays
from .walks import gain_by_column


class SklearnNames(TreeArrays):
    """What `sklearn.tree._tree.Tree` has too."""

    @property
    def children_left(self) -> Ints:
        """The first child of every node; -1 for a leaf."""
        self.must_be_binary("children_left")
        return self.first_child.astype(np.int64)

    @property
    def children_right(self) -> Ints:
        """The second child of every node; -1 for a leaf."""
        self.must_be_binary("children_right")
        return np.where(self.is_leaf, -1, self.first_child.astype(np.int64) + 1)

    @property
    def missing_go_to_left(self) -> NDArray[np.uint8]:
        """1 where missing values go to the first child."""
        self.must_be_binary("missing_go_to_left")
        if self.surrogates is not None or (self.missing_child[~self.is_leaf] < 0).any():
            raise AttributeError(
                "missing_go_to_left needs a tree whose missing values go to one child. Got one with "
                "surrogates, or whose missing values stop or are shared out. Use missing_child."
            )
        return np.asarray((self.missing_child == 0) & ~self.is_leaf, dtype=np.uint8)

    def must_be_binary(self, name: str) -> None:
        """Reject, for the sake of the thing called `name`, tests that are no test x <= threshold."""
        widest = int(self.n_children.argmax())
        if self.n_children[widest] > 2:
            raise AttributeError(
                f"{name} needs a binary tree. Got node {widest} with {self.n_children[widest]} children. "
                "Use first_child and n_children."
            )
        if self.combinations is not None:
            first = int((self.feature >= self.n_features).argmax())
            raise AttributeError(
                f"{name} needs tests of one column. Got node {first}, which combines columns. "
                "Use first_child, n_children and test."
            )
        if len(self.level_begin):
            first = int((np.diff(self.level_begin) > 0).argmax())
            raise AttributeError(
                f"{name} needs a tree of thresholds. Got node {first} with a test of levels. "
                "Use first_child, n_children and test."
            )

    def compute_feature_importances(self, normalize: bool = True) -> Floats:
        """The gain of every column, summed over its splits and divided by the weight of the root.

        The columns that a test combines have equal parts of its gain.
        """
        gains = gain_by_column(self)
        total = gains.sum() if normalize else self.weighted_n_node_samples[0]
        return np.asarray(gains / total if total > 0 else gains, dtype=np.float64)
