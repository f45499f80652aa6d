"""Groups stay on one side of every fold, and no training part knows the future."""

import datetime as dt

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, KFold, TimeSeriesSplit
from sklearn.tree import DecisionTreeClassifier as SklearnTree

import treewright
from treewright import DecisionTreeClassifier, compare, compare_pruning, fit, learning_curve, nested_cv_score
from treewright.evaluate.procedure import Data, run
from treewright.learn import folds as fold_module
from treewright.learn.folds import folds_of, held_out_fold

pl = pytest.importorskip("polars")


def grouped(seed=0, n_groups=50, size=20):
    """Near-identical rows of each group, whose target is drawn per group: nothing to learn for new groups."""
    rng = np.random.default_rng(seed)
    centre = rng.normal(size=(n_groups, 3))
    group = np.repeat(np.arange(n_groups), size)
    X = centre[group] + rng.normal(0, 1e-4, (n_groups * size, 3))
    y = np.where(rng.permutation(n_groups) % 2, "a", "b")[group]
    order = rng.permutation(len(group))
    table = pl.DataFrame(X, schema=["p", "q", "r"]).with_columns(
        patient=pl.Series([f"p{g}" for g in group]), y=pl.Series(y)
    )
    return table[order]


def drifting(seed=0, n=240):
    """The rule changes over time, so that shuffled folds score too well."""
    rng = np.random.default_rng(seed)
    x, day = rng.normal(size=n).round(3), rng.permutation(n) // 4
    y = np.where((x > 0) ^ (day > 40), "up", "down")
    dates = [dt.date(2020, 1, 1) + dt.timedelta(days=int(d)) for d in day]
    return pl.DataFrame({"x": x, "z": rng.normal(size=n), "day": dates, "y": y})


def test_grouped_folds_score_what_shuffled_folds_hide():
    table = grouped()
    shuffled = fit(table, "y", exclude="patient", check=False)
    assert shuffled.main_score.value > 0.95
    apart = fit(table, "y", groups="patient", check=False)
    assert 0.3 < apart.main_score.value < 0.7
    assert apart.columns == ("p", "q", "r")
    assert "groups kept together" in apart.scored_on
    values = fit(table.select("p", "q", "r"), table["y"], groups=table["patient"].to_numpy(), check=False)
    assert values.scores == apart.scores
    assert values.model.tree_ == apart.model.tree_


def test_no_group_is_on_both_sides_of_any_fold_inner_or_outer(monkeypatch):
    table, seen = grouped(n_groups=20, size=5), []
    usual = fold_module.folds_of

    def watched(cv, X, y, groups=None, *rest, **more):
        found = usual(cv, X, y, groups, *rest, **more)
        seen.append((found, groups))
        return found

    for module in ("treewright.learn.cross_validation.choose", "treewright.evaluate.procedure"):
        monkeypatch.setattr(f"{module}.folds_of", watched)
    fit(table, "y", groups="patient", check=False, n_jobs=1)
    assert len(seen) == 12  # the outer folds, those of the model, and of each outer part twice: once to try
    for folds, groups in seen:
        assert groups is not None
        for fold in folds:
            assert not set(np.asarray(groups)[fold.train]) & set(np.asarray(groups)[fold.test])


def test_folds_in_time_do_not_know_the_future():
    table = drifting()
    shuffled = fit(table, "y", exclude="day", check=False)
    ordered = fit(table, "y", time="day", check=False)
    assert ordered.columns == ("x", "z")
    assert "Column 'day' orders the rows and is not used to predict." in ordered.notes
    assert "each later than the rows it was trained on" in ordered.scored_on
    assert ordered.main_score.value != shuffled.main_score.value
    assert ordered.model.get_params()["cv"] == 5
    time = table["day"].to_numpy()
    for fold in folds_of(5, None, table["y"].to_numpy(), None, True, time=time):
        assert time[fold.train].max() < time[fold.test].min()


def test_inner_folds_are_in_time_too(monkeypatch):
    table, seen = drifting(), []
    usual = fold_module.folds_of

    def watched(cv, X, y, groups=None, *rest, **more):
        found = usual(cv, X, y, groups, *rest, **more)
        seen.append((found, more.get("time")))
        return found

    monkeypatch.setattr("treewright.evaluate.procedure.folds_of", watched)
    fit(table, "y", time="day", check=False, n_jobs=1)
    assert len(seen) == 12
    for folds, time in seen:
        for fold in folds:
            assert time[fold.train].max() < time[fold.test].min()


def test_rows_of_equal_time_stay_together():
    time = np.repeat([3, 1, 2], [10, 2, 50])
    folds = folds_of(5, None, np.arange(62), time=time)
    for fold in folds:
        assert time[fold.train].max() < time[fold.test].min()
    assert 1 <= len(folds) <= 2
    with pytest.raises(ValueError, match="time must have at least two different times"):
        folds_of(5, None, np.arange(5), time=np.ones(5))
    with pytest.raises(ValueError, match=r"time must hold numbers, dates or times\. Got text"):
        folds_of(2, None, np.arange(3), time=["2020", "2021", "2022"])
    days = ["2021-03-01", "2020-12-24", "2021-01-05"]
    assert [fold.test.tolist() for fold in folds_of(2, None, np.arange(3), time=days)] == [[2], [0]]
    with pytest.raises(ValueError, match="time must have a value in every row"):
        folds_of(2, None, np.arange(3), time=[1.0, np.nan, 2.0])


def test_groups_and_time_together():
    time, groups = np.arange(60), np.arange(60) // 2 % 10
    for fold in folds_of(3, None, np.arange(60), groups, time=time):
        assert time[fold.train].max() < time[fold.test].min()
        assert not set(groups[fold.train]) & set(groups[fold.test])


def test_groups_that_last_some_time():
    table = drifting().sort("day").with_columns(week=pl.int_range(240) // 12)
    found = fit(table, "y", groups="week", time="day", check=False)
    assert "each later than" in found.scored_on
    with pytest.raises(ValueError, match="a fold must have earlier rows of other groups"):
        folds_of(3, None, np.arange(9), np.zeros(9), time=np.arange(9))


def test_a_splitter_that_breaks_groups_or_time_is_rejected():
    y, groups = np.arange(40), np.arange(40) // 4
    with pytest.raises(ValueError, match=r"cv must keep each group on one side of a fold\. Got group 0 on"):
        folds_of(KFold(3, shuffle=True, random_state=0), np.zeros((40, 1)), y, groups)
    assert len(folds_of(GroupKFold(3), np.zeros((40, 1)), y, groups)) == 3
    assert len(folds_of(TimeSeriesSplit(3), np.zeros((40, 1)), y, time=np.arange(40))) == 3
    with pytest.raises(ValueError, match="cv must train on rows that are earlier"):
        folds_of(TimeSeriesSplit(3), np.zeros((40, 1)), y, time=np.arange(40)[::-1])


def test_a_held_out_part_is_of_whole_groups_or_of_the_latest_rows():
    table = grouped(n_groups=20, size=5)
    found = fit(table, "y", groups="patient", test_size=0.3, check=False)
    assert found.scored_on == "30 rows held out"
    groups, time = np.arange(100) // 5, np.arange(100)[::-1] // 4
    for seed in range(3):
        fold = held_out_fold(np.zeros(100), 0.3, seed, groups=groups)
        assert len(fold.test) == 30
        assert not set(groups[fold.train]) & set(groups[fold.test])
    fold = held_out_fold(np.zeros(100), 0.3, time=time)
    assert time[fold.train].max() < time[fold.test].min()
    both = held_out_fold(np.zeros(100), 0.3, groups=np.arange(100) % 50, time=np.arange(100))
    assert both.test.tolist() == list(range(70, 100))
    assert both.train.tolist() == [*range(20), *range(50, 70)]


def test_cv_governs_the_outer_folds():
    table = grouped(n_groups=20, size=5)
    assert fit(table, "y", exclude="patient", cv=3, check=False).scored_on.startswith("3 outer folds")
    folds = [(np.arange(60), np.arange(60, 100)), (np.arange(40, 100), np.arange(40))]
    pairs = fit(table, "y", exclude="patient", cv=folds, check=False)
    assert pairs.scored_on.startswith("2 outer folds")
    splitter = fit(table, "y", groups="patient", cv=GroupKFold(4), check=False)
    assert splitter.scored_on.startswith("4 outer folds")


def test_few_groups_are_enough_for_fewer_folds():
    table = grouped(n_groups=3, size=10).with_columns(
        y=pl.when(pl.int_range(30) % 2 == 0).then(pl.lit("a")).otherwise(pl.lit("b"))
    )
    assert fit(table, "y", groups="patient", check=False).scored_on.startswith("3 outer folds")
    two = table.filter(pl.col("patient") != "p0")
    assert "that needs more groups than there are" in fit(two, "y", groups="patient", check=False).scored_on


def test_models_are_compared_on_grouped_folds_and_may_be_ones_own():
    table = grouped(n_groups=30, size=10)
    found = compare(table, "y", groups="patient", models={"sklearn's tree": SklearnTree(max_depth=3)})
    assert {row["model"] for row in found.rows} == {
        "treewright",
        "treewright, best",
        "sklearn's tree",
        "baseline",
    }
    assert all(row["accuracy"] < 0.75 for row in found.rows)
    with pytest.raises(ValueError, match=r"models must hold names or estimators\. Got 3 for 'x'"):
        compare(table, "y", models={"x": 3})
    assert "leaves" in found.verdict or "leaf" in found.verdict


def test_a_large_tree_is_not_called_readable():
    from treewright.evaluate.model_comparison.result import Comparison

    row = {"model": "treewright", "R²": 0.9, "low": 0.8, "high": 1.0, "leaves": 225.0, "seconds": 0.1}
    assert "225 leaves, too many to read" in Comparison((row,), "R²", 10, 5, ()).verdict
    assert (
        "12 leaves, which people can read" in Comparison((row | {"leaves": 12.0},), "R²", 10, 5, ()).verdict
    )


def test_all_functions_with_folds_take_groups_and_time(rng):
    n = 80
    X, y = rng.normal(size=(n, 2)), np.arange(n) % 2
    groups, time = np.arange(n) // 4, rng.permutation(n)
    for model in (DecisionTreeClassifier(max_depth=3), DecisionTreeClassifier(ccp_alpha="cv", cv=3)):
        for folds in (nested_cv_score(model, X, y, time=time).folds,
                      learning_curve(model, X, y, sizes=[1.0], time=time).folds):  # fmt: skip
            assert all(time[fold.train].max() < time[fold.test].min() for fold in folds)
    report = compare_pruning(DecisionTreeClassifier(), X, y, time=time, methods=["reduced_error"], cv=3)
    assert report.curve.n_folds == 3
    assert len(compare_pruning(DecisionTreeClassifier(), X, y, groups=groups, cv=3).entries) > 5
    fitted = DecisionTreeClassifier(max_depth=3).fit(X, y)
    for function in (treewright.roc_curve, treewright.calibration_curve):
        assert function(fitted, X, y, cv=4, time=time).source == "out of fold"
    assert treewright.operating_point(fitted, X, y, cv=4, time=time, recall=0.5).recall >= 0.5
    assert treewright.leaves(fitted, X, y, cv=4, time=time).source == "out of fold"


def test_rows_held_out_for_pruning_are_whole_groups(rng):
    X, y, groups = rng.normal(size=(90, 2)), np.arange(90) % 2, np.arange(90) // 9
    model = run(DecisionTreeClassifier(pruning="reduced_error"), Data(X, y, groups))
    kept = set(groups[model.pruning_["grow_rows"]])
    assert not kept & (set(groups[model.pruning_["prune_rows"]]) if "prune_rows" in model.pruning_ else set())
