"""The clusters of a tree beside the tree, and beside what other clusterings make of the same rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Array, Floats
from ..drawing.colours import CLASS_COLOURS
from ..drawing.plot import plot_tree
from .region_drawing import marker_of

MOST_ROWS = 2000  # drawn and compared
NEIGHBOURS = 5  # of DBSCAN, the row itself included
NOISE = "#8a97a8"


class _Clustering(NamedTuple):
    name: str
    labels: Array


def plot_clusters(model: Any, X: Any, coded: Floats, y: Any = None) -> Any:
    """Draw the clusters of a fitted `ClusteringTree`, and return the axes; see `ClusteringTree.plot`."""
    from matplotlib import pyplot as plt

    labels = model.predict(X)
    rows = np.sort(np.random.RandomState(0).permutation(len(labels))[:MOST_ROWS])
    coded, labels = coded[rows], labels[rows]
    known = None if y is None else np.asarray(y)[rows]
    places, names = _plane(model, coded)
    figure = plt.figure(figsize=(13, 8.5), layout="constrained")
    panels: Any = figure.subplot_mosaic([["rows", "tree", "tree"], ["k-means", "agglomerative", "dbscan"]])
    axs = np.array([*panels.values()])
    first, tree = axs[:2]
    _draw(first, _Clustering("ClusteringTree", labels), places, coded, known)
    _draw_tree(tree, model)
    for ax, other in zip(axs[2:], _others(coded, model.n_clusters_), strict=True):
        _draw(ax, other._replace(labels=_like(labels, other.labels)), places, coded, known)
    for ax in (first, *axs[2:]):
        ax.set_xlabel(names[0])
        ax.set_ylabel(names[1])
    return axs


def _plane(model: Any, coded: Floats) -> tuple[Floats, tuple[str, str]]:
    """Where the rows lie: in their two columns, else in the first two principal components."""
    names = [str(name) for name in getattr(model, "feature_names_in_", range(coded.shape[1]))]
    if coded.shape[1] == 2 and len(names) == 2:
        return coded, (f"{names[0]}, coded", f"{names[1]}, coded")
    centred = coded - coded.mean(axis=0)
    if coded.shape[1] == 1:
        return np.column_stack([centred[:, 0], np.zeros(len(coded))]), (names[0], "")
    _, spread, axes = np.linalg.svd(centred, full_matrices=False)
    shares = spread**2 / (spread**2).sum()
    found = [f"principal component {k + 1} ({shares[k]:.0%} of the variance)" for k in range(2)]
    return centred @ axes[:2].T, (found[0], found[1])


def _others(coded: Floats, n_clusters: int) -> list[_Clustering]:
    """What scikit-learn's clusterings find; DBSCAN has its radius from the distances to near neighbours."""
    from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
    from sklearn.neighbors import NearestNeighbors

    near = NearestNeighbors(n_neighbors=min(NEIGHBOURS, len(coded))).fit(coded).kneighbors(coded)[0][:, -1]
    radius = max(float(np.quantile(near, 0.9)), 1e-9)
    return [
        _Clustering("KMeans", KMeans(n_clusters, n_init=10, random_state=0).fit_predict(coded)),
        _Clustering("AgglomerativeClustering", AgglomerativeClustering(n_clusters).fit_predict(coded)),
        _Clustering(f"DBSCAN, eps={radius:.2f}", DBSCAN(radius, min_samples=NEIGHBOURS).fit_predict(coded)),
    ]


def _like(labels: Array, others: Array) -> Array:
    """Other clusters, numbered so that they share as many rows as possible with those of the same number."""
    from scipy.optimize import linear_sum_assignment

    size = int(max(labels.max(), others.max())) + 1
    shared = np.zeros((size, size))
    np.add.at(shared, (others[others >= 0], labels[others >= 0]), 1)
    number = linear_sum_assignment(shared, maximize=True)[1]
    return np.where(others < 0, -1, number[np.maximum(others, 0)])


def _draw_tree(ax: Any, model: Any) -> None:
    """The tree, its leaves in the colours of their clusters."""
    for note in plot_tree(model, impurity=False, rounded=True, ax=ax):
        text = note.get_text()
        if text.startswith("samples"):  # a leaf: it has no test
            number = int(text.rsplit(" ", 1)[-1])
            note.get_bbox_patch().set_facecolor((CLASS_COLOURS[number % len(CLASS_COLOURS)], 0.35))


def _draw(ax: Any, found: _Clustering, places: Floats, coded: Floats, known: Any) -> None:
    for number in np.unique(found.labels):
        here = places[found.labels == number]
        colour = NOISE if number < 0 else CLASS_COLOURS[number % len(CLASS_COLOURS)]
        marker = "x" if number < 0 else marker_of(number)
        ax.scatter(*here.T, s=18, color=colour, marker=marker, alpha=0.8, linewidths=0.8, rasterized=True)
    ax.set_title("\n".join([found.name, _scores(found.labels, coded, known)]), fontsize=10)


def _scores(labels: Array, coded: Floats, known: Any) -> str:
    from sklearn.metrics import adjusted_rand_score, silhouette_score

    n_found = len(np.unique(labels[labels >= 0]))
    parts = [f"{n_found} clusters" if n_found != 1 else "1 cluster"]
    if (labels < 0).any():
        parts[0] += f", {np.mean(labels < 0):.0%} noise"
    if 2 <= len(np.unique(labels)) < len(labels):
        parts.append(f"silhouette {silhouette_score(coded, labels):.2f}")
    if known is not None:
        return ", ".join(parts) + f"\nadjusted Rand index {adjusted_rand_score(known, labels):.2f}"
    return ", ".join(parts)
