"""Leaves that people read: none contradicts its own rows silently; splits that change nothing are merged."""

import numpy as np
import pandas as pd
import pytest

from treewright import DecisionTreeClassifier, DecisionTreeRegressor, explain, fit, load, rules
from treewright.evaluate.intervals import estimate_interval
from treewright.present.text.alike import merged
from treewright.present.text.terminal import terminal_text
from treewright.tree.tree_text import CONTRARY


def table(seed, n=400):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "c": rng.integers(0, 4, n)})
    return X, np.where(rng.random(n) < 0.2 + 0.5 * (X["a"] > 0), "yes", "no")


@pytest.mark.parametrize("strength", [1.0, 50.0, 500.0])
def test_a_leaf_whose_class_smoothing_decides_is_marked(strength):
    X, y = table(0)
    options = {"smoothing": "hierarchical", "smoothing_strength": strength, "min_samples_leaf": 5}
    model = DecisionTreeClassifier(**options).fit(X, y)
    tree = model.tree_
    contrary = tree.is_leaf & (tree.label[:, 0] != tree.majority[:, 0])
    contrary &= tree.value[:, 0].min(axis=1) < tree.value[:, 0].max(
        axis=1
    )  # an even leaf contradicts nothing
    text = terminal_text(model, max_lines=None, width=200)
    marked = [line for line in text.splitlines() if "0." in line and "*" in line]
    assert len(marked) == contrary.sum()
    assert (CONTRARY in text) == bool(contrary.sum())
    assert (CONTRARY in str(rules(model))) == bool(contrary.sum())
    assert strength < 50 or contrary.any()  # so that there is something to mark
    costly = model.with_decision(threshold=0.9, positive="yes")
    assert "*" not in terminal_text(costly, max_lines=None, width=200).split("Decision")[0]


@pytest.mark.parametrize("smoothing", ["laplace", "hierarchical", "m_estimate"])
def test_estimates_lie_inside_their_own_intervals(smoothing):
    X, y = table(1)
    model = DecisionTreeClassifier(smoothing=smoothing, smoothing_strength=60.0).fit(X, y)
    for row in range(0, 400, 23):
        found = explain(model, X, row)
        for leaf in found.leaves:
            assert leaf.low <= leaf.predicted[found.decided] <= leaf.high
    shares = np.array([0.0, 1e-9, 0.3, 1 - 1e-12, 1.0])
    for n in (1, 3, 1000):
        low, high = estimate_interval(shares, n)
        assert ((low <= shares) & (shares <= high)).all()


def test_final_splits_that_predict_alike_are_merged_where_intervals_meet():
    rng = np.random.default_rng(2)
    group = np.repeat([0, 1, 2, 3], 500)
    chance = np.array([0.10, 0.14, 0.60, 0.95])[group]  # 0 and 1 are alike; 2 and 3 decide alike but differ
    y = (rng.random(2000) < chance).astype(int)
    model = DecisionTreeClassifier(max_leaf_nodes=4).fit(group[:, None].astype(float), y)
    assert model.get_n_leaves() == 4
    small = merged(model.tree_)
    assert small.n_leaves == 3
    rows = np.array([[0.0], [1.0], [2.0], [3.0]])
    assert (small.labels(rows) == model.tree_.labels(rows)).all()
    text = terminal_text(model, merge=True)
    assert "1 split between leaves that predict alike is not shown." in text
    assert text.count("├─") + text.count("└─") == 4
    numbers = DecisionTreeRegressor(max_leaf_nodes=4).fit(group[:, None].astype(float), y)
    assert merged(numbers.tree_) is numbers.tree_


def test_merging_a_long_chain_is_fast():
    import time

    n = 20_000
    X = np.arange(n, dtype=float)[:, None]
    y = np.arange(n) % 2
    model = DecisionTreeClassifier(max_leaf_nodes=5000).fit(X, y)
    start = time.perf_counter()
    merged(model.tree_)
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([240801.78918343523, 100000.0, 9000.5], "240,802"),
        ([36.44821, 5.1, 50.2], "36.4"),
        ([0.00141234, 0.0005], "0.001412"),
        ([9.33e14, 1.0], "9.33e+14"),
        ([3.0, 7.0], "3"),
    ],
)
def test_predicted_numbers_are_rounded(values, text):
    X = np.arange(len(values), dtype=float)[:, None]
    model = DecisionTreeRegressor().fit(X, values)
    assert text in terminal_text(model).replace("\n", " ").split()


def test_columns_of_zero_and_one_and_units_are_written_as_people_do(tmp_path):
    rng = np.random.default_rng(3)
    n = 300
    size, garage, smoker = rng.integers(500, 6000, n), rng.integers(0, 2, n), rng.choice(["yes", "no"], n)
    price = size * 100 + garage * 150_000 + (smoker == "yes") * 90_000
    table = pd.DataFrame({"size": [f"{x:,} sqft" for x in size], "garage": garage, "smoker": smoker})
    table["price"] = [f"${x:,.2f}" for x in price]
    table.to_csv(tmp_path / "houses.csv", index=False)
    found = fit(tmp_path / "houses.csv", "price", check=False, score=False)
    again = load(found.save(tmp_path / "model.json"))
    for model in (found, again):
        text = terminal_text(model, width=120, max_lines=None)
        assert "garage = 1" in text
        assert "smoker = yes" in text
        assert " sqft " in text
        assert "  $" in text
        assert "<= 0.5" not in text
        assert any(f"garage = {k}" in str(rules(model)) for k in (0, 1))
    row = {"size": 900, "garage": 1, "smoker": "no"}
    assert "price = $" in str(explain(found, row))
    bare = fit(pd.DataFrame({"a": [0, 1, 2] * 50}), np.array([0.0, 1.0, 5.0] * 50), check=False, score=False)
    assert "a <= " in terminal_text(bare)


def test_other_values_than_0_and_1_are_compared_with_the_threshold():
    rng = np.random.default_rng(4)
    table = pd.DataFrame({"flag": rng.integers(0, 2, 200)})
    table["y"] = table["flag"] * 5.0 + rng.normal(size=200)
    found = fit(table, "y", check=False, score=False)
    assert "flag = 1\n" in str(explain(found, {"flag": 1}))
    assert "flag = 2, and 2 > 0.5" in str(explain(found, {"flag": 2}))
