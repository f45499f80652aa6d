"""`treewright check`: what is wrong or odd in a table."""

from __future__ import annotations

from typing import Any

import click

from ...data.common.text_width import printable
from .console import Console
from .failures import bad_data
from .files import load_table, must_have, names_in
from .subcommand import argument, option, reading_options, subcommand

MORE = """Nothing is changed. Without --target the last column is taken for it, and that is said."""


@subcommand(
    "check",
    examples=["loans.csv --target default", "loans.csv -t default --exclude id --json"],
    more=MORE,
    options=[
        argument("data"),
        option("--target", "-t", metavar="COLUMN", help="The column to predict; else the last."),
        option("--exclude", "-x", metavar="A,B", help="Columns not to look at."),
        option("--groups", metavar="COLUMN", help="The column that groups the rows, if it is known."),
        option("--time", metavar="COLUMN", help="The column with the time of the rows, if it is known."),
        option("--positive", metavar="LABEL", help="Look at this class against all others."),
        option("--task", type=click.Choice(["classification", "regression"])),
        option(
            "--leak",
            type=click.FloatRange(0, 1, min_open=True),
            default=0.98,
            help="The share of the errors from which a column is a suspect of leakage; default 0.98.",
        ),
        *reading_options(),
    ],
)
def command(console: Console, data: str, target: str | None, exclude: str | None, **how: Any) -> None:
    """Check, and print the findings."""
    frame = load_table(console, data, how).frame
    columns = list(frame.columns)
    if target is None:
        target = columns[-1]
        console.note(f"No --target: the last column, {target!r}, is taken for it.")
    must_have("--target", target, columns)
    for name in ("groups", "time"):
        if how[name] is not None:
            must_have(f"--{name}", how[name], columns)
    excluded = names_in(exclude, columns, "--exclude")
    if how["positive"] is not None:
        how["positive"] = _label(frame, target, how["positive"])
    from ...evaluate.data_check import check

    with console.progress("checking"), bad_data():
        asked = {name: how[name] for name in ("positive", "task", "leak", "groups", "time")}
        found = check(frame, target, exclude=excluded, **asked)
    shown, _, last = str(found).rpartition("\n")
    console.out(printable(shown if last.startswith("Nothing was changed") else str(found), lines=True))
    console.result(target=target, summary=found.summary, n_rows=found.n_rows, findings=found.to_dicts())


def _label(frame: Any, target: str, text: str) -> Any:
    """The label that is meant, by how it is written."""
    known = frame.get_column(target).drop_nulls().unique().to_list()
    return next((label for label in known if str(label) == text), text)
