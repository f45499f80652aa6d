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
from xml.sax.saxutils import escape, quoteattr

from ...tree.split_test import SplitTest
from .form import Form, FormColumn
from .outputs import header, wanted
from .rows import Answers, example_rows
from .tables import is_strict

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
SIMPLE = re.compile(r"[\w.,<>=/+-]+")
MOST = 1.7976931348623157e308
TRUE, FALSE = "<True/>", "<False/>"


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


def _tag(element: str, end: str = "/", /, **attributes: Any) -> str:
    shown = "".join(f" {key}={quoteattr(str(value), ENTITIES)}" for key, value in attributes.items())
    return f"<{element}{shown}{end}>"


ENTITIES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}  # readers would make spaces of them


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
    yield _tag("DataDictionary", "", numberOfFields=len(form.columns) + 1)
    for column in form.columns:
        levels = list(_levels(column))
        yield from _field(column.name, levels, is_class=bool(levels))
    labels = form.classes[0] if form.is_classifier else []
    yield from _field(target_name(form), labels, is_class=form.is_classifier)
    yield "</DataDictionary>"


def _field(name: str, values: list[Any], is_class: bool) -> Iterator[str]:
    kind = "string" if values and isinstance(values[0], str) else _number_type(values)
    about = {"name": name, "optype": "categorical" if is_class else "continuous", "dataType": kind}
    if not values:
        yield "  " + _tag("DataField", **about)
        return
    yield "  " + _tag("DataField", "", **about)
    for value in values:
        yield "    " + _tag("Value", value=_text(value))
    yield "  </DataField>"


def _number_type(values: list[Any]) -> str:
    if values and all(isinstance(value, bool) for value in values):
        return "boolean"
    return "integer" if values and all(isinstance(value, int) for value in values) else "double"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _model(form: Form, outputs: set[str]) -> Iterator[str]:
    kind = "classification" if form.is_classifier else "regression"
    yield _tag("TreeModel", "", modelName="treewright", functionName=kind, missingValueStrategy="none",
               noTrueChildStrategy="returnLastPrediction", splitCharacteristic="multiSplit")  # fmt: skip
    yield "<MiningSchema>"
    for column in form.columns:
        yield "  " + _tag("MiningField", name=column.name, invalidValueTreatment="asMissing")
    yield "  " + _tag("MiningField", name=target_name(form), usageType="target")
    yield "</MiningSchema>"
    yield from _outputs(form, outputs)
    yield from _nodes(form)
    yield from _verification(form, outputs)
    yield "</TreeModel>"


def _verification(form: Form, outputs: set[str]) -> Iterator[str]:
    """Rows at the boundaries with what the model predicts, which readers of PMML can verify."""
    rows, answers = example_rows(form)
    finite = [
        k for k, row in enumerate(rows) if all(not isinstance(x, float) or math.isfinite(x) for x in row)
    ]
    fields = [column.name for column in form.columns]
    expected: list[list[Any]] = [[] for _ in rows]
    if "prediction" in outputs:
        fields.append("prediction")
        expected = [[*each, row[0]] for each, row in zip(expected, answers.prediction, strict=True)]
    if "leaf" in outputs:
        fields.append("leaf")
        expected = [[*each, leaf] for each, leaf in zip(expected, answers.leaf, strict=True)]
    if not finite or not form.columns:
        return
    yield _tag("ModelVerification", "", recordCount=len(finite), fieldCount=len(fields))
    yield "<VerificationFields>"
    for k, name in enumerate(fields):
        yield "  " + _tag("VerificationField", field=name, column=f"c{k}")
    yield "</VerificationFields>"
    yield "<InlineTable>"
    for k in finite:
        cells = enumerate([*rows[k], *expected[k]])
        shown = "".join(f"<c{j}>{escape(_text(x), ENTITIES)}</c{j}>" for j, x in cells if x is not None)
        yield f"  <row>{shown}</row>"
    yield "</InlineTable>"
    yield "</ModelVerification>"


def _outputs(form: Form, outputs: set[str]) -> Iterator[str]:
    yield "<Output>"
    classes = form.classes[0] if form.is_classifier else []
    kind = ("string" if isinstance(classes[0], str) else _number_type(classes)) if classes else "double"
    if "prediction" in outputs:
        about = {"optype": "categorical" if classes else "continuous", "dataType": kind}
        yield "  " + _tag("OutputField", name="prediction", **about, feature="predictedValue")
    if "probabilities" in outputs:
        for k, label in enumerate(classes):
            about = {"optype": "continuous", "dataType": "double", "feature": "probability"}
            yield "  " + _tag("OutputField", name=f"probability_{k}", **about, value=_text(label))
    if "leaf" in outputs:
        about = {"optype": "categorical", "dataType": "string", "feature": "entityId"}
        yield "  " + _tag("OutputField", name="leaf", **about)
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
        yield _tag("Node", "", id=node, score=_score(form, node))
        yield predicate
        to_do.append("</Node>")
        if form.tests[node] is not None:
            to_do += [
                (form.first_child[node] + child, text) for child, text in reversed(_branches(form, node))
            ]
        yield from _distribution(form, node)


def _score(form: Form, node: int) -> str:
    if not form.is_classifier:
        return repr(float(form.values[node, 0, 0]))
    place = int(form.labels[node, 0])
    return _text(form.classes[0][max(place, 0)])


def _distribution(form: Form, node: int) -> Iterator[str]:
    if form.is_classifier and node in form.end_set:
        for label, share in zip(form.classes[0], form.values[node, 0].tolist(), strict=True):
            yield _tag(
                "ScoreDistribution", value=_text(label), recordCount=repr(share), probability=repr(share)
            )


def _branches(form: Form, node: int) -> list[tuple[int, str]]:
    """The children of a node with their predicates, in the order in which they are tried."""
    test, missing = form.tests[node], form.missing[node]
    assert test is not None
    if form.surrogates[node]:
        sides = [_with_surrogates(form, node, child) for child in (0, 1)]
    else:
        sides = _sides(form, test)
    found = [(child, text) for child, text in enumerate(sides) if child != missing]
    return found if missing < 0 else [*found, (missing, TRUE)]


def _sides(form: Form, test: SplitTest) -> list[str]:
    """For each child the predicate that a value is there and goes to that child."""
    column = form.columns[test.feature]
    if test.is_nominal:
        return [_within(column, codes) for codes in test.levels]
    cut, strict = float(test.threshold), is_strict(test)
    if column.kind in {"ordered", "boolean"}:
        codes = range(len(_levels(column)))
        left = [k for k in codes if (k < cut if strict else k <= cut)]
        return [_within(column, left), _within(column, [k for k in codes if k not in left])]
    below, above = ("lessThan", "greaterOrEqual") if strict else ("lessOrEqual", "greaterThan")
    if cut == math.inf:
        if not strict:
            return [_tag("SimplePredicate", field=column.name, operator="isNotMissing"), FALSE]
        cut, below, above = MOST, "lessOrEqual", "greaterThan"
    elif cut == -math.inf:
        cut, below, above = -MOST, "lessThan", "greaterOrEqual"
    return [
        _tag("SimplePredicate", field=column.name, operator=sign, value=repr(cut)) for sign in (below, above)
    ]


def _levels(column: FormColumn) -> tuple[Any, ...]:
    """The levels of a column; a boolean has two."""
    return (False, True) if column.kind == "boolean" else column.levels


def _within(column: FormColumn, codes: Sequence[int]) -> str:
    """The predicate that a column has one of these levels."""
    levels = [_text(_levels(column)[code]) for code in codes]
    if not levels:
        return FALSE
    listable = column.levels and not isinstance(column.levels[0], bool)
    if listable and len(levels) > 1 and all(map(SIMPLE.fullmatch, levels)):
        kind = "string" if column.is_text else "real"
        shown = " ".join(f'"{escape(level)}"' if column.is_text else level for level in levels)
        listed = f"{_tag('Array', '', type=kind, n=len(levels))}{shown}</Array>"
        begin = _tag("SimpleSetPredicate", "", field=column.name, booleanOperator="isIn")
        return f"{begin}{listed}</SimpleSetPredicate>"
    each = [_tag("SimplePredicate", field=column.name, operator="equal", value=level) for level in levels]
    return each[0] if len(each) == 1 else _compound("or", each)


def _compound(operator: str, parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return f"{_tag('CompoundPredicate', '', booleanOperator=operator)}{''.join(parts)}</CompoundPredicate>"


def _with_surrogates(form: Form, node: int, child: int) -> str:
    """A test or, where it names no child, its first surrogate that does, sends a row to this child."""
    test = form.tests[node]
    assert test is not None
    parts: list[str] = []
    before: list[str] = []
    for each in (test, *form.surrogates[node]):
        sides = _sides(form, each)
        own = sides[1 - child if each.reversed else child]
        parts.append(_compound("and", [*before, own]))
        before.append(_undecided(form, each))
    return _compound("or", parts)


def _undecided(form: Form, test: SplitTest) -> str:
    """The predicate that a test names no child: the value is missing, or no child lists its level."""
    column = form.columns[test.feature]
    gone = _tag("SimplePredicate", field=column.name, operator="isMissing")
    listed = {code for codes in test.levels for code in codes}
    others = [code for code in range(len(column.levels)) if code not in listed] if test.is_nominal else []
    return _compound("or", [gone, _within(column, others)]) if others else gone


# -- running it


def run(path: Path, form: Form, rows: Sequence[Sequence[Any]]) -> Answers:
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
    classes = {_text(label): label for labels in form.classes for label in labels}
    has = set(said[0]) if said else set()
    leaf = [int(each["leaf"]) for each in said] if "leaf" in has else []
    named = [each["prediction"] for each in said] if "prediction" in has else []
    prediction = [[classes.get(_text(label), label)] for label in named]
    count = len(classes)
    shares = (
        [[[each[f"probability_{k}"] for k in range(count)]] for each in said]
        if "probability_0" in has
        else []
    )
    return Answers(leaf, prediction, shares)
