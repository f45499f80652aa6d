"""`treewright completion`: what lets a shell complete the command."""

from __future__ import annotations

import click

from .program import COMPLETE, NAME, program
from .talk import Talk
from .verb import argument, verb

SHELLS = ("bash", "zsh", "fish")


@verb(
    "completion",
    examples=["bash >> ~/.bashrc", "zsh >> ~/.zshrc", "fish > ~/.config/fish/completions/treewright.fish"],
    options=[argument("shell", type=click.Choice(SHELLS))],
)
def command(talk: Talk, shell: str) -> None:
    """Print the script."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    text = kind(program(), {}, NAME, COMPLETE).source()
    talk.out(text.rstrip())
    talk.result(shell=shell, script=text)
