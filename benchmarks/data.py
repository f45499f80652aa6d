"""The tables of the benchmark, made once per run."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@cache
def two_classes(rows: int) -> tuple[Array, Array]:
    """Twenty columns, ten of which are informative."""
    from sklearn.datasets import make_classification

    X, y = make_classification(rows, 20, n_informative=10, random_state=0)
    return X, y


@cache
def noise(rows: int) -> tuple[Array, Array]:
    """The same columns with random labels."""
    return two_classes(rows)[0], np.random.default_rng(1).integers(0, 2, rows)


@cache
def numbers(rows: int, columns: int = 20) -> tuple[Array, Array]:
    """Friedman's first regression problem, with noise."""
    from sklearn.datasets import make_friedman1

    X, y = make_friedman1(rows, max(columns, 5), noise=1.0, random_state=3)
    return X[:, :columns], y


@cache
def ten_classes(rows: int) -> tuple[Array, Array]:
    """Ten classes in twenty columns."""
    from sklearn.datasets import make_classification

    X, y = make_classification(rows, 20, n_informative=10, n_classes=10, random_state=4)
    return X, y


@cache
def wide(rows: int, columns: int) -> tuple[Array, Array]:
    """More columns than rows."""
    from sklearn.datasets import make_classification

    X, y = make_classification(rows, columns, n_informative=20, random_state=5)
    return X, y


@cache
def small() -> tuple[Array, Array]:
    """1,000 rows of 10 columns."""
    from sklearn.datasets import make_classification

    X, y = make_classification(1_000, 10, n_informative=5, random_state=6)
    return X, y


@cache
def iris() -> tuple[Array, Array]:
    """The iris table of scikit-learn."""
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    return X, y


@cache
def nominal(rows: int) -> tuple[Any, Array]:
    """Three category columns of 100 levels, two of 10,000, five numbers; each level has its own effect."""
    import pandas as pd

    rng = np.random.default_rng(7)
    table, signal = {}, np.zeros(rows)
    for j, n_levels in enumerate((100, 100, 100, 10_000, 10_000)):
        codes = rng.integers(0, n_levels, rows)
        signal += rng.normal(0, 1, n_levels)[codes]
        names = [f"level {k}" for k in range(n_levels)]
        table[f"nominal_{j}"] = pd.Categorical.from_codes(codes, names)
    for j in range(5):
        table[f"number_{j}"] = rng.normal(size=rows)
        signal += table[f"number_{j}"] * (j < 3)
    return pd.DataFrame(table), (signal + rng.normal(0, 1, rows) > 0).astype(np.int64)


@cache
def gaps(rows: int) -> tuple[Array, Array]:
    """Two classes in twenty columns, of which one value in twenty is missing."""
    X, y = two_classes(rows)
    return np.where(np.random.default_rng(8).random(X.shape) < 0.05, np.nan, X), y


@cache
def steps(rows: int) -> tuple[Array, Array]:
    """Numbers that depend on two columns by steps, which a tree can represent, with noise."""
    rng = np.random.default_rng(9)
    X = rng.random((rows, 8))
    y = np.floor(4 * X[:, 0]) * (1 + (X[:, 1] > 0.5)) + rng.normal(0, 0.5, rows)
    return X, y
