"""What can go wrong: the status that the command ends with, and the sentence that says why."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

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


class Failure(Exception):  # noqa: N818 - it is no error of the program
    """The end of a command that cannot go on: a status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


@contextmanager
def bad_data(given: Iterable[str] = ()) -> Iterator[None]:
    """Take a ValueError for a fault of the data; one that names a `given` parameter is wrong usage.

    The sentences of the estimators begin with the parameter that they are about.
    """
    try:
        yield
    except ValueError as error:
        sentence = str(error)
        named = [name for name in given if sentence.startswith((f"{name} ", f"{name}="))]
        raise Failure(USAGE if named else BAD_DATA, sentence) from error


def listed(names: Iterable[str], most: int = 10) -> str:
    """Names in one line, the rest of a long list as a number."""
    every = [repr(name) for name in names]
    rest = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + rest


def io_sentence(error: OSError) -> str:
    """What the system said, with the file's name; for a missing file the name that was probably meant."""
    said = error.strerror or str(error) or type(error).__name__
    if error.filename is None:
        return f"{said}."
    name = os.fsdecode(error.filename)
    hint = ""
    if isinstance(error, FileNotFoundError):
        folder = Path(name).parent
        hint = nearest(Path(name).name, _names_in(folder))
    return f"{said}: {name!r}.{hint}"


def _names_in(folder: Path) -> list[str]:
    try:
        return sorted(each.name for each in folder.iterdir())[:10_000]
    except OSError:
        return []
