"""Why a row gets its prediction: its path through the tree in words, and the leaf where it ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..data.common.errors import ParameterError
from ..data.common.result import Result
from ..tree.decided import must_be_crisp
from . import explanation_output as printed
from .described_model import DescribedModel, describe
from .leaf import LeafReached, leaf_of
from .leaf_terms import TermMoved, moved_terms
from .next_best.stored import NextBestSplit, splits_at
from .path import PathStep, walk
from .result_list import ResultList
from .row import Row, rows_of


@dataclass(frozen=True, eq=False)
class Explanation(Result):
    """The path of one row. Print it, or take `text(width)`, `to_dict()`, `contributions`, `plot()`."""

    model: DescribedModel
    cells: Row
    row: int
    output: int
    decided: int  # the place of the predicted class, -1 for no prediction; 0 for regression
    about: int  # the place of the class whose probability is explained: the predicted one, unless given
    probabilities: tuple[float, ...]  # of every class; for regression the predicted number alone
    steps: tuple[PathStep, ...]
    leaves: tuple[LeafReached, ...]  # where the row ends: one, or several that share it, the greatest first
    next_best_splits: dict[int, tuple[NextBestSplit, ...]]  # per node
    terms: tuple[TermMoved, ...] = ()  # of a linear leaf, those that changed most first

    @property
    def prediction(self) -> Any:
        """The predicted label, or number; None where there is no prediction."""
        labels = self.model.labels
        if labels is None:
            return self.probabilities[0]
        return labels[self.output][self.decided] if self.decided >= 0 else None

    @property
    def prediction_text(self) -> str:
        """The prediction as it is written."""
        if self.model.words.classes is None:
            return self.model.words.prediction_number(float(self.probabilities[0]))
        return self.model.class_text(self.output, self.decided)

    @property
    def about_text(self) -> str:
        """The number that the steps change: the probability of a class, or the prediction."""
        classes = self.model.words.classes
        return "prediction" if classes is None else f"probability of {classes[self.output][self.about]}"

    @property
    def start(self) -> float:
        """The prediction at the root: the probability of the class in question, or the number."""
        return float(self.model.tree.prediction[0, self.output, self.about])

    @property
    def end(self) -> float:
        """The prediction of the row; NaN where there is none."""
        return self.probabilities[self.about] if self.decided >= 0 else math.nan

    @property
    def contributions(self) -> dict[str, float]:
        """What each column changed: the sum of its steps. All of them add up to `end - start`.

        The terms of a linear leaf count for their columns. Where its prediction was limited to the range of
        the leaf, the sum is that of the prediction before.

        A step counts for the column whose value decided: where a surrogate decided, for the surrogate's. It
        is what happened on this path, and no claim about what other values would have done. Without a
        prediction there are none.
        """
        found: dict[int, float] = {}
        for step in self.steps if self.decided >= 0 else ():
            found[step.column] = found.get(step.column, 0.0) + step.change
        for term in (term for term in self.terms if term.change):
            found[term.column] = found.get(term.column, 0.0) + term.change
        order = sorted(found, key=lambda column: (-abs(found[column]), column))
        return {_unique_name(self.model, column): found[column] for column in order}

    @property
    def decision(self) -> str | None:
        """How the class was chosen, if not by the greatest probability."""
        return self.model.decides

    @property
    def expected_costs(self) -> tuple[float, ...] | None:
        """What it would cost to predict each class; None where costs do not decide."""
        costs = self.model.tree.costs
        return None if costs is None else tuple((np.asarray(self.probabilities) @ costs).tolist())

    def text(self, width: int | None = None) -> str:
        """The explanation in lines of at most this width; None: as wide as the terminal, or 80."""
        return printed.as_text(self, width)

    def plot(self, ax: Any = None, *, max_columns: int = 12) -> Any:
        """Draw what each column changed, from the prediction at the root to that of the row.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; None: a new figure.
        max_columns : int, default 12
            How many columns to draw, those with the greatest contribution.

        Returns
        -------
        matplotlib Axes
        """
        from .column_plots import plot_contributions

        return plot_contributions(self.contributions, self.start, self.about_text, max_columns, ax)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        ends = ", ".join(str(leaf.node) for leaf in self.leaves[:5])
        steps = f"{len(self.steps)} steps to node {ends}"
        return f"<Explanation: row {self.row}, {self.prediction_text!r}, {steps}>"

    def _headline(self) -> str:
        return printed.headline(self)

    def _columns(self) -> Sequence[tuple[str, str]]:
        more = [("next_best", "")] if self.next_best_splits else []
        numbers = [("before", ".4g"), ("after", ".4g"), ("rows", ",d"), ("gain", ".4g")]
        return [("step", "d"), ("test", ""), ("this_row", ""), *numbers, *more]

    def _notes(self) -> Sequence[str]:
        changes = [f"{name}: {value:+.3g}" for name, value in self.contributions.items()]
        return [
            *(line for leaf in self.leaves[: printed.MOST_LEAVES] for line in printed.leaf_lines(self, leaf)),
            *([f"What each column changed: {'; '.join(changes)}"] if changes else []),
            *printed.decision_sentences(self),
        ]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per step, for a data frame; `to_dict` has everything."""
        return printed.step_rows(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it as values that JSON can hold, with all levels. A number that is not finite is None."""
        return printed.explanation_dict(self)


class Explanations(ResultList[Explanation]):
    """The explanations of several rows, each made when it is first used."""


def _unique_name(model: DescribedModel, column: int) -> str:
    """The name of a column, with its number where two are written alike."""
    name = model.words.name(column)
    return name if model.words.features.count(name) <= 1 else f"{name} (column {column})"


def explain(
    model: Any,
    X: Any,
    row: int | None = None,
    *,
    output: int = 0,
    positive: Any = None,
    next_best_splits: Any = None,
) -> Explanation | Explanations:
    """Say in words why a row gets its prediction.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree, Tree or path
        A fitted tree of treewright, or the path of a model file.
    X : table, dict, or values of one row
        Columns are found by name where both the model and X have names, else by position.
    row : int, optional
        The number of one row of X, from 0. None: all rows.
    output : int, default 0
        Which of several targets to explain.
    positive : label, optional
        The class whose probability is explained; None: the one that was given to `treewright.fit`, else the
        predicted one.
    next_best_splits : NextBestSplits or list of dict, optional
        What `next_best_splits` returned, or its `to_dicts()`. None: those of the model file, if it has any.
        Files that `treewright fit` wrote have them; files that `save` wrote in Python do not.

    Returns
    -------
    Explanation or Explanations
        For several rows, a list of explanations. Each has every test on the path with the row's own value,
        what it changed, its gain and its training rows; and the leaf reached, with the training rows that
        support it. The confidence interval is from the training rows, for which the leaf was chosen, so it is
        optimistic.

    Examples
    --------
    >>> from treewright import DecisionTreeClassifier, explain
    >>> model = DecisionTreeClassifier(max_depth=1).fit([[20], [30], [50], [60]], ["no", "no", "yes", "yes"])
    >>> explain(model, [55]).prediction
    'yes'
    """
    described = describe(model)
    must_be_crisp(described.tree, "explain")
    described.check_output(output)
    if positive is not None and described.labels is None:
        raise ParameterError("positive needs a classifier. Got a regressor. Leave it out.", "positive")
    positive = described.model.given_positive if positive is None else positive
    about = None if positive is None else described.place_of(positive, output, "positive")
    given = described.model.training.get("next_best_splits") if next_best_splits is None else next_best_splits
    splits = splits_at(given, described.tree)
    rows = rows_of(described, X, row)
    make = partial(_explanation, described, output, about, splits)
    if len(rows) == 1:
        return make(rows[0])
    return Explanations(len(rows), lambda place: make(rows[place]))


def _explanation(
    model: DescribedModel,
    output: int,
    about: int | None,
    splits: dict[int, tuple[NextBestSplit, ...]],
    row: Row,
) -> Explanation:
    tree = model.tree
    found = tree.predict(row.core).reshape(tree.n_outputs, -1)[output, : int(tree.n_classes[output])]
    decided = 0 if model.labels is None else int(tree.labels(row.core)[0, output])
    if about is None:  # without a prediction, the likeliest class of all training rows
        about = decided if decided >= 0 else int(tree.prediction[0, output].argmax())
    predicted = tree.prediction[:, output, about]
    if decided < 0:
        predicted = np.where(tree.predicts_nothing, np.nan, predicted)
    steps, ends = walk(model.words, row, predicted)
    order = sorted(ends, key=lambda end: (-end[1], end[0]))  # the greatest share first
    terms = moved_terms(model.words, row.core, order[0][0], output, about) if decided >= 0 else ()
    return Explanation(
        model=model,
        cells=row,
        row=row.number,
        output=output,
        decided=decided,
        about=about,
        probabilities=tuple(found.tolist()),
        steps=tuple(steps),
        leaves=tuple(leaf_of(model, node, share, about, output) for node, share in order),
        next_best_splits=splits,
        terms=terms,
    )
