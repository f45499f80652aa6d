"""ONNX exports, run by onnxruntime."""

import numpy as np
import pytest

import treewright as tw
from benchmarks.deep_tree import deep_tree
from tests.support.exported import KINDS, hostile_model, model
from treewright.present.export.as_onnx import run
from treewright.present.export.check import compared, export_check
from treewright.present.export.form import form_of
from treewright.present.export.rows import boundary_rows

onnxruntime = pytest.importorskip("onnxruntime")
REFUSED = [kind for kind in KINDS if "fractional" in kind or "linear" in kind]
REFUSED += ["j48", "c50", "c45", "logistic", "softmax", "natural numbers", "id3"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in REFUSED])
def test_every_kind_agrees(tmp_path, kind):
    path = tmp_path / "model.onnx"
    tw.export(model(kind), path)
    found = export_check(model(kind), path, n_rows=600)
    assert found.agrees, str(found)


@pytest.mark.parametrize("kind", REFUSED)
def test_what_it_cannot_express_is_refused(kind):
    with pytest.raises(ValueError, match=r"^onnx cannot express .*, which this tree has\. Use to='python'"):
        tw.export(model(kind), to="onnx")


def test_float32_agrees_on_float32_rows(tmp_path):
    """And says how many thresholds are no float32 numbers."""
    path = tmp_path / "model.onnx"
    fitted = model("numbers")
    assert b"numbers are read as float32; " in tw.export(fitted, path, float32=True)
    form = form_of(fitted)
    rows = np.array(boundary_rows(form, 2000), dtype=np.float64)
    with np.errstate(over="ignore"):
        rounded = rows.astype(np.float32).astype(np.float64)
    given = [[None if np.isnan(x) else x for x in row] for row in rounded.tolist()]
    found = compared("onnx", form, given, run(path, form, given))
    assert found.agrees, str(found)


def test_deep_trees_and_hostile_names(tmp_path):
    for fitted, table in ((deep_tree(1200, 90), None), hostile_model()):
        tw.export(fitted, tmp_path / "model.onnx")
        found = export_check(fitted, tmp_path / "model.onnx", table, n_rows=500)
        assert found.agrees, str(found)


def test_the_model_says_what_it_is():
    """Its comment has the hash and the columns."""
    import onnx

    made = onnx.load_from_string(tw.export(model("mixed"), to="onnx"))
    assert form_of(model("mixed")).hash in made.doc_string
    assert "Approximated: nothing." in made.doc_string
    assert {each.key for each in made.metadata_props} >= {"treewright.hash", "treewright.rows"}


@pytest.mark.parametrize("double", [True, False])
@pytest.mark.parametrize("kind", ["classes", "texts", "numbers"])
def test_pipelines_become_onnx(kind, double):
    """With missing values and thresholds hit exactly, which skl2onnx loses for trees of scikit-learn."""
    skl2onnx = pytest.importorskip("skl2onnx")
    from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    tw.register_skl2onnx()
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4)).astype(np.float64 if double else np.float32)
    X[rng.random(X.shape) < 0.15] = np.nan
    y = np.nan_to_num(X[:, 0]) + np.isnan(X[:, 1]) + rng.normal(size=500) / 3
    given = {"classes": y > 0, "texts": np.where(y > 0, "yes", "no"), "numbers": y}[kind]
    make = tw.DecisionTreeRegressor if kind == "numbers" else tw.DecisionTreeClassifier
    chain = make_pipeline(FunctionTransformer(), make(max_depth=6, missing="learned")).fit(X, given)
    cuts = chain[-1].tree_.threshold[chain[-1].tree_.feature >= 0].astype(X.dtype)
    rows = rng.choice(np.concatenate([cuts, [np.nan, np.inf, -np.inf, 0.0]]), size=(2000, 4)).astype(X.dtype)
    name, shape = "X", (DoubleTensorType if double else FloatTensorType)([None, 4])
    made = skl2onnx.convert_sklearn(
        chain, initial_types=[(name, shape)], options={"zipmap": False} if kind != "numbers" else None
    )
    session = onnxruntime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    said = session.run(None, {name: rows})
    if kind == "numbers":
        np.testing.assert_array_equal(said[0][:, 0], chain.predict(rows).astype(X.dtype))
    else:
        assert said[0].tolist() == chain.predict(rows).tolist()
        np.testing.assert_array_equal(said[1], chain.predict_proba(rows).astype(X.dtype))


def test_levels_in_a_pipeline_are_refused():
    skl2onnx = pytest.importorskip("skl2onnx")
    from skl2onnx.common.data_types import DoubleTensorType

    tw.register_skl2onnx()
    X = np.array([[0.0], [1.0], [2.0]] * 5)
    fitted = tw.DecisionTreeClassifier(categorical_features=[0]).fit(X, [0, 1, 0] * 5)
    with pytest.raises(ValueError, match="skl2onnx cannot express tests of levels"):
        skl2onnx.convert_sklearn(fitted, initial_types=[("X", DoubleTensorType([None, 1]))])
