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
from . import explanation_text as texts
from .described_model import NO_PREDICTION, DescribedModel, describe
from .leaf import LeafReached, leaf_of, to_json
from .next_best.stored import NextBestSplit, splits_at
from .path import PathStep, branch_text, split_text, value_sentence, walk
from .result_list import ResultList
from .row import Row, rows_of
from .rules.condition_text import MOST_LEVELS


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
            return f"{self.probabilities[0]:.6g}"
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

        A step counts for the column whose value decided: where a surrogate decided, for the surrogate's. It
        is what happened on this path, and no claim about what other values would have done. Without a
        prediction there are none.
        """
        found: dict[int, float] = {}
        for step in self.steps if self.decided >= 0 else ():
            found[step.column] = found.get(step.column, 0.0) + step.change
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
        return texts.as_text(self, width)

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
        from .waterfall import plot_contributions

        return plot_contributions(self.contributions, self.start, self.about_text, max_columns, ax)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        ends = ", ".join(str(leaf.node) for leaf in self.leaves[:5])
        steps = f"{len(self.steps)} steps to node {ends}"
        return f"<Explanation: row {self.row}, {self.prediction_text!r}, {steps}>"

    def _headline(self) -> str:
        return texts.headline(self)

    def _columns(self) -> Sequence[tuple[str, str]]:
        more = [("next_best", "")] if self.next_best_splits else []
        numbers = [("before", ".4g"), ("after", ".4g"), ("rows", ",d"), ("gain", ".4g")]
        return [("step", "d"), ("test", ""), ("this_row", ""), *numbers, *more]

    def _notes(self) -> Sequence[str]:
        changes = [f"{name}: {value:+.3g}" for name, value in self.contributions.items()]
        return [
            *(line for leaf in self.leaves[: texts.MOST_LEAVES] for line in texts.leaf_lines(self, leaf)),
            *([f"What each column changed: {'; '.join(changes)}"] if changes else []),
            *texts.decision_sentences(self),
        ]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per step, for a data frame; `to_dict` has everything."""
        found = []
        for number, step in enumerate(self.steps, 1):
            others = "; ".join(each.text for each in self.next_best_splits.get(step.node, ()))
            facts = self._step(step)
            found.append(
                {
                    "row": self.row,
                    "step": number,
                    "node": step.node,
                    "column": facts["column"],
                    "test": split_text(self.model.words, step.node, MOST_LEVELS),
                    "this_row": value_sentence(self.model.words, self.cells, step, MOST_LEVELS),
                    "decided_by": facts["decided_by"],
                    "before": facts["before"],
                    "after": facts["after"],
                    "rows": facts["rows"],
                    "gain": facts["gain"],
                    "next_best": others,
                }
            )
        return found

    def to_dict(self) -> dict[str, Any]:
        """All of it as values that JSON can hold, with all levels. A number that is not finite is None."""
        classes = self.model.labels is not None
        found: dict[str, Any] = {
            "row": self.row,
            "kind": "classification" if classes else "regression",
            "target": to_json(self.model.target),
            "prediction": to_json(self.prediction),
            "start": to_json(self.start),
            "end": to_json(self.end),
        }
        if classes:
            labels: Any = self.model.labels
            found["about"] = to_json(labels[self.output][self.about])
            found["probabilities"] = self.by_class(self.probabilities)
        found["steps"] = [self._step(step) for step in self.steps]
        found["leaves"] = [self._leaf(leaf) for leaf in self.leaves]
        found["contributions"] = {name: to_json(value) for name, value in self.contributions.items()}
        if self.decision is not None:
            found["decision"] = self.decision
        if self.expected_costs is not None:
            found["expected_costs"] = self.by_class(self.expected_costs)
        return found

    def by_class(self, numbers: tuple[float, ...]) -> list[dict[str, Any]]:
        """A number for every class, beside its label: labels need not be text, as the keys of JSON must."""
        labels: Any = self.model.labels
        pairs = zip(labels[self.output], numbers, strict=True)
        return [{"class": to_json(label), "value": to_json(number)} for label, number in pairs]

    def _step(self, step: PathStep) -> dict[str, Any]:
        words, tree = self.model.words, self.model.tree
        test = tree.question(step.node)
        first = int(tree.first_child[step.node])
        placed = range(len(test.levels) or 2)  # a child for missing values has no condition
        return {
            "node": step.node,
            "column": words.feature(step.node),
            "test": split_text(words, step.node),
            "value": self.cells.texts[test.feature] or None,
            "sentence": value_sentence(words, self.cells, step),
            "by": step.branch.by,
            "decided_by": words.features[step.column],
            "condition": [
                branch_text(words, test, k - first) for k, _ in step.branch.to if k - first in placed
            ],
            "to": [{"node": child, "part": to_json(part)} for child, part in step.branch.to],
            "share": to_json(step.share),
            "before": to_json(step.before),
            "after": to_json(step.after),
            "rows": int(tree.n_node_samples[step.node]) if words.counts_rows else None,
            "gain": to_json(float(tree.gain[step.node])),
            "next_best_splits": [each.to_dict() for each in self.next_best_splits.get(step.node, ())],
        }

    def _leaf(self, leaf: LeafReached) -> dict[str, Any]:
        classes = self.model.labels is not None
        found: dict[str, Any] = {
            "node": leaf.node,
            "is_leaf": leaf.is_leaf,
            "share": to_json(leaf.share),
            "rows": leaf.rows,
            "of": leaf.of,
            "support": to_json(leaf.support),
            "predicted": self.by_class(leaf.predicted) if classes else to_json(leaf.predicted[0]),
            "counted": self.by_class(leaf.counted) if classes else to_json(leaf.counted[0]),
            "interval": None if leaf.low is None else [to_json(leaf.low), to_json(leaf.high)],
            "rule": list(leaf.rule),
        }
        return found if classes else found | {"spread": to_json(leaf.spread)}


class Explanations(ResultList[Explanation]):
    """The explanations of several rows, each made when it is first used."""


def _unique_name(model: DescribedModel, column: int) -> str:
    """The name of a column, with its number where two are written alike."""
    name = model.words.features[column]
    return name if model.words.features.count(name) == 1 else f"{name} (column {column})"


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
        The class whose probability is explained; None: the predicted one.
    next_best_splits : NextBestSplits or list of dict, optional
        What `next_best_splits` returned, or its `to_dicts()`. A model file may have them.

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
    described.check_output(output)
    if positive is not None and described.labels is None:
        raise ParameterError("positive needs a classifier. Got a regressor. Leave it out.", "positive")
    about = None if positive is None else described.place_of(positive, output, "positive")
    given = described.next_best_splits if next_best_splits is None else next_best_splits
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
        predicted = np.where(tree.answers_nothing, np.nan, predicted)
    steps, ends = walk(model.words, row, predicted)
    order = sorted(ends, key=lambda end: (-end.share, end.node))
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
    )


__all__ = ["NO_PREDICTION", "Explanation", "Explanations", "explain"]
