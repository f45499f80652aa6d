"""The parameters of `ClusteringTree` and what each may be."""

from __future__ import annotations

from ...data.common.allowed import (
    NONE,
    Allowed,
    Parameter,
    is_list_of_columns,
    is_random_state,
    one_of,
    real,
    whole,
)

ROWS = (whole(1), real(0, 1, "()", fraction=True))
PARAMETERS = (
    Parameter("n_clusters", "silhouette", (whole(1), one_of(["silhouette", "gap"])), ""),
    Parameter("max_leaf_nodes", 10, (whole(2),), ""),
    Parameter("min_samples_leaf", 1, ROWS, ""),
    Parameter("max_depth", None, (whole(1), NONE), ""),
    Parameter("dissimilarity", "standardized", (one_of(["standardized", "sqeuclidean", "gower"]),), ""),
    Parameter(
        "categorical_features",
        "from_dtype",
        (
            one_of(["from_dtype", "unordered"]),
            Allowed("a list of names, numbers or marks of columns", is_list_of_columns),
            NONE,
        ),
        "",
    ),
    Parameter(
        "random_state",
        0,
        (Allowed("an int in [0, 2**32) or a numpy RandomState", is_random_state), NONE),
        "",
    ),
)
