"""`treewright explain`: why a model makes its prediction for one row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from ...data.common.text_width import printable
from .console import Console
from .failures import USAGE, Failure, bad_data
from .files import load_model, load_table
from .subcommand import argument, option, reading_groups, subcommand, width_option

MORE = """Prints every test on the path of the row and how it changed the prediction; then the leaf with its
training rows, its probability and the confidence interval. --row 1 is the first row below the header."""


@subcommand(
    "explain",
    examples=["loans.tree.json new.csv --row 1", "loans.tree.json new.csv --row 17 --json"],
    more=MORE,
    arguments=[argument("model"), argument("data")],
    groups={
        "Options": [
            option(
                "--row",
                "-r",
                type=click.IntRange(1),
                metavar="N",
                required=True,
                help="The number of the row; the first is 1.",
            ),
            option(
                "--positive",
                metavar="LABEL",
                help="Explain the probability of this class. Default: the predicted class.",
            ),
            width_option(),
        ],
        **reading_groups(),
    },
)
def command(console: Console, model: str, data: str, row: int, width: int | None, **how: Any) -> None:
    """Explain, and print the path."""
    saved = load_model(console, model, how)
    frame = load_table(console, data, how, saved).frame
    if row > len(frame):
        raise Failure(USAGE, f"--row must be from 1 to {len(frame):,}, the rows of the table. Got {row:,}.")
    from ...interpret.explanation import explain

    with bad_data():
        found: Any = explain(saved, frame.slice(row - 1, 1), positive=how["positive"])
    found = replace(found, row=row)  # as the user counts
    if console.json:
        console.result(row=row, explanation=found.to_dict())
        return
    console.out(printable(found.text(width or console.width), lines=True).rstrip())
    notes = saved.training.get("next_best_splits_notes")
    for note in notes if isinstance(notes, list) else ():
        console.note(str(note))
