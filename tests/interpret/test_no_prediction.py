"""A leaf of ID3 that no training row reached has no prediction, and every explanation says so."""

import numpy as np
import pytest

from treewright import classics, counterfactual, explain, leaves, rules, shapley_values

pd = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def model():
    """At "b" no training row has the level "z" of the second column."""
    X = pd.DataFrame(
        {
            "first": pd.Categorical(list("aaaaaabbbb")),
            "second": pd.Categorical(list("xyzxyzxxxy"), categories=["x", "y", "z"]),
        }
    )
    y = np.array(["no"] * 6 + ["yes"] * 3 + ["no"])
    return classics.id3().fit(X, y)


@pytest.fixture
def row():
    return {"first": "b", "second": "z"}


def test_the_estimator_predicts_none(model, row):
    assert model.predict(pd.DataFrame([row]))[0] is None


def test_explain_says_that_there_is_no_prediction(model, row):
    found = explain(model, row)
    assert (found.prediction, found.decided) == (None, -1)
    assert str(found).startswith("Row 0: no prediction (leaf ")
    assert "with probability" not in str(found)
    assert "No training row reached this leaf, so there is no prediction." in str(found)
    assert found.contributions == {}
    assert found.to_dict()["prediction"] is None
    assert found.to_dict()["end"] is None
    assert "no prediction" in found._repr_html_()


def test_rules_predict_nothing_there(model, row):
    found = rules(model)
    frame = pd.DataFrame([row, {"first": "b", "second": "x"}, {"first": "a", "second": "z"}])
    assert found.predict(frame).tolist() == [None, "yes", "no"]
    empty = next(rule for rule in found if rule.prediction is None)
    assert (empty.confidence, empty.lift, empty.probability) == (None, None, None)
    assert str(empty).endswith("then no prediction")
    assert "No prediction" in str(found)
    assert "A rule without a prediction is a leaf that no training row reached." in str(found)
    form = found.dnf("yes")
    assert form.matches(frame).tolist() == [False, True, False]


def test_leaves_have_no_prediction_there(model, row):
    found = leaves(model)
    leaf = int(model.apply(pd.DataFrame([row]))[0])
    here = next(each for each in found.to_dicts() if each["leaf"] == leaf)
    assert here["prediction"] is None
    assert here["rows"] == 0


def test_a_counterfactual_leads_to_a_class(model, row):
    found = counterfactual(model, row)
    assert found.before.text == "no prediction"
    assert found.after.value in {"yes", "no"}
    assert str(found).startswith("Row 0: no prediction. To be any class, change 1 column:")


def test_shapley_values_add_up_there_too(model, row):
    found = shapley_values(model, row)
    assert np.allclose(found.base + found.values.sum(axis=1), 0)
