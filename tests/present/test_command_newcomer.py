"""What a newcomer meets: the positive class, weights, excluded columns, identifiers as row numbers."""

import json
import random

import pytest

from tests.present.test_command import call
from treewright.learn.model_file import read


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A table of customers, and the model of it with a positive class and without one."""
    folder, rng = tmp_path_factory.mktemp("newcomer"), random.Random(0)
    lines = ["id,plan,fee,tickets,weight,churned"]
    for n in range(240):
        plan, tickets = rng.choice(["basic", "plus", "pro"]), rng.randint(0, 9)
        gone = "Churn" if rng.random() < 0.05 + 0.09 * tickets else "Stay"
        lines.append(
            f"K-{30000 + n},{plan},{rng.choice([9, 19, 49])} EUR,{tickets},{rng.choice([1, 4])},{gone}"
        )
    (folder / "t.csv").write_text("\n".join(lines) + "\n")
    fit = ("fit", folder / "t.csv", "-t", "churned", "-x", "id", "--max-leaf-nodes", "4")
    for name, more in (
        ("plain", ["-x", "id,weight"]),
        ("positive", ["-x", "id,weight", "--positive", "Churn"]),
        ("weighted", ["--weights", "weight"]),
    ):
        done = call(*fit, *more, "-m", folder / f"{name}.tree.json")
        assert done.status == 0, done.err
        (folder / f"{name}.txt").write_text(done.out + done.err)
    return folder


def test_fit_names_the_positive_class_and_that_it_is_the_default(home):
    assert "Positive class: 'Stay' (the second class, by default)." in (home / "plain.txt").read_text()
    assert "Positive class: 'Churn'." in (home / "positive.txt").read_text()
    done = call(
        "fit", home / "t.csv", "-t", "churned", "-m", home / "j.tree.json", "--json", "--max-leaf-nodes", "3"
    )
    assert (done.object["positive"], done.object["positive_given"]) == ("Stay", False)


def test_the_positive_class_of_fit_is_used_by_the_other_subcommands(home):
    table = home / "t.csv"
    for name, label, column in (("plain", "Stay", []), ("positive", "Churn", ["probability_of_Churn"])):
        model = home / f"{name}.tree.json"
        score = call("score", model, table)
        assert f"Positive class: {label!r}." in score.out
        head = call("predict", model, table).out.splitlines()[0].split(",")
        assert head[-len(column) - 1 :] == ["probability", *column]
    model = home / "positive.tree.json"
    abouts = {
        call("explain", model, table, "-r", n, "--json").object["explanation"]["about"] for n in "123456"
    }
    assert abouts == {"Churn"}
    assert "probability of Stay:" in call("explain", model, table, "-r", "1", "--positive", "Stay").out
    assert "probability_of_Stay" in call("predict", model, table, "--positive", "Stay").out.splitlines()[0]
    other = call("score", model, table, "--positive", "Stay", "--json").object
    assert other["positive"] == "Stay"
    refused = call("score", model, table, "--positive", "Sty")
    assert (refused.status, "Did you mean 'Stay'?" in refused.err) == (2, True)


def test_excluded_columns_are_not_counted_among_the_columns(home):
    done = call("check", home / "t.csv", "-t", "churned", "-x", "id,weight")
    assert done.out.startswith(
        "240 rows, 3 columns (2 more excluded); target 'churned' has 2 classes: 'Churn'"
    )
    assert "240 rows, 3 columns (2 more excluded)" in (home / "plain.txt").read_text()


def test_weighted_numbers_are_called_so(home):
    model, table = home / "weighted.tree.json", home / "t.csv"
    said = "Percentages and probabilities count the weights of the rows."
    assert said in call("show", model).out
    assert said in call("show", model, "--rules").out
    assert said not in call("show", home / "plain.tree.json").out
    assert "Column 'weight' weights the rows: scores, probabilities" in (home / "weighted.txt").read_text()
    done = call("score", model, table, "--weights", "weight")
    assert "240 rows, weighted by 'weight', target 'churned'" in done.out
    assert "weights of the rows" in done.out.split("Confusion matrix")[1].split(":")[0]
    assert "one row per true class, one column per predicted class):" in call("score", model, table).out


def test_an_identifier_in_place_of_a_row_number_gets_its_row(home):
    done = call("explain", home / "plain.tree.json", home / "t.csv", "--row", "K-30002")
    assert done.status == 2
    assert "Got 'K-30002', which is in row 3 (column 'id'). Use --row 3." in done.err
    done = call("explain", home / "plain.tree.json", home / "t.csv", "--row", "K-99")
    assert "which no cell of the table has" in done.err


def test_an_option_of_another_subcommand_gets_the_name_it_has_here(home):
    done = call("fit", home / "t.csv", "-t", "churned", "--output", "x")
    assert "There is no option '--output'. Did you mean '--model' or '--report'?" in done.err


@pytest.mark.parametrize("subcommand", ["fit", "compare"])
def test_help_says_that_the_column_of_time_is_not_used_to_predict(subcommand):
    text = " ".join(call(subcommand, "--help").out.split())
    assert "score on later ones. The column is then not used to predict." in text


def test_a_file_of_one_column_is_read_as_the_training_file(home, tmp_path):
    small = home / "small.tree.json"
    call("fit", home / "t.csv", "-t", "churned", "-x", "id,weight,fee,plan", "--force", "-m", small)
    assert read(small).feature_names == ("tickets",)
    (tmp_path / "one.csv").write_text("tickets\n3\n9\n")
    done = call("predict", small, tmp_path / "one.csv")
    assert (done.status, len(done.out.splitlines())) == (0, 3)


def test_next_best_splits_have_units_their_share_and_a_note_only_where_it_concerns_them(home):
    text = call("explain", home / "plain.tree.json", home / "t.csv", "--row", "1").out
    flat = " ".join(text.split())
    assert "next-best splits: " in flat
    assert "% of the impurity)" in flat.split("next-best splits: ")[1].split(". ")[0]
    doc = json.loads((home / "plain.tree.json").read_text())
    splits = doc["training"]["next_best_splits"]
    fee = next(each["test"] for each in splits if each["feature"] == "fee")
    assert "EUR" in fee
    saved = read(home / "plain.tree.json")
    beaten = any(each["gain"] > saved.tree.gain[each["node"]] * (1 + 1e-6) for each in splits)
    assert beaten or "compared after correction" not in flat


def test_how_the_best_tree_is_best_is_named(home):
    said = (home / "plain.txt").read_text() + call("show", home / "plain.tree.json").err
    saved = read(home / "plain.tree.json")
    assert "most accurate" not in said
    assert saved.training["chosen_by"] == "log loss"
    assert "of the lowest log loss" in said


def test_the_range_of_a_column_with_infinite_numbers_is_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = ["-inf" if j == 7 else "inf" if j == 9 else str(j) for j in range(60)]
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{cell},{j % 2}\n" for j, cell in enumerate(cells)))
    done = call("fit", "t.csv", "-t", "y")
    assert done.status == 0, done.err
    assert "-inf to inf" in done.out


def test_spaces_stand_for_the_line_breaks_of_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{k},{k % 7},{'yes' if k % 3 else 'no'}\n" for k in range(60))
    (tmp_path / "survey.csv").write_text(f'"How old\nare you?",n,"Buy\nagain?"\n{rows}')
    done = call("fit", "survey.csv", "--target", "Buy again?", "--exclude", "How old are you?,n", "--json")
    assert done.status == 3  # no column is left
    done = call("fit", "survey.csv", "--target", "Buy again?", "--exclude", "How old are you?", "--json")
    assert done.status == 0
    assert call("check", "survey.csv", "--target", "Buy again?").status == 0
    assert call("cluster", "survey.csv", "--target", "Buy again?", "-k", "2").status == 0
