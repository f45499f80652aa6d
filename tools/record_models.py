"""Record models of this version with what they predict: `python -m tools.record_models`.

Every later version must load these files and predict the same; `tests/learn/test_earlier_versions.py` sees to
that. Record once per version, before it is published, and never change what an earlier version recorded.
"""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

import treewright
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.classics import c45
from treewright.evaluate.decision import with_decision

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "src" / "treewright" / "data" / "examples"
N_ROWS = 40  # of each table are predicted


def models() -> Iterator[tuple[str, Any, pl.DataFrame]]:
    """Name, fitted model, and its table without the target."""
    patients, credit = (pl.read_csv(EXAMPLES / f"{name}.csv") for name in ("hepatitis", "credit"))
    X, y = patients.drop("target"), patients["target"].to_numpy()
    yield "nominal", DecisionTreeClassifier(max_depth=5, min_samples_leaf=3).fit(X, y), X
    yield "surrogates", DecisionTreeClassifier(max_depth=4, missing="surrogate").fit(X, y), X
    yield "c45", c45().fit(X, y), X
    X, y = credit.drop("target"), credit["target"].to_numpy()
    smoothed = DecisionTreeClassifier(max_leaf_nodes=20, smoothing="m_estimate", level_correction=True)
    yield "smoothed and decided", with_decision(smoothed.fit(X, y), costs=[[0, 5], [1, 0]]), X
    X, number = credit.drop("target", "credit_amount"), credit["credit_amount"].to_numpy()
    yield "regression", DecisionTreeRegressor(max_leaf_nodes=25, smoothing="m_estimate").fit(X, number), X


def record(folder: Path) -> None:
    """Write each model as a model file and as a pickle, and what it predicts."""
    folder.mkdir(parents=True, exist_ok=True)
    recorded: dict[str, Any] = {}
    for name, model, X in models():
        file = name.replace(" ", "-")
        model.save(folder / f"{file}.tree.json")
        (folder / f"{file}.pickle").write_bytes(pickle.dumps(model, protocol=4))
        rows = X.gather_every(max(1, len(X) // N_ROWS)).head(N_ROWS)
        recorded[file] = {"rows": rows.to_dict(as_series=False), "predict": model.predict(rows).tolist()}
        if hasattr(model, "predict_proba"):
            recorded[file]["predict_proba"] = model.predict_proba(rows).tolist()
        recorded[file]["apply"] = model.apply(rows).tolist()
    (folder / "predictions.json").write_text(json.dumps(recorded) + "\n", encoding="utf-8")


def main() -> int:
    """Record into the folder of this version."""
    folder = ROOT / "tests" / "recorded" / "models" / treewright.__version__
    record(folder)
    print(f"recorded: {', '.join(sorted(path.name for path in folder.iterdir()))} in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
