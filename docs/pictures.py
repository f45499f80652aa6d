"""Draw the pictures of the book into docs/img: `python docs/pictures.py`.

The same data and libraries give the same files, byte for byte.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

import treewright
from treewright import DecisionTreeClassifier, compare_pruning, learning_curve

FOLDER = Path(__file__).parent / "img"


def credit() -> tuple[Any, Any]:
    """The table of credits and its target."""
    with (files("treewright") / "data" / "examples" / "examples" / "credit.csv").open() as file:
        table = pd.read_csv(file)
    return table.drop(columns="target"), table["target"]


def save(ax: Any, name: str) -> None:
    """Write one picture, without the date and the random names that make each SVG another file."""
    ax.figure.savefig(FOLDER / f"{name}.svg", dpi=120, metadata={"Date": None})


def of_pruning(X: Any, y: Any) -> None:
    """Those of the page "Pruning"."""
    save(compare_pruning(DecisionTreeClassifier(), X, y).plot(), "pruning")
    sizes = [50, 100, 200, 400, 800]
    curve = learning_curve(DecisionTreeClassifier(ccp_alpha="cv"), X, y, sizes=sizes, loss="brier")
    save(curve.plot(), "learning")


def of_decisions(X: Any, y: Any) -> None:
    """Those of the page "Decisions"."""
    settings = {"criterion": "entropy", "level_correction": True, "min_samples_leaf": 10}
    model = DecisionTreeClassifier(**settings, ccp_alpha="cv", smoothing="hierarchical").fit(X, y)
    save(treewright.calibration_curve(model, bins=10, positive="bad").plot(), "reliability")
    costs = {"false_positive": 1, "false_negative": 5}
    point = treewright.operating_point(model, costs=costs, positive="bad")
    save(point.plot(), "roc")
    save(point.curve.plot_coverage(), "coverage")
    plain = DecisionTreeClassifier(**settings, ccp_alpha="1se", smoothing="hierarchical").fit(X, y)
    save(treewright.leaves(plain, X, y, cv=5).plot(positive="bad"), "leaves")
    save(treewright.textbook.plot_impurities(), "impurities")
    two = X[["duration", "credit_amount"]]
    models = {f"depth {d}": DecisionTreeClassifier(max_depth=d).fit(two, y) for d in (2, 4, 12)}
    cubic = make_pipeline(StandardScaler(), PolynomialFeatures(3), LogisticRegression(max_iter=1000))
    axs = treewright.plot_regions(models | {"logistic, cubic": cubic.fit(two, y)}, two, y)
    for ax in axs:
        for dots_or_lines in ax.collections:
            dots_or_lines.set_rasterized(True)  # as shapes, thousands of them are a file of megabytes
    save(axs[0], "regions")


def main() -> None:
    """Draw them all."""
    mpl.use("agg")
    mpl.rcParams["svg.hashsalt"] = "treewright"
    FOLDER.mkdir(exist_ok=True)
    table = credit()
    of_pruning(*table)
    of_decisions(*table)


if __name__ == "__main__":
    main()
