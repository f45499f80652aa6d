"""The stability of splits: against trees that are fitted one by one, and what must hold of any table."""

import itertools

import numpy as np
import pandas as pd
import pytest

import treewright
from treewright import classics, lab
from treewright.interpret.growth import stability
from treewright.interpret.growth.same_splits import compared


def iris():
    table = treewright.load_example("iris")
    return table.drop(columns="species"), table["species"]


def test_trees_of_samples_are_those_of_a_plain_fit(monkeypatch):
    X, y = iris()
    model = treewright.DecisionTreeClassifier(max_depth=3, min_samples_leaf=3).fit(X, y)
    kept = []
    from treewright.interpret.growth import bootstrap

    real = bootstrap.grow_and_prune

    def watched(estimator, problem, *rest):
        real(estimator, problem, *rest)
        kept.append((problem.target.y[:, 0].copy(), estimator.tree_))

    monkeypatch.setattr(bootstrap, "grow_and_prune", watched)
    found = lab.stability(model, X, y, repeats=4, random_state=1)
    assert len(kept) == 4
    seed = np.random.RandomState(1).randint(2**31 - 1)
    generator = np.random.default_rng(seed)
    drawn = [np.sort(generator.integers(0, 150, 150)) for _ in range(4)]
    models = [model.fresh().fit(X.iloc[rows], y.iloc[rows]) for rows in drawn]
    trees = [each.tree_ for each in models]
    assert sorted(tree.digest for _, tree in kept) == sorted(tree.digest for tree in trees)
    same = compared(model.tree_, trees, {}).same
    assert [each.chosen for each in found] == same.mean(axis=0)[~model.tree_.is_leaf].tolist()
    changed = np.mean([each.predict(X) != model.predict(X) for each in models], axis=0)
    assert found.row_changes.tolist() == changed.tolist()


def one_split(levels, left, y):
    """A tree of one split: these levels, and the others."""
    X = pd.DataFrame({"level": levels})
    tree = treewright.DecisionTreeClassifier(max_depth=1).fit(X, y)
    assert {frozenset(group) for group in tree.tree_.test(0).levels} == {
        frozenset(left),
        frozenset(range(4)) - frozenset(left),
    }
    return tree.tree_


@pytest.mark.parametrize(("left", "moved"), [({0, 1}, 0), ({2, 3}, 0), ({0}, 3), ({0, 1, 2}, 1), ({0, 2}, 4)])
def test_groups_of_levels_move_by_the_rows_of_their_levels(left, moved):
    rows = [4, 3, 1, 6]
    levels, codes = np.repeat(list("abcd"), rows), np.repeat(np.arange(4), rows)
    tree = one_split(levels, {0, 1}, codes < 2)
    other = one_split(levels, left, np.isin(codes, list(left)))
    found = compared(tree, [other], {0: np.array(rows)})
    assert found.same.tolist() == [[True, False, False]]
    assert found.moved[0, 0] == pytest.approx(moved / 14)


def test_groups_of_levels_in_the_table_the_drawing_and_the_page():
    table = treewright.load_example("credit")[["purpose", "duration", "target"]]
    X, y = table[["purpose"]], table["target"]
    model = treewright.DecisionTreeClassifier(max_depth=2).fit(X, y)
    found = lab.stability(model, X, y, repeats=30)
    assert all(each.chosen == 1 for each in found if each.node == 0)  # the only column
    assert 0 < found.splits[0].moved < 0.5
    assert found.splits[0].low is None
    assert found.splits[0].threshold is None
    assert "rows moved" in str(found)
    assert "% of its rows in another branch" in treewright.draw(model, stability=found).svg
    payload = treewright.report(model, X, y, stability=found).payload
    assert payload["stability"]["nodes"]["0"]["rows_moved"] == found.splits[0].moved
    numbers = lab.stability(
        treewright.DecisionTreeClassifier(max_depth=2).fit(table[["duration"]], y),
        table[["duration"]],
        y,
        repeats=3,
    )
    assert "rows moved" not in str(numbers)


@pytest.mark.parametrize("nominal_splits", ["subset", "one_vs_rest", "merged", "multiway"])
def test_what_moves_is_the_rows_of_the_node_beside_the_best_naming_of_branches(nominal_splits, monkeypatch):
    X = treewright.load_example("credit")[["credit_history"]]
    y = treewright.load_example("credit")["target"]
    missing = "fractional" if nominal_splits == "merged" else "learned"
    model = treewright.DecisionTreeClassifier(max_depth=1, nominal_splits=nominal_splits, missing=missing)
    model.fit(X, y)
    kept = []
    real = stability.bootstrap_trees
    monkeypatch.setattr(stability, "bootstrap_trees", lambda *given: kept.extend(real(*given)) or kept)
    found = lab.stability(model, X, y, repeats=8)
    codes = pd.Categorical(X["credit_history"]).codes
    mine = branch_of(model.tree_, codes)
    shares = []
    for other in kept:
        theirs = branch_of(other, codes)
        both = (mine >= 0) & (theirs >= 0)
        namings = itertools.permutations(range(5))
        shares.append(1 - max(np.mean(np.array(each)[mine[both]] == theirs[both]) for each in namings))
    assert found.splits[0].chosen == 1  # there is no other column
    assert found.splits[0].moved == pytest.approx(np.mean(shares))


def branch_of(tree, codes):
    branch = {code: k for k, group in enumerate(tree.test(0).levels) for code in group}
    return np.array([branch.get(code, -1) for code in codes.tolist()])


def test_a_certain_split_is_always_chosen_again():
    X = np.column_stack([np.repeat([0.0, 1.0], 100), np.random.default_rng(0).normal(size=200)])
    model = treewright.DecisionTreeClassifier().fit(X, X[:, 0])
    found = lab.stability(model, X, X[:, 0], repeats=20)
    assert found.splits[0].chosen == 1
    assert found.splits[0].low == found.splits[0].high == 0.5
    assert found.columns == {"feature_0": 1.0, "feature_1": 0.0}
    assert not found.row_changes.any()


def test_a_single_leaf_has_no_table():
    X, y = np.arange(30.0)[:, None], ["a"] * 30
    text = str(lab.stability(treewright.DecisionTreeClassifier().fit(X, y), X, y, repeats=3))
    assert text.startswith("The tree is a single leaf, without a split")
    assert "The trees of the samples have 1 leaf (10 % to 90 %)." in text
    assert "chosen again" not in text


def test_an_old_name_of_the_criterion_is_warned_of_once():
    """By the fit: warnings are errors here."""
    X, y = iris()
    with pytest.warns(FutureWarning, match="friedman_mse"):
        model = treewright.DecisionTreeRegressor(criterion="friedman_mse", max_depth=2).fit(X, y == "setosa")
    assert len(lab.trace(model, X, y == "setosa")) == 1
    assert lab.stability(model, X, y == "setosa", repeats=2).repeats == 2
    with pytest.warns(FutureWarning) as seen:
        lab.candidates(X, y == "setosa", "friedman_mse")
    assert len(seen) == 1


def test_a_long_test_keeps_its_threshold_in_the_plot():
    draws = np.random.default_rng(0)
    X = pd.DataFrame(
        {"a column whose name is longer than a label of a plot can be, whatever": draws.random(60)}
    )
    y = (X.iloc[:, 0] > 0.5).astype(int)
    found = lab.stability(treewright.DecisionTreeClassifier(max_depth=1).fit(X, y), X, y, repeats=5)
    label = found.plot().get_yticklabels()[0].get_text()
    assert "…" in label
    assert f"<= {found.splits[0].test.split('<= ')[1]}  [" in label


def test_it_is_reproducible_whatever_the_threads():
    X, y = iris()
    one, two = (treewright.DecisionTreeClassifier(max_depth=3, n_jobs=n).fit(X, y) for n in (1, 2))
    first, second = lab.stability(one, X, y, repeats=12), lab.stability(two, X, y, repeats=12)
    assert first.splits == second.splits
    assert lab.stability(one, X, y, repeats=12, random_state=5).splits != first.splits


def test_a_split_is_chosen_again_at_most_as_often_as_those_above():
    table = treewright.load_example("credit")
    X, y = table.drop(columns="target"), table["target"]
    model = treewright.fit(table, "target", max_depth=4)
    found = lab.stability(model, X, y, repeats=15)
    tree = model.fitted_tree.tree
    for each in found:
        if each.node:
            assert each.chosen <= found.at(int(tree.parent[each.node])).chosen
    assert "bootstrap samples" in str(found)
    assert len(found.to_frame()) == len(found)
    assert found.plot().get_xlabel() == "chosen again, of 15 bootstrap samples"


def test_numbers_and_weights():
    draws = np.random.default_rng(0)
    X = draws.normal(size=(120, 2))
    y = X[:, 0] + draws.normal(size=120)
    weights = draws.integers(0, 3, 120).astype(float)
    model = treewright.DecisionTreeRegressor(max_leaf_nodes=5).fit(X, y, weights)
    found = lab.stability(model, X, y, repeats=10, sample_weight=weights)
    assert found.row_spread.shape == (120,)
    assert (found.row_spread > 0).any()
    assert "standard deviation" in str(found)


@pytest.mark.parametrize("program", ["c45", "j48", "rpart", "rep_tree"])
def test_programs_that_prune_by_rows(program):
    table = treewright.load_example("hepatitis")
    X, y = table.drop(columns=table.columns[-1]), table[table.columns[-1]]
    found = lab.stability(getattr(classics, program)().fit(X, y), X, y, repeats=3)
    assert all(0 <= each.chosen <= 1 for each in found)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"repeats": 1}, "repeats must be an int of at least 2"),
        ({"repeats": 2.5}, "repeats must be an int of at least 2"),
        ({"random_state": "x"}, "random_state must be"),
    ],
)
def test_bad_options(options, sentence):
    X, y = iris()
    with pytest.raises(ValueError, match=sentence):
        lab.stability(treewright.DecisionTreeClassifier(max_depth=2).fit(X, y), X, y, **options)


def test_other_rows_are_one_sentence():
    X, y = iris()
    model = treewright.DecisionTreeClassifier(max_depth=2).fit(X, y)
    with pytest.raises(ValueError, match="Got 120 rows in node 0, where the tree counted 150"):
        lab.stability(model, X[:120], y[:120])
    with pytest.raises(ValueError, match="must be the training rows of the model"):
        lab.stability(model, X, np.roll(y, 1))


def test_the_drawing_and_the_report_show_it():
    X, y = iris()
    model = treewright.DecisionTreeClassifier(max_depth=2).fit(X, y)
    found = lab.stability(model, X, y, repeats=10)
    svg = treewright.draw(model, stability=found).svg
    assert f"chosen again: {100 * found.splits[0].chosen:.0f}%" in svg
    assert "chosen again" not in treewright.draw(model).svg
    assert "of 10 bootstrap samples" in svg
    payload = treewright.report(model, X, y, stability=found).payload
    assert payload["stability"]["repeats"] == 10
    assert payload["stability"]["nodes"]["0"]["chosen"] == found.splits[0].chosen
    assert treewright.report(model, X, y).payload["stability"] is None
    other = treewright.DecisionTreeClassifier(max_depth=3).fit(X, y)
    for call in (
        lambda: treewright.draw(other, stability=found),
        lambda: treewright.report(other, X, y, stability=found),
    ):
        with pytest.raises(ValueError, match="stability must be that of the model"):
            call()
    for call in (lambda: treewright.draw(model, stability=1), lambda: treewright.report(model, stability=1)):
        with pytest.raises(ValueError, match="stability must be"):
            call()
    with pytest.raises(ValueError, match="needs the training rows"):
        treewright.report(model, stability=True)
