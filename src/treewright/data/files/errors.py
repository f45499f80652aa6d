"""What is wrong with a table on disk, in a sentence."""

from __future__ import annotations

from ..common.errors import ParameterError

_LONGEST = 60


class TableError(ValueError):
    """A table that cannot be read or written. Its message is for the user."""


class TableParameterError(ParameterError, TableError):
    """A parameter of reading or writing has a value that it does not take."""


def shown(cell: str) -> str:
    """A cell as a message shows it: quoted, on one line, not too long."""
    return repr(cell if len(cell) <= _LONGEST else cell[: _LONGEST - 1] + "…")


class CellError(Exception):
    """A cell that a column must not have: its row, and why. The reader adds the line."""

    def __init__(self, row: int, why: str) -> None:
        super().__init__(why)
        self.row = row
