"""The report page of linear leaves, in a browser: the columns used, and a case that moves."""

import numpy as np
import pandas as pd

import treewright as tw
from tests.support.page_tools import opened, settle
from treewright.present.page.making import report


def test_linear_leaves_are_read_moved_and_explained(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=400), "z": rng.normal(size=400), "constant": 1.0})
    y = np.where(X.x > 0, 3 * X.z, -2 * X.z) + rng.normal(size=400) * 0.1
    model = tw.DecisionTreeRegressor(leaf_model="linear").fit(X, y)
    made = report(model, X, y)
    assert made.payload["next_best_splits"] is None  # their gains are those of constants
    assert "This tree has linear models in its leaves." in made.payload["next_best_splits_note"]
    with opened(made.html, tmp_path) as page:
        assert "2 of 3 columns used" in page.locator(".summary").inner_text()  # z is in the leaves alone
        assert "Average of the leaf's rows" in page.locator(".top-rules").inner_text()
        page.get_by_role("tab", name="What if").click()
        settle(page)
        assert (
            "interval" not in page.get_by_test_id("sure").inner_text()
        )  # that of the leaf's average is not the case's
        page.get_by_label("z", exact=True).first.fill("1.5")
        settle(page)
        row = pd.DataFrame({"x": [X.x.median()], "z": [1.5], "constant": [1.0]})
        shown = float(page.get_by_test_id("prediction").inner_text().replace("−", "-"))
        assert abs(shown - model.predict(row)[0]) < 0.01
        assert "Slope" in page.get_by_test_id("terms").inner_text()
        assert "z" in page.get_by_test_id("terms").inner_text()
