"""Trees of unlabelled rows, beside the definition of dissimilarity and the trees of a regressor."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.utils.estimator_checks import check_estimator

import treewright
from tests.support.clusters import by_definition, mixed, squared
from treewright import ClusteringTree, DecisionTreeRegressor
from treewright.textbook import dissimilarity, split_dissimilarity

IRIS = load_iris(as_frame=True).data
STANDARDIZED = (IRIS - IRIS.mean()) / IRIS.std(ddof=0)


# -- the formulas


def test_dissimilarity_is_twice_the_summed_variances():
    X = np.random.RandomState(0).normal(size=(40, 3))
    M = squared(X)
    assert dissimilarity(M) == pytest.approx(2 * X.var(axis=0).sum())
    parts = [np.arange(10), np.arange(10, 40)]
    expected = sum(len(p) / 40 * 2 * X[p].var(axis=0).sum() for p in parts)
    assert split_dissimilarity(M, parts) == pytest.approx(expected)
    assert dissimilarity(M, parts[0]) == pytest.approx(2 * X[:10].var(axis=0).sum())
    mask = np.arange(40) < 10
    assert split_dissimilarity(M, [mask, ~mask]) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("M", "sentence"),
    [
        ([[0, 1, 2], [1, 0, 3]], r"square matrix. Got shape \(2, 3\)"),
        ([[0, 1], [2, 0]], "must be symmetric everywhere. Got an entry that differs from its mirror"),
        ([[0, -1], [-1, 0]], "must be at least 0 everywhere. Got a negative entry in row 0, column 1"),
        ([[0, np.nan], [np.nan, 0]], "must be finite everywhere. Got a missing or infinite entry in row 0"),
        ([[1, 1], [1, 0]], "must be 0 between a row and itself. Got 1 for row 0"),
    ],
)
def test_a_bad_matrix_is_rejected_in_one_sentence(M, sentence):
    for call in (lambda: dissimilarity(M), lambda: ClusteringTree().fit([[0], [1]], dissimilarity=M)):
        with pytest.raises(ValueError, match=sentence):
            call()


def test_bad_parts_are_rejected():
    M = squared([[0], [1], [2]])
    with pytest.raises(ValueError, match="No row may be in two parts"):
        split_dissimilarity(M, [[0, 1], [1, 2]])
    with pytest.raises(ValueError, match="at least one row"):
        split_dissimilarity(M, [])
    with pytest.raises(ValueError, match=r"numbers in 0\.\.2"):
        split_dissimilarity(M, [[0, 5]])
    with pytest.raises(ValueError, match="one mark per row"):
        split_dissimilarity(M, [[True, False]])


# -- the tree


def test_it_is_the_tree_of_a_regressor_with_the_columns_as_targets():
    for k in (2, 5, 9):
        ours = ClusteringTree(k).fit(IRIS).tree_
        other = DecisionTreeRegressor(max_leaf_nodes=k).fit(IRIS, STANDARDIZED).tree_
        for name in ("feature", "threshold", "first_child", "n_node_samples"):
            assert np.array_equal(getattr(ours, name), getattr(other, name))
        assert np.allclose(ours.impurity, 2 * STANDARDIZED.shape[1] * other.impurity)
    raw = ClusteringTree(4, dissimilarity="sqeuclidean").fit(IRIS).tree_
    other = DecisionTreeRegressor(max_leaf_nodes=4).fit(IRIS, IRIS).tree_
    assert np.array_equal(raw.threshold, other.threshold)


def test_impurity_is_the_dissimilarity_of_the_rows():
    model = ClusteringTree(4).fit(IRIS)
    M = squared(STANDARDIZED)
    leaf = model.apply(IRIS)
    for node in np.flatnonzero(model.tree_.is_leaf):
        assert model.tree_.impurity[node] == pytest.approx(dissimilarity(M, leaf == node))
    parts = [leaf == node for node in np.flatnonzero(model.tree_.is_leaf)]
    left = dissimilarity(M) - model.tree_.gain.sum() / len(IRIS)
    assert split_dissimilarity(M, parts) == pytest.approx(left)


@pytest.mark.parametrize("seed", range(4))
def test_the_first_split_is_the_best_of_all_splits(seed):
    table = mixed(30, seed=seed)
    M = by_definition(table)
    least = np.inf
    for name in table:
        if table[name].dtype == "category":
            seen = [*table[name].unique()]
            sets = [s for r in range(1, len(seen)) for s in combinations(seen, r)]
            sides = [table[name].isin(s).to_numpy() for s in sets]
        else:
            sides = [(table[name] <= cut).to_numpy() for cut in np.sort(table[name])[:-1]]
        least = min([least, *(split_dissimilarity(M, [side, ~side]) for side in sides)])
    for model in (ClusteringTree(2).fit(table), ClusteringTree(2).fit(table, dissimilarity=M)):
        found = [model.labels_ == 0, model.labels_ == 1]
        assert split_dissimilarity(M, found) == pytest.approx(least)


@pytest.mark.parametrize("by_matrix", [False, True])
def test_missing_values_and_new_levels_reach_a_cluster(by_matrix):
    table = mixed(missing=True)
    M = squared(np.arange(len(table))[:, None] % 5) if by_matrix else None
    model = ClusteringTree(5).fit(table, dissimilarity=M)
    assert np.array_equal(model.predict(table), model.labels_)
    assert set(model.labels_) == set(range(5))
    new = table.assign(colour=pd.Categorical(["violet"] * len(table)))
    with (
        pytest.warns(UserWarning, match="levels that were not seen")
        if model.tree_.is_nominal.any()
        else _none()
    ):
        assert set(model.predict(new)) <= set(range(5))


def _none():
    from contextlib import nullcontext

    return nullcontext()


def test_transform_gives_the_distances_to_the_centres():
    model = ClusteringTree(3).fit(IRIS)
    means = STANDARDIZED.groupby(model.labels_).mean().to_numpy()
    assert np.allclose(model.cluster_centers_, means)
    expected = np.linalg.norm(STANDARDIZED.to_numpy()[:, None] - means[None], axis=2)
    assert np.allclose(model.transform(IRIS), expected)
    assert model.get_feature_names_out().tolist() == [f"clusteringtree{k}" for k in range(3)]


def test_the_number_of_clusters_is_that_of_the_highest_silhouette():
    X, y = make_blobs(300, 3, centers=4, cluster_std=0.6, random_state=3)
    model = ClusteringTree().fit(X)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    by_hand = {k: silhouette_score(Z, ClusteringTree(k).fit(X).labels_) for k in range(2, 11)}
    assert model.scores_ == pytest.approx(by_hand)
    assert model.n_clusters_ == max(by_hand, key=by_hand.get) == 4
    assert adjusted_rand_score(y, model.labels_) == 1
    assert ClusteringTree("gap").fit(X).n_clusters_ == 4


def test_the_gap_statistic_finds_that_there_are_no_clusters():
    X = np.random.RandomState(0).uniform(size=(400, 2))
    model = ClusteringTree("gap").fit(X)
    assert model.n_clusters_ == 1
    assert set(model.labels_) == {0}
    assert str(model.describe()) == "Cluster 0: 400 rows (100%)\n  all rows"


def test_labels_do_not_depend_on_threads_or_the_kind_of_table():
    import polars as pl

    first = ClusteringTree(5).fit(IRIS).labels_
    assert np.array_equal(first, ClusteringTree(5, n_jobs=1).fit(IRIS.to_numpy()).labels_)
    assert np.array_equal(first, ClusteringTree(5).fit(pl.from_pandas(IRIS)).labels_)


# -- what it says


def test_every_output_takes_the_model(tmp_path):
    table = mixed()
    model = ClusteringTree(3).fit(table)
    assert "cluster 2" in treewright.export_text(model)
    assert "cluster 0" in treewright.draw(model)._repr_html_()
    assert len(treewright.rules(model)) == 3
    assert "cluster" in str(treewright.explain(model, table.iloc[:1]))
    assert "cluster 0" in model._repr_html_()
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert (model.get_n_leaves(), model.get_depth()) == (3, 2)
    model.save(tmp_path / "c.tree.json")
    found = treewright.load(tmp_path / "c.tree.json").predict(table)
    assert found.tolist() == [f"cluster {k}" for k in model.labels_]


def test_clusters_in_words():
    table = mixed()
    found = ClusteringTree(3).fit(table).describe()
    assert len(found) == 3
    assert sum(each.n_rows for each in found) == len(table)
    assert sum(each["share"] for each in found.to_dicts()) == pytest.approx(1)
    text = str(found)
    assert "if size <= " in text or "if colour" in text
    assert "typical: size low: mean" in text or "typical: colour" in text
    assert {*found.to_frame().columns} == {"cluster", "rows", "share", "path", "typical"}
    flags = pd.DataFrame({"on": [True, False] * 20, "off": [False, True] * 20})
    assert ClusteringTree(2).fit(flags).describe()[1].traits[0] == "on true in 100% (all rows 50%)"
    table = pd.DataFrame({"member": [0, 1] * 20, "age": np.arange(40.0) % 7})
    assert ClusteringTree(2).fit(table).describe()[1].path == "member = 1"
    zeros = ClusteringTree(2).fit([[0]] * 26 + [[1]] * 16).describe()
    assert zeros[0].traits == ("feature_0 low: mean 0 (all rows 0.381)",)
    ranges = ClusteringTree(4).fit([[0], [1], [10], [11], [20], [21], [30], [31]]).describe()
    assert ranges[1].path == "feature_0 <= 15.5 and feature_0 > 5.5"


# -- bad input


@pytest.mark.parametrize(
    ("X", "params", "sentence"),
    [
        ([[1.0, 2.0]], {}, r"at least 2 rows to form clusters. Got 1 row"),
        ([[1.0, 2.0]] * 50, {}, "at least 2 different rows to form clusters. Got 50 equal rows"),
        ([[0], [0], [1], [2]], {"n_clusters": 4}, "at most the number of different rows, 3. Got 4"),
        (
            IRIS,
            {"n_clusters": 9, "min_samples_leaf": 50},
            "at most what min_samples_leaf and max_depth allow, 2",
        ),
        (
            IRIS,
            {"n_clusters": 0},
            "n_clusters must be an int of at least 1 or one of 'silhouette', 'gap'. Got 0",
        ),
        (
            IRIS,
            {"dissimilarity": "cosine"},
            "dissimilarity must be one of 'standardized', 'sqeuclidean', 'gower'",
        ),
        ([[1.0], [np.inf]], {}, "X must not contain infinity"),
        (pd.DataFrame({"name": [f"n{k}" for k in range(300)]}), {}, "at most 200 levels to form clusters"),
    ],
)
def test_bad_input_is_rejected_in_one_sentence(X, params, sentence):
    with pytest.raises(ValueError, match=sentence):
        ClusteringTree(**params).fit(X)


def test_it_passes_the_checks_of_scikit_learn():
    check_estimator(ClusteringTree(), on_skip=None)
    model = clone(ClusteringTree(3))
    assert model.fit_predict(IRIS).tolist() == model.labels_.tolist()


# -- descriptive targets beside the one to predict


def test_targets_that_weigh_more_decide_more():
    random = np.random.RandomState(0)
    X = random.rand(200, 2)
    Y = np.column_stack([X[:, 0] > 0.5, X[:, 1] > 0.5]).astype(float)
    for weights, column in (([10, 1], 0), ([1, 10], 1)):
        model = DecisionTreeRegressor(max_leaf_nodes=2).fit(X, Y * np.sqrt(weights))
        assert model.tree_.feature[0] == column


def test_the_picture_has_the_rows_the_tree_and_three_others():
    pytest.importorskip("matplotlib").use("agg")
    from matplotlib import pyplot as plt

    axs = ClusteringTree(3).fit(IRIS).plot(IRIS, load_iris().target)
    titles = [ax.get_title() for ax in axs]
    assert titles[0] == "ClusteringTree\n3 clusters, silhouette 0.42\nadjusted Rand index 0.60"
    assert [title.split("\n")[0].split(",")[0] for title in titles[2:]] == [
        "KMeans",
        "AgglomerativeClustering",
        "DBSCAN",
    ]
    table = mixed(missing=True)
    assert "Rand" not in ClusteringTree(2).fit(table).plot(table)[0].get_title()
    two = table[["size", "other"]]
    assert ClusteringTree(2).fit(two).plot(two)[0].get_xlabel() == "size, coded"
    one = table[["other"]]
    assert ClusteringTree(2).fit(one).plot(one)[0].get_xlabel() == "other"
    plt.close("all")
    with pytest.raises(ValueError, match="plot needs clusters with centres"):
        ClusteringTree(2).fit([[0], [1]], dissimilarity=[[0, 1], [1, 0]]).plot([[0], [1]])
