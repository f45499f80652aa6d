"""Our trees beside recorded trees of scikit-learn 1.9: the same, or split by a tied split that is as good."""

import pytest

import treewright
from tests.support.golden import cases_of
from tests.support.golden_sklearn import check_tree

pytestmark = [
    pytest.mark.recorded,
    pytest.mark.filterwarnings("ignore:Every value is missing"),  # one table has such a column
]


def drop_in(task, **params):
    kind = treewright.DecisionTreeRegressor if task == "regression" else treewright.DecisionTreeClassifier
    return kind(**params)


@pytest.mark.parametrize("path", cases_of("sklearn"), ids=lambda path: path.stem)
def test_tree_is_the_recorded_one_up_to_ties(path):
    check_tree(path, drop_in)
