"""PMML exports, run by PMML4S in Java."""

import shutil
import xml.etree.ElementTree as ET

import pytest

import treewright as tw
from benchmarks.deep_tree import deep_tree
from tests.support.exported import KINDS, grown, hostile_model, model
from treewright.present.export.check import export_check

NAMES = ["size", "town", "grade", "flag", "many", "code"]
SETTINGS = [
    {}, {"missing": "learned"}, {"missing": "surrogate"}, {"missing": "branch"},
    {"nominal_splits": "multiway"},
    {"smoothing": "hierarchical", "smoothing_strength": 20.0},
    {"costs": [[0, 1, 5], [2, 0, 1], [1, 9, 0]]},
]  # fmt: skip
EXPRESSIBLE = ["numbers", "regression", "rpart", "cart", "one leaf", "random 2"]


@pytest.fixture(scope="module")
def java():
    pytest.importorskip("pypmml", exc_type=ImportError)
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")


def check(tmp_path, fitted, table=None, n_rows=400):
    tw.export(fitted, tmp_path / "model.pmml")
    found = export_check(fitted, tmp_path / "model.pmml", table, n_rows=n_rows)
    assert found.agrees, str(found)


@pytest.mark.parametrize("kind", EXPRESSIBLE)
def test_every_kind_agrees(tmp_path, java, kind):  # noqa: ARG001
    check(tmp_path, model(kind))


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda each: "-".join(map(str, each))[:30])
def test_levels_and_missing_values_agree(tmp_path, java, settings):  # noqa: ARG001
    check(tmp_path, grown(tw.DecisionTreeClassifier, names=NAMES, **settings))


def test_booleans_agree(tmp_path, java):  # noqa: ARG001
    """As one column that is tested for a value, and for being there."""
    check(tmp_path, grown(tw.DecisionTreeClassifier, names=["flag"]))


def test_hostile_names_and_deep_trees_agree(tmp_path, java):  # noqa: ARG001
    check(tmp_path, *hostile_model())
    check(tmp_path, deep_tree(600, 60))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in EXPRESSIBLE])
def test_what_it_cannot_express_is_refused(kind):
    with pytest.raises(ValueError, match=r"^pmml cannot express .*, which this tree has\. Use to='python'"):
        tw.export(model(kind), to="pmml")


def test_letters_that_xml_lacks_are_refused():
    import pandas as pd

    fitted = tw.DecisionTreeClassifier().fit(pd.DataFrame({"a": ["x\x01", "y"] * 5}), [0, 1] * 5)
    with pytest.raises(ValueError, match="pmml cannot express the text"):
        tw.export(fitted, to="pmml")


def test_the_document_is_well_formed():
    root = ET.fromstring(tw.export(hostile_model()[0], to="pmml").encode())
    space = {"p": "http://www.dmg.org/PMML-4_4"}
    assert len(root.findall(".//p:Node", space)) == hostile_model()[0].tree_.node_count
    assert int(root.find("p:DataDictionary", space).get("numberOfFields")) == len(
        root.findall("p:DataDictionary/p:DataField", space)
    )
