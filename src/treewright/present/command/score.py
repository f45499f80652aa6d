"""`treewright score`: how good a model is on rows whose answers are known."""

from __future__ import annotations

from typing import Any

import click

from ...data.common.plural import counted
from .answers import answered
from .failures import bad_data
from .loading import load_model, load_table, must_have
from .plain import aligned, cut, visible
from .talk import Talk
from .truth import Truth
from .verb import argument, option, reading_options, unverified_option, verb

MORE = """The rows should be ones that the model has not seen: on those it was made from it always looks too
good. Beside each figure stand its 95 % interval and what the most trivial guess reaches."""
MOST_CLASSES = 12


@verb(
    "score",
    examples=["loans.tree.json new.csv", "loans.tree.json new.csv --target default --json"],
    more=MORE,
    options=[
        argument("model"),
        argument("data"),
        option("--target", "-t", metavar="COLUMN", help="The column with the answers; else as at fit."),
        option("--weights", metavar="COLUMN", help="The column with the weights of the rows."),
        unverified_option(),
        *reading_options(),
    ],
)
def command(talk: Talk, model: str, data: str, target: str | None, weights: str | None, **how: Any) -> None:
    """Score, and print the figures."""
    saved = load_model(model, how["allow_unverified"])
    if target is None:
        target = saved.target
    if target is None:
        raise click.UsageError("--target must be given: the model file does not name its target.")
    if saved.tree.n_outputs > 1:
        raise click.UsageError("score takes models of one target. This one has several.")
    frame = load_table(talk, data, how, saved, target, weights).frame
    must_have("--target", target, frame.columns)
    if weights is not None:
        must_have("--weights", weights, frame.columns)
    known = frame.get_column(target).is_not_null()
    if not known.all():
        talk.note(f"{counted(int((~known).sum()), 'row')} without {target!r} left out.")
        frame = frame.filter(known)
    with bad_data():
        found = answered(saved, frame)
        truth = Truth.of(
            found, frame.get_column(target), None if weights is None else frame.get_column(weights)
        )
    for note in truth.notes:
        talk.note(note)
    figures = [score.to_dict() for score in truth.scores(_positive(saved), saved.stakes)]
    matrix = truth.confusion()
    talk.out(f"{counted(len(truth.y), 'row')}, target {visible(repr(target))}\n{_text(figures)}")
    if matrix is not None:
        talk.out(f"\n{_matrix_text(matrix)}")
    talk.result(target=target, n_rows=len(truth.y), figures=figures, confusion=matrix)


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
    rows = [("true, down; predicted, across", *(cut(str(label), 14) for label in labels))]
    for label, counts in zip(truths, matrix["counts"], strict=True):
        rows.append((str(label), *(f"{count:,.6g}" for count in counts)))
    return aligned(rows, right=range(1, len(labels) + 1))
