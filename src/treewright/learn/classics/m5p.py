"""M5P, Weka's model tree: linear models in the leaves, pruned and smoothed."""

from __future__ import annotations

from ..estimators import DecisionTreeRegressor
from .options import real
from .weka import SHARED, command_line

M5P = command_line("M5P", flags=("-N", "-U", "-R"), values={"-M": real(0)}, idle=("-L",))


def m5p(options: str = "") -> DecisionTreeRegressor:
    """An estimator that is grown, pruned and smoothed as Weka's M5P does it.

    `-M` is the fewest rows of a node that may be split (4), `-N` does not prune, `-U` does not smooth, `-R`
    has constants in place of linear models. `-num-decimal-places` changes what Weka prints, and nothing else.

    Parameters
    ----------
    options : str, default=""
        The options of Weka's command line.

    Returns
    -------
    DecisionTreeRegressor
        Not fitted.
    """
    given = M5P.parse(options)
    how = {
        "min_rows": given.get("-M", 4.0),
        "unpruned": "-N" in given,
        "unsmoothed": "-U" in given,
        "regression_tree": "-R" in given,
    }
    return DecisionTreeRegressor(leaf_model="linear", leaf_options={"m5": how, "clip": False}, **SHARED)
