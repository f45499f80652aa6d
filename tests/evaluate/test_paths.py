"""A file in place of a table: what `fit` takes, the model and the functions beside it take too."""

import numpy as np
import polars as pl
import pytest

import treewright
from treewright.data.files import read_table


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    rng = np.random.default_rng(0)
    n = 200
    age, spent = rng.integers(18, 80, n), rng.uniform(5, 400, n).round(2)
    since = [
        f"{d:02}.{m:02}.{y}"
        for d, m, y in zip(
            rng.integers(1, 28, n), rng.integers(1, 12, n), rng.integers(2015, 2023, n), strict=True
        )
    ]
    left = np.where((spent < 120) ^ (rng.random(n) < 0.1), "yes", "no")
    frame = pl.DataFrame({"age": age, "since": since, "spent": [f"{x:.2f} €" for x in spent], "left": left})
    frame[:150].write_csv(folder / "old.csv")
    frame[150:].write_csv(folder / "new.csv")
    return folder


def test_every_form_of_a_model_predicts_the_rows_of_a_file(files, tmp_path):
    result = treewright.fit(files / "old.csv", "left", check=False, score=False)
    wanted = result.predict(read_table(files / "new.csv", formats=result.formats).frame)
    assert set(wanted) == {"yes", "no"}
    model = treewright.load(result.save(tmp_path / "model.json"))
    read = read_table(files / "new.csv", formats=result.formats)
    for each in (result, model, model.fitted_tree):
        for table in (files / "new.csv", str(files / "new.csv"), read):
            assert each.predict(table).tolist() == wanted.tolist()
    assert np.array_equal(result.predict_proba(files / "new.csv"), model.predict_proba(read.frame))
    assert np.array_equal(result.apply(files / "new.csv"), model.apply(files / "new.csv"))
    assert treewright.explain(model, files / "new.csv", 2).prediction == wanted[2]


def test_a_file_is_checked(files):
    found = treewright.check(files / "old.csv", "left")
    assert found.n_rows == 150


def test_a_file_that_is_not_there_is_named(files):
    result = treewright.fit(files / "old.csv", "left", check=False, score=False)
    with pytest.raises(FileNotFoundError, match=r"nowhere\.csv"):
        result.predict(files / "nowhere.csv")
