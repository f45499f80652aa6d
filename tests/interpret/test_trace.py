"""The trace of growth: the textbook's tree, the real order of growth, and what each step compared."""

import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright
from tests.support.strategies import examples
from tests.support.tennis import tennis
from treewright import classics, lab
from treewright.interpret.growth.cuts import cuts_at
from treewright.present.plots.growth import tree_after


def rounded_gains(step):
    return {each.column: round(each.gain, 3) for each in step.candidates}


def test_the_tennis_tree_grows_as_in_the_textbook():
    X, y = tennis()
    found = lab.trace(classics.id3().fit(X, y), X, y)
    root, *below = found
    assert rounded_gains(root) == {"outlook": 0.247, "humidity": 0.152, "wind": 0.048, "temperature": 0.029}
    assert root.winner.column == "outlook"
    assert root.rows == 14
    assert round(root.impurity, 3) == 0.940
    assert root.margin == pytest.approx(0.2467 - 0.1518, abs=1e-4)
    by_path = {step.path: step for step in below}
    assert rounded_gains(by_path["outlook is sunny"]) == {
        "humidity": 0.971,
        "temperature": 0.571,
        "wind": 0.020,
    }
    assert rounded_gains(by_path["outlook is rainy"]) == {
        "wind": 0.971,
        "temperature": 0.020,
        "humidity": 0.020,
    }
    text = str(found)
    assert "outlook in 3 branches      0.247  <- chosen" in text
    assert "3 steps of growth, depth first" in text
    with pytest.raises(IndexError, match=r"There are 3 steps, counted from 0. Got the place 99"):
        found[99]


def _table(seed, n=60, columns=3, classes=3):
    draws = np.random.default_rng(seed)
    X = draws.integers(0, 9, (n, columns)) + 0.25 * draws.integers(0, 2, (n, columns))
    return X.astype(float), draws.integers(0, classes, n), draws.gamma(1.0, size=n)


@given(seed=st.integers(0, 10_000), leaves=st.integers(2, 9))
@examples(2)
def test_best_first_steps_are_those_of_smaller_limits(seed, leaves):
    X, y, _ = _table(seed)
    found = lab.trace(treewright.DecisionTreeClassifier(max_leaf_nodes=leaves).fit(X, y), X, y)
    for step in range(1, len(found) + 1):
        smaller = treewright.DecisionTreeClassifier(max_leaf_nodes=step + 1).fit(X, y)
        assert tree_after(found, step).tree == smaller.tree_
        waiting = found[step - 1].waiting
        assert all(gain <= found[step - 1].winner.total_gain + 1e-9 for gain in waiting.values())


def test_depth_and_breadth_first():
    X, y, _ = _table(3)
    depth = lab.trace(treewright.DecisionTreeClassifier(max_depth=3).fit(X, y), X, y)
    tree = depth.model.tree
    assert [step.node for step in depth][:2] == [0, int(tree.first_child[0])]
    assert [step.node for step in depth] == _preorder(tree)
    wide = lab.trace(treewright.DecisionTreeClassifier(max_depth=3, growth="breadth").fit(X, y), X, y)
    assert [step.node for step in wide] == sorted(step.node for step in wide)


def _preorder(tree):
    found, stack = [], [0]
    while stack:
        node = stack.pop()
        if tree.n_children[node]:
            found.append(node)
            stack += reversed(range(tree.first_child[node], tree.first_child[node] + tree.n_children[node]))
    return found


@pytest.mark.parametrize(
    "criterion",
    ["gini", "entropy", "error", "sqrt_gini", "gain_ratio", "squared_error", "absolute_error", "poisson"],
)
def test_every_criterion_and_weights(criterion):
    X, labels, numbers = _table(5)
    X[::7, 0] = np.nan
    classes = criterion in {"gini", "entropy", "error", "sqrt_gini", "gain_ratio"}
    y, kind = (
        (labels, treewright.DecisionTreeClassifier)
        if classes
        else (numbers, treewright.DecisionTreeRegressor)
    )
    weights = np.linspace(0.5, 2, len(y))
    model = kind(criterion=criterion, max_leaf_nodes=6).fit(X, y, weights)
    found = lab.trace(model, X, y, sample_weight=weights)
    assert len(found) == 5
    for step in found:
        assert step.winner.total_gain == model.tree_.gain[step.node]
        cuts = step.column(step.winner.place)
        if step.winner.threshold is not None:
            at = np.flatnonzero(cuts.thresholds == step.winner.threshold)
            assert cuts.total_gains[at[0]] == step.winner.total_gain
        if criterion != "gain_ratio":
            best = max(each.total_gain for each in step.candidates)
            assert best == pytest.approx(step.winner.total_gain, rel=1e-9)


def test_of_a_long_trace_the_first_steps_are_printed():
    X, y, _ = _table(1, n=300)
    found = lab.trace(treewright.DecisionTreeClassifier().fit(X, y), X, y)
    text = str(found)
    assert text.startswith(f"{len(found)} steps of growth")
    assert text.count("step ") == 20
    assert f"… and {len(found) - 20} more steps. print(trace[k]) prints one" in text
    assert str(found[30]).startswith("step 31: split node ")
    assert str(found[30]) in found.text()


def test_ties_are_named():
    X, y, _ = _table(1)
    X[:, 2] = X[:, 0]
    found = lab.trace(treewright.DecisionTreeClassifier(max_depth=1).fit(X, y), X, y)
    tied = [each.column for each in found[0].ties]
    assert (tied == ["feature_2"]) == (found[0].winner.column == "feature_0")
    if tied:
        assert "gain the same; the first in the table is taken" in str(found)


def test_missing_values_that_are_divided():
    X, y, _ = _table(8)
    X[::5, 1] = np.nan
    model = treewright.DecisionTreeClassifier(missing="fractional", max_depth=3, min_samples_leaf=2).fit(X, y)
    found = lab.trace(model, X, y)
    assert found[0].winner.total_gain == model.tree_.gain[0]
    below = found[-1]
    assert below.column(below.winner.place).total_gains.max() == pytest.approx(
        below.winner.total_gain, rel=1e-6
    )


@pytest.mark.parametrize("program", ["c45", "c50", "j48", "rpart", "rep_tree", "cart", "stump"])
def test_the_classics(program):
    table = treewright.load_example("hepatitis")  # numbers, levels and missing values
    X, y = table.drop(columns=table.columns[-1]), table[table.columns[-1]]
    model = getattr(classics, program)().fit(X, y)
    found = lab.trace(model, X, y)
    assert len(found) == (~model.tree_.is_leaf).sum()
    for step in found:
        cuts = step.column(step.winner.place)
        if step.winner.threshold is not None and not step.moved:
            at = np.flatnonzero(np.isclose(cuts.thresholds, step.winner.threshold))
            assert len(at) == 1
            assert cuts.total_gains[at[0]] == pytest.approx(step.winner.total_gain, rel=1e-6)
    assert any("pruning held rows out" in note for note in found.notes) == any(step.moved for step in found)


def test_columns_that_are_chosen_by_tests_of_independence():
    table = treewright.load_example("iris")
    X, y = table.drop(columns="species"), table["species"]
    model = classics.ctree().fit(X, y)
    found = lab.trace(model, X, y)
    root = found[0]
    p_values = dict(zip(X.columns, model.tree_.p_value[0], strict=True))
    assert {each.column: each.p_value for each in root.candidates} == p_values
    ranks = [each.p_value for each in root.candidates]
    assert ranks == sorted(ranks)
    assert root.sentence().startswith("petal_length has the smallest p-value (")
    assert root.ties == ()
    assert "tests of independence" in found.notes[0]
    assert "smallest p-value wins" in found.report().payload["rule"]
    assert "  p " in found.text()
    assert lab.candidates(X, y, growth_rules={"choice": "permutation_test"}, missing="surrogate").best.p_value


def test_oblique_tests_are_beside_those_of_one_column():
    draws = np.random.default_rng(0)
    X = draws.random((200, 2))
    y = (X.sum(axis=1) <= 1).astype(int)
    found = lab.trace(treewright.DecisionTreeClassifier(oblique=2, max_depth=2).fit(X, y), X, y)
    assert found[0].winner.place == -1
    assert found[0].margin > 0
    assert found.plot(1) is not None


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (
            lambda X, y: treewright.DecisionTreeClassifier(max_depth=2).fit(X[:40], y[:40]),
            "must be the training rows",
        ),
        (
            lambda X, y: treewright.DecisionTreeRegressor(leaf_model="linear", max_depth=2).fit(X, y),
            "trace needs leaves that predict a constant",
        ),
        (
            lambda X, y: treewright.DecisionTreeClassifier().fit(X, y).tree_,
            "must know its training parameters",
        ),
        (
            lambda X, _: treewright.ClusteringTree(max_leaf_nodes=3).fit(X),
            "a fitted DecisionTreeClassifier or .* Got a ClusteringTree",
        ),
    ],
)
def test_what_cannot_be_traced_is_one_sentence(model, sentence):
    X, y, _ = _table(2)
    with pytest.raises(ValueError, match=sentence):
        lab.trace(model(X, y), X, y)


@pytest.mark.parametrize("classes", [False, True])
def test_constraints_hold_for_every_candidate(classes):
    draws = np.random.default_rng(3)
    X = draws.random((300, 3))
    y = np.sin(6 * X[:, 0]) + X[:, 1] + 0.3 * draws.normal(size=300)
    y = y > y.mean() if classes else y
    kind = treewright.DecisionTreeClassifier if classes else treewright.DecisionTreeRegressor
    signs = [1, -1, 0]
    model = kind(max_depth=4, monotonic_cst=signs).fit(X, y)
    free = kind(max_depth=4).fit(X, y)
    assert lab.trace(free, X, y)[0].winner.test != lab.trace(model, X, y)[0].winner.test
    path = model.decision_path(X)
    refused = 0
    for step in lab.trace(model, X, y):
        rows = path[:, [step.node]].toarray().ravel() > 0
        lower, upper = model.tree_.lower[step.node], model.tree_.upper[step.node]
        for j, sign in enumerate(signs):
            cuts = cuts_at(step.at.search, step.node, [step.at.search.columns[j]], j)[0]
            sides = [
                (y[rows & (X[:, j] <= cut)].mean(), y[rows & (X[:, j] > cut)].mean())
                for cut in cuts.threshold
            ]
            if sign == 0:
                assert cuts.allowed.all()
                continue
            expected = [
                (left - right) * sign <= 0 and lower <= min(left, right) and max(left, right) <= upper
                for left, right in sides
            ]
            assert cuts.allowed.tolist() == expected
            refused += len(expected) - sum(expected)
            best = max(
                (gain for gain, allowed in zip(cuts.gain, expected, strict=True) if allowed), default=0.0
            )
            own = next((each.total_gain for each in step.candidates if each.place == j), 0.0)
            assert own == pytest.approx(best)
            assert step.winner.total_gain >= own * (1 - 1e-9)
    assert refused > 0


def test_weights_must_be_those_of_the_fit():
    X, y, _ = _table(2)
    weights = np.linspace(1, 2, len(y))
    model = treewright.DecisionTreeClassifier(max_depth=2).fit(X, y, weights)
    with pytest.raises(ValueError, match="sample_weight must be that of the fit"):
        lab.trace(model, X, y)
    rates = treewright.DecisionTreeRegressor(criterion="poisson", max_depth=2).fit(X, y, exposure=weights)
    with pytest.raises(ValueError, match="exposure cannot be repeated"):
        lab.trace(rates, X, y)


@pytest.mark.parametrize("options", [{"most": 0}, {"most": "a"}, {"width": 7}, {"width": "a"}])
def test_bad_options_of_the_text(options):
    X, y, _ = _table(2)
    found = lab.trace(treewright.DecisionTreeClassifier(max_depth=2).fit(X, y), X, y)
    with pytest.raises(ValueError, match=f"{next(iter(options))} must be an int of at least"):
        found.text(**options)


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda found: found["a"], TypeError, r"must be an int or a slice\. Got 'a'"),
        (lambda found: found.report(5), ValueError, r"path must be a path or None\. Got int"),
    ],
)
def test_bad_places_and_paths(call, kind, sentence):
    X, y, _ = _table(2)
    with pytest.raises(kind, match=sentence):
        call(lab.trace(treewright.DecisionTreeClassifier(max_depth=2).fit(X, y), X, y))


def test_a_single_leaf_has_no_step():
    X, y, _ = _table(2)
    found = lab.trace(treewright.DecisionTreeClassifier().fit(X, 0 * y), X, 0 * y)
    assert len(found) == 0
    assert "0 steps" in str(found)
    with pytest.raises(ValueError, match="single leaf"):
        found.plot()


def test_several_outputs():
    X, y, _ = _table(2)
    both = np.column_stack([y, X[:, 0] > 4])
    found = lab.trace(treewright.DecisionTreeClassifier(max_depth=2).fit(X, both), X, both)
    assert found[0].winner.total_gain == found.model.tree.gain[0]
    assert "several targets" in found.report().notes[0]


def test_a_step_is_drawn():
    table = treewright.load_example("iris")
    X, y = table.drop(columns="species"), table["species"]
    found = lab.trace(treewright.DecisionTreeClassifier(max_leaf_nodes=4).fit(X, y), X, y)
    figure = found.plot(2)
    assert "Step 2 of 3: petal_width <= 1.75" in figure.get_suptitle()
    two = X[["petal_length", "petal_width"]]
    regions = lab.trace(treewright.DecisionTreeClassifier(max_leaf_nodes=3).fit(two, y), two, y)
    assert any(ax.get_xlabel() == "petal_length" for ax in regions.plot().axes)
    one = lab.trace(
        treewright.DecisionTreeRegressor(max_depth=2).fit(X[["sepal_width"]], X["sepal_length"]),
        X[["sepal_width"]],
        X["sepal_length"],
    )
    assert one.plot(1) is not None
    for wrong in (0, 4, "1"):
        with pytest.raises(ValueError, match="step must be an int from 1 to 3"):
            found.plot(wrong)


def test_models_from_files_and_pruned_ones(tmp_path):
    table = treewright.load_example("iris")
    X, y = table.drop(columns="species"), table["species"]
    model = treewright.DecisionTreeClassifier(ccp_alpha=0.02).fit(X, y)
    found = lab.trace(model, X, y)
    assert "pruned" in found.notes[0]
    again = lab.trace(model.save(tmp_path / "m.tree.json"), X, y)
    assert [step.winner for step in again] == [replace(step.winner) for step in found]
    assert len(found.to_frame()) == sum(len(step.candidates) for step in found)


def test_it_is_fast():
    draws = np.random.default_rng(0)
    X = draws.normal(size=(1000, 10))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + draws.normal(size=1000) > 0).astype(int)
    model = treewright.DecisionTreeClassifier(max_leaf_nodes=20).fit(X, y)
    start = time.process_time()
    assert len(lab.trace(model, X, y)) == 19
    assert time.process_time() - start < 3  # 0.2 s on an idle machine


def test_leaves_that_have_too_many_branches_do_not_wait():
    """A branch per level would be too many leaves, so a leaf that gains less comes first."""
    draws = np.random.default_rng(3)
    X = pd.DataFrame({"city": draws.choice(list("abcde"), 80), "x": draws.integers(0, 4, 80)})
    X["z"] = draws.normal(size=80)
    y = X.city.isin(["a", "c"]) ^ (X.x > 1) ^ (draws.random(80) < 0.2)
    model = treewright.DecisionTreeClassifier(max_leaf_nodes=6, nominal_splits="multiway").fit(X, y)
    for step in lab.trace(model, X, y):
        assert max(step.waiting.values(), default=0.0) <= step.winner.total_gain


def test_leaves_that_gain_too_little_or_were_pruned_do_not_wait():
    draws = np.random.default_rng(3)
    X, y = draws.normal(size=(100, 3)), draws.integers(0, 2, 100)
    for options in ({"min_impurity_decrease": 0.01}, {"ccp_alpha": 0.01}):
        model = treewright.DecisionTreeClassifier(max_leaf_nodes=12, **options).fit(X, y)
        for step in lab.trace(model, X, y):
            least = 100 * options.get("min_impurity_decrease", 0.0)
            waiting = step.waiting.values()
            assert all(least <= gain <= step.winner.total_gain * (1 + 1e-9) for gain in waiting)


def test_a_random_split_has_the_gain_of_the_tree():
    """Missing values go to a random side too, so the same test gains less than the best of its column."""
    draws = np.random.default_rng(1)
    X = pd.DataFrame({"c": draws.choice(list("ab"), 60).astype(object), "x": draws.normal(size=60)})
    X.loc[draws.random(60) < 0.2, "c"] = None
    y = draws.integers(0, 2, 60)
    model = treewright.DecisionTreeClassifier(splitter="random", random_state=0, max_depth=2).fit(X, y)
    for step in lab.trace(model, X, y):
        assert step.winner.total_gain == pytest.approx(model.tree_.gain[step.node], rel=1e-12)
