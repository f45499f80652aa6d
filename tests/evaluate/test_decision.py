"""Models that decide otherwise: by costs, prevalence, thresholds and operating points."""

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.support.rankings import grown, table
from tests.support.strategies import examples
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, prune
from treewright.evaluate.decision import with_decision
from treewright.evaluate.roc.operating_point import operating_point
from treewright.evaluate.segments import segments_of
from treewright.tree.tree import tree_from_dict


@pytest.mark.parametrize("labels", [("a", "b"), ("b", "a")])
def test_a_model_with_a_decision_predicts_as_the_point_says(labels):
    other, positive = labels
    X, y = table(0, 400)
    model = DecisionTreeClassifier(max_leaf_nodes=12).fit(X[:200], y[:200])
    criteria = [
        {"costs": {"false_positive": 1, "false_negative": 4}},
        {"prevalence": 0.4},
        {"recall": 0.8},
        {"precision": 0.6},
        {"capacity": 60},
    ]
    for criterion in criteria:
        point = operating_point(model, X[200:], y[200:], positive=positive, **criterion)
        decided = with_decision(model, point)
        called = decided.predict(X[200:]) == positive
        assert called[y[200:] == positive].mean() == pytest.approx(point.recall)
        assert called[y[200:] == other].mean() == pytest.approx(point.fpr)
        again = with_decision(model, X=X[200:], y=y[200:], positive=positive, **criterion)
        assert again.tree_ == decided.tree_
        assert again.decision_.threshold == point.threshold
        assert " ".join(point.sentences) == str(again.decision_)


@given(st.integers(0, 999), st.sampled_from([2, 3]), st.booleans(), st.booleans())
@examples(2)
def test_costs_and_prevalence_choose_the_least_expected_cost_in_every_node(seed, n_classes, diagonal, priors):
    rng = np.random.default_rng(seed)
    extra = {"priors": rng.dirichlet(np.full(n_classes, 5.0)).tolist()} if priors else {}
    model, X, _ = grown(seed, n_classes, **extra)
    before = deepcopy(model.tree_)
    costs = rng.integers(1, 9, (n_classes, n_classes)) * (1.0 - np.eye(n_classes))
    if diagonal:
        costs += rng.integers(0, 4, n_classes)[:, None]
    share = rng.dirichlet(np.ones(n_classes)) * 0.97 + 0.03 / n_classes
    decided = with_decision(model, costs=costs, prevalence=share)
    assert model.tree_ == before
    assert not hasattr(model, "decision_")
    shares = decided.predict_proba(X) * share / model.tree_.value[0, 0]
    expected = shares / shares.sum(axis=1, keepdims=True) @ costs
    at = np.searchsorted(decided.classes_, decided.predict(X))
    assert (expected[np.arange(len(X)), at] <= expected.min(axis=1) * (1 + 1e-9)).all()
    assert_array_equal(decided.predict_proba(X), model.predict_proba(X))
    named = dict(zip(model.classes_.tolist(), share.tolist(), strict=True))
    assert with_decision(model, costs=costs, prevalence=named).tree_ == decided.tree_
    same = with_decision(model, costs=costs, prevalence=model.tree_.value[0, 0])
    assert_array_equal(same.tree_.label, with_decision(model, costs=costs).tree_.label)


@given(st.integers(0, 999), st.sampled_from([2, 3]))
@examples(2)
def test_merging_changes_no_prediction(seed, n_classes):
    rng = np.random.default_rng(seed)
    model, X, _ = grown(seed, n_classes)
    costs = rng.integers(1, 9, (n_classes, n_classes)) * (1 - np.eye(n_classes))
    plain, merged = (with_decision(model, costs=costs, merge=merge) for merge in (False, True))
    assert_array_equal(plain.predict(X), merged.predict(X))
    tree = merged.tree_
    assert plain.tree_.n_leaves == model.tree_.n_leaves >= tree.n_leaves
    assert merged.decision_.leaves == (model.tree_.n_leaves, tree.n_leaves)
    for node in np.flatnonzero(~tree.is_leaf):
        children = slice(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
        if tree.is_leaf[children].all():
            assert len(set(tree.label[children, 0])) > 1
    assert ("were merged" in str(merged.decision_)) == (tree.n_leaves < plain.tree_.n_leaves)
    assert_allclose(
        merged.predict_proba(X).mean(axis=0), plain.predict_proba(X).mean(axis=0), atol=1e-9
    )  # coarser


@given(st.integers(0, 999), st.sampled_from(["a", "b"]))
@examples(1)
def test_a_threshold_decides_in_every_node_even_where_a_share_equals_it(seed, positive):
    model, _, _ = grown(seed)
    place = ["a", "b"].index(positive)
    shares = model.tree_.value[:, 0, place]
    inside = shares[(shares > 0) & (shares < 1)]
    for threshold in [*inside, *np.nextafter(inside, 0), 0.0, 0.31, 0.5, 0.9999]:
        decided = with_decision(model, threshold=threshold, positive=positive)
        assert_array_equal(decided.tree_.label[:, 0] == place, shares > threshold)
        assert decided.decision_.threshold == threshold
        assert f"'{positive}' is predicted where" in str(decided.decision_)


@pytest.mark.parametrize("positive", [0, 1])
@pytest.mark.parametrize("gap", [1e-6, 1e-9])
def test_close_scores_are_distinguished(positive, gap):
    model = of_shares([0.3, 0.3 + gap, 0.7 - gap, 0.7], 1)
    shares = model.predict_proba(np.arange(4)[:, None] * 1.0)[:, positive]
    for threshold in np.sort(shares)[:-1] + gap / 2:
        decided = with_decision(model, threshold=threshold, positive=positive)
        assert_array_equal(decided.tree_.label[-4:, 0] == positive, shares > threshold)


def of_shares(shares, weight):
    """A model with one leaf for each of 0, 1, 2, ... in its column, with these shares of class 1."""
    leaves = [{"value": [1 - p, p], "n": weight} for p in shares]
    while len(leaves) > 1:
        half = len(leaves) // 2
        gap = len(shares) // half
        leaves = [
            {"feature": 0, "threshold": (k + 0.5) * gap - 0.5, "left": a, "right": b, "n": weight}
            | {"value": [(x + y) / 2 for x, y in zip(a["value"], b["value"], strict=True)]}
            for k, (a, b) in enumerate(zip(leaves[::2], leaves[1::2], strict=True))
        ]
    return DecisionTreeClassifier.from_tree(tree_from_dict(leaves[0], n_features=1, classes=[0, 1]))


def test_a_threshold_outside_calls_everybody_or_nobody():
    model = of_shares([0.0, 0.2, 0.4, 1.0], 1)
    for positive in (0, 1):
        everybody = with_decision(model, threshold=-0.5, positive=positive).tree_.label
        nobody = with_decision(model, threshold=1, positive=positive).tree_.label
        assert (everybody == positive).all()
        assert (nobody == 1 - positive).all()


def test_a_rare_class_is_called_less_and_its_prevalence_keeps_its_digits():
    model = of_shares([1e-7, 2e-6, 0.5, 1 - 1e-7], 1)
    X = np.arange(4.0)[:, None]
    assert_array_equal(with_decision(model, prevalence=0.5).predict(X), [0, 0, 1, 1])
    share = model.tree_.value[0, 0, 1]
    for prevalence in (1e-6, 1e-3, 0.1, 0.9, 1 - 1e-6):
        odds = prevalence / (1 - prevalence) * (1 - share) / share
        p = model.predict_proba(X)[:, 1]
        wanted = odds * p > 1 - p
        assert_array_equal(with_decision(model, prevalence=prevalence).predict(X) == 1, wanted)


def test_costs_of_the_fit_are_the_usual_ones():
    X, y = table(3)
    costs = [[0, 1], [6, 0]]
    model = DecisionTreeClassifier(max_leaf_nodes=8, costs=costs).fit(X, y)
    point = operating_point(model, X, y, prevalence=0.3)
    assert_array_equal(point.costs, costs)
    decided = with_decision(model, prevalence=model.tree_.value[0, 0, 1])
    assert_allclose(decided.tree_.costs, costs)
    assert_array_equal(decided.predict(X), model.predict(X))
    twice = with_decision(with_decision(model, prevalence=0.1), prevalence=0.3)
    assert_array_equal(twice.tree_.costs, with_decision(model, prevalence=0.3).tree_.costs)


def test_bad_decisions_get_a_sentence():
    model, X, y = grown(6)
    point = operating_point(model, X, y, recall=0.5)
    with pytest.raises(ValueError, match=r"decision must have one of: .* Got none of them"):
        with_decision(model)
    with pytest.raises(ValueError, match=r"Got both"):
        with_decision(model, point, threshold=0.5)
    with pytest.raises(
        ValueError, match=r"decision must be what treewright.operating_point returns. Got float"
    ):
        with_decision(model, 0.5)
    with pytest.raises(ValueError, match=r"threshold must be a probability. Got 'half'"):
        with_decision(model, threshold="half")
    with pytest.raises(ValueError, match=r"model must be a classifier of one output. Got a regressor"):
        with_decision(DecisionTreeRegressor().fit(X, X[:, 0]), threshold=0.5)
    with pytest.raises(ValueError, match=r"model must be a classifier of one output. Got 2 outputs"):
        with_decision(DecisionTreeClassifier().fit(X, np.column_stack([y, y])), threshold=0.5)
    three, X3, y3 = grown(6, 3)
    with pytest.raises(ValueError, match=r"same classes"):
        with_decision(three, point)
    with pytest.raises(ValueError, match=r"threshold needs two classes. Got 3"):
        with_decision(three, threshold=0.5)
    with pytest.raises(
        ValueError, match=r"needs two classes. Got 3. For more, model.with_decision\(costs=...\)"
    ):
        operating_point(three, X3, y3, recall=0.5)
    with pytest.raises(ValueError, match=r"prevalence must have a share for each of the 3 classes"):
        with_decision(three, prevalence=0.5)
    with pytest.raises(ValueError, match=r"prevalence must sum to 1"):
        with_decision(three, prevalence=[0.5, 0.5, 0.5])
    with pytest.raises(ValueError, match=r"prevalence must name every class once"):
        with_decision(three, prevalence={"a": 0.5, "b": 0.5})


def test_costs_as_a_labelled_frame():
    pandas = pytest.importorskip("pandas")
    model, _, _ = grown(7, 3)
    matrix = np.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]])
    frame = pandas.DataFrame(matrix, list("abc"), list("abc")).loc[list("cab"), list("bca")]
    assert_array_equal(with_decision(model, costs=frame).tree_.costs, matrix)
    with pytest.raises(ValueError, match=r"must be labelled with the classes"):
        with_decision(model, costs=frame.rename(index={"a": "z"}))


def test_out_of_fold_rows_are_dropped_when_the_tree_changes():
    X, y = table(3)
    model = DecisionTreeClassifier(ccp_alpha="cv").fit(X, y)
    assert segments_of(model).source == "out of fold"
    merged = model.with_decision(threshold=0.99, merge=True)
    for changed in (prune(model, "leaf_budget", n_leaves=2), merged):
        assert changed.get_n_leaves() < model.get_n_leaves()
        with pytest.warns(UserWarning, match="training rows"):
            assert segments_of(changed).source == "training"
        with pytest.raises(ValueError, match="cv needs a model as it was fitted"):
            segments_of(changed, X, y, cv=3)
        assert segments_of(changed, X, y).source == "held out"
    assert segments_of(model.with_decision(threshold=0.3)).source == "out of fold"
