"""The other libraries, each asked for one tree with the same limits, on two threads where it can use them.

A fitter takes a Task and returns a function without arguments to be timed. What a library wants prepared that
is not its own work (a dictionary of columns) is prepared before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from .data import Array

THREADS = 2
Run = Callable[[], Any]


@dataclass(frozen=True)
class Task:
    """One tree to grow."""

    X: Array
    y: Array
    regression: bool = False
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    criterion: str | None = None

    def params(self) -> dict[str, Any]:
        """scikit-learn's words for the limits; ours are the same."""
        params: dict[str, Any] = {"max_depth": self.max_depth, "max_leaf_nodes": self.max_leaf_nodes}
        return params if self.criterion is None else params | {"criterion": self.criterion}


def ours(task: Task) -> Run:
    """treewright, with all the cores it may use."""
    import treewright

    kind = treewright.DecisionTreeRegressor if task.regression else treewright.DecisionTreeClassifier
    return lambda: kind(**task.params()).fit(task.X, task.y)


def scikit_learn(task: Task) -> Run:
    """scikit-learn, which grows a tree on one thread."""
    from sklearn import tree

    kind = tree.DecisionTreeRegressor if task.regression else tree.DecisionTreeClassifier
    return lambda: kind(random_state=0, **task.params()).fit(task.X, task.y)


def lightgbm(task: Task) -> Run:
    """LightGBM: binning and one tree."""
    import lightgbm as lgb

    params = {
        "objective": "regression" if task.regression else "binary",
        "num_leaves": task.max_leaf_nodes or 2 ** min(task.max_depth or 17, 17),
        "max_depth": -1 if task.max_depth is None else task.max_depth,
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0.0,
        "num_threads": THREADS,
        "verbosity": -1,
    }
    return lambda: lgb.train(params, lgb.Dataset(task.X, task.y), num_boost_round=1)


def xgboost(task: Task) -> Run:
    """XGBoost: exact splits where depth is the limit, histograms where leaves are."""
    import xgboost as xgb

    params: dict[str, Any] = {
        "objective": "reg:squarederror" if task.regression else "binary:logistic",
        "nthread": THREADS,
        "min_child_weight": 0,
        "lambda": 0,
        "max_depth": task.max_depth or 0,
        "tree_method": "exact",
    }
    if task.max_leaf_nodes is not None:
        params |= {"tree_method": "hist", "grow_policy": "lossguide", "max_leaves": task.max_leaf_nodes}
    return lambda: xgb.train(params, xgb.DMatrix(task.X, task.y, nthread=THREADS), num_boost_round=1)


def ydf(task: Task) -> Run:
    """YDF's CART, without the share of rows that it would hold out for pruning."""
    import ydf as yggdrasil

    yggdrasil.verbose(0)
    table: dict[str, Any] = {f"x{k}": column for k, column in enumerate(task.X.T)}
    table["y"] = task.y
    limits: dict[str, Any] = {"max_depth": -1 if task.max_depth is None else task.max_depth + 1}
    if task.max_leaf_nodes is not None:
        limits |= {"growing_strategy": "BEST_FIRST_GLOBAL", "max_num_nodes": 2 * task.max_leaf_nodes - 1}
    learner = yggdrasil.CartLearner(
        label="y",
        task=yggdrasil.Task.REGRESSION if task.regression else yggdrasil.Task.CLASSIFICATION,
        min_examples=1,
        validation_ratio=0.0,
        num_threads=THREADS,
        **limits,
    )
    return lambda: learner.train(table)


RIVALS: dict[str, tuple[str, Callable[[Task], Run]]] = {
    "scikit-learn": ("sklearn", scikit_learn),
    "LightGBM": ("lightgbm", lightgbm),
    "XGBoost": ("xgboost", xgboost),
    "YDF": ("ydf", ydf),
}


def is_installed(name: str) -> bool:
    """Whether the rival of that name can be imported."""
    return find_spec(RIVALS[name][0]) is not None


def absent() -> list[str]:
    """The rivals that are not installed."""
    return [name for name in RIVALS if not is_installed(name)]
