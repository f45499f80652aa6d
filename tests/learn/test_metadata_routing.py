"""Weights and groups inside scikit-learn's searches and pipelines, with and without metadata routing."""

import numpy as np
import pytest
import sklearn
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.utils.estimator_checks import check_estimator

from treewright import DecisionTreeClassifier, DecisionTreeRegressor

X = np.random.default_rng(0).normal(size=(80, 3))
y = (X[:, 0] + X[:, 1] > 0).astype(int)
GROUPS = np.arange(80) % 8
both = pytest.mark.parametrize("estimator", [DecisionTreeClassifier, DecisionTreeRegressor])


@both
@pytest.mark.parametrize("routing", [False, True])
def test_groups_of_a_search_are_for_its_folds(estimator, routing):
    with sklearn.config_context(enable_metadata_routing=routing):
        search = GridSearchCV(estimator(), {"max_depth": [1, 2]}, cv=GroupKFold(4))
        assert search.fit(X, y, groups=GROUPS).best_estimator_.get_depth() <= 2


@both
def test_groups_and_weights_are_passed_on_where_requested(estimator):
    with sklearn.config_context(enable_metadata_routing=True):
        model = estimator(ccp_alpha="cv", cv=GroupKFold(3))
        with pytest.raises(ValueError, match="groups"):
            GridSearchCV(model, {"max_depth": [2]}, cv=GroupKFold(4), error_score="raise").fit(
                X, y, groups=GROUPS
            )
        model.set_fit_request(groups=True, sample_weight=True).set_score_request(sample_weight=True)
        search = GridSearchCV(model, {"max_depth": [2]}, cv=GroupKFold(4), error_score="raise")
        search.fit(X, y, groups=GROUPS, sample_weight=np.arange(80.0))
        assert search.best_estimator_.tree_.weighted_n_node_samples[0] == 79 * 40
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            GridSearchCV(estimator(), {"max_depth": [2]}).fit(X, y, sample_weight=np.ones(80))


@both
@pytest.mark.parametrize("routing", [False, True])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_the_checks_of_scikit_learn_hold(estimator, routing):
    with sklearn.config_context(enable_metadata_routing=routing):
        check_estimator(estimator())
