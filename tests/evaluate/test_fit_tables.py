"""Tables as people have them: `fit` and `compare` take them, or say what must be otherwise."""

import numpy as np
import polars as pl
import pytest
from sklearn.ensemble import RandomForestClassifier

from tests.evaluate.test_fit import loans
from treewright import compare, fit, load


def test_names_that_are_numbers_become_text_with_a_note(tmp_path, rng):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({0: rng.random(80), 1: rng.choice(["a", "b"], 80), 2: rng.random(80), "w": 1.0})
    frame[3] = np.where(frame[0] > 0.5, "yes", "no")
    found = fit(frame, 3, exclude=[2], sample_weight="w", test=frame)
    assert found.columns == ("0", "1")
    assert found.target == "3"
    assert "Names of columns are text in the model: 0 is '0'." in found.notes
    same = fit(frame.rename(columns=str), "3", exclude=2, sample_weight="w", test=frame.rename(columns=str))
    assert same.model.tree_ == found.model.tree_
    assert same.scores == found.scores
    assert load(found.save(tmp_path / "m.tree.json")).feature_names_in_.tolist() == ["0", "1"]
    assert compare(frame[[0, 3]], 3, max_depth=1).rows[0]["log loss"] < 0.2


def test_names_that_are_there_twice_are_rejected_with_a_sentence(rng):
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame(rng.normal(size=(60, 2)), columns=["a", "a"])
    for table, target in ((X, [0, 1] * 30), (X.assign(y=[0, 1] * 30), "y")):
        with pytest.raises(ValueError, match=r"columns of X must have different names. Got 'a' 2 times"):
            fit(table, target)


def test_missing_booleans_and_whole_numbers_of_pandas_are_compared(rng):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "flag": pandas.array(rng.choice([True, False, None], 60), dtype="boolean"),
            "count": pandas.array(rng.choice([1, 2, None], 60), dtype="Int64"),
            "word": pandas.array(rng.choice(["a", "b", None], 60), dtype="string"),
            "y": rng.choice(["u", "v"], 60),
        }
    )
    plain = pl.DataFrame({name: [None if v is pandas.NA else v for v in frame[name]] for name in frame})
    mine, theirs = compare(frame, "y", cv=3), compare(plain, "y", cv=3)
    for row, other in zip(mine.to_dicts(), theirs.to_dicts(), strict=True):
        assert row | {"seconds": 0} == other | {"seconds": 0}


def test_no_thread_decides_how_the_trees_of_a_forest_are_added_up(monkeypatch, rng):
    said, used_jobs = RandomForestClassifier.predict_proba, []

    def overheard(forest, X):
        used_jobs.append(forest.n_jobs)
        return said(forest, X)

    monkeypatch.setattr(RandomForestClassifier, "predict_proba", overheard)
    compare(pl.DataFrame({"x": rng.random(40), "y": rng.choice(["u", "v"], 40)}), "y")
    assert set(used_jobs) == {1}


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_numbers_are_fitted_but_not_compared(value):
    table = loans().with_columns(
        income=pl.when(pl.int_range(pl.len()) == 3).then(value).otherwise("income"), odd=pl.lit("x")
    )
    assert fit(table, "default", score=False).model.get_n_leaves() > 1
    with pytest.raises(ValueError, match=rf"need finite numbers\. Got {value:g} in column 'income'"):
        compare(table, "default")


@pytest.mark.parametrize("target", ["default", "amount"])
def test_few_rows_are_fitted_and_not_compared(target):
    few = loans().select("income", target)[:3]
    found = fit(few, target, check=False)
    assert found.scored_on.startswith("Not scored: that needs 10 rows")
    with pytest.raises(ValueError, match=r"needs 10 rows, and of classes two with 5 .*Got 3 rows"):
        compare(few, target)
    assert len(compare(loans().select("income", target)[:14], target).rows) == 7


@pytest.mark.parametrize("share", [0.001, 0.999])
@pytest.mark.parametrize("target", ["default", "amount"])
def test_a_test_size_must_leave_rows_on_both_sides(target, share):
    with pytest.raises(ValueError, match=r"test_size must leave at least two rows.*Got 0\.\d+ of 240 rows"):
        fit(loans(), target, test_size=share)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"test_size": 0.3, "test": loans(seed=2)}, "test and test_size both name the rows to score on"),
        ({"exclude": ["default"]}, r"exclude must not name the target\. Got 'default'"),
        ({"exclude": "default"}, r"exclude must not name the target\. Got 'default'"),
        ({"sample_weight": "default"}, r"sample_weight must not name the target\. Got 'default'"),
    ],
)
def test_contradictory_arguments_are_rejected(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit(loans(), "default", **arguments)
