"""What rows are to a model: those it was grown on are never called unseen, whatever it left out of them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import treewright as tw
from tests.support.drawn import drawn
from tests.support.report_contract import check_payload, mixed_table
from treewright.learn import classics
from treewright.learn.folds import folds_of
from treewright.learn.model_file import read
from treewright.present.page import report
from treewright.present.page.evaluation import quantiles
from treewright.present.page.origin import MAYBE_AMONG, OTHER_WEIGHTS, UNKNOWN_GROWTH

SHALLOW = {"max_depth": 4, "min_samples_leaf": 5}
TAKEN = "treated as held-out rows"


def table(n=240, seed=0):
    X, score = mixed_table(n, seed)
    return X, np.where(score > 0.3, "yes", "no")


def page(model, *rows, **wishes):
    payload = report(model, *rows, check=False, **wishes).payload
    check_payload(payload)
    return payload


def without_held_out_numbers(payload, note):
    assert payload["notes"] == [note]
    assert payload["nodes"]["held_out_error"] is None
    assert payload["scores"] is None
    assert payload["next_best_splits"] is None
    assert payload["pruning"]["steps"][0]["held_out_loss"] is None
    assert payload["roc"]["source"] == "training"


# -- the order of the classes


@pytest.mark.parametrize("name", ["j48", "c45", "c50", "rpart", "stump", "rep_tree", "cart"])
def test_classes_that_are_declared_in_another_order_are_not_mixed_up(name):
    X, labels = table()
    y = pd.Series(pd.Categorical(labels, categories=["yes", "no"]))
    model = getattr(classics, name)().fit(X, y)
    payload = page(model, X, y)
    said, share = np.empty(len(labels), dtype=object), np.zeros(len(labels))
    for fold in folds_of(5, X, y, None, True):
        again = getattr(classics, name)().fit(X[fold.train], y.iloc[fold.train])
        said[fold.test] = again.predict(X[fold.test])
        share[fold.test] = again.predict_proba(X[fold.test])[:, again.classes_.tolist().index("no")]
    accuracy = {row["metric"]: row["value"] for row in payload["scores"]["rows"]}["accuracy"]
    assert accuracy == pytest.approx(np.mean(said == labels), rel=1e-6)
    assert payload["roc"]["auc"] > 0.6
    assert payload["roc"]["auc"] == pytest.approx(roc_auc_score(labels == "no", share), rel=1e-5)
    assert payload["next_best_splits"] is not None or "training rows" not in payload["next_best_splits_note"]
    assert page(model, X, labels) == payload  # text tells no order, and need not


# -- rows that are left out of growing


def test_rows_that_pruning_kept_aside_are_found_with_or_without_the_file(tmp_path):
    X, y = table()
    model = tw.DecisionTreeClassifier(pruning="reduced_error").fit(X, y)
    assert model.tree_.n_node_samples[0] < len(y)
    payload = page(model, X, y)
    assert payload["roc"]["source"] == "out-of-fold"
    assert payload["notes"] == []
    again = page(read(model.save(tmp_path / "m.tree.json")), X, y)
    assert again.pop("card")["verified"]
    assert again == {key: part for key, part in payload.items() if key != "card"}
    told = tw.DecisionTreeClassifier(pruning="reduced_error").fit(X, y, prune_rows=np.arange(80))
    assert page(told, X, y)["roc"]["source"] == "out-of-fold"
    without_held_out_numbers(page(read(told.save(tmp_path / "n.tree.json")), X, y), MAYBE_AMONG)


def test_rows_that_say_nothing_are_left_out_as_at_fit():
    X, y = table()
    X = X.with_columns(pl.when(pl.int_range(pl.len()) == 7).then(None).otherwise(pl.all()).name.keep())
    model = classics.rpart().fit(X, y)
    assert model.tree_.n_node_samples[0] == len(y) - 1
    assert page(model, X, y)["roc"]["source"] == "out-of-fold"


def test_a_table_that_may_hold_the_rows_of_the_tree_judges_nothing_until_that_is_said():
    X, y = table()
    weight = (np.arange(len(y)) % 3 > 0).astype(float)
    model = tw.DecisionTreeClassifier(**SHALLOW).fit(X, y, sample_weight=weight)
    without_held_out_numbers(page(model, X, y), MAYBE_AMONG)
    assert page(model, X, y, held_out=True)["roc"]["source"] == "held-out"
    assert page(model, X, y, held_out=False)["roc"]["source"] == "out-of-fold"
    assert page(model, X, y, sample_weight=weight)["roc"]["source"] == "out-of-fold"
    fitted = tw.fit(X.with_columns(y=pl.Series(y)), "y", test_size=0.3)
    assert page(fitted, X, y)["notes"][0].startswith("About 70 % of these rows are training rows")
    assert page(fitted, X, y)["nodes"]["held_out_error"] is None


@drawn(12)
@given(st.integers(0, 10**6), st.sampled_from(["branch", "fractional", "surrogate"]), st.booleans())
def test_more_rows_than_those_of_the_tree_are_never_called_unseen(seed, missing, drops):
    rng = np.random.default_rng(seed)
    X, y = table(60, seed)
    kept = np.flatnonzero(rng.random(60) < 0.7) if drops else np.arange(60)
    if len(set(y[kept])) < 2:
        return
    model = tw.DecisionTreeClassifier(missing=missing, max_depth=4).fit(X[kept], y[kept])
    payload = page(model, X, y)
    assert (payload["notes"] == [MAYBE_AMONG]) == (len(kept) < 60)
    assert (payload["roc"] or {"source": ""})["source"] != "held-out"


@pytest.mark.parametrize(
    "make",
    [lambda: tw.DecisionTreeClassifier(missing="fractional", max_depth=4), classics.j48, classics.rpart],
)
def test_as_many_new_rows_are_no_training_rows(make):
    X, y = table(240)
    model = make().fit(X[:120], y[:120])
    new, old = page(model, X[120:], y[120:]), page(model, X[:120], y[:120])
    assert new["roc"]["source"] == "held-out"
    assert TAKEN in new["notes"][0]
    assert old["roc"]["source"] == "out-of-fold"


def test_a_tree_that_nobody_knows_how_it_was_grown_is_judged_only_by_rows_said_to_be_new():
    X, y = table()
    model = tw.DecisionTreeClassifier(max_depth=4, criterion="entropy").fit(X, y)
    for each in (model.tree_, tw.DecisionTreeClassifier.from_tree(model.tree_)):
        without_held_out_numbers(page(each, X, y), UNKNOWN_GROWTH)
        without_held_out_numbers(page(each, X, y, held_out=False), UNKNOWN_GROWTH)
        without_held_out_numbers(page(each, X[:50], y[:50]), UNKNOWN_GROWTH)
        assert page(each, X, y, held_out=True)["roc"]["source"] == "held-out"


# -- weights


@pytest.mark.parametrize("params", [{}, {"class_weight": "balanced"}, {"costs": [[0, 1], [5, 0]]}])
def test_weights_that_are_not_those_of_the_fit_are_noticed(params):
    X, y = table()
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    weight /= weight.mean()  # so that they add up to the rows
    weighted = tw.DecisionTreeClassifier(**SHALLOW, **params).fit(X, y, sample_weight=weight)
    plain = tw.DecisionTreeClassifier(**SHALLOW, **params).fit(X, y)
    for model, given_weight, other in [
        (weighted, None, True),
        (plain, weight, True),
        (plain, np.where(np.arange(len(y)) < 100, 1.0, 0.0), True),
        (weighted, weight, False),
        (plain, None, False),
    ]:
        payload = page(model, X, y, sample_weight=given_weight)
        assert payload["notes"] == ([OTHER_WEIGHTS] if other else [])
        assert (payload["next_best_splits"] is None) == other
        assert payload["roc"]["source"] == "out-of-fold"


def test_rows_that_weigh_nothing_judge_nothing():
    X, y = table()
    model = tw.DecisionTreeClassifier(**SHALLOW).fit(X, y)
    weight = np.zeros(len(y))
    weight[:3] = 1
    payload = page(model, X, y, sample_weight=weight)
    assert payload["nodes"]["held_out_error"] is None
    assert "needs 10 rows or more that weigh something, and there are 3" in payload["pruning_note"]
    weight[:12] = 1  # some folds may have none of them
    payload = page(model, X, y, sample_weight=weight)
    assert payload["nodes"]["held_out_error"][0]["n"] == 12
    part = page(model, X, y, sample_weight=weight, held_out=True)
    few = page(model, X[:12], y[:12], held_out=True)
    for name in ("scores", "roc", "importance"):
        assert part[name] == few[name]


def test_panels_of_numbers_leave_out_rows_that_weigh_nothing():
    X, y = mixed_table()
    model = tw.DecisionTreeRegressor(**SHALLOW).fit(X, y)
    weight = (np.arange(len(y)) % 2).astype(float)
    y = np.where(weight > 0, y, 1e6)
    payload = page(model, X, y, sample_weight=weight, held_out=True)
    some = np.flatnonzero(weight)
    half = page(model, X[some], y[some], held_out=True)
    assert payload["residuals"] == half["residuals"]
    assert payload["nodes"] == half["nodes"]
    assert payload["scores"] == half["scores"]


@drawn(60)
@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(0.01, 9)), min_size=1, max_size=20))
def test_quartiles_are_those_of_equal_weights_and_follow_heavy_rows(rows):
    y, weight = np.sort([one for one, _ in rows]), np.array([other for _, other in rows])
    wanted = np.percentile(y, [0, 25, 50, 75, 100])
    assert quantiles(y, np.ones(len(y))) == pytest.approx(wanted)
    found = quantiles(y, weight)
    assert found == pytest.approx(np.sort(found))
    assert (found[0], found[-1]) == (y[0], y[-1])
    if len(y) > 2:
        heavy = np.where(np.arange(len(y)) == 1, 1e9, 1.0)
        assert quantiles(y, heavy)[2] == pytest.approx(y[1], abs=1e-3)


# -- what the tree alone tells of its rows


@pytest.mark.parametrize(
    ("params", "known"),
    [
        ({}, True),
        ({"costs": [[0, 1], [5, 0]]}, True),
        ({"class_weight": "balanced"}, False),
        ({"priors": [0.3, 0.7]}, False),
        ({"missing": "fractional"}, False),
    ],
)
def test_the_training_loss_without_rows_is_that_with_rows_or_none(params, known):
    X, y = table()
    model = tw.DecisionTreeClassifier(**SHALLOW, **params).fit(X, y)
    with_rows = [step["training_loss"] for step in page(model, X, y)["pruning"]["steps"]]
    alone = [step["training_loss"] for step in page(model)["pruning"]["steps"]]
    assert alone == (pytest.approx(with_rows) if known else [None] * len(alone))
    assert None not in with_rows
