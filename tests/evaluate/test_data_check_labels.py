"""Suspect labels, equal columns and collinear columns: what is found, and what is not."""

import numpy as np
import pytest

import treewright
from tests.evaluate.test_data_check import only
from treewright import check


def separate(n=300, seed=0):
    """Three classes far apart."""
    draws = np.random.default_rng(seed)
    y = draws.integers(0, 3, n)
    return draws.normal(size=(n, 3)) + 8 * np.eye(3)[y], y


def test_labels_that_were_changed_are_found():
    X, y = separate(seed=4)
    wrong = np.array([5, 50, 210])
    y = y.copy()
    y[wrong] = (y[wrong] + 1) % 3
    found = only(check(X, y), "suspect label")
    assert found.rows.tolist() == wrong.tolist()
    assert found.severity == "low"
    assert f"row 50 ({y[50]}, predicted {(y[50] - 1) % 3})" in found.sentence
    assert "Look at them by hand" in found.sentence
    assert "confirm each other" in found.sentence
    assert not check(X, y, labels=False).of("suspect label")
    assert len(check(X, y).clean(X, "suspect label")) == 297


def test_right_labels_are_not_suspect():
    X, y = separate(seed=3)
    assert not check(X, y).of("suspect label")
    draws = np.random.default_rng(1)
    assert not check(X, draws.integers(0, 2, 300)).of("suspect label")  # noise
    overlap = np.random.default_rng(2).normal(size=(600, 2))
    y = (overlap[:, 0] + draws.normal(size=600) > 0).astype(int)
    assert not check(overlap, y).of("suspect label")
    assert not check(X[:40], separate(seed=3)[1][:40]).of("suspect label")  # too few rows


def test_rows_that_confirm_each_other_are_not_found():
    X, y = separate()
    kind = (y == 0) & (X[:, 1] > 0.2)  # a whole kind of rows has another label
    found = check(X, np.where(kind, 1, y)).of("suspect label")
    assert sum(finding.n_rows for finding in found) <= 0.05 * kind.sum()


@pytest.mark.parametrize("name", ["iris", "hepatitis", "credit"])
def test_the_bundled_tables_have_no_suspect_label(name):
    table = treewright.load_example(name)
    assert not check(table, table.columns[-1]).of("suspect label")


def frame(**columns):
    return pytest.importorskip("pandas").DataFrame(columns)


def test_equal_columns_in_other_words_and_on_another_scale():
    draws = np.random.default_rng(0)
    n = 60
    level = draws.integers(0, 5, n)
    celsius = draws.normal(20, 5, n)
    table = frame(
        code=level,
        word=np.array(["none", "school", "college", "master", "doctor"])[level],
        celsius=celsius,
        fahrenheit=celsius * 1.8 + 32,
        minus=-celsius,
        other=draws.normal(size=n),
        same=celsius.copy(),
    )
    found = check(table, draws.integers(0, 2, n))
    copies = {finding.columns[0]: finding.sentence for finding in found.of("equal columns")}
    assert set(copies) == {"word", "fahrenheit", "minus", "same"}
    assert "equals column 'celsius'" in copies["same"]
    assert "has the same information as column 'code'" in copies["word"]
    assert "exclude" in {finding.option for finding in found.of("equal columns")}
    assert not found.of("collinear columns")  # the copies are a finding already
    assert list(found.clean(table, "equal columns").columns) == ["code", "celsius", "other"]


def test_columns_that_are_alike_by_chance_are_not_equal():
    draws = np.random.default_rng(0)
    assert not check(draws.normal(size=(50, 20)), draws.integers(0, 2, 50)).of("equal columns")
    few = frame(a=list("xyxyxyxyxy"), b=[0, 1] * 5)  # two values in ten rows
    assert not check(few, [0, 1, 1, 0, 1, 0, 1, 1, 0, 1]).of("equal columns")
    names = frame(a=[f"n{k}" for k in range(30)], b=[f"m{k}" for k in range(30)], c=draws.normal(size=30))
    assert not check(names, draws.integers(0, 2, 30)).of("equal columns")  # keys are a finding of their own


def test_a_total_is_collinear():
    draws = np.random.default_rng(0)
    a, b, c = draws.normal(size=(3, 200)).round(2)
    y = draws.integers(0, 2, 200)
    found = only(check(frame(a=a, b=b, c=c, total=(2 * a + b).round(2)), y), "collinear columns")
    assert found.columns == ("total",)
    assert "linear combination of 'a', 'b'." in found.sentence
    near = frame(a=a, b=b, c=c, total=a + b + draws.normal(size=200) / 20)
    assert not check(near, y).of("collinear columns")
    dummies = np.eye(4)[draws.integers(0, 4, 200)]
    assert only(check(dummies, y), "collinear columns").columns == (3,)


def test_columns_with_gaps_and_infinite_values_are_left_alone():
    draws = np.random.default_rng(0)
    X = draws.normal(size=(100, 4))
    X[:, 3] = X[:, 0] + X[:, 1]
    X[5, 3] = np.nan
    X[6, 0] = np.inf
    assert not check(X, draws.integers(0, 2, 100)).of("collinear columns")


def test_a_year_with_which_the_target_changes_is_a_time():
    draws = np.random.default_rng(0)
    year = draws.integers(1990, 2020, 800)
    table = frame(build_year=year, x=draws.normal(size=800))
    found = only(check(table, (year - 2000) / 10 + draws.normal(size=800)), "ordered in time")
    assert found.columns == ("build_year",)
    assert not check(table, draws.normal(size=800)).of("ordered in time")


def test_wrong_labels_do_not_speak_against_the_trees():
    draws = np.random.default_rng(1)
    X = draws.normal(size=(300, 4))
    y = (X[:, 0] > 0).astype(int)  # one column decides, and alone predicts nearly all
    wrong = np.sort(draws.choice(np.flatnonzero(np.abs(X[:, 0]) > 0.5), 3, replace=False))
    y[wrong] = 1 - y[wrong]
    found = check(X, y)
    assert found.of("leakage suspect")
    assert {*only(found, "suspect label").rows.tolist()} <= {*wrong.tolist()}
    assert only(found, "suspect label").n_rows >= 2
