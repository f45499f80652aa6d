"""Experiments: bias and variance over many samples, beside a loop over scikit-learn's tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from treewright.lab import Mechanism, bias_variance

from .results import OURS, Result
from .setting import Setting

PART = "Bias and variance"
ROWS, DEPTH = 1_000, 10


def results(setting: Setting) -> Iterator[Result]:
    """A tree for each of many samples of five columns, and its predictions for as many rows."""
    import sklearn.tree

    import treewright

    repeats = 200 if setting.small >= 10_000 else 4
    sources = {
        "2 classes": (Mechanism(lambda a, b, *_: a + b <= 1, 0.1, 5), "DecisionTreeClassifier"),
        "regression": (Mechanism(lambda a, b, c, *_: np.sin(3 * a) + b * c, 0.3, 5), "DecisionTreeRegressor"),
    }
    for kind, (mechanism, name) in sources.items():
        work = f"{kind}, {repeats} samples of {ROWS:,} rows × 5, depth {DEPTH}"
        ours = getattr(treewright, name)(max_depth=DEPTH, n_jobs=setting.threads)
        theirs = getattr(sklearn.tree, name)(max_depth=DEPTH)
        options: dict[str, Any] = {"n": ROWS, "repeats": repeats, "at": ROWS, "random_state": 0}
        runs: dict[str, Callable[[], Any]] = {
            OURS: partial(bias_variance, ours, mechanism, **options),
            "scikit-learn, a loop": partial(_loop, theirs, mechanism, repeats),
        }
        for library, seconds in setting.best_of(runs, setting.many // 2 or 1).items():
            yield Result(PART, work, library, seconds)


def _loop(tree: Any, mechanism: Mechanism, repeats: int) -> tuple[float, float]:
    """What a user would write: draw, fit, predict; then bias² and variance."""
    from sklearn.base import clone

    rng = np.random.default_rng(0)
    at = mechanism.rows(ROWS, rng)
    h = np.array([clone(tree).fit(*mechanism.sample(ROWS, rng)).predict(at) for _ in range(repeats)])
    truth = mechanism.truth(at).mean
    truth = truth if truth.ndim == 1 else truth[:, 1]
    return float(((h.mean(axis=0) - truth) ** 2).mean()), float(h.var(axis=0).mean())
