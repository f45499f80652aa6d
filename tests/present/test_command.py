"""The command line as a whole: help, options, the object for machines, colour, and how it ends.

`call` runs it in this process, `shell` as a user does; other test files use both.
"""

import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from tests.support.paths import EXAMPLES
from treewright.data.common.errors import ParameterError
from treewright.data.common.hints import nearest
from treewright.present.command import program
from treewright.present.command.failures import Failure, bad_data, io_sentence, listed

# Names and levels that would like to be more than text.
HOSTILE = [
    "<script>alert(1)</script>",
    "=1+1",
    "say \"it\", 'now'",
    "two\nlines",
    "\x1b[31mred\x1b[0m",
    "🌳 tree",
    "\u202eright to left",
    "שלום",
]


DATA = EXAMPLES
QUICK = ["--max-depth", "3", "--holdout", "0.3"]


class Ended(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def object(self):
        """The one object of --json: nothing else may stand on stdout."""
        return json.loads(self.out)


def call(*args, stdin=None, env=None):
    """Run the command in this process."""
    runner = CliRunner(env={"COLUMNS": "100", **(env or {})})
    with runner.isolation(input=stdin) as (out, err, _):
        status = program.run([str(arg) for arg in args])
        return Ended(status, out.getvalue().decode(), err.getvalue().decode())


def installed():
    """How a user calls it."""
    found = shutil.which("treewright", path=str(Path(sys.executable).parent))
    return [found] if found else [sys.executable, "-m", "treewright"]


def shell(*args, cwd=None, env=None, **rest):
    """Run the installed command in a process of its own."""
    done = subprocess.run(
        [*installed(), *map(str, args)],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "100", **(env or {})},
        capture_output=True,
        timeout=120,
        check=False,
        **rest,
    )
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())


def make_home(folder):
    """A folder with a table, a model of it, and one of numbers."""
    (folder / "liver.csv").write_text((DATA / "hepatitis.csv").read_text())
    done = call(
        "fit", folder / "liver.csv", "-t", "target", "--model", folder / "liver.tree.json", "--best", *QUICK
    )
    assert done.status == 0, done.err
    done = call("fit", DATA / "iris.csv", "-t", "petal_width", "-m", folder / "iris.tree.json", *QUICK)
    assert done.status == 0, done.err
    return folder


# -- help


def test_help_lists_the_verbs_and_examples_and_is_the_answer_to_nothing():
    asked = call("--help")
    assert asked.status == 0
    assert not asked.err
    for verb, words in program.SUBCOMMANDS.items():
        assert verb in asked.out
        assert words.split(",")[0] in asked.out
    assert "treewright fit loans.csv --target default" in asked.out
    assert call().out == asked.out == call("-h").out


@pytest.mark.parametrize("verb", program.SUBCOMMANDS)
def test_every_verb_has_help_with_examples_and_the_common_options(verb):
    asked = call(verb, "--help")
    assert asked.status == 0
    assert f"  treewright {verb}" in asked.out.split("Examples:")[1]
    for option in ("--json", "--quiet", "--no-color", "--debug"):
        assert option in asked.out


def test_the_installed_command_shows_help_without_loading_numpy():
    heavy = "['numpy', 'polars', 'sklearn', 'scipy', 'pandas', 'rich']"
    code = (
        "import sys; from treewright.present.command.program import run; status = run(['--help']); "
        f"print([name for name in {heavy} if name in sys.modules], status)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1] == "[] 0"
    done = shell("--help")
    assert (done.status, done.err) == (0, "")
    assert "Subcommands:" in done.out


def test_the_version_is_that_of_the_package():
    import treewright

    assert call("--version").out == f"treewright {treewright.__version__}\n"


# -- wrong usage


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["fti"], "There is no subcommand 'fti'. Did you mean 'fit'?"),
        (["Explain"], "Did you mean 'explain'?"),
        (["xyzzy"], "There is no subcommand 'xyzzy'. The subcommands are fit, predict,"),
        (["--jsn"], "--json"),
        (["fit", "a.csv", "--tarjet", "y"], "Did you mean '--target'?"),
        (["fit", "a.csv"], "Missing option '--target'"),
        (["fit"], "Missing argument 'DATA'"),
        (["explain", "m", "d", "--row", "0"], "--row must be the number of a row"),
        (["fit", "a.csv", "-t", "y", "--task", "clasification"], "'classification'"),
        (["fit", "a.csv", "-t", "y", "--holdout", "1.5"], "'--holdout'"),
        (["fit", "a.csv", "-t", "y", "--holdout", "0.5", "--test", "b.csv"], "--test and --test-size both"),
        (["completion", "tcsh"], "'tcsh'"),
    ],
)
def test_wrong_usage_ends_with_2_a_sentence_and_nothing_on_stdout(args, words):
    done = call(*args)
    assert done.status == 2
    assert words.replace("'", "") in done.err.replace("'", "")
    assert not done.out
    assert "--help'." in done.err


def test_with_json_errors_are_one_object_too_wherever_the_option_stands():
    for args in (["--json", "fti"], ["fit", "--json"], ["fit", "a.csv", "--tarjet", "y", "--json"]):
        done = call(*args)
        assert done.status == 2
        assert not done.err
        assert done.object["treewright"] == 1
        assert done.object["ok"] is False
        assert done.object["error"]["status"] == 2
        assert done.object["error"]["kind"] == "wrong usage"
    assert call("fit", "--json").object["subcommand"] == "fit"
    assert call("fti", "--", "--json").err


# -- how it ends


def raising(error):
    """A verb that ends so."""

    def fail():
        raise error

    return click.Command("show", callback=fail)


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (Failure(3, "The table is odd."), 3, "treewright show: The table is odd."),
        (Failure(4, "The file is odd."), 4, "The file is odd."),
        (FileNotFoundError(2, "No such file or directory", "nowhere.csv"), 74, "'nowhere.csv'"),
        (OSError(28, "No space left on device"), 74, "No space left on device."),
        (PermissionError(13, "Permission denied", "a.csv"), 74, "Permission denied: 'a.csv'."),
        (MemoryError(), 3, "more memory than there is"),
        (ZeroDivisionError("division by zero"), 1, "ZeroDivisionError: division by zero"),
        (ValueError("a bug"), 1, "Please report it, with what the same command prints with --debug."),
        (KeyboardInterrupt(), 130, "treewright show: interrupted."),
        (click.Abort(), 130, "treewright show: interrupted."),
        (BrokenPipeError(32, "Broken pipe"), 0, ""),
    ],
)
def test_every_kind_of_error_has_its_status_and_sentence(monkeypatch, error, status, words):
    monkeypatch.setattr(program.Subcommands, "get_command", lambda *_: raising(error))
    done = call("show")
    assert done.status == status
    assert words in done.err
    assert bool(done.err) == bool(words)
    assert not done.out
    assert "Traceback" not in done.err
    if words:
        assert call("show", env={}).status == status
        assert call("--json", "show").object["error"]["status"] == status
        assert "Traceback" in call("--debug", "show").err


def test_a_reader_that_has_seen_enough_is_no_error():
    script = f"{' '.join(installed())} fit --help | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["Usage: treewright fit DATA --target COLUMN [OPTIONS]", "0"]
    assert not done.stderr


def test_a_full_disk_is_told_and_nothing_is_printed_by_python_itself():
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*installed(), "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 74
    assert done.stderr == "treewright: No space left on device.\n"


def test_the_class_of_an_error_says_whether_the_data_or_a_parameter_is_wrong():
    for error, status in (
        (ParameterError("max_depth must be 1.", "max_depth"), 2),
        (ParameterError("These two do not go together."), 2),
        (ParameterError("costs must be numbers.", "costs"), 3),
        (ValueError("max_depth is a column of text."), 3),
    ):
        with pytest.raises(Failure, match=str(error)) as failed, bad_data():
            raise error
        assert failed.value.status == status
    with pytest.raises(KeyError), bad_data():
        raise KeyError


def test_an_error_of_a_parameter_survives_pickling():
    error = pickle.loads(pickle.dumps(ParameterError("max_depth must be 1.", "max_depth")))
    assert (str(error), error.parameter) == ("max_depth must be 1.", "max_depth")


def test_the_nearest_name_is_offered(tmp_path):
    assert nearest("defalt", ["default", "age"]) == " Did you mean 'default'?"
    assert nearest("AGE", ["age"]) == " Did you mean 'age'?"
    assert nearest("xyz", ["default"]) == ""
    assert listed("abc", most=2) == "'a', 'b' and 1 more"
    (tmp_path / "loans.csv").touch()
    error = FileNotFoundError(2, "No such file or directory", str(tmp_path / "lones.csv"))
    assert io_sentence(error).endswith("Did you mean 'loans.csv'?")


def test_a_terminal_without_unicode_gets_escapes():
    done = shell("fit", "🌳.csv", "--target", "y", env={"PYTHONIOENCODING": "ascii"})
    assert done.status == 74
    assert "\\U0001f333.csv" in done.err


# -- completion


@pytest.mark.parametrize("shell_name", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell_name):
    if shell_name == "bash" and shutil.which("bash") is None:
        pytest.skip("bash is not there to tell its version")
    done = call("completion", shell_name)
    assert done.status == 0
    assert "_TREEWRIGHT_COMPLETE" in done.out


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("treewright pre", "predict"),
        ("treewright fit --max-d", "--max-depth"),
        ("treewright fit --criterion gi", "gini"),
    ],
)
def test_completion_finds_verbs_options_and_values(monkeypatch, words, found):
    monkeypatch.setenv("_TREEWRIGHT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    done = call()
    assert done.status == 0
    assert found in [line.partition(",")[2] for line in done.out.splitlines()]
