"""Progress of long work: silent by default."""

from __future__ import annotations

import sys
from collections.abc import Callable

Progress = Callable[[int, int, str], None]  # steps done, all steps, what comes next


def reporter(progress: bool | Progress | None) -> Progress:
    """A function to call before every step and at the end: the given one, one line on stderr, or silence."""
    if progress is None or progress is False:
        return _say_nothing
    if progress is True:
        return _say_on_stderr
    if not callable(progress):
        raise ValueError(
            "progress must be True, False, None, or a function of steps done, all steps and a text. "
            f"Got {progress!r}."
        )
    return progress


def _say_nothing(done: int, total: int, what: str) -> None:
    pass


def _say_on_stderr(done: int, total: int, what: str) -> None:
    text = f"{done}/{total} {what}"
    sys.stderr.write(f"\r{text[:78]:<78}" + ("\n" if done >= total else ""))
    sys.stderr.flush()
