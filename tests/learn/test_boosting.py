"""Boosting by C5.0's weights: against the definition, scikit-learn's checks, and files."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import treewright as tw
from tests.support.sklearn_checks import BY_MEAN_WEIGHT, checked
from tools.fuzz_damage import rehashed
from treewright.classics import c50, like
from treewright.learn.boosting.later import leaves_of
from treewright.learn.boosting.trials import Weights, why_no_more
from treewright.learn.fitted_tree import as_fitted
from treewright.learn.model_file import FileError, read
from treewright.tree.tree import tree_from_dict


@pytest.fixture(scope="module")
def credit():
    table = tw.load_example("credit")
    return table.drop(columns="target"), table["target"]


@pytest.fixture(scope="module")
def model(credit):
    return c50(trials=4).fit(*credit)


def test_scikit_learn_accepts_it():
    checked(tw.BoostedTreeClassifier(n_estimators=3), BY_MEAN_WEIGHT)


def test_weights_move_to_wrong_rows_as_defined():
    codes = np.array([0, 0, 0, 1, 1])
    rows = Weights(5, codes, np.ones(5), np.zeros((5, 2)))
    labels = np.array([0, 0, 0, 0, 1])  # one is wrong
    rows.count(0, np.eye(2)[labels])
    rows.weigh(labels)
    # W = 4, V = 1, x = 3/4: right rows keep (4 - 3/4) / 4, the wrong one gets 3/4 more; the mean stays 1
    np.testing.assert_allclose(rows.weight, [3.25 / 4] * 3 + [1.75] + [3.25 / 4], rtol=1e-6)
    assert rows.weight.mean() == pytest.approx(1)


@pytest.mark.parametrize("scale", [2.0**-20, 2.0**20])  # exact: ties stay ties
def test_only_the_proportions_of_weights_count(scale, credit):
    X, y = credit
    weight = np.where(y == "bad", 2.0, 1.0)
    boosted = tw.BoostedTreeClassifier(tw.DecisionTreeClassifier(max_depth=3), 3)
    fitted = [clone(boosted).fit(X, y, sample_weight=weight * each) for each in (1.0, scale)]
    assert len(fitted[0].estimators_) == len(fitted[1].estimators_) == 3
    np.testing.assert_allclose(fitted[0].predict_proba(X), fitted[1].predict_proba(X), rtol=1e-6)


def test_a_row_that_cannot_win_any_more_is_dropped():
    rows = Weights(4, np.array([0, 1]), np.ones(2), np.zeros((2, 2)))
    for trial in range(3):
        assert rows.in_play.all()
        rows.count(trial, np.array([[1.0, 0.0], [0.7, 0.0]]))
        rows.weigh(np.array([0, 0]))
    assert rows.in_play.tolist() == [True, False]  # 2.1 votes against 0, and one trial is left


@pytest.mark.parametrize(
    ("trial", "leaves", "wrong", "used", "why"),
    [
        (0, 1, 3.0, True, ""),
        (1, 1, 3.0, False, "leaf"),
        (1, 3, 4.9, False, "inaccurate"),
        (1, 3, 4.8, True, ""),
        (2, 3, 0.05, True, "accurate"),
        (0, 3, 0.2, True, ""),
    ],
)
def test_when_no_trial_follows(trial, leaves, wrong, used, why):
    found, text = why_no_more(trial, leaves, wrong, 10)
    assert found is used
    assert why in text
    assert bool(text) == bool(why)


def test_the_vote_is_the_sum_of_what_the_trees_say(model, credit):
    X, _ = credit
    total = np.zeros((len(X), 2))
    for member in model.estimators_:
        said, sure = member.predict(X), member.predict_proba(X)
        for place, label in enumerate(model.classes_):
            total[:, place] += np.where(said == label, sure[:, place], 0)
    np.testing.assert_allclose(model.votes(X), total)
    np.testing.assert_allclose(model.predict_proba(X), total / total.sum(axis=1, keepdims=True))
    assert (model.predict(X) == model.classes_[total.argmax(axis=1)]).all()
    stages = list(model.staged_predict(X))
    assert (stages[0] == model.estimators_[0].predict(X)).all()
    assert (stages[-1] == model.predict(X)).all()


def test_it_fits_better_than_its_first_tree_which_is_that_of_c50(model, credit):
    X, y = credit
    alone = c50().fit(X, y)
    assert model.estimators_[0].tree_ == alone.tree_
    assert model.score(X, y) > alone.score(X, y)
    n_leaves = [trial.n_leaves for trial in model.trials_]
    assert max(n_leaves[1:]) <= round(1.1 * n_leaves[0])
    assert model.get_n_leaves() == sum(n_leaves)
    assert model.feature_importances_.sum() == pytest.approx(1)


def test_a_table_without_errors_has_one_tree():
    X = np.array([[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]])
    found = c50(trials=10).fit(X, [0, 0, 0, 1, 1, 1])
    assert len(found.estimators_) == 1
    assert "accurate" in found.stopped_
    assert as_fitted(found).alone.tree.n_leaves == 2  # so that everything works with it
    assert tw.explain(found, X[:1])


def test_weights_and_a_clone(credit):
    X, y = credit
    weight = np.where(np.arange(len(y)) % 2, 1.0, 2.0)
    one, other = (
        c50(trials=3).fit(X, y, sample_weight=weight),
        c50(trials=3).fit(X, y, sample_weight=2 * weight),
    )
    assert (one.predict(X) == other.predict(X)).all()
    assert (clone(one).fit(X, y, sample_weight=weight).predict(X) == one.predict(X)).all()


@pytest.mark.parametrize("wrong", [{"n_estimators": 0}, {"n_estimators": 2.5}, {"estimator": 3}])
def test_wrong_parameters(wrong, credit):
    with pytest.raises(ValueError, match="must be"):
        tw.BoostedTreeClassifier(**wrong).fit(*credit)


def test_several_outputs_are_refused(credit):
    X, y = credit
    with pytest.raises(ValueError, match="one column of labels"):
        tw.BoostedTreeClassifier(tw.DecisionTreeClassifier(max_depth=2)).fit(X, np.column_stack([y, y]))


# -- files


def test_a_file_keeps_all_trees(model, credit, tmp_path):
    X, _ = credit
    path = model.save(tmp_path / "boosted.tree.json")
    loaded = tw.load(path)
    assert [member.tree_ for member in loaded.estimators_] == [member.tree_ for member in model.estimators_]
    assert (loaded.trials_, loaded.stopped_, loaded.n_estimators) == (model.trials_, "", 4)
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert read(path).predict(X).tolist() == model.predict(X).tolist()
    assert loaded.save(tmp_path / "again.tree.json").read_bytes() == path.read_bytes()


DAMAGE = [
    ("n_estimators", 0, "whole number in 1"),
    ("n_estimators", 2, "fewer than n_estimators"),
    ("n_estimators", True, "whole number in 1"),
    ("stopped", None, "must be text"),
    ("trials", [], "for each tree"),
    ("trials", [[1, 2, -1.0, 3]] * 4, "for each tree"),
    ("trials", [[1, 2, "nan", 3]] * 4, "for each tree"),
    ("members", {}, "must list fewer"),
    ("members", [{}], "must list fewer"),
    ("more", 1, "must be an object with"),
]


@pytest.mark.parametrize(("key", "value", "sentence"), DAMAGE)
def test_damaged_files_are_refused(model, tmp_path, key, value, sentence):
    doc = json.loads(model.save(tmp_path / "b.tree.json").read_text())
    doc["boosted"][key] = value
    with pytest.raises(FileError, match=sentence):
        read(rehashed(doc))


def test_a_tree_of_other_classes_is_refused(model, tmp_path):
    doc = json.loads(model.save(tmp_path / "b.tree.json").read_text())
    doc["boosted"]["members"][1]["tree"]["n_classes"] = [3]
    with pytest.raises(FileError, match="must have"):
        read(rehashed(doc))


def test_files_that_hold_several_kinds_of_models_are_refused(model, credit, tmp_path):
    doc = json.loads(model.save(tmp_path / "b.tree.json").read_text())
    of_best = ("params", "fitted", "decision", "tree")
    with pytest.raises(FileError, match='must not stand beside "best"'):
        read(rehashed(doc | {"best": {name: doc[name] for name in of_best}}))
    numbers = tw.DecisionTreeRegressor(max_depth=2).fit(credit[0], np.arange(1000.0))
    regressor = json.loads(numbers.save(tmp_path / "r.tree.json").read_text())
    member = {name: regressor[name] for name in of_best}
    boosted = {"n_estimators": 2, "stopped": "", "trials": [[4, 1, 1.0, 10]] * 2, "members": [member]}
    with pytest.raises(FileError, match="a classifier of one output"):
        read(rehashed(regressor | {"boosted": boosted}))
    rules = json.loads(c50(rules=True, trials=3).fit(*credit).save(tmp_path / "s.tree.json").read_text())
    del rules["boosted"]["members"][1]["rules"]
    with pytest.raises(FileError, match=r"must have .rules., or none"):
        read(rehashed(rules))


# -- all other functions take one tree, and say so


def test_what_needs_one_tree_says_so(model, credit):
    X, y = credit
    calls = [tw.draw, tw.rules, tw.export_text]
    calls += [lambda m: tw.explain(m, X[:1]), lambda m: tw.counterfactual(m, X[:1])]
    calls += [lambda m: tw.export(m, to="python"), lambda m: tw.prune(m, "leaf_budget", n_leaves=2)]
    calls += [lambda m: tw.shapley_values(m, X[:1]), lambda m: tw.leaves(m, X, y)]
    calls += [lambda m: tw.next_best_splits(m, X, y)]
    for call in calls:
        with pytest.raises(ValueError, match=r"boosted model of 4\. Give one of its trees: model.est"):
            call(model)


def test_sets_of_rules_are_boosted_too(credit, tmp_path):
    X, y = credit
    found = c50(rules=True, trials=3).fit(X, y)
    assert [type(member).__name__ for member in found.estimators_] == ["RuleSetClassifier"] * 3
    assert found.score(X, y) > found.estimators_[0].score(X, y)
    loaded = tw.load(found.save(tmp_path / "rules.tree.json"))
    np.testing.assert_array_equal(loaded.predict_proba(X), found.predict_proba(X))
    assert "3 sets of rules vote" in tw.report(found, X, y).html


def test_shown_are_all_trials(model, capsys):
    tw.show(model, width=90)
    text = capsys.readouterr().out
    heads = [line[:14] for line in text.splitlines() if line.startswith("-----")]
    assert heads == [f"-----  Trial {k}" for k in range(4)]
    assert "4 trees vote" in text


# -- C5.0's own options


def test_the_program_s_flags_are_the_options_of_r():
    line = like("c5.0 -t 10 -w -p -g -s -c 30 -m 4 -S 80 -I 7")
    typed = c50(
        trials=10,
        winnow=True,
        fuzzyThreshold=True,
        noGlobalPruning=True,
        CF=0.3,
        minCases=4,
        sample=0.8,
        seed=7,
    )
    assert line.get_params() | {"estimator": None} == typed.get_params() | {"estimator": None}
    assert line.estimator.get_params() == typed.estimator.get_params()
    assert like("c5.0 -b").n_estimators == 10
    assert like("c5.0 -g").nominal_splits == "multiway"  # the program groups levels only with -s, R always
    assert like("c5.0").nominal_splits == "merged"
    assert c50("-e", costs=[[0, 2], [1, 0]]).costs is None


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"trials": 0}, "trials of C5.0"),
        ({"trials": 101}, "trials of C5.0"),
        ({"sample": 1}, "sample of C5.0"),
        ({"winnow": 3}, "winnow of C5.0"),
        ({"options": "-X 5"}, "nested_cv_score"),
        ({"options": "-t"}, "must have a value"),
    ],
)
def test_wrong_options(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        c50(**options)


def test_a_sample_is_drawn_by_the_seed(credit):
    X, y = credit
    trees = [c50(sample=0.5, seed=seed).fit(X, y).tree_ for seed in (1, 1, 2)]
    assert trees[0] == trees[1] != trees[2]
    assert trees[0].n_node_samples[0] == len(y) // 2
    np.testing.assert_allclose(trees[0].value[0, 0, 0], (y == "bad").mean(), atol=1e-3)


# -- columns that are winnowed


def test_winnowing_leaves_noise_out():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(300, 6)), columns=list("abcdef"))
    y = np.where(frame["a"] + rng.normal(size=300) / 3 > 0, "yes", "no")
    found = c50(winnow=True).fit(frame, y)
    removed = found.winnowing_["removed"]
    assert "a" not in removed
    assert "a" in found.winnowing_["importance"]
    assert not {frame.columns[j] for j in found.tree_.used} & set(removed)
    alone = c50().fit(frame.drop(columns=removed), y)
    kept = [name for name in frame.columns if name not in removed]
    assert [kept[j] for j in alone.tree_.used] == [frame.columns[j] for j in found.tree_.used]
    assert (alone.predict(frame[kept]) == found.predict(frame)).all()


def test_a_single_row_is_a_leaf():
    for trials in (1, 3):
        model = c50(winnow=True, trials=trials).fit([[1.0]], ["a"])
        assert model.predict([[2.0]]).tolist() == ["a"]


def test_without_early_stopping_all_trials_are_made(tmp_path):
    X, y = pd.DataFrame({"x": range(20)}), np.repeat([0, 1], 10)  # the first tree makes no error
    assert len(c50(trials=5).fit(X, y).estimators_) == 1
    model = c50(trials=5, earlyStopping=False).fit(X, y)
    assert len(model.estimators_) == 5
    assert (model.predict(X) == y).all()
    again = tw.load(model.save(tmp_path / "all.tree.json"))
    assert again.early_stopping is False
    assert len(clone(again).fit(X, y).estimators_) == 5
    noise = np.random.RandomState(0).randint(0, 2, 20)  # trees that are wrong for half of the weight
    assert len(c50(trials=6, earlyStopping=False).fit(X, noise).estimators_) == 6
    doc = json.loads((tmp_path / "all.tree.json").read_text())
    doc["boosted"]["early_stopping"] = 1
    with pytest.raises(FileError, match="early_stopping"):
        read(rehashed(doc))
    with pytest.raises(ValueError, match="early_stopping must be True or False"):
        tw.BoostedTreeClassifier(early_stopping="no").fit(X, y)


def test_later_trials_have_the_size_of_the_first_tree_without_empty_leaves():
    leaf = {"value": [0.0, 1.0]}
    children = [leaf | {"weight": weight} for weight in (3.0, 0.0, 2.0)]
    levels = {"feature": 0, "levels": [["a", "b"], ["c"], ["d"]], "children": children, "weight": 5.0}
    columns = [{"kind": "nominal", "levels": ["a", "b", "c", "d"]}]
    tree = tree_from_dict(levels | {"value": [0.0, 1.0], "columns": columns, "classes": ["x", "y"]})
    assert leaves_of(tree, by_level=False) == 2
    assert leaves_of(tree, by_level=True) == 3
