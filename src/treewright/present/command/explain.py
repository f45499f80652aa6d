"""`treewright explain`: why a model makes its prediction for one row."""

from __future__ import annotations

import re
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
                metavar="N",
                required=True,
                help="The number of the row; the first is 1.",
            ),
            option(
                "--positive",
                metavar="LABEL",
                help="Explain the probability of this class. Default: that of fit --positive, else the "
                "predicted class.",
            ),
            width_option(),
        ],
        **reading_groups(),
    },
)
def command(console: Console, model: str, data: str, width: int | None, **how: Any) -> None:
    """Explain, and print the path."""
    if how["row"] == "0":
        raise click.UsageError("--row must be the number of a row: the first is 1. Got '0'.")
    saved = load_model(console, model, how)
    frame = load_table(console, data, how, saved).frame
    row = _row_number(how["row"], frame)
    from ...interpret.explanation import explain

    with bad_data():
        found: Any = explain(saved, frame.slice(row - 1, 1), positive=how["positive"])
    found = replace(found, row=row)  # as the user counts
    if console.json:
        console.result(row=row, explanation=found.to_dict())
        return
    console.out(printable(found.text(width or console.width), lines=True).rstrip())


def _row_number(given: str, frame: Any) -> int:
    """The number of the row; for an identifier, the message says in which row it stands."""
    must = f"--row must be the number of a row, from 1 to {len(frame):,}. Got {given!r}"
    if re.fullmatch(r"[0-9]+", given):
        if 1 <= int(given) <= len(frame):
            return int(given)
        raise Failure(USAGE, f"{must}.")
    for column in frame.get_columns():
        found = column == given if str(column.dtype) == "String" else None
        if found is not None and found.any():
            row = int(found.arg_max()) + 1
            raise Failure(USAGE, f"{must}, which is in row {row} (column {column.name!r}). Use --row {row}.")
    raise Failure(USAGE, f"{must}, which no cell of the table has.")
