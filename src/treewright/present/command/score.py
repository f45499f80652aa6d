"""`treewright score`: how good a model is on rows whose answers are known."""

from __future__ import annotations

from typing import Any

import click

from ...data.common.plural import counted
from ...data.common.tables import aligned
from ...data.common.text_width import fit_line, printable
from .console import Console
from .failures import bad_data
from .files import load_model, load_table, must_have
from .predictions import predict_rows
from .scored_rows import ScoredRows
from .subcommand import argument, option, reading_options, subcommand, unverified_option, weight_option

MORE = """The rows should be ones that the model has not seen: on those it was made from it always looks too
good. Beside each figure stand its 95 % interval and what the most trivial guess reaches."""
MOST_CLASSES = 12


@subcommand(
    "score",
    examples=["loans.tree.json new.csv", "loans.tree.json new.csv --target default --json"],
    more=MORE,
    options=[
        argument("model"),
        argument("data"),
        option("--target", "-t", metavar="COLUMN", help="The column with the answers; else as at fit."),
        weight_option(),
        unverified_option(),
        *reading_options(),
    ],
)
def command(console: Console, model: str, data: str, **how: Any) -> None:
    """Score, and print the figures."""
    saved = load_model(model, how["allow_unverified"])
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
        found = predict_rows(saved, frame)
        truth = ScoredRows.of(
            found, frame.get_column(target), None if weights is None else frame.get_column(weights)
        )
    for note in truth.notes:
        console.note(note)
    figures = [score.to_dict() for score in truth.scores(_positive(saved), saved.stakes)]
    matrix = truth.confusion()
    console.out(f"{counted(len(truth.y), 'row')}, target {printable(repr(target))}\n{_text(figures)}")
    if matrix is not None:
        console.out(f"\n{_matrix_text(matrix)}")
    console.result(target=target, n_rows=len(truth.y), figures=figures, confusion=matrix)


def _positive(saved: Any) -> Any:
    """The class to rank first, if the model was told."""
    for place in (saved.decision or {}, saved.training):
        if place.get("positive") is not None:
            return place["positive"]
    return None


def _text(figures: list[dict[str, Any]]) -> str:
    rows = [("", "value", "95 % interval", "baseline")]
    for each in figures:
        ends = [each["low"], each["high"]]
        interval = "" if None in ends else " to ".join(f"{end:.4g}" for end in ends)
        base = "" if each["baseline"] is None else f"{each['baseline']:.4g}"
        rows.append((each["metric"], f"{each['value']:.4g}", interval, base))
    return aligned(rows, right=[1])


def _matrix_text(matrix: dict[str, Any]) -> str:
    labels, truths = matrix["predicted"], matrix["true"]
    if max(len(labels), len(truths)) > MOST_CLASSES:
        return f"{len(truths)} classes: the confusion matrix is in --json."
    rows = [("true, down; predicted, across", *(fit_line(str(label), 14) for label in labels))]
    for label, counts in zip(truths, matrix["counts"], strict=True):
        rows.append((str(label), *(f"{count:,.6g}" for count in counts)))
    return aligned(rows, right=range(1, len(labels) + 1))
