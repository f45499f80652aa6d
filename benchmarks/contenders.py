"""The trees that `benchmarks.tables` compares: ours with each way to prune, and scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

ALPHAS = 50  # at most so many of its path are tried for scikit-learn
INNER = 5  # folds by which a method chooses

Parts = tuple[Any, Any]  # the rows to grow on and those to predict


@dataclass(frozen=True)
class Contender:
    """How a table is prepared, and how a tree is made of it."""

    fit: Callable[[Any, NDArray[Any], bool], Any]
    prepare: Callable[[Any, Any], Parts] = lambda grow, test: (grow, test)
    only_classes: bool = False


def ours(**params: Any) -> Callable[[Any, NDArray[Any], bool], Any]:
    """One of our trees with these parameters; tables go in as they are."""

    def fit(X: Any, y: NDArray[Any], classes: bool) -> Any:
        import treewright

        kind = treewright.DecisionTreeClassifier if classes else treewright.DecisionTreeRegressor
        return kind(**params).fit(X, y)

    return fit


def encoded(grow: Any, test: Any) -> Parts:
    """For scikit-learn: categories one-hot, gaps filled by the median or the most frequent level."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    levels = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    )
    # a column that is empty in a fold stays, as zeros
    numbers = SimpleImputer(strategy="median", keep_empty_features=True)
    prepare = make_column_transformer(
        (levels, make_column_selector(dtype_include=["category", "object"])),
        (numbers, make_column_selector(dtype_exclude=["category", "object"])),
    )
    return prepare.fit_transform(grow), prepare.transform(test)


def scikit_learn(X: Any, y: NDArray[Any], classes: bool) -> Any:
    """The full tree."""
    return their_tree(classes).fit(X, y)


def scikit_learn_pruned(X: Any, y: NDArray[Any], classes: bool) -> Any:
    """GridSearchCV over the alphas of the path of all rows, on the folds that ours would use."""
    from sklearn.model_selection import GridSearchCV

    from treewright.learn.folds import folds_of

    tree = their_tree(classes)
    alphas = np.unique(np.maximum(tree.cost_complexity_pruning_path(X, y).ccp_alphas, 0.0))
    some = alphas[np.unique(np.linspace(0, len(alphas) - 1, ALPHAS).round().astype(int))]
    folds = [tuple(fold) for fold in folds_of(INNER, X, y, None, classes)]
    scoring = "accuracy" if classes else "neg_mean_squared_error"
    return GridSearchCV(tree, {"ccp_alpha": some}, cv=folds, scoring=scoring).fit(X, y).best_estimator_


def their_tree(classes: bool, ccp_alpha: float = 0.0) -> Any:
    """scikit-learn's estimator, not yet grown."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    return (DecisionTreeClassifier if classes else DecisionTreeRegressor)(random_state=0, ccp_alpha=ccp_alpha)


REFERENCE = "scikit-learn, GridSearchCV"
ALL: dict[str, Contender] = {
    "unpruned": Contender(ours()),
    "ccp_alpha='cv'": Contender(ours(ccp_alpha="cv", cv=INNER)),
    "ccp_alpha='1se'": Contender(ours(ccp_alpha="1se", cv=INNER)),
    "reduced_error": Contender(ours(pruning="reduced_error")),
    "pessimistic": Contender(ours(pruning="pessimistic"), only_classes=True),
    "minimum_error": Contender(ours(pruning="minimum_error"), only_classes=True),
    "leaf_budget, 8 leaves": Contender(ours(pruning="leaf_budget")),
    "scikit-learn, unpruned": Contender(scikit_learn, encoded),
    REFERENCE: Contender(scikit_learn_pruned, encoded),
}
