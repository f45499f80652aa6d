"""`classics.output_text`: a model as the program prints it that its classic follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...data.checked_target import checked_target
from ...learn.fitted_tree import FittedTree, as_fitted
from .c50 import Rows, c50_text
from .m5p import m5p_text
from .rpart import rpart_text
from .weka import j48_text


def output_text(model: Any, X: Any = None, y: Any = None) -> str:
    """Return a model as the original program prints it: C5.0, J48, M5P or rpart.

    C5.0 prints trees, rules and trials, and with X and y the evaluation on them: errors, confusion matrix and
    the use of attributes. M5P needs X and y for errors in percent and for columns of levels. What a program
    prints before the model (its name, its options, its files) is left out.

    Parameters
    ----------
    model : estimator, FittedTree or path
        The fitted model of `c50`, `j48`, `m5p` or `rpart`.
    X, y : table and labels, optional
        The training rows.

    Returns
    -------
    str

    Examples
    --------
    >>> import treewright
    >>> from treewright import classics
    >>> iris = treewright.load_example("iris")
    >>> model = classics.j48("-C 0.25 -M 2").fit(iris[["petal_width"]], iris["species"])
    >>> print(classics.output_text(model), end="")
    J48 pruned tree
    ------------------
    <BLANKLINE>
    petal_width <= 0.6: setosa (50.0)
    petal_width > 0.6
    |   petal_width <= 1.7: versicolor (54.0/5.0)
    |   petal_width > 1.7: virginica (46.0/1.0)
    <BLANKLINE>
    Number of Leaves  : 	3
    <BLANKLINE>
    Size of the tree : 	5
    """
    found = as_fitted(model)
    if (X is None) != (y is None):
        raise ValueError(f"X and y must be given together. Got {'y' if X is None else 'X'} alone.")
    write = PROGRAMS.get(_program(found))
    if write is None:
        raise ValueError(
            "output_text needs a model of c50, j48, m5p or rpart of treewright.classics. Got another. "
            "Use treewright.export_text."
        )
    return write(found, X, y)


def _program(model: FittedTree) -> str | None:
    """The program that a model follows, by the parameters that only its classic sets."""
    rules = model.params.get("growth_rules")
    rules = rules if isinstance(rules, dict) else {}
    leaves = model.params.get("leaf_options")
    if isinstance(leaves, dict) and "m5" in leaves:
        return "m5p"
    return "rpart" if "imperfect_levels" in rules else rules.get("choice")


def _c50(model: FittedTree, X: Any, y: Any) -> str:
    if X is None:
        return c50_text(model, None)
    table = model.table(X)
    n_rows = model.members[0].read(table).n_rows if hasattr(model, "members") else model.read(table).n_rows
    return c50_text(model, Rows(table, checked_target(y, n_rows, model.classes[0].tolist())))


def _m5p(model: FittedTree, X: Any, y: Any) -> str:
    name = str(getattr(y, "name", None) or model.target or "class")
    if X is None:
        return m5p_text(model, None, None, name)
    columns = model.columns(X)
    numbers = np.asarray(checked_target(y, columns.n_rows, None), dtype=np.float64)
    return m5p_text(model, columns, numbers, name)


PROGRAMS: dict[str | None, Callable[[FittedTree, Any, Any], str]] = {
    "c5.0": _c50,
    "j48": lambda model, X, y: j48_text(model),  # noqa: ARG005
    "m5p": _m5p,
    "rpart": lambda model, X, y: rpart_text(model, None if y is None else len(y)),  # noqa: ARG005
}
