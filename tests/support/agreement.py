"""How many recorded cases every classic agrees with: the table of docs/classics.md, counted and written.

A column of it is a set of cases: those that ship, all of golden, all of golden-more.
"""

import re
import sys

from tests.support.golden import GOLDEN, INSIDE, MORE
from tests.support.golden_fit import cases, disagreements
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "classics.md"
HEAD = "| classic | in the source code | recorded beside it | one rule at a time |"
ROWS = {
    "ID3, DecisionStump": ("id3", "decisionstump"),
    "C4.5": ("c45r8",),
    "J48": ("j48",),
    "C5.0": ("c50",),
    "CART: rpart": ("rpart",),
    "CART: scikit-learn": ("sklearn",),
    "REPTree": ("reptree",),
    "ctree": ("ctree",),
}


def sets_of(row):
    """The cases of every column of the table: those of folders that are not there are none."""
    shipped = {path.stem for path in (INSIDE / "cases").glob("*.json")}
    golden = [path for program in ROWS[row] for path in cases(program, (GOLDEN,))]
    more = [path for program in ROWS[row] for path in cases(program, (MORE,))]
    inside = [path for path in golden if path.stem in shipped]
    return [inside, [] if GOLDEN == INSIDE else golden, more]


def counted(row):
    """For every column the number that agrees and the number of all; and what does not agree, with reasons."""
    sets = sets_of(row)
    failed = disagreements({path.stem: path for paths in sets for path in paths}.values())
    return [(sum(path.stem not in failed for path in paths), len(paths)) for paths in sets], failed


def written(row):
    """The same numbers as the page has them; nothing where it has none."""
    found = re.search(rf"^\| {re.escape(row)} \|(.*)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cells = found[1].split("|") if found else []
    return [tuple(map(int, re.findall(r"\d+", cell))) for cell in cells]


def line_of(row, counts):
    """The line of the table. A column that was not counted now stays as it is on the page."""
    before = written(row) or [()] * len(counts)
    cells = [count if count[1] else old for count, old in zip(counts, before, strict=True)]
    return f"| {row} | {' | '.join(f'{c[0]} of {c[1]}' if c else '–' for c in cells)} |"


def write(rows):
    """Count these rows anew and write them into the page."""
    lines = {row: line_of(row, counted(row)[0] if row in rows else [(0, 0)] * 3) for row in ROWS}
    text = PAGE.read_text(encoding="utf-8")
    begin = text.index("| classic |")
    end = text.index("\n\n", begin)
    table = "\n".join([HEAD, "|---|---|---|---|", *lines.values()])
    PAGE.write_text(text[:begin] + table + text[end:], encoding="utf-8")


if __name__ == "__main__":  # python -m tests.support.agreement [ROW ...]
    write(sys.argv[1:] or ROWS)
