"""Model files and pickles of every version so far: each later version must load them and predict the same.

A version's folder is made by `python -m tools.record_models` before it is published, and never changed after.
"""

import json
import pickle
import re
from pathlib import Path

import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import treewright
from tests.support.paths import RECORDED

VERSIONS = sorted((RECORDED / "models").iterdir())
FILES = [
    pytest.param(path, id=f"{path.parent.name} {path.name}")
    for version in VERSIONS
    for path in sorted(version.iterdir())
    if path.name != "predictions.json"
]


def loaded(path):
    """The model, and what was recorded of it."""
    recorded = json.loads((path.parent / "predictions.json").read_text("utf-8"))[path.name.split(".")[0]]
    if path.suffix == ".pickle":
        return pickle.loads(path.read_bytes()), recorded
    return treewright.load(path), recorded


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.InconsistentVersionWarning")
@pytest.mark.parametrize("path", FILES)
def test_a_model_of_an_earlier_version_predicts_the_same(path):
    model, recorded = loaded(path)
    rows = pl.DataFrame(recorded["rows"])
    assert_array_equal(model.apply(rows), recorded["apply"])
    if "predict_proba" in recorded:
        assert_array_equal(model.predict(rows), recorded["predict"])
        assert_allclose(model.predict_proba(rows), recorded["predict_proba"], rtol=1e-12, atol=1e-15)
    else:
        assert_allclose(model.predict(rows), recorded["predict"], rtol=1e-12)


def test_this_version_is_recorded():
    """One in development need not be: it is recorded before it is published."""
    recorded = {version.name for version in VERSIONS}
    assert treewright.__version__ in recorded or ".dev" in treewright.__version__, "tools.record_models"


def test_the_version_is_that_of_the_newest_changes():
    root = Path(__file__).parents[2]
    version = re.search(r'^version = "(.+)"', (root / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    newest = re.search(r"^## (\S+) \((.+)\)", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    expected = f"{newest[1]}.dev0" if newest[2] == "in progress" else newest[1]
    assert version[1] == expected


def test_what_is_recorded_is_worth_keeping():
    """Several classes or numbers are predicted, and rows have gaps, which C4.5 shares out."""
    for version in VERSIONS:
        recorded = json.loads((version / "predictions.json").read_text("utf-8"))
        for name, found in recorded.items():
            assert len(set(found["predict"])) > 1, name
        assert any(None in values for values in recorded["c45"]["rows"].values())
        tree = treewright.load(version / "c45.tree.json").tree_
        one_leaf = tree.prediction[recorded["c45"]["apply"]].reshape(-1, 2)
        assert (abs(one_leaf - recorded["c45"]["predict_proba"]) > 0.01).any()
        assert {path.stem for path in version.glob("*.pickle")} == set(recorded)
