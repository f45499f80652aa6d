"""The classics agree with the recorded programs: the share of the cases, printed at the end of the run.

What does not agree is named in the book, with the reason.
"""

import pytest

from tests.support.golden import GOLDEN, INSIDE
from tests.support.golden_fit import cases, disagreements
from tests.support.paths import ROOT

pytest.importorskip("pandas")
pytestmark = pytest.mark.recorded


PAGE = ROOT / "docs" / "classics.md"
# The rows of the table in the book: what must agree, the programs, and the share of their cases.
ROWS = {
    "ID3, DecisionStump": (("id3", "decisionstump"), 0.98),
    "C4.5": (("c45r8",), 0.94),  # what a slip and the order of sums cost is named on the page
    "J48": (("j48",), 0.98),
    "C5.0": (("c50",), 0.95),
    "CART: rpart": (("rpart",), 0.98),
    "CART: scikit-learn": (("sklearn",), 0.98),
    "REPTree": (("reptree",), 0.98),
    "ctree": (("ctree",), 0.98),
}


@pytest.mark.parametrize("row", ROWS)
def test_the_classic_agrees_with_its_program(row, record_property):
    programs, least = ROWS[row]
    if "rpart" in programs:
        pytest.importorskip("tests.support.golden_rpart")
    paths = [path for program in programs for path in cases(program)]
    failed = disagreements(paths)
    agreed = len(paths) - len(failed)
    record_property("agreement", f"{row:20} {agreed:4} of {len(paths):4} cases, {agreed / len(paths):6.1%}")
    shown = "\n".join(f"{name}: {why}" for name, why in failed.items())
    if GOLDEN != INSIDE:  # of few cases one may be more than the share that may fail
        assert agreed >= least * len(paths), f"{row}: {agreed} of {len(paths)} agree\n{shown}"
    text = PAGE.read_text(encoding="utf-8")
    if f"| {row} | {len(paths)} |" in text:  # the cases that the page speaks of
        assert f"| {row} | {len(paths)} | {agreed} |" in text
    assert [name for name in failed if f"`{name}`" not in text] == [], f"not named on the page\n{shown}"
