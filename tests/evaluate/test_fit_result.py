"""`fit(X, y)` in every form, and its result as a fitted estimator of scikit-learn."""

import pickle
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import is_classifier, is_regressor
from sklearn.datasets import load_breast_cancer, load_diabetes, make_classification
from sklearn.inspection import PartialDependenceDisplay, permutation_importance
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import check_is_fitted

import treewright
from tests.evaluate.test_fit import loans
from treewright import fit

pd = pytest.importorskip("pandas")


def table(rng, n=150):
    X = rng.normal(size=(n, 3)).round(2)
    return X, np.where(X[:, 0] + rng.normal(0, 0.5, n) > 0, "yes", "no")


@pytest.mark.parametrize("kind", ["array", "list", "sparse", "pandas", "polars"])
def test_a_table_and_its_target_may_be_apart(kind, rng):
    X, y = table(rng)
    wanted = fit(X, y)
    made = {
        "array": X,
        "list": X.tolist(),
        "sparse": sparse.csr_matrix(X),
        "pandas": pd.DataFrame(X, columns=["a", "b", "c"]),
        "polars": pytest.importorskip("polars").DataFrame(X, schema=["a", "b", "c"]),
    }[kind]
    found = fit(made, y.tolist() if kind == "list" else y)
    assert_array_equal(found.predict(made), wanted.predict(X))
    assert found.scores == wanted.scores
    assert found.target == "y"
    assert found.n_features_in_ == 3
    assert hasattr(found, "feature_names_in_") == (kind in {"pandas", "polars"})


def test_the_name_of_a_series_is_the_name_of_the_target(rng):
    X, y = table(rng)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    for target in (pd.Series(y, name="bought"), pd.DataFrame({"bought": y})):
        found = fit(frame, target, score=False)
        assert found.target == "bought"
        assert found.columns == ("a", "b", "c")
    whole = fit(frame.assign(bought=y), "bought", score=False)
    assert whole.model.tree_ == found.model.tree_


def test_a_target_of_another_length_gets_a_short_message(rng):
    X, y = table(rng)
    with pytest.raises(ValueError, match=r"^y must have one entry per row: 150\. Got 149\.$"):
        fit(X, pd.Series(y[1:]))
    with pytest.raises(ValueError, match=r"y must be one column of values\. Got 2 dimensions"):
        fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="exclude needs a table with names"):
        fit(X, y, exclude="a")


def test_the_result_is_a_fitted_classifier_for_scikit_learn(rng):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from sklearn.calibration import CalibrationDisplay
    from sklearn.metrics import RocCurveDisplay

    X, y = table(rng)
    found = fit(X, y, score=False)
    check_is_fitted(found)
    assert is_classifier(found)
    assert found.classes_.tolist() == ["no", "yes"]
    assert_allclose(found.predict_proba(X), found.model.predict_proba(X))
    assert_array_equal(found.apply(X), found.model.apply(X))
    assert found.score(X, y) == accuracy_score(y, found.predict(X))
    weight = rng.random(len(y))
    assert found.score(X, y, weight) == accuracy_score(y, found.predict(X), sample_weight=weight)
    importance = permutation_importance(found, X, y, n_repeats=2, random_state=0)
    assert importance.importances_mean.argmax() == 0
    assert RocCurveDisplay.from_estimator(found, X, y, pos_label="yes").roc_auc > 0.8
    CalibrationDisplay.from_estimator(found, X, y, pos_label="yes")
    PartialDependenceDisplay.from_estimator(found, X, [0], response_method="predict_proba")
    plt.close("all")


def test_the_result_is_a_fitted_regressor_for_scikit_learn(rng):
    X, _ = table(rng)
    y = X[:, 0] + rng.normal(0, 0.1, len(X))
    found = fit(X, y, score=False)
    assert is_regressor(found)
    assert found.score(X, y) == pytest.approx(found.model.score(X, y))
    assert not hasattr(found, "classes_")
    with pytest.raises(AttributeError, match="predict_proba is for classes"):
        found.predict_proba(X)


def test_the_result_is_a_model_for_every_function_and_has_its_scores_as_a_frame(rng, tmp_path):
    X, y = table(rng)
    found = fit(X, y)
    assert found.fitted_tree.tree == found.model.tree_
    assert treewright.roc_curve(found, X, y).auc > 0.8
    assert treewright.calibration_curve(found, X, y).brier < 0.25
    assert list(found.to_frame()["metric"]) == [score.metric for score in found.scores]
    assert found.main_score is found.scores[0]
    assert str(found) in repr(found)
    loaded = treewright.load(found.save(tmp_path / "m.tree.json"))
    assert_array_equal(loaded.predict(X), found.predict(X))
    again = found.fit(X[:100], y[:100])
    assert again.model.tree_.n_node_samples[0] == 100
    assert again.scores == ()
    assert 0.5 < treewright.nested_cv_score(found, X, y, cv=3).score <= 1


def test_a_result_is_pickled_without_its_table(rng):
    X, y = table(rng, 400)
    found = fit(np.column_stack([X, np.ones(400)]), y, score=False)
    assert found.check.findings
    pickled = pickle.dumps(found)
    again = pickle.loads(pickled)
    assert_array_equal(
        again.predict(np.column_stack([X, X[:, 0]])), found.predict(np.column_stack([X, X[:, 0]]))
    )
    assert len(pickled) < len(pickle.dumps(found.model)) + 20_000
    assert again.fit(X[:50], y[:50]).model.n_features_in_ == 3


def test_threads_do_not_change_the_result(rng):
    X, y = table(rng, 300)
    alone, both = (fit(X, y, n_jobs=n_jobs) for n_jobs in (1, 3))
    assert alone.model.tree_ == both.model.tree_
    assert alone.scores == both.scores
    assert both.model.get_params()["n_jobs"] == 3


def test_the_weights_of_a_test_table_count():
    train, test = loans(), loans(seed=5)
    how = {"exclude": "amount", "sample_weight": "weight"}
    found = fit(train, "default", test=test, **how)
    X, y = test.select("income", "job"), test["default"].to_numpy()
    wanted = accuracy_score(y, found.predict(X), sample_weight=test["weight"].to_numpy())
    assert found.main_score.value == pytest.approx(wanted)
    bare = fit(train, "default", test=test.drop("weight"), **how)
    assert bare.main_score.value == pytest.approx(accuracy_score(y, found.predict(X)))
    assert "The test rows have no weights: they all count alike." in bare.notes
    features, target, weight = train.select("income", "job"), train["default"], train["weight"]
    pair = fit(features, target, sample_weight=weight, test=(X, y, test["weight"].to_numpy()))
    assert pair.main_score == found.main_score


def test_a_warning_comes_once(rng):
    X, y = table(rng)
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(empty=np.nan)
    with pytest.warns(UserWarning, match="Every value is missing in column 'empty'") as caught:
        fit(frame, y)
    assert len(caught) == 1
    with pytest.warns(UserWarning, match="Every value is missing in column 'empty'") as caught:
        treewright.nested_cv_score(treewright.DecisionTreeClassifier(max_depth=2), frame, y)
    assert len(caught) == 1


@pytest.mark.parametrize("data", [load_breast_cancer, load_diabetes])
def test_the_simplest_tree_of_nearly_the_least_loss_has_the_best_beside_it(data, tmp_path):
    table, target = data(as_frame=True).frame, "target"
    found = fit(table, target, check=False)
    curve = found.model.pruning_curve_
    simple, best = curve.place("0.2se"), curve.place("cv")
    assert found.model.get_n_leaves() == curve.n_leaves[simple] < curve.n_leaves[best]
    assert found.best.model.get_n_leaves() == curve.n_leaves[best]
    same = fit(table, target, check=False, ccp_alpha="cv")
    assert found.best.model.tree_ == same.model.tree_
    assert found.best.scores == same.scores
    assert same.best is same
    assert str(found.model.get_n_leaves()) in found.sizes
    assert str(found.best.model.get_n_leaves()) in found.sizes
    again = treewright.load(found.save(tmp_path / "model.json"))
    assert again.tree_ == found.model.tree_
    assert again.best_.tree_ == found.best.model.tree_
    assert again.fitted_tree.training["best"]["leaves"] == curve.n_leaves[best]


def test_a_simple_tree_that_loses_more_than_one_standard_error_is_not_the_result():
    X, y = make_classification(80, 6, n_informative=4, flip_y=0.15, random_state=5)
    X = pd.DataFrame(X).add_prefix("x")
    found, given = fit(X, y, check=False), fit(X, y, check=False, ccp_alpha="0.2se")
    lost = given.best.main_score.value - given.main_score.value
    error = (given.best.main_score.high - given.best.main_score.low) / (2 * 2.776445)
    assert lost > error
    assert found.best is found
    assert found.model.tree_ == given.best.model.tree_
    assert found.scores == given.best.scores
    assert found.params["ccp_alpha"] == "cv"
    assert "The simpler tree (4 leaves) loses more than one standard error of accuracy" in found.notes[-1]


def test_the_best_tree_decides_by_the_same_costs():
    table, costs = load_breast_cancer(as_frame=True).frame, {"false_positive": 1, "false_negative": 6}
    found, same = (fit(table, "target", check=False, costs=costs, ccp_alpha=rule) for rule in ("1se", "cv"))
    assert found.best is not found
    assert found.best.model.tree_ == same.model.tree_
    assert found.best.scores == same.scores


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_tables_of_a_few_rows_are_fitted(n):
    found = fit(pd.DataFrame({"x": np.arange(n), "y": np.arange(n) + 0.25}), "y", check=False)
    assert found.predict(pd.DataFrame({"x": [0.0]})).shape == (1,)
    assert found.scored_on.startswith("Not scored")


def test_a_loaded_model_has_best_even_if_both_trees_are_the_same(tmp_path):
    X = np.arange(60.0).reshape(-1, 1)
    result = treewright.fit(X, np.where(X[:, 0] > 30, "b", "a"), score=False)
    model = treewright.load(result.save(tmp_path / "m.tree.json"))
    assert result.best is result
    assert model.best_ is model
    assert result.model.best_ is result.model
    assert not hasattr(treewright.DecisionTreeClassifier().fit(X, X[:, 0] > 30), "best_")
    assert treewright.load(model.save(tmp_path / "n.tree.json")).best_.get_n_leaves() == 2


def test_scores_of_large_targets_are_printed_without_exponents(rng):
    X = rng.normal(size=(200, 3))
    text = str(fit(X, 1e5 * X[:, 0] + rng.normal(size=200)))
    assert "e+" not in text
    assert re.search(r"root mean squared error +\d\d,\d\d0 ", text)
