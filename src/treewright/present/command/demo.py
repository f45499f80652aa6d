"""`treewright demo`: a complete example on a bundled table, in a folder of its own."""

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
STEPS = (
    (
        "The table has 800 loans, each good or bad. One command fits a tree:",
        "fit credit.csv --target target --positive bad",
    ),
    ("The same tree as rules:", "show credit.tree.json --rules"),
    (
        "Predictions for 200 new loans, as columns appended to their rows:",
        "predict credit.tree.json new.csv --output predictions.csv",
    ),
    ("Why the first of them gets its prediction:", "explain credit.tree.json new.csv --row 1"),
    (
        "The target of these rows is known, so the model can be scored on them:",
        "score credit.tree.json new.csv",
    ),
    (
        "A report page that opens in any browser:",
        f"report credit.tree.json credit.csv --title 'Who does not pay back' --output {PAGE}",
    ),
)


@subcommand(
    "demo",
    examples=["", "--keep story"],
    more="It works in a temporary folder and leaves only the page. --keep names a folder that stays.",
    groups={
        "Options": [option("--keep", metavar="FOLDER", help="Make this folder, and keep all files in it.")]
    },
)
def command(console: Console, keep: str | None) -> None:
    """Run the steps."""
    if keep is not None:
        if Path(keep).exists():
            got = f"Got {keep!r}. Name another."
            raise Failure(USAGE, f"--keep must name a folder that does not exist. {got}")
        must_be_free(keep, force=False)
        Path(keep).mkdir()
        _run_steps(console, Path(keep))
        console.aside(f"The files are in {keep!r}.")
        _end(console, Path(keep) / PAGE)
        return
    with tempfile.TemporaryDirectory(prefix="treewright-") as folder:
        _run_steps(console, Path(folder))
        page = Path(tempfile.mkdtemp(prefix="treewright-page-")) / PAGE  # to be looked at afterwards
        shutil.move(Path(folder) / PAGE, page)
    _end(console, page)


def _end(console: Console, page: Path) -> None:
    """Say where the page is, and end."""
    console.report(f"\nThe page, to open in a browser: {page.absolute()}")
    console.result(steps=[f"{NAME} {line}" for _, line in STEPS], page=str(page))


def _run_steps(console: Console, folder: Path) -> None:
    lines = (files("treewright") / "data" / "examples" / "credit.csv").read_text().splitlines(keepends=True)
    head, rows = lines[0], lines[1:]
    (folder / "credit.csv").write_text(head + "".join(rows[NEW:]))
    (folder / "new.csv").write_text(head + "".join(rows[:NEW]))
    extra = ["--color", "always" if console.colour else "never", *(["--quiet"] if console.quiet else [])]
    with chdir(folder):
        for words, line in STEPS:
            console.report(f"\n{words}\n\n{console.heading(f'$ {NAME} {line}')}")
            status = _run_quietly(line) if console.json else run([*shlex.split(line), *extra])
            if status:
                raise Failure(status, f"The step `{NAME} {line}` ended with status {status}.")


def _run_quietly(line: str) -> int:
    """Run a step without its output."""
    import io
    from contextlib import redirect_stderr, redirect_stdout

    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return run(shlex.split(line))
