"""Tables to cluster, and dissimilarities by their definitions."""

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist, squareform


def squared(X):
    return squareform(pdist(np.asarray(X, dtype=float), "sqeuclidean"))


def mixed(n_rows=120, missing=False, seed=0):
    random = np.random.RandomState(seed)
    group = random.randint(3, size=n_rows)
    colour = np.array(["red", "green", "blue", "grey"])[np.where(random.rand(n_rows) < 0.8, group, 3)]
    size = group * 3 + random.normal(size=n_rows)
    table = pd.DataFrame({"colour": pd.Categorical(colour), "size": size, "other": random.rand(n_rows)})
    if missing:
        table.loc[::7, "size"] = np.nan
        table.loc[::11, "colour"] = np.nan
    return table


def by_definition(table):
    """Squared differences of standardised numbers, and 2 for every pair of different levels."""
    total = np.zeros((len(table), len(table)))
    for name in table:
        values = table[name]
        if values.dtype == "category":
            total += 2.0 * (values.to_numpy()[:, None] != values.to_numpy()[None, :])
        else:
            total += squared(((values - values.mean()) / values.std(ddof=0)).to_numpy()[:, None])
    return total
