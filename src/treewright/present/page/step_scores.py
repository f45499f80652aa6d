"""The figures of every tree of the pruning sequence, on the same held-out rows as those of the model."""

from __future__ import annotations

from typing import Any

from ...data.common.numbers import significant
from ...evaluate.metrics import BETTER, Baseline, Predictions
from ...learn.cross_validation.row_losses import Spans
from .held_out import HeldOutPredictions
from .nodes import held_out_error
from .step_leaves import leaves_by_step, pairs_by_step
from .step_predictions import StepTree, predictions_by_step
from .subgroups import groups_of, scores_of_groups
from .subject import Subject

MOST_PREDICTIONS = 4e6  # rows times steps: about five seconds
MOST_GROUP_ROWS = 2e8  # the same, times groups
MOST_NUMBERS = 30_000  # of one kind of figures in a page: about 200 kB
ERROR = ("error", "low", "high")
NOT_SHOWN = "Not all figures of pruned trees are on this page: "
SEVERAL = f"{NOT_SHOWN}they are for one output."
MODELS = f"{NOT_SHOWN}in a leaf with a model every row has a prediction of its own."
SHARED = f"{NOT_SHOWN}rows with missing values go down several branches of this tree."


def step_figures(subject: Subject, trees: list[StepTree], spans: Spans, size: int) -> dict[str, Any]:
    """Scores, errors of nodes and scores of groups at every step, and from what the page computes the rest.

    A part that would take too long, or too much room, is None; `figures_note` says why.
    `spans` are those of the model.
    """
    found = subject.held_out
    assert found is not None
    names = ("scores", "node_errors", "subgroups", "leaves", "pairs")
    figures: dict[str, Any] = dict.fromkeys(names)
    note = _never(subject)
    if note is None:
        if subject.tree.leaf_models is None:
            figures |= {"leaves": leaves_by_step(found, trees), "pairs": pairs_by_step(found, trees)}
        else:
            note = MODELS
        if len(found.rows) * size <= MOST_PREDICTIONS:
            figures |= _scored(subject, found, trees, spans, size)
        else:
            many = f"{len(found.rows):,} rows times {size:,} pruned trees are too many to evaluate."
            note = f"{NOT_SHOWN}{many}"
    return figures | {"figures_note": note}


def _never(subject: Subject) -> str | None:
    """Why there are no figures of pruned trees at all, if so."""
    if subject.tree.n_outputs > 1:
        return SEVERAL
    return SHARED if subject.tree.shares_rows else None


def _scored(
    subject: Subject, found: HeldOutPredictions, trees: list[StepTree], spans: Spans, size: int
) -> dict[str, Any]:
    """What needs the predictions at every step."""
    scores, errors = StepScores(subject), NodeErrors(subject, spans)
    groups = GroupScores(subject, found, size)
    for each in predictions_by_step(found, trees, size):
        scores.add(each)
        errors.add(each)
        groups.add(each)
    return {
        "scores": {"metrics": scores.metrics, "values": scores.values, "on": found.words},
        "node_errors": None if errors.too_many else errors.changes,
        "subgroups": None if groups.too_many else groups.values,
    }


class StepScores:
    """Per step a list of scores, each a value and the ends of its interval."""

    def __init__(self, subject: Subject) -> None:
        root = subject.tree.without_columns[0]
        self.subject = subject
        self.base = Baseline(root) if subject.is_classification else Baseline(mean=float(root[0]))
        self.metrics: list[Any] = []
        self.values: list[Any] = []

    def add(self, found: HeldOutPredictions) -> None:
        """Score one step."""
        if found.label is None:
            predicted = Predictions(found.y[:, 0], found.shares[:, 0, 0], None, found.weight)
        else:
            costs = self.subject.saved.costs_and_prevalence
            shares, ranked = found.shares[:, 0], self.subject.ranked
            predicted = Predictions(found.y[:, 0], found.label[:, 0], shares, found.weight, ranked, costs)
        scores = predicted.scores(self.base)
        self.metrics = [
            {"metric": each.metric, "better": "higher" if BETTER[each.metric] > 0 else "lower"}
            | {"baseline": significant(each.baseline, 8)}
            for each in scores
        ]
        ends = ((each.value, each.low, each.high) for each in scores)
        self.values.append([[significant(part, 6) for part in each] for each in ends])


class NodeErrors:
    """The steps at which the error of a node on held-out rows changes: [step, error, low, high, step, …].

    The errors at the first step are the part "held_out_error".
    """

    def __init__(self, subject: Subject, spans: Spans) -> None:
        self.subject, self.until = subject, spans.end.tolist()
        self.changes: dict[str, list[Any]] = {}
        self.last: list[Any] = []
        self.step, self.numbers = 0, 0

    @property
    def too_many(self) -> bool:
        """Whether they would take too much room."""
        return self.numbers > MOST_NUMBERS

    def add(self, found: HeldOutPredictions) -> None:
        """Note what changes at a step, for the nodes that are still there."""
        if self.too_many:
            return
        now, step = held_out_error(self.subject, found), self.step
        for node, entry in enumerate(now if step else ()):
            if entry is not None and step < self.until[node] and entry != self.last[node]:
                self.changes.setdefault(str(node), []).extend([step, *(entry[name] for name in ERROR)])
                self.numbers += 4
        self.last, self.step = now, step + 1


class GroupScores:
    """Per step the scores of all groups of rows in one list, in the order of the part "subgroups"."""

    def __init__(self, subject: Subject, found: HeldOutPredictions, size: int) -> None:
        self.subject, self.groups = subject, groups_of(subject, found)
        count = sum(len(masks) for _, _, masks in self.groups) * size
        self.too_many = count * len(found.rows) > MOST_GROUP_ROWS or 3 * count > MOST_NUMBERS
        self.values: list[list[Any]] = []

    def add(self, found: HeldOutPredictions) -> None:
        """Score the groups at one step."""
        if not self.too_many:
            parts = scores_of_groups(self.subject, found, self.groups)
            self.values.append([value for part in parts for row in part["rows"] for value in _measures(row)])


def _measures(row: dict[str, Any]) -> list[Any]:
    figures = (value for name, value in row.items() if name not in {"name", "n"})
    return [None if value is None else significant(value, 4) for value in figures]
