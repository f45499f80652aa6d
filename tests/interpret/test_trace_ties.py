"""Ties in a trace: they are found whatever the last bits; why one column won is said where it is known."""

import numpy as np
import pandas as pd
import pytest

import treewright
from treewright import classics, lab


def test_ties_up_to_the_last_bits_are_ties():
    draws = np.random.default_rng(13)
    X = pd.DataFrame({"a": draws.integers(0, 6, 100) * 1.0, "b": draws.normal(size=100)})
    X["c"] = draws.integers(0, 6, 100) * 1.0
    y = np.round(X.a + draws.normal(size=100), 2)
    found = lab.trace(treewright.DecisionTreeRegressor().fit(X, y), X, y)
    assert not any("not chosen" in step.sentence() for step in found)
    assert found.notes == ()


def test_ties_of_the_gain_ratio():
    """b is a with its levels renamed; the order of the levels changes the last bit of the ratio."""
    a, y = list("11220022002102"), [0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1]
    X = pd.DataFrame({"a": a, "b": [{"0": "z", "1": "y", "2": "x"}[level] for level in a]})
    for program in (classics.c45(), classics.j48()):
        step = lab.trace(program.fit(X, y), X, y)[0]
        assert [each.column for each in step.ties] == ["b"]
        assert step.sentence() == "a and b gain the same; a was taken."


@pytest.mark.parametrize(
    "options", [{"level_correction": True}, {"max_features": 1, "random_state": 0}, {"splitter": "random"}]
)
def test_why_a_tie_was_decided_is_said_only_where_it_is_known(options):
    draws = np.random.default_rng(4)
    X = pd.DataFrame({"city": draws.choice(list("abcde"), 20), "n": draws.integers(0, 3, 20)})
    y = draws.integers(0, 2, 20)
    model = treewright.DecisionTreeClassifier(max_depth=1, **options).fit(X.assign(same=X.n), y)
    found = lab.trace(model, X.assign(same=X.n), y)
    assert "the first in the table" not in found[0].sentence()
    assert "the first in the table" not in str(found)
