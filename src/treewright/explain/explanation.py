"""Why a row is predicted what it is: its way through the tree in words, and what it meets at the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data.common.errors import ParameterError
from ..data.common.hints import nearest
from .cells import Cells, cells_of
from .leaf import Leaf, leaf_of, plain
from .next_best.stored import Rival, rivals_at
from .path import Step, asked, condition, told, walk
from .subject import Subject, subject_of


@dataclass(frozen=True, eq=False)
class Explanation:
    """The way of one row. Print it, or take `text(width)`, `to_dict()`, `contributions`."""

    subject: Subject
    cells: Cells
    row: int
    output: int
    decided: int  # the place of the predicted class; 0 for numbers
    about: int  # that of the class whose probability is told, which is the predicted one unless asked
    probabilities: tuple[float, ...]  # of every class; for numbers the predicted number alone
    steps: tuple[Step, ...]
    leaves: tuple[Leaf, ...]  # where the row ends: one, or several that share it, the greatest share first
    runners_up: dict[int, tuple[Rival, ...]]  # per node

    @property
    def answer(self) -> Any:
        """The label that is predicted, or the number."""
        labels = self.subject.labels
        return self.probabilities[0] if labels is None else labels[self.output][self.decided]

    @property
    def answer_words(self) -> str:
        """The same as it is written."""
        classes = self.subject.words.classes
        if classes is None:
            return f"{self.probabilities[0]:.6g}"
        return classes[self.output][self.decided]

    @property
    def about_words(self) -> str:
        """The class whose probability is told, or that it is the number."""
        classes = self.subject.words.classes
        return "prediction" if classes is None else f"probability of {classes[self.output][self.about]}"

    @property
    def start(self) -> float:
        """What the root predicts: the probability of the class that is told of, or the number."""
        return float(self.subject.tree.prediction[0, self.output, self.about])

    @property
    def end(self) -> float:
        """What is predicted in the end."""
        return self.probabilities[self.about]

    @property
    def contributions(self) -> dict[str, float]:
        """What each column changed: the sum of its steps. All of them add up to `end - start`.

        A step counts for the column whose value decided: where a surrogate stood in, for the surrogate's. It
        is what happened on this way, and no claim of what other values would have done.
        """
        found: dict[int, float] = {}
        for step in self.steps:
            found[step.column] = found.get(step.column, 0.0) + step.change
        order = sorted(found, key=lambda column: (-abs(found[column]), column))
        return {_unlike(self.subject, column): found[column] for column in order}

    @property
    def decision(self) -> str | None:
        """How the class was decided for, if not by the greatest probability."""
        return self.subject.decides

    @property
    def expected_costs(self) -> tuple[float, ...] | None:
        """What each class would cost if it were predicted; None where nothing is decided by costs."""
        costs = self.subject.tree.costs
        return None if costs is None else tuple((np.asarray(self.probabilities) @ costs).tolist())

    def text(self, width: int | None = None) -> str:
        """The explanation in lines of at most this width; None: as wide as the terminal, or 80."""
        from .wording import as_text

        return as_text(self, width)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        ends = ", ".join(str(leaf.node) for leaf in self.leaves[:5])
        return f"<Explanation: row {self.row}, {self.answer_words!r}, {len(self.steps)} steps to node {ends}>"

    def _repr_html_(self) -> str:
        from .html import as_html

        return as_html(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it as values that JSON can hold. Numbers that are no numbers are None."""
        classes = self.subject.labels is not None
        found: dict[str, Any] = {
            "row": self.row,
            "kind": "classification" if classes else "regression",
            "target": plain(self.subject.target),
            "answer": plain(self.answer),
            "start": plain(self.start),
            "end": plain(self.end),
        }
        if classes:
            labels: Any = self.subject.labels
            found["about"] = plain(labels[self.output][self.about])
            found["probabilities"] = self.shares(self.probabilities)
        found["steps"] = [self._step(step) for step in self.steps]
        found["leaves"] = [self._leaf(leaf) for leaf in self.leaves]
        found["contributions"] = {name: plain(value) for name, value in self.contributions.items()}
        if self.decision is not None:
            found["decision"] = self.decision
        if self.expected_costs is not None:
            found["expected_costs"] = self.shares(self.expected_costs)
        return found

    def shares(self, numbers: tuple[float, ...]) -> list[dict[str, Any]]:
        """A number for every class, beside its label: labels need not be text, as the keys of JSON must."""
        labels: Any = self.subject.labels
        pairs = zip(labels[self.output], numbers, strict=True)
        return [{"class": plain(label), "value": plain(number)} for label, number in pairs]

    def _step(self, step: Step) -> dict[str, Any]:
        words, tree = self.subject.words, self.subject.tree
        question = tree.question(step.node)
        first = int(tree.first_child[step.node])
        placed = range(len(words.parts(question)))  # a child for missing values has no condition
        return {
            "node": step.node,
            "column": words.feature(step.node),
            "question": asked(words, step.node),
            "value": self.cells.texts[question.feature] or None,
            "told": told(words, self.cells, step),
            "by": step.turn.by,
            "decided_by": words.features[step.column],
            "condition": [
                condition(words, question, k - first) for k, _ in step.turn.to if k - first in placed
            ],
            "to": [{"node": child, "part": plain(part)} for child, part in step.turn.to],
            "share": plain(step.share),
            "before": plain(step.before),
            "after": plain(step.after),
            "rows": int(tree.n_node_samples[step.node]) if words.counts_rows else None,
            "gain": plain(float(tree.gain[step.node])),
            "runners_up": [rival.to_dict() for rival in self.runners_up.get(step.node, ())],
        }

    def _leaf(self, leaf: Leaf) -> dict[str, Any]:
        classes = self.subject.labels is not None
        found: dict[str, Any] = {
            "node": leaf.node,
            "is_leaf": leaf.is_leaf,
            "share": plain(leaf.share),
            "rows": leaf.rows,
            "of": leaf.of,
            "support": plain(leaf.support),
            "predicted": self.shares(leaf.predicted) if classes else plain(leaf.predicted[0]),
            "counted": self.shares(leaf.counted) if classes else plain(leaf.counted[0]),
            "interval": None if leaf.low is None else [plain(leaf.low), plain(leaf.high)],
            "rule": list(leaf.rule),
        }
        return found if classes else found | {"spread": plain(leaf.spread)}


def _place_of(positive: Any, subject: Subject, output: int) -> int:
    """The place of a class, by the label or as it is written."""
    if subject.labels is None:
        raise ParameterError("positive is for classes. Got a model of numbers. Leave it out.", "positive")
    labels = subject.labels[output]
    for place, label in enumerate(labels):
        if label == positive or str(label) == str(positive):
            return place
    hint = nearest(positive, labels) or f" It has {', '.join(map(repr, labels[:10]))}."
    raise ParameterError(f"positive must be a class of the model. Got {positive!r}.{hint}", "positive")


def _unlike(subject: Subject, column: int) -> str:
    """The name of a column, with its number where two are written alike."""
    name = subject.words.features[column]
    return name if subject.words.features.count(name) == 1 else f"{name} (column {column})"


def explain(
    model: Any, X: Any, row: int = 0, *, output: int = 0, positive: Any = None, runners_up: Any = None
) -> Explanation:
    """Say in words why a row is predicted what it is.

    Parameters
    ----------
    model : a fitted tree of treewright, a saved model, or a `Tree`
    X : a table, an array, the values of one row, or a dict of them by the names of the columns
        Columns are found by name where both the model and X have names; others are ignored.
    row : int
        The number of the row in X, from 0.
    output : int
        Which of several targets to explain.
    positive : a class, optional
        The class whose probability is told; None: the predicted one.
    runners_up : optional
        What `next_best_splits` returned, or its `to_dicts()`. A saved model may have them with it.

    Returns
    -------
    Explanation
        Every test on the way with the row's own value, what it changed, what it gained and for how many rows;
        where the row ends, with the rows that bear that out. The interval there is by the training rows, by
        which the leaf was chosen, so that it is too good.
    """
    subject = subject_of(model)
    tree = subject.tree
    if isinstance(output, bool) or not isinstance(output, int) or not 0 <= output < tree.n_outputs:
        raise ValueError(f"output must be an int in 0..{tree.n_outputs - 1}. Got {output!r}.")
    cells = cells_of(subject, X, row)
    found = tree.predict(cells.core).reshape(tree.n_outputs, -1)[output, : int(tree.n_classes[output])]
    decided = 0 if subject.labels is None else int(tree.labels(cells.core)[0, output])
    about = decided if positive is None else _place_of(positive, subject, output)
    steps, ends = walk(subject.words, cells, tree.prediction[:, output, about])
    order = sorted(ends, key=lambda end: (-end.share, end.node))
    return Explanation(
        subject=subject,
        cells=cells,
        row=int(row),
        output=output,
        decided=decided,
        about=about,
        probabilities=tuple(found.tolist()),
        steps=tuple(steps),
        leaves=tuple(leaf_of(subject, node, share, about, output) for node, share in order),
        runners_up=rivals_at(subject.next_best_splits if runners_up is None else runners_up, tree),
    )
