"""The other libraries: each trains one tree with the same limits, on the same number of threads.

A trainer takes a Task and returns a function without arguments, which is timed. Data are given in the form in
which the library is normally used; YDF's dictionary of columns is prepared beforehand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

Run = Callable[[], Any]


@dataclass(frozen=True)
class Task:
    """One tree to train."""

    X: Any
    y: Any
    regression: bool = False
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    criterion: str | None = None
    threads: int = 2

    def params(self) -> dict[str, Any]:
        """The limits by scikit-learn's names, which are also ours."""
        params: dict[str, Any] = {"max_depth": self.max_depth, "max_leaf_nodes": self.max_leaf_nodes}
        return params if self.criterion is None else params | {"criterion": self.criterion}


def ours(task: Task) -> Run:
    """treewright."""
    import treewright

    kind = treewright.DecisionTreeRegressor if task.regression else treewright.DecisionTreeClassifier
    return lambda: kind(**task.params(), n_jobs=task.threads).fit(task.X, task.y)


def scikit_learn(task: Task) -> Run:
    """scikit-learn, which trains a tree on one thread."""
    from sklearn import tree

    kind = tree.DecisionTreeRegressor if task.regression else tree.DecisionTreeClassifier
    return lambda: kind(random_state=0, **task.params()).fit(task.X, task.y)


def hist_gradient_boosting(task: Task) -> Run:
    """scikit-learn's histogram gradient boosting with one iteration: binning and one tree."""
    from sklearn import ensemble

    kind = (
        ensemble.HistGradientBoostingRegressor if task.regression else ensemble.HistGradientBoostingClassifier
    )
    params = {
        "max_iter": 1,
        "max_depth": task.max_depth,
        "max_leaf_nodes": task.max_leaf_nodes,
        "min_samples_leaf": 1,
        "early_stopping": False,
    }
    return lambda: kind(**params).fit(task.X, task.y)


def lightgbm(task: Task) -> Run:
    """LightGBM: binning and one tree."""
    import lightgbm as lgb

    params = {
        "objective": "regression" if task.regression else "binary",
        "num_leaves": task.max_leaf_nodes or 2 ** min(task.max_depth or 17, 17),
        "max_depth": -1 if task.max_depth is None else task.max_depth,
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0.0,
        "num_threads": task.threads,
        "verbosity": -1,
    }
    return lambda: lgb.train(params, lgb.Dataset(task.X, task.y), num_boost_round=1)


def xgboost_hist(task: Task) -> Run:
    """XGBoost with histograms: binning and one tree."""
    limits: dict[str, Any] = {"tree_method": "hist"}
    if task.max_leaf_nodes is not None:
        limits |= {"grow_policy": "lossguide", "max_leaves": task.max_leaf_nodes}
    return _xgboost(task, limits)


def xgboost_exact(task: Task) -> Run:
    """XGBoost with exact splits."""
    return _xgboost(task, {"tree_method": "exact"})


def _xgboost(task: Task, limits: dict[str, Any]) -> Run:
    import xgboost as xgb

    params = {
        "objective": "reg:squarederror" if task.regression else "binary:logistic",
        "nthread": task.threads,
        "min_child_weight": 0,
        "lambda": 0,
        "max_depth": task.max_depth or 0,
        **limits,
    }
    return lambda: xgb.train(params, xgb.DMatrix(task.X, task.y, nthread=task.threads), num_boost_round=1)


def ydf(task: Task) -> Run:
    """YDF's CART, without the rows that it would hold out for pruning."""
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
        num_threads=task.threads,
        **limits,
    )
    return lambda: learner.train(table)


@dataclass(frozen=True)
class Library:
    """Another library: its package, and how it trains a tree."""

    package: str
    train: Callable[[Task], Run]

    @property
    def is_installed(self) -> bool:
        """Whether it can be imported."""
        return find_spec(self.package) is not None


LIBRARIES: dict[str, Library] = {
    "scikit-learn": Library("sklearn", scikit_learn),
    "HistGradientBoosting": Library("sklearn", hist_gradient_boosting),
    "LightGBM": Library("lightgbm", lightgbm),
    "XGBoost hist": Library("xgboost", xgboost_hist),
    "XGBoost exact": Library("xgboost", xgboost_exact),
    "YDF": Library("ydf", ydf),
}


def trainers(task: Task, names: tuple[str, ...]) -> dict[str, Run]:
    """treewright and those of the named libraries that are installed."""
    installed = {name: LIBRARIES[name].train(task) for name in names if LIBRARIES[name].is_installed}
    return {"treewright": ours(task), **installed}


def on_threads(task: Task, threads: int) -> Task:
    """The same task on another number of threads."""
    return replace(task, threads=threads)


def absent() -> list[str]:
    """The libraries that are not installed."""
    return [name for name, other in LIBRARIES.items() if not other.is_installed]
