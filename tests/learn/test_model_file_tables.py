"""Tables for a model from a file: columns by name, in any order, of any library."""

from dataclasses import replace

import pytest
from numpy.testing import assert_array_equal

from tests.learn.test_model_file import LEFT_RIGHT, X, Y
from tests.tree.test_tree import chain
from tools.fuzz_models import HOSTILE, models
from treewright import DecisionTreeClassifier
from treewright.learn.model_file import file_form, read, save
from treewright.tree.tree import tree_from_dict


@pytest.fixture(scope="module")
def every():
    return {name: (model, rows) for name, model, rows in models()}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.tree.json"


@pytest.mark.parametrize("kind", ["classes", "surrogates", "shares", "numbers"])
def test_columns_are_found_by_name_in_any_order(every, kind, frame, path):
    import pandas as pd

    model, rows = every[kind]
    saved = read(save(model, path))
    mixed = rows.assign(extra=1.0)[[*rows.columns[::-1], "extra"]]
    mixed = mixed.astype({HOSTILE[1]: object, HOSTILE[3]: object})
    columns = {
        name: part.tolist() if part.dtype == object else part.to_numpy() for name, part in mixed.items()
    }
    made = frame(columns)
    assert_array_equal(saved.apply(made), model.apply(rows))
    assert_array_equal(saved.predict(columns), model.predict(rows))
    assert len(saved.predict(pd.DataFrame(columns).iloc[:0])) == 0


def test_a_table_without_names_must_be_as_wide(path):
    saved = read(save(DecisionTreeClassifier(max_depth=2).fit(X, Y), path))
    assert_array_equal(saved.apply(X.tolist()), saved.apply(X))
    assert_array_equal(saved.apply({"a": X[:, 0], 1: X[:, 1], None: X[:, 2]}), saved.apply(X))
    for narrow in (X[:, :2], {"a": [1.0], "b": [2.0]}, saved.columns(X[:, :3]) and X[:, :1]):
        with pytest.raises(ValueError, match=r"X has [12] features, but .* is expecting 3 features"):
            saved.predict(narrow)
    import polars as pl

    with pytest.raises(ValueError, match=r"X has 1 features, but .* is expecting 3 features"):
        saved.predict(pl.DataFrame({"a": [1.0]}))
    with pytest.raises(ValueError, match=r"X has 1 features"):
        saved.predict(read(save(chain(1), path)).columns([[1.0]]))


def test_an_unknown_column_gets_the_nearest_name():
    import polars as pl

    tree = tree_from_dict(LEFT_RIGHT, feature_names=["income"], classes=["no", "yes"])
    saved = file_form(tree)
    for rows in (pl.DataFrame({"incone": [1.0]}), {"incone": [1.0], 3: [1]}):
        with pytest.raises(ValueError, match=r"It lacks 'income'\. Did you mean its column 'incone'"):
            saved.predict(rows)
    with pytest.raises(ValueError, match=r"It lacks 'income'\.$"):
        saved.predict({"x": [1.0]})
    two = replace(chain(1), n_features=2, feature_names=("a", "b"))
    assert file_form(two).predict({"a": [1.0]}).shape == (1,)  # no test uses b
    with pytest.raises(ValueError, match=r"same length\. Got \[1, 2\]"):
        file_form(two).select({"a": [1.0], "b": [1.0, 2.0]})
    with pytest.raises(TypeError, match="collect it first"):
        saved.predict(pl.LazyFrame({"income": [1.0]}))
    with pytest.raises(ValueError, match="predict_proba needs a classifier"):
        file_form(two).predict_proba({"a": [1.0], "b": [1.0]})
