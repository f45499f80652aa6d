"""What findings of `check` say is to be done, and where it cannot be known."""

import numpy as np
import pytest

from tests.evaluate.test_data_check import only
from treewright import check


@pytest.mark.parametrize("values", [range(1, 9), range(1, 13), range(2008, 2024)])
def test_of_few_rows_numbers_in_order_may_be_a_time_or_a_measurement(values):
    pandas = pytest.importorskip("pandas")
    y = np.random.default_rng(0).normal(size=len(values))
    unclear = check(pandas.DataFrame({"dose": values, "y": y}), "y")
    finding = only(unclear, "id-like column")
    assert (finding.severity, finding.option) == ("low", "")
    assert finding.sentence.endswith("if it is a time, give it as time; if it was measured, keep it.")
    assert unclear.exclude == ()
    known = check(pandas.DataFrame({"patient_id": values, "y": y}), "y")
    assert known.exclude == ("patient_id",)
    assert only(known, "id-like column").sentence.endswith("leave it out.")


def test_nothing_may_be_excluded():
    assert check(np.eye(3), [0, 1, 0], exclude=None).summary == check(np.eye(3), [0, 1, 0]).summary


def test_every_fault_says_what_to_do():
    pandas = pytest.importorskip("pandas")
    draws = np.random.default_rng(0)
    table = pandas.DataFrame({"one": [1] * 120, "none": [None] * 120, "x": draws.integers(0, 3, 120)})
    table["town"] = draws.choice(["Paris", "paris ", "Rome"], 120)
    found = check(table.assign(y=draws.choice(["a", "b", None], 120)), "y")
    for kind, advice in {
        "missing target": "Leave them out.",
        "contradictory rows": "Add a column that tells them apart, or correct wrong classes.",
        "duplicated rows": "If they are copies, leave them out.",
        "constant column": "No split can use that: leave it out.",
        "empty column": "has no value in any row: leave it out.",
        "similar levels": "If they mean the same, spell them alike.",
    }.items():
        assert only(found, kind).sentence.endswith(advice)
