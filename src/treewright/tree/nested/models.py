"""Linear leaves as dictionaries: {"constant": 1.5, "terms": [{"feature": "x", "coefficient": 2}]}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...data.common.array_types import Array
from ...data.schema import ColumnType
from ..leaf_models import IS_MISSING, NUMBER, LeafModels
from ..tree import Tree
from .columns import feature_of, plain_level
from .nodes import Reader

MODEL_KEYS = {"constant", "terms", "lower", "upper"}
TERM_KEYS = {"feature", "level", "missing", "centre", "coefficient"}


def model_doc(tree: Tree, node: int) -> dict[str, Any]:
    """The model of one node; `missing` marks the term of missing values."""
    models = tree.leaf_models
    assert models is not None
    doc: dict[str, Any] = {"constant": _plain(models.constant[node])}
    terms = []
    for term in models.terms(node):
        name = tree.feature_names[term.feature] if tree.feature_names else term.feature
        each: dict[str, Any] = {"feature": name}
        if term.level == IS_MISSING:
            each["missing"] = True
        elif term.level != NUMBER:
            assert tree.column_types is not None
            each["level"] = plain_level(tree.column_types[term.feature].levels[term.level])
        if term.centre:
            each["centre"] = term.centre
        terms.append(each | {"coefficient": _plain(term.coefficient)})
    doc["terms"] = terms
    for name in ("lower", "upper"):
        bound = getattr(models, name)[node]
        if np.isfinite(bound).all():
            doc[name] = _plain(bound)
    return doc


def models_of(
    found: list[Reader], value: Array, types: list[ColumnType], names: tuple[str, ...] | None, scores: int
) -> LeafModels | None:
    """The models that nodes have; a node without one predicts its value, or for classes its log odds."""
    if not any("model" in reader.node for reader in found):
        return None
    places = None if names is None else {name: place for place, name in enumerate(names)}
    terms: list[tuple[int, int, float, Array]] = []
    begin, constant = [0], _of_values(value, scores)
    bounds = np.full((2, *constant.shape), [[[-np.inf]], [[np.inf]]])
    for i, reader in enumerate(found):
        if "model" in reader.node:
            model = _inside(reader, "model", MODEL_KEYS)
            constant[i] = _numbers(model, "constant", scores)
            for k, name in enumerate(("lower", "upper")):
                if name in model.node:
                    bounds[k, i] = _numbers(model, name, scores)
            terms += [_term(each, places, types, scores) for each in _terms(model)]
        begin.append(len(terms))
    columns = [np.array([term[k] for term in terms]) for k in range(3)]
    coefficient = np.array([term[3] for term in terms]).reshape(-1, scores)
    return LeafModels(
        np.array(begin), columns[0], columns[1], columns[2], coefficient, constant, bounds[0], bounds[1]
    )


def _of_values(value: Array, scores: int) -> Array:
    """The scores that predict the values themselves."""
    if value.shape[2] == 1:
        return value[:, :, 0].copy()
    logs = np.log(np.clip(value[:, 0], 1e-12, None))
    return np.asarray(logs[:, 1:] - logs[:, :1] if scores == 1 else logs)


def _plain(numbers: Array) -> Any:
    return float(numbers[0]) if len(numbers) == 1 else numbers.tolist()


def _inside(reader: Reader, key: str, known: set[str]) -> Reader:
    got = reader.node[key]
    if not isinstance(got, Mapping):
        reader.reject(f'"{key}" must be a dictionary', key)
    unknown = [name for name in got if name not in known]
    if unknown:
        raise ValueError(f'"{key}" must use the keys {sorted(known)}. Got {unknown} at {reader.path}.')
    return Reader(got, f"{reader.path}.{key}")


def _terms(model: Reader) -> list[Reader]:
    found = [Reader(each, f"{model.path}.terms[{k}]") for k, each in enumerate(model.items("terms"))]
    for each in found:
        if not isinstance(each.node, Mapping) or set(each.node) - TERM_KEYS:
            raise ValueError(f"A term must be a dictionary of {sorted(TERM_KEYS)} at {each.path}.")
    return found


def _term(
    reader: Reader, places: dict[str, int] | None, types: list[ColumnType], scores: int
) -> tuple[int, int, float, Array]:
    feature = feature_of(reader, places)
    if not 0 <= feature < len(types):
        reader.reject(f'"feature" must be one of the {len(types)} columns', "feature")
    level = IS_MISSING if reader.yes("missing") else NUMBER
    if "level" in reader.node:
        codes = {plain_level(each): code for code, each in enumerate(types[feature].levels)}
        if reader.node["level"] not in codes:
            reader.reject('"level" must be a level of its column', "level")
        level = codes[reader.node["level"]]
    return feature, level, reader.number("centre", 0.0), _numbers(reader, "coefficient", scores)


def _numbers(reader: Reader, key: str, scores: int) -> Array:
    got = reader.node.get(key)
    try:
        found = np.atleast_1d(np.asarray(got, dtype=np.float64))
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.shape != (scores,):
        reader.reject(f'"{key}" must be {"a number" if scores == 1 else f"a list of {scores} numbers"}', key)
    return found
