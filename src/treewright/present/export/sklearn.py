"""A real scikit-learn estimator with the same tree, so that shap, dtreeviz and the like just work.

scikit-learn tests float32(x) <= t where we test x <= t. For float32 rows that is the same; for others it is
as long as rounding moves no value over t. The export is refused, naming columns, where this cannot be hoped
for:

1. t is an integer too large for float64, or a number beyond the range of float32;
2. t is a multiple of 1/2 and 2**24 or more in size: float32 cannot tell the whole numbers around it apart
   (Unix times, identifiers). Rows given as `X` overrule this one;
3. two tests of a column on one path have no float32 number between them, so that a branch is out of reach;
4. rows are given as `X`, and one of them lands in another leaf.

It is refused too where scikit-learn has no such test: levels, dates, more than two branches, surrogates,
missing values that stop or are shared out, and costs that choose another class than the heaviest. x < t is
x <= the next number below t.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...learn.fitted_tree import as_model
from ...tree.tree import Tree

WHOLE_NUMBERS_OF_FLOAT32 = 2.0**24
# Criteria without a counterpart there. A fitted tree asks its criterion nothing: a relative's name will do.
RELATIVES = {"gain_ratio": "entropy", "error": "gini", "sqrt_gini": "gini", "hellinger": "gini"}


def to_sklearn(model: Any, X: Any = None) -> Any:
    """Return a fitted scikit-learn estimator with the same tree as `model`.

    It predicts the same for float32 rows, and for others unless rounding to float32 moves a value over a
    threshold. Where that is to be feared, a ValueError names the columns; the module's text has the rules.
    Give rows as `X` to have each of them checked.
    """
    found = as_model(model)
    model, tree = found.to_estimator(), found.tree
    _refuse_strangers(model, tree)
    _refuse(model, _merged(tree, trust_rows=X is not None))
    if getattr(model, "thresholds", None) == "observed":
        # A threshold is a value of the data, and rounding must not lift that value above it.
        lifted = np.maximum(tree.threshold, tree.threshold.astype(np.float32).astype(np.float64))
        tree = replace(tree, threshold=np.where(tree.is_leaf, tree.threshold, lifted))
    twin = _twin(model, tree)
    twin.tree_ = _sklearn_tree(tree, twin)
    if X is not None:
        _refuse(model, _astray(tree, model.apply(X), twin.apply(X)))
    return twin


def _refuse_strangers(model: Any, tree: Tree) -> None:
    """Refuse tests that scikit-learn does not have, naming their columns."""
    inner, kinds = np.flatnonzero(tree.n_children), tree.column_types
    to, feature = tree.missing_child[inner], tree.feature[inner]
    readable = [kinds is None or kinds[column].kind in ("number", "boolean") for column in feature]
    least = tree.threshold[inner] == -np.inf
    least &= tree.strict[inner] != 0 if len(tree.strict) else False
    behind: Any = [] if tree.surrogates is None else tree.feature[tree.surrogates.node]
    reasons = {
        "tests of levels or times": feature[~np.array(readable, dtype=bool)],
        "more than two branches": feature[tree.n_children[inner] > 2],
        "missing values that stop or are shared out": feature[to < 0],
        "surrogates": behind,
        "a test x < -inf": feature[least],
    }
    found = [f"{reason} in {_names(model, columns)}" for reason, columns in reasons.items() if len(columns)]
    if (tree.label != tree.prediction.argmax(axis=2))[tree.is_leaf].any():
        found.append("leaves whose class is not the heaviest, because of costs")
    if found:
        raise ValueError(
            "scikit-learn's trees ask x <= threshold, with two branches of which one takes missing values. "
            f"This tree has {'; '.join(found)}. Keep the treewright model."
        )


def _names(model: Any, columns: Any) -> str:
    features = model.fitted_tree.words().features
    return ", ".join(repr(features[column]) for column in sorted({int(column) for column in columns}))


def _thresholds(tree: Tree) -> np.ndarray[Any, Any]:
    """The thresholds of x <= t; x < t is x <= the number before t."""
    if not len(tree.strict):
        return tree.threshold
    return np.where(tree.strict, np.nextafter(tree.threshold, -np.inf), tree.threshold)


def _refuse(model: Any, columns: set[int]) -> None:
    if not columns:
        return
    names = _names(model, columns)
    raise ValueError(
        "scikit-learn rounds to float32, which must keep every value on its side of every threshold. "
        f"It does not in: {names}. Shift or scale these columns before fitting, or keep the treewright model."
    )


def _merged(tree: Tree, *, trust_rows: bool) -> set[int]:
    """The columns to which rule 1, 2 or 3 applies."""
    inner = np.flatnonzero(tree.n_children)
    t = tree.threshold[inner]
    lost = np.isfinite(t) & (np.abs(t) > np.finfo(np.float32).max)
    if len(tree.integer_exact):
        lost |= tree.integer_exact[inner] != 0
    if not trust_rows:
        lost |= np.isfinite(t) & (np.abs(t) >= WHOLE_NUMBERS_OF_FLOAT32) & (np.rint(2 * t) == 2 * t)
    columns = {int(column) for column in tree.feature[inner[lost]]}
    return columns or _out_of_reach(tree)


def _out_of_reach(tree: Tree) -> set[int]:
    """The columns to which rule 3 applies.

    `cells` holds the largest float32 <= t. On a walk through the tree `bounds` has for each column the cells
    of the nearest tests on either side; an equal cell leaves no float32 number between two tests.
    """
    cells = _floor32(_thresholds(tree))
    bounds: dict[tuple[int, int], float] = {}
    found: set[int] = set()
    stack: list[tuple[int, tuple[int, int] | None, float | None]] = [(0, None, None)]
    while stack:
        node, key, cell = stack.pop()
        if key is not None:
            if cell is None:
                bounds.pop(key, None)
            else:
                bounds[key] = cell
        if node < 0 or tree.n_children[node] == 0 or tree.threshold[node] == np.inf:
            stack += [(child, None, None) for child in _children(tree, node)]
            continue
        column, here = int(tree.feature[node]), float(cells[node])
        if here in (bounds.get((column, 0)), bounds.get((column, 1))):
            found.add(column)
        for side, child in enumerate(_children(tree, node)):
            stack.append((-1, (column, side), bounds.get((column, side))))  # restored after the child's walk
            stack.append((child, (column, side), here))
    return found


def _children(tree: Tree, node: int) -> range:
    if node < 0:
        return range(0)
    return range(int(tree.first_child[node]), int(tree.first_child[node] + tree.n_children[node]))


def _floor32(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The largest float32 that is not above each number, as float64."""
    with np.errstate(over="ignore"):
        near = numbers.astype(np.float32)
    low = np.where(near.astype(np.float64) > numbers, np.nextafter(near, np.float32(-np.inf)), near)
    return np.asarray(low, dtype=np.float64)


def _twin(model: Any, tree: Tree) -> Any:
    """scikit-learn's estimator with the attributes of a fitted one, had by fitting a table of constants."""
    import sklearn.tree

    classes = getattr(model, "classes_", None)
    shape = (tree.n_outputs, max(np.atleast_1d(tree.n_classes)))
    if classes is None:
        twin, y = sklearn.tree.DecisionTreeRegressor(), np.zeros((1, shape[0]))
    else:
        twin = sklearn.tree.DecisionTreeClassifier()
        per_output = [classes] if shape[0] == 1 else classes
        y = np.column_stack([np.resize(labels, shape[1]) for labels in per_output])
    y = y[:, 0] if shape[0] == 1 else y
    twin.fit(np.zeros((len(y), tree.n_features), dtype=np.float32), y)
    ours, known = model.get_params(deep=False), twin.get_params(deep=False)
    ours["criterion"] = RELATIVES.get(ours.get("criterion", ""), ours.get("criterion"))
    twin.set_params(**{name: value for name, value in ours.items() if name in known})
    if hasattr(model, "feature_names_in_"):
        twin.feature_names_in_ = np.asarray(model.feature_names_in_, dtype=object)
    return twin


def _sklearn_tree(tree: Tree, twin: Any) -> Any:
    """scikit-learn's own Tree, filled through the state that it pickles: there is no other way in."""
    old = twin.tree_
    state = old.__getstate__()
    nodes = np.zeros(tree.node_count, dtype=state["nodes"].dtype)
    inner = tree.n_children > 0
    nodes["left_child"], nodes["right_child"] = tree.children_left, tree.children_right
    nodes["feature"] = np.where(inner, tree.feature, -2)
    nodes["threshold"] = np.where(inner, _thresholds(tree), -2.0)
    nodes["missing_go_to_left"] = inner & (tree.missing_child == 0)
    for name in ("impurity", "n_node_samples", "weighted_n_node_samples"):
        nodes[name] = getattr(tree, name)
    values = np.ascontiguousarray(tree.prediction, dtype=np.float64)
    state |= {"max_depth": tree.max_depth, "node_count": tree.node_count, "nodes": nodes, "values": values}
    n_classes = np.array(np.resize(twin.n_classes_ if hasattr(twin, "n_classes_") else 1, tree.n_outputs))
    new = type(old)(tree.n_features, n_classes.astype(np.intp), tree.n_outputs)
    new.__setstate__(state)
    return new


def _astray(tree: Tree, ours: np.ndarray[Any, Any], theirs: np.ndarray[Any, Any]) -> set[int]:
    """The columns whose tests send a row to two different leaves (rule 4)."""
    parent, found = tree.parent, set()
    for pair in {frozenset(pair) for pair in zip(ours, theirs, strict=True)}:
        walks = set(pair)
        while len(walks) > 1:  # the larger number is no ancestor of the other: climb until the walks meet
            deeper = max(walks)
            walks = walks - {deeper} | {parent[deeper]}
        found |= set() if len(pair) == 1 else {int(tree.feature[node]) for node in walks}
    return found
