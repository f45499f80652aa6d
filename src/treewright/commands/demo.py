"""`treewright demo`: the whole story on a bundled table, in a folder of its own."""

from __future__ import annotations

import shlex
import tempfile
from contextlib import chdir
from importlib.resources import files
from pathlib import Path

from .failures import USAGE, Failure
from .loading import must_be_free
from .program import NAME, run
from .talk import Talk
from .verb import option, verb

NEW = 200  # rows that the model does not see
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
)


@verb(
    "demo",
    examples=["", "--keep story"],
    more="It works in a folder that is gone afterwards, unless --keep names one.",
    options=[option("--keep", metavar="FOLDER", help="Make this folder, and leave all files in it.")],
)
def command(talk: Talk, keep: str | None) -> None:
    """Tell the story."""
    if keep is not None:
        if Path(keep).exists():
            raise Failure(
                USAGE, f"--keep must name a folder that is not there yet. Got {keep!r}. Name another."
            )
        must_be_free(keep, force=False)
        Path(keep).mkdir()
        _tell(talk, Path(keep))
        talk.aside(f"The files are in {keep!r}.")
        return
    with tempfile.TemporaryDirectory(prefix="treewright-") as folder:
        _tell(talk, Path(folder))


def _tell(talk: Talk, folder: Path) -> None:
    lines = (files("treewright") / "data" / "credit.csv").read_text().splitlines(keepends=True)
    head, rows = lines[0], lines[1:]
    (folder / "credit.csv").write_text(head + "".join(rows[NEW:]))
    (folder / "new.csv").write_text(head + "".join(rows[:NEW]))
    extra = ["--color", "always" if talk.colour else "never", *(["--quiet"] if talk.quiet else [])]
    done = []
    with chdir(folder):
        for words, line in STORY:
            talk.report(f"\n{words}\n\n{talk.heading(f'$ {NAME} {line}')}")
            status = _run_quietly(line) if talk.json else run([*shlex.split(line), *extra])
            if status:
                raise Failure(status, f"The step `{NAME} {line}` ended with status {status}.")
            done.append(f"{NAME} {line}")
    talk.result(steps=done)


def _run_quietly(line: str) -> int:
    """Run a step whose words nobody wants."""
    import io
    from contextlib import redirect_stderr, redirect_stdout

    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return run(shlex.split(line))
