"""The main job in one call: `fit` and `compare`."""

import json

import numpy as np
import pytest

import treewright
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, compare, fit
from treewright.evaluate.default_fit.procedure import settings
from treewright.learn.folds import folds_of

pl = pytest.importorskip("polars")


def loans(n=240, seed=0):
    rng = np.random.default_rng(seed)
    income = rng.normal(50, 15, n).round(1)
    job = rng.choice(["clerk", "nurse", "pilot"], n)
    bad = rng.random(n) < np.where(income < 45, 0.6, 0.15) + np.where(job == "pilot", 0.2, 0.0)
    return pl.DataFrame(
        {
            "income": income,
            "job": job,
            "weight": rng.integers(1, 3, n).astype(float),
            "default": np.where(bad, "yes", "no"),
            "amount": (income * 2 + rng.normal(0, 5, n)).round(2),
        }
    )


def test_the_model_is_the_default_procedure_fitted_on_all_rows():
    table = loans()
    found = fit(table, "default", exclude=["weight", "amount"])
    X, y = table.select("income", "job"), table["default"].to_numpy()
    alone = DecisionTreeClassifier(**settings("classification", len(y))).fit(X, y)
    assert found.model.tree_ == alone.tree_
    assert found.task == "classification"
    assert found.columns == ("income", "job")
    assert json.loads(json.dumps(found.summary()))["rows"] == 240
    assert fit(table, "default", exclude=["weight", "amount"]).summary() == found.summary()


def test_scores_are_those_of_fits_without_the_rows_that_are_scored():
    table = loans()
    found = fit(table, "default", exclude=["weight", "amount"], positive="yes")
    X, y = table.select("income", "job"), table["default"].to_numpy()
    right, baseline = [], []
    for fold in folds_of(5, X, y, None, True):
        model = DecisionTreeClassifier(**settings("classification", len(fold.train)))
        model.fit(X[fold.train], y[fold.train])
        right.append((model.predict(X[fold.test]) == y[fold.test]).mean())
        labels, counts = np.unique(y[fold.train], return_counts=True)
        baseline.append((y[fold.test] == labels[counts.argmax()]).mean())
    assert found.main_score.metric == "accuracy"
    assert found.main_score.value == pytest.approx(np.mean(right))
    assert found.main_score.baseline == pytest.approx(np.mean(baseline))
    assert {score.metric for score in found.scores} == {"accuracy", "log loss", "Brier score", "AUC"}
    assert all(score.low <= score.value <= score.high for score in found.scores)


def test_numbers_are_predicted_as_numbers():
    found = fit(loans(), "amount", exclude="default", sample_weight="weight")
    assert found.task == "regression"
    assert isinstance(found.model, DecisionTreeRegressor)
    assert found.main_score.metric == "R²"
    assert found.main_score.value > 0.7
    assert found.main_score.helps
    assert "Beats the baseline on R²" in str(found)


def test_pure_noise_shows_no_gain_over_the_baseline():
    rng = np.random.default_rng(1)
    table = pl.DataFrame({"x": rng.random(200), "y": rng.choice(["a", "b"], 200)})
    found = fit(table, "y")
    assert not any(score.helps for score in found.scores)
    assert "No clear gain over the baseline" in str(found)


def test_held_out_rows_are_not_trained_on():
    table = loans()
    found = fit(table, "default", exclude=["weight", "amount"], test_size=0.25, random_state=3)
    assert "60 rows held out" in found.scored_on
    assert found.model.tree_.n_node_samples[0] == 180
    other = loans(seed=9)
    tested = fit(table, "default", exclude=["weight", "amount"], test=other)
    assert tested.model.tree_.n_node_samples[0] == 240
    X, y = other.select("income", "job"), other["default"].to_numpy()
    assert tested.main_score.value == pytest.approx((tested.model.predict(X) == y).mean())


def test_costs_make_the_decision_and_are_scored():
    costs = {"false_positive": 1, "false_negative": 6}
    found = fit(loans(), "default", exclude=["weight", "amount"], positive="yes", costs=costs)
    plain = fit(loans(), "default", exclude=["weight", "amount"], positive="yes", score=False)
    said = plain.model.with_decision(costs=costs, positive="yes")
    X = loans().select("income", "job")
    assert (found.model.predict(X) == said.predict(X)).all()
    assert "cost" in {score.metric for score in found.scores}
    assert plain.scores == ()


def test_rows_without_a_target_are_left_out_with_a_note():
    table = loans().with_columns(
        pl.when(pl.int_range(pl.len()) < 12).then(None).otherwise(pl.col("default")).alias("default")
    )
    found = fit(table, "default", exclude=["weight", "amount"], score=False)
    assert found.n_rows == 228
    assert "12 rows have no 'default'; left out." in found.notes[0]


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_frames_of_other_libraries_give_the_same_model(library):
    pytest.importorskip(library)
    table = loans()
    other = table.to_pandas() if library == "pandas" else table.to_arrow()
    mine = fit(table, "default", exclude=["weight", "amount"], score=False, check=False)
    theirs = fit(other, "default", exclude=["weight", "amount"], score=False, check=False)
    assert mine.model.tree_ == theirs.model.tree_


def test_models_are_compared_on_the_same_folds():
    found = compare(loans(), "default", exclude=["weight", "amount"])
    names = [row["model"] for row in found.rows]
    assert set(names) == {
        "treewright", "treewright, best", "logistic regression", "nearest neighbours", "random forest",
        "gradient boosting", "baseline",
    }  # fmt: skip
    losses = [row["log loss"] for row in found.rows]
    assert losses == sorted(losses)
    scored = fit(loans(), "default", exclude=["weight", "amount"])
    wanted = next(score.value for score in scored.scores if score.metric == "log loss")
    ours = next(row for row in found.rows if row["model"] == "treewright")
    assert ours["log loss"] == pytest.approx(wanted)
    assert found.verdict in str(found)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"target": "defalt"}, "Did you mean 'default'"),
        ({"target": "default", "exclude": ["jobb"]}, "Did you mean 'job'"),
        ({"target": "default", "positive": "yess"}, "Did you mean 'yes'"),
        ({"target": "amount", "positive": "yes"}, "positive is for classes"),
        ({"target": "amount", "costs": [[0, 1], [1, 0]]}, "costs is for classes"),
        ({"target": "default", "task": "regression"}, "needs a target of numbers"),
        ({"target": "default", "task": "guess"}, "task must be"),
        ({"target": "default", "test_size": 2.0}, "test_size must be"),
        ({"target": "default", "exclude": ["income", "job", "weight", "amount"]}, "besides the target"),
        ({"target": "default", "sample_weight": "wait"}, "sample_weight must be a column"),
    ],
)
def test_invalid_arguments_are_rejected_with_advice(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit(loans(60), **arguments)


def test_tables_without_anything_to_learn_are_rejected():
    with pytest.raises(ValueError, match="at least two values"):
        fit(pl.DataFrame({"x": [1, 2], "y": ["a", "a"]}), "y")
    with pytest.raises(ValueError, match="must have rows"):
        fit(pl.DataFrame({"x": [], "y": []}), "y")
    with pytest.raises(ValueError, match="must have a value in some rows"):
        fit(pl.DataFrame({"x": [1, 2], "y": [None, None]}), "y")
    with pytest.raises(ValueError, match="target must be values, one per row, since the table has no names"):
        fit(np.zeros((3, 3)), "y")
    few = fit(pl.DataFrame({"x": [1, 2, 3], "y": ["a", "b", "b"]}), "y")
    assert few.scores == ()
    assert "Not scored: that needs 10 rows" in few.scored_on


def test_the_public_names_are_there():
    assert treewright.fit is fit
    assert treewright.compare is compare


def test_a_large_table_is_scored_on_one_fold(monkeypatch):
    from treewright.evaluate.default_fit import fit as checks
    from treewright.evaluate.default_fit import scoring

    table = loans(400)
    for module in (checks, scoring):
        monkeypatch.setattr(module, "MANY_ROWS", 100)
    found = fit(table, "default", exclude=["weight", "amount"])
    assert found.scored_on == "80 held-out rows"
    assert "100 of 400 rows were drawn to be checked." in found.notes
    X, y = table.select("income", "job"), table["default"].to_numpy()
    fold = folds_of(5, X, y, None, True)[0]
    model = DecisionTreeClassifier(**settings("classification", 320)).fit(X[fold.train], y[fold.train])
    assert found.main_score.value == pytest.approx((model.predict(X[fold.test]) == y[fold.test]).mean())


def test_given_parameters_replace_the_defaults():
    found = settings("classification", 500, pruning="leaf_budget")
    assert found["ccp_alpha"] == 0.0
    assert found["smoothing"] is None
    assert settings("regression", 500, criterion="absolute_error")["level_correction"] is False
    assert (
        fit(loans(), "default", exclude=["weight", "amount"], pruning="leaf_budget", score=False).scores == ()
    )
    with pytest.raises(ValueError, match="class_weight is not a parameter of a tree for regression"):
        fit(loans(), "amount", class_weight="balanced")


def test_one_row_of_a_rare_class_does_not_keep_the_others_from_being_scored():
    table = loans()
    odd = table.with_columns(
        pl.when(pl.int_range(pl.len()) == 0)
        .then(pl.lit("maybe"))
        .otherwise(pl.col("default"))
        .alias("default")
    )
    assert fit(odd, "default", exclude=["weight", "amount"], check=False).scores


def test_a_test_table_may_have_other_columns_in_another_order():
    table, other = loans(), loans(seed=5)
    usual = fit(table, "default", exclude=["weight", "amount"], test=other)
    moved = other.select("amount", "default", "job", "income")
    assert fit(table, "default", exclude=["weight", "amount"], test=moved).summary() == usual.summary()
    one = moved.filter(pl.col("default") == "no")
    assert fit(table, "default", exclude=["weight", "amount"], test=one).main_score.value > 0
    with pytest.raises(ValueError, match=r"test must have all columns of the table\. It lacks 'job'"):
        fit(table, "default", exclude=["weight", "amount"], test=moved.drop("job"))
    with pytest.raises(ValueError, match="sample_weight must be a column of numbers"):
        fit(table, "default", sample_weight="job")


def test_the_defaults_depend_on_the_size_of_the_table():
    for n_rows, repeats in ((2, 4), (100, 4), (5_000, 4), (7_000, 2), (7_501, 1), (10_001, 1), (10**6, 1)):
        assert settings("regression", n_rows)["cv_repeats"] == repeats
    assert settings("regression", 3)["cv"] == 2
    assert settings("regression", 300, n_columns=8_000)["cv_repeats"] == 1
    assert settings("regression", 100, cv=7)["cv_repeats"] == 1
    two, many = (settings("classification", 100, k)["max_leaf_nodes"] for k in (2, 26))
    assert many == 13 * two
    assert settings("classification", 100, 26, max_leaf_nodes=8)["max_leaf_nodes"] == 8
    limits = [settings("regression", n_rows)["max_leaf_nodes"] for n_rows in (2, 15_000, 30_000, 10**6)]
    assert limits == [225, 225, 900, 10_000]
