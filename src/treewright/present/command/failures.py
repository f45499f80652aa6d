"""What can go wrong: the status that the command ends with, and the sentence that says why.

Sentences of Python functions have their parameters as options: `header=False` becomes --header no.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ...data.common.errors import ParameterError
from ...data.common.hints import nearest

DONE, UNEXPECTED, USAGE, BAD_DATA, BAD_MODEL, INPUT_OUTPUT, INTERRUPTED = 0, 1, 2, 3, 4, 74, 130
KINDS = {
    UNEXPECTED: "unexpected",
    USAGE: "wrong usage",
    BAD_DATA: "bad data",
    BAD_MODEL: "bad model file",
    INPUT_OUTPUT: "input/output",
    INTERRUPTED: "interrupted",
}

FROM_FILES = {"costs"}  # parameters that the command reads from a file
VALUES = {"True": "yes", "False": "no", "None": "none", "...": "FILE"}
OPTIONS = {"check_memory=False": "--any-size"}  # options with a name of their own
CALLED_ELSEWHERE = {  # options of other subcommands and programs, and what they are called here
    "--output": ("--model", "--report"),
    "-o": ("--model", "--report"),
    "--save": ("--model", "--output"),
    "--label": ("--target",),
    "--drop": ("--exclude",),
    "--ignore": ("--exclude",),
    "--sep": ("--separator",),
    "--delimiter": ("--separator",),
    "--na-values": ("--also-missing",),
}
_VALUE = r"'[^']*'|\"[^\"]*\"|\.\.\.|[\w+-]+(?:\.[\w+-]+)*"


class Failure(Exception):  # noqa: N818 - it is no error of the program
    """The end of a command that cannot go on: a status and a sentence."""

    def __init__(self, status: int, sentence: str, parameter: str = "") -> None:
        super().__init__(sentence)
        self.status, self.parameter = status, parameter


@contextmanager
def bad_data() -> Iterator[None]:
    """Turn a ValueError into a Failure: bad data, or wrong usage if it is about a parameter."""
    try:
        yield
    except ParameterError as error:
        status = BAD_DATA if error.parameter in FROM_FILES else USAGE
        raise Failure(status, str(error), error.parameter) from error
    except ValueError as error:
        raise Failure(BAD_DATA, str(error)) from error


def listed(names: Iterable[str], most: int = 10) -> str:
    """Names in one line, the rest of a long list as a number."""
    every = [repr(name) for name in names]
    rest = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + rest


def describe_error(error: Exception) -> tuple[int, str, str]:
    """The status of an error, its sentence, and what to do next."""
    if isinstance(error, click.UsageError):
        ctx = error.ctx or click.get_current_context(silent=True)
        if ctx is None:
            return USAGE, _usage(error), "Try 'treewright --help'."
        return USAGE, _usage(error), f"{ctx.get_usage()}\nTry '{ctx.command_path} --help'."
    if isinstance(error, click.ClickException):
        return USAGE, error.format_message(), ""
    if isinstance(error, Failure):
        return error.status, str(error), ""
    if isinstance(error, OSError):
        return INPUT_OUTPUT, io_sentence(error), ""
    if isinstance(error, MemoryError):
        return BAD_DATA, "The table needs more memory than there is. Leave out columns or rows.", ""
    hint = "This should not happen. Please report it, with what the same command prints with --debug."
    return UNEXPECTED, f"it stopped unexpectedly: {type(error).__name__}: {error}", hint


def _usage(error: click.UsageError) -> str:
    if not isinstance(error, click.NoSuchOption):
        return error.format_message()
    known = [] if error.ctx is None else [name for each in error.ctx.command.params for name in each.opts]
    meant = [name for name in CALLED_ELSEWHERE.get(error.option_name, ()) if name in known]
    meant = meant or list(error.possibilities or ())[:1]
    near = f" Did you mean {' or '.join(map(repr, meant))}?" if meant else ""
    return f"There is no option {error.option_name!r}.{near}"


def io_sentence(error: OSError) -> str:
    """The message of the system with the file's name; for a missing file the most similar name."""
    message = error.strerror or str(error) or type(error).__name__
    if error.filename is None:
        return f"{message}."
    name = os.fsdecode(error.filename)
    missing = isinstance(error, FileNotFoundError)
    if missing and Path(name).is_symlink():
        return f"{message}: {name!r} is a link to {os.fspath(Path(name).readlink())!r}, which does not exist."
    hint = nearest(Path(name).name, _names_in(Path(name).parent)) if missing else ""
    return f"{message}: {name!r}.{hint}"


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(each.name for each in folder.iterdir())[:10_000]
    except OSError:
        return []


def with_options(message: str, command: click.Command | None, parameter: str = "") -> str:
    """The message with every parameter as the option of a command.

    Only code is replaced: `name=value`, names with an underscore, and the `parameter` that the message is
    about, which is its first word.
    """
    if command is None:
        return message
    for code, typed in OPTIONS.items():
        message = message.replace(code, typed)
    for option in command.params:
        if not isinstance(option, click.Option) or option.name is None:
            continue
        shown, name = max(option.opts, key=len), option.name
        if name not in message:
            continue
        message = re.sub(
            rf"(?<![\w-]){name}=({_VALUE})",
            lambda found, shown=shown, flag=option.is_flag: _as_typed(shown, found[1], flag),  # type: ignore[misc]
            message,
        )
        if "_" in name:
            message = re.sub(rf"(?<![\w'\"-]){name}(?![\w'\"])", shown, message)
        elif name == parameter:
            message = re.sub(rf"^{name}\b", shown, message)
    return message


def _as_typed(option: str, value: str, is_flag: bool) -> str:
    bare = value.strip("'\"")
    return option if is_flag else f"{option} {VALUES.get(bare) or shlex.quote(bare)}"
