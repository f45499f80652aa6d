"""The command: its subcommands, loaded when called, its common options, and its exit statuses."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import click

from ...data.common.hints import nearest
from .console import Console
from .failures import DONE, INTERRUPTED, KINDS, Failure, describe_error, with_options

NAME = "treewright"
COMPLETE = "_TREEWRIGHT_COMPLETE"  # the variable with which a shell requests completion

# The subcommands and what they do, so that help needs none of their modules.
SUBCOMMANDS = {
    "fit": "Fit a decision tree to a table, and write it to a model file.",
    "predict": "Append a model's predictions to the rows of a table.",
    "score": "Score a model on rows with a known target.",
    "show": "Print the tree or the rules of a model.",
    "explain": "Explain the prediction of a model for one row.",
    "export": "Write a model as Python, C, JavaScript, SQL and other formats.",
    "report": "Write a report page about a model that opens in any browser.",
    "trace": "Show step by step how a tree grows, in the terminal and on a page.",
    "prune": "Prune the tree of a model.",
    "check": "Report problems of a table before a tree is fitted to it.",
    "compare": "Compare the tree with other kinds of models on the same rows.",
    "cluster": "Cluster the rows of a table without a target, and describe the clusters by a tree.",
    "demo": "Run a complete example on a bundled table.",
    "completion": "Print the script with which a shell completes this command.",
}

EPILOG = """\b
Examples:
  treewright fit loans.csv --target default
  treewright predict loans.tree.json new.csv --output predictions.csv
  treewright explain loans.tree.json new.csv --row 1

\b
Data are CSV, TSV, Parquet or Arrow files, compressed or not; - is standard input.
Exit status: 0 done, 1 unexpected, 2 wrong usage, 3 bad data, 4 bad model file, 74 input/output,
130 interrupted."""


class Subcommands(click.Group):
    """A group that imports a subcommand's module when the subcommand is called or its help is shown."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click has it
        """The subcommands, in the order in which they are used."""
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The subcommand of this name."""
        if cmd_name not in SUBCOMMANDS:
            return None
        found: click.Command = import_module(f".{cmd_name}", __package__).command
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The subcommand that is called; an unknown name raises with the nearest."""
        name = args[0]
        if name not in SUBCOMMANDS and not ctx.resilient_parsing:
            hint = nearest(name, SUBCOMMANDS) or f" The subcommands are {', '.join(SUBCOMMANDS)}."
            raise click.UsageError(f"There is no subcommand {name!r}.{hint}", ctx)
        if isinstance(ctx.obj, Console) and name in SUBCOMMANDS:
            ctx.obj.subcommand = name
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of subcommands, from the table."""
        with formatter.section("Subcommands"):
            formatter.write_dl(list(SUBCOMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """The subcommands that begin so, without loading them."""
        from click.shell_completion import CompletionItem

        subcommands = [CompletionItem(name, help=text) for name, text in SUBCOMMANDS.items()]
        found = [item for item in subcommands if item.value.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)


# -- options that every subcommand has, before or after its name


def _set(name: str, fixed: Any = None) -> Callable[[click.Context, click.Parameter, Any], Any]:
    def note(ctx: click.Context, param: click.Parameter, value: Any) -> Any:  # noqa: ARG001
        if value and isinstance(ctx.obj, Console):
            setattr(ctx.obj, name, value if fixed is None else fixed)
        return value

    return note


def _option(*names: str, sets: str, fixed: Any = None, **rest: Any) -> click.Option:
    if "type" not in rest:
        rest["is_flag"] = True
    return click.Option(names, expose_value=False, is_eager=True, callback=_set(sets, fixed), **rest)


def common_options() -> list[click.Parameter]:
    """Fresh copies of the options that belong to all subcommands."""
    colours = click.Choice(["auto", "always", "never"])
    return [
        _option("--json", sets="json", help="Print one JSON object, for errors too."),
        _option("--quiet", "-q", sets="quiet", help="Print only the result and errors."),
        _option(
            "--color",
            sets="color",
            type=colours,
            help="When to print in colour. Default: auto, on a terminal.",
        ),
        _option("--no-color", sets="color", fixed="never", help="The same as --color never."),
        _option("--debug", sets="debug", help="Print the whole traceback of an error."),
    ]


def _print_version(ctx: click.Context, param: click.Parameter, value: Any) -> None:  # noqa: ARG001
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        console = ctx.obj if isinstance(ctx.obj, Console) else Console()
        console.out(f"{NAME} {version(NAME)}")
        console.result(version=version(NAME))
        ctx.exit()


def program() -> click.Group:
    """The command with its subcommands."""
    shown = click.Option(
        ["--version"], is_flag=True, expose_value=False, callback=_print_version, help="Print the version."
    )
    return Subcommands(
        NAME,
        params=[*common_options(), shown],
        help="Decision trees for tables in files: exact, readable, stored as plain JSON.",
        epilog=EPILOG,
        subcommand_metavar="SUBCOMMAND ...",
        context_settings={"help_option_names": ["-h", "--help"]},
    )


# -- running it, and how it ends


def run(args: Sequence[str]) -> int:
    """Run the command with these arguments; returns the exit status."""
    console = Console(json=_given("--json", args), debug=_given("--debug", args))
    _spell_out_what_cannot_be_written()
    instruction = os.environ.get(COMPLETE)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(program(), {}, NAME, COMPLETE, instruction)
    try:
        with _warnings_as_messages(console):
            status = _called(list(args) or ["--help"], console)
        console.print_warnings()
        _flush()  # a full disk or a closed pipe shows here, not while Python ends
        return status
    except (KeyboardInterrupt, click.Abort) as stop:
        return _ended_by(Failure(INTERRUPTED, "interrupted.").with_traceback(stop.__traceback__), console)
    except BrokenPipeError:  # the reader has seen enough
        _let_go_of_stdout()
        return DONE
    except Exception as error:  # noqa: BLE001 - the last stop, where every error becomes a sentence
        return _ended_by(error, console)


@contextmanager
def _warnings_as_messages(console: Console) -> Iterator[None]:
    """Print warnings as messages, without the place in the program."""

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if not issubclass(category, RuntimeWarning):  # numpy's own words for infinite numbers
            console.warn(with_options(str(message), _subcommand(console)))

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield


def _subcommand(console: Console) -> click.Command | None:
    name = console.subcommand
    return None if name is None else program().get_command(click.Context(program()), name)


def _called(args: list[str], console: Console) -> int:
    try:
        command = program()
        with command.make_context(NAME, args, obj=console) as ctx:
            command.invoke(ctx)
    except click.exceptions.Exit as end:
        return end.exit_code
    return DONE


def _given(option: str, args: Sequence[str]) -> bool:
    """Whether an option is given: errors in other options must be printed as it says."""
    return option in (args[: args.index("--")] if "--" in args else args)


def _ended_by(error: Exception, console: Console) -> int:
    status, sentence, hint = describe_error(error)
    if isinstance(error, Failure):
        sentence = with_options(sentence, _subcommand(console), error.parameter)
    if console.debug:
        traceback.print_exception(error)
    try:
        console.failed(status, KINDS[status], sentence, hint)
        _flush()
    except OSError:  # standard error itself failed
        _let_go_of_stdout()
    return status


def _spell_out_what_cannot_be_written() -> None:
    """A terminal without Unicode gets escapes in place of an error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _flush() -> None:
    if sys.stdout is not None:  # closed by whoever called
        sys.stdout.flush()


def _let_go_of_stdout() -> None:
    """Point standard output nowhere, so that Python's own flush at the end has nothing to complain of."""
    with suppress(AttributeError, OSError, ValueError):  # closed, or not a real file
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
