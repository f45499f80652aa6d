"""Every Python block and every command of the README and the book runs, and prints what the page says."""

import ast
import contextlib
import io
import os
import re
import subprocess
import sys

import pytest

import treewright
from tests.support.paths import ROOT
from treewright.learn.model_file.reader import KEYS
from treewright.learn.params import PARAMETERS
from treewright.present.command.failures import KINDS
from treewright.present.command.program import VERBS, Verbs

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
# A block of text right after it is what Python prints, or what commands say on stderr.
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```\n(?:```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def blocks(page):
    text = page.read_text(encoding="utf-8")
    return [(*match.groups(), text[: match.start()].count("\n") + 2) for match in BLOCK.finditer(text)]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.name)
def test_code_of_page_runs(page, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("agg")
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    folder = tmp_path / "folder"
    folder.mkdir()
    if page.parent == ROOT:  # its reader is in the folder of the project
        (folder / "src").symlink_to(ROOT / "src")
    monkeypatch.chdir(folder)
    names, shell = {}, shell_of(tmp_path / "bin")
    for kind, code, expected, line in blocks(page):
        if kind == "python":
            printed = printed_by(compile("\n" * (line - 1) + code, str(page), "exec"), names)
        else:
            printed = said_by(code, shell, f"{page.name}:{line}")
        if expected is not None:
            assert is_shown(printed, expected), f"{page.name}:{line} prints something else:\n{printed}"


def printed_by(code, names):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return printed.getvalue()


# -- commands


def shell_of(folder):
    """The environment of a user who has the command, and a terminal of 80 columns."""
    folder.mkdir()
    command = folder / "treewright"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m treewright "$@"\n')
    command.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if "COLOR" not in name}
    # one thread for scikit-learn's boosting, which waits long for cores that others use
    fixed = {"COLUMNS": "80", "PYTHONUTF8": "1", "OMP_NUM_THREADS": "1"}
    return kept | fixed | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def said_by(block, shell, where):
    """Run the commands of a block, each of which prints what stands below it; what they say on stderr."""
    commands = COMMAND.findall(block)
    assert sum(2 + len(command) + 1 + len(shown) for command, shown in commands) == len(block), where
    said = ""
    for command, shown in commands:
        done = subprocess.run(
            ["bash", "-c", command], env=shell, capture_output=True, encoding="utf-8", check=False
        )
        assert done.returncode == 0, f"{where}: {command}\n{done.stderr}"
        assert is_shown(done.stdout, shown), f"{where}: {command}\nprints\n{done.stdout}"
        said += done.stderr
    return said


def is_shown(printed, shown):
    """Whether this is what a page shows. A line … stands for any lines, … in a line for any part of it."""
    lines = (line.rstrip() for line in shown.splitlines())
    patterns = (
        r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*?") + "\n" for line in lines
    )
    text = "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
    return re.fullmatch("".join(patterns), text) is not None


def test_what_is_shown_is_compared():
    printed = "one\ntwo 2\nthree\n"
    assert is_shown(printed, printed)
    assert is_shown(printed, "one\n…\n")
    assert is_shown(printed, "…\ntwo …\nthree\n")
    assert not is_shown(printed, "one\nthree\n")
    assert not is_shown(printed, "…\ntwo\n…\n")
    assert not is_shown(printed, "")


def test_a_command_that_prints_something_else_is_found(tmp_path):
    shell = shell_of(tmp_path / "bin")
    assert said_by("$ echo a; echo b >&2\na\n$ true\n", shell, "here") == "b\n"
    for block in ("$ echo a\n", "$ echo a\nb\n", "$ false\n", "a\n$ echo\n\n"):
        with pytest.raises(AssertionError, match="here"):
            said_by(block, shell, "here")


def test_the_page_of_the_command_is_complete():
    text = (ROOT / "docs" / "command.md").read_text(encoding="utf-8")
    parameters = {p.name for kind in PARAMETERS.values() for p in kind}
    group = Verbs("treewright")
    for name in VERBS:
        assert f"`{name}`" in text or f"`treewright {name}" in text, name
        options = [each for each in group.get_command(None, name).params if each.name not in parameters]
        options = [opt for each in options for opt in each.opts if opt.startswith("--")]
        assert [option for option in options if f"`{option}" not in text] == [], name
    assert [key for key in KEYS if f"`{key}`" not in text] == []
    assert [status for status, words in KINDS.items() if f"| {status} | {words}" not in text] == []


def test_every_public_name_is_in_the_api():
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    names = [*treewright.__all__, *(p.name for kind in PARAMETERS.values() for p in kind)]
    assert [name for name in names if not name.startswith("_") and name not in text] == []


def test_every_criterion_is_in_the_guide():
    text = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    assert [name for name, _ in treewright._core.criteria() if f"`{name}`" not in text] == []


def members(node, prefix=""):
    """The public names in a stub, with those of its classes."""
    for item in node.body:
        target = item.target if isinstance(item, ast.AnnAssign) else item
        name = getattr(target, "name", None) or getattr(target, "id", None)
        if name and not name.startswith("_"):
            yield prefix + name
        if isinstance(item, ast.ClassDef):
            yield from members(item, f"{name}.")


def test_the_stub_of_the_core_has_its_names():
    core = treewright._core
    stub = set(members(ast.parse((ROOT / "src" / "treewright" / "_core.pyi").read_text())))
    there = {name for name in dir(core) if not name.startswith("_")}
    for name in list(there):
        if isinstance(getattr(core, name), type):
            there |= {f"{name}.{part}" for part in dir(getattr(core, name)) if not part.startswith("_")}
    assert stub == there


def test_links_between_pages_lead_somewhere():
    for page in [*PAGES, ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
