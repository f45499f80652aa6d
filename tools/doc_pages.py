"""Run the code on the pages of the documentation: `python -m tools.doc_pages [--write] [PAGE ...]`.

Every Python block, every console block and every marked number of a page is run, in the order of the page.
Without `--write` the first difference from what the page shows is reported; with it the page is rewritten to
show what the code prints today. What cannot be rewritten (a line with … in the middle) is reported.

A marked number is text right before a comment with an expression: `60<!-- = model.get_n_leaves() -->`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from difflib import SequenceMatcher
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).parent.parent
# Pages written by other scripts are not listed: they have no code.
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

# A block of text right after code is what Python prints, or what commands write to stderr.
PART = re.compile(
    r"^```(?P<kind>python|console)\n(?P<code>.*?)^```\n(?:```text\n(?P<text>.*?)^```\n)?"
    r"|(?<![`\w.,])(?P<value>[^\s(|*`]+)<!-- = (?P<expression>.*?) -->",
    re.MULTILINE | re.DOTALL,
)
# a command that needs no shell, and the file that it prints to
SIMPLE = re.compile(r"treewright (?P<arguments>[^|<>;&$`*?]*)(?:> (?P<file>[\w.]+))?")
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


# Numbers in sentences that are not results: versions, limits, defaults, constants of a formula.
CONSTANTS = {
    "README.md": {"3.11", "95"},
    "classics.md": {"0.0001", "0.9", "0.5", "1.1", "10", "2.07", "25", "1.96", "49", "70", "95", "99.9"},
    "columns.md": {"4.0"},
    "command.md": {"10,000", "3.14", "32"},
    "guide.md": {"40"},
    "large-tables.md": {"255"},
    "overfitting.md": {"0.1", "0.2", "0.25", "0.75", "1.6", "12"},
    "report.md": {"1,000", "100,000"},
    "rule-sets.md": {"0.25", "1,250", "2,000"},
    "start.md": {"3.11"},
}
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
NOT_A_SENTENCE = re.compile(
    r"[^\s(|*`]+<!-- = .*? -->"  # marked numbers
    r"|<!-- (speed|accuracy|rules):.*?<!-- /\1 -->"  # written by other programs
    r"|\([^()]*\b(?:19|20)\d\d[^()]*\)"  # references with a year
    r"|`[^`]*`|\]\([^)]*\)|^\|.*?$",  # code, links, tables
    re.MULTILINE | re.DOTALL,
)
NUMBER = re.compile(r"(?<![\w.,^])(?:\d[\d,]*\.\d+|\d[\d,]*\d(?![\w.]))")


def unmarked_numbers(page: Path) -> set[str]:
    """Numbers in the sentences of a page that are neither marked nor in its code or output.

    Such a number would not be noticed when it becomes wrong.
    """
    text = page.read_text(encoding="utf-8")
    shown = {
        number.replace(",", "") for number in re.findall(r"\d[\d,]*\.?\d*", "".join(FENCED.findall(text)))
    }
    told = NUMBER.findall(NOT_A_SENTENCE.sub("", FENCED.sub("", text)))
    plain = {number: number.replace(",", "") for number in told}
    found = {number for number, value in plain.items() if value not in shown}
    rounded = {number for number in found if "." in number and any(s.startswith(number) for s in shown)}
    return found - rounded - CONSTANTS.get(page.name, set())


class DiffersError(AssertionError):
    """A page shows something else than its code prints."""


def has_code(page: Path) -> bool:
    """Whether there is anything to run on a page."""
    return PART.search(page.read_text(encoding="utf-8")) is not None


def run(page: Path, folder: Path, *, write: bool = False) -> str:
    """Run a page in an empty folder, and return its text: as it is, or with `write` as it must be."""
    text = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {}  # a reader who copies the blocks has no more than they import
    shell = shell_environment(folder / "bin")
    place = folder / "work"
    place.mkdir()
    parts, end = [], 0
    with contextlib.chdir(place), patch.dict(os.environ, COLUMNS="80", NO_COLOR="1"):
        for found in PART.finditer(text):
            line = text[: found.start()].count("\n") + 1
            parts += [text[end : found.start()], _run_part(found, names, shell, f"{page.name}:{line}", write)]
            end = found.end()
    if "matplotlib.pyplot" in sys.modules:
        import_module("matplotlib.pyplot").close("all")  # figures would add up from page to page
    return "".join([*parts, text[end:]])


def _run_part(
    found: re.Match[str], names: dict[str, Any], shell: dict[str, str], where: str, write: bool
) -> str:
    """The text of one part after it was run."""
    if found["expression"]:
        value = str(eval(found["expression"], names | {"treewright": import_module("treewright")}))
        if value != found["value"] and not write:
            raise DiffersError(f"{where}: {found['expression']} is {value}, the page says {found['value']}")
        return f"{value}<!-- = {found['expression']} -->"
    code, text = found["code"], found["text"]
    if found["kind"] == "python":
        start = int(where.rsplit(":", 1)[1])
        printed = printed_by(compile("\n" * start + code, where, "exec"), names)
    else:
        code, printed = _run_commands(code, shell, where, write)
    shown = "" if text is None else f"```text\n{_compared(printed, text, where, write)}```\n"
    return f"```{found['kind']}\n{code}```\n{shown}"


def printed_by(code: Any, names: dict[str, Any]) -> str:
    """What a Python block prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return printed.getvalue()


def shell_environment(folder: Path) -> dict[str, str]:
    """The environment of a user who has installed the command, in a terminal of 80 columns."""
    folder.mkdir()
    for name, module in (("treewright", " -m treewright"), ("python", "")):
        command = folder / name
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}"{module} "$@"\n')
        command.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if "COLOR" not in name}
    # one thread for scikit-learn's boosting, which waits long for cores that others use
    fixed = {"COLUMNS": "80", "PYTHONUTF8": "1", "OMP_NUM_THREADS": "1"}
    return kept | fixed | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def _run_commands(block: str, shell: dict[str, str], where: str, write: bool) -> tuple[str, str]:
    """Run the commands of a block; the block with what each prints, and all that went to stderr."""
    commands = COMMAND.findall(block)
    if sum(2 + len(command) + 1 + len(shown) for command, shown in commands) != len(block):
        raise DiffersError(f"{where}: a console block must begin with a line '$ command'")
    parts, errors = [], ""
    for command, shown in commands:
        status, out, err = _run_command(command, shell, in_process=not where.startswith("README"))
        if status:
            raise DiffersError(f"{where}: {command}\n{err}")
        parts.append(f"$ {command}\n{_compared(out, shown, where, write)}")
        errors += err
    return "".join(parts), errors


def _run_command(command: str, shell: dict[str, str], *, in_process: bool) -> tuple[int, str, str]:
    """Status, standard output and standard error; a command that needs no shell may run in this process."""
    found = SIMPLE.fullmatch(command)
    if in_process and found:
        from click.testing import CliRunner

        from treewright.present.command.program import run as run_command

        with CliRunner(env={"COLUMNS": shell["COLUMNS"]}).isolation() as (out, err, _):
            status = run_command(shlex.split(found["arguments"]))
            printed, errors = out.getvalue().decode(), err.getvalue().decode()
        if found["file"]:
            Path(found["file"]).write_text(printed, encoding="utf-8")
            printed = ""
        return status, printed, errors
    done = subprocess.run(
        ["bash", "-c", command], env=shell, capture_output=True, encoding="utf-8", check=False
    )
    return done.returncode, done.stdout, done.stderr


# -- comparing what is printed with what is shown


def _compared(printed: str, shown: str, where: str, write: bool) -> str:
    if is_shown(printed, shown):
        return shown
    new = renewed(printed, shown) if write else None
    if new is None or not is_shown(printed, new):
        raise DiffersError(f"{where} prints something else than the page shows:\n{printed}")
    return new


def is_shown(printed: str, shown: str) -> bool:
    """Whether this is what a page shows. A line … stands for any lines, … in a line for any part of it."""
    lines = (line.rstrip() for line in shown.splitlines())
    patterns = (r"(?:.*\n)*?" if line == "…" else _pattern(line) + "\n" for line in lines)
    text = "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
    return re.fullmatch("".join(patterns), text) is not None


def _pattern(line: str) -> str:
    return re.escape(line).replace("…", ".*?")


def renewed(printed: str, shown: str) -> str | None:
    """What a page should show of this output: the same lines of it as before, with … where it had …."""
    lines = [line.rstrip() for line in printed.splitlines()]
    old = shown.splitlines()
    if "…" not in old:
        return "\n".join(_kept(line, old) for line in lines) + "\n"
    parts: list[str] = []
    at = 0
    groups = list(_groups(old))
    for number, group in enumerate(groups):
        if group == ["…"]:
            parts.append("…")
            continue
        room = len(lines) - len(group)
        is_last = number == len(groups) - 1
        places = [0] if number == 0 else [room] if is_last else range(at, room + 1)
        places = [place for place in places if place >= at]
        if not places:
            return None
        best = max(places, key=lambda place: (_likeness(lines[place : place + len(group)], group), -place))
        parts += [_kept(line, group) for line in lines[best : best + len(group)]]
        at = best + len(group)
    return "\n".join(parts) + "\n"


def _groups(lines: list[str]) -> Iterator[list[str]]:
    group: list[str] = []
    for line in lines:
        if line == "…":
            if group:
                yield group
            yield ["…"]
            group = []
        else:
            group.append(line)
    if group:
        yield group


def _likeness(new: list[str], old: list[str]) -> float:
    return sum(SequenceMatcher(None, a, b, autojunk=False).ratio() for a, b in zip(new, old, strict=True))


def _kept(line: str, old: list[str]) -> str:
    """The line, or the shown form of it with … where there is one."""
    for shown in old:
        if "…" in shown and re.fullmatch(_pattern(shown.rstrip()), line):
            return shown
        if shown.endswith("…"):  # what changes from run to run is last: seconds
            words = re.findall(r"\S+\s*", shown)
            start = re.match(rf"(?:\S+\s*){{{len(words) - 1}}}", line)
            if start and line.split()[:1] == shown.split()[:1]:
                return f"{start[0]}…"
    return line


def main(arguments: list[str] | None = None) -> int:
    """Run the pages that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tools.doc_pages", description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES)
    parser.add_argument("--write", action="store_true", help="rewrite the pages to show today's output")
    options = parser.parse_args(arguments)
    import matplotlib as mpl

    mpl.use("agg")
    failed = 0
    for page in filter(has_code, (page.resolve() for page in options.pages)):
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            try:
                text = run(page, Path(folder), write=options.write)
            except Exception as error:  # noqa: BLE001 - the next page is run all the same
                failed += 1
                print(f"{page.name}: {type(error).__name__}: {error}", flush=True)
                continue
        if text != page.read_text(encoding="utf-8"):
            page.write_text(text, encoding="utf-8")
            print(f"{page.name}: rewritten", flush=True)
        else:
            print(f"{page.name}: as shown", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
