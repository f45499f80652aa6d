"""A line on stderr that tells of long work, with the time left; it is gone when the work is done."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from types import TracebackType
from typing import Self

PATIENCE = 1.0  # seconds before anything is said
EVERY = 0.2


class ProgressLine:
    """Call it with steps done, all steps and what comes next; while it is open, a thread keeps the line."""

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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
        from ...data.common.text_width import fit_line, width_of

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
