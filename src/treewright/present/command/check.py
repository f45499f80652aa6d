"""`treewright check`: problems of a table."""

from __future__ import annotations

from typing import Any

import click

from ...data.common.text_width import printable
from .console import Console
from .failures import BAD_DATA, bad_data
from .files import load_table, must_have, names_in
from .subcommand import READING, argument, option, reading_options, subcommand

MORE = """The table is not changed. Without --target the last column is the target."""


@subcommand(
    "check",
    examples=["loans.csv --target default", "loans.csv -t default --exclude id --json"],
    more=MORE,
    arguments=[argument("data")],
    groups={
        "Options": [
            option("--target", "-t", metavar="COLUMN", help="The column to predict. Default: the last."),
            option("--exclude", "-x", metavar="A,B", help="Columns not to use."),
            option("--groups", metavar="COLUMN", help="The column that groups the rows, if it is known."),
            option("--time", metavar="COLUMN", help="The column with the time of the rows, if it is known."),
            option("--positive", metavar="LABEL", help="Check this class against all others."),
            option(
                "--task",
                type=click.Choice(["classification", "regression"]),
                help="Default: classification for text, booleans and whole numbers of at most 20 values.",
            ),
            option(
                "--leak",
                type=click.FloatRange(0, 1, min_open=True),
                metavar="SHARE",
                default=0.95,
                help="Report a column as leakage if it alone avoids this share of the errors; default 0.95.",
            ),
            option("--strict", is_flag=True, help="Exit with status 3 if a finding is of severity High."),
        ],
        READING: reading_options(),
    },
)
def command(console: Console, data: str, target: str | None, exclude: str | None, **how: Any) -> None:
    """Check, and print the findings."""
    table = load_table(console, data, how)
    frame = table.frame
    columns = list(frame.columns)
    if target is None:
        target = columns[-1]
        console.note(f"No --target: the last column, {target!r}, is the target.")
    target = must_have("--target", target, columns)
    for name in ("groups", "time"):
        if how[name] is not None:
            how[name] = must_have(f"--{name}", how[name], columns)
    excluded = names_in(exclude, columns, "--exclude")
    if how["positive"] is not None:
        how["positive"] = _label(frame, target, how["positive"])
    from ...evaluate.data_check import check

    with console.progress("checking"), bad_data():
        known = {name: how[name] for name in ("positive", "task", "leak", "groups", "time")}
        found = check(table, target, exclude=excluded, **known)
    console.out(printable(found.text(console.width, options=True, excluded=excluded), lines=True))
    console.result(target=target, summary=found.summary, n_rows=found.n_rows, findings=found.to_dicts())
    if how["strict"] and found.has_high:
        raise click.exceptions.Exit(BAD_DATA)


def _label(frame: Any, target: str, text: str) -> Any:
    """The label that is meant, by how it is written."""
    known = frame.get_column(target).drop_nulls().unique().to_list()
    return next((label for label in known if str(label) == text), text)
