"""`treewright show`, `explain`, `prune`, `check` and `compare`."""

import json
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.present.test_command import DATA, QUICK, call, make_home
from tests.present.test_export_text_and_plot_tree import chain
from treewright import DecisionTreeClassifier
from treewright.learn.model_file import read, save


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
        assert done.object["explanation"]["prediction"] == answers[row - 1]["prediction"]
        shown = call("explain", model, table, "--row", row, "--width", "60")
        assert shown.out.startswith(f"Row {row}: ")
        assert max(map(len, shown.out.splitlines())) <= 60
    done = call("explain", model, table, "--row", 156)
    assert done.status == 2
    assert "--row must be the number of a row, from 1 to 155. Got '156'." in done.err


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
        (["--method", "reduced_error"], 2, "needs held-out rows. Give them with --data."),
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
    assert "the last column, 'y', is the target" in done.err
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
    for name in ("treewright", "ridge regression", "random forest", "gradient boosting", "baseline"):
        assert name in done.out
    done = call("compare", "t.csv", "-t", "y", "--models", "least-squares, elastic-net", "--max-depth", "2")
    assert "elastic net" in done.out
    assert "random forest" not in done.out
    said = call("compare", "t.csv", "-t", "y", "--models", "knn", "--max-depth", "2", "--json").object
    assert said["advice"].startswith("Favour none yet")
    refused = call("compare", "t.csv", "-t", "y", "--models", "logistic")
    assert refused.status == 2
    assert "must predict numbers, as the target has. Got 'logistic'" in refused.err
    refused = call("compare", "t.csv", "-t", "z", "--json")
    assert refused.status == 2
    assert refused.object["subcommand"] == "compare"


def test_show_of_a_very_deep_or_wide_tree_is_short_and_fast(tmp_path):
    save(chain(50_000), tmp_path / "deep.tree.json", target="y")
    start = time.process_time()
    done = call("show", tmp_path / "deep.tree.json")
    assert time.process_time() - start < 5  # it took 20 seconds
    assert done.status == 0
    assert len(done.out.splitlines()) < 80
    names = [f"level {k:04}" for k in range(4000)]
    X = pl.DataFrame({"a": names * 2, "b": [k % 2 for k in range(8000)]})
    model = DecisionTreeClassifier(nominal_splits="multiway").fit(
        X, np.arange(8000) // 4000 ^ np.arange(8000) % 3 % 2
    )
    model.save(tmp_path / "wide.tree.json")
    few, every = (call("show", tmp_path / "wide.tree.json", "--rules", *more).out for more in ([], ["--all"]))
    assert few.startswith(
        f"The 200 rules with the most rows, of {model.get_n_leaves():,}. --all prints every rule."
    )
    assert few.count("then ") == 200
    assert every.count("then ") == model.get_n_leaves()


@pytest.fixture(scope="module")
def careful(tmp_path_factory):
    """A model that decides by costs, one that decides by a threshold, and one that was grown by costs."""
    folder = tmp_path_factory.mktemp("careful")
    (folder / "costs.json").write_text('{"false_positive": 1, "false_negative": 5}')
    options = ["--positive", "DIE", "--costs", folder / "costs.json", "--prevalence", "0.1", "--best", *QUICK]
    done = call("fit", DATA / "hepatitis.csv", "-t", "target", "-m", folder / "costs.tree.json", *options)
    assert done.status == 0, done.err
    frame = pl.read_csv(DATA / "hepatitis.csv")
    X, y = frame.drop("target"), frame["target"].to_numpy()
    grown = DecisionTreeClassifier(max_depth=2, costs=[[0, 5], [1, 0]]).fit(X, y)
    grown.save(folder / "grown.tree.json")
    plain = DecisionTreeClassifier(max_depth=2).fit(X, y)
    plain.with_decision(threshold=0.2, positive="DIE").save(folder / "threshold.tree.json")
    return folder


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "costs",
            "Each node predicts the class of least expected cost where the classes have the proportions",
        ),
        ("threshold", "'DIE' is predicted where its probability is above 0.2."),
        ("grown", "The class of least expected cost is predicted, which need not be the likeliest."),
    ],
)
def test_a_model_that_decides_by_costs_says_so(careful, name, words):
    for options in ([], ["--ascii", "--width", "60"], ["--rules"]):
        done = call("show", careful / f"{name}.tree.json", *options)
        wanted = "The prediction is the class of least expected cost" if options == ["--rules"] else words
        assert wanted in " ".join(done.out.split()), options
        assert f"Decision: {words}" in " ".join(done.out.split()) or (name, options) == ("grown", ["--rules"])
    plain = call("show", careful / f"{name}.tree.json", "--width", "40")
    assert all(len(line) <= 40 for line in plain.out.splitlines())


def test_explain_tells_of_the_class_that_is_asked_for(careful):
    model, table = careful / "costs.tree.json", DATA / "hepatitis.csv"
    usual = call("explain", model, table, "--row", 1, "--json").object["explanation"]
    for label in ("DIE", "LIVE"):
        done = call("explain", model, table, "--row", 1, "--positive", label)
        found = call("explain", model, table, "-r", 1, "--positive", label, "--json").object["explanation"]
        shares = {each["class"]: each["value"] for each in found["probabilities"]}
        assert found["about"] == label
        assert found["prediction"] == usual["prediction"]
        assert found["end"] == shares[label]
        assert f"probability of {label}: " in done.out
        assert f"interval of the probability of {label}" in done.out
        usually = usual["prediction"]
        assert f"target = {usually} with probability {shares[usually]:.3g}" in done.out
        assert sum(found["contributions"].values()) == pytest.approx(found["end"] - found["start"])
    done = call("explain", model, table, "--row", 1, "--positive", "DYE")
    assert done.status == 2
    assert "--positive must be a class of the model. Got 'DYE'. Did you mean 'DIE'?" in done.err
