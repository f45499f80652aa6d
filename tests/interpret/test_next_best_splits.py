"""The next-best splits of a split: exact, and never better than what was chosen."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import examples
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, prune
from treewright.interpret.explanation import explain
from treewright.interpret.next_best.search import split_search
from treewright.interpret.next_best.splits import CHANGED, next_best_splits
from treewright.tree.tree import tree_from_dict

pd = pytest.importorskip("pandas")

CRITERIA = {
    DecisionTreeClassifier: ("gini", "entropy", "error", "sqrt_gini"),
    DecisionTreeRegressor: ("squared_error", "absolute_error", "poisson"),
}
MISSING = ("learned", "branch", "surrogate", "fractional")


def table(seed, n=40):
    """Numbers with ties, levels, gaps, and weights of which some are 0."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 6, n) * 1.0,
            "b": np.round(rng.normal(size=n), 1),
            "c": pd.Categorical(rng.choice(list("pqrst"), n)),
            "d": rng.integers(0, 3, n),
        }
    )
    for name in "abc":
        X.loc[rng.random(n) < 0.2, name] = None
    return X, rng.integers(0, 3, n), rng.integers(1, 5, n) / 2, rng.integers(0, 4, n) / 2


@st.composite
def problems(draw):
    """A model, not yet fitted, with its rows and weights."""
    kind = draw(st.sampled_from(sorted(CRITERIA, key=str)))
    missing = draw(st.sampled_from(MISSING))
    splits = draw(st.sampled_from(["subset", "one_vs_rest", "multiway"][: 3 - (missing == "surrogate")]))
    X, labels, numbers, weights = table(draw(st.integers(0, 2**32 - 1)))
    options = {"criterion": draw(st.sampled_from(CRITERIA[kind])), "missing": missing, "max_depth": 4}
    options |= draw(
        st.sampled_from([{}, {"min_samples_leaf": 3}, {"min_samples_leaf": 0.1}, {"min_samples_split": 9}])
    )
    options |= draw(st.sampled_from([{}, {"min_weight_fraction_leaf": 0.1}, {"min_impurity_decrease": 0.01}]))
    if kind is DecisionTreeClassifier:
        costs = [[0, 1, 2], [3, 0, 1], [1, 1, 0]]
        extra = [{}, {"class_weight": "balanced"}, {"priors": [0.2, 0.3, 0.5]}, {"costs": costs}]
        options |= draw(st.sampled_from(extra))
    model = kind(nominal_splits=splits, **options)
    return (
        model,
        X,
        labels if kind is DecisionTreeClassifier else numbers,
        draw(st.sampled_from([None, weights])),
    )


def slack(model, node):
    """Scores are compared to 40 bits of what the node has to lose."""
    tree = model.tree_
    return 1e-9 * max(1.0, float(tree.weighted_n_node_samples[node] * tree.impurity[node]))


@given(problems())
@examples(3)
def test_no_next_best_split_gains_more_than_the_split(problem):
    model, X, y, weights = problem
    model.fit(X, y, sample_weight=weights)
    found = next_best_splits(model, X, y, k=9, sample_weight=weights)
    assert [each.node for each in found] == np.flatnonzero(~model.tree_.is_leaf).tolist()
    for node in found:
        gains = [split.gain for split in node.next_best]
        assert gains == sorted(gains, reverse=True)
        assert node.feature not in {split.feature for split in node.next_best}
        assert all(gain <= node.gain + slack(model, node.node) for gain in gains)


@given(problems())
@examples(3)
def test_the_chosen_column_searched_again_gains_what_the_tree_says(problem):
    """So rows, shares, weights and settings are those of the fit."""
    model, X, y, weights = problem
    model.fit(X, y, sample_weight=weights)
    search = split_search(model, X, y, weights)
    for node in np.flatnonzero(~model.tree_.is_leaf).tolist():
        again = search.best(node, int(model.tree_.feature[node]))
        assert again.gain == pytest.approx(model.tree_.gain[node], abs=slack(model, node))


@pytest.mark.parametrize("seed", [2484685020, 1190247131, 3477944847, 118755385])
def test_a_leaf_that_weighs_just_enough_does_so_among_other_rows(seed):
    """Priors give weights that no grid holds exactly, and the rows of a node are on another grid than all."""
    X, y, _, weights = table(seed)
    options = {"criterion": "sqrt_gini", "missing": "branch", "min_weight_fraction_leaf": 0.1}
    for w in (None, weights):
        for splits in ("subset", "one_vs_rest", "multiway"):
            model = DecisionTreeClassifier(nominal_splits=splits, priors=[0.2, 0.3, 0.5], **options)
            model.fit(X, y, sample_weight=w)
            search = split_search(model, X, y, w)
            for node in np.flatnonzero(~model.tree_.is_leaf).tolist():
                again = search.best(node, int(model.tree_.feature[node]))
                assert again is not None
                assert again.gain == pytest.approx(model.tree_.gain[node], abs=slack(model, node))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("missing", MISSING)
def test_the_next_best_split_is_what_grows_without_the_column(seed, missing):
    X, y, *_ = table(seed, 60)
    options = {"missing": missing, "random_state": 0}
    model = DecisionTreeClassifier(max_depth=3, **options).fit(X, y)
    first = next_best_splits(model, X, y)[0]
    without = DecisionTreeClassifier(max_depth=1, **options).fit(X.drop(columns=first.feature), y)
    assert first.next_best[0].gain == pytest.approx(without.tree_.gain[0])
    named = without.tree_.feature_names[without.tree_.feature[0]]
    assert first.next_best[0].feature == named
    assert first.next_best[0].test.startswith(named)


def test_what_goes_into_a_file_comes_out_in_an_explanation():
    X, y, *_ = table(1, 80)
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    found = next_best_splits(model, X, y, k=2)
    kept = json.loads(json.dumps(found.to_dicts(), allow_nan=False))
    assert [sorted(each) for each in kept] == [["feature", "gain", "node", "test"]] * len(kept)
    for given_so in (found, kept):
        steps = explain(model, X, 3, next_best_splits=given_so).to_dict()["steps"]
        for step in steps:
            assert step["next_best_splits"] == [each for each in kept if each["node"] == step["node"]]
    assert len(kept) == 2 * np.count_nonzero(~model.tree_.is_leaf)


def test_it_prints():
    X, y, *_ = table(1, 80)
    found = next_best_splits(DecisionTreeClassifier(max_depth=1).fit(X, y), X, y, k=1)
    head, then = found.text(100).splitlines()
    assert head == f"node 0: {found[0].test} (gain {found[0].gain:.4g})"
    assert then == f"  next: {found[0].next_best[0].test} (gain {found[0].next_best[0].gain:.4g})"
    assert str(found).startswith("node 0: ")
    assert len(next_best_splits(DecisionTreeClassifier(max_depth=1).fit(X, y), X, y, k=0)) == 0


def test_where_a_next_best_split_may_gain_more_a_note_is_made():
    X, y, *_ = table(2, 80)
    for model, words in [
        (DecisionTreeClassifier(criterion="gain_ratio", max_depth=3), "by gain ratio"),
        (DecisionTreeClassifier(level_correction=True, max_depth=3), "after correction for their levels"),
        (DecisionTreeClassifier(max_features=1, max_depth=3, random_state=0), "max_features=1"),
        (ExtraTreeClassifier(max_depth=3, random_state=0), "splitter='random'"),
    ]:
        found = next_best_splits(model.fit(X, y), X, y)
        assert any(words in note for note in found.notes)
        assert found.notes[0] in " ".join(found.text(120).split("\n"))
    assert next_best_splits(DecisionTreeClassifier(max_depth=3).fit(X, y), X, y).notes == ()


def test_what_is_not_searched_is_reported():
    X, y, *_ = table(2, 80)
    model = DecisionTreeClassifier(max_depth=3).fit(X, y)
    found = next_best_splits(model, X, y, budget=1000)
    assert len(found) == 0
    assert "more than the budget of 1,000" in found.skipped
    assert found.to_dicts() == []


def test_matrices_and_pruned_trees_work_too():
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(120, 3)), 1)
    y = X[:, 0] + X[:, 1] ** 2 + rng.normal(size=120)
    model = prune(DecisionTreeRegressor(min_samples_leaf=5).fit(X, y), alpha=0.05)
    found = next_best_splits(model, X, y)
    assert len(found) == np.count_nonzero(~model.tree_.is_leaf)
    assert all(split.gain <= each.gain + 1e-9 for each in found for split in each.next_best)
    sparse = pytest.importorskip("scipy.sparse")
    assert next_best_splits(model, sparse.csc_matrix(X), y) == found


def test_invalid_input_is_rejected_with_a_sentence():
    X, y, *_ = table(3, 60)
    model = DecisionTreeClassifier(max_depth=3).fit(X, y)
    with pytest.raises(ValueError, match=r"the training rows of the model\. Got 59 rows in node 0"):
        next_best_splits(model, X.iloc[:59], y[:59])
    with pytest.raises(ValueError, match=r"y must be the target of the training rows, with all classes"):
        next_best_splits(model, X, y % 2)
    with pytest.raises(ValueError, match="must have one entry per row of X"):
        next_best_splits(model, X, y[:5])
    with pytest.raises(ValueError, match=r"k must be an int of at least 0 or None\. Got -1\."):
        next_best_splits(model, X, y, k=-1)
    with pytest.raises(ValueError, match="model must know its training parameters"):
        next_best_splits(model.tree_, X, y)
    with pytest.raises(ValueError, match=r"budget must be a number of at least 0\. Got 'much'\."):
        next_best_splits(model, X, y, budget="much")
    plain = X[["d"]].assign(e=np.arange(60))
    held = DecisionTreeRegressor(pruning="reduced_error", max_depth=4).fit(plain, plain["d"])
    rows = held.pruning_["grow_rows"]
    assert len(next_best_splits(held, plain.iloc[rows], plain["d"].iloc[rows])) > 0
    assert len(next_best_splits(held, plain, plain["d"])) > 0


def test_splits_that_were_not_chosen_for_these_rows_are_noted():
    """A tree made by hand asks what nobody chose."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    nested = {"feature": 0, "threshold": 0.5, "n": 20, "impurity": 0.5, "gain": 0, "value": [0.5, 0.5]}
    nested |= {side: {"value": [0.5, 0.5], "n": 10, "impurity": 0.5} for side in ("left", "right")}
    model = DecisionTreeClassifier.from_tree(tree_from_dict(nested, n_features=2, classes=[0, 1]))
    found = next_best_splits(model, X, X[:, 1])
    assert found[0].next_best[0].gain == pytest.approx(10)
    assert found.notes == (CHANGED,)
