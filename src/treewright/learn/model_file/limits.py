"""How large a model file may be, and the error for whatever is not a valid one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

FORMAT, VERSION = "treewright", 4
# The version of a file of one tree without soft thresholds; of one whose tests are of one column too; and of
# one whose leaves are constant too, which every reader can read.
WITHOUT_BOOSTING, WITHOUT_COMBINATIONS, WITHOUT_LEAF_MODELS = 3, 2, 1

MAX_BYTES = 2**31
MAX_NODES = 20_000_000
MAX_DEPTH = 200_000  # a row walks at most so far
MAX_COLUMNS = 1_000_000
MAX_NUMBERS = 100_000_000  # in one array
MAX_ROWS = 2**48  # a node may count; their sums are exact in float64
MAX_LISTS = 1_000_000  # lists and objects
MAX_NESTING = 32
MAX_TEXT = 2**20  # bytes of one text
MAX_DIGITS = 400  # characters of one number
MAX_LABELS = 2**24  # characters of the classes of an output, where numpy gives each label the same room
MAX_TRIALS = 10_000
MAX_THREADS = 4096

# What careless values may raise on their way through numpy and our own checks.
ANY_FAULT = (ValueError, TypeError, ArithmeticError, LookupError, AttributeError, RecursionError, MemoryError)


class FileError(ValueError):
    """A model file that is not valid, or a model that cannot be written as one."""


@contextmanager
def rejected(what: str) -> Iterator[None]:
    """Turn whatever goes wrong with this part of a file into a FileError."""
    try:
        yield
    except FileError:
        raise
    except MemoryError:
        raise FileError(f"There must be enough memory for {what}. Got too little.") from None
    except ANY_FAULT as error:
        raise FileError(f"{what} must be valid. {error or type(error).__name__}") from None


def short_text(got: Any) -> str:
    """What was got, on one line and not too long."""
    if isinstance(got, int) and abs(got) >= 10**40:
        return "a number of more than 40 digits"
    if isinstance(got, dict | list | tuple):
        return f"{'an object' if isinstance(got, dict) else 'a list'} of {len(got)}"
    text = repr(got[:60] if isinstance(got, str) else got)
    return text if len(text) <= 80 else text[:77] + "..."
