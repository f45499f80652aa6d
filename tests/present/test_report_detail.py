"""The detailed evaluation of a page: by class, by probability and by group, against scikit-learn."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.metrics import (
    confusion_matrix,
    mean_absolute_error,
    precision_recall_fscore_support,
    roc_auc_score,
)

import treewright as tw
from tests.support.page_models import loans
from treewright.learn.model_file import read
from treewright.present.page.making import report


@pytest.fixture(scope="module")
def wine():
    """Three classes, a model of half of the rows, and the evaluation on the other half."""
    data = load_wine(as_frame=True)
    X, y = data.data, data.target.map(["north", "middle", "south"].__getitem__).to_numpy()
    model = tw.DecisionTreeClassifier(min_samples_leaf=4, smoothing="hierarchical").fit(X[::2], y[::2])
    return model, X[1::2], y[1::2], report(model, X[1::2], y[1::2], held_out=True, check=False).payload


def test_the_confusion_matrix_and_the_scores_by_class_are_scikit_learns(wine):
    model, X, y, payload = wine
    part, predicted, labels = payload["evaluation"], model.predict(X), model.classes_.tolist()
    assert part["confusion"]["labels"] == labels
    assert part["confusion"]["counts"] == confusion_matrix(y, predicted, labels=labels).tolist()
    wanted = zip(*precision_recall_fscore_support(y, predicted, labels=labels), strict=True)
    for k, (row, each) in enumerate(zip(part["classes"], wanted, strict=True)):
        found = (row["precision"], row["recall"], row["f1"], row["support"])
        assert found == pytest.approx(each, rel=1e-5)
        assert row["auc"] == pytest.approx(
            roc_auc_score(y == labels[k], model.predict_proba(X)[:, k]), rel=1e-5
        )
        assert row["roc"][0] == [0, 0]
        assert row["roc"][-1] == [1, 1]
    assert part["on"] == "89 rows that the model was not trained on"


def test_the_calibration_is_that_of_its_function(wine):
    model, X, y, payload = wine
    part, wanted = payload["evaluation"]["calibration"], tw.calibration_curve(model, X, y)
    assert part["of"] == "the predicted class"
    assert part["ece"] == pytest.approx(wanted.ece, rel=1e-5)
    assert [row["weight"] for row in part["rows"]] == wanted.weight.tolist()


def test_scores_of_groups_are_those_of_their_rows():
    X, y = loans(600)
    model = tw.DecisionTreeClassifier(min_samples_leaf=10).fit(X[:300], y[:300])
    X, y = X[300:], y[300:]
    part = report(model, X, y, held_out=True, check=False).payload["evaluation"]["subgroups"]
    groups = {each["column"]: each for each in part}
    right = model.predict(X) == y
    for row in groups["purpose"]["rows"]:
        here = (X["purpose"] == row["name"].strip('"')).to_numpy()
        assert row["n"] == here.sum()
        assert row["accuracy"] == pytest.approx(right[here].mean(), rel=1e-5)
        good = here & (y == "good")  # the second class is the positive one
        assert row["recall"] == pytest.approx(right[good].mean(), rel=1e-5)
        assert row["false_positive_rate"] == pytest.approx(1 - right[here & ~good].mean(), rel=1e-5)
    assert sum(row["n"] for row in groups["duration"]["rows"]) == len(X)
    assert groups["duration"]["by"] == "Range"


def test_groups_of_a_regression_have_errors():
    X, _ = loans(400)
    y = X["duration"] * 2.0 + X["age"].fillna(0)
    model = tw.DecisionTreeRegressor(min_samples_leaf=10).fit(X[:200], y[:200])
    part = report(model, X[200:], y[200:], held_out=True, check=False).payload["evaluation"]
    assert part["confusion"] is part["classes"] is part["calibration"] is None
    rows = next(each for each in part["subgroups"] if each["column"] == "age")["rows"]
    missing = next(row for row in rows if row["name"] == "missing")
    here = X[200:]["age"].isna()
    wanted = mean_absolute_error(y[200:][here], model.predict(X[200:][here]))
    assert missing["mean_absolute_error"] == pytest.approx(wanted, rel=1e-5)


def test_the_histogram_of_a_split_counts_its_rows_in_round_bins():
    X, y = loans()
    model = tw.DecisionTreeClassifier(max_leaf_nodes=8, missing="learned").fit(X, y)
    payload = report(model, X, y, check=False).payload
    found = payload["nodes"]["split_histograms"]
    tree = model.tree_
    assert {int(node) for node in found} == set(np.flatnonzero(~tree.is_leaf).tolist())
    for node, part in found.items():
        name = X.columns[tree.feature[int(node)]]
        counted = np.array(part["counts"]).sum()
        assert counted <= tree.n_node_samples[int(node)]
        if name != "age":  # which has gaps
            assert counted == tree.n_node_samples[int(node)]
        if "edges" in part:
            assert part["edges"][0] <= part["threshold"] <= part["edges"][-1]
            assert len(part["edges"]) <= 20
            assert not set(part["edges"]) <= set(X[name])  # round numbers, not values
        else:
            assert set(part["levels"]) <= {json.dumps(level) for level in X[name]} | set(X[name])


# -- what a page must not tell, and what auditors ask for


def test_a_page_has_no_values_of_columns_that_the_tree_does_not_use():
    X, y = loans()
    rng = np.random.default_rng(5)
    secret = [f"ID-{number:06d}" for number in rng.permutation(len(X))]
    X = X.assign(
        customer=secret,
        street=rng.choice(["Elm-Row-77", "Oak-Lane-88"], len(X)),
        income=1e6 + rng.integers(1, 10**6, len(X)) * 1.37,
    )
    names = ["duration", "amount", "purpose", "savings", "age"]
    model = tw.DecisionTreeClassifier(max_leaf_nodes=6).fit(X[names], y)
    everything = tw.DecisionTreeClassifier(max_leaf_nodes=6, level_correction=True, min_samples_leaf=20).fit(
        X, y
    )
    used = {column["name"] for column in report(everything).payload["columns"] if column["used"]}
    assert not used & {"customer", "street", "income"}
    assert model.tree_.n_leaves == everything.tree_.n_leaves
    html = report(everything, X, y).html
    for text in (*secret, "Elm-Row-77", "Oak-Lane-88", *(f"{income!r}" for income in X["income"])):
        assert text not in html


def _used(model, X):
    return {X.columns[column] for column in model.tree_.feature[~model.tree_.is_leaf]}


def test_the_model_card_has_the_digest_of_the_training_rows():
    X, y = loans(200)
    model = tw.DecisionTreeClassifier(max_depth=2).fit(X, y)
    card = report(model, X, y, intended_use="To rank applications. Not to reject them.").payload["card"]
    assert card["intended_use"] == "To rank applications. Not to reject them."
    assert card["verified"] is None
    assert len(card["data_sha256"]) == 64
    other = X.copy()
    other.loc[3, "amount"] += 0  # the same values
    assert report(model, other, y).payload["card"]["data_sha256"] == card["data_sha256"]
    assert report(model, X, y, held_out=True).payload["card"]["data_sha256"] is None
    swapped = X.copy()
    swapped["age"] = swapped["age"].fillna(-1).replace(-1, np.nan)
    assert report(model, swapped, y).payload["card"]["data_sha256"] == card["data_sha256"]
    unused = next(name for name in X if name not in _used(model, X))  # its values count too
    swapped[unused] = swapped[unused].to_numpy()[::-1]
    assert report(model, swapped, y).payload["card"]["data_sha256"] != card["data_sha256"]
    facts = dict(card["rows"])
    assert facts["Training rows"] == "200"
    assert "treewright" in facts["Versions"]


def test_the_date_of_a_report_can_be_set(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    X, y = loans(60)
    card = report(tw.DecisionTreeClassifier(max_depth=2).fit(X, y)).payload["card"]
    assert dict(card["rows"])["Report made on"] == "1970-01-02"
    assert dict(card["rows"])["Fitted on"] == "not recorded in the model"


def test_the_date_of_the_fit_is_in_the_model_file_and_on_the_card(tmp_path, monkeypatch):
    X, y = loans(60)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    results = [tw.fit(X.assign(y=y), "y") for _ in range(2)]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "200000")  # two days later
    one, other = (result.save(tmp_path / f"{k}.tree.json") for k, result in enumerate(results))
    assert one.read_bytes() == other.read_bytes()
    assert tw.load(one).fitted_tree.training["date"] == "1970-01-02"
    for model in (results[0], one, tw.load(one)):
        rows = dict(report(model).payload["card"]["rows"])
        assert (rows["Fitted on"], rows["Report made on"]) == ("1970-01-02", "1970-01-03")


def test_a_changed_model_file_is_called_unverified(tmp_path):
    X, y = loans(200)
    result = tw.fit(X.assign(y=y), "y")
    path = result.save(tmp_path / "m.tree.json")
    assert report(path).payload["card"]["verified"] is True
    doc = json.loads(path.read_text())
    doc["training"]["scores"][0]["value"] = 0.999
    path.write_text(json.dumps(doc))
    with pytest.raises(ValueError, match="sha256"):
        report(path)
    payload = report(read(path, allow_unverified=True)).payload
    assert payload["card"]["verified"] is False
    assert payload["scores"]["rows"][0]["value"] == 0.999


def test_a_report_of_two_trees_has_both():
    X, y = loans()
    small = tw.DecisionTreeClassifier(max_leaf_nodes=5).fit(X, y)
    large = tw.DecisionTreeClassifier(max_leaf_nodes=30).fit(X, y)
    payload = report(small, X, y, best=large).payload
    (other,) = payload["alternatives"]
    assert (payload["tree_name"], other["tree_name"]) == ("First tree", "Second tree")
    assert other["model"]["tree"]["first_child"] == large.tree_.first_child.tolist()
    assert other["rules"] != payload["rules"]
    assert not {"check", "title", "format", "comparison"} & other.keys()
    with pytest.raises(ValueError, match="best must be a tree with the columns of the model"):
        report(small, X, y, best=tw.DecisionTreeClassifier().fit(X[["age"]], y))
    with pytest.raises(ValueError, match="best must be a tree with the task"):
        report(small, X, y, best=tw.DecisionTreeRegressor().fit(X, pd.factorize(y)[0]))
