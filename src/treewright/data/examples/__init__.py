"""The bundled example tables; README.md says where they come from."""

from __future__ import annotations

from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from ..common.hints import nearest

NAMES = ("credit", "hepatitis", "iris", "mammals-few", "mammals-test", "mammals-train")


def load_example(name: str) -> Any:
    """A bundled table as a frame: of pandas if it is installed, else of polars.

    The tables are "credit" (loan applicants and whether they repaid), "hepatitis", "iris", and
    "mammals-train", "mammals-few" and "mammals-test".
    """
    if name not in NAMES:
        hint = nearest(name, NAMES) or f" They are {', '.join(map(repr, NAMES))}."
        raise ValueError(f"name must be a bundled table. Got {name!r}.{hint}")
    from ..files import read_table

    frame = read_table(path_of(name)).frame
    return frame.to_pandas() if find_spec("pandas") and find_spec("pyarrow") else frame


def path_of(name: str) -> Any:
    """Where the file of a bundled table is."""
    return files(__package__) / f"{name}.csv"
