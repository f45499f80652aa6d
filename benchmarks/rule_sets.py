"""Compare a tree with its simplified rules: `python -m benchmarks.rule_sets [--data FOLDER] [--rows N]`.

One line per table: the conditions of the tree's rules and of the simplified ones (means over five folds), and
the share of rows that each predicts rightly in the fold that it was not made of. The tree is pruned by
expected errors. The last column is RIPPER, where `wittgenstein` is installed and the table has two classes.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from .real_tables import DATA, Table, load, names, outer_folds

PAGE = Path(__file__).parents[1] / "docs" / "rule-sets.md"
BEGIN, END = "<!-- rules: written by make rule-sets -->", "<!-- /rules -->"
HEAD = "| table | conditions | simplified | rules | right | simplified | lost / SE | RIPPER | right |"
RIPPER_ROWS = 1_000  # it takes long


def line_of(table: Table, rows: int) -> dict[str, float]:
    """Of one table the mean numbers of conditions and the shares of rows that are right."""
    some = np.sort(np.random.default_rng(0).permutation(len(table.y))[:rows])
    table = Table(table.name, table.X.iloc[some].reset_index(drop=True), table.y[some], table.classes)
    sums: dict[str, list[float]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for train, test in outer_folds(table):
            made = _fold(table.X.iloc[train], table.y[train], table.X.iloc[test], table.y[test])
            for name, value in made.items():
                sums.setdefault(name, []).append(value)
    return {name: float(np.mean(values)) for name, values in sums.items()} | {"rows": float(len(some))}


def _fold(X: Any, y: Any, new: Any, true: Any) -> dict[str, float]:
    import treewright

    tree = treewright.DecisionTreeClassifier(pruning="pessimistic").fit(X, y)
    simple = treewright.rules(tree, simplify="pessimistic", X=X, y=y)
    found = {
        "conditions": treewright.rules(tree).n_conditions,
        "simple": simple.n_conditions,
        "n_rules": len(simple),
        "right": float(np.mean(tree.predict(new) == true)),
        "right_simple": float(np.mean(simple.predict(new) == true)),
    }
    if len(np.unique(y)) == 2 and len(y) < RIPPER_ROWS:
        found |= _ripper(X, y, new, true)
    return found


def _ripper(X: Any, y: Any, new: Any, true: Any) -> dict[str, float]:
    try:
        import wittgenstein
    except ImportError:
        return {}
    labels, counts = np.unique(y, return_counts=True)
    rare, other = labels[counts.argmin()], labels[counts.argmax()]
    model = wittgenstein.RIPPER(random_state=0)
    try:
        model.fit(X, y == rare, pos_class=True)
        predicted = np.where(np.asarray(model.predict(new), dtype=bool), rare, other)
    except Exception:  # noqa: BLE001  # it fails on some tables with missing values
        return {}
    size = sum(len(rule.conds) for rule in model.ruleset_.rules)
    return {"ripper": float(size), "right_ripper": float(np.mean(predicted == true))}


def written(lines: list[str]) -> None:
    """Put the table and its summary into the documentation."""
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.index(BEGIN) + len(BEGIN), text.index(END)
    PAGE.write_text(f"{text[:before]}\n" + "\n".join(lines) + f"\n{text[after:]}", encoding="utf-8")


def main() -> None:
    """Print the table as Markdown, and what it comes to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="where the tables are")
    parser.add_argument("--rows", type=int, default=2_000, help="the most rows of a table; others are drawn")
    parser.add_argument("--only", default="", metavar="NAME", help="only the tables whose name contains NAME")
    parser.add_argument("--write", action="store_true", help="write docs/rule-sets.md too")
    args = parser.parse_args()
    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        print(line, flush=True)

    say(HEAD)
    say("|---|---|---|---|---|---|---|---|---|")
    found, beside = [], []
    for name, classes in names(args.data, False, args.only):
        if not classes:
            continue
        each = line_of(load(args.data, name, classes), args.rows)
        error = np.sqrt(each["right"] * (1 - each["right"]) / each["rows"])
        lost = (each["right"] - each["right_simple"]) / error if error > 0 else 0.0
        found.append((each["conditions"], each["simple"], lost))
        last = "– | –"
        if "ripper" in each:
            beside.append((each["simple"], each["right_simple"], each["ripper"], each["right_ripper"]))
            last = f"{each['ripper']:.0f} | {each['right_ripper']:.1%}"
        say(
            f"| {name} | {each['conditions']:.0f} | {each['simple']:.0f} | {each['n_rules']:.0f} "
            f"| {each['right']:.1%} | {each['right_simple']:.1%} | {lost:.2f} | {last} |",
        )
    many, few, lost = np.array(found).T
    fewer = np.exp(np.log(np.maximum(few, 1) / np.maximum(many, 1)).mean())
    say(f"\n{len(found)} tables: the simplified rules have {fewer:.0%} of the conditions (geometric mean).")
    more, less = int((lost > 1).sum()), int((lost < -1).sum())
    say(f"They lose more than one standard error on {more} of them, and gain as much on {less}.")
    if beside:
        ours, right, theirs, other = np.array(beside).mean(axis=0)
        say(
            f"On {len(beside)} tables with RIPPER: {ours:.0f} conditions and {right:.1%} right, "
            f"RIPPER {theirs:.0f} and {other:.1%}."
        )
    if args.write:
        written(lines)


if __name__ == "__main__":
    main()
