"""Sentences of the Python functions as the command says them: `header=False` is --header no."""

from __future__ import annotations

import re

import click

WORDS = {"True": "yes", "False": "no", "None": "none", "...": "FILE"}
# What is called otherwise here.
OTHERS = {"check_memory=False": "--any-size", "sample_weight": "--weights"}
_VALUE = r"'[^']*'|\"[^\"]*\"|\.\.\.|[\w+-]+(?:\.[\w+-]+)*"


def typed(sentence: str, command: click.Command | None) -> str:
    """The sentence with the parameters of a function as the options of a command."""
    if command is None:
        return sentence
    for name, said in OTHERS.items():
        sentence = re.sub(rf"\b{name}\b", said, sentence)
    for option in command.params:
        if not isinstance(option, click.Option) or option.name is None:
            continue
        shown = max(option.opts, key=len)
        sentence = re.sub(
            rf"(?<![\w-]){option.name}=({_VALUE})",
            lambda found, option=option, shown=shown: _given(shown, found[1], option.is_flag),  # type: ignore[misc]
            sentence,
        )
        sentence = re.sub(rf"^{option.name} (?=must |needs |is for |takes )", f"{shown} ", sentence)
    return sentence


def _given(option: str, value: str, is_flag: bool) -> str:
    bare = value.strip("'\"")
    return option if is_flag else f"{option} {WORDS.get(bare, bare)}"
