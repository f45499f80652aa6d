"""What makes a subcommand: a function and groups of options become a command."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import click

from .console import Console
from .program import SUBCOMMANDS, common_options

Groups = Mapping[str, Sequence[click.Parameter]]  # options by the heading that they have in the help
ALL = "All subcommands"
FULL = f"{__name__}.full"  # set by --help-all


def subcommand(
    name: str,
    *,
    examples: Sequence[str],
    more: str = "",
    arguments: Sequence[click.Parameter] = (),
    groups: Groups | None = None,
) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command of a function that takes a Console and its own options by name.

    `groups` are given in the order of the help; `examples` without the name of the program.
    """

    def made(function: Callable[..., None]) -> click.Command:
        def call(**values: Any) -> None:
            console = click.get_current_context().obj
            function(console if isinstance(console, Console) else Console(subcommand=name), **values)

        shown = "\n".join(f"  treewright {name} {example}".rstrip() for example in examples)
        text = f"{SUBCOMMANDS[name]}\n\n\b\nExamples:\n{shown}"
        return _Command(
            name,
            arguments=arguments,
            groups={**(groups or {}), ALL: common_options()},
            callback=call,
            help=f"{text}\n\n{more}" if more else text,
            short_help=SUBCOMMANDS[name],
            context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        )

    return made


class _Command(click.Command):
    """A command whose help has its options in groups."""

    def __init__(
        self, name: str, *, arguments: Sequence[click.Parameter], groups: Groups, **rest: Any
    ) -> None:
        self.groups = dict(groups)
        options = [option for group in groups.values() for option in group]
        if any(isinstance(option, ParameterOption) for option in options):
            self.groups[ALL] = [*groups[ALL], _help_all()]
            options.append(self.groups[ALL][-1])
        super().__init__(name, params=[*arguments, *options], **rest)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """The arguments and the options that must be given, then the others."""
        pieces = [piece for param in self.params for piece in param.get_usage_pieces(ctx)]
        for param in self.params:
            if isinstance(param, click.Option) and param.required:
                pieces += [max(param.opts, key=len), str(param.metavar)]
        return [*pieces, "[OPTIONS]"]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, group by group; the last has --help."""
        for heading, group in self.groups.items():
            options = [*group, *([self.get_help_option(ctx)] if heading == ALL else [])]
            with formatter.section(heading):
                formatter.write_dl(list(_records(options, ctx)))


def _records(options: Sequence[click.Parameter | None], ctx: click.Context) -> Iterator[tuple[str, str]]:
    for option in options:
        record = None if option is None else option.get_help_record(ctx)
        if record is not None:
            shorten = isinstance(option, ParameterOption) and not ctx.meta.get(FULL)
            yield (record[0], option.short) if shorten else record  # type: ignore[union-attr]


class ParameterOption(click.Option):
    """An option for a parameter of an estimator, whose description is long: `short` stands in the help."""

    def __init__(self, names: Sequence[str], short: str, **rest: Any) -> None:
        super().__init__(names, **rest)
        self.short = short


def _help_all() -> click.Option:
    def show(ctx: click.Context, param: click.Parameter, value: Any) -> None:  # noqa: ARG001
        if value and not ctx.resilient_parsing:
            ctx.meta[FULL] = True
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit()

    text = "Show this message with the whole text about every tree parameter, and exit."
    return click.Option(
        ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=show, help=text
    )


def argument(name: str, metavar: str | None = None, **rest: Any) -> click.Argument:
    """An argument that must be given."""
    return click.Argument([name], metavar=metavar or name.upper(), **rest)


def option(*names: str, **rest: Any) -> click.Option:
    """An option."""
    return click.Option(names, **rest)


def reading_options() -> list[click.Parameter]:
    """How a table is read, where it would be read wrongly without them."""
    return [
        option("--separator", metavar="CHARACTER", help="The character between fields; tab is a tab."),
        option("--decimal", type=click.Choice([".", ","]), help="The decimal mark of numbers."),
        option("--encoding", metavar="NAME", help="The encoding, such as utf-8 or cp1252."),
        option("--quote", metavar="CHARACTER", help="The quote around cells; none: quotes are text."),
        option(
            "--header", type=click.BOOL, metavar="yes|no", help="Whether the first line has the column names."
        ),
        option(
            "--skip-rows", type=click.IntRange(0), metavar="N", help="Skip this many lines above the header."
        ),
        option("--comment", metavar="TEXT", help="Skip lines that begin with this text, such as #."),
        option(
            "--day-first",
            type=click.BOOL,
            metavar="yes|no",
            help="Whether 01/02/2020 is the first of February.",
        ),
        option(
            "--missing-words",
            metavar="A,B",
            help="The words that mean a missing value, in place of the usual ones.",
        ),
        option("--also-missing", metavar="A,B", help="Further words that mean a missing value."),
        option("--any-size", is_flag=True, help="Read a table that may not fit into memory."),
    ]


READING = "Reading the table (CSV files)"


def reading_groups() -> dict[str, list[click.Parameter]]:
    """The groups of a subcommand that reads a model and a table."""
    return {"Reading the model": model_options(), READING: reading_options()}


def width_option() -> click.Option:
    """The option that sets the width of what is printed."""
    text = "The greatest number of characters in a line. Default: the width of the terminal."
    return option("--width", type=click.IntRange(40), metavar="N", help=text)


def known_target_option() -> click.Option:
    """The option that names the target of other rows than those of the fit."""
    return option("--target", "-t", metavar="COLUMN", help="The target column. Default: that of the fit.")


def weight_option() -> click.Option:
    """The option that names the column of weights."""
    return option(
        "--sample-weight", "--weights", metavar="COLUMN", help="The column with the weights of the rows."
    )


def model_options() -> list[click.Parameter]:
    """How a model file is read: see `load_model`."""
    return [
        option("--best", is_flag=True, help="Use the tree of lowest loss, not the simplest."),
        option(
            "--trial",
            type=click.IntRange(0),
            metavar="N",
            help="Use one tree of a boosted model; 0: the first.",
        ),
        option("--allow-unverified", is_flag=True, help="Read a model file that was changed on purpose."),
    ]


def force_option() -> click.Option:
    """The option without which no file is overwritten."""
    return option("--force", "-f", is_flag=True, help="Overwrite a file that exists.")
