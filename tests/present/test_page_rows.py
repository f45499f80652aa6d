"""How the page reads a row. What it then predicts is tested with the exports: test_export_agreement.py."""

import json

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.support.page_tools import bare_payload, plain, predictions
from tests.support.random_trees import core_columns, random_rows, random_tree
from treewright.present.page.making import report
from treewright.tree.tree import tree_from_dict


def test_trees_of_every_kind_of_test(code):
    """Strict, reversed, shared, stopping, own branches, unseen levels: 60 random trees on one page."""
    for seed in range(60):
        tree, rows = tree_from_dict(random_tree(seed)), random_rows(seed, 25)
        cells = [[plain(cell) for cell in row] for row in rows]
        found = predictions(code, cells, f"treewright.reading({json.dumps(bare_payload(tree))})")
        columns = core_columns(tree, rows)
        reached = tree.leaves_reached(columns)
        for row, each in enumerate(found):
            here = reached.row == row
            expected = dict(zip(reached.node[here].tolist(), reached.share[here].tolist(), strict=True))
            assert {end["node"]: end["share"] for end in each["ends"]} == pytest.approx(expected)
        assert [each["leaf"] for each in found] == tree.apply(columns).tolist()
        said = tree.predict(columns)[:, 0]
        np.testing.assert_allclose([each["value"] for each in found], said, rtol=1e-12, atol=1e-12)


def test_rows_by_name_and_times_in_words(code, rng):
    """A row may be an object, and a time may be written as people write it; what is not there is missing."""
    days = pd.to_datetime(pd.Series(rng.integers(0, 10**15, 200), dtype="int64"), unit="us")
    waits = pd.to_timedelta(pd.Series(rng.integers(0, 10**12, 200)), unit="us")
    table = pd.DataFrame({"day": days.astype("datetime64[us]"), "wait": waits.astype("timedelta64[us]")})
    model = tw.DecisionTreeRegressor(max_depth=6).fit(table, np.arange(200.0) % 7)
    spans = [str(wait).replace("0 days ", "", 1) if wait.days == 0 else str(wait) for wait in table["wait"]]
    rows = [{"wait": span, "day": str(day)} for span, day in zip(spans, table["day"], strict=True)]
    source = f"treewright.reading({json.dumps(json.dumps(report(model).payload))})"
    found = predictions(code, rows, source)
    assert [each["leaf"] for each in found] == model.apply(table).tolist()
    gone = predictions(code, [{}, {"wait": None, "day": "2001-09-09 01:46:40"}], source)
    lacking = pd.DataFrame(
        {"day": pd.to_datetime([pd.NaT, "2001-09-09 01:46:40"]), "wait": pd.to_timedelta([None] * 2)}
    )
    assert [each["leaf"] for each in gone] == model.apply(lacking.astype(table.dtypes)).tolist()


def test_what_is_no_number_is_refused_with_a_sentence(code):
    said = code.evaluate("(() => { try { treewright.predict(['ten']) } catch (e) { return e.message } })()")
    assert "must be a number" in said
    said = code.evaluate("(() => { try { treewright.predict([1, 2]) } catch (e) { return e.message } })()")
    assert said == "A row must have 1 values, one per column. Got 2."
