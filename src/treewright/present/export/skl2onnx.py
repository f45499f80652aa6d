"""A converter for skl2onnx, so that pipelines of scikit-learn with a tree of treewright become ONNX models.

skl2onnx hands over one table of numbers. TreeEnsembleRegressor (ai.onnx.ml opset 3, which skl2onnx writes)
finds the place of the leaf, and tables have what it predicts: missing values go where the model sends them,
and with a table of float64 all is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...learn.params import CLASSIFICATION
from .form import Form, form_of
from .onnx_trees import LEQ, LT, MEMBER, Ensemble, Features, walk_ensemble

REFUSED = [
    "rows that go down several branches (missing='fractional')",
    "linear leaves",
    "oblique tests",
    "surrogates",
    "several outputs",
    "dates and times",
    "whole numbers beyond 2**53",
    "leaves without a prediction",
]
INSTEAD = "Export the tree alone by treewright.export(model, to='onnx'), or use another format."
ESTIMATORS = (
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
)
MODES = {LEQ: "BRANCH_LEQ", LT: "BRANCH_LT"}


def register_skl2onnx() -> None:
    """Let skl2onnx convert pipelines that contain an estimator of treewright.

    Call it once before `skl2onnx.to_onnx` or `convert_sklearn`. The table that the tree gets inside the
    pipeline must hold numbers. With inputs of float64 (`DoubleTensorType`) the converted pipeline predicts
    what the tree predicts for every row; float32 inputs are compared with thresholds that keep every float32
    number on its side.

    Raises
    ------
    ModuleNotFoundError
        If skl2onnx is not installed.
    """
    try:
        from skl2onnx import update_registered_converter
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("register_skl2onnx needs the package skl2onnx. Install it.") from error
    from ...learn import estimators

    for name in ESTIMATORS:
        kind = getattr(estimators, name)
        classes = {"zipmap": [True, False, "columns"], "nocl": [True, False], "output_class_labels": [False]}
        options = classes if kind.task == CLASSIFICATION else {}
        update_registered_converter(kind, f"Treewright{name}", _shapes, _convert, options=options)


def _shapes(operator: Any) -> None:
    """The types of the outputs."""
    from skl2onnx.common.data_types import (
        DoubleTensorType,
        FloatTensorType,
        Int64TensorType,
        StringTensorType,
    )

    form, n = form_of(operator.raw_operator), operator.inputs[0].get_first_dimension()
    number = DoubleTensorType if isinstance(operator.inputs[0].type, DoubleTensorType) else FloatTensorType
    if not form.is_classifier:
        operator.outputs[0].type = number([n, 1])
        return
    text = isinstance(form.classes[0][0], str)
    operator.outputs[0].type = StringTensorType([n]) if text else Int64TensorType([n])
    operator.outputs[1].type = number([n, form.sizes[0]])


def _convert(scope: Any, operator: Any, container: Any) -> None:
    """Add the nodes of a tree to the graph of a pipeline."""
    from onnx import TensorProto
    from skl2onnx.common.data_types import DoubleTensorType

    form = form_of(operator.raw_operator)
    form.refuse("skl2onnx", REFUSED, INSTEAD)
    levels = [column.name for column in form.columns if column.levels]
    if levels:
        raise ValueError(f"skl2onnx cannot express tests of levels, as of {levels[0]!r}. {INSTEAD}")
    double = isinstance(operator.inputs[0].type, DoubleTensorType)
    places = {node: k for k, node in enumerate(form.ends)}
    trees = walk_ensemble(form, Features(form, {}, {}, float32=not double), places)
    found, whole, end = (scope.get_unique_variable_name(name) for name in ("found", "whole", "end"))
    attributes = _attributes(form, trees, np.float64 if double else np.float32)
    container.add_node("TreeEnsembleRegressor", operator.inputs[0].full_name, found,
                       op_domain="ai.onnx.ml", op_version=3, **attributes)  # fmt: skip
    container.add_node("Cast", found, whole, to=TensorProto.INT64, op_version=13)
    flat = _constant(scope, container, np.array([-1], dtype=np.int64))
    container.add_node("Reshape", [whole, flat], end, op_version=14)
    numbers = form.values[form.ends, 0, : form.sizes[0]].astype(np.float64 if double else np.float32)
    if not form.is_classifier:
        _gather(scope, container, numbers, end, operator.outputs[0])
        return
    _gather(scope, container, np.array(form.classes[0])[form.labels[form.ends, 0]], end, operator.outputs[0])
    _gather(scope, container, numbers, end, operator.outputs[1])


def _attributes(form: Form, trees: Ensemble, dtype: Any) -> dict[str, Any]:
    """The ensemble in the form of opset 3: leaves are nodes behind the others."""
    from onnx import numpy_helper

    assert MEMBER not in trees.mode
    inner, leaves = len(trees.feature), len(trees.weight)

    def numbers(targets: Any) -> list[int]:
        return [number + inner if kind == "leaf" else number for kind, number in targets]

    placed = [form.columns[column].place if form.columns else 0 for column in trees.feature]
    values = np.array([*trees.split, *[0.0] * leaves], dtype=dtype)
    weights = np.array(trees.weight, dtype=dtype)
    float32 = dtype is np.float32
    return {
        "nodes_treeids": [0] * (inner + leaves),
        "nodes_nodeids": [*range(inner + leaves)],
        "nodes_featureids": [*placed, *[0] * leaves],
        "nodes_modes": [*(MODES[mode] for mode in trees.mode), *["LEAF"] * leaves],
        "nodes_truenodeids": [*numbers(trees.true), *[0] * leaves],
        "nodes_falsenodeids": [*numbers(trees.false), *[0] * leaves],
        "nodes_missing_value_tracks_true": [*trees.nan_true, *[0] * leaves],
        "target_treeids": [0] * leaves,
        "target_nodeids": [*range(inner, inner + leaves)],
        "target_ids": [0] * leaves,
        "n_targets": 1,
        "aggregate_function": "SUM",
        "post_transform": "NONE",
        **(
            {"nodes_values": values.tolist(), "target_weights": weights.tolist()}
            if float32
            else {
                "nodes_values_as_tensor": numpy_helper.from_array(values, "values"),
                "target_weights_as_tensor": numpy_helper.from_array(weights, "weights"),
            }
        ),
    }


def _constant(scope: Any, container: Any, array: Any) -> str:
    from onnx import TensorProto, helper

    name: str = scope.get_unique_variable_name("table")
    if array.dtype.kind in "OU":
        kind, flat = TensorProto.STRING, [str(each).encode() for each in array.ravel()]
    else:
        array = array.astype(np.int64) if array.dtype.kind in "bi" else array
        kind, flat = helper.np_dtype_to_tensor_dtype(array.dtype), array.ravel().tolist()
    container.add_initializer(name, kind, array.shape, flat)
    return name


def _gather(scope: Any, container: Any, table: Any, end: str, output: Any) -> None:
    """What the tables have for each row."""
    name = _constant(scope, container, table)
    container.add_node("Gather", [name, end], output.full_name, axis=0, op_version=13)
