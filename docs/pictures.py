"""Draw the pictures of the book into docs/img: `python docs/pictures.py`.

The same data and libraries give the same files, byte for byte.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd

from treewright import DecisionTreeClassifier, learning_curve, pruning_report

FOLDER = Path(__file__).parent / "img"


def credit() -> tuple[Any, Any]:
    """The table of credits and its target."""
    with (files("treewright") / "data" / "credit.csv").open() as file:
        table = pd.read_csv(file)
    return table.drop(columns="target"), table["target"]


def save(ax: Any, name: str) -> None:
    """Write one picture, without the date and the random names that make each SVG another file."""
    ax.figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None})


def main() -> None:
    """Draw them all."""
    mpl.use("agg")
    mpl.rcParams["svg.hashsalt"] = "treewright"
    FOLDER.mkdir(exist_ok=True)
    X, y = credit()
    save(pruning_report(DecisionTreeClassifier(), X, y).plot(), "pruning")
    sizes = [50, 100, 200, 400, 800]
    curve = learning_curve(DecisionTreeClassifier(ccp_alpha="cv"), X, y, sizes=sizes, loss="brier")
    save(curve.plot(), "learning")


if __name__ == "__main__":
    main()
