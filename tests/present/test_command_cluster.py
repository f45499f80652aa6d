"""`treewright cluster`: labels of the rows, and a tree that says what each cluster is."""

import polars as pl
import pytest
from sklearn.datasets import load_iris

import treewright
from tests.present.test_command import call


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with a table to be in."""
    monkeypatch.chdir(tmp_path)
    data = load_iris()
    names = ["sepal length", "sepal width", "petal length", "petal width"]
    table = pl.DataFrame(data.data, schema=names)
    table.with_columns(species=data.target_names[data.target]).write_csv("iris.csv")
    return tmp_path


@pytest.mark.usefixtures("here")
def test_cluster_prints_the_tree_and_writes_labels_and_model():
    done = call("cluster", "iris.csv", "--target", "species", "--n-clusters", "3")
    assert done.status == 0
    assert "Tree: 3 clusters" in done.out
    assert "petal length <= 2.45" in done.out
    assert "if petal length > 2.45 and sepal length <= 6.25" in done.out
    assert "Adjusted Rand index with species: 0.60" in done.out
    written = pl.read_csv("iris.clusters.csv")
    table = pl.read_csv("iris.csv")
    model = treewright.ClusteringTree(3).fit(table.drop("species"))
    assert written["cluster"].to_list() == model.labels_.tolist()
    assert written.drop("cluster").equals(table)
    predicted = call("predict", "iris.clusters.tree.json", "iris.csv", "--output", "p.csv")
    assert predicted.status == 0
    labels = pl.read_csv("p.csv")["prediction"].to_list()
    assert labels == [f"cluster {k}" for k in model.labels_]


@pytest.mark.usefixtures("here")
def test_cluster_chooses_the_number_and_says_how():
    by_silhouette = call("cluster", "iris.csv", "-x", "species", "--json")
    assert by_silhouette.object["n_clusters"] == 2
    assert by_silhouette.object["scores"]["2"] == pytest.approx(0.58, abs=0.01)
    assert [each["rows"] for each in by_silhouette.object["clusters"]] == [50, 100]
    by_gap = call("cluster", "iris.csv", "-x", "species", "-k", "gap", "--force")
    assert "3 clusters, chosen by the gap statistic" in by_gap.out
    mixed = call("cluster", "iris.csv", "--force")
    assert "chosen by silhouette (" in mixed.out


@pytest.mark.usefixtures("here")
def test_cluster_keeps_a_column_of_that_name():
    pl.read_csv("iris.csv").rename({"species": "cluster"}).write_csv("named.csv")
    done = call("cluster", "named.csv", "-k", "2", "-x", "cluster")
    assert "the new one is called 'cluster_'" in done.err
    assert pl.read_csv("named.clusters.csv").columns[-2:] == ["cluster", "cluster_"]


@pytest.mark.parametrize(
    ("options", "status", "sentence"),
    [
        (["-k", "x"], 2, "--n-clusters must be a number of at least 1, silhouette or gap. Got 'x'."),
        (["-k", "400"], 2, "--n-clusters must be at most the number of different rows"),
        (["--target", "specis"], 2, "Did you mean 'species'?"),
        (["-x", "sepal length,sepal width,petal length,petal width,species"], 2, "At least one column"),
        (["--output", "iris.csv"], 2, "'iris.csv' already exists."),
    ],
)
@pytest.mark.usefixtures("here")
def test_cluster_refuses_in_one_sentence(options, status, sentence):
    done = call("cluster", "iris.csv", *options)
    assert done.status == status
    assert sentence in done.err


@pytest.mark.usefixtures("here")
def test_the_page_of_clusters_speaks_of_clusters():
    assert call("cluster", "iris.csv", "-x", "species", "-k", "3", "--dissimilarity", "gower").status == 0
    payload = treewright.report(treewright.load("iris.clusters.tree.json")).payload
    assert payload["title"] == "Clusters of iris.csv"
    assert (payload["clusters"], payload["predicts"]) == (True, "3 clusters")
    assert payload["scores_note"] == "A score needs a target, and clusters have none."
    assert payload["python"].splitlines()[2:4] == [
        "model = ClusteringTree(n_clusters=3, dissimilarity='gower')",
        "model.fit(X)",
    ]
    assert payload["settings"] == []
    facts = dict(payload["card"]["rows"])
    assert facts["Model"] == "ClusteringTree"
    assert facts["Fitted on"] != "not recorded in the model"
