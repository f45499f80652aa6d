"""Write src/treewright/learn/signatures.py: the constructors of the estimators for static analysers.

The parameters are in one table, `treewright.learn.params`, and the classes get their constructors from it at
run time. Editors and type checkers do not run it; they read this file. Run `python -m tools.signatures` after
a change of the table; a test compares both.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import treewright
from treewright.learn.params import PARAMETERS

HOME = Path(treewright.__file__).parent / "learn" / "signatures.py"
HEAD = '''"""The constructors as editors and type checkers see them, written by tools/signatures.py."""

# ruff: noqa: E501, PLR0913, D101
# fmt: off
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import RandomState
    from numpy.typing import ArrayLike
'''
ESTIMATORS = ("DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreeClassifier", "ExtraTreeRegressor")


def signatures() -> str:
    """The text of the file."""
    return HEAD + "".join(_of_class(name) for name in ESTIMATORS)


def _of_class(name: str) -> str:
    cls = getattr(treewright, name)
    defaults = inspect.signature(cls).parameters
    types = {each.name: each.type for each in PARAMETERS[cls.task]}
    attributes = [] if name.startswith("Extra") else [f"{each}: {types[each]}" for each in types]
    arguments = [f"    {each}: {types[each]} = {_quoted(defaults[each].default)}," for each in types]
    body = [*attributes, "def __init__(", "    self,", "    *,", *arguments, ") -> None: ..."]
    return "\n".join(["", "", f"class {name}Signature:", "    if TYPE_CHECKING:", *_indented(body), ""])


def _indented(lines: list[str]) -> list[str]:
    return [" " * 8 + line for line in lines]


def _quoted(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    HOME.write_text(signatures())
