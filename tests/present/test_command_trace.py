"""`treewright trace`: what it prints, and the page that it writes."""

import json

import pytest

from tests.present.test_command import call
from tests.support.tennis import NAMES, ROWS


@pytest.fixture
def folder(tmp_path, monkeypatch):
    lines = [",".join(NAMES), *(row.replace(" ", ",") for row in ROWS.splitlines())]
    (tmp_path / "tennis.csv").write_text("\n".join(lines) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_textbooks_tree_is_printed_and_written(folder):
    done = call("trace", "tennis.csv", "--target", "play", "--like", "id3")
    assert done.status == 0, done.err
    assert "outlook in 3 branches      0.247  <- chosen" in done.out
    assert "Page written to tennis.trace.html" in done.err + done.out
    assert "How the tree for play grows" in (folder / "tennis.trace.html").read_text()


@pytest.mark.usefixtures("folder")
def test_a_tree_without_limits_has_few_leaves():
    done = call("trace", "tennis.csv", "-t", "play", "--json")
    found = json.loads(done.out)
    assert "at most 8 leaves" in str(found["notes"])
    assert found["steps"] <= 7
    assert {"step", "column", "gain", "chosen"} <= set(found["candidates"][0])


def test_parameters_and_other_names(folder):
    done = call(
        "trace", "tennis.csv", "-t", "play", "--criterion", "entropy", "--max-depth", "2", "-o", "page.html",
        "--title", "A lesson", "--exclude", "wind",
    )  # fmt: skip
    assert done.status == 0, done.err
    assert "A lesson" in (folder / "page.html").read_text()
    assert "wind" not in done.out
    again = call("trace", "tennis.csv", "-t", "play", "-o", "page.html")
    assert again.status != 0
    assert "--force" in again.err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("options", [["--pruning", "reduced_error"], ["--like", "j48 -R"]])
def test_rows_that_pruning_held_out_are_left_out(options):
    done = call("trace", "tennis.csv", "--target", "play", *options)
    assert done.status == 0, done.err
    assert "Pruning held out" in done.out


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["-t", "plya"], "play"),
        (["-t", "play", "-o", "tennis.csv", "--force"], "another file than DATA"),
        (["-t", "play", "--criterion", "gin"], "gini"),
        (
            ["-t", "play", "--like", "c5.0 trials=3"],
            "must be a program that grows one tree. Got 'c5.0 trials=3', which makes rules or several trees",
        ),
        (["-t", "play", "--like", "c5.0 rules=TRUE"], "must be a program that grows one tree"),
    ],
)
def test_wrong_usage_is_one_sentence(options, sentence):
    done = call("trace", "tennis.csv", *options)
    assert done.status == 2
    assert sentence in done.err
