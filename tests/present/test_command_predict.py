"""`treewright predict` and `treewright score`: rows in, predictions and scores out."""

import csv
import gzip
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.present.test_command import DATA, call, make_home
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.learn.model_file import read, save


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return make_home(tmp_path_factory.mktemp("home"))


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


# -- predict


def test_predictions_are_appended_and_are_those_of_the_model(home):
    table, model = home / "liver.csv", home / "liver.tree.json"
    done = call("predict", model, table, "--proba", "--rule")
    assert done.status == 0
    found, given = rows_of(done.out), rows_of(table.read_text())
    saved, frame = read(model), pl.read_csv(table)
    assert [list(row)[: len(given[0])] for row in found[:1]] == [list(given[0])]
    assert [{name: row[name] for name in given[0]} for row in found] == given
    added = ["prediction", "leaf", "probability", "probability_of_DIE", "probability_of_LIVE", "rule"]
    assert list(found[0])[len(given[0]) :] == added
    assert [row["prediction"] for row in found] == saved.predict(frame).tolist()
    assert [int(row["leaf"]) for row in found] == saved.apply(frame).tolist()
    shares = saved.predict_proba(frame)
    assert [float(row["probability_of_DIE"]) for row in found] == shares[:, 0].tolist()
    assert [float(row["probability"]) for row in found] == shares.max(axis=1).tolist()
    by_leaf = {row["leaf"]: row["rule"] for row in found}
    assert len(set(by_leaf.values())) == len(by_leaf) > 1


def test_rules_of_columns_without_missing_values_do_not_mention_them(home):
    found = rows_of(call("predict", home / "iris.tree.json", DATA / "iris.csv", "--rule").out)
    assert len({row["rule"] for row in found}) > 1
    assert not any("missing" in row["rule"] for row in found)


def test_numbers_are_predicted_too_and_have_no_probability(home):
    done = call("predict", home / "iris.tree.json", DATA / "iris.csv")
    found = rows_of(done.out)
    frame = pl.read_csv(DATA / "iris.csv")
    assert [float(row["prediction"]) for row in found] == read(home / "iris.tree.json").predict(
        frame
    ).tolist()
    assert "probability" not in found[0]
    refused = call("predict", home / "iris.tree.json", DATA / "iris.csv", "--proba")
    assert refused.status == 2
    assert "--proba is for models of classes" in refused.err


def test_columns_may_come_in_any_order_and_names_that_clash_get_a_number(home, tmp_path):
    frame = pl.read_csv(home / "liver.csv")
    other = frame.select(reversed(frame.columns)).drop("target").with_columns(prediction=1, prediction_2=2)
    other.write_csv(tmp_path / "other.csv")
    done = call("predict", home / "liver.tree.json", tmp_path / "other.csv")
    assert done.status == 0
    assert "so the new one is called 'prediction_3'" in done.err
    expected = read(home / "liver.tree.json").predict(frame).tolist()
    assert [row["prediction_3"] for row in rows_of(done.out)] == expected
    assert {row["prediction"] for row in rows_of(done.out)} == {"1"}


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow", "csv.gz"])
def test_the_answer_has_the_format_of_the_question(home, tmp_path, ending):
    frame = pl.read_csv(home / "liver.csv")
    table, out = tmp_path / f"new.{ending}", tmp_path / f"out.{ending}"
    write = {"parquet": frame.write_parquet, "arrow": frame.write_ipc}
    if ending in write:
        write[ending](table)
    else:
        text = frame.write_csv(separator="\t" if ending == "tsv" else ",")
        packed = gzip.compress(text.encode()) if ending.endswith("gz") else text.encode()
        table.write_bytes(packed)
    done = call("predict", home / "liver.tree.json", table, "-o", out)
    assert done.status == 0, done.err
    assert not done.out
    assert "155 rows written to" in done.err
    assert out.read_bytes()[:4] == table.read_bytes()[:4]
    read_back = {"parquet": pl.read_parquet, "arrow": pl.read_ipc}.get(
        ending, lambda path: pl.read_csv(path, separator="\t" if ending == "tsv" else ",")
    )(out)
    assert read_back["prediction"].to_list() == read(home / "liver.tree.json").predict(frame).tolist()
    again = call("predict", home / "liver.tree.json", table, "-o", out)
    assert again.status == 2
    assert "already exists" in again.err
    assert call("predict", home / "liver.tree.json", table, "-o", out, "--force").status == 0


def test_devices_are_written_to_and_never_replaced(home):
    model, table = home / "liver.tree.json", home / "liver.csv"
    assert call("predict", model, table, "-o", "/dev/null").status == 0
    full = call("predict", model, table, "-o", "/dev/full", "--force")
    assert full.status == 74
    assert "No space left" in full.err
    assert not Path("/dev/null").is_file()
    assert not Path("/dev/full").is_file()
    done = call("prune", model, "-o", "/dev/null", "--force")
    assert done.status == 74
    assert "A model needs a file of its own" in done.err


def test_predictions_as_json(home, tmp_path):
    done = call("predict", home / "liver.tree.json", home / "liver.csv", "--json")
    assert len(done.object["rows"]) == 155
    assert set(done.object["rows"][0]) == {"prediction", "leaf", "probability"}
    done = call("predict", home / "liver.tree.json", home / "liver.csv", "--json", "-o", tmp_path / "a.csv")
    assert done.object["n_rows"] == 155
    assert done.object["columns"] == ["prediction", "leaf", "probability"]


def test_a_table_that_does_not_fit_the_model_is_refused(home, tmp_path):
    frame = pl.read_csv(home / "liver.csv")
    tree = read(home / "liver.tree.json").tree
    name = next(
        n for place in tree.used if (n := tree.feature_names[place]) in {"BILIRUBIN", "ALBUMIN", "PROTIME"}
    )
    hint = f"It lacks '{name}'. Did you mean its column '{name}S'? Rename it."
    odd = f"'{name}' must hold numbers, as at fit, but line 2 has 'old' (and 154 more). Pass --also-missing"
    for other, words in (
        (frame.rename({name: f"{name}S"}), hint),
        (frame.with_columns(pl.lit("old").alias(name)), odd),
    ):
        other.write_csv(tmp_path / "other.csv")
        for verb, more in (("predict", []), ("score", []), ("explain", ["--row", "1"])):
            done = call(verb, home / "liver.tree.json", tmp_path / "other.csv", *more)
            assert done.status == 3
            assert words in done.err or verb == "explain"
            assert not done.out


def test_a_file_of_few_rows_is_read_as_at_fit(tmp_path):
    """Codes of which all are numbers, true and false, and cells that are all empty."""
    rng = np.random.default_rng(0)
    levels = np.array(["1", "2.50", "x", "true"])
    frame = pl.DataFrame({"code": levels[rng.integers(0, 4, 200)], "size": rng.random(200)})
    y = np.where(np.isin(frame["code"].to_numpy(), ["1", "2.50"]), "low", "high")
    model = DecisionTreeClassifier(max_depth=3).fit(frame, y)
    save(model, tmp_path / "m.tree.json", target="y")
    cells = {"1": "low", "2.50": "low", "true": "high"}
    for cell, expected in cells.items():
        (tmp_path / "one.csv").write_text(f"code,size\n{cell},\n")
        done = call("predict", tmp_path / "m.tree.json", tmp_path / "one.csv", "--json")
        assert done.status == 0, done.out
        assert done.object["rows"][0]["prediction"] == expected
        assert call("explain", tmp_path / "m.tree.json", tmp_path / "one.csv", "--row", 1).status == 0


def test_several_outputs_are_predicted_side_by_side(tmp_path, rng):
    X = pl.DataFrame({"a": rng.random(50), "b": rng.random(50)})
    y = np.column_stack([np.where(X["a"] > 0.5, "x", "y"), np.where(X["b"] > 0.3, "u", "v")])
    save(DecisionTreeClassifier().fit(X, y), tmp_path / "m.tree.json")
    X.write_csv(tmp_path / "t.csv")
    done = call("predict", tmp_path / "m.tree.json", tmp_path / "t.csv", "--proba")
    found = rows_of(done.out)
    assert [[row["prediction_1"], row["prediction_2"]] for row in found] == y.tolist()
    assert {row["probability_2_of_u"] for row in found} == {"0.0", "1.0"}
    refused = call("score", tmp_path / "m.tree.json", tmp_path / "t.csv", "-t", "a")
    assert refused.status == 2
    assert "models of one target" in refused.err


# -- score


def test_scores_agree_with_scikit_learn(home):
    from sklearn.metrics import accuracy_score, brier_score_loss, confusion_matrix, log_loss, roc_auc_score

    done = call("score", home / "liver.tree.json", home / "liver.csv", "--json")
    frame = pl.read_csv(home / "liver.csv")
    saved, y = read(home / "liver.tree.json"), frame["target"].to_numpy()
    shares, found = saved.predict_proba(frame), {each["metric"]: each for each in done.object["figures"]}
    assert found["accuracy"]["value"] == pytest.approx(accuracy_score(y, saved.predict(frame)))
    assert found["log loss"]["value"] == pytest.approx(log_loss(y, shares))
    assert found["AUC"]["value"] == pytest.approx(roc_auc_score(y, shares[:, 1]))
    brier = brier_score_loss(y == "LIVE", shares[:, 1])
    assert found["Brier score"]["value"] == pytest.approx(brier)
    assert all(each["low"] <= each["value"] <= each["high"] for each in found.values())
    assert done.object["confusion"]["counts"] == confusion_matrix(y, saved.predict(frame)).tolist()
    shown = call("score", home / "liver.tree.json", home / "liver.csv")
    assert "155 rows, target 'target'" in shown.out
    assert f"{found['accuracy']['value']:.4g}" in shown.out


def test_scores_of_numbers_and_weights_agree_with_scikit_learn(home, tmp_path, rng):
    from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error

    frame = pl.read_csv(DATA / "iris.csv").with_columns(w=pl.Series(rng.integers(0, 4, 150)))
    frame.write_csv(tmp_path / "t.csv")
    done = call("score", home / "iris.tree.json", tmp_path / "t.csv", "--weights", "w", "--json")
    y, said, w = (
        frame["petal_width"].to_numpy(),
        read(home / "iris.tree.json").predict(frame),
        frame["w"].to_numpy(),
    )
    found = {each["metric"]: each for each in done.object["figures"]}
    for name, metric in {
        "R²": r2_score,
        "root mean squared error": root_mean_squared_error,
        "mean absolute error": mean_absolute_error,
    }.items():
        assert found[name]["value"] == pytest.approx(metric(y, said, sample_weight=w))
        assert found[name]["low"] < found[name]["value"] < found[name]["high"]
    assert found["R²"]["baseline"] < 0.1


def test_rows_without_answers_and_classes_that_are_not_known_are_told(home, tmp_path):
    frame = pl.read_csv(home / "liver.csv")
    column = ["LOST", None, *frame["target"].to_list()[2:]]
    frame.with_columns(target=pl.Series(column)).write_csv(tmp_path / "t.csv")
    done = call("score", home / "liver.tree.json", tmp_path / "t.csv")
    assert done.status == 0
    assert "1 row without 'target' left out." in done.err
    assert "1 row has a class that the model does not know ('LOST'): counted as wrong." in done.err
    assert "154 rows" in done.out
    assert done.out.split("true class ")[-1].split("\n")[3].split()[0] == "LOST"


@pytest.mark.parametrize(
    ("change", "options", "status", "words"),
    [
        ({}, ["-t", "targt"], 2, "Did you mean 'target'?"),
        ({}, ["--weights", "wait"], 2, "--sample-weight must name a column"),
        ({}, ["--weights", "SEX"], 3, "weights must be numbers"),
        ({"w": pl.lit(-1)}, ["--weights", "w"], 3, "weights must be finite, not negative"),
        ({"w": pl.lit(1e308)}, ["--weights", "w"], 3, "a finite sum above 0. Their sum is inf."),
        ({"target": pl.lit(None, pl.String)}, [], 3, "at least one row with a target"),
    ],
)
def test_score_refuses_what_cannot_be_scored(home, tmp_path, change, options, status, words):
    pl.read_csv(home / "liver.csv").with_columns(**change).write_csv(tmp_path / "t.csv")
    done = call("score", home / "liver.tree.json", tmp_path / "t.csv", *options)
    assert done.status == status, done.err
    assert words in done.err


def test_score_needs_a_target_of_numbers_for_numbers_and_a_name(home, tmp_path):
    done = call("score", home / "iris.tree.json", DATA / "iris.csv", "-t", "species")
    assert done.status == 3
    assert "The target must hold numbers" in done.err
    model = DecisionTreeRegressor(max_depth=1).fit(pl.DataFrame({"a": [1, 2, 3, 4]}), [1, 2, 3, 4])
    save(model, tmp_path / "m.tree.json")
    done = call("score", tmp_path / "m.tree.json", DATA / "iris.csv")
    assert done.status == 2
    assert "the model file does not name its target" in done.err


@pytest.mark.parametrize("rows", [4, 40_000])
def test_every_cell_is_kept_as_it_is_written(tmp_path, rng, rows):
    """Few rows, and more than are looked at first."""
    frame = pl.DataFrame({"a": rng.random(300), "b": rng.integers(0, 9, 300), "c": ["u", "v", "w"] * 100})
    model = DecisionTreeClassifier(max_depth=3).fit(frame, np.where(frame["a"] > 0.5, "x", "y"))
    save(model, tmp_path / "m.tree.json")
    few = ["0.50;+7;u;1.0", '1e-1;;"";NA', '.25;3;"v;";"say ""so"""', "NA;1;w;1e3"]
    lines = [few[k % 4] for k in range(rows)]
    (tmp_path / "t.csv").write_text("\n".join(["a;b;c;more", *lines, ""]))
    done = call("predict", tmp_path / "m.tree.json", tmp_path / "t.csv", "-o", tmp_path / "out.csv")
    assert done.status == 0, done.err
    found = (tmp_path / "out.csv").read_text().splitlines()
    assert [line.rsplit(";", 3)[0] for line in found] == ["a;b;c;more", *lines]
    assert {line.split(";")[-3] for line in found[1:]} <= {"x", "y"}


def test_a_quoted_empty_cell_is_a_missing_value_at_fit_and_later(tmp_path):
    cells = ['""', "red", "blue", '"  "'] * 60
    rows = "\n".join(f"{cell},{'yes' if cell in ('red', 'blue') else 'no'}" for cell in cells)
    (tmp_path / "t.csv").write_text(f"colour,y\n{rows}\n")
    done = call("fit", tmp_path / "t.csv", "-t", "y", "-m", tmp_path / "m.tree.json", "--json")
    assert done.object["columns"] == [
        {"name": "colour", "kind": "nominal", "missing": 120, "levels": ["blue", "red"]}
    ]
    (tmp_path / "new.csv").write_text('colour,y\n"",no\n,no\n')
    said = call("predict", tmp_path / "m.tree.json", tmp_path / "new.csv", "--json").object["rows"]
    assert said[0] == said[1]
    assert said[0]["prediction"] == "no"


def test_a_smoothed_model_that_does_not_say_how_cannot_be_pruned(home, tmp_path):
    saved = read(home / "liver.tree.json")
    save(replace(saved, fitted={}), tmp_path / "edited.tree.json")
    done = call("prune", tmp_path / "edited.tree.json", "-o", tmp_path / "less.tree.json")
    assert done.status == 4
    assert 'must have "smoothing" in its "params" and "smoothing_strength_" in "fitted"' in done.err
    save(saved.tree, tmp_path / "alone.tree.json")
    assert call("prune", tmp_path / "alone.tree.json", "-o", tmp_path / "less.tree.json").status == 4


def test_columns_that_the_tree_does_not_use_may_be_absent_or_odd(home, tmp_path):
    frame, model = pl.read_csv(home / "liver.csv"), home / "liver.tree.json"
    tree = read(model).tree
    used = [tree.feature_names[place] for place in tree.used]
    unused = [name for name in tree.feature_names if name not in used]
    want = rows_of(call("predict", model, home / "liver.csv").out)
    few = tmp_path / "few.csv"
    frame.select(*used, "Class" if "Class" in frame.columns else frame.columns[-1]).write_csv(few)
    done = call("predict", model, few)
    assert [row["prediction"] for row in rows_of(done.out)] == [row["prediction"] for row in want]
    assert f"The table lacks '{unused[0]}'" in done.err
    assert "which the tree does not use" in done.err
    assert call("score", model, few).status == 0
    assert call("explain", model, few, "--row", "1").status == 0
    refused = call("report", model, few, "-o", tmp_path / "page.html")
    assert refused.status == 3
    assert f"The table must have all columns of the model. It lacks '{unused[0]}'" in refused.err
    odd = tmp_path / "odd.csv"
    frame.with_columns(pl.lit("junk").alias(unused[0])).write_csv(odd)
    done = call("predict", model, odd)
    assert [row["prediction"] for row in rows_of(done.out)] == [row["prediction"] for row in want]
    assert not done.err
    frame.drop(used).write_csv(odd)
    done = call("predict", model, odd)
    assert done.status == 3
    assert "It lacks " + ", ".join(map(repr, used)) in done.err


def test_one_odd_cell_is_named_with_its_line_and_the_option(tmp_path):
    rows = [f"{n};{n % 7},5;{'ja' if n > 50 else 'nein'}" for n in range(100)]
    (tmp_path / "a.csv").write_text("\n".join(["Alter;Größe;Ende", *rows]))
    model = tmp_path / "a.tree.json"
    assert call("fit", tmp_path / "a.csv", "-t", "Ende", "-m", model).status == 0
    new = tmp_path / "new.csv"
    for text, line in (("Alter;Größe\n12;1,5\nalt;2,5\n", 3), ("Alter;Größe\nalt;2,5\n", 2)):
        new.write_text(text)
        done = call("predict", model, new)
        assert done.status == 3
        want = f"'Alter' must hold numbers, as at fit, but line {line} has 'alt'. Pass --also-missing alt if"
        assert want in done.err
        assert call("predict", model, new, "--also-missing", "alt").status == 0
    new.write_text("Alter;Größe\n12;alt\n")  # which the tree does not use
    assert call("predict", model, new).status == 0


def test_how_a_table_was_read_is_said_once(tmp_path):
    rows = [f"{n};{n % 7},5;{'NA' if n % 9 == 0 else 'x'};{'ja' if n > 50 else 'nein'}" for n in range(100)]
    (tmp_path / "a.csv").write_text("\n".join(["Alter;Größe;Ort;Ende", *rows]))
    model = tmp_path / "a.tree.json"
    done = call("fit", tmp_path / "a.csv", "-t", "Ende", "-m", model)
    assert "Read as CSV" in done.err
    assert "Read as missing: 'NA'" in done.err
    for verb, more in (("predict", []), ("score", []), ("explain", ["--row", "1"])):
        assert "Read as" not in call(verb, model, tmp_path / "a.csv", *more).err
    (tmp_path / "b.csv").write_text("Alter,Größe\n12,1.5")
    assert "Read as CSV: , between fields" in call("predict", model, tmp_path / "b.csv").err
