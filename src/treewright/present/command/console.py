"""Output of the command: results on stdout, messages on stderr, one JSON object for --json."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass, field
from typing import IO, Any

import click

from ...data.common.text_width import printable, width_of, wrapped
from ...data.common.to_json import to_json
from .progress_bar import ProgressBar

VERSION = 1  # of the object that --json writes


@dataclass
class Console:
    """Where and how the command prints, and the notes of this run."""

    quiet: bool = False
    json: bool = False
    color: str = "auto"
    debug: bool = False
    subcommand: str | None = None
    notes: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)  # warnings to print with the next message

    # -- people

    def note(self, text: str) -> None:
        """Print a message, which --json reports too."""
        self.notes.append(text)
        self.aside(text)

    def always(self, text: str) -> None:
        """Print a message that --quiet does not hide, and that --json reports."""
        self.notes.append(text)
        if not self.json:
            printed = self.subcommand in {"explain", "score", "show"}  # text for people, which may be stored
            _write(sys.stdout if printed else sys.stderr, self.wrap(printable(text, lines=True)))

    def warn(self, text: str) -> None:
        """Store a warning for the next message: there may be a progress line on the screen now."""
        warning = f"warning: {text}"
        if warning not in self.held and warning not in self.notes:
            self.held.append(warning)

    def print_warnings(self) -> None:
        """Print the stored warnings."""
        held, self.held = self.held, []
        for text in held:
            self.note(text)

    def aside(self, text: str) -> None:
        """Print a message that --json does not report."""
        self.print_warnings()
        if not self.quiet and not self.json:
            _write(sys.stderr, printable(text, lines=True))

    def out(self, text: str = "") -> None:
        """Print results, which must be safe to print."""
        self.print_warnings()
        if not self.json:
            _write(sys.stdout, text)  # escapes stand in it only where `colour` allowed them

    def report(self, text: str = "") -> None:
        """Print what was done, where the result is a file."""
        if not self.quiet:
            self.out(text)

    def heading(self, text: str) -> str:
        """A line in bold on a terminal."""
        return click.style(text, bold=True) if self.colour else text

    def progress(self, what: str, seconds: float | None = None) -> ProgressBar:
        """A bar about long work, whose first step takes about `seconds`; nothing if stderr is no terminal."""
        return ProgressBar(what, not self.quiet and is_terminal(sys.stderr), seconds)

    @property
    def colour(self) -> bool:
        """Whether to use colour on stdout."""
        return not self.json and wants_colour(self.color, sys.stdout)

    @property
    def width(self) -> int:
        """The columns of the terminal; 80 where there is none."""
        return max(shutil.get_terminal_size((80, 24)).columns, 40)

    def wrap(self, text: str) -> str:
        """The text with lines that fit the terminal; as it is where there is none, for other programs."""
        if "COLUMNS" not in os.environ and not is_terminal(sys.stdout):
            return text
        found = []
        for line in text.split("\n"):
            indent = line[: len(line) - len(line.lstrip())]
            fits = width_of(line) <= self.width
            found += [line] if fits else wrapped(line.strip(), self.width, indent, f"{indent}    ")
        return "\n".join(found)

    @property
    def unicode(self) -> bool:
        """Whether stdout can write the lines and dots of a drawing."""
        encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
        return encoding.startswith("utf")

    @property
    def terminal(self) -> dict[str, Any]:
        """The options of `terminal_text` for stdout."""
        return {"width": self.width, "unicode": self.unicode, "color": self.colour}

    # -- machines

    def result(self, **facts: Any) -> None:
        """The one object of --json."""
        self.print_warnings()
        if self.json:
            self._object(ok=True, **facts, notes=self.notes)

    def failed(self, status: int, kind: str, sentence: str, hint: str = "") -> None:
        """Report an error: as a JSON object, or on stderr."""
        self.print_warnings()
        if self.json:
            self._object(ok=False, error={"status": status, "kind": kind, "message": sentence})
            return
        name = "treewright" if self.subcommand is None else f"treewright {self.subcommand}"
        label = f"{name}:"
        if wants_colour(self.color, sys.stderr):
            label = click.style(label, fg="red", bold=True)
        _write(sys.stderr, f"{label} {printable(sentence, lines=True)}")
        if hint:
            _write(sys.stderr, printable(hint, lines=True))

    def _object(self, **facts: Any) -> None:
        body = {"treewright": VERSION, "subcommand": self.subcommand, **facts}
        _write(sys.stdout, json.dumps(to_json(body), allow_nan=False))


def _write(stream: IO[str] | None, text: str) -> None:
    """A line in the encoding of the stream, which click's own function would not ask for; None is closed."""
    if stream is None:
        return
    stream.write(f"{text}\n")
    stream.flush()


def is_terminal(stream: IO[Any]) -> bool:
    """Whether a person sees this stream."""
    try:
        return stream.isatty() and os.environ.get("TERM") != "dumb"
    except (AttributeError, ValueError):  # closed, or none at all
        return False


def wants_colour(option: str, stream: IO[Any]) -> bool:
    """What the option says; then NO_COLOR, FORCE_COLOR and CLICOLOR; then whether it is a terminal."""
    if option != "auto":
        return option == "always"
    variable = os.environ.get
    if variable("NO_COLOR"):
        return False
    if any(variable(name, "0") not in {"", "0"} for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return variable("CLICOLOR") != "0" and is_terminal(stream)
