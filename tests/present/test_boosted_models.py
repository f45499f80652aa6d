"""Boosted models on the command line, and their page."""

import re

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.present.test_command import call
from treewright.classics import c50
from treewright.present.text.terminal import terminal_text


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table, a boosted model of it and its page."""
    place = tmp_path_factory.mktemp("boosted")
    tw.load_example("credit").to_csv(place / "credit.csv", index=False)
    done = call(
        "fit", place / "credit.csv", "--target", "target", "--like", "c5.0 -s -t 3", "--test-size", "0.3",
        "--model", place / "m.tree.json", "--report", place / "m.html",
    )  # fmt: skip
    assert done.status == 0, done.err
    assert "Trial 2" in done.out + done.err
    return place


def test_predict_and_score(folder):
    done = call("predict", folder / "m.tree.json", folder / "credit.csv", "--json")
    rows = done.object["rows"]
    model, table = tw.load(folder / "m.tree.json"), tw.load_example("credit")
    assert [row["prediction"] for row in rows] == model.predict(table).tolist()
    sure = [row["probability"] for row in rows]
    np.testing.assert_allclose(sure, model.predict_proba(table).max(axis=1), rtol=1e-6)
    assert "leaf" not in rows[0]
    assert "accuracy" in call("score", folder / "m.tree.json", folder / "credit.csv").out


def test_one_tree_of_it(folder):
    refused = call("explain", folder / "m.tree.json", folder / "credit.csv", "--row", 1)
    assert refused.status != 0
    assert "--trial 0" in refused.err
    assert (
        call("explain", folder / "m.tree.json", folder / "credit.csv", "--row", 1, "--trial", 1).status == 0
    )
    shown = call("show", folder / "m.tree.json", "--trial", 2, "--json").object
    model = tw.load(folder / "m.tree.json")
    assert shown["n_leaves"] == model.estimators_[2].get_n_leaves()
    assert len(call("show", folder / "m.tree.json", "--json").object["trees"]) == 3
    beyond = call("show", folder / "m.tree.json", "--trial", 3)
    assert "--trial must be below the 3 trees of the model. Got 3." in beyond.err


def test_the_page_has_every_tree_and_the_votes(folder):
    page = (folder / "m.html").read_text(encoding="utf-8")
    assert page.count("<svg") == page.count("<details") == 3
    model = tw.load(folder / "m.tree.json")
    for k, trial in enumerate(model.trials_):
        assert f"Trial {k}: {trial.n_leaves} leaves" in page
    table = tw.load_example("credit")
    X, y = table.drop(columns="target"), table["target"]
    made = tw.report(model, X, y)
    right = np.mean(model.predict(X) == y)
    assert f"right for {right:.1%}" in made.html
    assert [row["predicted"] for row in made.payload["rows"]] == model.predict(X[:20]).tolist()
    cells = re.findall(r"<td>([a-z]+ 0\.\d\d)</td>", made.html)
    first = model.estimators_[0].predict_proba(X[:1])[0].max()
    assert cells[0].endswith(f"{first:.2f}")


def test_nothing_in_a_name_becomes_part_of_the_page():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    noisy = X[:, 0] + X[:, 1] + rng.normal(size=200) / 2 > 0
    y = np.where(noisy, "<script>x</script>", "</main>")
    model = c50(trials=3).fit(X, y)
    assert len(model.estimators_) == 3
    page = tw.report(model, X, y, title="<b>bold</b>").html
    assert "<script" not in page
    assert page.count("</main>") == 1
    assert "<b>" not in page


@pytest.mark.parametrize("rules", [False, True])
def test_a_vote_of_one_is_saved_shown_and_has_a_page(rules, tmp_path):
    draws = np.random.default_rng(0)
    X = pd.DataFrame({"a": draws.random(200)})
    y = np.where(X["a"] > 0.5, "p", "q")  # the first trial makes no error, so that it is the last
    model = c50(rules=rules, trials=5).fit(X, y)
    assert len(model.estimators_) == 1
    again = tw.load(model.save(tmp_path / "m.tree.json"))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert terminal_text(again) == terminal_text(model)
    assert "0.49" in terminal_text(model)
    assert len(tw.report(again, X, y).html) > 1000


def test_the_head_says_what_votes(tmp_path):
    X, y = pd.DataFrame({"x": range(20)}), np.repeat(["a", "b"], 10)
    credit = tw.load_example("credit").head(200)
    C, target = credit.drop(columns="target"), credit["target"]
    models = {
        "2 leaves, depth 1": c50(trials=5).fit(X, y),  # it ends after one trial
        "2 rules that vote": c50(trials=5, rules=True).fit(X, y),
        "3 sets of rules that vote, ": c50(trials=3, rules=True).fit(C, target),
        "3 trees that vote, ": c50(trials=3).fit(C, target),
    }
    for words, model in models.items():
        head = call("show", model.save(tmp_path / "m.tree.json")).err
        assert f"Classification: {words}" in head
