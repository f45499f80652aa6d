"""`treewright explain`: why a model answers as it does for one row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from ...data.common.text_width import printable
from .console import Console
from .failures import USAGE, Failure, bad_data
from .files import load_model, load_table
from .subcommand import argument, option, reading_options, subcommand

MORE = """Every test on the row's way is told, with what it changed; then the leaf: how many rows bear it out,
the probability and its interval. Rows are counted from 1: --row 1 is the first row of data, under the
header."""


@subcommand(
    "explain",
    examples=["loans.tree.json new.csv --row 1", "loans.tree.json new.csv --row 17 --json"],
    more=MORE,
    options=[
        argument("model"),
        argument("data"),
        option("--row", "-r", type=click.IntRange(1), required=True, help="The row, counted from 1."),
        option("--positive", metavar="LABEL", help="Tell the probability of this class; else the predicted."),
        option("--width", type=click.IntRange(40), help="Columns to fit into; else those of the terminal."),
        *reading_options(model=True),
    ],
)
def command(console: Console, model: str, data: str, row: int, width: int | None, **how: Any) -> None:
    """Explain, and print the way."""
    saved = load_model(model, how["allow_unverified"], console)
    frame = load_table(console, data, how, saved).frame
    if row > len(frame):
        raise Failure(USAGE, f"--row must be from 1 to {len(frame):,}, the rows of the table. Got {row:,}.")
    from ...interpret.explanation import explain

    with bad_data():
        found: Any = explain(saved, frame.slice(row - 1, 1), positive=how["positive"])
    found = replace(found, row=row)  # as it was asked for
    if console.json:
        console.result(row=row, explanation=found.to_dict())
        return
    console.out(printable(found.text(width or console.width), lines=True).rstrip())
    notes = saved.training.get("runners_up_notes")
    for note in notes if isinstance(notes, list) else ():
        console.note(str(note))
