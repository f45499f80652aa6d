"""`treewright fit --like`: every classic by name, with its own options."""

from pathlib import Path

import polars as pl
import pytest

from tests.present.test_command import call
from tests.support.golden import INSIDE
from treewright.learn.classics import like
from treewright.learn.model_file import file_form, read

TENNIS = INSIDE / "data" / "tennis.csv"
LINES = ["id3", "c4.5 -m 1", "c5.0 subset=FALSE", "cart max_depth=2", "j48 -B", "reptree -P", "stump"]
LINES += ["rpart cp=0 minsplit=2"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("line", LINES)
def test_every_classic_is_fitted_by_name(line):
    assert call("fit", TENNIS, "--target", "play", "--like", line, "--quiet").status == 0
    saved = read("tennis.tree.json")
    assert saved.training["like"] == line
    frame = pl.read_csv(TENNIS)
    model = like(line).fit(frame.drop("play"), frame["play"])
    assert saved.tree.to_dict() == file_form(model).tree.to_dict()
    assert saved.predict(frame).tolist() == model.predict(frame.drop("play")).tolist()


@pytest.mark.usefixtures("here")
def test_other_parameters_change_the_classic_and_declared_classes_stay():
    frame = pl.read_csv(TENNIS).with_columns(pl.col("play").cast(pl.Enum(["yes", "perhaps", "no"])))
    frame.write_parquet("days.parquet")
    how = ["--like", "j48 -U -O -M 1", "--max-depth", "1", "--quiet"]
    done = call("fit", "days.parquet", "-t", "play", *how)
    assert done.status == 0
    saved = read("days.tree.json")
    assert saved.tree.max_depth == 1
    assert saved.tree.classes.tolist() == ["yes", "no"]


@pytest.mark.usefixtures("here")
def test_numbers_are_for_those_that_take_them():
    frame = pl.DataFrame({"x": [float(i) for i in range(40)], "y": [i * i / 7 for i in range(40)]})
    frame.write_csv("curve.csv")
    assert call("fit", "curve.csv", "-t", "y", "--like", "reptree", "--quiet").status == 0
    assert read("curve.tree.json").task == "regression"
    done = call("fit", "curve.csv", "-t", "y", "--like", "c4.5", "--quiet")
    assert done.status == 2
    assert "c4.5 takes classes only" in done.err


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("c4.6", "There is no classic 'c4.6'. Did you mean 'c4.5'"),
        ("c4.5 -p", "C4.5 -p is not supported"),
        ("c5.0 trials=0", "trials of C5.0 must be a whole number from 1 to 100"),
        ("c5.0 costs=[[0,1],[4,0]]", "--like takes no costs"),
        ("j48 -Z", "J48 has no option '-Z'"),
    ],
)
def test_what_is_not_supported_is_refused_by_name(line, sentence):
    done = call("fit", TENNIS, "--target", "play", "--like", line)
    assert done.status == 2
    assert sentence in done.err
    assert not list(Path().glob("*.json"))


@pytest.mark.usefixtures("here")
def test_what_the_original_refuses_is_refused():
    pl.DataFrame({"x": [1.5, 2.5, 3.5, 4.5], "y": ["a", "b", "a", "b"]}).write_csv("few.csv")
    done = call("fit", "few.csv", "-t", "y", "--like", "id3")
    assert done.status == 3
    assert "Use treewright.classics.c45" in done.err
