"""The tables of the benchmark, made once per run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Sizes:
    """How many rows; `quick` is for trying the benchmark itself."""

    large: int = 1_000_000
    middle: int = 200_000
    nominal: int = 160_000
    wide: tuple[int, int] = (2_000, 5_000)
    growth_rows: tuple[int, ...] = (62_500, 250_000, 1_000_000)
    growth_columns: tuple[int, ...] = (5, 20, 80)


QUICK = Sizes(4_000, 2_000, 2_000, (200, 100), (1_000, 4_000), (2, 4))


@cache
def two_classes(rows: int) -> tuple[Array, Array]:
    """Twenty columns of which ten tell something about the class."""
    from sklearn.datasets import make_classification

    X, y = make_classification(rows, 20, n_informative=10, random_state=0)
    return X, y


@cache
def noise(rows: int) -> tuple[Array, Array]:
    """The same columns with labels that have nothing to do with them."""
    return two_classes(rows)[0], np.random.default_rng(1).integers(0, 2, rows)


@cache
def digits(rows: int) -> tuple[Array, Array]:
    """Twenty columns of whole numbers 0 to 9, stored as int64; the class is a noisy sum of four of them."""
    rng = np.random.default_rng(2)
    X = rng.integers(0, 10, (rows, 20))
    y = (X[:, :4] @ [4, 3, 2, 1] + rng.normal(0, 5, rows) > 45).astype(np.int64)
    return X, y


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
    """The irises, as scikit-learn brings them."""
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
