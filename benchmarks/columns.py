"""Columns as what they are: nominal columns beside rivals, and what surrogates cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import data
from .clock import best
from .report import Row, against
from .rivals import THREADS, Run, is_installed

LEAVES = 255


def rows(sizes: data.Sizes, only: str) -> Iterator[Row]:
    """Time nominal columns beside each rival that is installed, and surrogates beside learned directions."""
    nominal = f"5 nominal + 5 numeric columns {sizes.nominal // 1000}k, {LEAVES} leaves"
    if only in nominal:
        X, y = data.nominal(sizes.nominal)
        mine = best(_ours(X, y, max_leaf_nodes=LEAVES))
        for rival, fit, aim in (("LightGBM", _lightgbm, 1.0), ("scikit-learn", _one_hot, 10.0)):
            if is_installed(rival):
                name = "scikit-learn, one-hot" if rival == "scikit-learn" else rival
                yield against(nominal, name, mine, best(fit(X, y), runs=3), aim)
    for depth in (10, None):
        work = f"surrogates {sizes.middle // 1000}k × 20, " + (f"depth {depth}" if depth else "unlimited")
        if only in work:
            X, y = data.gaps(sizes.middle)
            learned = best(_ours(X, y, max_depth=depth))
            took = best(_ours(X, y, max_depth=depth, missing="surrogate"))
            learned_row = (took / learned, "×", "our own learned directions", took, learned)
            yield Row(work, *learned_row, aim=2.0, at_most=True)


def _ours(X: Any, y: Any, **params: Any) -> Run:
    import treewright

    return lambda: treewright.DecisionTreeClassifier(**params).fit(X, y)


def _lightgbm(X: Any, y: Any) -> Run:
    """Binning and one tree; category columns are native categoricals with LightGBM's own defaults."""
    import lightgbm as lgb

    params = {
        "objective": "binary",
        "num_leaves": LEAVES,
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0.0,
        "num_threads": THREADS,
        "verbosity": -1,
    }
    return lambda: lgb.train(params, lgb.Dataset(X, y), num_boost_round=1)


def _one_hot(X: Any, y: Any) -> Run:
    """scikit-learn: a sparse indicator for every level, and a tree of the same size."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    encode = make_column_transformer(
        (OneHotEncoder(), make_column_selector(dtype_include="category")), remainder="passthrough"
    )
    tree = DecisionTreeClassifier(max_leaf_nodes=LEAVES, random_state=0)
    return lambda: make_pipeline(encode, tree).fit(X, y)
