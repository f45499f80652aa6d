"""`lab.candidates`: the candidate splits of a column, or of all columns of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...data.common.errors import ParameterError
from ...data.common.hints import nearest
from ...data.common.result import Result
from ...data.common.tables import Column as Printed
from ...data.table import as_array, is_frame
from ...data.target import are_classes
from ...learn.params import CLASSIFICATION, REGRESSION, criteria_of
from ..next_best.search import split_search
from .column_candidates import ColumnCandidates, gain_format
from .node_candidates import Candidate, NodeCandidates
from .split_information import printed_criterion

OF_GROWTH = ("max_depth", "max_leaf_nodes", "splitter", "max_features", "monotonic_cst", "oblique", "growth")
REFUSED = dict.fromkeys(OF_GROWTH, "does not change the candidates of a node")
REFUSED |= dict.fromkeys(("pruning", "ccp_alpha"), "comes after growth, to which candidates belong")
REFUSED |= {"leaf_model": "is not for candidates: their gains are of leaves that predict a constant"}


@dataclass(frozen=True, repr=False)
class ColumnRanking(Result):
    """The best split of every column, the one that growth would choose first.

    `ranking["age"]` (or the place of a column) has every cut of one column.
    """

    columns: tuple[Candidate, ...]
    criterion: str
    constant: tuple[str, ...]  # columns without a split
    node: NodeCandidates

    @property
    def best(self) -> Candidate | None:
        """The split that a tree would have at its root; None if there is none."""
        return self.columns[0] if self.columns else None

    def __len__(self) -> int:
        return len(self.columns)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.columns)

    def __getitem__(self, column: str | int) -> ColumnCandidates:
        return self.node.column(place_of_column(column, self.node.search.words.features))

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per column: its best test and the gain."""
        return [each.to_dict() for each in self.columns]

    def _columns(self) -> Sequence[Printed]:
        ratio: list[Printed] = [("ratio", ".4f")] if self.node.by_ratio else []
        tested = self.best is not None and self.best.p_value is not None
        p_value: list[Printed] = [("p_value", ".2g")] if tested else []
        return [
            ("column", ""),
            ("test", ""),
            ("gain", gain_format([each.gain for each in self])),
            *ratio,
            *p_value,
        ]

    def _headline(self) -> str:
        return f"Best split of each column, by gain ({printed_criterion(self.criterion)})"

    def _notes(self) -> Sequence[str]:
        if not self.constant:
            return []
        places = [self.node.search.words.features.index(name) for name in self.constant]
        why = dict.fromkeys(filter(None, map(self.node.limit, places)))
        return [" ".join([f"No split: {', '.join(self.constant)}.", *why])]

    def plot(self, ax: Any = None) -> Any:
        """Draw the gain of every column as a bar, the greatest on top; returns the axes."""
        from ...data.common.plots import axes
        from ..column_plots import plot_bars

        ax = plot_bars({each.column: each.gain for each in self.columns}, 0.0, axes(ax, "plot"))
        ax.set_xlabel(f"gain ({printed_criterion(self.criterion)})")
        return ax


def place_of_column(column: Any, names: Sequence[str]) -> int:
    """The place of a column that is named or numbered."""
    if isinstance(column, (int, np.integer)) and not isinstance(column, bool) and 0 <= column < len(names):
        return int(column)
    if isinstance(column, str) and column in names:
        return list(names).index(column)
    hint = nearest(str(column), names) or f" They are {', '.join(map(repr, names[:10]))}."
    raise ParameterError(f"column must be the name or the place of a column. Got {column!r}.{hint}", "column")


def candidates(
    x: Any, y: Any, criterion: str | None = None, *, sample_weight: Any = None, **params: Any
) -> ColumnCandidates | ColumnRanking:
    """List the candidate splits of a column with their gains, or rank the columns of a table.

    Parameters
    ----------
    x : one value per row, or a table
        A column: numbers, dates or levels. Or a table, of which every column is searched.
    y : one value per row
        The target. Text, booleans and few whole numbers are classes, unless `criterion` needs numbers.
    criterion : str, optional
        The criterion; by default 'gini' for classes and 'squared_error' for numbers.
    sample_weight : one number per row, optional
        The weights of the rows.
    **params
        Further parameters of the tree, such as `min_samples_leaf=5`, `missing="branch"` or
        `nominal_splits="one_vs_rest"`; not those of whole trees, such as `max_depth` or `pruning`.

    Returns
    -------
    ColumnCandidates or ColumnRanking
        Of one column every cut, or every grouping of levels: `thresholds`, `gains`, `best`, `plot()`. Of a
        table the columns with their best splits.

    Examples
    --------
    >>> from treewright import lab
    >>> x = [0.05, 0.11, 0.34, 0.41, 0.54, 0.61, 0.84, 0.86]
    >>> found = lab.candidates(x, list("AAABBBAA"), criterion="entropy")
    >>> found.gains.round(3).tolist()
    [0.092, 0.204, 0.348, 0.049, 0.003, 0.204, 0.092]
    """
    rows, one = _table(x)
    node = _root(rows, y, criterion, sample_weight, params)
    if one and node.search.words.tree.feature_names is None:
        words = replace(node.search.words, features=["x"])
        node = NodeCandidates(replace(node.search, words=words), 0)
    if one:
        found = node.column(0)
        column = found.drawn.column
        if len(np.unique(column.values[~column.gaps()])) + column.gaps().any() < 2:
            got = "none" if column.is_empty() else "one"
            raise ValueError(f"x must have at least two different values. Got a column with {got}.")
        return found
    best = list(node.best)
    chosen = node.search.words.tree
    first = int(chosen.feature[0]) if chosen.node_count > 1 else -1
    best.sort(key=lambda each: (each.place != first, each.rank))
    names = node.search.words.features
    left = [name for j, name in enumerate(names) if j not in {each.place for each in best}]
    return ColumnRanking(tuple(best), node.search.words.criterion, tuple(left), node)


def _table(x: Any) -> tuple[Any, bool]:
    """x as a table, and whether it is one column."""
    if is_frame(x) or hasattr(x, "tocsr"):
        return x, False
    if hasattr(x, "to_frame"):  # a series
        return x.to_frame(getattr(x, "name", None) or "x"), True
    array = as_array(x)
    if array.ndim not in {1, 2}:
        raise ValueError(f"x must be one column or a table. Got an array of {array.ndim} dimensions.")
    return (array.reshape(-1, 1), True) if array.ndim == 1 else (array, False)


def _root(
    X: Any, y: Any, criterion: str | None, sample_weight: Any, params: dict[str, Any]
) -> NodeCandidates:
    from ...learn.estimators import DecisionTreeClassifier, DecisionTreeRegressor

    for name in params:
        if name in REFUSED:
            raise ParameterError(f"{name} {REFUSED[name]}. Leave it out.", name)
    task = _task(y, criterion)
    made = DecisionTreeClassifier if task == CLASSIFICATION else DecisionTreeRegressor
    chosen = {} if criterion is None else {"criterion": criterion}
    model = made(**(params | chosen | {"max_depth": 1})).fit(X, y, sample_weight)
    search = split_search(model, X, y, sample_weight)
    least = {"min_impurity_decrease": model.min_impurity_decrease}
    return NodeCandidates(replace(search, params=search.params | least), 0)


def _task(y: Any, criterion: str | None) -> str:
    if criterion in criteria_of(CLASSIFICATION):
        return CLASSIFICATION
    if criterion in criteria_of(REGRESSION):
        _must_be_numbers(y, criterion)
        return REGRESSION
    if criterion is not None:
        known = sorted({*criteria_of(CLASSIFICATION), *criteria_of(REGRESSION)})
        hint = nearest(str(criterion), known)
        raise ParameterError(
            f"criterion must be one of {', '.join(known)}. Got {criterion!r}.{hint}", "criterion"
        )
    return CLASSIFICATION if are_classes(as_array(y)) else REGRESSION


def _must_be_numbers(y: Any, criterion: Any) -> None:
    values = as_array(y)
    try:
        np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(
            f"criterion={criterion!r} needs a target of numbers. Got text such as "
            f"{str(values.ravel()[0])!r:.80}. Leave it out, or give one for classes, such as 'gini'.",
            "criterion",
        ) from None
