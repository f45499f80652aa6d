"""How the command speaks: data on stdout, talk on stderr, one object for machines, colour on a terminal."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass, field
from typing import IO, Any

import click

from .plain import plain, visible
from .waiting import Waiting

VERSION = 1  # of the object that --json writes


@dataclass
class Talk:
    """What the options say of the way to speak, and what has been said of this run."""

    quiet: bool = False
    json: bool = False
    color: str = "auto"
    debug: bool = False
    verb: str | None = None
    notes: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)  # warnings that wait for the next line

    # -- people

    def note(self, text: str) -> None:
        """A line of talk."""
        self.notes.append(text)
        self.aside(text)

    def warn(self, text: str) -> None:
        """A line of talk for the next time that something is said: now there may be a line of progress."""
        said = f"warning: {text}"
        if said not in self.held and said not in self.notes:
            self.held.append(said)

    def tell_warnings(self) -> None:
        """Say what was held."""
        held, self.held = self.held, []
        for text in held:
            self.note(text)

    def aside(self, text: str) -> None:
        """A line of talk that machines need not know."""
        self.tell_warnings()
        if not self.quiet and not self.json:
            _write(sys.stderr, visible(text, lines=True))

    def out(self, text: str = "") -> None:
        """Lines of the answer, already safe to print."""
        self.tell_warnings()
        if not self.json:
            _write(sys.stdout, text)  # escapes stand in it only where `colour` allowed them

    def report(self, text: str = "") -> None:
        """Lines that tell of work whose result is a file."""
        if not self.quiet:
            self.out(text)

    def heading(self, text: str) -> str:
        """A line that stands out on a terminal."""
        return click.style(text, bold=True) if self.colour else text

    def waiting(self, what: str) -> Waiting:
        """A line that tells of long work and the time left; silence where nobody watches."""
        return Waiting(what, watched=not self.quiet and is_terminal(sys.stderr))

    @property
    def colour(self) -> bool:
        """Whether colour is welcome on stdout."""
        return not self.json and wants_colour(self.color, sys.stdout)

    @property
    def width(self) -> int:
        """The columns of the terminal; 80 where there is none."""
        return max(shutil.get_terminal_size((80, 24)).columns, 40)

    @property
    def unicode(self) -> bool:
        """Whether stdout can write the lines and dots of a drawing."""
        encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
        return encoding.startswith("utf")

    # -- machines

    def result(self, **facts: Any) -> None:
        """The one object of --json."""
        self.tell_warnings()
        if self.json:
            self._object(ok=True, **facts, notes=self.notes)

    def failed(self, status: int, kind: str, sentence: str, hint: str = "") -> None:
        """Say why the command ends here: as an object, or on stderr."""
        self.tell_warnings()
        if self.json:
            self._object(ok=False, error={"status": status, "kind": kind, "message": sentence})
            return
        name = "treewright" if self.verb is None else f"treewright {self.verb}"
        label = f"{name}:"
        if wants_colour(self.color, sys.stderr):
            label = click.style(label, fg="red", bold=True)
        _write(sys.stderr, f"{label} {visible(sentence, lines=True)}")
        if hint:
            _write(sys.stderr, visible(hint, lines=True))

    def _object(self, **facts: Any) -> None:
        body = {"treewright": VERSION, "verb": self.verb, **facts}
        _write(sys.stdout, json.dumps(plain(body), allow_nan=False))


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


def wants_colour(asked: str, stream: IO[Any]) -> bool:
    """What the option says; then NO_COLOR, FORCE_COLOR and CLICOLOR; then whether it is a terminal."""
    if asked != "auto":
        return asked == "always"
    said = os.environ.get
    if said("NO_COLOR"):
        return False
    if any(said(name, "0") not in {"", "0"} for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return said("CLICOLOR") != "0" and is_terminal(stream)
