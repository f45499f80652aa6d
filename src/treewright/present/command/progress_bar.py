"""A bar on stderr about long work: what is being done, the share that is done, and the time left."""

from __future__ import annotations

import math
import shutil
import sys
import threading
import time
from typing import Self

from ...data.common.text_width import fit_line, width_of

PATIENCE, EVERY = 1.0, 0.2  # seconds before a bar is shown, and between two of them
WIDTH = 20  # characters of the bar
LEAST, MOST = 0.05, 0.99  # the share from which the time left is shown; the share before the end
STRAIGHT = 0.7  # of the expected time of a step; beyond, the bar slows down and never ends too early


class ProgressBar:
    """A line on stderr that is gone when the work is done.

    Call it with steps done, all steps and what comes next; while it is open, a thread writes the line. Within
    a step the bar moves by the time that a step is expected to take: the mean of those that are done, or
    `seconds` for the first.
    """

    def __init__(self, what: str, watched: bool, seconds: float | None = None) -> None:
        self.what, self.done, self.total = what, 0, 0 if seconds is None else 1
        self.expected = seconds  # of a step
        self.took = 0.0  # seconds for the steps that are done
        self._watched, self._written, self._greatest = watched, 0, 0.0
        self._start = time.monotonic()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def __call__(self, done: int, total: int, what: str) -> None:
        """Note a step; the thread writes the line if it takes long."""
        if done > self.done:
            self.took = time.monotonic() - self._start
            known = self.expected or 0.0
            self.expected = self.took / done if done > 1 else max(known, self.took)  # the first may be short
        self.done, self.total, self.what = done, total, what or self.what

    def __enter__(self) -> Self:
        if self._watched:
            self._thread = threading.Thread(target=self._keep_writing, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        if self._written:
            self._write("")

    def share(self, seconds: float) -> float | None:
        """The share that is done after so many seconds, which never falls; None where it is not known."""
        if not self.total or not self.expected:
            return None
        part = (seconds - self.took) / self.expected
        if part > STRAIGHT:
            part = 1 - (1 - STRAIGHT) * math.exp((STRAIGHT - part) / (1 - STRAIGHT))
        self._greatest = max(self._greatest, min(MOST, (self.done + part) / self.total))
        return self._greatest

    def line(self, seconds: float, unicode: bool = True) -> str:
        """The line after so many seconds."""
        share = self.share(seconds)
        if share is None:
            return f"{self.what}, {duration(seconds)}"
        full, empty = ("█", "░") if unicode else ("#", ".")
        n_full = round(share * WIDTH)
        bar = full * n_full + empty * (WIDTH - n_full)
        left = seconds * (1 - share) / share if share >= LEAST else 0.0
        rest = f", about {duration(_rounded(left))} left" if left >= 1 else ""
        return f"{bar} {share:4.0%}  {self.what}{rest}"

    def _keep_writing(self) -> None:
        wait = PATIENCE
        unicode = (getattr(sys.stderr, "encoding", None) or "ascii").lower().startswith("utf")
        while not self._over.wait(wait):
            wait = EVERY
            self._write(self.line(time.monotonic() - self._start, unicode))

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


def _rounded(seconds: float) -> float:
    """Seconds in steps that do not flicker: of 5 beyond 20, of 30 beyond 2 minutes."""
    step = 1 if seconds < 20 else 5 if seconds < 120 else 30
    return math.ceil(seconds / step) * step


def duration(seconds: float) -> str:
    """`4 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
