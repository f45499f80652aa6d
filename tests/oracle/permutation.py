"""Permutation tests from their definition (Strasser and Weber 1999): all matrices are written out."""

import numpy as np
from scipy.stats import chi2

TINY = 1e-9  # of the greatest eigenvalue: nothing varies in this direction


def transformed(values, n_levels):
    """A column as numbers; indicators of its levels, if there are `n_levels` (0: numbers)."""
    return (values[:, None] == np.arange(n_levels)).astype(float) if n_levels else values[:, None]


def moments(g, h, weight):
    """T - E and the covariance of T, if the rows of h were shuffled."""
    total, mean = weight.sum(), weight @ h / weight.sum()
    spread = (weight[:, None] * (h - mean)).T @ (h - mean) / total
    sums = weight @ g
    squares = (weight[:, None] * g).T @ g
    off = (weight[:, None] * g).T @ h - np.outer(sums, mean)
    covariance = total / (total - 1) * np.kron(squares, spread)
    return off.ravel(), covariance - np.kron(np.outer(sums, sums), spread) / (total - 1)


def quadratic(g, h, weight):
    """The statistic and its p-value; nothing where nothing varies."""
    off, covariance = moments(g, h, weight)
    sizes, axes = np.linalg.eigh(covariance)
    keep = sizes > TINY * max(sizes.max(), np.abs(g).max() ** 2)
    if not keep.any():
        return np.nan, np.nan
    found = float(np.sum((axes[:, keep].T @ off) ** 2 / sizes[keep]))
    return found, float(chi2.sf(found, keep.sum()))


def maximum(g, h, weight, draws=200_000):
    """The same of the greatest standardised entry; its p-value is an average of random draws."""
    off, covariance = moments(g, h, weight)
    scale = np.sqrt(np.diag(covariance))
    keep = scale > TINY
    found = float(np.max(np.abs(off[keep]) / scale[keep]))
    sizes, axes = np.linalg.eigh((covariance / np.outer(scale, scale))[np.ix_(keep, keep)])
    normal = np.random.default_rng(0).standard_normal((draws, keep.sum()))
    drawn = np.abs(normal @ (axes * np.sqrt(np.maximum(sizes, 0))).T).max(axis=1)
    return found, float(np.mean(drawn > found))
