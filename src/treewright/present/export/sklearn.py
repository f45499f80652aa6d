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

import io
from dataclasses import replace
from typing import Any

import numpy as np

from ...learn.fitted_tree import FittedTree, as_model
from ...learn.params import CLASSIFICATION
from ...tree.combinations import must_test_one_column
from ...tree.leaf_models import must_be_constant
from ...tree.tree import Tree
from .form import Form

WHOLE_NUMBERS_OF_FLOAT32 = 2.0**24
# Criteria that scikit-learn does not have. A fitted tree does not use its criterion: any valid name will do.
EQUIVALENTS = {"gain_ratio": "entropy", "error": "gini", "sqrt_gini": "gini", "hellinger": "gini"}


def to_sklearn(model: Any, X: Any = None) -> Any:
    """Return a fitted scikit-learn estimator with the same tree.

    It predicts the same for float32 rows, and for other rows unless rounding to float32 moves a value over a
    threshold.

    Parameters
    ----------
    model : estimator, FitResult, FittedTree, Tree or path
        The fitted model.
    X : table, optional
        Rows to compare: each must reach the same leaf in both trees.

    Returns
    -------
    sklearn.tree.DecisionTreeClassifier or sklearn.tree.DecisionTreeRegressor

    Raises
    ------
    ValueError
        If the tree has tests that scikit-learn does not have, or rounding may change predictions. The message
        names the columns.
    """
    found = as_model(model)
    tree = found.tree
    _reject_unsupported(found)
    _reject_rounding(found, _merged(tree, trust_rows=X is not None))
    if found.params.get("thresholds") == "observed":
        # A threshold is a value of the data, and rounding must not lift that value above it.
        lifted = np.maximum(tree.threshold, tree.threshold.astype(np.float32).astype(np.float64))
        tree = replace(tree, threshold=np.where(tree.is_leaf, tree.threshold, lifted))
    estimator = _estimator(found)
    estimator.tree_ = _sklearn_tree(tree, estimator)
    if X is not None:
        _reject_rounding(found, _differing(tree, found.apply(X), estimator.apply(X)))
    return estimator


def write(form: Form, output: str, *, X: Any = None) -> Any:  # noqa: ARG001 - the estimator has all outputs
    """For `export`: the estimator."""
    return to_sklearn(form.model, X)


def stored(estimator: Any) -> bytes:
    """The estimator as joblib writes it, for a file."""
    import joblib

    file = io.BytesIO()
    joblib.dump(estimator, file)
    return file.getvalue()


def _reject_unsupported(model: FittedTree) -> None:
    """Raise if the tree has tests that scikit-learn does not have, naming their columns."""
    tree = model.tree
    must_be_constant(tree, "to_sklearn", "Keep the treewright model.")
    must_test_one_column(tree, "to_sklearn", "Keep the treewright model, or fit it without oblique.")
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


def _names(model: FittedTree, columns: Any) -> str:
    features = model.words().features
    return ", ".join(repr(features[column]) for column in sorted({int(column) for column in columns}))


def _thresholds(tree: Tree) -> np.ndarray[Any, Any]:
    """The thresholds of x <= t; x < t is x <= the number before t."""
    if not len(tree.strict):
        return tree.threshold
    return np.where(tree.strict, np.nextafter(tree.threshold, -np.inf), tree.threshold)


def _reject_rounding(model: FittedTree, columns: set[int]) -> None:
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


def _estimator(model: FittedTree) -> Any:
    """scikit-learn's estimator with the attributes of a fitted one, had by fitting a table of constants."""
    import sklearn.tree

    tree = model.tree
    n_outputs, most = tree.n_outputs, max(np.atleast_1d(tree.n_classes))
    if model.task == CLASSIFICATION:
        found = sklearn.tree.DecisionTreeClassifier()
        classes = model.classes or [np.arange(n) for n in np.atleast_1d(tree.n_classes)]
        y = np.column_stack([np.resize(labels, most) for labels in classes])
    else:
        found, y = sklearn.tree.DecisionTreeRegressor(), np.zeros((1, n_outputs))
    y = y[:, 0] if n_outputs == 1 else y
    found.fit(np.zeros((len(y), tree.n_features), dtype=np.float32), y)
    known, params = found.get_params(deep=False), dict(model.params)
    if "criterion" in params:
        params["criterion"] = EQUIVALENTS.get(params["criterion"], params["criterion"])
    found.set_params(**{name: value for name, value in params.items() if name in known})
    if model.feature_names is not None:
        found.feature_names_in_ = np.asarray(model.feature_names, dtype=object)
    return found


def _sklearn_tree(tree: Tree, estimator: Any) -> Any:
    """scikit-learn's own Tree, filled through the state that it pickles: there is no other way in."""
    old = estimator.tree_
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
    n_classes = np.atleast_1d(tree.n_classes)
    new = type(old)(tree.n_features, n_classes.astype(np.intp), tree.n_outputs)
    new.__setstate__(state)
    return new


def _differing(tree: Tree, ours: np.ndarray[Any, Any], theirs: np.ndarray[Any, Any]) -> set[int]:
    """The columns whose tests send a row to two different leaves (rule 4)."""
    parent, found = tree.parent, set()
    for pair in {frozenset(pair) for pair in zip(ours, theirs, strict=True)}:
        walks = set(pair)
        while len(walks) > 1:  # the larger number is no ancestor of the other: climb until the walks meet
            deeper = max(walks)
            walks = walks - {deeper} | {parent[deeper]}
        found |= set() if len(pair) == 1 else {int(tree.feature[node]) for node in walks}
    return found
