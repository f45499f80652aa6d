"""The JSON Schema that ships with the package holds of every file, and of nothing else that we break."""

import json
import re
from importlib.resources import files

import pytest

from tools.fuzz_models import models
from treewright.data.schema import KINDS
from treewright.learn.model_file.arrays import SURROGATE_TYPES, TREE_TYPES
from treewright.learn.model_file.reader import KEYS
from treewright.learn.model_file.settings import ESTIMATORS, FITTED
from treewright.learn.model_file.text import written
from treewright.learn.model_file.writer import document

SCHEMA = json.loads((files("treewright.learn.model_file") / "schema.json").read_text(encoding="utf-8"))
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {
    *(
        "$schema",
        "$defs",
        "title",
        "description",
        "$ref",
        "type",
        "const",
        "enum",
        "anyOf",
        "required",
        "pattern",
    ),
    *("properties", "additionalProperties", "items", "minItems", "maxItems", "minimum", "maximum"),
}


def is_of(value, name):
    if name in {"number", "integer"}:
        return isinstance(value, int if name == "integer" else int | float) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def fault(value, schema, at="$"):
    """Where a value breaks a schema, by the words of JSON Schema that ours uses; None if nowhere."""
    assert schema.keys() <= KNOWN, schema.keys() - KNOWN
    if "$ref" in schema:
        return fault(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")], at)
    wanted = schema.get("type", [])
    checks = [
        not wanted or any(is_of(value, name) for name in ([wanted] if isinstance(wanted, str) else wanted)),
        "const" not in schema or (value == schema["const"] and type(value) is type(schema["const"])),
        "enum" not in schema or value in schema["enum"],
        "anyOf" not in schema or any(fault(value, option, at) is None for option in schema["anyOf"]),
        not isinstance(value, str) or re.search(schema.get("pattern", ""), value),
        not is_of(value, "number") or schema.get("minimum", value) <= value <= schema.get("maximum", value),
        not isinstance(value, list)
        or schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 10**9),
        not isinstance(value, dict) or value.keys() >= set(schema.get("required", [])),
    ]
    if not all(checks):
        return at
    below = []
    if isinstance(value, list) and "items" in schema:
        below = [(item, schema["items"], f"{at}[{place}]") for place, item in enumerate(value)]
    if isinstance(value, dict):
        others = schema.get("additionalProperties", {})
        own = schema.get("properties", {})
        if others is False and value.keys() - own.keys():
            return at
        below = [(item, own.get(key, others or {}), f"{at}.{key}") for key, item in value.items()]
    return next((found for part in below if (found := fault(*part))), None)


@pytest.fixture(scope="module")
def docs():
    return {name: json.loads("".join(written(document(model)))) for name, model, _ in models()}


def test_every_file_suits_the_schema(docs):
    assert {name: fault(doc, SCHEMA) for name, doc in docs.items()} == dict.fromkeys(docs)


@pytest.mark.parametrize(
    ("part", "key", "becomes", "at"),
    [
        ((), "format", "x", "$.format"),
        ((), "sha256", "x", "$.sha256"),
        ((), "extra", 1, "$"),
        (("tree",), "value", [None], "$.tree.value[0]"),
        (("tree",), "missing_seen", [2], "$.tree.missing_seen[0]"),
        (("schema",), "columns", [{"kind": "x"}], "$.schema.columns[0].kind"),
        (("schema",), "classes", [], "$.schema.classes"),
    ],
)
def test_a_broken_file_does_not(part, key, becomes, at, docs):
    doc = json.loads(json.dumps(docs["classes"]))
    place = doc
    for step in part:
        place = place[step]
    place[key] = becomes
    assert fault(doc, SCHEMA) == at
    assert fault({}, SCHEMA) == "$"


def test_the_schema_has_the_words_of_the_code():
    own, parts = SCHEMA["properties"], SCHEMA["$defs"]
    assert set(own) == set(KEYS) == set(SCHEMA["required"])
    assert set(own["estimator"]["enum"]) == set(ESTIMATORS)
    assert set(own["fitted"]["properties"]) == set(FITTED)
    assert set(parts["tree"]["properties"]) == {*TREE_TYPES, "surrogates", "found_by_names"}
    assert set(parts["surrogates"]["properties"]) == set(SURROGATE_TYPES)
    assert parts["column"]["properties"]["kind"]["enum"] == list(KINDS)
