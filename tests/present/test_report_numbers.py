"""Every number of a page is that of the function it came from."""

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import log_loss

import treewright as tw
from tests.support.drawn import drawn
from tests.support.report_contract import leaves_at, mixed_table, zoo
from treewright.evaluate.model_comparison.result import Comparison
from treewright.learn.cross_validation.loss_sums import EvaluationRows
from treewright.learn.fitted_tree import as_model
from treewright.learn.folds import folds_of
from treewright.learn.model_file import file_form
from treewright.present.page import report
from treewright.present.page.held_out import held_out_predictions
from treewright.present.page.making import rows_of
from treewright.present.page.pruning import loss_of, sequence_of, spans_at, training_losses
from treewright.present.page.subject import Subject
from treewright.tree.condition_text import printed_rule

ZOO = zoo()


def subject_of(model, X=None, y=None, held_out=None):
    found = as_model(model)
    saved = file_form(found)
    return Subject(
        saved,
        rows_of(saved, X, y, dict.fromkeys(("sample_weight", "groups", "time")), held_out),
        lambda *_: None,
        found.source,
    )


@pytest.fixture(scope="module")
def evaluated():
    """A model of two classes, the rows it grew on, and its page."""
    model, X, y = ZOO["chosen"]()
    return model, X, y, report(model, X, y).payload


# -- what the model knows


@pytest.mark.parametrize("name", ZOO)
def test_the_model_is_as_its_file_has_it(name, tmp_path):
    model = ZOO[name]()[0]
    doc = json.loads(model.save(tmp_path / "m.json").read_text())
    found = report(model).payload
    file = found["model"].pop("file")
    used = {name for name, column in enumerate(found["columns"]) if column["used"]}
    for place, column in enumerate(doc["schema"]["columns"]):
        if place not in used:
            column.pop("levels", None)
    assert found["model"] == {key: doc[key] for key in found["model"]}
    assert {name: json.loads(text) for name, text in file["parts"].items()} == {
        name: doc[name] for name in file["parts"]
    }
    assert (found["kind"], found["target"]) == (doc["kind"], doc["target"])


def test_words_rules_and_settings_are_those_of_the_model(evaluated):
    model, _, _, payload = evaluated
    rules = tw.rules(model, order="leaf")
    texts = [(rule.leaf, printed_rule(rule.path.conditions, rules.words)) for rule in rules]
    assert [(rule["node"], rule["text"]) for rule in payload["rules"]] == texts
    for mine, rule in zip(payload["rules"], rules, strict=True):
        assert mine["support"] == rule.rows
        assert mine["confidence"] == pytest.approx(rule.confidence, rel=1e-5)
        assert mine["lift"] == pytest.approx(rule.lift, rel=1e-5)
    changed = {each["name"]: each["value"] for each in payload["settings"] if each["changed"]}
    assert changed == {"ccp_alpha": "'cv'", "smoothing": "'hierarchical'"}
    names = {}
    exec(payload["python"].replace("model.fit(X, y)", ""), names)
    assert names["model"].get_params() == model.get_params()


def test_scores_and_title_are_those_of_the_fit():
    frame = mixed_table()[0].with_columns(y=pl.Series(mixed_table()[1] > 0))
    fitted = tw.fit(frame, "y", positive=True)
    payload = report(fitted).payload
    assert payload["scores"]["on"] == fitted.scored_on
    assert payload["scores"]["verdict"] == fitted.verdict
    for row, score in zip(payload["scores"]["rows"], fitted.scores, strict=True):
        assert row["metric"] == score.metric
        for name in ("value", "low", "high", "baseline"):
            assert row[name] == pytest.approx(getattr(score, name), rel=1e-6)
    assert [each["sentence"] for each in payload["check"]] == [each.sentence for each in fitted.check]
    assert payload["roc"]["source"] == "out-of-fold"  # the folds by which it was pruned
    assert payload["roc"]["auc"] == pytest.approx(tw.roc_curve(fitted.model).auc, rel=1e-5)


# -- unseen rows


def test_the_ranking_is_the_roc_curve_of_rows_that_were_left_out(evaluated):
    model, X, y, payload = evaluated
    curve = tw.roc_curve(model, X, y, cv=5)
    part = payload["roc"]
    assert part["source"] == "out-of-fold"
    assert part["auc"] == pytest.approx(curve.auc, rel=1e-5)
    assert [part["auc_low"], part["auc_high"]] == pytest.approx(list(curve.interval), rel=1e-5)
    assert np.cumsum([each["positive"] for each in part["segments"]]).tolist() == curve.tp[1:].tolist()
    assert np.cumsum([each["negative"] for each in part["segments"]]).tolist() == curve.fp[1:].tolist()
    assert part["hull"] == curve.hull.tolist()
    assert part["prevalence"] == pytest.approx(np.mean(y == "yes"))


def test_a_positive_class_and_costs_turn_the_ranking():
    X, score = mixed_table()
    y = np.where(score > 0.3, "yes", "no")
    model = tw.DecisionTreeClassifier(max_depth=3).fit(X, y)
    decided = model.with_decision(costs={"false_positive": 1, "false_negative": 7}, positive="no")
    saved = tw.learn.model_file.file_form(decided, training={"positive": "no"})
    part = report(saved, X, y).payload["roc"]
    assert part["positive"] == 0
    assert part["costs"] == [[0, 1], [7, 0]]
    assert part["auc"] == pytest.approx(tw.roc_curve(model, X, y, cv=5, positive="no").auc, rel=1e-5)


def test_the_honest_error_of_a_node_is_that_of_answers_by_trees_without_its_rows(evaluated):
    model, X, y, payload = evaluated
    said = np.empty(len(y), dtype=object)
    fixed = {"ccp_alpha": model.ccp_alpha_, "smoothing_strength": model.smoothing_strength_}
    for fold in folds_of(5, X, y, None, True):
        again = tw.DecisionTreeClassifier(smoothing="hierarchical", **fixed)
        said[fold.test] = again.fit(X[fold.train], y[fold.train]).predict(X[fold.test])
    passes = model.decision_path(X).toarray().astype(bool)
    for node, each in enumerate(payload["nodes"]["held_out_error"]):
        here = passes[:, node]
        assert each["n"] == here.sum()
        assert each["error"] == pytest.approx(np.mean(said[here] != y[here]), abs=1e-4)
        assert each["low"] <= each["error"] <= each["high"]


def loss_of_answers(payload, model, X, y):
    """The loss that a page names, of answers to rows."""
    if payload["kind"] == "regression":
        off = np.abs(model.predict(X) - y)
        return np.mean(off if payload["pruning"]["loss"] == "mean absolute error" else off**2)
    shares = model.predict_proba(X)
    truth = np.asarray(y).reshape(len(y), -1).T
    found, most = [], max(len(np.unique(labels)) for labels in truth)
    for labels, part in zip(truth, shares if isinstance(shares, list) else [shares], strict=True):
        codes = np.searchsorted(np.unique(labels), labels)
        if payload["pruning"]["loss"] == "log loss":
            found.append(log_loss(codes, part, labels=range(part.shape[1])))
        else:
            squared = np.mean(((part - np.eye(part.shape[1])[codes]) ** 2).sum(axis=1))
            found.append(squared / (2 if most == 2 else 1))
    return np.mean(found)


@pytest.mark.parametrize(
    "name", ["all kinds of columns", "chosen", "numbers", "absolute", "shared", "stops", "two outputs"]
)
def test_the_loss_of_held_out_rows_is_that_of_the_pruned_trees(name):
    model, X, y = ZOO[name]()
    payload = report(model, X, y, held_out=True).payload
    part = payload["pruning"]
    assert (part["loss"] == "log loss") == (name == "chosen")
    for number, step in enumerate(part["steps"]):
        cut = model.tree_.collapse([0 <= at <= number for at in part["collapse_at"]])
        assert cut.n_leaves == step["leaves"]
        wanted = loss_of_answers(payload, type(model).from_tree(cut, **model.get_params()), X, y)
        assert step["held_out_loss"] == pytest.approx(wanted, rel=1e-4, abs=1e-6)


def test_the_loss_of_the_first_step_is_that_of_the_answers_out_of_fold(evaluated):
    model, X, y, payload = evaluated
    found = held_out_predictions(subject_of(model, X, y))
    wanted = log_loss(found.y[:, 0], found.shares[:, 0])
    assert payload["pruning"]["steps"][0]["held_out_loss"] == pytest.approx(wanted, rel=1e-5)
    means = [step["held_out_loss"] for step in payload["pruning"]["steps"]]
    assert means[payload["pruning"]["best"]] == min(means)
    best = payload["pruning"]["steps"][payload["pruning"]["best"]]
    assert (
        payload["pruning"]["steps"][payload["pruning"]["one_se"]]["held_out_loss"]
        <= best["held_out_loss"] + best["held_out_loss_se"] + 1e-9
    )
    assert payload["pruning"]["one_se"] >= payload["pruning"]["best"]


@drawn(25)
@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([None, "hierarchical", "laplace"]))
def test_what_the_tree_remembers_of_its_rows_tells_their_loss(seed, classes, smoothing):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((60, 3)) < 0.2, np.nan, rng.integers(0, 6, (60, 3)).astype(float))
    y = rng.integers(0, 3, 60) if classes else rng.normal(size=60).round(1)
    kind = tw.DecisionTreeClassifier if classes else tw.DecisionTreeRegressor
    smooth = smoothing if classes or smoothing != "laplace" else None
    subject = subject_of(kind(smoothing=smooth, max_depth=4).fit(X, y), X, y)
    if subject.tree.node_count == 1:
        return
    loss = loss_of(subject)
    alphas, steps = sequence_of(subject)
    spans = spans_at(subject, steps, len(alphas))
    by_rows = EvaluationRows(subject.tree, subject.given.reached, subject.given.codes, subject.given.weights)
    wanted = by_rows.sums(subject.tree, spans, loss, len(alphas)).mean()
    alone = training_losses(subject_of(subject.model), loss, spans, len(alphas))
    assert alone == pytest.approx(wanted, rel=1e-9, abs=1e-9)


# -- nodes and columns


def test_every_prediction_lies_in_its_own_interval(evaluated):
    model, _, _, payload = evaluated
    tree = model.tree_
    assert len(tree.estimate), "smoothed: an interval of what was counted need not hold the estimate"
    for node, (low, high) in enumerate(payload["nodes"]["interval"]):
        assert low <= tree.prediction[node, 0, tree.label[node, 0]] <= high


def test_intervals_of_leaves_are_those_of_the_table_of_leaves():
    model, X, y = ZOO["all kinds of columns"]()
    payload, table = report(model, X, y).payload, tw.leaves(model)
    for place, node in enumerate(table.leaf.tolist()):
        low, high = payload["nodes"]["interval"][node]
        decided = table.decided[place]
        assert low == pytest.approx(table.training.low[place, decided], rel=1e-4, abs=1e-9)
        assert high == pytest.approx(table.training.high[place, decided], rel=1e-4)


def test_histograms_and_leaves_count_the_rows_of_every_node():
    model, X, y = ZOO["numbers"]()
    payload = report(model, X, y).payload
    counts = np.array(payload["nodes"]["histogram"]["counts"])
    assert counts.sum(axis=1).tolist() == model.tree_.n_node_samples.tolist()
    edges = payload["nodes"]["histogram"]["edges"]
    assert counts[0].tolist() == np.histogram(y, np.linspace(y.min(), y.max(), len(edges)))[0].tolist()
    ends = model.apply(X)
    for leaf in payload["residuals"]["leaves"]:
        inside = y[ends == leaf["node"]]
        assert leaf["n"] == len(inside)
        assert leaf["median"] == pytest.approx(np.median(inside), rel=1e-4, abs=1e-6)
    assert len(payload["residuals"]["leaves"]) == model.get_n_leaves()


def test_next_best_splits_and_the_check_are_those_of_their_functions():
    model, X, y = ZOO["all kinds of columns"]()
    payload = report(model, X, y).payload
    wanted = {}
    used = {column["name"] for column in payload["columns"] if column["used"]}
    for each in tw.next_best_splits(model, X, y, 3).to_dicts():
        test = each["test"] if each["feature"] in used else each["feature"]  # no values of unused columns
        wanted.setdefault(str(each["node"]), []).append({"test": test, "gain": each["gain"]})
    assert payload["next_best_splits"] == wanted
    found = tw.check(X, y)
    assert [each["sentence"] for each in payload["check"]] == [finding.sentence for finding in found]
    given = report(model, X, y, check=found).payload
    assert given["check"] == payload["check"]


def test_importance_is_that_of_the_splits_and_of_shuffled_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = np.where(X[:, 0] > 0, "a", "b")
    model = tw.DecisionTreeClassifier().fit(X, y)
    rows = report(model, X, y).payload["importance"]["rows"]
    assert [row["column"] for row in rows] == ["feature_0"]
    assert rows[0]["impurity"] == model.feature_importances_[0] == 1
    assert rows[0]["permutation_low"] < rows[0]["permutation"] < rows[0]["permutation_high"]
    assert rows[0]["permutation"] == pytest.approx(0.5, rel=0.1)  # wrong every other time, which costs 1


def test_the_comparison_is_told_as_it_was_found():
    shared = {"leaves": None, "seconds": 0.1, "low": 0.2, "high": 0.4}
    rows = (
        {"model": "forest", "log loss": 0.3, **shared},
        {"model": "treewright", "log loss": 0.35, **shared},
    )
    found = Comparison(rows, "log loss", 100, 5, ("A note.",))
    part = report(ZOO["costs"]()[0], compare=found).payload["comparison"]
    assert part["columns"] == list(rows[0])
    assert part["rows"] == [list(row.values()) for row in rows]
    assert part["words"] == f"{found.verdict} A note. {found.advice}"


def test_the_steps_of_a_folded_tree_count_its_leaves(evaluated):
    tree, part = evaluated[3]["model"]["tree"], evaluated[3]["pruning"]
    counts = [leaves_at(tree, part["collapse_at"], k) for k in range(len(part["steps"]))]
    assert counts == [step["leaves"] for step in part["steps"]]
