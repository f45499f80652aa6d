"""Soft thresholds: predictions against shares written from the definition, files, and what refuses them."""

import json

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tools.fuzz_damage import rehashed
from treewright.classics import c50
from treewright.learn.model_file import FileError, read
from treewright.tree.tree import tree_from_dict


def by_hand(low, cut, high):
    ends = {"feature": 0, "threshold": cut, "soft": [low, (low + high) / 2, high], "missing": "share"}
    leaves = {"left": {"value": [1, 0], "n": 3, "weight": 3}, "right": {"value": [0, 1], "n": 1, "weight": 1}}
    return tree_from_dict(ends | leaves | {"value": [0.75, 0.25], "n": 4, "weight": 4, "classes": ["a", "b"]})


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_a_row_between_the_ends_goes_both_ways(dtype):
    tree = by_hand(0, 4, 12)
    x = np.array([-5, 0, 1, 2, 4, 6, 8, 11, 12, 50])
    low = [1, 1, 7 / 8, 6 / 8, 1 / 2, 3 / 8, 2 / 8, 1 / 16, 0, 0]
    shares = tree.predict(x[:, None].astype(dtype))
    np.testing.assert_allclose(shares[:, 0], low)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_allclose(tree.predict(np.array([[np.nan]]))[0], [0.75, 0.25])
    reached = tree.leaves_reached(x[:, None].astype(dtype))
    assert np.bincount(reached.row).tolist() == [1, 1, 2, 2, 2, 2, 2, 2, 1, 1]


def test_the_ends_move_as_far_as_the_other_branch_errs_little():
    # <= 5 is mostly a, > 5 mostly b; at 4 and 5, and at 6 and 7, both classes are mixed
    x = np.repeat(np.arange(1, 11), 6).astype(float)
    y = np.array(list("aaaaaa" * 3 + "aaabab" + "aabaab" + "babbab" + "bbabab" + "bbbbbb" * 3))
    tree = c50(fuzzyThreshold=True, minCases=10).fit(x[:, None], y).tree_
    assert tree.n_leaves == 2
    cut = float(tree.threshold[0])
    errors = tree.weighted_n_node_samples[1:] @ (1 - tree.value[1:, 0].max(axis=1))
    slack = np.sqrt(errors * (60 - errors) / 60.001)

    def end(values, own):
        mine = theirs = 0
        for value in values[:-1]:
            mine += (y[x == value] != own).sum()
            theirs += (y[x == value] == own).sum()  # the other branch predicts the other class
            if theirs > 2 * mine + 1 or theirs - mine > slack:
                return value
        return values[-1]

    below, above = np.unique(x[x <= cut])[::-1], np.unique(x[x > cut])
    assert tree.soft_low[0] == end(below, "a")
    assert tree.soft_high[0] == end(above, "b")
    assert tree.soft_middle[0] == (below[0] + above[0]) / 2


@pytest.mark.parametrize("scale", [1e39, 1e300, 5e307, np.inf])
def test_numbers_beyond_single_precision(scale):
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    y = np.where(x + rng.normal(size=200) / 3 > 0, "a", "b")
    X = (x * scale)[:, None]
    model = c50(fuzzyThreshold=True).fit(X, y)
    assert model.tree_.n_leaves > 1
    assert model.score(X, y) > 0.8
    assert np.isfinite(model.predict_proba(X)).all()


def test_a_file_and_nested_dictionaries_keep_them(tmp_path):
    iris = tw.load_example("iris")
    X, y = iris.drop(columns="species"), iris["species"]
    model = c50(fuzzyThreshold=True).fit(X, y)
    loaded = tw.load(model.save(tmp_path / "soft.tree.json"))
    assert loaded.tree_ == model.tree_
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    again = tree_from_dict(json.loads(json.dumps(model.tree_.to_dict())))
    np.testing.assert_array_equal(again.soft_low, model.tree_.soft_low)
    doc = json.loads((tmp_path / "soft.tree.json").read_text())
    for change, sentence in (
        ({"soft_low": [9.0, *doc["tree"]["soft_low"][1:]]}, "must lie between soft_low and soft_high"),
        ({"soft_low": ["nan", *doc["tree"]["soft_low"][1:]]}, "for the same nodes"),
        ({"soft_high": []}, "given together|one length"),
    ):
        with pytest.raises(FileError, match=sentence):
            read(rehashed(doc | {"tree": doc["tree"] | change}))


def test_what_needs_one_way_says_so(capsys):
    table = tw.load_example("hepatitis")
    X, y = table.drop(columns="target"), table["target"]
    model = c50(fuzzyThreshold=True).fit(X, y)
    tw.show(model)
    assert "(both from" in capsys.readouterr().out
    for call in (
        lambda: tw.explain(model, X[:1]),
        lambda: tw.rules(model),
        lambda: tw.export(model, to="python"),
        lambda: tw.shapley_values(model, X[:1]),
        lambda: tw.counterfactual(model, X[:1]),
        lambda: tw.prune(model, "leaf_budget", n_leaves=2),
    ):
        with pytest.raises(ValueError, match="Fit it without fuzzyThreshold"):
            call()
    page = tw.report(model, X, y).html
    assert "Thresholds are soft" in page


def test_missing_values_and_levels_in_a_soft_tree():
    rng = np.random.default_rng(1)
    n = 400
    frame = pd.DataFrame({"x": rng.normal(size=n), "z": rng.normal(size=n)})
    frame["c"] = pd.Categorical(rng.choice(list("pqr"), n))
    y = np.where((frame["x"] > 0) ^ (frame["c"] == "p") ^ (rng.random(n) < 0.1), "u", "v")
    frame.loc[rng.random(n) < 0.2, "x"] = np.nan
    frame.loc[rng.random(n) < 0.2, "c"] = None
    model = c50(fuzzyThreshold=True).fit(frame, y)
    crisp = c50().fit(frame, y)
    assert np.array_equal(model.tree_.threshold, crisp.tree_.threshold, equal_nan=True)
    np.testing.assert_allclose(model.predict_proba(frame).sum(axis=1), 1)
    inner = ~model.tree_.is_leaf & ~model.tree_.is_nominal
    assert not np.isnan(model.tree_.soft_low[inner]).any()
    assert np.isnan(model.tree_.soft_low[~inner]).all()
