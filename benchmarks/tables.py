"""Compare accuracy: `python -m benchmarks.tables [--only NAME] [--rows N] [--data FOLDER] [--write]`.

Every method is trained and tested on the same five folds of every table. `--write` puts the results into
docs/accuracy.md and the README.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .methods import Trained, methods
from .setting import machine
from .table_data import Table, tables

FOLDS = 5
BETTER = {
    "accuracy": "higher is better",
    "log loss": "lower is better",
    "AUC": "higher is better",
    "R²": "higher is better",
}


class Scores(NamedTuple):
    """One method on one table: its scores per fold, and the leaves of each tree."""

    by_fold: dict[str, list[float]]
    leaves: list[int]

    def mean(self, metric: str) -> float:
        """The mean over the folds."""
        return float(np.mean(self.by_fold[metric]))

    def cell(self, metric: str) -> str:
        """Mean ± standard deviation over the folds."""
        values = self.by_fold[metric]
        return f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}"


def run(table: Table) -> dict[str, Scores]:
    """All methods on one table."""
    found: dict[str, Scores] = {}
    for name, method in methods().items():
        scores = Scores({}, [])
        for train, test in _folds(table):
            trained = method(table.X.iloc[train], table.y[train], table.classes)
            for metric, value in _scores(trained, table.X.iloc[test], table.y[test], table.classes).items():
                scores.by_fold.setdefault(metric, []).append(value)
            if trained.leaves is not None:
                scores.leaves.append(trained.leaves)
        found[name] = scores
        print(f"  {table.name}: {name}", file=sys.stderr, flush=True)
    return found


def _folds(table: Table) -> list[Any]:
    from sklearn.model_selection import KFold, StratifiedKFold

    kind = StratifiedKFold if table.classes else KFold
    return list(kind(FOLDS, shuffle=True, random_state=0).split(table.X, table.y))


def _scores(trained: Trained, X: Any, y: Any, classes: bool) -> dict[str, float]:
    from sklearn.metrics import accuracy_score, log_loss, r2_score, roc_auc_score

    model = trained.model
    if not classes:
        return {"R²": float(r2_score(y, model.predict(X)))}
    labels = list(model.classes_)
    probabilities = np.asarray(model.predict_proba(X), dtype=float)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    found = {
        "accuracy": float(accuracy_score(y, model.predict(X))),
        "log loss": float(log_loss(y, probabilities, labels=labels)),
    }
    if len(labels) == 2:
        found["AUC"] = float(roc_auc_score(np.asarray(y) == labels[1], probabilities[:, 1]))
    return found


# -- what is written


def page(runs: list[tuple[Table, dict[str, Scores]]]) -> Iterator[str]:
    """A summary over all tables, then one table of scores each."""
    yield from ("## All tables", "", summary(runs), "")
    for table, found in runs:
        metrics = list(next(iter(found.values())).by_fold)
        yield from (f"## {table.name}", "", f"{table.size}; source: {table.source}.", "")
        yield "| method | " + " | ".join(f"{metric} ({BETTER[metric]})" for metric in metrics) + " | leaves |"
        yield "|---" * (len(metrics) + 2) + "|"
        for name, scores in found.items():
            cells = [scores.cell(metric) for metric in metrics]
            yield "| " + " | ".join([name, *cells, _leaves(scores.leaves)]) + " |"
        yield ""


def summary(runs: list[tuple[Table, dict[str, Scores]]]) -> str:
    """Means over the tables, per method."""
    groups = {
        classes: [found for table, found in runs if table.classes == classes] for classes in (True, False)
    }
    metrics = [(True, "accuracy"), (True, "log loss"), (False, "R²")]
    shown = [(classes, metric) for classes, metric in metrics if groups[classes]]
    heads = [f"mean {metric}, {len(groups[classes])} tables" for classes, metric in shown]
    lines = [f"| method | {' | '.join(heads)} | mean leaves |", "|---" * (len(heads) + 2) + "|"]
    for name in runs[0][1]:
        cells = [f"{np.mean([found[name].mean(metric) for found in groups[c]]):.3f}" for c, metric in shown]
        leaves = [count for _, found in runs for count in found[name].leaves]
        lines.append("| " + " | ".join([name, *cells, _leaves(leaves)]) + " |")
    return "\n".join(lines)


def _leaves(counts: list[int]) -> str:
    return f"{np.mean(counts):.0f}" if counts else "–"


def main(arguments: list[str] | None = None) -> list[tuple[Table, dict[str, Scores]]]:
    """Run all tables and print the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables", description=__doc__)
    parser.add_argument("--only", default="", metavar="NAME", help="only tables whose name contains NAME")
    parser.add_argument("--rows", type=int, default=2_000, help="rows of tables made by a formula")
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="CSV and Parquet files in place of these tables"
    )
    parser.add_argument("--write", action="store_true", help="write docs/accuracy.md and the README's table")
    options = parser.parse_args(arguments)
    if options.write and (options.only or options.data):
        parser.error("--write needs a complete run: leave out --only and --data.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # unknown levels in a fold, and the like
        runs = [(table, run(table)) for table in tables(options.only, options.rows, options.data)]
    if not runs:
        parser.error(f"--only must be part of the name of a table. Got {options.only!r}.")
    print("\n".join(page(runs)))
    if options.write:
        from . import write

        facts = {name: value for name, value in machine(2).items() if name in {"system", "versions"}}
        write.write_accuracy(facts, "\n".join(page(runs)), summary(runs))
    return runs


if __name__ == "__main__":
    main()
