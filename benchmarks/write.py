"""Write the results of a run into the documentation: docs/benchmarks.md, docs/accuracy.md and the README."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from .results import OURS, Result, markdown, quantity, words

ROOT = Path(__file__).parent.parent
# The rows of the README: a piece of the work's name, and the other library.
README_ROWS = (
    ("2 classes, 200,000 rows × 20, depth 10", "scikit-learn"),
    ("2 classes, 200,000 rows × 20, depth 10", "XGBoost exact"),
    ("2 classes, 1,000,000 rows × 20, depth 10", "LightGBM"),
    ("regression, 200,000 rows × 20, depth 10", "scikit-learn"),
    ("choosing alpha, 10,000 rows × 20", "scikit-learn, GridSearchCV over 20 alphas"),
    ("1,000,000 rows × 20, depth 10", "scikit-learn"),
)
SPEED_HEAD = """# Speed and memory
Written by `make bench` from one run; do not edit. All libraries use the same number of threads
(scikit-learn's decision trees always use one), and each time is the shortest of equally many repeats, in
rounds of all libraries, two of each in a row. Each section is measured in a process of its own. "2 times as
fast as" means that treewright took half the time; "2 times slower than" means that it took twice the time.
Times of other machines differ; the comparisons differ much less.

LightGBM, XGBoost and HistGradientBoosting train one tree (one iteration) here, without shrinkage of leaves
by regularisation. Their histogram methods consider only the edges of up to 256 bins as thresholds;
treewright, scikit-learn, YDF and XGBoost's exact method consider every threshold.
"""
ACCURACY_HEAD = """# Accuracy
Written by `make accuracy` from one run; do not edit. Every method is trained and
tested on the same 5 folds (shuffled with a fixed seed, stratified for classes), with one fixed setting for
all tables. The numbers are means over the folds, ± the standard deviation over the folds. Gradient boosting
is an ensemble of many trees and shows what is possible; logistic and linear regression show what a model
without interactions reaches. Other libraries get one-hot encoded levels and imputed missing values where
they need them; treewright gets the tables as they are.
"""


def save(path: Path, facts: dict[str, str], results: Iterable[Result]) -> None:
    """Write the results as JSON."""
    content = {"machine": facts, "results": [result.to_dict() for result in results]}
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False), encoding="utf-8")


def speed_page(facts: dict[str, str], results: Sequence[Result]) -> str:
    """The text of docs/benchmarks.md."""
    return "\n".join([SPEED_HEAD, *_facts(facts), "", *markdown(results)]).rstrip() + "\n"


def _facts(facts: dict[str, str]) -> list[str]:
    return ["| measured on | |", "|---|---|", *(f"| {name} | {value} |" for name, value in facts.items())]


def readme_speed(results: Sequence[Result]) -> str:
    """The README's table of speed; rows whose library is not installed are left out."""
    lines = ["| work | treewright | other library | treewright is |", "|---|---|---|---|"]
    for work, library in README_ROWS:
        pair = _pair(work, library, results)
        if pair is not None:
            ours, theirs = pair
            title = ours.work.replace(", each measured once", "")
            title = f"predict {title}" if ours.part.startswith("Predicting") else title
            times = (quantity(each.value, each.unit) for each in pair)
            mine, other = times
            lines.append(f"| {title} | {mine} | {other} | {words(ours, theirs)} |")
    return "\n".join(lines)


def _pair(work: str, library: str, results: Sequence[Result]) -> tuple[Result, Result] | None:
    """Ours and theirs of the work whose name begins so."""
    found = {each.library: each for each in results if each.work.startswith(work) and each.unit == "s"}
    return (found[OURS], found[library]) if library in found and OURS in found else None


def replace_between(text: str, name: str, table: str) -> str:
    """The text with another table between <!-- name: … --> and <!-- /name -->."""
    pattern = re.compile(rf"(<!-- {name}: [^\n]*-->\n).*?(<!-- /{name} -->)", re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"The page must have the markers <!-- {name}: … --> and <!-- /{name} -->. Got none.")
    return pattern.sub(lambda found: f"{found[1]}{table}\n{found[2]}", text)


def write_speed(facts: dict[str, str], results: Sequence[Result], root: Path = ROOT) -> None:
    """Write docs/benchmarks.md and the README's table."""
    (root / "docs" / "benchmarks.md").write_text(speed_page(facts, results), encoding="utf-8")
    _write_readme(root, "speed", readme_speed(results))


def write_accuracy(facts: dict[str, str], body: str, summary: str, root: Path = ROOT) -> None:
    """Write docs/accuracy.md and the README's table."""
    page = "\n".join([ACCURACY_HEAD, *_facts(facts), "", body]).rstrip() + "\n"
    (root / "docs" / "accuracy.md").write_text(page, encoding="utf-8")
    _write_readme(root, "accuracy", summary)


def _write_readme(root: Path, name: str, table: str) -> None:
    readme = root / "README.md"
    readme.write_text(replace_between(readme.read_text(encoding="utf-8"), name, table), encoding="utf-8")
