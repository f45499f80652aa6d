"""Clusters of weighted rows, by a matrix of dissimilarities and by Gower's coefficient."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import squareform
from sklearn.datasets import make_blobs

from tests.support.clusters import by_definition, mixed
from treewright import ClusteringTree


@pytest.mark.parametrize("seed", range(6))
def test_by_a_matrix_missing_values_go_where_they_leave_least(seed):
    random = np.random.RandomState(seed)
    table = mixed(25, missing=True, seed=seed)
    M = squareform(random.randint(0, 9, size=25 * 24 // 2).astype(float))
    weights = random.randint(0, 4, size=25).astype(float) if seed % 2 else np.ones(25)
    some = np.flatnonzero(weights)

    def left(side):
        parts = [some[side[some]], some[~side[some]]]
        if min(map(len, parts)) < 2:
            return np.inf
        return sum(
            (M[np.ix_(p, p)] * weights[p, None] * weights[None, p]).sum() / weights[p].sum() for p in parts
        )

    least = np.inf
    for name in table:
        missing = table[name].isna().to_numpy()
        if table[name].dtype == "category":
            seen = [*table[name].dropna().unique()]
            sets = [s for r in range(1, len(seen) + 1) for s in combinations(seen, r)]
            sides = [table[name].isin(s).to_numpy() for s in sets]
        else:
            sides = [(table[name] <= cut).to_numpy() for cut in table[name].dropna()]
        least = min([least, *(left(side) for side in sides), *(left(side | missing) for side in sides)])
    model = ClusteringTree(2, min_samples_leaf=2).fit(table, dissimilarity=M, sample_weight=weights)
    assert left(model.labels_ == 0) == pytest.approx(least)
    mass = (M * weights[:, None] * weights[None, :]).sum() / weights.sum()
    assert model.tree_.gain[0] == pytest.approx(mass - least)
    assert np.array_equal(model.predict(table), model.labels_)
    for n_jobs in (1, 3):
        other = ClusteringTree(2, min_samples_leaf=2, n_jobs=n_jobs)
        assert other.fit(table, dissimilarity=M, sample_weight=weights).tree_ == model.tree_


def test_by_a_matrix_many_levels_are_tried_one_against_the_rest():
    codes = np.arange(60) % 20
    table = pd.DataFrame({"name": pd.Categorical([f"level {k}" for k in codes])})
    M = (codes[:, None] != codes[None, :]) * (1.0 + 9 * ((codes == 7)[:, None] != (codes == 7)[None, :]))
    model = ClusteringTree(2).fit(table, dissimilarity=M)
    assert np.array_equal(model.labels_ == model.labels_[7], codes == 7)
    assert model.tree_.heuristic[0] == 1
    few = table.iloc[codes < 12].reset_index(drop=True)
    few["name"] = few["name"].cat.remove_unused_categories()
    half = np.isin(codes[codes < 12], [1, 4, 9, 11])
    M = (half[:, None] != half[None, :]).astype(float)
    assert np.array_equal(ClusteringTree(2).fit(few, dissimilarity=M).labels_ == 1, half)


@pytest.mark.parametrize("by_matrix", [False, True])
@pytest.mark.parametrize("n_clusters", [4, "silhouette"])
def test_a_weight_counts_as_that_many_equal_rows(by_matrix, n_clusters):
    table = mixed(80, missing=not by_matrix)
    weights = np.random.RandomState(1).randint(0, 4, size=80)
    rows = np.repeat(np.arange(80), weights)
    M = by_definition(table) if by_matrix else None
    repeated = table.iloc[rows].reset_index(drop=True)
    one = ClusteringTree(n_clusters).fit(table, dissimilarity=M, sample_weight=weights)
    two = ClusteringTree(n_clusters).fit(repeated, dissimilarity=None if M is None else M[np.ix_(rows, rows)])
    assert np.array_equal(one.labels_[rows], two.labels_)
    assert np.allclose(one.tree_.impurity, two.tree_.impurity)
    assert np.allclose(one.tree_.weighted_n_node_samples, two.tree_.n_node_samples)
    if n_clusters == "silhouette":
        assert one.scores_ == pytest.approx(two.scores_)
    elif not by_matrix:
        assert np.allclose(one.transform(table)[rows], two.transform(repeated))
    ones = ClusteringTree(n_clusters).fit(table, dissimilarity=M, sample_weight=np.ones(80))
    assert np.array_equal(ones.labels_, ClusteringTree(n_clusters).fit(table, dissimilarity=M).labels_)


def test_the_gap_statistic_counts_weights():
    X, _ = make_blobs(300, 3, centers=4, cluster_std=0.6, random_state=3)
    assert ClusteringTree("gap").fit(X, sample_weight=np.arange(300) % 3).n_clusters_ == 4
    with pytest.raises(ValueError, match="sample_weight must have one number per row of X"):
        ClusteringTree().fit(X, sample_weight=[1, 2])


def test_gower_compares_the_columns_that_are_known_in_both_rows():
    table = mixed(40, missing=True)
    M = np.zeros((40, 40))
    for i, j in combinations(range(40), 2):
        parts = []
        for name in ("colour", "size", "other"):
            a, b = table[name][i], table[name][j]
            if pd.isna(a) or pd.isna(b):
                continue
            spread = 1 if name == "colour" else table[name].max() - table[name].min()
            parts.append(a != b if name == "colour" else abs(a - b) / spread)
        M[i, j] = M[j, i] = np.mean(parts)
    one = ClusteringTree(4, dissimilarity="gower").fit(table)
    two = ClusteringTree(4).fit(table, dissimilarity=M)
    assert np.array_equal(one.labels_, two.labels_)
    assert np.allclose(one.tree_.impurity, two.tree_.impurity, rtol=1e-6)
    assert one.describe()[0].n_rows == (one.labels_ == 0).sum()
    with pytest.raises(ValueError, match="transform needs clusters with centres"):
        one.transform(table)
    with pytest.raises(ValueError, match=r"at most 20,000 rows\. Got 20,001"):
        ClusteringTree(dissimilarity="gower").fit(np.arange(20_001.0)[:, None])
    apart = pd.DataFrame({"a": [0.0, 1.0, np.nan, np.nan], "b": [np.nan, np.nan, 5.0, 6.0]})
    assert ClusteringTree(4, dissimilarity="gower").fit(apart).tree_.impurity[0] == pytest.approx(12 / 16)


@pytest.mark.parametrize("leaf", [1, 8])
def test_a_matrix_of_the_same_dissimilarity_gives_the_same_clusters(leaf):
    table = mixed()
    one = ClusteringTree(6, min_samples_leaf=leaf).fit(table)
    two = ClusteringTree(6, min_samples_leaf=leaf).fit(table, dissimilarity=by_definition(table))
    assert np.array_equal(one.labels_, two.labels_)
    assert np.allclose(one.tree_.impurity, two.tree_.impurity)
    assert np.array_equal(two.predict(table), two.labels_)


def test_a_matrix_needs_nothing_of_the_columns_but_tests():
    X = [[0.0], [1.0], [2.0], [3.0]]
    M = np.array([[0, 1, 1, 5], [1, 0, 1, 5], [1, 1, 0, 5], [5, 5, 5, 0]])
    model = ClusteringTree(2).fit(X, dissimilarity=M)
    assert model.labels_.tolist() == [0, 0, 0, 1]
    assert model.tree_.threshold[0] == 2.5
    float32 = ClusteringTree(2).fit(X, dissimilarity=M.astype(np.float32))
    assert float32.labels_.tolist() == [0, 0, 0, 1]
    with pytest.raises(ValueError, match="transform needs clusters with centres"):
        model.transform(X)
    with pytest.raises(ValueError, match="n_clusters='gap' compares with tables"):
        ClusteringTree("gap").fit(X, dissimilarity=M)
    with pytest.raises(ValueError, match=r"per row of X, 4. Got shape \(2, 2\)"):
        ClusteringTree().fit(X, dissimilarity=M[:2, :2])
    chosen = ClusteringTree().fit(X, dissimilarity=M)
    assert chosen.n_clusters_ == 2


def test_equal_rows_by_a_matrix_are_rejected():
    with pytest.raises(ValueError, match="2 different rows"):
        ClusteringTree().fit([[0], [1]], dissimilarity=np.zeros((2, 2)))
