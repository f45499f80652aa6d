"""Tables whose classes are divided by slanted lines."""

import numpy as np


def triangle(n_rows=2000, seed=0):
    """Rows of the unit square, and whether x + y <= 1."""
    X = np.random.default_rng(seed).random((n_rows, 2))
    return X, (X.sum(axis=1) <= 1).astype(int)


def slanted(rng, n_rows=300, noise=0.1, missing=0.0):
    """Four columns of different scales, and two classes along a slanted line with noise."""
    X = np.round(rng.normal(size=(n_rows, 4)), 2) * [1, 10, 1, 100]
    y = (X[:, 0] - X[:, 1] / 5 + X[:, 2] + noise * rng.normal(size=n_rows) > 0.3).astype(int)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y
