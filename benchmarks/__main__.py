"""Run the benchmark: `python -m benchmarks [--quick] [--only NAME] [--json FILE] [--markdown]`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from . import classics, columns, command, explaining, fit, growth, memory, predict, pruning
from .data import QUICK, Sizes
from .report import Row, markdown_table, surroundings, text_table
from .rivals import absent

PARTS = (fit, columns, pruning, classics, predict, explaining, command, memory, growth)


def main(arguments: list[str] | None = None) -> list[Row]:
    """Measure, report progress on stderr, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small tables, to try the benchmark itself")
    parser.add_argument("--only", default="", metavar="NAME", help="only the work whose name contains NAME")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE too")
    parser.add_argument("--markdown", action="store_true", help="print the README's table")
    options = parser.parse_args(arguments)
    where = surroundings(predict.cores())
    print(where, file=sys.stderr)
    for name in absent():
        print(f"{name} is not installed and left out", file=sys.stderr)
    rows = []
    for part in PARTS:
        for row in part.rows(QUICK if options.quick else Sizes(), options.only):
            print("  " + " | ".join(filter(None, row.cells())), file=sys.stderr, flush=True)
            rows.append(row)
    if not rows:
        parser.error(f"--only must be part of the name of some work. Got {options.only!r}.")
    print(markdown_table(rows) + f"\n\n({where})" if options.markdown else text_table(rows))
    if options.json:
        options.json.write_text(json.dumps([row.as_dict() for row in rows], indent=1, ensure_ascii=False))
    return rows


if __name__ == "__main__":
    main()
