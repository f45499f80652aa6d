"""Both trees of a fit: the simplest within one standard error, and with --best the one of the lowest loss."""

import json

import pytest

from tests.present.test_command import DATA, call
from treewright.learn.model_file import read
from treewright.present.page.making import report

SHORT = ["--holdout", "0.3"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model file with two trees, and what `fit` printed."""
    path = tmp_path_factory.mktemp("best") / "liver.tree.json"
    done = call("fit", DATA / "hepatitis.csv", "-t", "target", "-m", path, *SHORT)
    assert done.status == 0, done.err
    return path, done


def test_fit_prints_both_sizes_and_the_file_has_both_trees(model):
    path, done = model
    saved = read(path)
    small, large = saved.tree.n_leaves, saved.best.tree.n_leaves
    assert small < large
    assert (
        f"cross-validation): {saved.best.training['scores'][0]['value']:.3f}."
        in done.out.split("\nScore\n")[1]
    )
    assert "--best prints and writes the larger tree." in done.out
    assert saved.training["tree"] == "simplest"
    assert saved.training["best"]["leaves"] == large
    assert saved.best.training["tree"] == "best"
    assert (saved.best.training["leaves"], saved.best.training["best"]) == (large, None)
    assert saved.best.training["reading"] == saved.training["reading"]
    assert saved.best.target == "target"


def test_fit_with_best_prints_and_writes_the_tree_of_the_lowest_loss(model, tmp_path):
    path, _ = model
    other = tmp_path / "best.tree.json"
    fit = ("fit", DATA / "hepatitis.csv", "-t", "target", "-m", other, "--best", *SHORT)
    done = call(*fit)
    best, saved = read(path).best, read(other)
    assert saved.tree == best.tree
    assert saved.best is None
    assert saved.training["tree"] == "best"
    assert saved.training["scores"] == best.training["scores"]
    assert f"Tree: {best.tree.n_leaves} leaves" in done.out
    assert "This is the larger tree" in done.out
    said = call(*fit, "--force", "--json").object
    assert said["leaves"] == said["best"]["leaves"] == best.tree.n_leaves
    assert said["simple"]["leaves"] == read(path).tree.n_leaves
    assert said["scores"] == said["best"]["scores"] != said["simple"]["scores"]


def test_every_subcommand_with_a_model_uses_the_tree_of_best(model, tmp_path):
    path, _ = model
    table, saved = DATA / "hepatitis.csv", read(model[0])
    shown = call("show", path)
    assert "This is the simplest tree with nearly the lowest log loss in cross-validation." in shown.err
    assert (
        f"--best uses the tree of the lowest log loss, which has {saved.best.tree.n_leaves} leaves."
        in shown.err
    )
    assert "This is the tree of the lowest log loss in cross-validation." in call("show", path, "--best").err
    facts = call("show", path, "--json").object
    assert facts["which"] == "simplest tree with nearly the lowest log loss"
    assert call("show", path, "--best", "--json").object["which"] == "tree of the lowest log loss"
    page = report(saved).payload  # has the same words
    names = [page["tree_name"], page["alternatives"][0]["tree_name"]]
    assert names == ["Simplest tree with nearly the lowest log loss", "Tree of the lowest log loss"]
    assert facts["best"]["n_leaves"] == saved.best.tree.n_leaves
    assert facts["best"]["scores"] == saved.best.training["scores"]
    assert call("show", path, "--best", "--rules", "--json").object["n_leaves"] == saved.best.tree.n_leaves
    depths = []
    for tree, more in ((saved, []), (saved.best, ["--best"])):
        rows = call("predict", path, table, "--json", *more).object["rows"]
        assert len({row["leaf"] for row in rows}) == tree.tree.n_leaves
        depths.append([int(tree.tree.depth[row["leaf"]]) for row in rows])
        assert call("prune", path, "-o", tmp_path / f"{len(more)}.json", "--json", *more).object[
            "leaves_before"
        ] == int(tree.tree.n_leaves)
    assert read(tmp_path / "1.json").training.get("tree") is None
    figures = [call("score", path, table, "--json", *more).object["figures"] for more in ([], ["--best"])]
    assert figures[0] != figures[1]
    row = next(k for k, (one, other) in enumerate(zip(*depths, strict=True), 1) if one != other)
    steps = [
        call("explain", path, table, "-r", row, "--json", *more).object["explanation"]
        for more in ([], ["--best"])
    ]
    assert [len(each["steps"]) for each in steps] == [each[row - 1] for each in depths]
    page = tmp_path / "page.html"
    assert call("report", path, "--best", "-o", page, "--json").object["nodes"] == saved.best.tree.node_count


def test_best_of_a_file_with_one_tree_says_so(tmp_path):
    path = tmp_path / "iris.tree.json"
    fit = ("fit", DATA / "iris.csv", "-t", "species", "-m", path, "--max-leaf-nodes", "2", *SHORT)
    done = call(*fit, "--best")
    assert "There is only one tree, so --best changes nothing." in done.err
    done = call("show", path, "--best", "--json")
    assert json.dumps(f"{str(path)!r} has only one tree, so --best changes nothing.") in done.out
    plain = tmp_path / "plain.tree.json"
    assert call(*fit[:5], plain, *SHORT, "--ccp-alpha", "0").status == 0
    assert read(plain).training["tree"] is None  # cross-validation did not choose it
