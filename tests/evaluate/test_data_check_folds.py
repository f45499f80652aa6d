"""Rows that look grouped or ordered in time are found, unless the caller says so already."""

import numpy as np
import pytest
from sklearn import datasets

import treewright
from tests.evaluate.test_data_check import only
from tests.evaluate.test_groups_and_time import drifting, grouped
from treewright import check, fit

pl = pytest.importorskip("polars")


def test_a_column_whose_rows_are_alike_is_a_group():
    table = grouped()
    finding = only(check(table, "y"), "grouped rows")
    assert finding.columns == ("patient",)
    assert "50 distinct values in 1,000 rows" in finding.sentence
    assert "nearly the same target and are nearly equal" in finding.sentence
    assert finding.sentence.endswith("Give groups='patient'.")
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


def test_a_category_is_not_a_group(rng):
    n = 600
    city = rng.choice([f"c{i}" for i in range(30)], n)
    table = pl.DataFrame({"city": city, "x": rng.normal(size=n), "y": rng.choice(["a", "b"], n)})
    assert not check(table, "y").of("grouped rows")
    assert not check(table.rename({"city": "store_id"}), "y").of("grouped rows")


def test_rows_that_are_equal_beyond_chance(rng):
    X = np.repeat(rng.normal(size=(100, 3)), 3, axis=0)
    y = np.repeat(rng.integers(0, 2, 100), 3)
    finding = only(check(X, y), "grouped rows")
    assert finding.columns == ()
    assert finding.n_rows == 200
    few = rng.integers(0, 3, (300, 3))
    assert not check(few, rng.integers(0, 2, 300)).of("grouped rows")


def test_a_target_that_drifts_with_the_rows(rng):
    n = 1000
    X = rng.normal(size=(n, 2))
    drift = rng.random(n) < np.linspace(0.1, 0.9, n)
    assert only(check(X, drift), "ordered in time").columns == ()
    assert not check(X, drift, time=np.arange(n)).of("ordered in time")
    trend = np.arange(n) / n + rng.normal(size=n) * 0.5
    assert check(X, trend).of("ordered in time")
    assert not check(X, np.sort(drift)).of("ordered in time")  # sorted by the target
    assert not check(X, rng.permutation(drift)).of("ordered in time")


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
