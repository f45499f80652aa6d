"""Findings that people can act on: what they advise, sums of many, samples, and scores that are too good."""

import time

import numpy as np
import pytest

from tests.evaluate.test_data_check import only
from tests.present.test_command import call
from treewright import check, fit
from treewright.evaluate.default_fit import fit as fit_module

pl = pytest.importorskip("polars")


@pytest.fixture(scope="module")
def leaky():
    rng = np.random.default_rng(0)
    n = 2000
    y = rng.random(n) < 0.3
    table = {
        "customer": [f"c-{i}" for i in rng.permutation(n)],
        "x": rng.normal(size=n) + y,
        "churn copy": np.where(rng.random(n) < 0.01, ~y, y),
        "refund": pl.Series(np.where(y & (rng.random(n) < 0.5), rng.normal(size=n), np.nan)).fill_nan(None),
        "y": np.where(y, "yes", "no"),
    }
    return pl.DataFrame(table)


def test_every_column_that_gives_the_target_away_is_found_with_what_to_do(leaky):
    found = check(leaky, "y")
    sentences = {each.columns: each.sentence for each in found.of("leakage suspect")}
    assert set(sentences) == {("churn copy",), ("refund",)}
    assert "has a value only in rows of class 'yes'" in sentences["refund",]
    assert found.exclude == ("churn copy", "refund", "customer")
    assert [each.severity for each in found] == ["high", "high", "medium"]
    assert found.has_high
    text = found.text(60)
    assert "exclude=['churn copy']" in text
    assert "To leave these columns out: exclude=['churn copy', 'refund', 'customer']" in text
    shown = found.text(60, options=True, excluded=["x"])
    assert "To leave these columns out: --exclude 'x,churn copy,refund,customer'" in shown
    assert not check(leaky, "y", exclude=found.exclude).has_high


def test_missing_values_of_one_class():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(1000) < 0.4, "lost", "kept")
    x = rng.normal(size=1000)
    gone = np.where((y == "lost") & (rng.random(1000) < 0.5), np.nan, x)
    by_chance = np.where(rng.random(1000) < 0.2, np.nan, x)
    table = pl.DataFrame({"gone": gone, "by_chance": by_chance, "y": y})
    finding = only(check(table, "y"), "leakage suspect")
    assert finding.columns == ("gone",)
    assert "is missing only in rows of class 'lost'" in finding.sentence


@pytest.mark.parametrize(("errors", "suspect"), [(0.0, True), (0.024, True), (0.08, False)])
def test_a_column_of_many_values_is_suspect_from_95_percent_of_the_errors(errors, suspect):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 4000)
    kept = np.where(rng.random(4000) < errors, 1 - y, y)
    table = pl.DataFrame({"town": [f"{k}{i}" for k, i in zip(kept, rng.integers(0, 9, 4000), strict=True)]})
    assert bool(check(table, y).of("leakage suspect")) == suspect
    scaled = (kept + rng.uniform(0, 0.9, 4000))[:, None]
    assert bool(check(scaled, y).of("leakage suspect")) == suspect


def test_many_findings_of_a_kind_are_one():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    found = check(np.tile(y[:, None], (1, 50)) + rng.uniform(0, 0.5, (300, 50)), y)
    assert len(found.of("leakage suspect")) == 50
    (one,) = found.summed()
    assert len(one.columns) == 50
    assert "The same holds for 49 more columns: 1, 2, 3 and 46 more." in one.sentence
    assert str(found).count("High") == 1
    many = np.array([f"price {i}" for i in range(300)] + ["usual"] * 3000)
    rare = only(check(rng.normal(size=(3300, 2)), many, task="classification"), "rare class")
    assert "300 of 301 classes are rare" in rare.sentence
    assert rare.n_rows == 300


def test_counts_of_a_sample_are_said_to_be_of_a_sample(monkeypatch):
    monkeypatch.setattr(fit_module, "MANY_ROWS", 500)
    rng = np.random.default_rng(0)
    table = pl.DataFrame({"a": rng.integers(0, 3, 2000), "y": rng.choice(["u", "v"], 2000)})
    found = fit(table, "y", score=False).check
    assert found.summary.startswith("In a sample of 500 of 2,000 rows: 500 rows")
    assert found.sample_of == 2000
    assert all(each.sentence.startswith("In a sample of 500 of 2,000 rows: ") for each in found)
    assert "sampled rows)" in str(found)


def test_a_score_that_is_too_good_is_not_praised(leaky):
    result = fit(leaky, "y", max_depth=3)
    assert result.main_score.value > 0.98
    start = "is too good to be true: columns 'churn copy', 'refund' may give the target away. Beats"
    assert start in result.verdict
    exact = pl.DataFrame({"a": np.arange(600) % 7, "b": np.arange(600) % 5})
    sums = fit(exact, np.where((np.arange(600) % 7 > 3) & (np.arange(600) % 5 > 2), "u", "v"))
    assert "is probably too good to be true" in sums.verdict
    assert "too good" not in fit(leaky.select("x", "y"), "y", max_depth=2).verdict


def test_strict_fails_on_findings_of_high_severity(leaky, tmp_path):
    path = tmp_path / "t.csv"
    leaky.write_csv(path)
    done = call("check", path, "-t", "y", "--strict")
    assert done.status == 3
    assert "--exclude 'churn copy'" in done.out
    assert call("check", path, "-t", "y").status == 0
    assert call("check", path, "-t", "y", "--strict", "--exclude", "churn copy,refund").status == 0
    assert call("check", path, "-t", "y", "--strict", "--json").status == 3


def test_fit_prints_whole_findings_and_names_no_training_file_to_predict(leaky, tmp_path):
    path = tmp_path / "t.csv"
    leaky.write_csv(path)
    done = call(
        "fit", path, "-t", "y", "--max-depth", "2", "-m", tmp_path / "m.tree.json", env={"COLUMNS": "60"}
    )
    words = " ".join(done.out.split())
    assert words.count("If not, leave it out.") == 2
    assert "To leave these columns out: --exclude 'churn copy,refund,customer'" in done.out
    assert "too good to be true" in words
    assert (
        max(len(line) for line in done.out.splitlines() if "--" not in line and str(tmp_path) not in line)
        <= 60
    )
    assert f"predict {tmp_path / 'm.tree.json'} {path}" not in done.err


def test_wide_tables_take_seconds():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    for X in (rng.normal(size=(300, 1000)), rng.integers(0, 100, size=(300, 1000))):
        start = time.process_time()
        check(X, y)
        assert time.process_time() - start < 5  # it took 3 s, and minutes for whole numbers
