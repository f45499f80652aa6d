"""The call into the core: parameters become counts, columns and target become a tree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, inf, log2, sqrt
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.common.random_state import random_state_of
from ..data.common.threads import threads
from ..data.priors import undo_cost_weights
from ..data.schema import ColumnType
from ..data.target import Target
from ..tree.combinations import COMBINATION_ARRAYS
from ..tree.tree import Tree
from .growth_rules import set_rules
from .params import ALIASES

COMBINED_KINDS = {"number", "boolean"}  # of columns that a test may combine


def grow_folds(  # noqa: PLR0913
    columns: _core.Columns,
    target: Target,
    params: dict[str, Any],
    names: Iterable[str] | None = None,
    column_types: tuple[ColumnType, ...] | None = None,
    trains: Sequence[NDArray[np.int64] | None] = (None,),
    *,
    bounds: tuple[float, float] | None = None,
) -> list[Tree]:
    """Grow a tree on each of these lists of ascending row numbers; the first may be None, for all rows.

    Every tree is as if grown alone with the same counts for `min_samples_*`, but all share one reading and
    binning of the table, and are grown side by side. `bounds` are what constraints above leave to the root of
    a branch.
    """
    growth = settings(params, target, columns.n_columns, bounds)
    if growth.oblique:
        growth.combinable = [int(kind.kind in COMBINED_KINDS) for kind in column_types or ()]
    if growth.choice == "permutation_test":
        growth.ordered = [int(kind.kind == "ordered") for kind in column_types or ()]
    feature_names = None if names is None else tuple(map(str, names))
    lists = [rows for rows in trains if rows is not None]
    grown = _core.grow_folds(columns, target.core, growth, lists, len(lists) < len(trains))
    return [as_tree(each, columns, target, feature_names, column_types) for each in grown]


def as_tree(
    grown: dict[str, Any],
    columns: _core.Columns,
    target: Target,
    feature_names: tuple[str, ...] | None,
    column_types: tuple[ColumnType, ...] | None,
) -> Tree:
    """What the core has grown, as a tree."""
    arrays = tree_arrays(grown)
    if target.growth_weight is not None:
        undo_cost_weights(arrays, target.growth_weight)
    if len(grown["combination"]):
        own = grown["combination"]
        arrays["feature"] = np.where(own >= 0, columns.n_columns + own, arrays["feature"])
        arrays["combinations"] = {name: grown[f"combination_{name}"] for name in COMBINATION_ARRAYS}
    return Tree.grown(
        **arrays,
        n_features=columns.n_columns,
        n_classes=np.array(target.n_classes),
        feature_names=feature_names,
        classes=target.labels,
        column_types=column_types,
        costs=target.costs,
    )


def tree_arrays(grown: dict[str, Any]) -> dict[str, Any]:
    """The arrays of a tree."""
    return {name: grown[name] for name in Tree.__dataclass_fields__ if name in grown}


def settings(
    params: dict[str, Any], target: Target, n_features: int, bounds: tuple[float, float] | None = None
) -> _core.Growth:
    """The core's settings: shares are counts, names are canonical, None is -1."""
    growth = _core.Growth()
    growth.criterion = ALIASES.get(params["criterion"], params["criterion"])
    growth.order = params["growth"] or ("depth" if params["max_leaf_nodes"] is None else "best")
    growth.max_depth = limit(params["max_depth"])
    growth.max_leaf_nodes = limit(params["max_leaf_nodes"])
    growth.min_samples_split = max(2, rows_of(params["min_samples_split"], target.n_rows))
    growth.min_samples_leaf = rows_of(params["min_samples_leaf"], target.n_rows)
    growth.min_weight_leaf = params["min_weight_fraction_leaf"] * target.weight
    growth.min_impurity_decrease = float(params["min_impurity_decrease"])
    growth.min_confidence = float(params.get("min_confidence", 1.0))
    growth.max_features = min(n_features, features_of(params["max_features"], n_features))
    for name in ("splitter", "thresholds", "nominal_splits", "missing"):
        setattr(growth, name, params[name])
    growth.oblique = int(params.get("oblique") or 0)
    if growth.oblique:
        growth.max_features = -1
    growth.level_correction = bool(params["level_correction"])
    only_one_class = bool(target.classes) and target.n_classes == (1,)
    if params["monotonic_cst"] is not None and not only_one_class:
        growth.monotonic = [int(sign) for sign in params["monotonic_cst"]]
        growth.lower, growth.upper = bounds or (-inf, inf)
    if params["splitter"] == "random" or growth.max_features < n_features:
        growth.seed = seed_of(params["random_state"])
    growth.n_threads = threads(params["n_jobs"])
    growth.class_factors = target.summed.tolist()
    set_rules(growth, params["growth_rules"])
    if growth.choice == "c5.0" and target.growth_weight is not None:
        # the least weight is of the lightest rows
        lightest = target.growth_weight.astype(np.float32).min()
        growth.row_factors = target.growth_weight.tolist()
        growth.min_weight_leaf = float(np.float32(growth.min_samples_leaf) * lightest)
        growth.min_samples_leaf = growth.min_samples_split = 0
    return growth


def limit(value: int | None) -> int:
    """A limit for the core, which counts in 32 bits; -1 is none."""
    return -1 if value is None else min(int(value), 2**31 - 1)


def rows_of(value: float, n_rows: int) -> int:
    """A number of rows; a float is a share of all, rounded up."""
    rows = int(value) if isinstance(value, Integral) else ceil(value * n_rows)
    return min(rows, 2**31 - 1)


def features_of(value: float | str | None, n_features: int) -> int:
    """How many columns a node looks at: at least one."""
    if value is None:
        return n_features
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, str):
        return max(1, int(sqrt(n_features) if value == "sqrt" else log2(n_features)))
    return max(1, int(value * n_features))


def seed_of(random_state: Any) -> int:
    """A seed for the core's own generator."""
    return int(random_state_of(random_state).randint(2**31 - 1))
