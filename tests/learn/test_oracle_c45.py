"""C4.5 as the core grows it is C4.5 as the oracle does, on random tables; and rules that these seldom meet."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tests.oracle.classic_c45 import C45, with_unknown
from tests.oracle.classic_grow import grown_tree
from tests.oracle.classic_rows import Column, Data
from treewright.learn.classics import c45
from treewright.learn.pruning.pessimistic import useless

pd = pytest.importorskip("pandas")

OPTIONS = ("", "-s", "-s -m 1", "-s -g", "-g", "-m 3", "-s -m 4")


def random_table(seed):
    """Few rows, so that ties and absent levels are common: levels, numbers on a grid, missing values."""
    rng = np.random.default_rng(seed)
    n, n_classes = int(rng.integers(6, 70)), int(rng.integers(2, 4))
    y = rng.integers(0, n_classes, n)
    columns = []
    for place in range(int(rng.integers(1, 5))):
        if rng.random() < 0.65:
            levels = tuple(f"v{k}" for k in range(int(rng.integers(2, 8))))
            values = rng.integers(0, len(levels), n).astype(float)
            values = np.where(rng.random(n) < 0.4, (y + place) % len(levels), values)
        else:
            levels, values = (), rng.integers(0, 12, n) / rng.choice([1, 3, 10])
            values = np.where(rng.random(n) < 0.3, -999.0 if rng.random() < 0.2 else y, values)
        lacking = rng.random(n) < rng.choice([0.0, 0.1, 0.4])
        columns.append(Column(f"c{place}", np.where(lacking, np.nan, values), levels))
    return Data(tuple(columns), y, np.ones(n), tuple(f"k{k}" for k in range(n_classes + (seed % 5 == 0))))


def frame_of(data):
    columns = {}
    for c in data.columns:
        codes = np.nan_to_num(c.values, nan=-1).astype(int)
        columns[c.name] = pd.Categorical.from_codes(codes, categories=c.levels) if c.levels else c.values
    return pd.DataFrame(columns), pd.Series(pd.Categorical.from_codes(data.y, categories=data.classes))


def check_grown(data, options):
    words = options.split()
    least = int(words[words.index("-m") + 1]) if "-m" in words else 2
    wanted = grown_tree(C45(least, "-g" in words, "-s" in words), with_unknown(data), np.float32)
    wanted = wanted.collapse(useless(wanted))
    found = c45(options, pruned=False).fit(*frame_of(data)).tree_
    for name in ("n_children", "feature", "level_begin", "level_code", "level_child"):
        assert_array_equal(getattr(found, name), getattr(wanted, name))
    assert_array_equal(found.threshold, wanted.threshold)
    assert_allclose(found.weighted_n_node_samples, wanted.weighted_n_node_samples, rtol=1e-5, atol=1e-6)
    n_known = wanted.value.shape[2]  # classes that are declared and have no rows
    assert_allclose(found.value[:, :, :n_known], wanted.value, rtol=1e-5, atol=1e-6)


@pytest.mark.filterwarnings("ignore:Every value is missing")
@given(st.integers(0, 2**32 - 1), st.sampled_from(OPTIONS))
def test_random_tables_are_grown_as_by_the_oracle(seed, options):
    check_grown(random_table(seed), options)


def test_after_a_column_without_values_in_a_node_the_least_weight_of_groups_is_one():
    """A slip of the original: whatever -m says, smaller branches are made from then on."""
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 4, 60).astype(float), rng.integers(0, 2, 60)
    a = np.where(x == 0, np.nan, (y + rng.integers(0, 2, 60)) % 4)
    columns = (Column("x", x, tuple("stuv")), Column("a", a, tuple("pqrs")))
    for n in (20, 40, 60):
        data = Data(
            tuple(Column(c.name, c.values[:n], c.levels) for c in columns), y[:n], np.ones(n), ("n", "p")
        )
        check_grown(data, "-s -m 5")


def test_the_number_that_means_missing_does_so_at_predict_too():
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, -999.0, -999.0]})
    y = ["n", "n", "n", "p", "p", "p", "p", "p"]
    model, with_nan = c45("-m 1").fit(X, y), c45("-m 1").fit(X.replace(-999.0, np.nan), y)
    assert model.tree_ == with_nan.tree_
    assert_array_equal(model.predict_proba(X), with_nan.predict_proba(X.replace(-999.0, np.nan)))
    assert_array_equal(model.fitted_tree.columns(X).n_rows, 8)


def test_the_middle_of_neighbouring_floats_may_be_the_higher_one():
    """Both are rows of the low branch then, though the split was scored with the higher one above."""
    step = np.float32(128)
    values = [float(step)]
    for _ in range(5):
        values.append(float(np.nextafter(np.float32(values[-1]), np.float32(200))))
    data = Data(
        (Column("x", np.repeat(values, 4)),), np.repeat([0, 0, 0, 1, 1, 1], 4), np.ones(24), ("n", "p")
    )
    check_grown(data, "")
