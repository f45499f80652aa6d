"""What a model file holds: a tree that reads tables and predicts, without scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.columns import as_columns, from_columns, known_columns
from ...data.common.hints import nearest
from ...data.table import as_array, is_frame
from ...data.values import values_of
from ...tree.displayed import Displayed
from ...tree.tree import Tree, named
from ..costs import Stakes
from ..params import CLASSIFICATION

Array = NDArray[Any]


def facts(tree: Tree, fitted: dict[str, Any]) -> dict[str, Any]:
    """What a fit left on an estimator, with what follows from the tree."""
    names = None if tree.feature_names is None else list(tree.feature_names)
    counts = {"n_features_in_": tree.n_features, "n_outputs_": tree.n_outputs}
    return fitted | counts | {"feature_names": names}


@dataclass(frozen=True, eq=False)
class Saved(Displayed):
    """A fitted model as a file keeps it. It predicts as the estimator does that it was made of."""

    kind: str  # "classification" or "regression"
    tree: Tree
    estimator: str  # the name of the class
    params: dict[str, Any]  # of the constructor
    fitted: dict[str, Any]  # what the fit left: ccp_alpha_, smoothing_strength_, feature_names, ...
    decision: dict[str, Any] | None = None  # see `settings.DECISION`; `tree.costs` has the effect
    target: str | None = None  # the name of the target column, if known
    training: dict[str, Any] = field(default_factory=dict)  # a free summary
    unsaved: dict[str, str] = field(default_factory=dict)  # parameters in words that no file can hold

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """The names of the columns, if the model knows them."""
        return self.tree.feature_names

    @property
    def classes(self) -> tuple[Array, ...]:
        """The labels of each output; empty for regression."""
        found = self.tree.classes
        return () if found is None else found if isinstance(found, tuple) else (found,)

    @property
    def stakes(self) -> Stakes | None:
        """What mistakes cost in the user's own units, at which prevalence; None where no costs decide."""
        if self.decision is None:
            return None if self.tree.costs is None else Stakes(self.tree.costs)
        costs, shares = self.decision["costs"], self.decision["prevalence"]
        if costs is None:  # a threshold
            return None
        return Stakes(np.array(costs, dtype=np.float64), None if shares is None else np.array(shares))

    def columns(self, frame: Any) -> _core.Columns:
        """A table as the tree reads it: a frame, a dictionary of columns, or a matrix.

        Columns are picked by name where the model knows names and the table has some, in any order and among
        others; else there must be as many as at fit.
        """
        if isinstance(frame, _core.Columns):
            return self._wide_enough(frame)
        if isinstance(frame, Mapping):
            return self._of_mapping(frame)
        if is_frame(frame):
            import narwhals.stable.v2 as nw

            table = nw.from_native(frame, eager_only=True)
            if self.feature_names is not None:
                frame = table.select(self._found_in(table.columns)).to_native()
            elif len(table.columns) != self.tree.n_features:
                raise ValueError(self._other_width(len(table.columns)))
        elif hasattr(frame, "collect"):
            raise TypeError(f"X must be a table in memory. Got a {type(frame).__name__}; collect it first.")
        return self._wide_enough(as_columns(frame, self.tree.column_types))

    def apply(self, frame: Any, n_threads: int = 1) -> Array:
        """The number of the leaf that each row ends in."""
        return self.tree.apply(self.columns(frame), n_threads)

    def predict(self, frame: Any, n_threads: int = 1) -> Array:
        """The label or the number of each row; for several outputs a column each."""
        columns = self.columns(frame)
        if self.kind != CLASSIFICATION:
            return self.tree.predict(columns, n_threads)[..., 0]
        places = self.tree.labels(columns, n_threads)
        found = [named(labels, places[:, k]) for k, labels in enumerate(self.classes)]
        return found[0] if len(found) == 1 else np.stack(found, axis=1)

    def predict_proba(self, frame: Any, n_threads: int = 1) -> Any:
        """The probability of each class for each row: (rows, classes), for several outputs a list."""
        if self.kind != CLASSIFICATION:
            raise ValueError("predict_proba needs a classifier. Got a regressor; use predict.")
        shares = self.tree.predict(self.columns(frame), n_threads)
        if len(self.classes) == 1:
            return shares
        return [shares[:, k, : len(labels)] for k, labels in enumerate(self.classes)]

    def to_estimator(self) -> Any:
        """The fitted estimator. It lacks what no file holds: the curves and answers of folds."""
        from .models import estimator_of

        return estimator_of(self)

    def _of_mapping(self, given: Mapping[Any, Any]) -> _core.Columns:
        names = list(given)
        if self.feature_names is not None:
            names = self._found_in(names)
        elif len(names) != self.tree.n_features:
            raise ValueError(self._other_width(len(names)))
        arrays = [as_array(given[name]) for name in names]
        sizes = {len(array) if array.ndim else 0 for array in arrays}
        if len(sizes) != 1:
            raise ValueError(f"The columns of X must have the same length. Got {sorted(sizes)}.")
        read = (values_of(array, f"column {name!r}") for array, name in zip(arrays, names, strict=True))
        return from_columns(known_columns(read, self.tree.column_types), sizes.pop())

    def _found_in(self, names: list[Any]) -> list[str]:
        """The columns of the model, all of which must be there."""
        wanted, there = list(self.feature_names or ()), set(names)
        lacking = [name for name in wanted if name not in there]
        if not lacking:
            return wanted
        hint = nearest(lacking[0], names, "its column ")
        hint += " Rename it." if hint else ""
        more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        raise ValueError(
            f"The table must have all columns of the model. It lacks {lacking[0]!r}{more}.{hint}"
        )

    def _wide_enough(self, columns: _core.Columns) -> _core.Columns:
        if columns.n_columns != self.tree.n_features:
            raise ValueError(self._other_width(columns.n_columns))
        return columns

    def _other_width(self, got: int) -> str:
        return f"The table must have {self.tree.n_features} columns, as at fit. Got {got}."

    def __repr__(self) -> str:
        return f"<Saved {self.estimator}: {self.tree!r}>"
