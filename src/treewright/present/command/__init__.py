"""The command line: one file per subcommand, loaded when it is called."""

from __future__ import annotations

import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command with the arguments of this process, and end it with its exit status."""
    try:
        from .program import run

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # while this was still being loaded
        sys.stderr.write("treewright: interrupted.\n")
        status = 130
    sys.exit(status)
