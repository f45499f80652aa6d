"""A tree as an ONNX model: TreeEnsemble finds the leaf, and tables have what it predicts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .c_row import whole_cut
from .form import Form
from .onnx_trees import Ensemble, Features, choice_ensemble, walk_ensemble
from .outputs import header, wanted
from .rows import INT64, Predicted, example_rows, is_natural, unknown_level

HOW = [
    "An input for each column, of shape (rows, 1). Numbers are float64, and NaN is missing. Levels are text;",
    "any text that is no level is missing. Times (in microseconds) and whole numbers beyond 2**53 are int64;",
    "the smallest int64 is missing. Outputs: leaf, prediction, probabilities (a column per class).",
]
REFUSED = [
    "rows that go down several branches (missing='fractional')",
    "linear leaves",
    "leaves without a prediction",
]
INSTEAD = "Use to='python', 'c' or 'javascript'."
IR_VERSION, OPSET, ML_OPSET = 10, 17, 5


def write(form: Form, output: str, *, float32: bool = False) -> bytes:
    """The bytes of the model. With `float32` numbers are read as float32, for runtimes without float64."""
    try:
        import onnx
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("An export to 'onnx' needs the package onnx. Install it.") from error
    form.refuse("onnx", REFUSED, INSTEAD)
    if any(is_natural(form, place) for place in range(len(form.columns))):
        raise ValueError(f"onnx cannot express whole numbers beyond 2**63, which this tree has. {INSTEAD}")
    if float32 and form.sums:
        raise ValueError("onnx with float32=True cannot express oblique tests, whose sums need float64.")
    outputs = wanted(form, output)
    graph = _Graph(form, float32)
    rows, predicted = example_rows(form)
    model = onnx.helper.make_model(
        graph.made(outputs),
        opset_imports=[onnx.helper.make_opsetid("", OPSET), onnx.helper.make_opsetid("ai.onnx.ml", ML_OPSET)],
        ir_version=IR_VERSION,
        producer_name="treewright",
        doc_string="\n".join(header(form, "ONNX", HOW, graph.approximated())),
    )
    kept = {"hash": form.hash, "columns": json.dumps([column.name for column in form.columns])}
    kept |= {"rows": json.dumps(rows, default=str), "leaves": json.dumps(predicted.leaf)}
    for key, value in kept.items():
        model.metadata_props.add(key=f"treewright.{key}", value=value)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


class _Graph:
    """The graph while it is built."""

    def __init__(self, form: Form, float32: bool) -> None:
        self.form, self.float32 = form, float32
        self.dtype: Any = np.float32 if float32 else np.float64
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[Any] = []

    def approximated(self) -> str:
        """What is not exact."""
        if not self.float32:
            return "nothing"
        cuts = [float(test.threshold) for test in self.form.every_test if not test.is_nominal]
        changed = sum(float(np.float32(cut)) != cut for cut in cuts)
        return f"numbers are read as float32; {changed} of {len(cuts)} thresholds are no float32 numbers"

    def node(self, kind: str, inputs: Sequence[str], name: str, **attributes: Any) -> str:
        """Add an operator with one output."""
        from onnx import helper

        domain = "ai.onnx.ml" if kind in {"TreeEnsemble", "LabelEncoder"} else ""
        self.nodes.append(helper.make_node(kind, [*inputs], [name], domain=domain, **attributes))
        return name

    def constant(self, name: str, array: Any) -> str:
        """Add a constant."""
        from onnx import helper, numpy_helper

        if array.dtype.kind in "OU":
            flat: Any = [str(each).encode() for each in array.ravel()]
            self.constants.append(helper.make_tensor(name, 8, array.shape, flat))
        else:
            self.constants.append(numpy_helper.from_array(array, name))
        return name

    def made(self, outputs: set[str]) -> Any:
        """The whole graph."""
        from onnx import helper

        form = self.form
        cuts = _cuts(form)
        columns = [self._column(place, cuts) for place in range(len(form.columns))]
        columns += [self._sum(place, columns) for place in range(len(form.sums))]
        with_surrogates = [node for node, behind in enumerate(form.surrogates) if behind]
        choices = {node: len(columns) + k for k, node in enumerate(with_surrogates)}
        features = Features(form, cuts, choices, self.float32)
        if not columns:
            columns = [self._input("rows", self.dtype)]
        table = self.node("Concat", columns, "treewright/features", axis=1)
        if choices:  # one operator each: some runtimes read several trees with sets wrongly
            each = [
                self._ensemble(choice_ensemble(form, features, node), table, f"treewright/choice_{node}")
                for node in choices
            ]
            table = self.node("Concat", [table, *each], "treewright/all_features", axis=1)
        places = {node: k for k, node in enumerate(form.ends)}
        found = self._ensemble(walk_ensemble(form, features, places), table, "treewright/end")
        whole = self.node("Cast", [found], "treewright/whole_end", to=7)
        end = self.node(
            "Squeeze", [whole, self.constant("treewright/axis", np.array([1]))], "treewright/flat_end"
        )
        results = self._results(outputs, end)
        return helper.make_graph(self.nodes, "treewright", self.inputs, results, initializer=self.constants)

    def _ensemble(self, trees: Ensemble, table: str, name: str) -> str:
        return self.node("TreeEnsemble", [table], name, **trees.attributes(self.dtype))

    def _input(self, name: str, dtype: Any) -> str:
        from onnx import helper

        kind = 8 if dtype is str else helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        self.inputs.append(helper.make_tensor_value_info(name, kind, ["rows", 1]))
        return name

    def _column(self, place: int, cuts: dict[int, list[int]]) -> str:
        """A column as the numbers that the trees compare."""
        from onnx import helper

        column = self.form.columns[place]
        name, inner = input_name(self.form, place), f"treewright/column_{place}"
        nan = np.array([np.nan], dtype=self.dtype)
        if column.is_text:
            self._input(name, str)
            return self.node(
                "LabelEncoder", [name], inner,
                keys_tensor=helper.make_tensor("keys", 8, [len(column.levels)],
                                               [level.encode() for level in column.levels]),
                values_tensor=_tensor(np.arange(len(column.levels), dtype=self.dtype)),
                default_tensor=_tensor(nan),
            )  # fmt: skip
        if place not in cuts:
            return self._input(name, self.dtype)
        # How many thresholds are below the number: an exact comparison of whole numbers.
        self._input(name, np.int64)
        at = self.constant(f"{inner}/cuts", np.array([cuts[place] or [0]], dtype=np.int64))
        above = self.node("Cast", [self.node("Greater", [name, at], f"{inner}/above")], f"{inner}/ones", to=7)
        axes = self.constant(f"{inner}/axes", np.array([1]))
        count = self.node("ReduceSum", [above, axes], f"{inner}/count", keepdims=1)
        number = self.node("Cast", [count], f"{inner}/number", to=_kind(self.dtype))
        least = self.constant(f"{inner}/least", np.array([INT64.min], dtype=np.int64))
        gone = self.node("Equal", [name, least], f"{inner}/gone")
        return self.node("Where", [gone, self.constant(f"{inner}/nan", nan), number], inner)

    def _sum(self, place: int, columns: list[str]) -> str:
        """A weighted sum, added in the order of its columns."""
        total, inner = "", f"treewright/sum_{place}"
        for k, (column, x) in enumerate(self.form.sums[place]):
            factor = self.constant(f"{inner}/factor_{k}", np.array([x], dtype=self.dtype))
            term = self.node("Mul", [columns[column], factor], f"{inner}/term_{k}")
            total = term if not total else self.node("Add", [total, term], f"{inner}/total_{k}")
        return total

    def _results(self, outputs: set[str], end: str) -> list[Any]:
        """The outputs of the model: rows of tables, one row for each end."""
        form, found = self.form, []
        if "leaf" in outputs:
            found.append(self._gathered("leaf", np.array(form.ends, dtype=np.int64), end))
        for k in range(form.n_outputs):
            number = f"_{k + 1}" if form.n_outputs > 1 else ""
            if "prediction" in outputs:
                labels = form.labels[form.ends, k]
                table: Any = (
                    np.array(form.classes[k])[labels] if form.is_classifier else form.values[form.ends, k, 0]
                )
                found.append(self._gathered(f"prediction{number}", table, end))
            if "probabilities" in outputs:
                shares = np.ascontiguousarray(form.values[form.ends, k, : form.sizes[k]])
                found.append(self._gathered(f"probabilities{number}", shares, end))
        return found

    def _gathered(self, name: str, table: Any, end: str) -> Any:
        from onnx import helper

        output = output_name(self.form, name)
        kind = 8 if table.dtype.kind in "OU" else helper.np_dtype_to_tensor_dtype(table.dtype)
        self.node("Gather", [self.constant(f"treewright/{name}_table", table), end], output, axis=0)
        return helper.make_tensor_value_info(output, kind, ["rows", *table.shape[1:]])


def _tensor(array: Any) -> Any:
    from onnx import numpy_helper

    return numpy_helper.from_array(array)


def _kind(dtype: Any) -> int:
    return 1 if dtype is np.float32 else 11


def _cuts(form: Form) -> dict[int, list[int]]:
    """Of columns of whole numbers the largest number on the low side of every threshold, in order."""
    found: dict[int, set[int]] = {k: set() for k, column in enumerate(form.columns) if column.whole}
    for test in form.every_test:
        if test.feature in found:
            cut, strict = whole_cut(test, natural=False)
            found[test.feature].add(cut - strict)
    return {place: sorted(cuts) for place, cuts in found.items()}


def input_name(form: Form, place: int) -> str:
    """The name of an input: that of its column."""
    return form.columns[place].name or f"column_{place}"


def output_name(form: Form, name: str) -> str:
    """The name of an output, which no column has."""
    taken = {input_name(form, place) for place in range(len(form.columns))}
    while name in taken:
        name += "_output"
    return name


# -- running it


def run(path: Path, form: Form, rows: Sequence[Sequence[Any]]) -> Predicted:
    """What a model finds for rows, run by onnxruntime."""
    try:
        import onnxruntime
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("An export to 'onnx' is run by onnxruntime. Install it.") from error
    session = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    kinds = {each.name: each.type for each in session.get_inputs()}
    fed = {
        input_name(form, k): _fed(form, k, [row[k] for row in rows], kinds) for k in range(len(form.columns))
    }
    fed = fed or {"rows": np.zeros((len(rows), 1))}
    names = [each.name for each in session.get_outputs()]
    said = dict(zip(names, session.run(names, fed), strict=True))

    def several(name: str) -> list[Any]:
        numbers = [f"_{k + 1}" for k in range(form.n_outputs)] if form.n_outputs > 1 else [""]
        found: list[Any] = [said.get(output_name(form, f"{name}{number}")) for number in numbers]
        return (
            [] if found[0] is None else [list(row) for row in zip(*(x.tolist() for x in found), strict=True)]
        )

    leaf = said.get(output_name(form, "leaf"))
    return Predicted([] if leaf is None else leaf.tolist(), several("prediction"), several("probabilities"))


def _fed(form: Form, place: int, cells: list[Any], kinds: dict[str, str]) -> Any:
    """The cells of a column as an input."""
    column, kind = form.columns[place], kinds[input_name(form, place)]
    if kind == "tensor(string)":
        missing = unknown_level(column)
        return np.array([[missing if cell is None else cell] for cell in cells], dtype=object)
    if kind == "tensor(int64)":
        return np.array([[INT64.min if cell is None else cell] for cell in cells], dtype=np.int64)
    empty = column.kind == "nominal" and not column.levels
    dtype = np.float32 if kind == "tensor(float)" else np.float64
    with np.errstate(over="ignore"):
        return np.array([[np.nan if cell is None or empty else cell] for cell in cells], dtype=dtype)
