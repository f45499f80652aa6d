"""`treewright demo`: the whole story on a bundled table, in a folder of its own."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from contextlib import chdir
from importlib.resources import files
from pathlib import Path

from .console import Console
from .failures import USAGE, Failure
from .files import must_be_free
from .program import NAME, run
from .subcommand import option, subcommand

NEW = 200  # rows that the model does not see
PAGE = "credit.html"
STORY = (
    (
        "800 people who were lent money, and whether it went well. One command makes a tree of the table:",
        "fit credit.csv --target target --positive bad",
    ),
    ("The tree as rules, which can be pasted into a document:", "show credit.tree.json --rules"),
    (
        "Two hundred new people. Their answers are appended to their rows:",
        "predict credit.tree.json new.csv --output answers.csv",
    ),
    ("Why the first of them is answered so:", "explain credit.tree.json new.csv --row 1"),
    ("What came true is known for these, so the model can be judged:", "score credit.tree.json new.csv"),
    (
        "All of it as one page, to send to anyone who has a browser:",
        f"report credit.tree.json credit.csv --title 'Who does not pay back' --output {PAGE}",
    ),
)


@subcommand(
    "demo",
    examples=["", "--keep story"],
    more="It works in a folder that is gone afterwards, unless --keep names one; only the page is left.",
    options=[option("--keep", metavar="FOLDER", help="Make this folder, and leave all files in it.")],
)
def command(console: Console, keep: str | None) -> None:
    """Tell the story."""
    if keep is not None:
        if Path(keep).exists():
            got = f"Got {keep!r}. Name another."
            raise Failure(USAGE, f"--keep must name a folder that is not there yet. {got}")
        must_be_free(keep, force=False)
        Path(keep).mkdir()
        _tell(console, Path(keep))
        console.aside(f"The files are in {keep!r}.")
        _point(console, Path(keep) / PAGE)
        return
    with tempfile.TemporaryDirectory(prefix="treewright-") as folder:
        _tell(console, Path(folder))
        page = Path(tempfile.mkdtemp(prefix="treewright-page-")) / PAGE  # to be looked at afterwards
        shutil.move(Path(folder) / PAGE, page)
    _point(console, page)


def _point(console: Console, page: Path) -> None:
    """Say where the page is, and end."""
    console.report(f"\nThe page, to open in a browser: {page.absolute()}")
    console.result(steps=[f"{NAME} {line}" for _, line in STORY], page=str(page))


def _tell(console: Console, folder: Path) -> None:
    lines = (files("treewright") / "data" / "examples" / "credit.csv").read_text().splitlines(keepends=True)
    head, rows = lines[0], lines[1:]
    (folder / "credit.csv").write_text(head + "".join(rows[NEW:]))
    (folder / "new.csv").write_text(head + "".join(rows[:NEW]))
    extra = ["--color", "always" if console.colour else "never", *(["--quiet"] if console.quiet else [])]
    with chdir(folder):
        for words, line in STORY:
            console.report(f"\n{words}\n\n{console.heading(f'$ {NAME} {line}')}")
            status = _run_quietly(line) if console.json else run([*shlex.split(line), *extra])
            if status:
                raise Failure(status, f"The step `{NAME} {line}` ended with status {status}.")


def _run_quietly(line: str) -> int:
    """Run a step whose words nobody wants."""
    import io
    from contextlib import redirect_stderr, redirect_stdout

    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return run(shlex.split(line))
