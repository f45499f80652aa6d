"""Smoothed probabilities and means: by their definitions, chosen by cross-validation, kept by everything."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

from tests.oracle.smooth import branch, even, events, hierarchical, laplace, m_estimate
from tests.support.strategies import examples
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, Tree, prune, show, tune
from treewright.learn.folds import folds_of
from treewright.learn.params import CLASSIFICATION, PARAMETERS
from treewright.learn.smoothing import METHODS, smoothed

SEEDS = st.integers(0, 10_000)
STRENGTHS = st.sampled_from([0.1, 0.5, 1.0, 7.0, 250.0])


def table(seed, n=120, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, (n, 4)).astype(float)
    y = (X[:, 0] + X[:, 1] + rng.normal(0, 4, n) > 8).astype(int) * (n_classes - 1)
    y[: n_classes * 3] = np.arange(n_classes * 3) % n_classes
    return X, y, rng.integers(0, 4, n).astype(float) + 0.5


def sizes(tree, path):
    """Per node of a path but the last, the weights of its branches."""
    return [tree.weighted_n_node_samples[tree.parent == node] for node in path[:-1]]


def paths(tree):
    """Per node its ancestors from the root on, itself last."""
    found = [[0]]
    for node in range(1, tree.node_count):
        found.append([*found[tree.parent[node]], node])
    return found


@given(SEEDS, STRENGTHS, st.sampled_from([2, 3]))
@examples(3)
def test_every_node_predicts_as_defined(seed, strength, n_classes):
    X, y, w = table(seed, n_classes=n_classes)
    tree = DecisionTreeClassifier(max_depth=5).fit(X, y, sample_weight=w).tree_
    value, n = tree.value[:, 0], tree.weighted_n_node_samples
    found = {method: smoothed(tree, method, strength).prediction[:, 0] for method in METHODS}
    for node, path in enumerate(paths(tree)):
        wanted = {
            "laplace": laplace(value[node], n[node], strength),
            "laplace_shares": laplace(value[node], n[node], strength),
            "even": even(value[node], n[node], strength),
            "m_estimate": m_estimate(value[node], n[node], strength, value[0]),
            "events": events(value[node], n[node], strength, value[0]),
            "pooled": m_estimate(value[node], n[node], strength, value[0]),
            "hierarchical": hierarchical([(value[t], n[t]) for t in path], strength),
            "branch": branch(value[path], sizes(tree, path), strength),
        }
        assert wanted.keys() == METHODS.keys()
        for method, shares in wanted.items():
            got = found[method][node]
            np.testing.assert_allclose(got, [float(share) for share in shares], rtol=1e-9, atol=1e-12)


@given(SEEDS, STRENGTHS, st.sampled_from(sorted(METHODS)))
@examples(3)
def test_smoothed_shares_are_shares_and_never_certain(seed, strength, method):
    X, y, w = table(seed)
    model = DecisionTreeClassifier(smoothing=method, smoothing_strength=strength).fit(X, y, sample_weight=w)
    shares = model.predict_proba(X)
    assert (shares > 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    if METHODS[method].shares_only:
        plain = DecisionTreeClassifier().fit(X, y, sample_weight=w)
        assert (model.predict(X) == plain.predict(X)).all()
    else:
        assert (model.predict(X) == model.classes_[shares.argmax(axis=1)]).all()
    assert np.isfinite(model.predict_log_proba(X)).all()


@given(SEEDS)
@examples()
def test_no_strength_changes_nothing_and_a_great_one_leaves_what_was_known_before(seed):
    X, y, _ = table(seed)
    tree = DecisionTreeClassifier(max_depth=6).fit(X, y).tree_
    for method in METHODS:
        np.testing.assert_allclose(smoothed(tree, method, 0).prediction, tree.value, atol=1e-12)
    for method, shares in (("laplace", [0.5, 0.5]), ("m_estimate", tree.value[0, 0])):
        strong = smoothed(tree, method, 1e12).prediction[:, 0]
        np.testing.assert_allclose(strong, np.broadcast_to(shares, strong.shape), atol=1e-6)
    for method in "hierarchical", "branch":
        strong = smoothed(tree, method, 1e12).prediction[:, 0]
        np.testing.assert_allclose(strong, np.broadcast_to(tree.value[0, 0], strong.shape), atol=1e-6)


@given(SEEDS, STRENGTHS)
@examples(3)
def test_branches_of_several_levels_are_counted_as_the_analysis_of_variance_does(seed, strength):
    X, y, w = table(seed)
    how = {"nominal_splits": "multiway", "categorical_features": [0, 1], "max_depth": 3}
    tree = DecisionTreeRegressor(**how).fit(X, y * 7.5, sample_weight=w).tree_
    assert np.bincount(tree.parent[1:]).max() > 2
    got, value = smoothed(tree, "branch", strength).prediction[:, 0], tree.value[:, 0]
    for node, path in enumerate(paths(tree)):
        wanted = branch(value[path], sizes(tree, path), strength)
        np.testing.assert_allclose(got[node], [float(number) for number in wanted], rtol=1e-9, atol=1e-12)
    # Two branches of 8 rows are 8 rows each; one of 1 and one of 15 count as hardly two.
    assert float(branch([[0.0], [10.0]], [[8, 8]], 8)[0]) == 5.0
    assert float(branch([[0.0], [10.0]], [[1, 15]], 1.875)[0]) == 5.0


def test_a_large_tree_is_smoothed_level_by_level_as_a_small_one(rng):
    X = rng.random((4000, 5))
    tree = DecisionTreeRegressor(max_depth=12, min_samples_leaf=2).fit(X, X.sum(axis=1)).tree_
    assert tree.max_depth <= tree.node_count // 64
    got, value = smoothed(tree, "branch", 7.0).prediction[:, 0], tree.value[:, 0]
    known = paths(tree)
    for node in range(0, tree.node_count, 97):
        wanted = branch(value[known[node]], sizes(tree, known[node]), 7.0)
        assert got[node, 0] == pytest.approx(float(wanted[0]), rel=1e-12)


def test_a_row_in_several_leaves_is_pooled_before_it_is_smoothed():
    X, y, _ = table(5)
    X[::3, 0], X[::5, 1] = np.nan, np.nan
    how = {"missing": "fractional", "max_depth": 3}
    plain = DecisionTreeClassifier(**how).fit(X, y)
    model = DecisionTreeClassifier(smoothing="pooled", smoothing_strength=2.0, **how).fit(X, y)
    n = plain.tree_.shares(X) @ plain.tree_.weighted_n_node_samples
    f = plain.predict_proba(X)
    wanted = (n[:, None] * f + 2.0 * plain.tree_.value[0]) / (n[:, None] + 2.0)
    np.testing.assert_allclose(model.predict_proba(X), wanted, rtol=1e-12)
    assert (model.predict(X) == plain.predict(X)).all()
    assert Tree.from_dict(model.tree_.to_dict()) == model.tree_
    assert pickle.loads(pickle.dumps(model.tree_)) == model.tree_


def test_means_of_numbers_are_shrunk_alike(rng):
    X = rng.random((200, 3))
    y = X[:, 0] * 10 + rng.normal(0, 3, 200)
    tree = DecisionTreeRegressor(max_depth=6).fit(X, y).tree_
    n, value = tree.weighted_n_node_samples, tree.value[:, 0]
    made = DecisionTreeRegressor(max_depth=6, smoothing="hierarchical", smoothing_strength=5).fit(X, y)
    for node, path in enumerate(paths(tree)):
        wanted = float(hierarchical([(value[t], n[t]) for t in path], 5)[0])
        assert made.tree_.prediction[node, 0, 0] == pytest.approx(wanted, rel=1e-9)
    assert (made.predict(X) == made.tree_.prediction[made.apply(X), 0, 0]).all()
    rates = DecisionTreeRegressor(max_depth=6, smoothing="events", smoothing_strength=4).fit(X, y + 20)
    shifted = rates.tree_.value[:, 0]
    for node in range(rates.tree_.node_count):
        wanted = float(events(shifted[node], n[node], 4, shifted[0])[0])
        assert rates.tree_.prediction[node, 0, 0] == pytest.approx(wanted, rel=1e-9)
    several = DecisionTreeRegressor(smoothing="m_estimate").fit(X, np.stack([y, -y], axis=1))
    np.testing.assert_allclose(several.predict(X)[:, 0], -several.predict(X)[:, 1])


@pytest.mark.parametrize("seed", range(5))
def test_monotone_constraints_hold_after_shrinkage(seed):
    rng = np.random.default_rng(seed)
    X = rng.random((150, 2))
    y = (X[:, 0] + rng.normal(0, 0.5, 150) > 0.5).astype(int)
    model = DecisionTreeClassifier(monotonic_cst=[1, 0], smoothing="hierarchical", smoothing_strength=7)
    model.fit(X, y)
    for other in rng.random(10):
        line = np.column_stack([np.linspace(0, 1, 200), np.full(200, other)])
        assert (np.diff(model.predict_proba(line)[:, 1]) >= -1e-12).all()


def by_hand(X, y, method, alphas, how):
    """The mean log loss of held-out rows for each strength and alpha, by fitting all of them."""
    found = {}
    for strength in METHODS[method].tried:
        for alpha in alphas:
            losses = []
            for train, test in how:
                model = DecisionTreeClassifier(
                    ccp_alpha=alpha, smoothing=method, smoothing_strength=strength, min_samples_leaf=3
                ).fit(X[train], y[train])
                shares = model.predict_proba(X[test])
                losses.append(-np.log(shares[np.arange(len(test)), y[test]]))
            found[strength, alpha] = np.concatenate(losses).mean()
    return found


@pytest.mark.parametrize("method", sorted(METHODS))
def test_cross_validation_chooses_alpha_and_strength_as_fitting_every_pair_would(method):
    X, y, _ = table(3, n=90)
    how = [(fold.train, fold.test) for fold in folds_of(StratifiedKFold(3), X, y, None, True)]
    model = DecisionTreeClassifier(
        ccp_alpha="cv", smoothing=method, smoothing_strength="cv", cv=how, min_samples_leaf=3
    ).fit(X, y)
    alphas = model.pruning_curve_.ccp_alphas
    losses = by_hand(X, y, method, alphas, how)
    least = min(losses.values())
    assert losses[model.smoothing_strength_, model.ccp_alpha_] == pytest.approx(least, rel=1e-9)
    for row in model.smoothing_results_:
        best = min(losses[row["smoothing_strength"], alpha] for alpha in alphas)
        assert row["cv_loss"] == pytest.approx(best, rel=1e-9)
    alone = DecisionTreeClassifier(
        ccp_alpha=model.ccp_alpha_, smoothing=method, smoothing_strength="cv", cv=how, min_samples_leaf=3
    ).fit(X, y)
    assert alone.smoothing_strength_ == model.smoothing_strength_
    assert alone.tree_ == model.tree_


def test_the_out_of_fold_predictions_are_kept():
    X, y, w = table(5)
    how = [(fold.train, fold.test) for fold in folds_of(3, X, y, None, True)]
    params = {"smoothing": "hierarchical", "smoothing_strength": 4, "class_weight": "balanced"}
    model = DecisionTreeClassifier(ccp_alpha="cv", cv=how, **params).fit(X, y, sample_weight=w)
    kept = model.out_of_fold_
    assert kept.source == "out of fold"
    np.testing.assert_allclose(kept.weight.sum(axis=0), [w[y == 0].sum(), w[y == 1].sum()])
    np.testing.assert_allclose(kept.squares.sum(), (w**2).sum())
    total = 0.0
    weights = w * (len(y) / (2 * np.bincount(y)))[y]
    for train, test in how:
        params["class_weight"] = None
        alone = DecisionTreeClassifier(ccp_alpha=model.ccp_alpha_, **params)
        shares = alone.fit(X[train], y[train], sample_weight=weights[train]).predict_proba(X[test])
        total += (w[test] * shares[:, 1]).sum()
    assert (kept.score[:, 1] * kept.weight.sum(axis=1)).sum() == pytest.approx(total)


def test_pruning_and_other_forms_keep_what_is_predicted():
    X, y, _ = table(7)
    model = DecisionTreeClassifier(smoothing="hierarchical", smoothing_strength=10).fit(X, y)
    for method, extra in (("cost_complexity", {"alpha": 0.01}), ("minimum_error", {}), ("merge", {})):
        pruned = prune(model, method, **extra)
        again = smoothed(pruned.tree_, "hierarchical", 10)
        assert pruned.tree_ == again
        assert pruned.get_n_leaves() < model.get_n_leaves()
    raised = prune(model, "pessimistic", X, y, raising=True)
    assert raised.tree_ == smoothed(raised.tree_, "hierarchical", 10)
    assert Tree.from_dict(model.tree_.to_dict()) == model.tree_
    assert pickle.loads(pickle.dumps(model)).tree_ == model.tree_
    np.testing.assert_allclose(model.to_sklearn().predict_proba(X), model.predict_proba(X))
    assert "class: " in str(model.tree_)
    show(model)


def test_a_second_fit_forgets_the_first():
    X, y, _ = table(9)
    model = DecisionTreeClassifier(ccp_alpha="cv", smoothing="hierarchical").fit(X, y)
    assert model.smoothing_strength_ in METHODS["hierarchical"].tried
    model.set_params(ccp_alpha=0.0, smoothing=None).fit(X, y)
    for name in ("smoothing_strength_", "smoothing_results_", "out_of_fold_", "cv_results_"):
        assert not hasattr(model, name)
    assert not len(model.tree_.estimate)
    assert (model.tree_.prediction == model.tree_.value).all()


def test_laplace_adds_one_of_each_class_by_default():
    X, y = np.array([[0.0], [0.0], [0.0], [1.0]]), np.array(["a", "a", "b", "b"])
    model = DecisionTreeClassifier(smoothing="laplace").fit(X, y)
    np.testing.assert_allclose(model.predict_proba([[0.0], [1.0]]), [[3 / 5, 2 / 5], [1 / 3, 2 / 3]])
    two = DecisionTreeClassifier(smoothing="laplace", smoothing_strength=2).fit(X, y)
    np.testing.assert_allclose(two.predict_proba([[1.0]]), [[2 / 5, 3 / 5]])
    mixed = DecisionTreeClassifier(smoothing="m_estimate").fit(X, y)
    np.testing.assert_allclose(mixed.predict_proba([[1.0]]), [[1 / 3, 2 / 3]])


def test_tune_searches_the_smoothing_too():
    X, y, _ = table(11)
    found = tune(
        DecisionTreeClassifier(),
        X,
        y,
        max_depth=[2, 4],
        min_samples_leaf=[2],
        smoothing=[None, "laplace", "hierarchical"],
    )
    ways_tried = {(row["smoothing"], row["smoothing_strength"]) for row in found.tried}
    assert ways_tried == {(None, None)} | {
        (method, amount) for method in ("laplace", "hierarchical") for amount in METHODS[method].tried
    }
    assert found.loss == "log_loss"
    assert found.model.smoothing == found.best["smoothing"]
    least = min(row["cv_loss"] for row in found.tried)
    assert found.best["cv_loss"] == pytest.approx(least)
    only = tune(DecisionTreeClassifier(smoothing="m_estimate"), X, y, max_depth=[3], min_samples_leaf=[2])
    assert {(row["smoothing"], row["smoothing_strength"]) for row in only.tried} == {("m_estimate", 2.0)}
    assert "smoothing" in str(found)


def test_the_table_of_parameters_knows_all_ways():
    rule = next(parameter for parameter in PARAMETERS[CLASSIFICATION] if parameter.name == "smoothing")
    for method in METHODS:
        rule.check(method)
    with pytest.raises(ValueError, match=", ".join(map(repr, ["laplace", "laplace_shares", "even"]))):
        rule.check("other")


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (DecisionTreeRegressor(smoothing="laplace"), "needs classes"),
        (DecisionTreeClassifier(smoothing_strength=2.0), "Name it with smoothing"),
        (DecisionTreeClassifier(smoothing="laplace", smoothing_strength=-1), "smoothing_strength must be"),
        (DecisionTreeClassifier(smoothing="laplace", monotonic_cst=[1, 0, 0, 0]), "breaks monotonic_cst"),
        (DecisionTreeClassifier(smoothing="hierarchical", pruning="reduced_error"), "works without rows"),
    ],
)
def test_what_cannot_be_smoothed_gets_a_sentence(model, sentence):
    X, y, _ = table(1)
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, y)


def test_a_list_of_strengths_must_be_numbers():
    X, y, _ = table(1)
    with pytest.raises(ValueError, match="list of numbers"):
        tune(DecisionTreeClassifier(), X, y, smoothing=["laplace"], smoothing_strength=["cv"])


def test_estimates_must_fit_the_tree():
    leaf = {"value": [0.5, 0.5], "estimate": [0.4, 0.6]}
    with pytest.raises(ValueError, match='Every node must have an "estimate"'):
        Tree.from_dict({"feature": 0, "threshold": 1, "left": leaf, "right": leaf})
    with pytest.raises(ValueError, match='"estimate" must have the shape of "value"'):
        Tree.from_dict({"value": [0.5, 0.5], "estimate": 0.5})
    assert Tree.from_dict(leaf).predict(np.zeros((1, 1))).tolist() == [[0.4, 0.6]]
