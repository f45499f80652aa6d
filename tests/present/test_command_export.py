"""`treewright export`."""

import json

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.present.test_command import call


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with a table and a model of it."""
    folder = tmp_path_factory.mktemp("export")
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.normal(size=200).round(2), "town": rng.choice(["a", "b", "c"], 200)})
    table["y"] = np.where((table["x"] > 0) ^ (table["town"] == "a"), "yes", "no")
    table.loc[::9, "x"] = np.nan
    table.to_csv(folder / "t.csv", index=False)
    model = tw.DecisionTreeClassifier(max_depth=4).fit(table[["x", "town"]], table["y"])
    model.save(folder / "t.tree.json")
    return folder


def test_an_export_is_written_and_checked(home):
    done = call("export", home / "t.tree.json", home / "t.csv", "--output", home / "t.py", "--check")
    assert done.status == 0, done.err
    assert done.out.splitlines()[1] == "python: all of 2,200 rows agree (leaf, prediction, probabilities)"
    module = {}
    exec((home / "t.py").read_text(), module)
    assert module["predict"]({"x": 1.0, "town": "a"}) == "no"


def test_without_a_file_it_is_printed(home):
    done = call(
        "export",
        home / "t.tree.json",
        "--to",
        "sql",
        "--dialect",
        "spark",
        "--table",
        "a.b",
        "--only",
        "leaf",
    )
    assert done.status == 0
    assert done.out.endswith("AS leaf\nFROM `a`.`b` AS t;\n")


def test_json_has_the_agreement(home):
    done = call("export", home / "t.tree.json", "--to", "sql", "--check", "--json")
    found = json.loads(done.out)
    assert (found["agrees"], found["rows"], found["to"]) == (True, 2000, "sql")
    assert found["differing"] == {"leaf": 0, "prediction": 0, "probabilities": 0}


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["--to", "cobol"], 2, "--to must be one of"),
        ([], 2, "--to must be one of"),
        (["--to", "python", "--table", "x"], 2, "takes no options"),
        (["--to", "svg", "--check"], 3, "An export to 'svg' is for reading, and cannot be run."),
        (
            ["--to", "sql", "--dialect", "mysql", "--check"],
            3,
            "Only queries for sqlite and duckdb can be run here.",
        ),
        (["--to", "sql", "--keep", "leaf"], 2, "keep must not have a column with the name of a result"),
    ],
)
def test_wrong_usage_is_one_sentence(home, args, status, words):
    done = call("export", home / "t.tree.json", *args)
    assert done.status == status
    assert words in done.err
    assert "Traceback" not in done.err


def test_rows_need_check_and_files_are_kept(home):
    done = call("export", home / "t.tree.json", home / "t.csv", "--to", "c")
    assert "DATA has the rows that --check compares." in done.err
    (home / "kept.c").write_text("mine")
    assert call("export", home / "t.tree.json", "--output", home / "kept.c").status == 2
    assert (home / "kept.c").read_text() == "mine"


@pytest.mark.parametrize("suffix", ["c", "mjs", "txt", "dot", "svg", "json"])
def test_the_suffix_decides(home, suffix):
    done = call("export", home / "t.tree.json", "-o", home / f"by.{suffix}")
    assert done.status == 0, done.err
    assert (home / f"by.{suffix}").stat().st_size > 100
    if suffix == "json":
        nested = json.loads((home / "by.json").read_text())
        assert len(nested["schema"]["columns"]) == 2
