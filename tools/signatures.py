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


WIDTH = 110


def signatures() -> str:
    """The text of the file."""
    first, second = PARAMETERS.values()
    types = {each.name: each.type for each in first}
    shared = [each.name for each in second if types.get(each.name) == each.type]
    common = [f"        {name}: {types[name]}" for name in shared]
    base = "\n".join(["", "", "class SharedParameters:", "    if TYPE_CHECKING:", *common, ""])
    return HEAD + base + "".join(_of_class(name, shared) for name in ESTIMATORS)


def _of_class(name: str, shared: list[str]) -> str:
    """The parameters that the other task does not have, and the constructor."""
    cls = getattr(treewright, name)
    defaults = inspect.signature(cls).parameters
    types = {each.name: each.type for each in PARAMETERS[cls.task]}
    extra = name.startswith("Extra")
    attributes = [] if extra else [f"{each}: {types[each]}" for each in types if each not in shared]
    arguments = [f"{each}: {types[each]} = {_quoted(defaults[each].default)}" for each in types]
    body = [*attributes, "def __init__(", *_wrapped(["self", "*", *arguments]), ") -> None: ..."]
    head = f"class {name}Signature{'' if extra else '(SharedParameters)'}:"
    return "\n".join(["", "", head, "    if TYPE_CHECKING:", *(" " * 8 + line for line in body), ""])


def _wrapped(arguments: list[str]) -> list[str]:
    """As many arguments in a line as it can hold."""
    lines = [""]
    for argument in arguments:
        if lines[-1] and len(lines[-1]) + len(argument) + 14 > WIDTH:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{argument},"
    return [f"    {line}" for line in lines]


def _quoted(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    HOME.write_text(signatures())
