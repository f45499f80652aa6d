"""Merging levels takes its time: columns of too many are refused, or not tested, and never hang."""

import numpy as np
import pytest

from treewright.learn.classics import c45, c50

pd = pytest.importorskip("pandas")


@pytest.mark.parametrize("make", [lambda: c45("-s"), c50], ids=["c45", "c50"])
def test_columns_of_too_many_levels_to_merge_are_refused(make):
    rng = np.random.default_rng(0)
    n = 5000
    X = pd.DataFrame({"of": rng.integers(0, 1200, n).astype(str), "x": rng.normal(size=n)})
    y = np.where(X["x"] + rng.normal(size=n) > 0, "yes", "no")
    with pytest.raises(ValueError, match=r"at most 1,000 levels. Got 1,\d+ in column 'of'"):
        make().fit(X, y)
    few = make().fit(X.assign(of=X["of"].str[:2]), y)  # a hundred are merged
    assert few.score(X.assign(of=X["of"].str[:2]), y) > 0.7


def test_c50_tests_no_column_that_nearly_names_its_rows():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"name": np.arange(4000).astype(str), "x": rng.normal(size=4000)})
    model = c50().fit(X, np.where(X["x"] > 0, "yes", "no"))
    assert model.tree_.feature[0] == 1


def test_levels_of_equal_shares_leave_no_split():
    """All levels join into one group at once: that is no split, and nothing is read behind it."""
    X = pd.DataFrame({"of": list("abc") * 20, "x": 0.0})
    model = c50().fit(X, ["yes"] * 30 + ["no"] * 30)
    assert model.tree_.node_count == 1
