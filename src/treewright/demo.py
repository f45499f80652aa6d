"""Fit a tree on the bundled table and print it with its score: `python -m treewright.demo`."""

from __future__ import annotations

import csv
from importlib.resources import files

import numpy as np

from . import DecisionTreeClassifier, show


def load_iris() -> tuple[list[str], np.ndarray, np.ndarray]:
    """The bundled table: names of the columns, measurements, species."""
    text = (files("treewright") / "data" / "iris.csv").read_text()
    header, *rows = csv.reader(text.splitlines())
    X = np.array([row[:-1] for row in rows], dtype=float)
    return header[:-1], X, np.array([row[-1] for row in rows])


def main() -> None:
    """Fit, print, and say how good the tree is on rows that it has not seen."""
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    names, X, y = load_iris()
    model = DecisionTreeClassifier(max_depth=3).fit(X, y)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    held_out = cross_val_score(DecisionTreeClassifier(max_depth=3), X, y, cv=folds).mean()
    print(f"Three species of iris: {len(X)} rows, {X.shape[1]} columns, a tree of depth {model.get_depth()}.")
    print()
    show(model, feature_names=names)
    print(f"\nRight on {model.score(X, y):.1%} of these rows, {held_out:.1%} of rows not seen (five folds).")


if __name__ == "__main__":
    main()
