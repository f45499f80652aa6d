"""Recorded trees of the classic programs, built with `tree_from_dict`, predict every recorded row as there.

Missing values, levels without a branch and empty leaves are among these rows. How the trees were grown is not
looked at here.
"""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.support.golden import Recorded, cases_of, in_doubles
from tests.support.golden_programs import PROGRAMS, probabilities, recorded_places, tree_of
from treewright.data.columns import as_columns
from treewright.tree.tree import tree_from_dict

pytest.importorskip("pandas")
pytestmark = pytest.mark.recorded

# Settings whose predictions do not come from one tree, or from tests that a row passes by degrees.
NO_TREE = ("rules", "rules_nosubset", "boost5", "fuzzy")
CASES = [
    path
    for program in PROGRAMS
    for path in in_doubles(cases_of(program))
    if path.stem.split("__")[2] not in NO_TREE
]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_row_is_predicted_as_recorded(path):
    case = Recorded(path)
    tree = tree_of(case)
    assert tree_from_dict(json.loads(json.dumps(tree.to_dict()))) == tree
    for part, predictions in case.predictions.items():
        columns = as_columns(case.rows(part), tree.column_types)
        check_route(case, tree, columns, part)
        if case.classes is None:
            assert_allclose(tree.predict(columns)[:, 0], predictions["predictions"], rtol=case.tolerance)
        else:
            check_classes(case, tree, columns, predictions["predictions"])
            check_probabilities(case, tree, columns, predictions.get("probabilities", []))


def check_classes(case, tree, columns, wanted):
    """The recorded class of every row, or one that is as good for a row that ends at several leaves.

    The sum over these is rounded, in C4.5 and C5.0 to float32, so that equal classes seldom are. C5.0 decides
    between equal classes by the root, which a single tree does not record, and never for one without rows.
    """
    refused = np.array([isinstance(name, dict) for name in wanted])  # Id3 takes no missing values
    mean = tree.predict(columns)
    none = np.array([name is None for name in wanted])  # and has leaves without a class
    assert_array_equal((mean.sum(axis=1) == 0)[~refused], none[~refused])
    rows = np.flatnonzero(~refused & ~none)
    codes = np.array([case.classes.index(wanted[row]) for row in rows], dtype=np.int64)
    loss = -mean if tree.costs is None else mean @ tree.costs
    by_root = case.program == "c50"
    loss = np.where(by_root & (mean == 0), np.inf, loss)
    tied = loss[rows, codes] - loss[rows].min(axis=1) <= case.tolerance
    several = by_root | (np.diff(tree.shares(columns).indptr)[rows] > 1)
    assert_array_equal(np.where(several & tied, codes, tree.labels(columns)[rows, 0]), codes)


def check_probabilities(case, tree, columns, wanted):
    rows = [row for row, shares in enumerate(wanted) if shares is not None]
    if rows:
        found = probabilities(case, tree, columns)[rows]
        assert_allclose(found, [wanted[row] for row in rows], rtol=case.tolerance, atol=1e-12)


def check_route(case, tree, columns, part):
    """The node where every row ends, which rpart records for the rows it was grown on, and ctree for all."""
    if case.program == "rpart" and part == "train" and case.settings["control"]["maxsurrogate"]:
        wanted = case.extra["leaf_node_number_per_row"]
        unused = case.extra["rows_not_used_because_all_predictors_missing"]
    elif case.program == "ctree":
        wanted, unused = case.predictions[part]["node"], []
    else:  # without surrogates rpart predicts by another rule than it grows
        return
    numbers = np.array([node["ref"]["node_number"] for node in recorded_places(case, tree)])
    assert_array_equal(np.delete(numbers[tree.apply(columns)], unused), wanted)
