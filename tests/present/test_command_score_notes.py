"""What the command says of files that are not as they were written, and of costs; and narrow terminals."""

import json

import numpy as np
import polars as pl
import pytest

from tests.present.test_command import call

SENTENCE = "Unverified model file"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.4
    table = pl.DataFrame(
        {"size of the thing": rng.normal(size=300) + 2 * y, "colour": rng.choice(["red", "blue"], 300)}
    ).with_columns(bought=pl.Series(np.where(y, "yes", "no")), price=pl.Series(rng.normal(size=300)))
    table.write_csv(folder / "t.csv")
    assert (
        call("fit", folder / "t.csv", "-t", "bought", "-x", "price", "-m", folder / "m.tree.json").status == 0
    )
    doc = json.loads((folder / "m.tree.json").read_text())
    doc["training"]["scores"][0]["value"] = 0.999
    (folder / "bad.tree.json").write_text(json.dumps(doc))
    return folder


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (("score", "bad.tree.json", "t.csv"), True),
        (("show", "bad.tree.json"), True),
        (("explain", "bad.tree.json", "t.csv", "--row", "1"), True),
        (("predict", "bad.tree.json", "t.csv"), False),
        (("report", "bad.tree.json", "--output", "page.html", "--force"), False),
        (("prune", "bad.tree.json", "--alpha", "1", "--output", "p.tree.json", "--force"), False),
    ],
)
def test_every_output_of_a_changed_file_says_so(home, words, printed):
    typed = [home / word if "." in word else word for word in words]
    assert call(*typed).status == 4
    done = call(*typed, "--allow-unverified", "--quiet")
    assert done.status == 0
    assert SENTENCE in (done.out if printed else done.err)
    if words[0] == "predict":
        assert SENTENCE not in done.out  # which is a table
        head, first, *_ = done.out.splitlines()
        assert head.endswith(",model_verified")
        assert first.endswith(",false")
        good = call("predict", home / "m.tree.json", home / "t.csv")
        assert "model_verified" not in good.out
        rows = json.loads(call(*typed, "--allow-unverified", "--json").out)["rows"]
        assert {row["model_verified"] for row in rows} == {False}
        return
    notes = json.loads(call(*typed, "--allow-unverified", "--json").out)["notes"]
    assert any(SENTENCE in note for note in notes)
    good = ["m.tree.json" if word == "bad.tree.json" else word for word in words]
    assert SENTENCE not in str(call(*[home / word if "." in word else word for word in good]))


def test_a_model_pruned_from_a_changed_file_is_unverified_too(home):
    typed = (home / "bad.tree.json", "--alpha", "1", "--allow-unverified")
    assert call("prune", *typed, "--output", home / "pruned.tree.json").status == 0
    done = call("show", home / "pruned.tree.json")
    assert done.status == 0
    assert SENTENCE in done.out


def test_costs_name_the_class_that_they_assume(home):
    (home / "costs.json").write_text('{"false_positive": 1, "false_negative": 5}')
    typed = ("fit", home / "t.csv", "-t", "bought", "-x", "price", "--costs", home / "costs.json")
    done = call(*typed, "-m", home / "c.tree.json", "--force")
    assert "costs: false negative = a missed 'yes'" in done.err
    assert "a missed" not in call(*typed, "-m", home / "c.tree.json", "--force", "--positive", "no").err


def test_costs_are_said_with_their_classes(home):
    (home / "matrix.json").write_text("[[0, 1], [5, 0]]")
    typed = ("fit", home / "t.csv", "-t", "bought", "-x", "price", "-m", home / "c.tree.json", "--force")
    said = " ".join(call(*typed, "--costs", home / "matrix.json").out.split())
    assert "Costs: 1 if 'no' is predicted as 'yes', 5 if 'yes' is predicted as 'no'." in said
    done = call(*typed, "--costs", "[[0, 1], [5, 0]]")
    assert done.status == 2
    assert "--costs must name a file. Got '[[0, 1], [5, 0]]'." in done.err


def test_a_decimal_target_is_no_target_of_classes(home):
    done = call("fit", home / "t.csv", "-t", "price", "--task", "classification", "-m", home / "d.tree.json")
    assert done.status == 2
    assert "--task classification needs a target of classes. Got numbers with decimals, such as" in done.err
    assert "--task regression" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ("score", "m.tree.json", "t.csv"),
        ("show", "m.tree.json", "--rules"),
        ("check", "t.csv", "-t", "price"),
    ],
)
def test_lines_fit_a_narrow_terminal(home, words):
    narrow = {"COLUMNS": "42"}
    done = call(*[home / word if "." in word else word for word in words], env=narrow)
    assert done.status == 0
    assert max(map(len, done.out.splitlines())) <= 42
