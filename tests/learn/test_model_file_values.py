"""A model file holds what predicts and what is shown: no values of columns that its trees do not use."""

import json

import numpy as np
import polars as pl
import pytest

import treewright as tw
from treewright.learn.model_file import read, save
from treewright.present.page import report


@pytest.fixture(scope="module")
def customers():
    rng = np.random.default_rng(0)
    n = 7043
    y = rng.random(n) < 0.3
    return pl.DataFrame(
        {
            "customer": [f"ID-{i:05}-XQ" for i in rng.permutation(n)],
            "grade": pl.Series(rng.choice(["low", "mid", "high"], n), dtype=pl.Enum(["low", "mid", "high"])),
            "x": rng.normal(size=n) + 2 * y,
            "kind": np.where(rng.random(n) < 0.2, ~y, y).astype(str),
            "y": np.where(y, "yes", "no"),
        }
    )


def test_the_values_of_an_identifier_are_not_in_the_file_and_not_on_the_page(customers, tmp_path):
    result = tw.fit(customers, "y", score=False, max_depth=2)
    assert not {0, 1} & set(result.model.tree_.feature[result.model.tree_.feature >= 0].tolist())
    path = result.save(tmp_path / "m.tree.json")
    text = path.read_text()
    assert "-XQ" not in text
    assert len(text) < 50_000
    columns = {each["name"]: each for each in json.loads(text)["schema"]["columns"]}
    assert columns["customer"] == {"name": "customer", "kind": "nominal"}
    assert "levels" not in columns["grade"]
    assert columns["kind"]["levels"] == ["False", "True"]
    saved = read(path)
    new = customers.with_columns(customer=pl.lit("new"))  # no warning of levels that were not seen
    assert (saved.predict(new) == result.predict(customers)).all()
    assert (saved.predict(new[:3]) == result.predict(customers[:3])).all()
    assert (tw.load(path).predict(new) == result.predict(customers)).all()
    assert read(saved.to_estimator().save(tmp_path / "again.tree.json")).tree == saved.tree
    page = report(path, customers.drop("y"), customers["y"].to_numpy(), check=False).html
    assert "-XQ" not in page


def test_next_best_splits_of_unused_columns_are_named_without_values(customers, tmp_path):
    result = tw.fit(customers, "y", score=False)
    best = tw.next_best_splits(result, customers.drop("y"), customers["y"].to_numpy())
    assert any("-XQ" in each["test"] for each in best.to_dicts())
    path = save(result, tmp_path / "m.tree.json", training={"next_best_splits": best.to_dicts()})
    assert "-XQ" not in path.read_text()
    tests = {each["feature"]: each["test"] for each in read(path).training["next_best_splits"]}
    assert tests["customer"] == "customer (levels not stored)"
    assert tests["kind"].startswith("kind ")


def test_next_best_splits_of_a_loaded_model_have_all_columns(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.4
    table = pl.DataFrame({"x": rng.normal(size=400) + 2 * y, "c": rng.choice(["u", "v", "w"], 400)})
    table = table.with_columns(k=pl.Series(rng.integers(0, 4, 400)))
    model = tw.DecisionTreeClassifier(max_depth=1, categorical_features=["c", "k"]).fit(table, y)
    found = tw.next_best_splits(model, table, y).to_dicts()
    assert {each["feature"] for each in found} == {"c", "k"}
    assert tw.next_best_splits(model.save(tmp_path / "m.tree.json"), table, y).to_dicts() == found


def test_levels_that_only_the_most_accurate_tree_uses_are_kept(tmp_path):
    rng = np.random.default_rng(0)
    table = pl.DataFrame({"a": rng.normal(size=300), "b": rng.choice(["u", "v"], 300)})
    y = (table["a"].to_numpy() > 0).astype(int)
    y = np.where(rng.random(300) < 0.2, (table["b"] == "u").to_numpy().astype(int), y)
    small = tw.DecisionTreeClassifier(max_depth=1).fit(table, y)
    small.best_ = tw.DecisionTreeClassifier(max_depth=4).fit(table, y)
    saved = read(small.save(tmp_path / "m.tree.json"))
    assert 1 in saved.best.tree.feature
    assert 1 not in saved.tree.feature
    assert (saved.best.predict(table) == small.best_.predict(table)).all()


# -- files that were changed


def changed(path):
    doc = json.loads(path.read_text())
    doc["training"] = {"scores": [{"metric": "accuracy", "value": 0.999}]}
    path.write_text(json.dumps(doc))
    return path


def test_a_changed_file_stays_unverified_when_it_is_saved_again(tmp_path):
    model = tw.DecisionTreeClassifier(max_depth=2).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    path = model.save(tmp_path / "m.tree.json")
    assert read(path).verified is True
    saved = read(changed(path), allow_unverified=True)
    assert saved.verified is False
    again = saved.to_estimator().save(tmp_path / "again.tree.json")
    assert read(again).verified is False


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"abc", "Got 'abc'."),
        (b"id,y\n1,2\n", "Got 'id,y'."),
        (b"", "Got an empty file."),
        (b"\x00\xff\x01", "is not text."),
    ],
)
def test_errors_show_text_and_no_bytes(content, said, tmp_path):
    path = tmp_path / "m.tree.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="must be JSON and begin with") as error:
        read(path)
    assert str(error.value).endswith(said)
