"""A table in parts gives the tree of memory, whatever the parts, their order and the bins."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from tests.support.drawn import drawn
from treewright import _core

NUMBERS = ("squared_error", "poisson")


class Table:
    """Columns of several types with gaps, and a target."""

    def __init__(self, rng):
        n = self.n = int(rng.integers(3, 400))
        self.values, self.n_levels = [], []
        for kind in rng.choice(["real", "whole", "single", "natural", "nominal"], rng.integers(1, 5)):
            levels = int(rng.integers(2, 6)) if kind == "nominal" else 0
            values = {
                "real": np.where(
                    rng.random(n) < 0.1, np.nan, rng.normal(size=n).round(int(rng.integers(0, 5)))
                ),
                "whole": rng.integers(-5, int(rng.choice([3, 100, 10**15])), n),
                "single": rng.normal(size=n).astype(np.float32),
                "natural": rng.integers(0, 2**63, n).astype(np.uint64) * 2,
                "nominal": rng.integers(-1, levels or 1, n).astype(np.int32),
            }[kind]
            self.values.append(values)
            self.n_levels.append(levels)
        weights = (None, rng.integers(1, 4, n) + 0.0, rng.random(n) * 10.0 ** rng.integers(-5, 5))
        self.weights = weights[rng.integers(3)]
        if self.weights is not None and rng.random() < 0.5:
            self.weights[1:] *= rng.random(n - 1) < 0.7
        self.criterion = str(rng.choice(["gini", "entropy", "error", *NUMBERS]))
        if self.criterion in NUMBERS:
            self.y = rng.poisson(3, (n, 1)) + 0.0 if self.criterion == "poisson" else rng.normal(size=(n, 1))
            self.y[0] = 1
        else:
            self.n_classes = int(rng.integers(2, 4))
            self.y = rng.integers(0, self.n_classes, (n, 1)).astype(np.int32)

    def columns(self, rows):
        made = _core.Columns(len(rows))
        for values, levels in zip(self.values, self.n_levels, strict=True):
            some = np.ascontiguousarray(values[rows])
            made.add_nominal(some, levels) if levels else made.add_column(some)
        return made

    def target(self, rows):
        y = np.ascontiguousarray(self.y[rows])
        weights = None if self.weights is None else np.ascontiguousarray(self.weights[rows])
        if self.criterion in NUMBERS:
            return _core.Target.numbers(y, weights)
        return _core.Target.classes(y, [self.n_classes], weights)

    def start(self, rows):
        """The rows before growth: in the root, without those that weigh nothing."""
        counts = np.ones(len(rows), bool) if self.weights is None else self.weights[rows] > 0
        return _core.RowsByNode(counts)

    def sample(self, rows):
        """Some values of each column, for its bins."""
        return [
            None if levels else values[rows][~np.isnan(values[rows].astype(float))].astype(float)
            for values, levels in zip(self.values, self.n_levels, strict=True)
        ]


def settings(table, rng):
    growth = _core.Growth()
    growth.criterion, growth.n_threads = table.criterion, int(rng.integers(1, 3))
    growth.min_samples_leaf = int(rng.integers(1, 4))
    growth.thresholds = str(rng.choice(["midpoint", "rounded", "observed"]))
    growth.missing = str(rng.choice(["learned", "branch"]))
    growth.nominal_splits = str(rng.choice(["subset", "multiway", "one_vs_rest"]))
    growth.level_correction = bool(rng.integers(2))
    if rng.random() < 0.3:
        growth.min_weight_leaf = float(rng.choice([0.5, 2]))
    if rng.random() < 0.4:
        growth.missing, growth.nominal_splits = "learned", "subset"
        growth.max_leaf_nodes, growth.order = int(rng.integers(2, 15)), "best"
    growth.gather_rows, growth.run_rows = int(rng.choice([0, 30, 1000])), int(rng.choice([0, 4, 4096]))
    growth.histogram_bytes = int(rng.choice([1, 10_000, 2**26]))
    return growth


def in_python(blocks, rows):
    """Rows as another engine would keep them: replies of blocks are added one after the other."""

    def compute(operation, words):
        found = [block.compute(operation, words, own) for block, own in zip(blocks, rows, strict=True)]
        sums, maxima, items = zip(*found, strict=True)
        return sum(sums), np.maximum.reduce(maxima), np.concatenate(items)

    return compute


@drawn(40)
@given(st.integers(0, 2**32 - 1))
def test_any_parts_give_the_tree_of_memory(seed):
    rng = np.random.default_rng(seed)
    table = Table(rng)
    growth, everything = settings(table, rng), np.arange(table.n)
    whole = _core.grow(table.columns(everything), table.target(everything), growth)
    parts = [part for part in np.array_split(rng.permutation(table.n), rng.integers(1, 7)) if len(part)]
    found = _core.TargetRange()
    for part in parts:
        own = _core.TargetRange()
        own.add_target(table.target(part))
        found.add(pickle.loads(pickle.dumps(own)))
    coders = _core.Coders(table.sample(parts[0]), int(rng.choice([2, 16, 255])))
    blocks = []
    for part in parts:
        columns = table.columns(part)
        codes, ranges = coders.code(columns)
        target, keep = table.target(part), bool(rng.integers(2))
        blocks.append(
            _core.Block(columns, codes, coders.n_bins, ranges, target, found, table.criterion, keep)
        )
    one = parts[0][:1]
    about = (table.columns(one), coders.n_bins, table.target(one), found, growth)
    trees = [
        _core.grow_blocks(blocks, [table.start(part) for part in parts], *about),
        _core.grow_in_parts(in_python(blocks, [table.start(part) for part in parts]), *about),
    ]
    for tree in trees:
        for name in whole.keys() - {"passes"}:
            assert_array_equal(tree[name], whole[name], err_msg=name)


def test_parts_with_and_without_weights_do_not_go_together():
    labels, columns = np.zeros((2, 1), dtype=np.int32), _core.Columns(2)
    columns.add_column(np.arange(2.0))
    weighted, plain = (_core.Target.classes(labels, [2], weights) for weights in (np.ones(2), None))
    found, coders = _core.TargetRange(), _core.Coders([np.arange(2.0)])
    found.add_target(weighted)
    codes, ranges = coders.code(columns)
    with pytest.raises(ValueError, match=r"all parts of a table must have weights, or none\."):
        _core.Block(columns, codes, coders.n_bins, ranges, plain, found, "gini")
    growth = _core.Growth()
    with pytest.raises(ValueError, match=r"all parts of a table must have weights, or none\."):
        _core.grow_in_parts(lambda *_: None, columns, coders.n_bins, plain, found, growth)
