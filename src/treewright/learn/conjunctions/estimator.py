"""`Conjunctions`: a transformer that adds conjunctions of conditions as columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from ...data.columns import columns_at_fit
from ...data.common.allowed import YES_NO, Parameter, whole
from ...data.common.array_types import Array, Floats, Mask
from ...data.table import as_array, frame_of, is_frame
from ...data.typed_table import typed_table
from ...data.values import Column
from ..plain import PlainRegressor
from .conditions import Condition, conditions_of
from .search import search, strongest

MOST_ROWS = 50_000  # that are searched
MOST_CLASSES = 50  # of numbers; with more they are no classes
TREE_LEAVES = 16  # of the small tree that adds its thresholds
PARAMETERS = (
    Parameter("max_terms", 2, (whole(2),), ""),
    Parameter("max_columns", 10, (whole(1),), ""),
    Parameter("passthrough", True, (YES_NO,), ""),
)


@dataclass(frozen=True)
class Conjunction:
    """Conditions that must all hold."""

    conditions: tuple[Condition, ...]
    name: str
    gain: float

    def holds(self, table: list[Column]) -> Mask:
        """For which rows."""
        return reduce(np.logical_and, [each.holds(table[each.column]) for each in self.conditions])


class Conjunctions(TransformerMixin, BaseEstimator):
    """Add conjunctions of conditions as columns, such as "A and B" or "2 < x <= 5".

    A greedy tree tests one condition at a time, and misses two conditions that say much together but little
    alone; it needs many leaves to say "(A and B) or (C and D)". This transformer tries all pairs of
    conditions (thresholds of numbers, levels of nominal columns), extends the best pairs if `max_terms` is
    above 2, and adds those conjunctions that explain much more of the target than any single condition. A
    range of a number is one of them. The new columns are 1 where all conditions hold; a missing value fails a
    condition.

    Parameters
    ----------
    max_terms : int, default=2
        The most conditions in a conjunction.
    max_columns : int, default=10
        The most columns to add. Fewer are added where no further one pays.
    passthrough : bool, default=True
        Whether the columns of X are kept in front of the new ones.

    Attributes
    ----------
    conjunctions_ : list of Conjunction
        What was found, in the order of usefulness: `name`, `conditions`, and `gain`, the proportion of the
        target's variance that each explains beyond those before it.

    Notes
    -----
    A target of classes counts as one 0/1 number per class, so that the gain is that of the Gini impurity.
    Thresholds are those of a small tree and up to 8 quantiles of each column. Tables of more than 50,000 rows
    are searched on that many, drawn with a fixed seed; of a wide table the 200 conditions that say most alone
    are combined.

    Examples
    --------
    >>> import numpy as np, treewright
    >>> X = np.array([[a, b, c, d] for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1)])
    >>> y = (X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])
    >>> made = treewright.Conjunctions().fit(X, y)
    >>> made.get_feature_names_out().tolist()[4:]
    ['x0 and x1', 'x2 and x3']
    >>> treewright.DecisionTreeClassifier().fit(made.transform(X), y).get_n_leaves()
    3
    """

    def __init__(self, max_terms: int = 2, *, max_columns: int = 10, passthrough: bool = True) -> None:
        self.max_terms = max_terms
        self.max_columns = max_columns
        self.passthrough = passthrough

    def fit(self, X: Any, y: Any) -> Self:
        """Find conjunctions.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
        y : labels or numbers of shape (n_rows,)

        Returns
        -------
        self
        """
        for parameter in PARAMETERS:
            parameter.check(getattr(self, parameter.name))
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None. "
                "Give the target: conjunctions are chosen by what they say about it."
            )
        _reject_sparse(X)
        columns, self._types = columns_at_fit(self, X)
        target = _numbers(y, columns.n_rows)
        table = self._table(X)
        small = PlainRegressor(max_leaf_nodes=TREE_LEAVES, thresholds="rounded")
        tree = small.fit(columns, target, check_input=False).tree_
        cuts = [
            (int(at), float(cut))
            for at, cut in zip(tree.feature, tree.threshold, strict=True)
            if at >= 0 and np.isfinite(cut)
        ]
        self.conjunctions_ = self._search(table, target, conditions_of(table, cuts))
        return self

    def _search(self, table: list[Column], target: Floats, conditions: list[Condition]) -> list[Conjunction]:
        n_rows = len(target)
        rows = np.sort(np.random.RandomState(0).permutation(n_rows)[:MOST_ROWS])
        if not conditions or n_rows < 2:
            return []
        some = [column.take(rows) for column in table]
        holds = np.stack([each.holds(some[each.column]) for each in conditions], axis=1).astype(np.float32)
        kept = strongest(holds, target[rows])
        found = search(holds[:, kept], target[rows], self.max_terms, self.max_columns)
        return [self._made(tuple(conditions[kept[k]] for k in each.terms), each.gain) for each in found]

    def _made(self, conditions: tuple[Condition, ...], gain: float) -> Conjunction:
        """A conjunction in which conditions on one number are one range."""
        joined: list[Condition] = []
        for condition in conditions:
            both = [(k, each.joined(condition)) for k, each in enumerate(joined)]
            place = next(((k, each) for k, each in both if each is not None), None)
            if place is None:
                joined.append(condition)
            else:
                joined[place[0]] = place[1]
        names = _check_feature_names_in(self)
        types = self._types or [None] * len(names)
        texts = [
            each.text(str(names[each.column]), getattr(types[each.column], "levels", ())) for each in joined
        ]
        name = " and ".join(texts)
        return Conjunction(tuple(joined), f"({name})" if name in names else name, gain)

    def transform(self, X: Any) -> Any:
        """Add the conjunctions as columns: to a frame as booleans, to an array as 0 and 1."""
        check_is_fitted(self, "conjunctions_")
        _reject_sparse(X)
        table = self._table(X)
        n_rows = len(table[0].values)
        made = {each.name: each.holds(table) for each in self.conjunctions_}
        if is_frame(X):
            return self._with_columns(X, made)
        new = np.stack([*made.values()], axis=1) if made else np.empty((n_rows, 0), dtype=bool)
        if not self.passthrough:
            return new.astype(np.float64)
        given = as_array(X)
        dtype = np.float64 if given.dtype.kind in "biuf" else object
        return np.hstack([given.astype(dtype), new.astype(dtype)])

    def _with_columns(self, X: Any, made: dict[str, Mask]) -> Any:
        import narwhals.stable.v2 as nw

        frame = frame_of(X)
        names = getattr(self, "feature_names_in_", None)
        frame = frame if names is None else frame.select(list(names))
        space = nw.get_native_namespace(frame)
        series = [nw.new_series(name, values.tolist(), backend=space) for name, values in made.items()]
        first = frame.columns[0]
        if frame.implementation.is_pandas_like():  # rows are matched by their labels
            index = frame.get_column(first).to_native().index
            series = [nw.from_native(each.to_native().set_axis(index), series_only=True) for each in series]
        found = frame.with_columns(*series) if series else frame
        return (found if self.passthrough else found.select(list(made))).to_native()

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """The names of the columns that `transform` returns."""
        check_is_fitted(self, "conjunctions_")
        given = _check_feature_names_in(self, input_features)
        new = np.array([each.name for each in self.conjunctions_], dtype=object)
        return np.concatenate([given, new]) if self.passthrough else new

    def _table(self, X: Any) -> list[Column]:
        names = getattr(self, "feature_names_in_", None)
        known = None if names is None else tuple(map(str, names))
        return typed_table(X, known, self._types, self.n_features_in_, type(self).__name__).columns

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags


def _reject_sparse(X: Any) -> None:
    if hasattr(X, "tocsc"):
        raise TypeError("X must be a dense table for Conjunctions. Got a sparse matrix; use X.toarray().")


def _numbers(y: Any, n_rows: int) -> Floats:
    """A target as numbers: itself, or one 0/1 number per class."""
    given = np.asarray(y)
    given = given.ravel() if given.ndim == 2 and given.shape[1] == 1 else given
    if given.ndim != 1 or len(given) != n_rows:
        raise ValueError(f"y must have one value per row of X, {n_rows}. Got shape {np.shape(y)}.")
    if given.dtype.kind == "f" and not np.isfinite(given).all():
        raise ValueError("y must hold no NaN and no infinity. Got one. Leave out rows without a target.")
    labels, codes = np.unique(given.astype(str) if given.dtype.kind == "O" else given, return_inverse=True)
    whole_numbers = given.dtype.kind in "biu" or (given.dtype.kind == "f" and not (given % 1).any())
    if given.dtype.kind in "biuf" and not (whole_numbers and len(labels) <= MOST_CLASSES):
        return given.astype(np.float64)[:, None]
    return np.asarray(codes.ravel()[:, None] == np.arange(len(labels)), dtype=np.float64)
