"""The scikit-learn contract, and what surrounds the estimators: pickles, pipelines, ensembles, imports."""

import io
import json
import pickle
import subprocess
import sys

import joblib
import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    StackingRegressor,
    VotingClassifier,
)
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, cross_val_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import treewright
from tests.support.sklearn_checks import checked
from treewright import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
CLASSIFIERS = [DecisionTreeClassifier, ExtraTreeClassifier]
REGRESSORS = [DecisionTreeRegressor, ExtraTreeRegressor]
ALL = CLASSIFIERS + REGRESSORS

# How many checks scikit-learn has for an estimator with several outputs and class weights, by version.
# A wrong order of the mixins would run fewer, and still be green.
N_CHECKS = {"1.9.1": {"classifier": 68, "regressor": 60}}


@pytest.mark.parametrize("cls", ALL)
def test_every_check_of_scikit_learn_passes(cls):
    results = checked(cls())
    if sklearn.__version__ in N_CHECKS:
        assert (
            len(results)
            == N_CHECKS[sklearn.__version__]["classifier" if is_classifier(cls()) else "regressor"]
        )


@pytest.mark.parametrize("cls", ALL)
def test_kinds_and_tags(cls):
    tags = cls().__sklearn_tags__()
    assert is_classifier(cls()) != is_regressor(cls())
    assert tags.input_tags.sparse
    assert tags.input_tags.allow_nan
    assert tags.target_tags.multi_output
    assert (tags.classifier_tags is not None and tags.classifier_tags.multi_label) == is_classifier(cls())


def data_of(cls):
    return IRIS if is_classifier(cls()) else DIABETES


# -- copies


@pytest.mark.parametrize("cls", ALL)
def test_clone_pickle_and_joblib_keep_everything(cls):
    X, y = data_of(cls)
    model = cls(random_state=0, max_depth=4, min_samples_leaf=0.02).fit(X, y)
    model.predict(X)  # so that there is something that must not be pickled
    again = clone(model).fit(X, y)
    assert again.tree_ == model.tree_
    buffer = io.BytesIO()
    joblib.dump(model, buffer)
    buffer.seek(0)
    for copy in (pickle.loads(pickle.dumps(model)), joblib.load(buffer)):
        assert copy.get_params() == model.get_params()
        assert copy.tree_ == model.tree_
        assert not copy.tree_.value.flags.writeable
        assert_array_equal(copy.predict(X), model.predict(X))


def test_pickles_are_the_same_whether_or_not_the_model_was_used():
    X, y = IRIS
    model = DecisionTreeClassifier().fit(X, y)
    fresh = pickle.dumps(model)
    model.predict_proba(X)
    model.get_depth()
    assert pickle.dumps(model) == fresh == pickle.dumps(clone(model).fit(X, y))


def test_a_damaged_pickle_is_refused():
    model = DecisionTreeClassifier().fit(*IRIS)
    state = model.tree_.__getstate__()
    state["first_child"] = np.where(state["first_child"] > 0, 10**6, -1)
    with pytest.raises(ValueError, match="These arrays are not a tree"):
        object.__new__(treewright.Tree).__setstate__(state)


# -- inside scikit-learn's machinery


def test_searches_and_pipelines():
    X, y = IRIS
    pipeline = make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=0))
    assert cross_val_score(pipeline, X, y).mean() > 0.9
    grid = {
        "decisiontreeclassifier__max_depth": [1, 3],
        "decisiontreeclassifier__criterion": ["gini", "entropy"],
    }
    search = GridSearchCV(pipeline, grid).fit(X, y)
    assert search.best_params_["decisiontreeclassifier__max_depth"] == 3
    alphas = {"ccp_alpha": np.linspace(0, 0.1, 20)}
    drawn = RandomizedSearchCV(DecisionTreeClassifier(), alphas, n_iter=4, random_state=0, n_jobs=2).fit(X, y)
    assert drawn.best_score_ > 0.9


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_ensembles_of_our_trees(n_jobs):
    X, y = IRIS
    for cls in CLASSIFIERS:
        ensemble = BaggingClassifier(cls(), n_estimators=10, random_state=0, n_jobs=n_jobs, max_features=0.7)
        assert ensemble.fit(X, y).score(X, y) > 0.9
    assert (
        AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=10).fit(X, y).score(X, y) > 0.9
    )
    voting = VotingClassifier([("a", DecisionTreeClassifier()), ("b", ExtraTreeClassifier())], voting="soft")
    assert voting.fit(X, y).score(X, y) > 0.9


def test_ensembles_of_our_regressors():
    X, y = DIABETES
    for cls in REGRESSORS:
        assert BaggingRegressor(cls(), n_estimators=10, random_state=0).fit(X, y).score(X, y) > 0.6
    boosted = AdaBoostRegressor(DecisionTreeRegressor(max_depth=3), n_estimators=10, random_state=0)
    assert boosted.fit(X, y).score(X, y) > 0.4
    stacked = StackingRegressor(
        [("a", DecisionTreeRegressor(max_depth=3)), ("b", ExtraTreeRegressor(max_depth=3))]
    )
    assert stacked.fit(X, y).score(X, y) > 0.2


def test_inspection_and_wrappers():
    X, y = IRIS
    model = DecisionTreeClassifier(max_depth=3).fit(X, y)
    assert permutation_importance(model, X, y, random_state=0).importances_mean.argmax() in {2, 3}
    assert partial_dependence(model, X, [2], kind="average")["average"].shape[0] == 3
    several = MultiOutputClassifier(DecisionTreeClassifier()).fit(X, np.column_stack([y, y == 1]))
    assert several.score(X, np.column_stack([y, y == 1])) == 1


def test_weights_are_routed_when_requested():
    X, y = IRIS
    weight = np.random.default_rng(0).random(len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        model = (
            DecisionTreeClassifier(max_depth=2)
            .set_fit_request(sample_weight=True)
            .set_score_request(sample_weight=False)
        )
        search = GridSearchCV(model, {"max_depth": [2]}).fit(X, y, sample_weight=weight)
        assert search.best_estimator_.tree_ == clone(model).fit(X, y, sample_weight=weight).tree_
        refusing = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [2]})
        with pytest.raises(ValueError, match="sample_weight"):
            refusing.fit(X, y, sample_weight=weight)
        for method in ("fit", "predict", "predict_proba"):
            assert "check_input" not in getattr(model.get_metadata_routing(), method).requests


def test_checks_can_be_skipped():
    X, y = IRIS
    model = DecisionTreeClassifier().fit(X, y, check_input=False)
    assert model.tree_ == DecisionTreeClassifier().fit(X, y).tree_
    assert model.n_features_in_ == 4
    for method in ("predict", "predict_proba", "apply"):
        assert_array_equal(getattr(model, method)(X, check_input=False), getattr(model, method)(X))


# -- labels and shapes


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["setosa", "versi", "virginica"]),
        np.array(["a", "b", "c"], dtype=object),
        np.array([-5, 0, 10**12]),
        np.array([2.0, 4.0, 8.0]),
        np.array([1, 2, 200], dtype=np.uint8),
        np.array([2**63, 2**63 + 1, 2**64 - 1], dtype=np.uint64),
    ],
)
def test_labels_come_back_as_they_were(labels):
    X, y = IRIS
    model = DecisionTreeClassifier().fit(X, labels[y])
    assert_array_equal(model.classes_, labels)
    assert model.classes_.dtype == labels.dtype
    assert model.predict(X).dtype == labels.dtype
    assert_array_equal(model.predict(X), labels[y])
    assert model.n_classes_ == 3


def test_boolean_labels_and_column_vectors():
    X, y = IRIS
    model = DecisionTreeClassifier().fit(X, (y == 1).reshape(-1, 1))
    assert model.predict(X).dtype == bool
    assert model.predict(X).shape == (150,)
    assert DecisionTreeRegressor().fit(X, y.reshape(-1, 1)).predict(X).shape == (150,)


def test_several_outputs_have_lists():
    X, y = IRIS
    both = np.column_stack([y, y % 2])
    model = DecisionTreeClassifier().fit(X, both)
    assert model.n_outputs_ == 2
    assert_array_equal(model.n_classes_, [3, 2])
    assert [c.tolist() for c in model.classes_] == [[0, 1, 2], [0, 1]]
    assert [p.shape for p in model.predict_proba(X)] == [(150, 3), (150, 2)]
    assert [p.shape for p in model.predict_log_proba(X)] == [(150, 3), (150, 2)]
    assert_array_equal(model.predict(X), both)
    assert_allclose(DecisionTreeRegressor().fit(X, both).predict(X), both)


def test_shapes_and_types_of_one_output():
    X, y = IRIS
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    assert model.predict_proba(X[:1]).shape == (1, 3)
    assert model.predict_proba(X).dtype == np.float64
    assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert np.isneginf(model.predict_log_proba(X)).any()
    assert model.apply(X).dtype.kind == "i"
    assert model.feature_importances_.shape == (4,)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert (model.get_depth(), model.get_n_leaves(), model.max_features_) == (2, 3, 4)


# -- the module


def run(code):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_is_light():
    loaded = json.loads(run("import sys, json, treewright; print(json.dumps(sorted(sys.modules)))"))
    heavy = {"sklearn", "scipy", "pandas", "polars", "pyarrow", "narwhals", "matplotlib", "joblib"}
    assert heavy.isdisjoint(loaded)


def test_public_names_load_on_first_use():
    missing = [name for name in treewright.__all__ if not hasattr(treewright, name)]
    assert missing == []
    assert set(treewright.__all__) <= set(dir(treewright))
    assert treewright.__version__.count(".") >= 2
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = treewright.nonsense
