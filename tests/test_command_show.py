"""`treewright show`, `explain`, `prune`, `check` and `compare`."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.test_command import call, make_home
from treewright.filing import read


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return make_home(tmp_path_factory.mktemp("home"))


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- show, explain


def test_show_draws_the_tree_or_writes_rules(home):
    model = home / "liver.tree.json"
    done = call("show", model)
    assert done.status == 0
    assert done.out.startswith("all rows")
    assert "Classification for 'target'" in done.err
    saved = read(model)
    narrow = call("show", model, "--width", "40", "--ascii")
    assert narrow.out.isascii()
    assert max(map(len, narrow.out.splitlines())) <= 40
    assert "nodes are not shown" in call("show", model, "--depth", "0").out
    assert "\x1b[" in call("show", model, "--color", "always").out
    assert "\x1b" not in done.out
    rules = call("show", model, "--rules")
    assert rules.out.startswith(f"{saved.tree.n_leaves} rules from 108 rows.")
    said = call("show", model, "--json").object
    assert said["n_leaves"] == saved.tree.n_leaves
    assert said["tree"] == json.loads(json.dumps(saved.tree.to_dict()))
    assert len(call("show", model, "--json", "--rules").object["rules"]) == saved.tree.n_leaves


def test_explain_counts_rows_from_1_and_answers_as_predict_does(home):
    model, table = home / "liver.tree.json", home / "liver.csv"
    answers = call("predict", model, table, "--json").object["rows"]
    for row in (1, 155):
        done = call("explain", model, table, "--row", row, "--json")
        assert done.object["row"] == done.object["explanation"]["row"] == row
        assert done.object["explanation"]["answer"] == answers[row - 1]["prediction"]
        shown = call("explain", model, table, "--row", row, "--width", "60")
        assert shown.out.startswith(f"Row {row}: ")
        assert max(map(len, shown.out.splitlines())) <= 60
    done = call("explain", model, table, "--row", 156)
    assert done.status == 2
    assert "--row must be from 1 to 155, the rows of the table. Got 156." in done.err


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"format": "treewright", "version": 99}', "\0" * 100])
def test_what_is_no_model_file_ends_with_4(tmp_path, text):
    (tmp_path / "m.tree.json").write_text(text)
    for args in (["show"], ["predict", "x.csv"], ["score", "x.csv"], ["explain", "x.csv", "--row", 1]):
        done = call(args[0], tmp_path / "m.tree.json", *args[1:])
        assert done.status == 4
        assert "m.tree.json" in done.err
        assert not done.out


def test_a_missing_model_or_table_and_a_folder_are_told(home, tmp_path):
    done = call("show", home / "livr.tree.json")
    assert done.status == 74
    assert "Did you mean 'liver.tree.json'?" in done.err
    done = call("predict", home / "liver.tree.json", tmp_path / "nowhere.csv")
    assert done.status == 74
    assert "nowhere.csv" in done.err
    assert call("show", tmp_path).status in {4, 74}
    assert call("check", tmp_path).status in {3, 74}


# -- prune


def test_prune_writes_a_smaller_model(home, tmp_path):
    out = tmp_path / "small.tree.json"
    done = call("prune", home / "liver.tree.json", "--method", "leaf_budget", "--n-leaves", "2", "-o", out)
    assert done.status == 0, done.err
    assert "2 leaves now." in done.out
    saved = read(out)
    assert saved.tree.n_leaves == 2
    assert saved.target == "target"
    assert saved.training["pruned"] == {"method": "leaf_budget", "n_leaves": 2}
    assert call("prune", home / "liver.tree.json", "-o", out).status == 2
    done = call("prune", home / "liver.tree.json", "-o", out, "--force", "--alpha", "1", "--json")
    assert done.object["leaves"] == 1
    held_out = ["--method", "reduced_error", "--data", home / "liver.csv", "-o", out, "--force", "--quiet"]
    assert call("prune", home / "liver.tree.json", *held_out) == (0, "", "")


@pytest.mark.parametrize(
    ("options", "status", "words"),
    [
        (["--method", "leaf_budgt"], 2, "leaf_budget"),
        (["--method", "leaf_budget", "--alpha", "1"], 2, "The method leaf_budget takes --n-leaves, --risk."),
        (["--method", "merge", "--alpha", "1"], 2, "The method merge takes no options. Got --alpha."),
        (["--method", "leaf_budget", "--n-leaves", "0"], 2, "n_leaves must be an int of at least 1"),
        (["--method", "reduced_error"], 2, "needs rows held out of growing. Give them with --data."),
        (["--method", "reduced_error", "--data", "{table}", "-t", "targt"], 2, "Did you mean 'target'?"),
    ],
)
def test_prune_refuses_options_that_do_not_go(home, tmp_path, options, status, words):
    options = [each.replace("{table}", str(home / "liver.csv")) for each in options]
    done = call("prune", home / "liver.tree.json", "-o", tmp_path / "m.json", *options)
    assert done.status == status
    assert words in done.err
    assert not list(tmp_path.iterdir())


# -- check, compare


@pytest.mark.usefixtures("here")
def test_check_prints_the_findings():
    rows = [f"{i},{i % 3},same,{'ab'[i % 2]}" for i in range(40)]
    Path("t.csv").write_text("\n".join(["id,n,k,y", *rows, rows[0]]) + "\n")
    done = call("check", "t.csv")
    assert done.status == 0
    assert "the last column, 'y', is taken for it" in done.err
    for kind in ("constant column", "duplicated rows"):
        assert kind in done.out
    assert ".clean(" not in done.out
    said = call("check", "t.csv", "-t", "y", "--json", "--exclude", "k").object
    assert "constant column" not in {each["kind"] for each in said["findings"]}
    for options, words in (
        (["-t", "n", "--positive", "9"], "positive must be a class"),
        (["-t", "z"], "--target"),
    ):
        refused = call("check", "t.csv", *options)
        assert refused.status == 2
        assert words in refused.err
    assert call("check", "t.csv", "-t", "n", "--positive", "2").status == 0


@pytest.mark.usefixtures("here")
def test_compare_sets_models_side_by_side():
    rng = np.random.default_rng(0)
    pl.DataFrame({"a": rng.random(60), "y": rng.random(60)}).write_csv("t.csv")
    done = call("compare", "t.csv", "-t", "y", "--max-depth", "2")
    assert done.status == 0, done.err
    for name in ("treewright", "linear regression", "random forest", "gradient boosting", "trivial guess"):
        assert name in done.out
    refused = call("compare", "t.csv", "-t", "z", "--json")
    assert refused.status == 2
    assert refused.object["verb"] == "compare"
