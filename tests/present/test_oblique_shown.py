"""Trees whose tests combine columns: drawn, exported, on the page and from the command line."""

import json

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.present.test_command import call
from tests.support.oblique_tables import slanted, triangle
from tests.support.page_tools import opened, predicted_in, settle
from treewright.learn.model_file import load
from treewright.present.export.check import compared
from treewright.present.export.form import form_of
from treewright.present.export.rows import table_rows
from treewright.present.page.making import report


@pytest.fixture
def loans():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"income": rng.integers(0, 500, 600), "debt": rng.integers(0, 900, 600), "age": rng.random(600)}
    )
    y = np.where(2 * X.income - X.debt > 310, "good", "bad")
    return X, y, tw.DecisionTreeClassifier(oblique=2).fit(X, y)


def test_texts_and_drawings(loans):
    model = loans[2]
    assert "|--- 2 income - debt <= 31" in tw.export_text(model)
    assert "2 income - debt <= 31" in tw.export_graphviz(model)
    svg = tw.draw(model)._repr_html_()
    assert "2 income - debt" in svg
    assert "2 of 3 columns used" in svg
    assert "2 income - debt" in str(tw.leaves(model))
    tw.plot_tree(model)


def test_regions_have_slanted_borders():
    X, y = triangle(300)
    model = tw.DecisionTreeClassifier(oblique=2).fit(X, y)
    axes = tw.plot_regions({"oblique": model}, X, y, resolution=50)
    assert axes[0].get_title() == "oblique"


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_the_page_predicts_as_the_model_does(rng, code, kind):
    X, y = slanted(rng, 500, 0.3, 0.1)
    X = X.astype(kind)
    model = tw.DecisionTreeClassifier(oblique=3, max_depth=6).fit(X, y)
    assert model.tree_.combinations is not None
    rows = rng.choice(np.append(X[:200].ravel(), [np.nan, np.inf, -np.inf, 0.0]), size=(500, 4)).astype(kind)
    numbers = tw.DecisionTreeRegressor(oblique=2, max_depth=5).fit(X, y * 2.5)
    for form in map(form_of, (model, numbers)):
        given = table_rows(form, np.vstack([X, rows]))
        found = compared("page", form, given, predicted_in(code, form, given))
        assert found.agrees, str(found)


def test_the_page_shows_sums(loans, tmp_path):
    X, y, model = loans
    with opened(report(model, X, y).html, tmp_path) as page:
        assert "2 of 3 columns used" in page.locator(".summary").inner_text()
        assert "2 income - debt" in page.locator(".top-rules").inner_text()
        page.get_by_role("tab", name="What if").click()
        settle(page)
        page.get_by_label("income", exact=True).first.fill("400")
        page.get_by_label("debt", exact=True).first.fill("10")
        settle(page)
        assert "good" in page.get_by_test_id("prediction").inner_text()
        page.get_by_label("debt", exact=True).first.fill("700")
        settle(page)
        assert "bad" in page.get_by_test_id("prediction").inner_text()


def test_the_command_line_fits_shows_explains_and_reports(loans, tmp_path):
    X, y, _ = loans
    table, model, page = tmp_path / "t.csv", tmp_path / "m.json", tmp_path / "r.html"
    X.assign(ok=y).to_csv(table, index=False)
    done = call("fit", table, "--target", "ok", "--oblique", "2", "--model", model, "--report", page)
    assert done.status == 0
    assert "2 income - debt <= 31" in done.out
    assert json.loads(model.read_text())["min_reader"] == 3
    assert load(model).tree_.combinations is not None
    assert "2 income - debt" in page.read_text(encoding="utf-8")
    assert "2 income - debt" in call("explain", model, table, "--row", "1").out
    assert "2 income - debt" in call("show", model).out
    assert call("predict", model, table).status == 0
    assert "an int of at least 2" in call("fit", table, "--target", "ok", "--oblique", "1").err
