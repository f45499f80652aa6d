"""`treewright report` and `fit --report`: pages from a shell."""

import json
import re
import shlex

import polars as pl
import pytest

from tests.present.test_command import DATA, call, make_home
from tests.support.report_contract import STAND_IN, check_payload, stand_in
from treewright.learn.model_file import read
from treewright.present.command.report import command_line
from treewright.present.page import report

QUICK = ["--max-depth", "3"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with a table, the model of all of its rows, and its page."""
    folder = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as patch:
        stand_in(patch)
        patch.chdir(folder)
        make_home(folder)
        (folder / "credit.csv").write_text((DATA / "credit.csv").read_text())
        done = call(
            "fit", "credit.csv", "-t", "target", "--positive", "bad", "--report", "credit.html", *QUICK
        )
    assert done.status == 0, done.err
    assert "Page written to credit.html." in done.out
    return folder


@pytest.fixture(autouse=True)
def simple(monkeypatch, home):
    stand_in(monkeypatch)
    monkeypatch.chdir(home)


def payload_in(path):
    text = path.read_text(encoding="utf-8")
    head, tail = re.escape(STAND_IN["page.html"]).split("@@DATA@@")[0][-30:], "</script>"
    found = re.search(f"{head}(.*?){tail}", text, re.DOTALL)
    return json.loads(found[1])


def test_fit_writes_a_page_of_the_rows_it_grew_on(home):
    payload = payload_in(home / "credit.html")
    check_payload(payload)
    assert payload["title"] == "target in credit.csv"
    assert payload["roc"]["source"] == "out-of-fold"
    assert payload["roc"]["positive"] == 0
    assert payload["next_best_splits"]
    assert payload["scores"]["on"] == "5 outer folds of nested cross-validation"
    assert payload["command"] == "treewright fit credit.csv --target target --max-depth 3 --positive bad"


def test_the_command_on_the_page_makes_the_model_again(home, tmp_path):
    line = shlex.split(payload_in(home / "credit.html")["command"])
    done = call(*line[1:], "--model", tmp_path / "again.tree.json")
    assert done.status == 0, done.err
    assert read(tmp_path / "again.tree.json").tree == read(home / "credit.tree.json").tree


def test_values_of_all_kinds_are_told_as_they_can_be_typed(tmp_path):
    options = ["--exclude", "age,job", "--class-weight", "good=1,bad=2", "--smoothing", "none", "--seed", "3"]
    extra = ["--ccp-alpha", "0.01", "--level-correction", "no", "--quiet", "--force"]
    path = tmp_path / "m.tree.json"
    done = call("fit", "credit.csv", "-t", "target", *options, *extra, "-m", path)
    assert done.status == 0, done.err
    line = read(path).training["command"]
    assert "--quiet" not in line
    assert "--model" not in line
    again = call(*shlex.split(line)[1:], "--model", tmp_path / "n.tree.json")
    assert again.status == 0, again.err
    assert read(tmp_path / "n.tree.json").params == read(path).params
    assert read(tmp_path / "n.tree.json").tree == read(path).tree


def test_report_with_the_rows_of_the_fit_is_the_page_of_fit(home, tmp_path):
    done = call("report", "credit.tree.json", "credit.csv", "--output", tmp_path / "p.html")
    assert done.status == 0, done.err
    assert re.fullmatch(r"Page written to .*p.html \([\d,]+ kB\). It opens in any browser.\n", done.out)
    found, wanted = payload_in(tmp_path / "p.html"), payload_in(home / "credit.html")
    for payload in (found, wanted):
        payload.pop("check_summary")
    assert found == wanted


def test_rows_that_were_held_out_are_no_part_of_the_page_of_fit(tmp_path):
    where = ["--model", tmp_path / "h.tree.json", "--report", tmp_path / "h.html"]
    done = call("fit", "credit.csv", "-t", "target", "--holdout", "0.3", *where, *QUICK)
    assert done.status == 0, done.err
    payload = payload_in(tmp_path / "h.html")
    check_payload(payload)
    counted = read(tmp_path / "h.tree.json").tree.n_node_samples[0]
    assert payload["nodes"]["held_out_error"][0]["n"] == counted == 700
    assert payload["notes"] == []


def test_report_without_data_or_without_its_target_has_what_is_known(tmp_path):
    done = call("report", "credit.tree.json", "-o", tmp_path / "a.html", "--title", "Who pays")
    assert done.status == 0, done.err
    payload = payload_in(tmp_path / "a.html")
    check_payload(payload)
    assert payload["title"] == "Who pays"
    assert payload["columns"][0]["typical"] is None
    pl.read_csv("credit.csv").drop("target").write_csv(tmp_path / "x.csv")
    done = call("report", "credit.tree.json", tmp_path / "x.csv", "-o", tmp_path / "b.html")
    assert done.status == 0, done.err
    assert "needs rows with the target, which the table does not have" in done.err
    payload = payload_in(tmp_path / "b.html")
    check_payload(payload)
    assert payload["columns"][0]["typical"] is not None


def test_other_rows_judge_the_model(tmp_path):
    old = pl.read_csv("credit.csv")[:300]
    old.write_csv(tmp_path / "old.csv")
    old.with_columns(pl.col("credit_amount") + 1).write_csv(tmp_path / "new.csv")
    done = call("report", "credit.tree.json", tmp_path / "old.csv", "-o", tmp_path / "o.html")
    assert "All of these rows are training rows" in done.err
    assert payload_in(tmp_path / "o.html")["roc"]["source"] == "training"
    done = call("report", "credit.tree.json", tmp_path / "new.csv", "-o", tmp_path / "a.html")
    assert done.status == 0, done.err
    assert "treated as held-out rows" in done.err
    assert payload_in(tmp_path / "a.html")["roc"]["source"] == "held-out"
    done = call("report", "credit.tree.json", "credit.csv", "-o", tmp_path / "b.html", "--held-out", "--json")
    assert done.status == 0, done.err
    assert done.object["output"] == str(tmp_path / "b.html")
    assert done.object["nodes"] == len(payload_in(tmp_path / "b.html")["words"]["test"])
    assert payload_in(tmp_path / "b.html")["roc"]["source"] == "held-out"


def test_numbers_weights_and_a_comparison(home, tmp_path):
    table = pl.read_csv(DATA / "iris.csv").with_columns(w=pl.int_range(pl.len()) % 3)
    table.write_csv(tmp_path / "iris.csv")
    asked = ["--weights", "w", "--target", "petal_width", "--compare", "--held-out"]
    done = call("report", "iris.tree.json", tmp_path / "iris.csv", "-o", tmp_path / "i.html", *asked)
    assert done.status == 0, done.err
    payload = payload_in(tmp_path / "i.html")
    check_payload(payload)
    assert payload["residuals"]["source"] == "held-out"
    assert payload["comparison"]["rows"]
    weighted = report(
        home / "iris.tree.json",
        table.drop("w", "petal_width"),
        table["petal_width"],
        sample_weight=table["w"],
        held_out=True,
    )
    assert payload["pruning"] == weighted.payload["pruning"]


def test_the_page_is_opened_if_asked(tmp_path, monkeypatch):
    import webbrowser

    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    done = call("report", "credit.tree.json", "-o", tmp_path / "my page.html", "--open", "--quiet")
    assert (done.status, done.out) == (0, "")
    assert opened == [(tmp_path / "my page.html").as_uri()]


# -- what it cannot do


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["credit.tree.json", "--target", "x"], 2, "--target needs DATA. Name a table too."),
        (["credit.tree.json", "--compare"], 2, "--compare needs DATA."),
        (["credit.tree.json", "-o", "credit.csv"], 2, "'credit.csv' already exists. Add --force"),
        (["credit.tree.json", "-o", "no/such.html"], 74, "There is no folder 'no' to write 'such.html' to."),
        (["credit.tree.json", "credit.csv", "-t", "targt"], 2, "Did you mean 'target'?"),
        (["credit.tree.json", "liver.csv"], 3, "The table must have all columns of the model. It lacks"),
        (["credit.csv"], 4, "not a valid model file"),
        (["nothing.tree.json"], 74, "No such file"),
        (["credit.tree.json", "credit.csv", "-t", "age"], 2, "--target must not name a column of the model."),
        (["credit.tree.json", "credit.csv", "--weights", "age"], 2, "--sample-weight must not name a column"),
        (["credit.tree.json", "-o", "-"], 2, "--output needs a file of its own. Got '-'."),
        (["credit.tree.json", "-o", "credit.tree.json", "--force"], 2, "must be another file than MODEL"),
        (["credit.tree.json", "credit.csv", "-o", "./credit.csv", "--force"], 2, "another file than DATA"),
        (["credit.tree.json", "nothing.csv"], 74, "No such file"),
    ],
)
def test_what_does_not_work_ends_with_a_sentence_and_no_page(home, args, status, words):
    before = sorted(path.name for path in home.iterdir())
    done = call("report", *args, *([] if "-o" in args else ["-o", "new.html"]))
    assert done.status == status, done.err
    assert words in done.err
    assert sorted(path.name for path in home.iterdir()) == before


def test_fit_refuses_before_any_work_a_page_that_could_not_be_written(home):
    done = call("fit", "credit.csv", "-t", "target", "--report", "no/such.html", "--model", "other.tree.json")
    assert done.status == 74
    assert not (home / "other.tree.json").exists()
    done = call("fit", "credit.csv", "-t", "target", "--report", "credit.csv")
    assert done.status == 2
    assert "'credit.csv' already exists" in done.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--report", "one.html", "--model", "./one.html"], "--report must be another file than MODEL"),
        (["--report", "link.csv", "--force"], "--report must be another file than DATA"),
        (["--model", "credit.csv", "--force"], "--model must be another file than DATA"),
        (["--report", "liver.csv", "--test", "liver.csv", "--force"], "another file than TEST"),
        (["--report", "-"], "--report needs a file of its own. Got '-'. Name a file."),
    ],
)
def test_fit_writes_nothing_over_what_it_reads_or_writes(home, options, words):
    link = home / "link.csv"
    link.symlink_to(home / "credit.csv")
    try:
        before = {path.name: path.read_bytes() for path in home.iterdir()}
        done = call("fit", "credit.csv", "-t", "target", *options)
        assert done.status == 2, done.err
        assert words in done.err
        assert {path.name: path.read_bytes() for path in home.iterdir()} == before
    finally:
        link.unlink()


def test_the_table_of_a_fit_that_held_rows_out_is_not_called_unseen(tmp_path):
    model = tmp_path / "h.tree.json"
    assert call("fit", "credit.csv", "-t", "target", "--holdout", "0.3", "-m", model, *QUICK).status == 0
    done = call("report", model, "credit.csv", "-o", tmp_path / "h.html")
    assert done.status == 0, done.err
    assert "About 70 % of these rows are training rows" in done.err
    assert payload_in(tmp_path / "h.html")["nodes"]["held_out_error"] is None
    done = call("report", model, "credit.csv", "--held-out", "-o", tmp_path / "g.html")
    assert payload_in(tmp_path / "g.html")["roc"]["source"] == "held-out"


def test_a_device_is_no_place_for_a_page():
    done = call("report", "credit.tree.json", "-o", "/dev/null")
    assert done.status == 74
    assert "A page needs a file of its own" in done.err


def test_labels_that_the_model_does_not_know_are_refused(tmp_path):
    pl.read_csv("credit.csv").with_columns(target=pl.lit("strange")).write_csv(tmp_path / "x.csv")
    done = call("report", "credit.tree.json", tmp_path / "x.csv", "-o", tmp_path / "x.html")
    assert done.status == 3
    assert "strange" in done.err


def test_outside_of_a_command_there_is_no_command_line():
    assert command_line() is None


def test_the_prune_command_on_the_page_gives_the_tree_that_is_shown(tmp_path):
    done = call(
        "fit", DATA / "credit.csv", "--target", "target", "--model", tmp_path / "m.tree.json", "--quiet"
    )
    assert done.status == 0, done.err
    saved = read(tmp_path / "m.tree.json")
    payload = report(tmp_path / "m.tree.json").payload
    trees = [(payload, saved.tree)]
    if saved.best is not None:
        trees.append((payload | payload["alternatives"][0], saved.best.tree))
    for number, (part, tree) in enumerate(trees):
        pruning = part["pruning"]
        for step in {1, len(pruning["steps"]) // 2} - {0}:
            output = tmp_path / f"{number}-{step}.tree.json"
            typed = f"{pruning['command']} {pruning['steps'][step]['alpha']} --output {output} --quiet"
            typed = typed.replace("MODEL.tree.json", str(tmp_path / "m.tree.json"))
            assert call(*shlex.split(typed)[1:]).status == 0
            cut = tree.collapse([0 <= at <= step for at in pruning["collapse_at"]])
            assert read(output).tree.first_child.tolist() == cut.first_child.tolist()


def test_the_intended_use_and_an_unverified_file_are_on_the_page(tmp_path):
    path = tmp_path / "m.tree.json"
    assert call("fit", DATA / "credit.csv", "--target", "target", "--model", path, "--quiet").status == 0
    page = tmp_path / "a.html"
    assert call("report", path, "--intended-use", "Teaching only.", "--output", page).status == 0
    assert payload_in(page)["card"]["intended_use"] == "Teaching only."
    assert payload_in(page)["card"]["verified"] is True
    doc = json.loads(path.read_text())
    doc["training"]["rows"] = 7
    path.write_text(json.dumps(doc))
    assert call("report", path, "--output", tmp_path / "b.html").status != 0
    done = call("report", path, "--allow-unverified", "--output", tmp_path / "b.html")
    assert done.status == 0
    assert payload_in(tmp_path / "b.html")["card"]["verified"] is False
