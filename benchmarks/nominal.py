"""Training on nominal columns: as they are, as LightGBM's categories, and one-hot encoded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import data
from .libraries import LIBRARIES, Run
from .results import Result
from .setting import Setting, rows_of

LEAVES = 255


def nominal_results(setting: Setting, part: str) -> Iterator[Result]:
    """Five nominal columns of up to 10,000 levels and five numbers."""
    work = f"5 nominal and 5 numeric columns, {rows_of(setting.middle)}, {LEAVES} leaves"
    X, y = data.nominal(setting.middle)
    yield Result(part, work, "treewright", setting.best(_ours(X, y, setting.threads)))
    if LIBRARIES["LightGBM"].is_installed:
        yield Result(part, work, "LightGBM", setting.best(_lightgbm(X, y, setting.threads)))
    yield Result(part, work, "scikit-learn, one-hot", setting.best(_one_hot(X, y)))


def _ours(X: Any, y: Any, threads: int) -> Run:
    import treewright

    return lambda: treewright.DecisionTreeClassifier(max_leaf_nodes=LEAVES, n_jobs=threads).fit(X, y)


def _lightgbm(X: Any, y: Any, threads: int) -> Run:
    """Binning and one tree, with LightGBM's own defaults for categories."""
    import lightgbm as lgb

    params = {
        "objective": "binary",
        "num_leaves": LEAVES,
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0.0,
        "num_threads": threads,
        "verbosity": -1,
    }
    return lambda: lgb.train(params, lgb.Dataset(X, y), num_boost_round=1)


def _one_hot(X: Any, y: Any) -> Run:
    """A sparse indicator for every level, and a tree of the same size."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    encode = make_column_transformer(
        (OneHotEncoder(), make_column_selector(dtype_include="category")), remainder="passthrough"
    )
    tree = DecisionTreeClassifier(max_leaf_nodes=LEAVES, random_state=0)
    return lambda: make_pipeline(encode, tree).fit(X, y)
