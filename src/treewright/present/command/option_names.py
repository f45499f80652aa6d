"""Messages of Python functions with their parameters as options: `header=False` becomes --header no."""

from __future__ import annotations

import re

import click

VALUES = {"True": "yes", "False": "no", "None": "none", "...": "FILE"}
OPTIONS = {"check_memory=False": "--any-size"}  # options with a name of their own
_VALUE = r"'[^']*'|\"[^\"]*\"|\.\.\.|[\w+-]+(?:\.[\w+-]+)*"


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
        message = re.sub(
            rf"(?<![\w-]){name}=({_VALUE})",
            lambda found, shown=shown, flag=option.is_flag: _typed(shown, found[1], flag),  # type: ignore[misc]
            message,
        )
        if "_" in name:
            message = re.sub(rf"(?<![\w'\"-]){name}(?![\w'\"])", shown, message)
        elif name == parameter:
            message = re.sub(rf"^{name}\b", shown, message)
    return message


def _typed(option: str, value: str, is_flag: bool) -> str:
    bare = value.strip("'\"")
    return option if is_flag else f"{option} {VALUES.get(bare, bare)}"
