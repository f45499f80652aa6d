"""What a fit is given, and what it makes of a table in parts."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...data.parts import TableDescription
from ...tree.tree import Tree
from ..cross_validation.choose import Chosen


class Given(NamedTuple):
    """The rows of a fit, and what is beside the columns: arrays, or names of columns."""

    X: Any
    y: Any
    sample_weight: Any = None
    groups: Any = None
    exposure: Any = None
    time: Any = None  # of `treewright.fit`

    def beside(self) -> dict[str, Any]:
        """What is given beside X, by name."""
        return {name: value for name, value in self._asdict().items() if name != "X" and value is not None}


class Limits(NamedTuple):
    """What a fit may take: memory as text or bytes, the folder of its scratch file, and a cluster."""

    memory: Any = None
    scratch: Any = None
    client: Any = None
    checkpoint: Any = None
    in_parts: bool = False  # even if the table fits in memory


class FromParts(NamedTuple):
    """A tree that was grown from a table in parts."""

    tree: Tree
    description: TableDescription
    strength: float | None
    notes: tuple[str, ...]
    chosen: Chosen | None = None  # then the tree is not pruned or smoothed yet
