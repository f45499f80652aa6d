"""Rows that look grouped or ordered in time are found, unless the caller says so already."""

import datetime as dt
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn import datasets

import treewright
from tests.evaluate.test_data_check import only
from tests.evaluate.test_groups_and_time import drifting, grouped
from treewright import check, fit
from treewright.evaluate.data_check.drift import drift_of_levels, drift_of_numbers

pl = pytest.importorskip("polars")


def test_a_column_whose_rows_are_alike_is_a_group():
    table = grouped()
    finding = only(check(table, "y"), "grouped rows")
    assert finding.columns == ("patient",)
    assert "50 distinct values in 1,000 rows" in finding.sentence
    assert "nearly the same target and are nearly equal" in finding.sentence
    assert finding.sentence.endswith("Give this column as groups.")
    assert "groups='patient'" in str(check(table, "y"))
    assert finding.severity == "high"
    assert not check(table, "y", groups="patient").of("grouped rows")
    assert not check(table, "y", groups=table["patient"].to_numpy()).of("grouped rows")
    unnamed = table.rename({"patient": "zone"})
    assert only(check(unnamed, "y"), "grouped rows").columns == ("zone",)


def test_fit_does_not_warn_of_groups_that_it_was_given():
    table = grouped(n_groups=20, size=10)
    assert only(fit(table, "y", score=False).check, "grouped rows").columns == ("patient",)
    assert not fit(table, "y", groups="patient", score=False).check.of("grouped rows")
    day = drifting()
    assert only(fit(day, "y", score=False).check, "ordered in time").columns == ("day",)
    assert not fit(day, "y", time="day", score=False).check.of("ordered in time")


def test_a_target_that_drifts_with_the_rows(rng):
    n = 1000
    X = rng.normal(size=(n, 2))
    drift = rng.random(n) < np.linspace(0.1, 0.9, n)
    finding = only(check(X, drift), "sorted rows")
    assert finding.columns == ()
    assert finding.severity == "low"
    assert not check(X, drift).of("ordered in time")
    known = check(X, drift, time=np.arange(n))
    assert not known.of("sorted rows")
    assert only(known, "drift in time").severity == "low"
    assert "There are times, and the target changes with them." in only(known, "drift in time").sentence
    assert not check(X, drift, time=rng.permutation(n)).of("drift in time")
    trend = np.arange(n) / n + rng.normal(size=n) * 0.5
    assert check(X, trend).of("sorted rows")
    assert not check(X, np.sort(drift)).of("sorted rows")  # sorted by the target
    assert not check(X, rng.permutation(drift)).of("sorted rows")
    days = pl.datetime_range(
        pl.datetime(2020, 1, 1), pl.datetime(2020, 1, 1) + pl.duration(days=n - 1), eager=True
    )
    order = rng.permutation(n)  # rows need not be in the order of their dates
    table = pl.DataFrame({"x": X[:, 0], "day": days, "y": drift})[order]
    finding = only(check(table, "y"), "ordered in time")
    assert finding.severity == "high"
    assert "the target changes with them" in finding.sentence
    assert "time='day'" in str(check(table, "y"))
    steady = table.with_columns(y=pl.Series(rng.permutation(drift)))
    finding = only(check(steady, "y"), "ordered in time")
    assert finding.severity == "low"
    assert "neither the target nor other columns change" in finding.sentence
    little = steady.with_columns(y=pl.Series(rng.random(n) < np.linspace(0.25, 0.75, n))[order])
    finding = only(check(little, "y"), "ordered in time")
    assert finding.severity == "medium"
    assert "a little" in finding.sentence


def test_columns_that_drift_over_a_date(rng):
    n = 1000
    day = pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 1, 1) + pl.duration(days=n - 1), eager=True)
    price = np.arange(n) / n + rng.normal(size=n) * 0.3
    shop = np.where(rng.random(n) < np.linspace(0, 1, n), "new", "old")
    table = pl.DataFrame({"day": day, "x": rng.normal(size=n), "y": rng.integers(0, 2, n)})
    assert only(check(table, "y"), "ordered in time").severity == "low"
    running = table.with_columns(number=pl.Series(np.arange(n) * 2.5))  # the time in other words
    assert only(check(running, "y"), "ordered in time").severity == "low"
    for name, values in (("price", price), ("shop", shop)):
        finding = only(check(table.with_columns(pl.Series(name, values)), "y"), "ordered in time")
        assert finding.severity == "medium"
        assert f"other columns change with them: {name!r}." in finding.sentence


def test_drift_is_that_of_scipy(rng):
    y = np.arange(500) / 250 + rng.normal(size=500)
    y[rng.random(500) < 0.3] = 0.5  # ties
    expected = stats.spearmanr(np.arange(500), y).statistic
    assert drift_of_numbers(y) == pytest.approx(abs(expected))
    assert drift_of_numbers(rng.permutation(y)) == 0
    codes = rng.integers(0, 3, 500) + (np.arange(500) > 250)
    counts = np.array([np.bincount(part, minlength=4) for part in np.split(codes, 10)])
    expected = stats.contingency.association(counts, method="cramer")
    assert drift_of_levels(codes) == pytest.approx(expected)
    assert drift_of_levels(rng.permutation(codes)) == 0


def test_texts_that_repeat_and_predict_are_groups(rng):
    owner = rng.integers(0, 200, 1000)
    same = rng.integers(0, 2, 200)[owner]
    y = np.where(rng.random(1000) < 0.05, 1 - same, same)
    table = pl.DataFrame({"owner": [f"o{i}" for i in owner], "x": rng.normal(size=1000), "y": y})
    finding = only(check(table, "y"), "grouped rows")
    assert finding.columns == ("owner",)
    assert "nearly the same target" in finding.sentence
    other = table.with_columns(y=pl.Series(rng.permutation(y)))
    assert not check(other, "y").of("grouped rows")


@pytest.mark.parametrize("share", [0.5, 0.3])
def test_a_copy_of_the_target_with_errors_is_a_leak(share, rng):
    y = rng.random(2000) < share
    copy = np.where(rng.random(2000) < 0.02, ~y, y)
    X = pl.DataFrame({"x": rng.normal(size=2000), "copy": np.where(copy, "t", "f")})
    assert only(check(X, y), "leakage suspect").columns == ("copy",)


def test_usual_tables_have_no_such_findings():
    for name in ("iris", "credit", "hepatitis"):
        table = treewright.load_example(name)
        table = table if hasattr(table, "columns") else table.frame
        found = check(table, list(table.columns)[-1])
        assert not found.of("grouped rows"), name
        assert not found.of("leakage suspect"), name
    for load in (datasets.load_wine, datasets.load_breast_cancer, datasets.load_diabetes, datasets.load_iris):
        X, y = load(return_X_y=True)
        kinds = {finding.kind for finding in check(X, y)}
        assert not kinds & {"grouped rows", "ordered in time", "leakage suspect"}, load


@pytest.mark.parametrize("written", ["%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ"])
def test_dates_that_are_text_are_times_in_a_frame_as_in_a_file(written, rng, tmp_path):
    n = 300
    days = [(dt.date(2021, 1, 1) + dt.timedelta(k)).strftime(written) for k in range(n)]
    table = pl.DataFrame({"when": days, "x": rng.normal(size=n), "y": rng.random(n) < np.linspace(0, 1, n)})
    table.write_csv(tmp_path / "table.csv")
    mixed = table.sample(fraction=1.0, shuffle=True, seed=0)
    for given in (mixed, mixed.to_pandas(), tmp_path / "table.csv"):
        found = check(given, "y")
        assert [(each.kind, each.columns) for each in found] == [("ordered in time", ("when",))]
        assert ("It is text" in found[0].sentence) == (not isinstance(given, Path))
        assert only(check(given, "y", time="when"), "drift in time")
    assert fit(mixed, "y", time="when", score=False).model.tree_.n_features == 1
    assert only(check(mixed.with_columns(when=pl.lit("x") + pl.col("when")), "y"), "id-like column")
