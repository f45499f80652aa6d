"""Tests with thousands of branches: explanations stay short and take time in proportion to the tree."""

import time

import numpy as np
import pytest

from treewright import DecisionTreeClassifier, counterfactual, explain, leaves, rules
from treewright.tree import paths

pd = pytest.importorskip("pandas")

MANY = 3000


def towns(nominal_splits):
    rng = np.random.default_rng(0)
    levels = [f"town {k}" for k in range(MANY)]
    X = pd.DataFrame(
        {
            "town": pd.Categorical(levels * 3, categories=levels),
            "x": rng.normal(size=3 * MANY),
        }
    )
    y = np.where(np.arange(3 * MANY) % MANY < MANY // 2, "a", "b")
    model = DecisionTreeClassifier(nominal_splits=nominal_splits, max_depth=2).fit(X, y)
    return model, X


@pytest.mark.parametrize("nominal_splits", ["multiway", "subset"])
def test_explanations_of_many_levels_are_short_and_fast(nominal_splits):
    model, X = towns(nominal_splits)
    start = time.perf_counter()
    text, listed = str(explain(model, X, 0)), rules(model)
    short, cards = str(listed), str(leaves(model))
    changed = counterfactual(model, X, row=0)
    assert time.perf_counter() - start < 5  # it took more than a minute when time grew with the square
    assert len(text) < 4000
    assert len(short) < 200 * len(listed) + 2000
    assert len(cards) < 200 * len(listed) + 1000
    assert model.predict(changed.X)[0] == "b"


def test_levels_that_a_split_does_not_list_are_found_once_per_node(monkeypatch):
    """Not once per branch, which made the time grow with the square of the branches."""
    X = pd.DataFrame({"town": pd.Categorical([f"town {k}" for k in range(50)] * 4)})
    y = np.where(np.arange(200) % 50 < 25, "a", "b")
    model = DecisionTreeClassifier(nominal_splits="multiway", missing="fractional").fit(X, y)
    calls = []
    original = paths.unlisted_levels
    monkeypatch.setattr(paths, "unlisted_levels", lambda *given: calls.append(1) or original(*given))
    assert len(rules(model, merge=False)) >= 50
    assert len(calls) == 1


def test_long_sets_are_written_in_full_on_demand():
    model, X = towns("subset")
    found = rules(model)
    assert f"and {MANY // 2 - 8} more" in str(found)
    assert "more}" not in found.text(full=True)
    assert all(len(each["conditions"]) > 10_000 for each in found.to_dicts())
    explained = explain(model, X, 0)
    assert f"and {MANY // 2 - 8} more" in str(explained)
    assert len(explained.to_dict()["leaves"][0]["rule"][0]) > 10_000
