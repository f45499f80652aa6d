"""What the subcommands that make a page share: writing it, and the command that made a model."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .console import Console
from .failures import INPUT_OUTPUT, Failure
from .files import STDIN
from .parameters import Given

if TYPE_CHECKING:
    from ...learn.fitted_tree import FittedTree
    from ..page import Report

# Options that change nothing of the model.
ASIDE = {"model", "force", "report", "any_size"}


def must_be_apart(what: str, path: str, **others: str | None) -> None:
    """Refuse to write where something is read from, or something else is written to; and to no file."""
    if path == STDIN:
        raise click.UsageError(f"--{what} needs a file of its own. Got '-'. Name a file.")
    for name, other in others.items():
        if other is not None and other != STDIN and _same(path, other):
            raise click.UsageError(
                f"--{what} must be another file than {name.upper()}. Got {path!r} for both."
            )


def _same(path: str, other: str) -> bool:
    """Whether two paths are one file, be it there or not."""
    try:
        return Path(path).samefile(other)
    except OSError:
        return Path(path).resolve() == Path(other).resolve()


def make_page(console: Console, saved: FittedTree, *rows: Any, **wishes: Any) -> Report:
    """The page of a model, told while it is made."""
    from ..page import report

    with console.progress("making the page") as progress:
        made = report(saved, *rows, progress=progress, **wishes)
    for sentence in made.notes:
        console.note(sentence)
    return made


def store_page(made: Report, path: str) -> None:
    """Write a page."""
    place = Path(path)
    if place.exists() and not place.is_file():
        raise Failure(INPUT_OUTPUT, f"A page needs a file of its own. Got {path!r}, which is something else.")
    made.save(place)


def command_line() -> str | None:
    """The command that is running, without what changes nothing of the model; None outside of one."""
    ctx = click.get_current_context(silent=True)
    if ctx is None or ctx.info_name is None:
        return None
    parts = ["treewright", ctx.info_name]
    typed = click.core.ParameterSource.COMMANDLINE
    for param in ctx.command.params:
        name = param.name or ""
        if name in ASIDE or name not in ctx.params or ctx.get_parameter_source(name) is not typed:
            continue
        value = ctx.params[name]
        if isinstance(param, click.Argument):
            parts.append(str(value))
        elif isinstance(param, click.Option) and param.is_flag:
            parts += [param.opts[0]] if value else []
        else:
            parts += [max(param.opts, key=len), _typed(value)]
    return shlex.join(parts)


def _typed(value: Any) -> str:
    """A value as it can be typed again."""
    inner = value.value if isinstance(value, Given) else value
    if isinstance(inner, str):
        return inner
    return "none" if inner is None else json.dumps(inner)
