"""Output of the command: results on stdout, messages on stderr, one JSON object for --json."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import IO, Any, Self

import click

from ...data.common.text_width import fit_line, printable, width_of, wrapped
from ...data.common.to_json import to_json

VERSION = 1  # of the object that --json writes
PATIENCE, EVERY = 1.0, 0.2  # seconds before a progress line is shown, and between two of them


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
            _write(sys.stdout if printed else sys.stderr, printable(text, lines=True))

    def warn(self, text: str) -> None:
        """Store a warning for the next message: there may be a progress line on the screen now."""
        said = f"warning: {text}"
        if said not in self.held and said not in self.notes:
            self.held.append(said)

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

    def progress(self, what: str) -> ProgressLine:
        """A line about long work and the time left; nothing if stderr is not a terminal."""
        return ProgressLine(what, watched=not self.quiet and is_terminal(sys.stderr))

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


class ProgressLine:
    """A line on stderr about long work, with the time left; it is gone when the work is done.

    Call it with steps done, all steps and what comes next; while it is open, a thread keeps the line.
    """

    def __init__(self, what: str, watched: bool) -> None:
        self.what, self.done, self.total = what, 0, 0
        self.took = 0.0  # seconds for the steps that are done
        self._watched, self._written = watched, 0
        self._start = time.monotonic()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def __call__(self, done: int, total: int, what: str) -> None:
        """Note a step; the thread says so if it takes long."""
        if done != self.done:
            self.took = time.monotonic() - self._start
        self.done, self.total, self.what = done, total, what or self.what

    def __enter__(self) -> Self:
        if self._watched:
            self._thread = threading.Thread(target=self._keep_saying, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        if self._written:
            self._write("")

    def line(self, seconds: float) -> str:
        """What to say after so many seconds."""
        parts = [self.what]
        if self.total:
            parts.append(f"{self.done} of {self.total}")
        parts.append(f"{duration(seconds)} so far")
        if 0 < self.done < self.total:
            each = self.took / self.done
            left = max(self.total * each - seconds, (self.total - self.done - 1) * each)
            parts += [f"about {duration(left)} left"] if left >= 1 else []
        return ", ".join(parts)

    def _keep_saying(self) -> None:
        wait = PATIENCE
        while not self._over.wait(wait):
            wait = EVERY
            self._write(self.line(time.monotonic() - self._start))

    def _write(self, text: str) -> None:
        shown = fit_line(text, max(shutil.get_terminal_size((80, 24)).columns - 1, 10))
        try:
            sys.stderr.write(f"\r{shown}{' ' * (self._written - width_of(shown))}")
            if not text:
                sys.stderr.write("\r")
            sys.stderr.flush()
        except (OSError, ValueError):  # nobody watches any more; the work goes on
            self._watched = False
        self._written = width_of(shown)


def duration(seconds: float) -> str:
    """`4 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
