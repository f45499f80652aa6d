"""A tree as PMML 4.4: a TreeModel whose children are tried in order, the one of missing values last.

A comparison with a missing value does not hold (missing value strategy "none"), so the last child, whose
predicate is True, takes missing values and levels that no other child lists. Where a row must stop, no child
is true, and the model returns the prediction of the node ("returnLastPrediction").
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from .form import Form
from .outputs import header, wanted
from .pmml_predicates import ENTITIES, TRUE, branches, levels_of, shown, tag
from .rows import Predicted, example_rows

HOW = [
    "Outputs: the predicted value, the probability of every class, and leaf: the number of the node.",
    "A value that is absent, and a level that is not listed, is missing.",
]
REFUSED = [
    "rows that go down several branches (missing='fractional')",
    "linear leaves",
    "oblique tests",
    "several outputs",
    "dates and times",
    "whole numbers beyond 2**53",
    "leaves without a prediction",
]


def write(form: Form, output: str) -> str:
    """The text of the document."""
    form.refuse("pmml", REFUSED, "Use to='python', 'c' or 'javascript'.")
    outputs = wanted(form, output)
    _reject_text(form)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4">',
        "<Header>",
        *(f"  <Annotation>{escape(line)}</Annotation>" for line in header(form, "PMML 4.4", HOW)),
        "</Header>",
        *_dictionary(form),
        *_model(form, outputs),
        "</PMML>",
    ]
    return "\n".join(lines) + "\n"


def _reject_text(form: Form) -> None:
    texts = [text for column in form.columns for text in (column.name, *column.levels)]
    for text in [*texts, *(label for labels in form.classes for label in labels)]:
        if isinstance(text, str) and re.search(
            "[^\\t\\n\\r -\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]", text
        ):
            raise ValueError(
                f"pmml cannot express the text {text!r}: XML has no such letters. Use to='python'."
            )


def target_name(form: Form) -> str:
    """The name of the target, which no column has."""
    name = form.model.target or "target"
    while name in {column.name for column in form.columns}:
        name += "_target"
    return name


def _dictionary(form: Form) -> Iterator[str]:
    """The columns and the target, with types and levels."""
    yield tag("DataDictionary", "", numberOfFields=len(form.columns) + 1)
    for column in form.columns:
        levels = list(levels_of(column))
        yield from _field(column.name, levels, is_class=bool(levels))
    labels = form.classes[0] if form.is_classifier else []
    yield from _field(target_name(form), labels, is_class=form.is_classifier)
    yield "</DataDictionary>"


def _field(name: str, values: list[Any], is_class: bool) -> Iterator[str]:
    kind = "string" if values and isinstance(values[0], str) else _number_type(values)
    about = {"name": name, "optype": "categorical" if is_class else "continuous", "dataType": kind}
    if not values:
        yield "  " + tag("DataField", **about)
        return
    yield "  " + tag("DataField", "", **about)
    for value in values:
        yield "    " + tag("Value", value=shown(value))
    yield "  </DataField>"


def _number_type(values: list[Any]) -> str:
    if values and all(isinstance(value, bool) for value in values):
        return "boolean"
    return "integer" if values and all(isinstance(value, int) for value in values) else "double"


def _model(form: Form, outputs: set[str]) -> Iterator[str]:
    kind = "classification" if form.is_classifier else "regression"
    yield tag("TreeModel", "", modelName="treewright", functionName=kind, missingValueStrategy="none",
               noTrueChildStrategy="returnLastPrediction", splitCharacteristic="multiSplit")  # fmt: skip
    yield "<MiningSchema>"
    for column in form.columns:
        yield "  " + tag("MiningField", name=column.name, invalidValueTreatment="asMissing")
    yield "  " + tag("MiningField", name=target_name(form), usageType="target")
    yield "</MiningSchema>"
    yield from _outputs(form, outputs)
    yield from _nodes(form)
    yield from _verification(form, outputs)
    yield "</TreeModel>"


def _verification(form: Form, outputs: set[str]) -> Iterator[str]:
    """Rows at the boundaries with what the model predicts, which readers of PMML can verify."""
    rows, predicted = example_rows(form)
    finite = [
        k for k, row in enumerate(rows) if all(not isinstance(x, float) or math.isfinite(x) for x in row)
    ]
    fields = [column.name for column in form.columns]
    expected: list[list[Any]] = [[] for _ in rows]
    if "prediction" in outputs:
        fields.append("prediction")
        expected = [[*each, row[0]] for each, row in zip(expected, predicted.prediction, strict=True)]
    if "leaf" in outputs:
        fields.append("leaf")
        expected = [[*each, leaf] for each, leaf in zip(expected, predicted.leaf, strict=True)]
    if not finite or not form.columns:
        return
    yield tag("ModelVerification", "", recordCount=len(finite), fieldCount=len(fields))
    yield "<VerificationFields>"
    for k, name in enumerate(fields):
        yield "  " + tag("VerificationField", field=name, column=f"c{k}")
    yield "</VerificationFields>"
    yield "<InlineTable>"
    for k in finite:
        cells = enumerate([*rows[k], *expected[k]])
        inside = "".join(f"<c{j}>{escape(shown(x), ENTITIES)}</c{j}>" for j, x in cells if x is not None)
        yield f"  <row>{inside}</row>"
    yield "</InlineTable>"
    yield "</ModelVerification>"


def _outputs(form: Form, outputs: set[str]) -> Iterator[str]:
    yield "<Output>"
    classes = form.classes[0] if form.is_classifier else []
    kind = ("string" if isinstance(classes[0], str) else _number_type(classes)) if classes else "double"
    if "prediction" in outputs:
        about = {"optype": "categorical" if classes else "continuous", "dataType": kind}
        yield "  " + tag("OutputField", name="prediction", **about, feature="predictedValue")
    if "probabilities" in outputs:
        for k, label in enumerate(classes):
            about = {"optype": "continuous", "dataType": "double", "feature": "probability"}
            yield "  " + tag("OutputField", name=f"probability_{k}", **about, value=shown(label))
    if "leaf" in outputs:
        about = {"optype": "categorical", "dataType": "string", "feature": "entityId"}
        yield "  " + tag("OutputField", name="leaf", **about)
    yield "</Output>"


def _nodes(form: Form) -> Iterator[str]:
    """All nodes, each within its parent; a stack in place of recursion."""
    to_do: list[str | tuple[int, str]] = [(0, TRUE)]
    while to_do:
        entry = to_do.pop()
        if isinstance(entry, str):
            yield entry
            continue
        node, predicate = entry
        yield tag("Node", "", id=node, score=_score(form, node))
        yield predicate
        to_do.append("</Node>")
        if form.tests[node] is not None:
            to_do += [
                (form.first_child[node] + child, text) for child, text in reversed(branches(form, node))
            ]
        yield from _distribution(form, node)


def _score(form: Form, node: int) -> str:
    if not form.is_classifier:
        return repr(float(form.values[node, 0, 0]))
    place = int(form.labels[node, 0])
    return shown(form.classes[0][max(place, 0)])


def _distribution(form: Form, node: int) -> Iterator[str]:
    if form.is_classifier and node in form.end_set:
        for label, share in zip(form.classes[0], form.values[node, 0].tolist(), strict=True):
            yield tag(
                "ScoreDistribution", value=shown(label), recordCount=repr(share), probability=repr(share)
            )


# -- running it


def run(path: Path, form: Form, rows: Sequence[Sequence[Any]]) -> Predicted:
    """What a document predicts for rows, run by PMML4S in Java."""
    try:
        from pypmml import Model
    except ModuleNotFoundError as error:
        wanted_too = "An export to 'pmml' is run by pypmml, which needs Java. Install both."
        raise ModuleNotFoundError(wanted_too) from error
    model = Model.fromString(path.read_text(encoding="utf-8"))
    names = [column.name for column in form.columns]
    given = [{name: cell for name, cell in zip(names, row, strict=True) if cell is not None} for row in rows]
    said = [model.predict(row) for row in given]
    classes = {shown(label): label for labels in form.classes for label in labels}
    has = set(said[0]) if said else set()
    leaf = [int(each["leaf"]) for each in said] if "leaf" in has else []
    named = [each["prediction"] for each in said] if "prediction" in has else []
    prediction = [[classes.get(shown(label), label)] for label in named]
    count = len(classes)
    shares = (
        [[[each[f"probability_{k}"] for k in range(count)]] for each in said]
        if "probability_0" in has
        else []
    )
    return Predicted(leaf, prediction, shares)
