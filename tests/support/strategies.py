"""Small tables that are hard on a tree, settings to grow it with, and how two trees are compared.

Targets and weights lie on dyadic grids, so that the core's fixed point and the oracle's fractions are both
exact and ties are the same ties. More examples, and others: make test-random.
"""

import itertools
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import HealthCheck
from hypothesis import strategies as st

from tests.oracle import CLASSIFICATION, Growth, Table, feasible_splits
from tests.support.drawn import drawn
from treewright import _core

EXAMPLES = 14


def examples(share=1.0):
    """Repeatable runs; `share` is for tests whose examples are dearer or cheaper than most."""
    return drawn(EXAMPLES * share, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


BINS, SORTED, THREADS, PAGES = (2, 3, 16, 255), (0, 5, 2048), (1, 2, 4), (0, 1, 3, 7)
# every value of one size meets every value of each other
PAIRS_OF_SIZES = [
    (bins, SORTED[(a + b) % 3], THREADS[(a + 2 * b) % 3], pages)
    for (a, bins), (b, pages) in itertools.product(enumerate(BINS), enumerate(PAGES))
]


def sizes_of(criterion, choices=None):
    """The sizes at which the core changes its ways, all of them or some; none may change the tree."""
    names = ("max_bins", "sort_below", "n_threads", "n_pages")
    every = itertools.product(BINS, SORTED, THREADS, PAGES)
    sizes = [
        dict(zip(names, choice, strict=True)) | {"share_above": 0, "waiting_bytes": 2**26 * (number % 2)}
        for number, choice in enumerate(choices or every)
    ]
    in_memory = criterion == "absolute_error"  # it has no finite tally, so pages cannot count it
    return [size for size in sizes if not (in_memory and size["n_pages"])]


CODES = np.arange(40)
NEIGHBOURS = np.float64(1) + CODES * np.finfo(float).eps  # nothing fits between two of them
TIMES = 1_700_000_000 + 60 * CODES  # float32 would merge neighbours
EXTREMES = np.array([-np.inf, -1.7e308, -1, -5e-324, -0.0, 0.0, 5e-324, 1e-323, 1, 1.7e308, np.inf])
COLUMNS = {
    "whole": CODES - 5.0,
    "eighths": (CODES - 5) / 8,
    "neighbours": NEIGHBOURS,
    "extremes": EXTREMES,
    "float32": (CODES / 10).astype(np.float32),
    "beyond 2**53": 2**53 + CODES,
    "beyond 2**62": -(2**62) - CODES,
    "times": TIMES,
    "float times": TIMES.astype(float),
    "int8": (3 * CODES - 60).astype(np.int8),
    "uint16": (1000 * CODES).astype(np.uint16),
    "bool": CODES % 2 == 1,
}
COUNTS = {
    "counts": CODES * 1.0,
    "rates": CODES / 8,
    "log-normal": np.round(np.exp(CODES / 4) * 256) / 256,
    "zeros": np.array([0.0, -0.0, 1.0]),
    "large counts": 2.0**30 + CODES,
}
NUMBERS = COUNTS | {
    "constant": np.array([-3.625]),
    "signed": CODES - 7.0,
    "far from 0": 1e9 + (CODES * 37 % 64) / 1024,
}
NEAR_0 = {name: values for name, values in NUMBERS.items() if name not in {"far from 0", "large counts"}}


@dataclass(frozen=True)
class Case:
    """One table: columns as (values, missing mask or None) or (codes, None, n_levels); y by row, output."""

    columns: list
    y: np.ndarray
    n_classes: list | None
    weights: np.ndarray | None

    @property
    def n_rows(self):
        return len(self.y)

    @property
    def table(self):
        return Table.of(self.columns, self.y, self.weights, self.n_classes)

    def rows(self, order):
        """The same table with these rows, in this order."""
        columns = [(x[order], None if gone is None else gone[order], *n) for x, gone, *n in self.columns]
        weights = None if self.weights is None else self.weights[order]
        return replace(self, columns=columns, y=self.y[order], weights=weights)


@st.composite
def drawn_integers(draw, n, least, most):
    """n integers, from a seed: lists of single draws are slow and mostly constant."""
    return np.random.default_rng(draw(st.integers(0, 2**32 - 1))).integers(least, most, n, endpoint=True)


@st.composite
def picks(draw, palettes, n):
    """n values of one palette: constant, in two, few or many sorts."""
    values = palettes[draw(st.sampled_from(sorted(palettes)))]
    sorts = draw(st.sampled_from([40, 4, 2, 12, 1]))
    return values[draw(drawn_integers(n, 0, sorts - 1)) % len(values)]


@st.composite
def columns(draw, n):
    values = draw(picks(COLUMNS, n))
    rarity = draw(st.sampled_from([0, 0, 1, 5, 20]))
    if not rarity:
        return values, None
    gone = draw(drawn_integers(n, 0, rarity)) == 0
    if values.dtype.kind == "f" and draw(st.booleans()):
        return np.where(gone, np.array(np.nan, values.dtype), values), None
    return values, gone


@st.composite
def weightings(draw, n):
    kind = draw(st.sampled_from(["none", "whole", "eighths"]))
    if kind == "none":
        return None
    w = draw(drawn_integers(n, 0, 3 if kind == "whole" else 20))
    w[-1] += not w.any()  # some row must count
    return w / (1 if kind == "whole" else 8)


@st.composite
def cases(draw, criterion, max_rows=40, palettes=NUMBERS):
    n = draw(st.integers(1, max_rows))
    n_outputs = draw(st.sampled_from([1, 1, 1, 2, 3]))
    if criterion in CLASSIFICATION:
        n_classes = [draw(st.sampled_from([2, 3, 4, 1])) for _ in range(n_outputs)]
        y = [draw(drawn_integers(n, 0, k - 1)) for k in n_classes]
    else:
        n_classes = None
        y = [draw(picks(COUNTS if criterion == "poisson" else palettes, n)) for _ in range(n_outputs)]
    table = draw(st.lists(columns(n), min_size=1, max_size=4))
    return Case(table, np.stack(y, axis=1), n_classes, draw(weightings(n)))


@st.composite
def constrained_cases(draw, criterion):
    """A table with one output and two classes, or numbers near 0, and a sign for every column."""
    case = draw(cases(criterion, palettes=NEAR_0))
    y = case.y[:, :1] % 2 if criterion in CLASSIFICATION else case.y[:, :1]
    case = replace(case, y=y, n_classes=[2] if criterion in CLASSIFICATION else None)
    return case, [draw(st.sampled_from([1, -1, 0])) for _ in case.columns]


def almost_tied(classes):
    """Two columns of which the second separates y and the first all of it but a row of weight 2**-47."""
    x = np.array([[0, 0, 0, 1, 1], [0, 0, 1, 1, 1]]) * 1.0
    y = np.array([[1], [1], [0 if classes else 2], [0 if classes else 2], [0 if classes else 2]])
    weights = np.array([1, 1, 2**-47, 1, 1])
    return Case([(column, None) for column in x], y, [2] if classes else None, weights)


def all_gains(table, growth):
    """What every cut of one column gains, missing rows on either side, found without the oracle's search."""
    rows = [r for r, w in enumerate(table.weights) if w > 0]
    gains = [0]
    for column in table.columns:
        for cut, missing_left in itertools.product({x for x in column if x is not None}, (False, True)):
            left = [r for r in rows if (missing_left if column[r] is None else column[r] <= cut)]
            sides = left, [r for r in rows if r not in left]
            zeros = any(not any(y[r] for r in side) for y in table.outputs for side in sides)
            enough = min(map(len, sides)) >= growth.min_samples_leaf
            if enough and not (growth.criterion == "poisson" and zeros):
                phi, *parts = (table.phi(growth.criterion, side) for side in (rows, *sides))
                gains.append(phi - sum(parts))
    return gains


LIMITS = {
    "max_depth": [0, 1, 3],
    "min_samples_split": [3, 9],
    "min_samples_leaf": [2, 3, 5],
    "min_weight_leaf": [0.5, 1.0, 2.0, 2.25],
    "max_leaf_nodes": [2, 3, 6],
    "min_impurity_decrease": [0.0123, 0.377],
}


@st.composite
def growths(draw, criterion):
    """Any order, and at most two limits."""
    limits = draw(st.lists(st.sampled_from(sorted(LIMITS)), max_size=2))
    settings = {name: draw(st.sampled_from(LIMITS[name])) for name in limits}
    return Growth(criterion, order=draw(st.sampled_from(["depth", "breadth", "best"])), **settings)


def native_columns(case):
    """The columns of a case as the core takes them."""
    data = _core.Columns(case.n_rows)
    for values, missing, *n_levels in case.columns:
        if n_levels:
            data.add_nominal(np.ascontiguousarray(values, np.int32), *n_levels)
        else:
            data.add_column(values, missing)
    return data


def native(case, growth, **sizes):
    """Grow the case with the core."""
    data = native_columns(case)
    if case.n_classes is None:
        target = _core.Target.numbers(np.ascontiguousarray(case.y, np.float64), case.weights)
    else:
        target = _core.Target.classes(np.ascontiguousarray(case.y, np.int32), case.n_classes, case.weights)
    wanted = _core.Growth()
    usual = vars(Growth(growth.criterion))  # which are the core's own
    changed = {name: setting for name, setting in vars(growth).items() if setting != usual[name]}
    fixed = {"criterion": growth.criterion, "monotonic": list(growth.monotonic)}
    for name, setting in (changed | fixed | sizes).items():
        setattr(wanted, name, setting)
    return _core.grow(data, target, wanted)


def said(split):
    if split is None:
        return "stops"
    return "splits column {} at {!r}, missing values to child {}".format(*split)


def split_of(tree, i):
    """(feature, threshold, child of missing values), or None at a leaf; an int is an exact threshold."""
    if not tree["n_children"][i]:
        return None
    exact = len(tree["integer_exact"]) and tree["integer_exact"][i]
    threshold = int(tree["integer_threshold"][i]) if exact else float(tree["threshold"][i])
    return int(tree["feature"][i]), threshold, int(tree["missing_child"][i])


def near_tie(split, node, table, growth):
    """Whether the scores of the oracle's split and of this one lie where a rounding error may decide.

    They differ by at most one unit, and one of the two ratios lies within 1e-3 of the middle between units.
    """
    for other in feasible_splits(table, growth, node):
        same = (other.split.feature, other.split.threshold) == split[:2]
        if same and abs(other.score - node.best.score) <= 1:
            halves = [abs(x.ratio % 1 - 0.5) for x in (other, node.best)]
            if min(halves) < 1e-3:
                return True
    return False


NUMERIC = ("n_node_samples", "weighted_n_node_samples", "impurity", "value", "lower", "upper")
CLOSE = {"impurity": 1e-9, "value": 1e-12, "gain": 1e-9, "lower": 1e-12, "upper": 1e-12}  # others are exact


def differs(name, found, wanted):
    tolerance = CLOSE.get(name, 0)
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.shape != wanted.shape:
        return True
    return not np.allclose(found, wanted, rtol=tolerance, atol=1e-9 if tolerance else 0)


def same_tree(found, wanted, table, growth):
    """Walk the core's tree and the oracle's side by side and say in a sentence where they first differ."""
    pairs = [(0, 0)]
    for i, j in pairs:
        node = wanted["nodes"][j]
        place = "the root" if not node.path else "the node " + "".join("LR"[side] for side in node.path)
        for name in NUMERIC:
            a, b = (
                tree[name][k].tolist() if len(tree[name]) else None for tree, k in ((found, i), (wanted, j))
            )
            assert (a is None) == (b is None), f"At {place} only one tree has {name}."
            assert a is None or not differs(name, a, b), f"At {place} {name} is {a}, the oracle says {b}."
        a, b = split_of(found, i), split_of(wanted, j)
        if a != b or type(a and a[1]) is not type(b and b[1]):
            if a and b and near_tie(a, node, table, growth):
                if growth.order == "best" and growth.max_leaf_nodes > 0:
                    return  # another split may change every later turn
                continue
            raise AssertionError(f"At {place} the core {said(a)}; the oracle {said(b)}.")
        if a is None:
            continue
        for name in ("missing_seen", "gain"):
            x, y = found[name][i], wanted[name][j]
            assert not differs(name, x, y), f"At {place} {name} is {x}, the oracle says {y}."
        pairs += [(found["first_child"][i] + side, wanted["first_child"][j] + side) for side in (0, 1)]


def well_formed(tree):
    """Nodes are numbered by level with siblings side by side, and children share what their parent has."""
    expected = 1
    for i, n in enumerate(tree["n_children"]):
        assert tree["first_child"][i] == (expected if n else -1), f"node {i} is out of order"
        expected += n
        below = slice(expected - n, expected)
        for name in ("n_node_samples", "weighted_n_node_samples"):
            assert not n or tree[name][below].sum() == tree[name][i], f"{name} of node {i} does not add up"
    assert expected == len(tree["n_children"]), "some nodes have no parent"


def differences(a, b):
    """The names of the arrays in which two trees of the core differ by a bit."""
    arrays = {name for tree in (a, b) for name, x in tree.items() if isinstance(x, np.ndarray)}
    return sorted(n for n in arrays if a[n].shape != b[n].shape or a[n].tobytes() != b[n].tobytes())
