"""A target of text that holds numbers is read as numbers; very many classes need the task to be given."""

from time import perf_counter

import numpy as np
import pandas as pd
import polars as pl
import pytest

import treewright
from treewright.data.files import read_table
from treewright.evaluate.default_fit.dataset import read_dataset
from treewright.learn.model_file import read as read_model

rng = np.random.default_rng(0)
x = rng.normal(size=120)
PRICES = [f"${100_000 + 10_000 * value:,.2f}" for value in x]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_target_of_text_that_holds_numbers_is_read_as_numbers(frame):
    table = frame({"x": x, "price": PRICES})
    found = treewright.fit(table, "price", score=False)
    assert found.task == "regression"
    assert (
        f"Target 'price' is text with numbers in it, such as {PRICES[0]!r}; read as numbers." in found.notes
    )
    assert "is a number with 120 distinct values" in found.check.summary
    assert np.corrcoef(found.predict(table), x)[0, 1] > 0.9
    values = treewright.fit(x[:, None], np.array(PRICES), score=False)
    assert values.task == "regression"


def test_numbers_of_few_values_stay_names_of_classes():
    labels = np.array(["0", "1"] * 60)
    found = read_dataset(x[:, None], labels)
    assert found.task == "classification"
    assert set(found.y) == {"0", "1"}
    assert read_dataset(x[:, None], labels, task="regression").y.tolist()[:2] == [0.0, 1.0]
    assert read_dataset(x[:, None], np.array(PRICES), task="classification").y[0] == PRICES[0]


def test_more_than_a_hundred_classes_are_rejected_at_once_unless_the_task_is_given():
    names = [f"name {j % 1877}" for j in range(6000)]
    table = pd.DataFrame({"x": rng.normal(size=6000), "name": names})
    sentence = r"task must be given for a target of more than 100 classes. Got 1,877, such as 'name 0'. Pass "
    start = perf_counter()
    for function in (treewright.fit, treewright.check, treewright.compare):
        with pytest.raises(ValueError, match=sentence):
            function(table, "name")
    assert perf_counter() - start < 3
    assert read_dataset(table, "name", task="classification").is_classification
    assert read_dataset(table.head(100), "name").is_classification


def test_a_column_of_text_that_holds_numbers_gets_a_note():
    table = pd.DataFrame({"x": x, "area": [f"{v:.2f} m²" for v in x], "kind": ["1", "2"] * 60, "y": x > 0})
    (note,) = read_dataset(table, "y").notes
    assert note.startswith(f"Column 'area' is text with numbers in it, such as {table['area'][0]!r}")


def test_a_column_of_text_that_holds_dates_gets_a_note():
    days = [f"{1 + j % 28:02d}.02.2024" for j in range(120)]
    (note,) = read_dataset(pd.DataFrame({"x": x, "{day}": days, "y": x > 0}), "y").notes
    assert note.startswith("Column '{day}' is text with dates or times in it, such as '01.02.2024'")


def test_a_model_fitted_on_a_file_reads_later_files_in_the_same_way(tmp_path):
    path, other = tmp_path / "t.csv", tmp_path / "other.csv"
    path.write_text("price;area\n" + "".join(f"{j}.000,5 EUR;{j % 9}\n" for j in range(1, 60)))
    other.write_text("price;area\n" + "".join(f"{j}.000;{j % 9}\n" for j in range(1, 60)))
    found = treewright.fit(str(path), "price", test=str(other))
    assert found.formats["price"] == {"decimal": ",", "thousands": ".", "unit": "EUR"}
    assert found.summary()["formats"] == found.formats
    assert read_table(other, formats=found.formats).frame["price"][0] == 1000
    assert treewright.fit(read_table(path), "price", score=False).formats == found.formats
    model = found.save(tmp_path / "m.tree.json")
    assert read_model(model).training["formats"] == found.formats
    assert read_model(model).units == found.fitted_tree.units == {"price": "EUR"}
