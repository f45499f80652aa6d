"""Errors that say which parameter they are about."""

from __future__ import annotations

from typing import Any


class ParameterError(ValueError):
    """A parameter has a value that it does not take, or that does not go with others or with the data.

    `parameter` is its name; "" where the message is about several.
    """

    def __init__(self, message: str, parameter: str = "") -> None:
        super().__init__(message, parameter)
        self.parameter = parameter

    def __str__(self) -> str:
        return str(self.args[0])


def shown(value: Any) -> str:
    """A value in a message, in at most 80 characters; a number of numpy as Python writes it."""
    plain = value.item() if getattr(value, "shape", None) == () else value
    return f"{plain!r:.80}"
