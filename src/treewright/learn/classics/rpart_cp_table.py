"""The cp table of rpart: the trees that some cp leaves, with their splits and their error."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..problem import must_be_fitted
from ..pruning.cost_complexity import sequence


class CpRow(NamedTuple):
    """A tree of the sequence: what is left from this cp up to that of the row before."""

    cp: float
    n_splits: int
    relative_error: float  # its risk over that of the root alone


def cp_table(model: Any) -> list[CpRow]:
    """All trees that a cp leaves of a fitted one, the root alone first, the tree itself last.

    The model must be pruned by cost and complexity with rule="rpart", as `treewright.classics.rpart` sets it
    up; its own cp is that of the last row. Unlike rpart's table it has no cross-validated errors.
    """
    must_be_fitted(model)
    options = model.pruning_options or {}
    if model.pruning != "cost_complexity" or options.get("rule") != "rpart":
        raise ValueError(
            "cp_table needs a model with pruning='cost_complexity' and the option rule='rpart'. "
            f"Got pruning={model.pruning!r} and {options!r:.100}. Use treewright.classics.rpart."
        )
    found = sequence(model.tree_, options.get("risk", "impurity"), "rpart")
    root, rows = float(found.risks[-1]), []
    own = float(getattr(model, "pruning_", options).get("alpha", 0.0))
    for place in range(len(found.alphas) - 1, -1, -1):
        error = float(found.risks[place]) / root if root > 0 else 1.0
        cp = float(found.alphas[place]) if place else own
        rows.append(CpRow(cp, int(found.n_leaves[place]) - 1, error))
    return rows
