"""Sets of rules on the command line, and their page."""

import pytest

import treewright as tw
from tests.present.test_command import call


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table, and a tree of it."""
    place = tmp_path_factory.mktemp("rules")
    tw.load_example("hepatitis").to_csv(place / "t.csv", index=False)
    model = tw.DecisionTreeClassifier(min_samples_leaf=5)
    table = tw.load_example("hepatitis")
    model.fit(table.drop(columns="target"), table["target"])
    from treewright.learn.model_file import save

    save(model, place / "m.tree.json", target="target")
    return place


def test_simplified_rules_are_printed_written_and_predict(folder):
    done = call("show", folder / "m.tree.json", "--simplify", folder / "t.csv", "-o", folder / "r.tree.json")
    assert done.status == 0, done.err
    assert "Several may hold for a row: they vote." in done.out
    table = tw.load_example("hepatitis")
    X, y = table.drop(columns="target"), table["target"]
    wanted = tw.rules(folder / "m.tree.json", simplify="pessimistic", X=X, y=y).predict(X).tolist()
    rows = call("predict", folder / "r.tree.json", folder / "t.csv", "--json").object["rows"]
    assert [row["prediction"] for row in rows] == wanted
    assert "accuracy" in call("score", folder / "r.tree.json", folder / "t.csv").out
    assert call("show", folder / "r.tree.json").out.startswith("Rules:")
    page = folder / "page.html"
    assert call("report", folder / "r.tree.json", folder / "t.csv", "--output", page).status == 0
    assert page.read_text(encoding="utf-8").count("<tr><td>") >= len(
        tw.load(folder / "r.tree.json").rule_set_.rules
    )


def test_what_does_not_go_together_is_said(folder):
    assert "--output goes with --simplify" in call("show", folder / "m.tree.json", "-o", "x.json").err
    call("show", folder / "m.tree.json", "--simplify", folder / "t.csv", "-o", folder / "q.tree.json")
    for command in (["explain", "--row", 1], ["predict", "--rule"]):
        refused = call(command[0], folder / "q.tree.json", folder / "t.csv", *command[1:])
        assert refused.status != 0
        assert "unexpectedly" not in refused.err
