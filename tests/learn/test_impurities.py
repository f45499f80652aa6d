"""Impurity and gain: the worked numbers of the sources, the core's numbers, and the laws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from tests.support.strategies import examples
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.learn.entropies import information
from treewright.learn.impurities import gain, gain_ratio, impurity, relative_impurity, split_information
from treewright.learn.params import criteria_of

CLASSIFICATION = ["gini", "entropy", "log_loss", "error", "sqrt_gini"]  # hellinger: two classes only
REGRESSION = ["squared_error", "absolute_error", "poisson"]
TENNIS = (9, 5)  # yes, no
HUMIDITY = [(3, 4), (6, 1)]
WIND = [(6, 2), (3, 3)]
FORECAST = [(2, 3), (4, 0), (3, 2)]  # sunny, overcast, rainy


# -- the worked numbers


@pytest.mark.parametrize(
    ("counts", "criterion", "printed", "digits"),
    [
        (TENNIS, "entropy", 0.940, 3),
        ((3, 4), "entropy", 0.985, 3),
        ((6, 1), "entropy", 0.592, 3),
        ((6, 2), "entropy", 0.811, 3),
        ((3, 3), "entropy", 1.0, 15),
        ((3, 4), "gini", 24 / 49, 15),
        ((6, 1), "gini", 12 / 49, 15),
        ((6, 2), "gini", 3 / 8, 15),
        ((3, 3), "gini", 1 / 2, 15),
        ((6, 0), "error", 0, 15),
        ((6, 0), "gini", 0, 15),
        ((6, 0), "entropy", 0, 15),
        ((5, 8), "error", 5 / 13, 15),
        ((5, 8), "gini", 80 / 169, 15),
        ((1, 0), "error", 0, 15),
        ((3, 14), "error", 3 / 17, 15),
        ((5 / 8, 1 / 4, 1 / 16, 1 / 16), "entropy", 1.42, 2),
        ((1, 1, 1, 1), "entropy", 2, 15),
        ((1,) * 8, "entropy", 3, 15),
    ],
)
def test_impurities_that_the_sources_print(counts, criterion, printed, digits):
    assert round(impurity(counts, criterion), digits) == pytest.approx(printed, abs=1e-15)


def test_gains_of_the_tennis_table():
    assert round(impurity(TENNIS, "entropy"), 4) == 0.9403
    assert round(gain(TENNIS, HUMIDITY, "entropy"), 4) == 0.1518
    of_rounded_parts = 0.940 - 0.985 / 2 - 0.592 / 2
    assert of_rounded_parts == pytest.approx(0.1515)  # hence the 0.151 of the notes
    assert round(gain(TENNIS, WIND, "entropy"), 4) == 0.0481
    assert impurity(TENNIS) - gain(TENNIS, HUMIDITY) == pytest.approx(18 / 49)
    assert impurity(TENNIS) - gain(TENNIS, WIND) == pytest.approx(21 / 49)
    assert round(gain(TENNIS, FORECAST, "entropy"), 4) == 0.2467
    assert round(split_information(FORECAST), 4) == 1.5774
    assert round(gain_ratio(TENNIS, FORECAST), 4) == 0.1564


def test_entropy_of_five_and_eight_is_not_what_the_notes_print():
    assert round(impurity((5, 8), "entropy"), 3) == 0.961
    assert round(information(5 / 13), 2) == 1.38  # the number of the notes is of another thing


@pytest.mark.parametrize("k", [2, 3, 10, 1000])
def test_k_equal_classes(k):
    counts = [7.0] * k
    assert impurity(counts) == pytest.approx(1 - 1 / k)
    assert impurity(counts, "error") == pytest.approx(1 - 1 / k)
    assert impurity(counts, "entropy") == pytest.approx(math.log2(k))
    assert impurity(counts, "sqrt_gini") == pytest.approx(math.sqrt(k - 1))


def test_two_classes_by_the_formulas_of_the_sources():
    p = np.linspace(0.01, 0.99, 99)
    counts = np.stack([p, 1 - p], axis=-1)
    assert_allclose(impurity(counts, "error"), np.minimum(p, 1 - p))
    assert_allclose(impurity(counts, "gini"), 2 * p * (1 - p))
    assert_allclose(impurity(counts, "entropy"), -p * np.log2(p) - (1 - p) * np.log2(1 - p))
    assert_allclose(impurity(counts, "sqrt_gini"), 2 * np.sqrt(p * (1 - p)))
    assert_allclose(impurity(counts, "hellinger"), impurity(counts, "sqrt_gini"))


def test_numbers():
    y = [1.0, 2.0, 3.0, 10.0]
    assert impurity(y, "squared_error") == np.var(y)
    assert impurity(y, "absolute_error") == pytest.approx((1.5 + 0.5 + 0.5 + 7.5) / 4)
    assert impurity([0, 2], "poisson") == pytest.approx(math.log(2))
    assert impurity([0, 0], "poisson") == 0
    children = [[1, 2, 3], [10]]
    assert gain(y, children, "squared_error") == pytest.approx(np.var(y) - 3 / 4 * np.var([1, 2, 3]))
    assert_allclose(relative_impurity(y, children, "squared_error"), [0.5 / np.var(y), 0])
    assert gain(y, [y, []], "squared_error") == 0


# -- the core's numbers


def test_every_criterion_of_the_core_has_its_formula():
    names = set(criteria_of("classification")) | set(criteria_of("regression"))
    names -= {"gain_ratio", "friedman_mse"}  # a ratio, not an impurity; and an old name
    assert names == {*CLASSIFICATION, "hellinger", *REGRESSION}


@pytest.mark.parametrize("criterion", [*CLASSIFICATION, "hellinger"])
def test_nodes_of_a_grown_classifier(criterion, rng):
    X, w = rng.normal(size=(300, 3)), rng.integers(1, 5, size=300)
    y = (X[:, 0] + rng.normal(size=300) > 0).astype(int) + (0 if criterion == "hellinger" else X[:, 1] > 1)
    tree = DecisionTreeClassifier(criterion=criterion, max_depth=4).fit(X, y, sample_weight=w).tree_
    weight = tree.weighted_n_node_samples
    counts = tree.value[:, 0, :] * weight[:, None]
    assert_allclose(impurity(counts, criterion), tree.impurity, rtol=1e-9, atol=1e-12)
    inner = np.flatnonzero(tree.n_children)
    children = counts[tree.first_child[inner, None] + [0, 1]]
    assert_allclose(gain(counts[inner], children, criterion) * weight[inner], tree.gain[inner], atol=1e-8)


@pytest.mark.parametrize("criterion", REGRESSION)
def test_nodes_of_a_grown_regressor(criterion, rng):
    X, w = rng.normal(size=(200, 2)), rng.integers(1, 5, size=200)
    y = np.round(np.exp(X[:, 0]) * 8) / 8
    model = DecisionTreeRegressor(criterion=criterion, max_depth=3).fit(X, y, sample_weight=w)
    path = model.decision_path(X).toarray().astype(bool)
    found = [impurity(y[rows], criterion, weights=w[rows]) for rows in path.T]
    assert_allclose(found, model.tree_.impurity, rtol=1e-9, atol=1e-12)


# -- laws

counts_of = st.lists(st.integers(0, 50), min_size=2, max_size=6).filter(any)
splits = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 20), min_size=k, max_size=k), min_size=1, max_size=5).filter(
        lambda rows: any(map(any, rows))
    )
)


@pytest.mark.parametrize("criterion", CLASSIFICATION)
@examples()
@given(children=splits)
def test_a_split_never_loses(criterion, children):
    parent = np.sum(children, axis=0)
    whole, gained = impurity(parent, criterion), gain(parent, children, criterion)
    assert 0 <= gained <= whole + 1e-12
    relative = relative_impurity(parent, children, criterion)
    assert relative.shape == (len(children),)
    assert (relative >= 0).all()
    if whole > 0:
        assert relative.sum() == pytest.approx(1 - gained / whole, abs=1e-9)
    same = np.stack([parent, 2 * parent])  # children with the parent's shares gain nothing
    assert gain(same.sum(axis=0), same, criterion) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("criterion", REGRESSION)
@examples()
@given(children=st.lists(st.lists(st.integers(0, 30), max_size=6), min_size=1, max_size=4).filter(any))
def test_a_split_of_numbers_never_loses(criterion, children):
    parent = [y for child in children for y in child]
    assert 0 <= gain(parent, children, criterion) <= impurity(parent, criterion) + 1e-12


@pytest.mark.parametrize("criterion", CLASSIFICATION)
@examples()
@given(counts=counts_of, seed=st.integers(0, 99), scale=st.floats(1e-3, 1e3))
def test_names_and_sizes_of_classes_do_not_matter(criterion, counts, seed, scale):
    found = impurity(counts, criterion)
    shuffled = np.random.default_rng(seed).permutation(counts)
    assert impurity(shuffled, criterion) == pytest.approx(found, abs=1e-12)
    assert impurity(np.multiply(counts, scale), criterion) == pytest.approx(found, abs=1e-12)
    assert impurity([*counts, 0], criterion) == pytest.approx(found, abs=1e-12)
    assert found <= impurity([1] * len(counts), criterion) + 1e-12
    assert (found == 0) == (np.count_nonzero(counts) == 1)


@examples()
@given(children=splits.filter(lambda rows: len(rows[0]) == 2), factor=st.integers(2, 100))
def test_relative_sqrt_gini_does_not_see_how_rare_a_class_is(children, factor):
    children = np.array(children)
    more = children * [1, factor]
    before = relative_impurity(children.sum(axis=0), children, "sqrt_gini")
    after = relative_impurity(more.sum(axis=0), more, "sqrt_gini")
    assert_allclose(before, after, atol=1e-12)


def test_relative_gini_does():
    before = relative_impurity(TENNIS, WIND)
    after = relative_impurity((9, 50), [(6, 20), (3, 30)])
    assert not np.allclose(before, after)


@examples()
@given(children=splits)
def test_gain_ratio_is_a_share(children):
    parent = np.sum(children, axis=0)
    assert 0 <= gain_ratio(parent, children) <= 1 + 1e-12


def test_leading_axes_are_many_nodes(rng):
    children = rng.integers(0, 9, size=(4, 5, 3, 2))
    parent = children.sum(axis=-2)
    for criterion in (*CLASSIFICATION, "hellinger"):
        found = gain(parent, children, criterion)
        assert found.shape == (4, 5)
        assert found[1, 2] == pytest.approx(gain(parent[1, 2], children[1, 2], criterion))
        assert relative_impurity(parent, children, criterion).shape == (4, 5, 3)
    assert gain_ratio(parent, children).shape == split_information(children).shape == (4, 5)
    y = rng.integers(0, 9, size=(4, 5, 30))
    for criterion in REGRESSION:
        assert impurity(y, criterion)[3, 4] == impurity(y[3, 4], criterion)


# -- what is documented of the edge, and what is refused


def test_documented_values_at_the_edge():
    assert impurity([0, 0], "entropy") == impurity([0, 0]) == impurity([0, 0], "error") == 0
    assert impurity([3], "entropy") == 0
    assert math.copysign(1, impurity([3, 0], "entropy")) == 1
    assert gain([4, 4], [[4, 4], [0, 0]]) == 0
    assert gain_ratio([4, 4], [[4, 4], [0, 0]]) == 0
    assert_allclose(relative_impurity([4, 0], [[3, 0], [1, 0]]), 0)
    assert impurity([1, 2**60]) == pytest.approx(2.0**-59)  # 1 - Σ p² would be 0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: impurity([1, -2]), "counts must not be negative. Got -2."),
        (lambda: impurity([1, np.nan]), "counts must be finite. Got nan."),
        (lambda: impurity([]), "counts must have at least one number"),
        (lambda: impurity(3), "counts must be a list of numbers"),
        (lambda: impurity(["a", "b"]), "counts must be numbers in a regular array"),
        (lambda: impurity([[1, 2], [3]]), "counts must be numbers in a regular array"),
        (lambda: impurity([1e308, 1e308]), "finite sum"),
        (lambda: impurity([1, 2], "ginny"), "criterion must be one of 'gini', .*Got 'ginny'"),
        (lambda: impurity([1, 2], "gini", weights=[1, 1]), "counts are weights already"),
        (lambda: impurity([1, 2, 3], "hellinger"), "needs two classes. Got 3."),
        (lambda: impurity([1, -2], "poisson"), "needs y of at least 0. Got -2."),
        (lambda: impurity([], "squared_error"), "y must have at least one number"),
        (lambda: impurity([1, 2], "squared_error", weights=[1]), "weights must have the shape of y"),
        (lambda: impurity([1, 2], "squared_error", weights=[0, 0]), "a weight above 0"),
        (lambda: gain([4, 4], [[4, 1], [1, 1]]), "children must add up to parent"),
        (lambda: gain([4, 4], [4, 4]), "children must have the shape"),
        (lambda: gain([4, 4], [[4, 4, 0], [0, 0, 0]]), "children must have the shape of parent"),
        (lambda: gain([1, 2, 3], [[1, 2]], "squared_error"), "together are the parent"),
        (lambda: gain([1, 2], [["a"], [2]], "squared_error"), "children must be numbers"),
    ],
)
def test_bad_input_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
