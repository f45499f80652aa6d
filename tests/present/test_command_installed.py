"""The installed command as a user runs it: pipes, signals, what is loaded, and real tables."""

import json
import os
import pty
import signal
import subprocess
import sys

import polars as pl
import pytest

from tests.present.test_command import DATA, QUICK, call, installed, make_home, shell
from tests.support import real_tables
from treewright.learn.model_file import read

SHIPPED = ["bundled hepatitis", "bundled iris", real_tables.MADE]  # gaps and text, three classes, numbers
FEW_NUMBERS = {"car-test-frame", "cu-summary", "student-mat"}  # so few that they are taken for classes


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return make_home(tmp_path_factory.mktemp("home"))


def loaded_by(commands, names, home):
    """Status of each of the commands and which of these packages are loaded after it, in one new process."""
    code = (
        "import json, sys; from treewright.present.command.program import run\n"
        f"for args in {commands}:\n"
        "    status = run(args)\n"
        f"    found = [name for name in {names} if name in sys.modules]\n"
        "    print(json.dumps([args, status, found]), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=home)
    return [json.loads(line) for line in done.stderr.splitlines() if line.startswith("[[")]


def test_using_a_model_loads_no_scikit_learn(home):
    model, table = "liver.tree.json", "liver.csv"
    commands = [["show", model], ["predict", model, table], ["score", model, table]]
    heavy = ["sklearn", "pandas", "matplotlib", "pyarrow", "rich", "numpy"]
    assert loaded_by(commands, heavy, home) == [[args, 0, ["numpy"]] for args in commands]


def test_standard_input_and_output_are_tables_too(home):
    text = (home / "liver.csv").read_bytes()
    done = shell("predict", home / "liver.tree.json", "-", input=text)
    assert done.status == 0, done.err
    assert done.out == call("predict", home / "liver.tree.json", home / "liver.csv").out
    assert not done.err  # it is written as the training file is


def test_a_closed_pipe_ends_predict_quietly(home):
    script = (
        f"{' '.join(installed())} -q predict liver.tree.json liver.csv | head -n 1; echo ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(["bash", "-c", script], cwd=home, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0].endswith("prediction,leaf,probability")
    assert done.stdout.splitlines()[1] == "0"
    assert not done.stderr


def test_a_terminal_sees_what_takes_long_and_ctrl_c_ends_it_with_one_line(tmp_path):
    """Its input never comes, and there is a terminal on stderr."""
    ours, theirs = pty.openpty()
    command = [*installed(), "check", "-"]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": theirs}
    with subprocess.Popen(command, cwd=tmp_path, **streams) as running:
        said = ""
        while "standard input," not in said:
            said += os.read(ours, 1000).decode()
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=60)
    os.close(theirs)
    said += os.read(ours, 100_000).decode()
    os.close(ours)
    assert running.returncode == 130
    assert out == b""
    assert "reading standard input, 1 s" in said
    assert "Traceback" not in said
    assert "standard input" not in said.split("\r")[-2]  # the line of progress is gone
    assert said.endswith("interrupted.\r\n")
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("closed", "status"), [("2>&-", 0), (">&-", 74), (">&- 2>&-", 74), ("> /dev/full", 74)]
)
def test_closed_and_full_outputs_end_with_a_status(home, closed, status):
    script = f"{' '.join(installed())} predict liver.tree.json liver.csv {closed}"
    done = subprocess.run(["bash", "-c", script], cwd=home, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.recorded
@pytest.mark.parametrize("name", [*SHIPPED, *real_tables.smaller_than(500)])
def test_real_tables_go_from_csv_to_answers(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = real_tables.table(name)
    target = frame.columns[-1]
    frame.write_csv(tmp_path / "table.csv")
    said = ["--task", "regression"] if name in FEW_NUMBERS else []
    run = shell if name in SHIPPED else call  # a process of its own for each of many takes long
    done = run("fit", "table.csv", "--target", target, *said, *QUICK)
    assert done.status == 0, done.err
    assert "Score" in done.out
    saved = read(tmp_path / "table.tree.json")
    assert saved.task == real_tables.kind_of(name)
    model, table = tmp_path / "table.tree.json", tmp_path / "table.csv"
    answers = call("predict", model, table, "--output", tmp_path / "out.csv")
    assert answers.status == 0, answers.err
    found = pl.read_csv(tmp_path / "out.csv", infer_schema_length=None)
    assert len(found) == len(frame)
    figures = call("score", model, table, "--json").object["figures"]
    known = found.filter(pl.col(target).is_not_null())
    if saved.task == "classification":
        right = (known["prediction"].cast(pl.String) == known[target].cast(pl.String)).mean()
        assert figures[0]["value"] == pytest.approx(right)
        assert right >= 1 / frame[target].n_unique()
    else:
        off = (known["prediction"] - known[target]).abs().mean()
        assert figures[-1]["value"] == pytest.approx(off)


def test_the_demo_tells_the_whole_story(tmp_path):
    done = shell("demo", "--keep", "story", cwd=tmp_path)
    assert done.status == 0, done.err
    for verb in ("fit", "show", "predict", "explain", "score", "report"):
        assert f"$ treewright {verb} credit" in done.out
    files = {path.name for path in (tmp_path / "story").iterdir()}
    assert files == {"credit.csv", "new.csv", "credit.tree.json", "predictions.csv", "credit.html"}
    assert done.out.endswith(f"The page, to open in a browser: {tmp_path / 'story' / 'credit.html'}\n")
    before, after = (tmp_path / "story" / name for name in ("new.csv", "predictions.csv"))
    assert (
        pl.read_csv(after)
        .drop("prediction", "leaf", "probability", "probability_of_bad")
        .equals(pl.read_csv(before))
    )
    assert len(pl.read_csv(before)) + len(pl.read_csv(tmp_path / "story" / "credit.csv")) == 1000
    again = call("demo", "--keep", tmp_path / "story")
    assert again.status == 2
    assert "--keep must name a folder that does not exist" in again.err
    assert DATA.joinpath("credit.csv").exists()


SLOW = ("sklearn", "scipy.stats", "pandas", "matplotlib")
WITHOUT_SLOW = [
    ["predict", "liver.tree.json", "liver.csv"],
    ["score", "liver.tree.json", "liver.csv"],
    ["explain", "liver.tree.json", "liver.csv", "--row", "1"],
    ["show", "liver.tree.json"],
    ["show", "liver.tree.json", "--rules"],
    ["check", "liver.csv", "--target", "target"],
    ["fit", "liver.csv", "--target", "target", "--model", "other.tree.json", "--best"],
    ["fit", "liver.csv", "--target", "AGE", "--model", "age.tree.json", "--test-size", "0.3"],
    ["fit", "liver.csv", "--target", "target", "--model", "third.tree.json", "--report", "third.html"],
    ["report", "liver.tree.json", "--output", "bare.html"],
    ["report", "liver.tree.json", "liver.csv", "--output", "rows.html"],
    ["prune", "liver.tree.json", "--method", "leaf_budget", "--n-leaves", "2", "--output", "two.tree.json"],
    ["prune", "liver.tree.json", "--method", "reduced_error", "--data", "liver.csv", "-o", "less.tree.json"],
]


def test_neither_scikit_learn_nor_other_slow_libraries_are_loaded(home):
    assert loaded_by(WITHOUT_SLOW, SLOW, home) == [[args, 0, []] for args in WITHOUT_SLOW]


def test_models_are_compared_in_a_process_of_its_own(home):
    """As users run it: nothing that this process has loaded helps."""
    command = [sys.executable, "-m", "treewright", "compare", "liver.csv", "--target", "target", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=home, check=False)
    assert done.returncode == 0, done.stderr
    assert "gradient boosting" in done.stdout
