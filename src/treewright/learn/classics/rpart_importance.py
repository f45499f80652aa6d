"""How much the columns matter, surrogates counted: the importance of CART as rpart computes it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tree.surrogates import Surrogates
from ..fitted_tree import as_estimator

# Units as in rpart: entropy in nats, not bits; the whole Poisson deviance, not half of it.
NATS, DEVIANCE = {"entropy", "log_loss", "gain_ratio"}, {"poisson"}


def importance(model: Any) -> dict[str, float]:
    """What every column gained, by name and greatest first; columns that gained nothing are left out.

    A column has the gain of each of its splits, and of each split that it stands in for the gain times its
    adjusted agreement, which is 0 if it is no better than always the heavier side and 1 if it is perfect.
    Gains are weight times impurity, divided by the column's cost where there are `column_costs`.
    """
    model = as_estimator(model)
    tree, rules = model.tree_, model.growth_rules or {}
    extra = _surrogates(model, rules)
    costs = np.asarray(rules.get("column_costs") or np.ones(tree.n_features), dtype=np.float64)
    inner = np.flatnonzero(~tree.is_leaf)
    gain = np.zeros(tree.node_count)
    gain[inner] = tree.gain[inner] / costs[tree.feature[inner]]
    gain *= np.log(2.0) if model.criterion in NATS else 2.0 if model.criterion in DEVIANCE else 1.0
    found = np.bincount(tree.feature[inner], gain[inner], tree.n_features)
    if extra is not None:
        found += np.bincount(extra.feature, gain[extra.node] * extra.adjusted, tree.n_features)
    names = tree.feature_names or tuple(map(str, range(tree.n_features)))
    order = np.argsort(-found, kind="stable").tolist()
    return {names[j]: float(found[j]) for j in order if found[j] > 0}


def _surrogates(model: Any, rules: dict[str, Any]) -> Surrogates | None:
    """The surrogates of the tree, or those that were found and are not used."""
    extra: Surrogates | None = model.tree_.surrogates
    if rules.get("use_surrogates", True):
        return extra
    if hasattr(model, "changed_") or hasattr(model, "of_file_"):
        raise ValueError(
            "importance needs the surrogates that fit found and did not use. Got a model that was pruned or "
            "loaded since. Fit it again, with the cp that you want."
        )
    return getattr(model, "unused_surrogates_", None)
