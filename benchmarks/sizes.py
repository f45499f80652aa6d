"""Compare the two trees of `treewright.fit`: `python -m benchmarks.sizes [--data FOLDER] [--rows N]`.

One line per table: the leaves of the simple and of the best tree, and their scores on the same outer folds.
The last lines have the medians, and how often the simple tree loses more than one standard error.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

import numpy as np

from .table_data import Table, tables

T = 2.776445  # half a 95 % interval of five folds, in standard errors


def line_of(table: Table, rows: int) -> tuple[int, int, float, float, float]:
    """The leaves of both trees, their main scores, and the standard error of the best."""
    import treewright

    some = np.random.default_rng(0).permutation(len(table.y))[:rows]
    task = "classification" if table.classes else "regression"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        simple = treewright.fit(table.X.iloc[some], table.y[some], task=task, check=False)
    best = simple.best
    if simple.main_score is None or best.main_score is None:
        raise ValueError("Too few rows to score.")
    error = (best.main_score.high - best.main_score.low) / (2 * T)
    leaves = simple.model.get_n_leaves(), best.model.get_n_leaves()
    return *leaves, simple.main_score.value, best.main_score.value, error


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder of Parquet files whose last column is the target")
    parser.add_argument("--rows", type=int, default=20_000, help="the most rows of a table; others are drawn")
    args = parser.parse_args()
    found = []
    print(f"{'table':<28} {'leaves':>7} {'best':>7} {'score':>7} {'best':>7} {'lost / SE':>9}")
    for table in tables(folder=args.data):
        try:
            small, large, one, other, error = line_of(table, args.rows)
        except ValueError as problem:
            print(f"{table.name}: {problem}", file=sys.stderr)
            continue
        lost = (other - one) / error if error > 0 else 0.0
        found.append((small, large, lost))
        print(f"{table.name:<28} {small:>7,} {large:>7,} {one:>7.3f} {other:>7.3f} {lost:>9.2f}", flush=True)
    small, large, lost = np.array(found).T
    print(
        f"{len(found)} tables: median of {np.median(small):g} leaves, of the best tree {np.median(large):g}."
    )
    print(f"The simple tree loses more than one standard error on {int((lost > 1).sum())} of them.")


if __name__ == "__main__":
    main()
