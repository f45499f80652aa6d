"""`treewright fit`: what it says, writes and refuses."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.present.test_command import DATA, QUICK, call
from treewright.learn.model_file import read


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("here")
def test_fit_tells_the_whole_story_and_writes_the_model_beside():
    Path("liver.csv").write_text((DATA / "hepatitis.csv").read_text())
    done = call("fit", "liver.csv", "--target", "target", "--exclude", "AGE,SEX", "--positive", "DIE")
    assert done.status == 0
    order = [
        "155 rows, 17 columns (2 more excluded)",
        "Columns",
        "Tree",
        "all rows",
        "Score",
        "baseline",
        "accuracy",
        "written to",
    ]
    places = [done.out.find(words) for words in order]
    assert -1 not in places
    assert places == sorted(places)
    assert "AGE" not in done.out.split("Tree")[0].split("Columns")[1]
    assert "CSV: , between fields" in done.err
    assert "treewright explain liver.tree.json liver.csv --row 1" in done.err
    saved = read("liver.tree.json")
    assert saved.target == "target"
    assert saved.training["positive"] == "DIE"
    assert saved.training["reading"]["separator"] == ","
    assert saved.training["next_best_splits"]
    again = call("fit", "liver.csv", "--target", "target", "--exclude", "AGE,SEX", "--positive", "DIE")
    assert (again.status, again.out) == (0, done.out)  # its own file is replaced, and the same is said


@pytest.mark.usefixtures("here")
def test_fit_with_json_says_all_of_it_in_one_object_and_quiet_nothing():
    done = call("fit", DATA / "hepatitis.csv", "-t", "target", "--json", *QUICK)
    assert done.status == 0
    assert not done.err
    said = done.object
    assert said["ok"] is True
    assert said["subcommand"] == "fit"
    assert said["model"] == "hepatitis.tree.json"
    assert [column["name"] for column in said["columns"]][:2] == ["AGE", "SEX"]
    assert said["columns"][1]["levels"] == ["female", "male"]
    assert {score["metric"] for score in said["scores"]} >= {"accuracy", "log loss"}
    assert said["params"]["max_depth"] == 3
    assert any("CSV" in note for note in said["notes"])
    quiet = call("fit", DATA / "hepatitis.csv", "-t", "target", "--quiet", *QUICK)
    assert quiet == (0, "", "")


@pytest.mark.usefixtures("here")
def test_fit_overwrites_only_what_it_may():
    table = DATA / "iris.csv"
    Path("iris.tree.json").write_text("my notes")
    done = call("fit", table, "-t", "species", *QUICK)
    assert done.status == 2
    assert "'iris.tree.json' already exists. Add --force" in done.err
    assert Path("iris.tree.json").read_text() == "my notes"
    assert call("fit", table, "-t", "species", "--force", *QUICK).status == 0
    assert call("fit", table, "-t", "species", "-m", "iris.tree.json", *QUICK).status == 2
    for place, words in (("no/where.json", "There is no folder 'no'"), (".", "'.' is a folder")):
        done = call("fit", table, "-t", "species", "-m", place, *QUICK)
        assert done.status == 74
        assert words in done.err


@pytest.mark.usefixtures("here")
def test_a_folder_that_cannot_be_written_to_is_told_before_the_work(monkeypatch):
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write everywhere
    done = call("fit", DATA / "iris.csv", "-t", "species")
    assert done.status == 74
    assert "The folder '.' cannot be written to." in done.err


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["-t", "speces"], 2, "Did you mean 'species'?"),
        (["-t", "xyzzy"], 2, "It has 'sepal_length', 'sepal_width'"),
        (["-t", "species", "-x", "sepal_lenght"], 2, "Did you mean 'sepal_length'?"),
        (["-t", "species", "-x", "species"], 2, "--exclude must not name the target"),
        (["-t", "species", "--weights", "wight"], 2, "--sample-weight must name a column"),
        (["-t", "species", "--criterion", "squared_error"], 2, "criterion must be one of 'gini'"),
        (["-t", "species", "--task", "regression"], 2, "--task regression needs a target of numbers"),
        (["-t", "species", "--positive", "setossa"], 2, "Did you mean 'setosa'?"),
        (["-t", "species", "--pruning", "pesimistic"], 2, "Did you mean 'pessimistic'?"),
        (["-t", "species", "--monotonic-cst", "petal=1"], 2, "--monotonic-cst must name a column"),
        (["-t", "species", "--categorical-features", "petal"], 2, "--categorical-features must name"),
        (["-t", "species", "--test", "nowhere.csv"], 74, "nowhere.csv"),
        (["-t", "species", "--costs", "nowhere.json"], 74, "nowhere.json"),
        (["-t", "species", "--priors", "0.5,0.4"], 2, "priors"),
    ],
)
def test_fit_refuses_what_the_table_does_not_have(here, options, status, words):
    done = call("fit", DATA / "iris.csv", *options, "--quiet")
    assert done.status == status, done.err
    assert words in done.err
    assert not done.out
    assert not list(here.iterdir())


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("a,y\n", "row"),
        ("a,y\n1,2\n3\n", "Line 3"),
        ("a,y\n1,x\n2,x\n3,x\n", "at least two values"),
        ("a,y\n1,\n2,\n", "'y'"),
        ("y\n1\n2\n1\n2\n", "column"),
    ],
)
def test_bad_tables_end_with_3_and_a_sentence(text, words):
    Path("bad.csv").write_text(text)
    done = call("fit", "bad.csv", "-t", "y")
    assert done.status == 3, done.err
    assert words in done.err
    assert not Path("bad.tree.json").exists()


@pytest.mark.usefixtures("here")
def test_names_of_classes_and_columns_are_those_of_the_table():
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"a,b": rng.random(80), "c": rng.integers(0, 3, 80), "w": np.ones(80)})
    frame = frame.with_columns(y=(pl.col("a,b") > 0.5).cast(pl.Int64) + 1)
    frame.write_csv("t.csv")
    options = ["--class-weight", "1=2,2=1", "--monotonic-cst", "a,b=1", "--weights", "w", "--holdout", "0.3"]
    done = call("fit", "t.csv", "-t", "y", "--json", *options[:2], *options[4:])
    assert done.status == 0, done.out
    assert done.object["params"]["class_weight"] == {"1": 2, "2": 1}
    signs = [
        "--monotonic-cst",
        '{"a,b": 1}',
        "--task",
        "regression",
        "--ccp-alpha",
        "0",
        "--smoothing",
        "none",
    ]
    done = call("fit", "t.csv", "-t", "y", "--json", "--exclude", "w", *signs)
    assert done.status == 0, done.out
    assert done.object["params"]["monotonic_cst"] == [1, 0]
    assert [column["name"] for column in done.object["columns"]] == ["a,b", "c"]
    only = call("fit", "t.csv", "-t", "y", "--json", "--exclude", "w,a,b", "--holdout", "0.3")
    assert [column["name"] for column in only.object["columns"]] == ["c"]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("two.json", '{"false_positive": 1, "false_negative": 5}', None),
        ("matrix.json", "[[0, 1], [5, 0]]", None),
        ("named.json", '{"DIE": {"DIE": 0, "LIVE": 5}, "LIVE": {"DIE": 1, "LIVE": 0}}', None),
        ("table.csv", "true,LIVE,DIE\nLIVE,0,1\nDIE,5,0\n", None),
        ("broken.json", "{", "must be JSON"),
        ("errors.json", '{"DIE": {"LIVE": 5}, "LIVE": {"DIE": 1}}', None),
        ("word.json", '"much"', "must hold costs. Got str."),
        ("deep.json", "[" * 100_000, "must be JSON"),
        ("lacks.json", '{"DIE": {"DIE": 0, "LIVE": 5}}', "There is none for 'LIVE'."),
        ("lacks2.json", '{"DIE": {"DIE": 0}, "LIVE": {"DIE": 1, "LIVE": 0}}', "for true class 'DIE'"),
        ("flat.json", '{"DIE": 1, "LIVE": 2}', "must be by class"),
        ("other.json", '{"DIE": {}, "LIVE": {}, "LOST": {}}', "Got 'LOST'."),
        ("text.json", '[[0, "much"], [5, 0]]', "A cost in 'text.json' must be a number. Got 'much'."),
        ("large.json", "[[0, 1, 2], [5, 0, 1]]", "costs must have a row and a column"),
        ("ragged.json", "[[0, 1], [5]]", "costs must be numbers, none beyond 1e308, in rows of equal length"),
        ("huge.json", f"[[0, 1{'0' * 400}], [5, 0]]", "must be at most 1e308. Got a greater number."),
        ("endless.json", "[[0, 1e400], [5, 0]]", "costs must be finite and not negative. Got inf."),
        ("twice.json", '{"false_positive": 1, "false_positive": 2, "false_negative": 5}', "more than once"),
        ("twice.csv", "true,LIVE,DIE\nLIVE,0,1\nDIE,5,0\nDIE,4,0\n", "Got 'DIE' more than once."),
    ],
)
def test_costs_are_read_from_a_file_or_refused(name, text, words):
    Path(name).write_text(text)
    options = ["--costs", name, "--positive", "DIE", "--json", *QUICK]
    done = call("fit", DATA / "hepatitis.csv", "-t", "target", *options)
    if words is None:
        assert done.status == 0, done.out
        costs = read("hepatitis.tree.json").tree.costs
        assert costs.tolist() == ([[0, 5], [1, 0]] if name != "matrix.json" else [[0, 1], [5, 0]])
        assert "cost" in {score["metric"] for score in done.object["scores"]}
    else:
        assert done.status == 3
        assert words in done.object["error"]["message"]


@pytest.mark.usefixtures("here")
def test_a_test_table_is_read_as_the_table_was():
    """Codes of which all happen to be numbers, and a column without any value."""
    rows = [(code, size, "yes" if code in "12" else "no") for code in "12x" for size in range(30)]
    Path("t.csv").write_text("code,size,y\n" + "".join(f"{c},{s}.5,{y}\n" for c, s, y in rows))
    Path("new.csv").write_text("y,size,code\nyes,,1\nyes,,2\n")
    done = call("fit", "t.csv", "-t", "y", "--test", "new.csv", "--json")
    assert done.status == 0, done.out
    assert done.object["scores"][0] | {"low": 0, "baseline": 0} == {
        "metric": "accuracy", "value": 1, "low": 0, "high": 1, "baseline": 0,
    }  # fmt: skip
    assert call("predict", "t.tree.json", "new.csv", "--json").status == 0
    assert call("score", "t.tree.json", "new.csv", "--json").status == 0
    assert call("explain", "t.tree.json", "new.csv", "--row", 1).status == 0
    more = ["--method", "reduced_error", "--data", "new.csv", "-o", "less.tree.json"]
    assert call("prune", "t.tree.json", *more).status == 0


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("method", ["reduced_error", "pessimistic", "minimum_error", "leaf_budget", "merge"])
def test_every_way_to_prune_fits(method):
    more = ["--pruning-options", "n_leaves=5"] if method == "leaf_budget" else []
    done = call("fit", str(DATA / "hepatitis.csv"), "--target", "target", "--pruning", method, *more)
    assert done.status == 0, done.err
    assert read("hepatitis.tree.json").training["rows"] == 155


def test_groups_and_time_are_options(tmp_path):
    from tests.evaluate.test_groups_and_time import drifting, grouped

    grouped(n_groups=20, size=5).write_csv(tmp_path / "g.csv")
    drifting().write_csv(tmp_path / "t.csv")
    for name, option, column in (("g", "--groups", "patient"), ("t", "--time", "day")):
        options = ["-t", "y", option, column, "--json"]
        made = call("fit", tmp_path / f"{name}.csv", "-m", tmp_path / f"{name}.tree.json", *options)
        assert made.status == 0, made.out
        assert column not in {each["name"] for each in made.object["columns"]}
        found = call("compare", tmp_path / f"{name}.csv", *options, "--max-depth", "2")
        assert found.status == 0, found.out
    kinds = {
        each["kind"] for each in call("check", tmp_path / "g.csv", "-t", "y", "--json").object["findings"]
    }
    assert "grouped rows" in kinds
    known = call("check", tmp_path / "g.csv", "-t", "y", "--groups", "patient", "--json").object["findings"]
    assert "grouped rows" not in {each["kind"] for each in known}
    wrong = call("fit", tmp_path / "g.csv", "-t", "y", "--groups", "patent")
    assert wrong.status == 2
    assert "--groups must name a column" in wrong.err
