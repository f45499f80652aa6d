"""A pruning method: its name, its description, its options and the rows it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...data.common.allowed import Parameter
from ...data.common.hints import nearest
from ...tree.tree import Tree
from .rebuild import Pruned
from .rows import Rows

NO_ROWS, GROWN_ON, HELD_OUT = "none", "the training rows", "held-out rows"


@dataclass(frozen=True)
class Method:
    """A pruning method: `run` takes a tree, rows if it needs some, and its options."""

    name: str
    description: str
    run: Callable[..., Pruned]
    options: tuple[Parameter, ...] = ()
    rows: str = NO_ROWS
    rows_if: str | None = None  # the option without which no rows are needed
    for_classes: bool = False  # it knows no numbers

    def defaults(self) -> dict[str, Any]:
        """The options that are not given."""
        return {option.name: option.default for option in self.options}

    def needs(self, **options: Any) -> str:
        """Which rows it needs with these options."""
        wanted = self.rows_if is None or (self.defaults() | options)[self.rows_if]
        return self.rows if wanted else NO_ROWS

    def checked(self, options: dict[str, Any]) -> dict[str, Any]:
        """All options, the given ones in their range."""
        known = self.defaults()
        for name in options:
            if name not in known:
                hint = nearest(name, known)
                raise ValueError(f"The options of {self.name} must be among {[*known]}. Got {name!r}.{hint}")
        for option in self.options:
            option.check(options.get(option.name, option.default))
        return known | options

    def __call__(self, tree: Tree, rows: Rows | None = None, **options: Any) -> Pruned:
        """Prune a tree; the tree itself is left alone."""
        given = self.checked(options)
        needed = self.needs(**given)
        if needed == NO_ROWS:
            return self.run(tree, **given)
        if rows is None:
            without = f", or set {self.rows_if}=False" if self.rows_if else ""
            raise ValueError(f"{self.name} needs {needed}. Got none. Give X and y{without}.")
        return self.run(tree, rows, **given)

    def prune(self, tree: Tree, rows: Rows | None = None, **options: Any) -> Tree:
        """The pruned tree alone."""
        return self(tree, rows, **options).tree
