"""Measure speed and memory in one run: `python -m benchmarks [--tiny] [--threads N] [--only PART] [--write]`.

`--write` puts the results into docs/benchmarks.md and the README. It needs a complete run.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path


def main(arguments: list[str] | None = None) -> list[object]:
    """Measure, report progress on stderr, print the tables, and write them on request."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--tiny", action="store_true", help="very small tables, to try the benchmark itself")
    parser.add_argument("--threads", type=int, default=2, help="threads of every library (default 2)")
    parser.add_argument(
        "--only", default="", metavar="PART", help="only parts whose module name contains PART"
    )
    parser.add_argument(
        "--write", action="store_true", help="write docs/benchmarks.md and the README's table"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to FILE too")
    options = parser.parse_args(arguments)
    # before numpy, scikit-learn and the others are loaded: their own default number of threads
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    from . import (
        classics,
        command,
        experiments,
        explaining,
        exports,
        large,
        memory,
        middle,
        model_trees,
        prediction,
        pruning,
        threads,
        training,
        write,
    )
    from .libraries import absent
    from .parts import in_own_process, measured
    from .results import Result, text
    from .setting import TINY, Setting, machine

    parts = (
        training,
        middle,
        model_trees,
        threads,
        prediction,
        pruning,
        memory,
        explaining,
        experiments,
        exports,
        command,
        classics,
        large,
    )
    chosen = [part for part in parts if options.only in part.__name__.rsplit(".", 1)[1]]
    if not chosen:
        names = ", ".join(part.__name__.rsplit(".", 1)[1] for part in parts)
        parser.error(f"--only must be part of one of {names}. Got {options.only!r}.")
    if options.write and (options.only or options.tiny):
        parser.error("--write needs a complete run: leave out --only and --tiny.")
    setting = replace(TINY if options.tiny else Setting(), threads=options.threads)
    for name in absent():
        print(f"{name} is not installed and left out", file=sys.stderr)
    measure = measured if options.tiny else in_own_process
    results: list[Result] = [result for part in chosen for result in measure(part.__name__, setting)]
    print("\n".join(text(results)))
    facts = machine(options.threads) | {"repeats": str(setting.repeats)}
    if options.json:
        write.save(options.json, facts, results)
    if options.write:
        write.write_speed(facts, results)
    return list(results)


if __name__ == "__main__":
    main()
