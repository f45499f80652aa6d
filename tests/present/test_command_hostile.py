"""Names and levels that would like to be more than text are text in every output of the command."""

import numpy as np
import polars as pl
import pytest

from tests.present.test_command import HOSTILE, QUICK, call
from treewright.learn.model_file import read


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A table whose names and levels would like to be more than text, and a model of it."""
    folder = tmp_path_factory.mktemp("hostile")
    rng = np.random.default_rng(1)
    columns = {name: [HOSTILE[k] for k in rng.integers(0, len(HOSTILE), 160)] for name in HOSTILE[:7]}
    labels = [HOSTILE[0] if row in HOSTILE[:4] else HOSTILE[4] for row in columns[HOSTILE[4]]]
    pl.DataFrame(columns | {HOSTILE[7]: labels}).write_parquet(folder / "h.parquet")
    done = call("fit", folder / "h.parquet", "-t", HOSTILE[7], "-m", folder / "h.tree.json", *QUICK)
    assert done.status == 0, done.err
    return folder


@pytest.mark.parametrize(
    "args",
    [
        [
            "fit",
            "h.parquet",
            "-t",
            HOSTILE[7],
            "-m",
            "new.tree.json",
            "--force",
            "--max-depth",
            "2",
            "--holdout",
            "0.3",
        ],
        ["show", "h.tree.json"],
        ["show", "h.tree.json", "--rules"],
        ["explain", "h.tree.json", "h.parquet", "--row", "1"],
        ["score", "h.tree.json", "h.parquet"],
        ["check", "h.parquet", "-t", HOSTILE[7]],
        ["fit", "h.parquet", "-t", HOSTILE[4] + "x"],
        ["score", "h.tree.json", "h.parquet", "-t", HOSTILE[3]],
        ["prune", "h.tree.json", "--alpha", "1", "-o", "small.tree.json", "--force"],
    ],
)
def test_hostile_names_are_text_in_every_output(hostile, monkeypatch, args):
    monkeypatch.chdir(hostile)
    done = call(*args)
    assert done.status in {0, 2}, done.err
    for line in (done.out + done.err).split("\n"):
        assert line.isprintable(), line
    said = call(*args, "--json").object
    assert said["ok"] is (done.status == 0)


def test_hostile_cells_come_back_unchanged(hostile, monkeypatch):
    monkeypatch.chdir(hostile)
    done = call("predict", "h.tree.json", "h.parquet", "-o", "out.parquet", "--rule", "--force")
    assert done.status == 0
    before, after = pl.read_parquet("h.parquet"), pl.read_parquet("out.parquet")
    assert after.select(before.columns).equals(before)
    assert after["prediction"].to_list() == read("h.tree.json").predict(before).tolist()
