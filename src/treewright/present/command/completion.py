"""`treewright completion`: the script with which a shell completes the command."""

from __future__ import annotations

import click

from .console import Console
from .program import COMPLETE, NAME, program
from .subcommand import argument, subcommand

SHELLS = ("bash", "zsh", "fish")


@subcommand(
    "completion",
    examples=["bash >> ~/.bashrc", "zsh >> ~/.zshrc", "fish > ~/.config/fish/completions/treewright.fish"],
    arguments=[argument("shell", type=click.Choice(SHELLS))],
)
def command(console: Console, shell: str) -> None:
    """Print the script."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    text = kind(program(), {}, NAME, COMPLETE).source()
    console.out(text.rstrip())
    console.result(shell=shell, script=text)
