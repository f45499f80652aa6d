"""What the command says: options as they are typed, warnings without paths, numbers with their nouns."""

import json
import warnings
from importlib.metadata import version

import click
import polars as pl
import pytest

from tests.present.test_command import DATA, call, make_home
from treewright import DecisionTreeClassifier
from treewright.data.common.atomic import whole_or_nothing
from treewright.data.common.errors import ParameterError
from treewright.data.common.plural import counted
from treewright.present.command.failures import with_options


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return make_home(tmp_path_factory.mktemp("home"))


@pytest.mark.parametrize(
    ("text", "options", "status", "words"),
    [
        ("a,b\n", [], 3, "has only a header. Pass --header no if that is a row."),
        ("a,a\n1,2\n", [], 0, "Pass --header no if the first line is a row."),
        ('a,b\n1,"x"y\n"2,3\n', [], 3, "pass --quote none if quotes are part of the text."),
        ('a,b\n1,"x"y\n"2,3\n', ["--quote", "none"], 0, "quotes as text"),
        ("a\n1\n2\n", [], 3, "--separator , if there is one column only."),
        ("a,b\n1,2\n", ["--separator", "ab"], 2, "--separator must be one ASCII character"),
        ("a,b\n1,2\n", ["--encoding", "utf-99"], 2, "--encoding must be an encoding that Python knows"),
        ("a,b\n1,2\n", ["--separator", ",", "--decimal", ","], 2, "must be two characters"),
        ("a,b\n1,2\n", ["--quote", "''"], 2, "--quote must be one ASCII character"),
    ],
)
def test_tables_are_refused_in_the_words_of_the_options(tmp_path, text, options, status, words):
    (tmp_path / "t.csv").write_text(text)
    done = call("check", tmp_path / "t.csv", *options)
    assert done.status == status, done.err
    assert words in done.err


def test_models_are_refused_with_one_name_and_the_option_that_reads_them(home, tmp_path):
    doc = json.loads((home / "liver.tree.json").read_text()) | {"target": "other"}
    (tmp_path / "edited.tree.json").write_text(json.dumps(doc))
    done = call("show", tmp_path / "edited.tree.json")
    assert done.status == 4
    assert done.err.count("edited.tree.json") == 1
    assert done.err.endswith("--allow-unverified reads it anyway.\n")
    for verb, more in (
        ("show", []),
        ("predict", [home / "liver.csv"]),
        ("prune", ["-o", tmp_path / "p.json"]),
    ):
        done = call(verb, tmp_path / "edited.tree.json", *more, "--allow-unverified")
        assert done.status == 0, done.err


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("criterion='gini' needs splitter=\"best\".", "--criterion gini needs --splitter best."),
        ("header=False, raising=True or cv=None.", "--header no, --raising yes or --cv none."),
        ("max_depth must be 1. Got max_depth=0.5.", "--max-depth must be 1. Got --max-depth 0.5."),
        ("allow_unverified=True reads it.", "--allow-unverified reads it."),
        ("Fit with criterion=..., or not.", "Fit with --criterion FILE, or not."),
        ("The cv must be my_cv=3, a 'max_depth'.", "The cv must be my_cv=3, a 'max_depth'."),
        ("check_memory=False reads it all the same.", "--any-size reads it all the same."),
        ("monotonic_cst and max_depth do not go.", "monotonic_cst and --max-depth do not go."),
    ],
)  # fmt: skip
def test_parameters_are_said_as_options(sentence, wanted):
    names = ["criterion", "splitter", "header", "raising", "cv", "max-depth"]
    options = [click.Option([f"--{name}"]) for name in names]
    options += [click.Option(["--allow-unverified"], is_flag=True), click.Argument(["model"])]
    assert with_options(sentence, click.Command("fit", params=options)) == wanted
    assert with_options(sentence, None) == sentence
    about = "criterion must be one of those."
    assert with_options(about, click.Command("fit", params=options)) == about
    assert with_options(about, click.Command("fit", params=options), "criterion") == f"--{about}"


def test_warnings_are_lines_of_talk(home, monkeypatch):
    def warned(*_, **__):
        for _ in range(2):
            warnings.warn("max_depth=3 is odd.", UserWarning, stacklevel=1)
        raise ParameterError("max_depth must not be odd.", "max_depth")

    monkeypatch.setattr("treewright.evaluate.default_fit.fit.fit", warned)
    done = call("fit", home / "liver.csv", "-t", "target", "--quiet")
    assert done.err == "treewright fit: max_depth must not be odd.\n".replace("max_depth", "--max-depth")
    done = call("fit", home / "liver.csv", "-t", "target")
    assert done.err.splitlines()[1:] == [
        "warning: --max-depth 3 is odd.",
        "treewright fit: --max-depth must not be odd.",
    ]


def test_warnings_are_notes_for_machines(tmp_path):
    rows = "\n".join(f"{k},{k % 2}" for k in range(40))
    (tmp_path / "t.csv").write_text(f"a,y\n{rows}\n40,2\n")
    done = call("fit", tmp_path / "t.csv", "-t", "y", "--json", "-m", tmp_path / "m.tree.json")
    assert done.status == 0
    assert all("\n" not in note and ".py" not in note for note in done.object["notes"])


def test_a_file_that_cannot_be_written_has_its_own_name(tmp_path):
    path = tmp_path / "no" / "such" / "m.tree.json"
    with pytest.raises(FileNotFoundError) as failed, whole_or_nothing(path):
        pass
    assert failed.value.filename == str(path)
    model = DecisionTreeClassifier().fit(pl.DataFrame({"a": [1, 2]}), ["x", "y"])
    with pytest.raises(FileNotFoundError, match=r"such/m\.tree\.json'$"):
        model.save(path)


@pytest.mark.parametrize("method", ["cost_complexity", "leaf_budget", "reduced_error"])
def test_pruning_by_cost_needs_costs(home, tmp_path, method):
    name = "--loss" if method == "reduced_error" else "--risk"
    more = ["--n-leaves", 2] if method == "leaf_budget" else []
    options = ["--method", method, name, "cost", *more, "--data", home / "liver.csv"]
    done = call("prune", home / "liver.tree.json", "-o", tmp_path / "p.tree.json", *options)
    assert done.status == 2
    assert f"{name} cost needs a model with costs" in done.err
    assert f"Fit it with --costs FILE, or use {name} error." in done.err


def test_demo_keeps_a_new_folder_only(tmp_path):
    done = call("demo", "--keep", tmp_path)
    assert done.status == 2
    assert "--keep must name a folder that does not exist" in done.err
    assert "--force" not in done.err
    done = call("demo", "--keep", tmp_path / "no" / "such")
    assert done.status == 74
    assert "There is no folder" in done.err


def test_the_version_is_an_object_too():
    for args in (["--version", "--json"], ["--json", "--version"]):
        assert call(*args).object["version"] == version("treewright")
    assert call("--version").out == f"treewright {version('treewright')}\n"


def test_one_is_no_plural(tmp_path):
    assert [counted(n, "leaf") for n in (1, 2)] == ["1 leaf", "2 leaves"]
    frame = pl.read_csv(DATA / "iris.csv")
    one = pl.concat([frame, frame[:1].with_columns(species=pl.lit(None, pl.String))])
    one.write_csv(tmp_path / "t.csv")
    done = call("fit", tmp_path / "t.csv", "-t", "species", "-m", tmp_path / "m.tree.json", "--max-depth", 1)
    assert "1 row has no 'species'; left out." in done.err
    frame[:1].write_csv(tmp_path / "one.csv")
    done = call("score", tmp_path / "m.tree.json", tmp_path / "one.csv")
    assert done.out.startswith("1 row, ")
    assert "1 rows" not in done.out + done.err
