"""A model file knows its training rows: all of them, some, or none, in any order and any table library."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treewright as tw
from tests.present.test_command import call
from treewright.learn.model_file import read
from treewright.learn.training_rows import CAPACITY, TrainingRows
from treewright.present.page import report


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return pl.DataFrame(
        {
            "name": [f"n{i}" for i in rng.integers(0, 50, n)],
            "whole": rng.integers(0, 1000, n),
            "decimal": np.round(rng.normal(size=n) + y, 3),
            "gap": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n).round(2)),
            "day": np.datetime64("2020-01-01", "us") + rng.integers(0, 500, n) * np.timedelta64(1, "D"),
            "flag": rng.random(n) < 0.5,
            "y": np.where(y, "yes", "no"),
        },
        nan_to_null=True,
    )


def parts(frame):
    return frame.drop("y"), frame["y"].to_numpy()


@pytest.fixture(scope="module")
def digest():
    return TrainingRows.from_dict(json.loads(json.dumps(TrainingRows.of(*parts(table(3000))).to_dict())))


@pytest.mark.parametrize(
    ("old", "new"), [(3000, 0), (400, 0), (30, 0), (400, 100), (200, 1800), (0, 3000), (0, 50)]
)
def test_the_share_of_training_rows_is_found_for_whole_tables_and_parts(digest, old, new):
    rows = pl.concat([table(3000).sample(old, seed=1), table(3000, seed=9)[:new]])
    found = digest.overlap(*parts(rows))
    assert found.share == pytest.approx(old / (old + new), abs=0.05)
    assert bool(found.text) == (old > 0)
    assert found.none == (old == 0)
    if not new:
        assert found.text.startswith("All of these rows are training rows")


def test_the_order_of_rows_and_the_table_library_do_not_matter(digest):
    frame = table(3000)
    mixed = frame.sample(3000, seed=3, shuffle=True)
    assert (TrainingRows.of(*parts(mixed)).bits == digest.bits).all()
    X, y = parts(frame)
    others = [
        X.to_pandas(),
        X.to_arrow(),
        X.with_columns(pl.col("name").cast(pl.Categorical), pl.col("whole").cast(pl.Float64)),
        X.with_columns(pl.col("whole").cast(pl.String), pl.col("flag").cast(pl.Int8)),
        X.with_columns(pl.col("decimal").cast(pl.Float32)),
    ]
    for other in others:
        assert (TrainingRows.of(other, y).bits == digest.bits).all(), other
    assert (TrainingRows.of(X, pd.Series(y, dtype="category")).bits == digest.bits).all()
    assert (TrainingRows.of(X, pa.chunked_array([pa.array(y.tolist())])).bits == digest.bits).all()


def test_large_tables_have_a_digest_of_fixed_size():
    frame = table(60_000)
    digest = TrainingRows.of(*parts(frame))
    assert len(digest.bits) == pytest.approx(CAPACITY, rel=0.05)
    assert len(json.dumps(digest.to_dict())) < 16_000
    assert digest.overlap(*parts(frame[:5000])).text.startswith("All of these rows")
    assert digest.overlap(*parts(table(5000, seed=5))).none


def test_equal_rows_by_chance_are_no_training_rows():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (2000, 4)), rng.integers(0, 2, 2000)
    digest = TrainingRows.of(X[:1000], y[:1000])
    assert digest.overlap(X[1000:], y[1000:]).matches > 900
    assert not digest.overlap(X[1000:], y[1000:]).text


def test_score_and_report_say_that_rows_are_training_rows(tmp_path):
    frame = table(600)
    frame[:400].write_csv(tmp_path / "old.csv")
    frame[400:].write_csv(tmp_path / "new.csv")
    frame[300:500].write_csv(tmp_path / "both.csv")
    model = tmp_path / "m.tree.json"
    assert call("fit", tmp_path / "old.csv", "-t", "y", "-m", model).status == 0
    assert len(json.loads(model.read_text())["training"]["training_rows"]["bits"]) < 600
    done = call("score", model, tmp_path / "old.csv")
    assert "All of these rows are training rows of the model, so that its score" in done.out
    assert "About 5" in call("score", model, tmp_path / "both.csv").out
    assert "training rows" not in call("score", model, tmp_path / "new.csv").out
    notes = json.loads(call("score", model, tmp_path / "old.csv", "--json").out)["notes"]
    assert any("training rows" in note for note in notes)
    saved = read(model)
    assert saved.training_share(*parts(frame[:400])) == pytest.approx(1, abs=0.01)
    assert saved.training_share(*parts(frame[400:])) < 0.05
    some = report(saved, *parts(frame[300:500]), check=False).payload
    assert some["notes"][0].startswith("About 5")
    assert some["scores"] is None or some["scores"]["source"] == "fit"
    said = report(saved, *parts(frame[300:500]), check=False, held_out=True).payload
    assert said["notes"][0].startswith("About 5")
    assert said["roc"]["source"] == "held-out"


def test_rows_that_were_held_out_are_no_training_rows():
    frame = table(600)
    result = tw.fit(frame, "y", test_size=0.3, check=False)
    assert result.fitted_tree.training_share(*parts(frame)) == pytest.approx(0.7, abs=0.05)
    assert tw.DecisionTreeClassifier().fit(*parts(frame)).fitted_tree.training_share(*parts(frame)) is None
