"""`treewright score`: how good a model is on rows with a known target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import click
import numpy as np
from numpy.typing import NDArray

from ...data.common.numbers import figure
from ...data.common.plural import counted
from ...data.common.tables import aligned
from ...data.common.text_width import fit_line, printable, width_of, wrapped
from ...evaluate.metrics import Baseline, Predictions, Score
from ...learn.costs import CostsAndPrevalence
from ...learn.training_rows import overlap_of
from .console import Console
from .failures import bad_data
from .files import load_model, load_table, must_have
from .predict import RowPredictions, label_text, positive_class, predict_rows
from .subcommand import argument, known_target_option, option, reading_groups, subcommand, weight_option

Array = NDArray[Any]
Floats = NDArray[np.float64]

MORE = """Use rows that the model was not trained on: scores on its training rows are too good. Every score
has its 95 % confidence interval, and beside it the baseline: the score of a constant prediction."""
MOST_CLASSES = 12


@subcommand(
    "score",
    examples=["loans.tree.json new.csv", "loans.tree.json new.csv --target default --json"],
    more=MORE,
    arguments=[argument("model"), argument("data")],
    groups={
        "Options": [
            known_target_option(),
            option(
                "--positive",
                metavar="LABEL",
                help="The positive class, of two, which AUC is about. Default: that of the fit.",
            ),
            weight_option(),
        ],
        **reading_groups(),
    },
)
def command(console: Console, model: str, data: str, **how: Any) -> None:
    """Score, and print the figures."""
    saved = load_model(console, model, how)
    target, weights = how["target"] or saved.target, how["sample_weight"]
    if target is None:
        raise click.UsageError("--target must be given: the model file does not name its target.")
    if saved.tree.n_outputs > 1:
        raise click.UsageError("score takes models of one target. This one has several.")
    frame = load_table(console, data, how, saved, target, weights).frame
    must_have("--target", target, frame.columns)
    if weights is not None:
        must_have("--sample-weight", weights, frame.columns)
    known = frame.get_column(target).is_not_null()
    if not known.all():
        console.note(f"{counted(int((~known).sum()), 'row')} without {target!r} left out.")
        frame = frame.filter(known)
    with bad_data():
        found, weight = predict_rows(saved, frame), None if weights is None else frame.get_column(weights)
        truth = ScoredRows.of(found, frame.get_column(target), weight)
        overlap = overlap_of(saved, frame, frame.get_column(target))
    if overlap is not None and overlap.text:
        console.always(f"{overlap.text} Score it on other rows.")
    for note in truth.notes:
        console.note(note)
    positive = positive_class(saved, how["positive"])
    figures = [score.to_dict() for score in truth.scores(positive, saved.costs_and_prevalence)]
    matrix = truth.confusion()
    by = "" if weights is None else f", weighted by {printable(repr(weights))}"
    console.out(console.wrap(f"{counted(len(truth.y), 'row')}{by}, target {printable(repr(target))}"))
    console.out(_text(figures, console.width))
    if any(each["metric"] == "AUC" for each in figures):
        console.out(console.wrap(f"  Positive class: {printable(repr(positive))}."))
    if matrix is not None:
        console.out(f"\n{_matrix_text(matrix, console.width)}")
    facts = {"positive": positive, "figures": figures, "confusion": matrix}
    console.result(target=target, n_rows=len(truth.y), **facts)


def _text(figures: list[dict[str, Any]], width: int) -> str:
    rows = [("", "value", "95 % interval", "baseline")]
    for each in figures:
        ends = [each["low"], each["high"]]
        interval = "" if None in ends else " to ".join(figure(end) for end in ends)
        base = "" if each["baseline"] is None else figure(each["baseline"])
        rows.append((each["metric"], figure(each["value"]), interval, base))
    table = aligned(rows, right=[1])
    if _fits(table, width):
        return table
    lines = [
        f"{name} {value}\n  95 % interval {ends}\n  baseline {base}" for name, value, ends, base in rows[1:]
    ]
    return "\n".join(lines)


def _fits(text: str, width: int) -> bool:
    return max(map(width_of, text.split("\n"))) <= width


def _matrix_text(matrix: dict[str, Any], width: int) -> str:
    labels, truths = matrix["predicted"], matrix["true"]
    if max(len(labels), len(truths)) > MOST_CLASSES:
        return f"{len(truths)} classes: the confusion matrix is in --json."
    rows = [("true class", *(fit_line(str(label), 14) for label in labels))]
    for label, counts in zip(truths, matrix["counts"], strict=True):
        rows.append((str(label), *(f"{count:,.6g}" for count in counts)))
    table = aligned(rows, right=range(1, len(labels) + 1))
    what = "Confusion matrix (one row per true class, one column per predicted class"
    lines = wrapped(f"{what}{'; weights of the rows' if matrix['weighted'] else ''}):", width, "", "  ")
    if _fits(table, width):
        return "\n".join([*lines, table])
    for label, *counts in rows[1:]:
        parts = [f"{name} {count}" for name, count in zip(rows[0][1:], counts, strict=True)]
        lines += wrapped(f"true {label}, predicted: {', '.join(parts)}", width, "", "  ")
    return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """Predictions of a model beside the true target."""

    found: RowPredictions
    y: Array  # places of classes, -1 for a class that the model does not know; or numbers
    weight: Floats
    labels: list[str]  # of the true classes; those that the model does not know come last
    unknown: Array  # rows of unknown classes: their place among the labels; else -1
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, found: RowPredictions, column: Any, weights: Any) -> Self:
        """Read the target as the model knows it; labels are compared as text where their types differ."""
        weight = _weights(weights, len(column))
        if found.classes is None:
            if not column.dtype.is_numeric():
                raise ValueError(f"The target must hold numbers. Got a column of type {column.dtype}.")
            return cls(found, column.to_numpy().astype(np.float64), weight, [], np.empty(0, dtype=np.int64))
        known = [label_text(label) for label in found.classes[0]]
        values = column.unique().to_list()
        others = sorted({label_text(value) for value in values} - set(known))
        place = {name: code for code, name in enumerate([*known, *others])}
        codes = column.replace_strict(values, [place[label_text(value)] for value in values]).to_numpy()
        unknown = np.where(codes >= len(known), codes, -1)
        n = int((unknown >= 0).sum())
        shown, have = ", ".join(map(repr, others[:3])), "has" if n == 1 else "have"
        notes = (
            f"{counted(n, 'row')} {have} a class that the model does not know ({shown}): counted as wrong.",
        )
        y = np.where(unknown >= 0, -1, codes)
        return cls(found, y, weight, [*known, *others], unknown, notes if n else ())

    def scores(self, positive: Any, costs_and_prevalence: CostsAndPrevalence | None) -> list[Score]:
        """The figures, beside the baseline: those of the root, which predicts without any column."""
        root, shares = self.found.model.tree.without_columns[0], self.found.shares[:, 0]
        if self.found.classes is None:
            return Predictions(self.y, shares[:, 0], None, self.weight).scores(Baseline(mean=float(root[0])))
        classes = self.found.classes[0]
        how = (self.weight, None if positive is None else classes.index(positive), costs_and_prevalence)
        return Predictions(self.y, self.found.label[:, 0], shares, *how).scores(Baseline(root))

    def confusion(self) -> dict[str, Any] | None:
        """The weight of the rows with a prediction by true and predicted class; None for numbers."""
        if self.found.classes is None:
            return None
        places = np.where(self.unknown >= 0, self.unknown, self.y)
        known = [label_text(label) for label in self.found.classes[0]]
        counts = np.zeros((len(self.labels), len(known)))
        label = self.found.label[:, 0]
        np.add.at(counts, (places[label >= 0], label[label >= 0]), self.weight[label >= 0])
        weighted = bool((self.weight != 1).any())
        return {"true": self.labels, "predicted": known, "counts": counts.tolist(), "weighted": weighted}


def _weights(column: Any, n_rows: int) -> Floats:
    if n_rows == 0:
        raise ValueError("The table must have at least one row with a target. Got none.")
    if column is None:
        return np.ones(n_rows)
    if not column.dtype.is_numeric():
        raise ValueError(f"weights must be numbers. Got a column of type {column.dtype}.")
    weight: Floats = column.to_numpy().astype(np.float64)
    wrong = weight[~(np.isfinite(weight) & (weight >= 0))]
    with np.errstate(over="ignore"):
        total = weight.sum()
    if len(wrong) or not 0 < total < np.inf:
        got = f"Got {wrong[0]:g}." if len(wrong) else f"Their sum is {total:g}."
        raise ValueError(f"weights must be finite, not negative, and have a finite sum above 0. {got}")
    return weight
