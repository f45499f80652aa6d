"""What `export` takes and refuses, and large trees."""

import json
import sqlite3

import joblib
import numpy as np
import pandas as pd
import pytest

import treewright as tw
from benchmarks.deep_tree import deep_tree
from tests.support.exported import mixed_table, model
from treewright.present.export.check import export_check


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"to": "pyhton"}, "to must be one of .* Got 'pyhton'. Did you mean 'python'"),
        ({}, "to must be one of .*, unless a path is given whose suffix says so. Got None."),
        ({"to": "python", "output": "leafs"}, "output must be one of .* Got 'leafs'. Did you mean 'leaf'"),
        ({"to": "sql", "dialect": "oracle"}, "dialect must be one of sqlite, .* Got 'oracle'."),
        (
            {"to": "sql", "dialekt": "x"},
            "export to 'sql' takes the options dialect, table, keep, check. Got 'dialekt'",
        ),
        ({"to": "python", "table": "x"}, "export to 'python' takes no options. Got 'table'."),
    ],
)
def test_wrong_options_are_refused_in_one_sentence(options, message):
    with pytest.raises(ValueError, match=message):
        tw.export(model("numbers"), **options)


def test_a_regressor_has_no_probabilities():
    with pytest.raises(ValueError, match="output='probabilities' needs a classifier"):
        tw.export(model("regression"), to="python", output="probabilities")
    assert "def probabilities" not in tw.export(model("regression"), to="python")


def test_the_suffix_decides_and_the_file_is_what_is_returned(tmp_path):
    for suffix, begin in ((".py", "# A"), (".js", "// A"), (".c", "/*\n * A"), (".sql", "-- A")):
        path = tmp_path / f"model{suffix}"
        assert tw.export(model("numbers"), path) == path.read_text(encoding="utf-8")
        assert path.read_text(encoding="utf-8").startswith(f"{begin} decision tree of treewright as ")
    with pytest.raises(ValueError, match=r"unless the suffix of '.*model.x' says so"):
        tw.export(model("numbers"), tmp_path / "model.x")


def test_one_output_in_sql_is_one_expression():
    """Without a table of outcomes; kept columns alone beside it."""
    fitted = tw.DecisionTreeClassifier(max_depth=3).fit(
        pd.DataFrame({"x": np.arange(20.0)}), ["a"] * 9 + ["b"] * 11
    )
    text = tw.export(fitted, to="sql", output="prediction", table="main.loans", keep=["id"])
    assert "WITH" not in text
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE loans (id INTEGER, x REAL, y REAL)")
    base.executemany("INSERT INTO loans VALUES (?, ?, 0)", [(7, 1.0), (8, 15.0), (9, None)])
    found = base.execute(text)
    assert [entry[0] for entry in found.description] == ["id", "prediction"]
    assert sorted(found.fetchall()) == [(7, "a"), (8, "b"), (9, "b")]


def test_a_column_with_the_name_of_a_result_is_refused():
    fitted = tw.DecisionTreeRegressor().fit(pd.DataFrame({"Leaf": [1.0, 2.0]}), [1.0, 2.0])
    with pytest.raises(ValueError, match="keep must not have a column with the name of a result, 'leaf'"):
        tw.export(fitted, to="sql")
    tw.export(fitted, to="sql", keep=["id"])


@pytest.mark.parametrize(("to", "options"), [
    ("python", {}), ("javascript", {}), ("c", {}),
    ("sql", {"dialect": "sqlite"}), ("sql", {"dialect": "duckdb"}),
])  # fmt: skip
def test_deep_trees_are_written_and_run(tmp_path, to, options):
    """Nested CASE in stages; no recursion anywhere."""
    tree = deep_tree(1200, 90)
    tw.export(tree, tmp_path / "exported", to=to, **options)
    found = export_check(tree, tmp_path / "exported", to=to, n_rows=300)
    assert found.agrees, str(found)
    assert tree.max_depth == 90


def test_a_wrong_export_is_found_out(tmp_path):
    path = tmp_path / "model.py"
    text = tw.export(model("regression"), path)
    first = model("regression").tree_.threshold[0]
    path.write_text(text.replace(repr(float(first)), repr(float(first) + 1)), encoding="utf-8")
    found = export_check(model("regression"), path)
    assert not found.agrees
    assert found.differing["leaf"] > 0
    assert found.first is not None
    assert "of 2,000 rows differ" in str(found)


def test_rows_of_a_table_are_compared_too(tmp_path):
    path = tmp_path / "model.py"
    tw.export(model("mixed"), path)
    fresh = mixed_table(300, seed=5)
    fresh.loc[:9, "town"] = "never seen"
    found = export_check(model("mixed"), path, fresh, n_rows=100)
    assert (found.agrees, found.rows) == (True, 400)


def test_python_takes_objects_of_datetime():
    """A date, a time with a zone and a duration, as the model reads them from a table."""
    rng = np.random.default_rng(0)
    day = pd.to_datetime(pd.Series(rng.integers(0, 10**15, 200)), unit="us", utc=True)
    wait = pd.to_timedelta(pd.Series(rng.integers(-(10**12), 10**12, 200)), unit="us")
    table = pd.DataFrame({"day": day, "wait": wait})
    fitted = tw.DecisionTreeRegressor(max_depth=6).fit(table, np.arange(200.0) % 7)
    module = {}
    exec(tw.export(fitted, to="python"), module)
    rows = zip(day.dt.tz_convert("Asia/Kathmandu").tolist(), wait.tolist(), strict=True)
    assert [module["leaf"]({"day": a, "wait": b}) for a, b in rows] == fitted.apply(table).tolist()


def test_what_there_was_before_comes_through_the_same_door(tmp_path):
    fitted = model("numbers")
    assert tw.export(fitted, to="text", decimals=2) == tw.export_text(fitted, decimals=2)
    assert tw.export(fitted, to="dot", filled=True) == tw.export_graphviz(fitted, filled=True)
    assert tw.export(fitted, to="svg", max_depth=3) == tw.draw(fitted, max_depth=3).svg
    rows = np.float32(np.random.default_rng(1).normal(size=(50, 4)))
    same = tw.export(fitted, tmp_path / "model.joblib")
    assert same.predict(rows).tolist() == fitted.predict(rows).tolist()
    assert joblib.load(tmp_path / "model.joblib").predict(rows).tolist() == fitted.predict(rows).tolist()
    nested = json.loads(tw.export(fitted, to="json"))
    assert tw.Tree.from_dict(nested["tree"]).node_count == fitted.tree_.node_count


def test_clusters_are_exported(tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": np.r_[rng.normal(size=40), rng.normal(9, 1, 40)], "y": rng.normal(size=80)})
    clusters = tw.ClusteringTree(n_clusters=2).fit(table)
    tw.export(clusters, tmp_path / "model.sql")
    assert export_check(clusters, tmp_path / "model.sql", table).agrees
