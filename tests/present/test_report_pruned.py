"""The pruning sequence of a page: every step is a tree that `prune` gives, with its scores and rules."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, log_loss

import treewright as tw
from tests.support.page_models import loans
from tests.support.report_contract import zoo
from treewright.present.page.making import report
from treewright.present.page.pruning import shortest_between
from treewright.tree.condition_text import printed_rule

ZOO = zoo()
ALONG = ["all kinds of columns", "numbers", "chosen", "surrogates", "branches", "stops", "costs", "j48"]


def same(one, other):
    """Whether two trees have the same nodes."""
    names = ("first_child", "feature", "n_node_samples", "missing_child")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


@pytest.mark.parametrize("name", ALONG)
def test_the_alpha_of_a_step_gives_the_tree_that_the_page_shows(name):
    model, X, y = ZOO[name]()
    part = report(model, X, y, check=False).payload["pruning"]
    for number, step in enumerate(part["steps"][1:], 1):
        shown = model.tree_.collapse([0 <= at <= number for at in part["collapse_at"]])
        pruned = tw.prune(model, alpha=float(str(step["alpha"])))  # as it is typed on a command line
        assert same(pruned.tree_, shown), (number, step)


def test_alphas_are_short_where_they_can_be():
    assert shortest_between(0.012345, 0.02) == 0.013
    assert shortest_between(0.01, 0.02) == 0.01
    assert shortest_between(0.0123451, 0.0123452) == 0.0123451
    assert shortest_between(5e-324, 0.02) == 2e-8  # what is cut for nothing
    low = 0.1 + 0.2
    assert shortest_between(low, np.nextafter(low, 1)) == low


def test_the_scores_of_a_step_are_those_of_the_pruned_model_on_held_out_rows():
    X, y = loans(700)
    model = tw.DecisionTreeClassifier(min_samples_leaf=8, smoothing="hierarchical").fit(X[:400], y[:400])
    part = report(model, X[400:], y[400:], held_out=True, check=False).payload["pruning"]
    names = [each["metric"] for each in part["scores"]["metrics"]]
    for number in (0, 1, len(part["steps"]) // 2, len(part["steps"]) - 1):
        cut = model if number == 0 else tw.prune(model, alpha=part["steps"][number]["alpha"])
        found = {
            name: value for name, (value, _, _) in zip(names, part["scores"]["values"][number], strict=True)
        }
        assert found["accuracy"] == pytest.approx(accuracy_score(y[400:], cut.predict(X[400:])), rel=1e-5)
        assert found["log loss"] == pytest.approx(log_loss(y[400:], cut.predict_proba(X[400:])), rel=1e-5)


def test_the_scores_of_the_first_step_are_those_of_the_model():
    model, X, y = ZOO["numbers"]()
    payload = report(model, X, y, check=False).payload
    values = payload["pruning"]["scores"]["values"][0]
    for row, (value, low, high) in zip(payload["scores"]["rows"], values, strict=True):
        assert (value, low, high) == pytest.approx((row["value"], row["low"], row["high"]), rel=1e-5)


def test_the_rule_of_an_inner_node_is_that_of_the_leaf_it_becomes():
    model, X, y = ZOO["all kinds of columns"]()
    payload = report(model, X, y, check=False).payload
    words = tw.rules(model).words
    assert len(payload["rules_of_inner_nodes"]) == (~model.tree_.is_leaf).sum()
    for number in (1, len(payload["pruning"]["steps"]) // 2):
        cut = np.array([0 <= at <= number for at in payload["pruning"]["collapse_at"]])
        pruned = tw.rules(tw.prune(model, alpha=payload["pruning"]["steps"][number]["alpha"]))
        wanted = {printed_rule(rule.path.conditions, words) for rule in pruned}
        above = model.tree_.over_ancestors(np.logical_or, cut)
        fresh = [n for n in np.flatnonzero(cut) if n == 0 or not above[model.tree_.parent[n]]]
        assert fresh
        for node in fresh:
            assert payload["rules_of_inner_nodes"][str(node)][0] in wanted
