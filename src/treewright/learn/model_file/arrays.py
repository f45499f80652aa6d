"""The arrays of a tree ↔ the "tree" of a file, whose other parts have the columns and the classes."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from ...data.common.array_types import Array
from ...tree.combinations import COMBINATION_ARRAYS
from ...tree.invariants import OPTIONAL, OUTCOMES, TESTS
from ...tree.leaf_models import MODEL_ARRAYS, LeafModels
from ...tree.surrogates import ENTRY_ARRAYS, LEVEL_ARRAYS
from ...tree.tree import FOUND_BY, NODE_ARRAYS, Tree
from .labels import classes_doc, classes_of, columns_doc, columns_of
from .limits import MAX_COLUMNS, MAX_NODES, MAX_NUMBERS, FileError, rejected, short_text
from .strict_json import numbers

# Every array of a file, and its type. `value`, `estimate` and `costs` lie there row after row.
TREE_TYPES: dict[str, type] = {"n_classes": np.int64, **NODE_ARRAYS, **LEVEL_ARRAYS}
TREE_TYPES |= {"costs": np.float64, "pooled": np.float64}
SURROGATE_TYPES: dict[str, type] = {name: dtype for name, (dtype, _) in ENTRY_ARRAYS.items()} | LEVEL_ARRAYS
# objects within "tree", with the types of their arrays
PARTS: dict[str, dict[str, type]] = {
    "surrogates": SURROGATE_TYPES,
    "leaf_models": MODEL_ARRAYS,
    "combinations": COMBINATION_ARRAYS,
}
REQUIRED = ["n_classes", *(name for name in NODE_ARRAYS if name not in OPTIONAL)]
_LONG = {*OUTCOMES, *TESTS, "costs", "level_code", "level_child", *MODEL_ARRAYS}


def tree_doc(tree: Tree) -> dict[str, Any]:
    """The arrays by name, without the empty ones."""
    arrays = {name: getattr(tree, name) for name in TREE_TYPES}
    doc: dict[str, Any] = {name: array.reshape(-1) for name, array in arrays.items() if array is not None}
    if tree.surrogates is not None:
        doc["surrogates"] = {name: array for name, array in tree.surrogates.arrays().items() if len(array)}
    if tree.leaf_models is not None:
        arrays = tree.leaf_models.arrays()
        free = {name for name in ("lower", "upper") if not np.isfinite(arrays[name]).all()}
        doc["leaf_models"] = {name: array.reshape(-1) for name, array in arrays.items() if name not in free}
    if tree.combinations is not None:
        doc["combinations"] = tree.combinations.arrays()
    if len(tree.found_by):
        doc["found_by_names"] = list(FOUND_BY)
    return {name: part for name, part in doc.items() if len(part)}


def schema_doc(tree: Tree) -> dict[str, Any]:
    """What the tree knows of the columns and the classes."""
    types = tree.column_types or columns_of([{"kind": "number"}] * tree.n_features)[1]
    found = tree.classes
    parts = None if found is None else found if isinstance(found, tuple) else (found,)
    classes = None if parts is None else list(map(classes_doc, parts))
    return {"columns": columns_doc(tree.feature_names, types), "classes": classes}


# -- reading


def with_arrays(doc: Any, types: dict[str, type] = TREE_TYPES) -> dict[str, Any]:
    """The object "tree" or its "surrogates", with numpy arrays for lists of numbers."""
    if not isinstance(doc, dict):
        raise FileError(f'"tree" and its "surrogates" must be objects. Got {short_text(doc)}.')
    found: dict[str, Any] = {}
    for name, part in doc.items():
        if name in PARTS and types is TREE_TYPES:
            found[name] = with_arrays(part, PARTS[name])
        elif name in types:
            found[name] = numbers(part, name, types[name], MAX_NUMBERS if name in _LONG else MAX_NODES + 1)
        else:
            found[name] = part
    return found


def tree_of(doc: dict[str, Any], schema: Any) -> Tree:
    """The tree of a file; `tree_check` looks after the links, and `validation` after the rest."""
    if not isinstance(schema, dict) or not {"columns", "classes"} <= schema.keys():
        raise FileError(f'"schema" must be an object with "columns" and "classes". Got {short_text(schema)}.')
    lacking = [name for name in REQUIRED if name not in doc]
    if lacking:
        raise FileError(f'"tree" must have the arrays {", ".join(REQUIRED)}. Got none of {lacking}.')
    arrays = {name: array for name, array in doc.items() if name in TREE_TYPES}
    names, types = columns_of(schema["columns"])
    extra = {name: array for name, array in doc.get("surrogates", {}).items() if name in SURROGATE_TYPES}
    if "surrogates" in doc and not {"node", "feature", "threshold"} <= extra.keys():
        raise FileError('"surrogates" must have the arrays node, feature and threshold. Got others.')
    for part in (arrays, extra):
        _check_begins(part)
    with rejected('"tree"'):
        return Tree(
            **dict.fromkeys((field.name for field in fields(Tree) if field.name in OPTIONAL), ())
            | arrays
            | _shaped(arrays, len(types))
            | {"found_by": _found_by(doc), "surrogates": extra or None, "leaf_models": _leaf_models(doc)}
            | {"combinations": _combinations(doc)},
            n_features=len(types),
            feature_names=names,
            column_types=types,
            classes=_classes(schema["classes"]),
        )


def _leaf_models(doc: dict[str, Any]) -> LeafModels | None:
    """The linear leaves; their arrays lie in the file row after row."""
    if "leaf_models" not in doc:
        return None
    arrays = {name: array for name, array in doc["leaf_models"].items() if name in MODEL_ARRAYS}
    lacking = [name for name in MODEL_ARRAYS if name not in arrays and name not in {"lower", "upper"}]
    lacking = [name for name in lacking if name in {"begin", "constant"} or "feature" in arrays]
    count = len(doc["first_child"])
    if lacking or len(arrays["constant"]) % count or not len(arrays["constant"]):
        raise FileError('"leaf_models" must have begin, constant and the arrays of its terms. Got others.')
    scores = len(arrays["constant"]) // count
    for name in ("coefficient", "constant", "lower", "upper"):
        if name in arrays and len(arrays[name]) % scores:
            raise FileError(f'"{name}" of "leaf_models" must have {scores} numbers each.')
        if name in arrays:
            arrays[name] = arrays[name].reshape(-1, scores)
    return LeafModels(**dict.fromkeys(MODEL_ARRAYS, ()) | arrays)


def _combinations(doc: dict[str, Any]) -> dict[str, Array] | None:
    if "combinations" not in doc:
        return None
    arrays = {name: array for name, array in doc["combinations"].items() if name in COMBINATION_ARRAYS}
    if len(arrays) < len(COMBINATION_ARRAYS):
        raise FileError('"combinations" must have the arrays begin, column and coefficient. Got others.')
    return arrays


def _check_begins(arrays: dict[str, Any]) -> None:
    """Lists of levels lie within those listed: differences of wilder numbers overflow."""
    begin, listed = arrays.get("level_begin", np.empty(0)), len(arrays.get("level_code", ()))
    if len(begin) and not 0 <= begin.min() <= begin.max() <= listed:
        raise FileError(f'"level_begin" must lie in 0..{listed}, the levels listed. Got {begin.max()}.')


def _shaped(arrays: dict[str, Array], n_columns: int) -> dict[str, Array]:
    """The arrays that have more than one dimension."""
    sizes = arrays["n_classes"]
    if not 1 <= len(sizes) <= MAX_COLUMNS or not 1 <= sizes.min() <= sizes.max() <= MAX_NUMBERS:
        raise FileError('"n_classes" must have the number of classes of each output, at least 1.')
    shape = (len(arrays["first_child"]), len(sizes), int(sizes.max()))
    wanted: dict[str, tuple[int, ...]] = {name: shape for name in OUTCOMES if name in arrays}
    wanted |= {name: (shape[0], n_columns) for name in TESTS if name in arrays}
    wanted |= {"costs": shape[2:] * 2} if "costs" in arrays else {}
    for name, size in wanted.items():
        if len(arrays[name]) != np.prod([float(n) for n in size]):
            raise FileError(
                f'"{name}" must have {" x ".join(map(str, size))} numbers. Got {len(arrays[name])}.'
            )
    return {name: arrays[name].reshape(size) for name, size in wanted.items()}


def _found_by(doc: dict[str, Any]) -> Array:
    """By the names in the file, whose order may have been another one."""
    codes, names = doc.get("found_by", np.empty(0, dtype=np.uint8)), doc.get("found_by_names", [])
    known = isinstance(names, list) and all(isinstance(name, str) and name in FOUND_BY for name in names)
    if not known or (len(codes) and codes.max() >= len(names)):
        raise FileError(f'"found_by" must be places in "found_by_names", which are of {list(FOUND_BY)}.')
    numbers = np.array([FOUND_BY.index(name) for name in names] or [0], dtype=np.uint8)
    return np.asarray(numbers[codes])


def _classes(given: Any) -> Any:
    if given is None:
        return None
    if not isinstance(given, list) or not given:
        raise FileError(
            f'"classes" must be null or a list with an object per output. Got {short_text(given)}.'
        )
    found = tuple(map(classes_of, given))
    return found if len(found) > 1 else found[0]
