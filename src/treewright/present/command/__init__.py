"""The command line: one file per subcommand, loaded when it is called."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import NoReturn

__all__ = ["main"]

GRACE = 1.0  # seconds that an interrupted command has to end by itself


def main() -> NoReturn:
    """Run the command with the arguments of this process, and end it with its exit status."""
    ending = threading.Event()
    try:
        _end_soon_after_interrupt(ending)
        from .program import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # while this was still being loaded
        sys.stderr.write("treewright: interrupted.\n")
        status = 130
    ending.set()
    sys.exit(status)


def _end_soon_after_interrupt(ending: threading.Event) -> None:
    """End the process a second after Ctrl-C, even within a library that does not look for it.

    Python raises KeyboardInterrupt only between two of its own instructions, and reading a large file may be
    one of them. The signal wakes a thread at once. `ending`: the command has printed its last line.
    """
    if not hasattr(signal, "set_wakeup_fd") or os.name == "nt":
        return
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)

    def watch() -> None:
        while os.read(read, 1) != bytes([signal.SIGINT]):
            pass
        time.sleep(GRACE)
        with suppress(OSError):
            if not ending.is_set():
                os.write(2, b"\rtreewright: interrupted.\n")
        os._exit(130)

    threading.Thread(target=watch, daemon=True).start()
