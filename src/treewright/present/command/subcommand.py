"""What makes a subcommand: a function with options becomes a command that also has the common ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from .console import Console
from .program import SUBCOMMANDS, common_options


def subcommand(
    name: str, *, examples: Sequence[str], more: str = "", options: Sequence[click.Parameter] = ()
) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command of a function that takes a Console and its own options by name.

    `options` are given in the order of the help; `examples` without the name of the program.
    """

    def made(function: Callable[..., None]) -> click.Command:
        def call(**values: Any) -> None:
            console = click.get_current_context().obj
            function(console if isinstance(console, Console) else Console(subcommand=name), **values)

        shown = "\n".join(f"  treewright {name} {example}".rstrip() for example in examples)
        text = f"{SUBCOMMANDS[name]}\n\n\b\nExamples:\n{shown}"
        return click.Command(
            name,
            params=[*options, *common_options()],
            callback=call,
            help=f"{text}\n\n{more}" if more else text,
            short_help=SUBCOMMANDS[name],
            context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        )

    return made


def argument(name: str, metavar: str | None = None, **rest: Any) -> click.Argument:
    """An argument that must be given."""
    return click.Argument([name], metavar=metavar or name.upper(), **rest)


def option(*names: str, **rest: Any) -> click.Option:
    """An option."""
    return click.Option(names, **rest)


def reading_options(model: bool = False) -> list[click.Parameter]:
    """How a table is read, where what was found of it is not right; and a model, if there is one."""
    return [
        *([unverified_option()] if model else []),
        option("--separator", metavar="CHARACTER", help="Between the fields of a CSV file; tab is a tab."),
        option("--decimal", type=click.Choice([".", ","]), help="The decimal mark of a CSV file."),
        option("--encoding", help="Of a CSV file, such as utf-8 or cp1252."),
        option("--quote", metavar="CHARACTER", help="Around cells; none: quotes are part of the text."),
        option("--header", type=click.BOOL, help="Whether a CSV file begins with the names of its columns."),
        option("--skip-rows", type=click.IntRange(0), help="Lines above the header of a CSV file to skip."),
        option("--comment", metavar="TEXT", help="Skip lines of a CSV file that begin so, such as #."),
        option(
            "--day-first", type=click.BOOL, help="Whether 01/02/2020 is in February, where it is not clear."
        ),
        option(
            "--missing-words", metavar="A,B", help="The words for a missing value, in place of the usual."
        ),
        option("--also-missing", metavar="A,B", help="More words for a missing value."),
        option("--any-size", is_flag=True, help="Read a table even if it seems larger than the memory."),
    ]


def weight_option() -> click.Option:
    """The option that names the column of weights."""
    return option(
        "--sample-weight", "--weights", metavar="COLUMN", help="The column with the weights of the rows."
    )


def unverified_option() -> click.Option:
    """The option without which a model file that was changed is refused."""
    return option("--allow-unverified", is_flag=True, help="Read a model file that was changed on purpose.")


def force_option() -> click.Option:
    """The option without which no file is overwritten."""
    return option("--force", "-f", is_flag=True, help="Overwrite a file that is there already.")
