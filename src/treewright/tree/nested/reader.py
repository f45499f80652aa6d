"""From nested dictionaries to a tree."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...data.common.array_types import Array
from ..combinations import Terms, combinations_of
from ..invariants import SOFT
from ..surrogates import Surrogates
from ..tree import FOUND_BY, SHARED, STOPS, UNDEFINED, Tree
from .columns import Columns, feature_of, surrogates_of, terms_of
from .models import models_of
from .nodes import SIDES, Reader, breadth_first

ENDS = {"stop": STOPS, "share": SHARED}


class _Test(NamedTuple):
    """A test of a node or, if `is_surrogate`, one that stands in for it."""

    reader: Reader
    node: int
    feature: int  # -2: a leaf
    is_surrogate: bool = False
    terms: Terms = ()  # what it combines; then `feature` is the first of these columns


def from_nested(
    nested: Mapping[str, Any], *, feature_names: Any, n_features: int | None, classes: Any
) -> Tree:
    """See `tree_from_dict`."""
    found = breadth_first(nested)
    root = found[0].node
    names = feature_names if feature_names is not None else root.get("feature_names")
    names = None if names is None else tuple(str(name) for name in names)
    tests = _tests(found, names)
    given = n_features or root.get("n_features") or len(found[0].items("columns"))
    n_features = _n_features(given, names, tests)
    sums = list(dict.fromkeys(test.terms for test in tests if test.terms))
    numbers = {terms: n_features + place for place, terms in enumerate(sums)}
    tests = [test._replace(feature=numbers.get(test.terms, test.feature)) for test in tests]
    columns = Columns(found[0], [(test.reader, test.feature) for test in tests], n_features)
    rows, weight = _rows_and_weight(found)
    value = _values(found, weight)
    n_classes = np.asarray(root.get("n_classes", [value.shape[2]] * value.shape[1]), dtype=np.int64)
    return Tree(
        **_links(found, weight),
        **_test_arrays([test for test in tests if not test.is_surrogate], columns),
        **_missing(found, rows, weight),
        n_node_samples=rows,
        weighted_n_node_samples=weight,
        value=value,
        estimate=_estimates(found, value, n_classes.tolist()),
        n_features=n_features,
        n_classes=n_classes,
        feature_names=names,
        classes=_labels(classes if classes is not None else root.get("classes"), len(n_classes)),
        surrogates=_surrogates([test for test in tests if test.is_surrogate], columns),
        column_types=tuple(columns.types),
        leaf_models=models_of(found, value, columns.types, names, _scores(n_classes)),
        combinations=combinations_of(sums),
        costs=_costs(found[0]),
        pooled=np.array([found[0].number("pooled", 0.0)] if "pooled" in root else []),
    )


def _scores(n_classes: Array) -> int:
    """How many scores a linear leaf has."""
    most = int(n_classes.max())
    return len(n_classes) if most == 1 else 1 if most == 2 else most


def _tests(found: list[Reader], names: tuple[str, ...] | None) -> list[_Test]:
    """Every node, each followed by its surrogates."""
    places = None if names is None else {name: place for place, name in enumerate(names)}
    tests = []
    for i, reader in enumerate(found):
        terms = terms_of(reader, places)
        feature = terms[0][0] if terms else feature_of(reader, places)
        tests.append(_Test(reader, i, feature, terms=terms))
        tests += [_Test(extra, i, feature_of(extra, places), True) for extra in surrogates_of(reader)]
    return tests


def _n_features(given: Any, names: tuple[str, ...] | None, tests: list[_Test]) -> int:
    tested = [(test, max(test.feature, *(column for column, _ in test.terms), 0)) for test in tests]
    most = max(feature for _, feature in tested)
    n_features = int(given or (len(names) if names else max(1, most + 1)))
    if names is not None and len(names) != n_features:
        raise ValueError(f"feature_names must have {n_features} names, one per column. Got {len(names)}.")
    for test, feature in tested:
        if feature >= n_features:
            test.reader.reject(f'"feature" must be below the number of columns, {n_features}', "feature")
    return n_features


def _rows_and_weight(found: list[Reader]) -> tuple[Array, Array]:
    """As given; an inner node that gives none has those of its children, a leaf weighs its rows."""
    rows, weight = np.zeros(len(found), dtype=np.int64), np.zeros(len(found))
    for i in range(len(found) - 1, -1, -1):
        reader, below = found[i], found[i].children
        rows[i] = reader.count("n", rows[below].sum())
        weight[i] = reader.count("weight", weight[below].sum() if below else rows[i])
    return rows, weight


def _values(found: list[Reader], weight: Array) -> Array:
    """The values as (nodes, outputs, classes); an inner node without one has the mean of its children's."""
    shapes = {i: _outputs(reader, "value") for i, reader in enumerate(found) if "value" in reader.node}
    wanted = [len(output) for output in shapes[next(iter(shapes))]]
    for i, outputs in shapes.items():
        if [len(output) for output in outputs] != wanted:
            found[i].reject(
                f'Every "value" must have the same shape, here {wanted} numbers per output', "value"
            )
    value = np.zeros((len(found), len(wanted), max(wanted)))
    for i in range(len(found) - 1, -1, -1):
        if i in shapes:
            for k, output in enumerate(shapes[i]):
                value[i, k, : len(output)] = output
        else:
            below = found[i].children
            value[i] = np.average(
                value[below], axis=0, weights=weight[below] if weight[below].any() else None
            )
    return value


def _estimates(found: list[Reader], value: Array, n_classes: list[int]) -> Array:
    """What nodes predict in place of their value: all of them, or none."""
    if not any("estimate" in reader.node for reader in found):
        return np.empty(0)
    estimate = np.zeros_like(value)
    for i, reader in enumerate(found):
        if "estimate" not in reader.node:
            reader.reject('Every node must have an "estimate", or none')
        outputs = _outputs(reader, "estimate")
        if [len(output) for output in outputs] != n_classes:
            reader.reject('"estimate" must have the shape of "value"', "estimate")
        for k, output in enumerate(outputs):
            estimate[i, k, : len(output)] = output
    return estimate


def _outputs(reader: Reader, key: str) -> list[Array]:
    got = reader.node[key]
    several = isinstance(got, Sequence | np.ndarray) and len(got) > 0 and np.ndim(got[0]) == 1
    try:
        outputs = [np.atleast_1d(np.asarray(part, dtype=float)) for part in (got if several else [got])]
    except (TypeError, ValueError):
        outputs = []
    if not outputs or any(part.ndim != 1 or not part.size or np.isnan(part).any() for part in outputs):
        reader.reject(f'"{key}" must be a number, a list of shares, or a list of such lists', key)
    return outputs


def _links(found: list[Reader], weight: Array) -> dict[str, Any]:
    """The links and the counts. A gain that is not given is the loss of weight times impurity."""
    impurity = np.array([reader.number("impurity", 0) for reader in found])
    mass, gain = weight * impurity, np.zeros(len(found))
    for i, reader in enumerate(found):
        if reader.children:
            gain[i] = reader.number("gain", mass[i] - mass[reader.children].sum())
    bounded = any("lower" in reader.node or "upper" in reader.node for reader in found)
    return {
        "first_child": [reader.children[0] if reader.children else -1 for reader in found],
        "n_children": [len(reader.children) for reader in found],
        "impurity": impurity,
        "gain": gain,
        "found_by": [_found_by(reader) for reader in found],
        "heuristic": [reader.yes("heuristic") for reader in found],
        "lower": [reader.number("lower", -math.inf) for reader in found] if bounded else [],
        "upper": [reader.number("upper", math.inf) for reader in found] if bounded else [],
        **_soft(found),
    }


def _soft(found: list[Reader]) -> dict[str, Any]:
    """The ends and the middle of soft thresholds, if there are any."""
    if not any("soft" in reader.node for reader in found):
        return {}
    ends = np.full((len(found), len(SOFT)), math.nan)
    for reader, each in zip(found, ends, strict=True):
        got = reader.items("soft")
        if got and (len(got) != len(SOFT) or not all(isinstance(x, int | float | np.number) for x in got)):
            reader.reject('"soft" must be three numbers: the low end, the middle and the high end', "soft")
        each[:] = got or math.nan
    return dict(zip(SOFT, ends.T, strict=True))


def _found_by(reader: Reader) -> int:
    got = reader.node.get("found_by", FOUND_BY[0])
    if got not in FOUND_BY:
        reader.reject(f'"found_by" must be one of {list(FOUND_BY)}', "found_by")
    return FOUND_BY.index(got)


def _test_arrays(tests: list[_Test], columns: Columns) -> dict[str, Any]:
    """The tests of nodes or surrogates: thresholds and levels."""
    threshold, bits, begin = np.full(len(tests), float(UNDEFINED)), np.zeros(len(tests), np.int64), [0]
    exact, listed = np.zeros(len(tests), dtype=np.uint8), []
    for i, (reader, _, feature, *_) in enumerate(tests):
        if feature >= 0 and reader.is_nominal:
            threshold[i] = math.nan
            listed += columns.codes_of(reader, feature)
        elif feature >= 0:
            threshold[i], whole = columns.threshold_of(reader, feature)
            exact[i], bits[i] = whole is not None, whole or 0
        begin.append(len(listed))
    return {
        "feature": [test.feature for test in tests],
        "threshold": threshold,
        "integer_threshold": bits if exact.any() else [],
        "integer_exact": exact if exact.any() else [],
        "strict": [test.reader.yes("strict") for test in tests],
        "level_begin": begin,
        "level_code": [code for code, _ in listed],
        "level_child": [child for _, child in listed],
    }


def _missing(found: list[Reader], rows: Array, weight: Array) -> dict[str, Any]:
    shared = any("shares" in reader.node or reader.node.get("missing") == "share" for reader in found)
    share = np.ones(len(found) if shared else 0)
    for reader in found if shared else []:
        if reader.children:
            share[reader.children] = _shares(reader, rows, weight)
    return {
        "missing_child": [_missing_child(reader, rows) for reader in found],
        "missing_seen": [bool(reader.node.get("missing_seen", False)) for reader in found],
        "share": share,
    }


def _missing_child(reader: Reader, rows: Array) -> int:
    """As the node says, else the child with most rows, the last of equals."""
    if not reader.children:
        return 0
    if reader.has_own_child:
        return len(reader.children) - 1
    most = len(reader.children) - 1 - int(rows[reader.children[::-1]].argmax())
    got = reader.node.get("missing", most)
    if isinstance(got, str):
        return SIDES.index(got) if got in SIDES else ENDS[got]
    return int(got)


def _shares(reader: Reader, rows: Array, weight: Array) -> Array:
    """As given; else by weight, by rows, or equal. Where they are used they sum to 1."""
    n_children, own = len(reader.children), reader.has_own_child
    if "shares" not in reader.node:
        known = reader.children[: n_children - own]
        counts = (weight[known], rows[known], np.ones(len(known)))
        given = next(part / part.sum() for part in counts if part.any())
        return np.append(given, [0.0] * own)
    try:
        shares = np.array([float(share) for share in reader.items("shares")])
    except (TypeError, ValueError):
        shares = np.empty(0)
    if len(shares) != n_children or not (np.isfinite(shares) & (shares >= 0)).all():
        reader.reject(f'"shares" must be {n_children} numbers of at least 0, one per child', "shares")
    if not abs(shares.sum() - 1) <= 1e-9:
        if not shares.any():
            reader.reject('"shares" must not all be 0', "shares")
        shares = shares / shares.sum()
    return shares


def _surrogates(tests: list[_Test], columns: Columns) -> Surrogates | None:
    if not tests:
        return None
    return Surrogates(
        **_test_arrays(tests, columns),
        node=np.array([test.node for test in tests]),
        reversed=np.array([test.reader.yes("reversed") for test in tests]),
        agreement=np.array([test.reader.number("agreement", math.nan) for test in tests]),
        adjusted=np.array([test.reader.number("adjusted", math.nan) for test in tests]),
    )


def _costs(root: Reader) -> Array | None:
    if root.node.get("costs") is None:
        return None
    try:
        return np.asarray(root.node["costs"], dtype=np.float64)
    except (TypeError, ValueError):
        root.reject('"costs" must be a matrix of numbers, a row per true class', "costs")


def _labels(given: Any, n_outputs: int) -> Any:
    if given is None:
        return None
    return np.asarray(given) if n_outputs == 1 else tuple(np.asarray(labels) for labels in given)
