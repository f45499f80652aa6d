"""Importance: columns that matter stand out, noise does not, and the numbers are those of the definitions."""

import numpy as np
import pytest
from sklearn.inspection import permutation_importance

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.interpret.described_model import describe
from treewright.interpret.importances.importances import importances
from treewright.interpret.importances.permutation import ShuffleEvaluation
from treewright.learn.model_file import read


def table(seed=0, rows=500):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=rows), "noise": rng.normal(size=rows), "b": rng.normal(size=rows)})
    X["kind"] = pd.Categorical(rng.choice(["u", "v", "w"], rows))
    X.loc[rng.random(rows) < 0.1, "b"] = None
    y = 3 * X["a"] + X["b"].fillna(0) + 2 * (X["kind"] == "v") + rng.normal(size=rows) * 0.3
    return X, y.to_numpy()


def test_noise_is_distinguished_from_what_matters():
    X, y = table()
    model = DecisionTreeRegressor(min_samples_leaf=10).fit(X, y)
    found = importances(model, X, y, refits=12)
    rows = {each.column: each for each in found.columns}
    assert found.columns[0].column == "a"
    assert all(rows[name].permutation_low > 0 for name in ("a", "b", "kind"))
    assert rows["noise"].permutation_low < 0 < rows["a"].permutation_low
    assert rows["noise"].impurity_high < rows["a"].impurity_low
    for each in found.columns:
        assert each.permutation_low <= each.permutation <= each.permutation_high
        assert 0 <= each.impurity_low <= each.impurity <= each.impurity_high <= 1
    assert sum(each.impurity for each in found.columns) == pytest.approx(1)
    assert found.source == "out-of-bag"
    assert "rows drawn with replacement" in found.summary
    assert str(found).splitlines()[-1].split()[0] == found.columns[-1].column


def test_of_held_out_rows_it_is_scikit_learns():
    """Both are means over shuffles of the same loss; with many shuffles they meet."""
    X, y = table(1)
    X = X[["a", "noise", "b"]].to_numpy()
    model = DecisionTreeRegressor(min_samples_leaf=10).fit(X[:300], y[:300])
    mine = importances(model, X[300:], y[300:], held_out=True, repeats=60)
    theirs = permutation_importance(
        model, X[300:], y[300:], scoring="neg_mean_squared_error", n_repeats=60, random_state=0
    )
    for each in mine.columns:
        j = int(each.column.removeprefix("feature_"))
        assert each.permutation == pytest.approx(theirs.importances_mean[j], rel=0.1, abs=0.02)
        assert each.impurity_low is None
    assert "held-out" in mine.summary


def test_one_shuffle_is_the_difference_of_two_losses():
    X, y = table(2, rows=60)
    X, y = X[["a", "b"]].to_numpy(), np.where(y > 1, "high", np.where(y < -1, "low", "middle"))
    model = DecisionTreeClassifier(max_depth=4).fit(X, y)
    truth, rng = np.searchsorted(model.classes_, y), np.random.default_rng(5)
    found = ShuffleEvaluation(describe(model), "error", 1).increases(model, X, truth, rng)
    rng = np.random.default_rng(5)
    for j in range(2):
        shuffled = X.copy()
        shuffled[:, j] = X[rng.permutation(60), j]
        rise = (model.predict(shuffled) != y).astype(float) - (model.predict(X) != y)
        np.testing.assert_array_equal(found[j], rise)


def test_a_class_that_a_refit_never_saw_and_a_saved_model(tmp_path):
    X, y = table(3, rows=40)
    labels = np.where(y > 0, "yes", "no")
    labels[7] = "once"
    model = DecisionTreeClassifier().fit(X, labels)
    found = importances(model, X, labels, refits=5, loss="log_loss")
    path = model.save(tmp_path / "m.tree.json")
    again = importances(read(path), X, labels, refits=5, loss="log_loss")
    assert [each.permutation for each in found.columns] == [each.permutation for each in again.columns]


def test_the_same_seed_is_the_same_and_weights_count():
    X, y = table(4, rows=120)
    model = DecisionTreeRegressor(max_depth=3).fit(X, y)
    one, other = (importances(model, X, y, refits=3, random_state=1).to_dicts() for _ in range(2))
    assert one == other
    heavy = importances(
        model, X, y, refits=3, random_state=1, sample_weight=np.linspace(0.1, 3, 120)
    ).to_dicts()
    assert heavy != one


def test_what_is_rejected_says_why():
    X, y = table(5, rows=30)
    model = DecisionTreeRegressor(max_depth=2).fit(X, y)
    with pytest.raises(ValueError, match="refits must be an int of at least 2"):
        importances(model, X, y, refits=1)
    with pytest.raises(ValueError, match="model must know its training parameters"):
        importances(model.tree_, X, y)
    with pytest.raises(ValueError, match="loss must be one of"):
        importances(model, X, y, loss="error")
    both = DecisionTreeRegressor(max_depth=2).fit(X, np.stack([y, y], axis=1))
    with pytest.raises(ValueError, match="needs one target"):
        importances(both, X, y)


def test_a_drawing():
    pytest.importorskip("matplotlib").use("agg")
    X, y = table(6, rows=80)
    model = DecisionTreeRegressor(max_depth=3).fit(X, y)
    found = importances(model, X, y, refits=3)
    left, right = found.plot(max_columns=2)
    assert [label.get_text() for label in left.get_yticklabels()] == [
        each.column for each in found.columns[:2]
    ]
    assert right.lines[-1].get_xdata().tolist() == [each.impurity for each in found.columns[:2]]


@pytest.mark.parametrize("held_out", [False, True])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"y": np.zeros(20)}, "y must be as long as the 30 rows of X. Got 20"),
        ({"y": None}, "y must have the target of every row of X. Got None"),
        (
            {"y": np.where(np.arange(30) == 3, np.nan, 1.0)},
            "y must be known for every row. Got 1 missing of 30",
        ),
        ({"y": np.where(np.arange(30) == 3, np.inf, 1.0)}, "y must hold finite numbers.*Got inf"),
        ({"y": ["a"] * 30}, "y must hold finite numbers.*Got 'a'"),
        ({"y": np.zeros((30, 2))}, r"y must be one column. Got the shape \(30, 2\)"),
        ({"X": np.zeros((30, 2))}, "X has 2 features, but DecisionTreeRegressor is expecting 3"),
        ({"X": np.zeros((0, 3)), "y": []}, "X must have at least one row"),
        ({"X": np.zeros(3)}, "X must be a table. Got 1 dimensions"),
        ({"X": None}, "X must be a table. Got 0 dimensions"),
        ({"sample_weight": -np.ones(30)}, "at least 0 for each row. Got -1.0"),
        ({"sample_weight": np.full(30, np.nan)}, "at least 0 for each row. Got nan"),
        ({"sample_weight": np.ones(9)}, r"Got the shape \(9,\) for 30 rows"),
        ({"sample_weight": ["heavy"] * 30}, "sample_weight must be .* Give numbers"),
        ({"sample_weight": np.zeros(30)}, "sample_weight must be above 0 for at least"),
        ({"held_out": "no"}, "held_out must be True or False. Got 'no'"),
        ({"random_state": "a"}, "random_state must be an int of at least 0 or None. Got 'a'"),
    ],
)
def test_input_that_does_not_fit_is_rejected(held_out, given, message):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3))
    model = DecisionTreeRegressor(max_depth=2).fit(X, X[:, 0])
    with pytest.raises(ValueError, match=message):
        importances(model, **({"X": X, "y": X[:, 0], "held_out": held_out, "refits": 2} | given))


def test_rows_left_over_have_weight():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    model = DecisionTreeRegressor(max_depth=2).fit(X, X[:, 0])
    few = np.where(np.arange(40) < 4, 1.0, 0.0)
    found = importances(model, X, X[:, 0], refits=30, sample_weight=few)
    assert all(np.isfinite(each.permutation) for each in found.columns)


def test_columns_are_found_by_name():
    X, y = table(7, rows=80)
    model = DecisionTreeRegressor(max_depth=3).fit(X, y)
    more = X.assign(other=1)[["kind", "other", "b", "noise", "a"]]
    assert importances(model, more, y, refits=3).to_dicts() == importances(model, X, y, refits=3).to_dicts()
    with pytest.raises(ValueError, match=r"X must have all columns of the model\. It lacks 'noise'"):
        importances(model, X.drop(columns="noise"), y)


def test_without_rows_the_error_says_what_to_give():
    model = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(
        ValueError, match=r"importances needs X and y: the training rows.*feature_importances_"
    ):
        importances(model)
