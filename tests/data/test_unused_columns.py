"""Columns that no test of a tree uses need not be there, and may hold anything."""

import numpy as np
import pytest

from treewright import DecisionTreeClassifier, explain, prune

N = 600


def rows(n=N):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    named = {name: rng.choice(levels, N) for name, levels in (("c", ["x", "y", "z"]), ("d", ["u", "v"]))}
    return pandas.DataFrame({"a": rng.normal(size=N), "b": rng.normal(size=N)} | named).head(n)


@pytest.fixture(scope="module")
def model():
    table = rows()
    y = np.where((table["a"] > 0) ^ (table["c"] == "x"), "yes", "no")
    found = DecisionTreeClassifier(max_depth=2).fit(table, y)
    assert found.tree_.used == [0, 2]
    return found


def as_pandas(table):
    return table


def as_polars(table):
    return pytest.importorskip("polars").from_pandas(table)


def as_arrow(table):
    return pytest.importorskip("pyarrow").Table.from_pandas(table)


def as_dict(table):
    return table.to_dict("list")


@pytest.mark.parametrize("n_rows", [N, 5])  # few rows are read together
@pytest.mark.parametrize("as_table", [as_pandas, as_polars, as_arrow, as_dict])
def test_columns_that_the_tree_does_not_use_do_not_matter(model, as_table, n_rows):
    table = rows(n_rows)
    want = model.predict(table)
    without, other = table[["c", "a"]], table.assign(b="junk", d=3)
    for predictor in (model, model.fitted_tree):
        for given in (without, other):
            np.testing.assert_array_equal(predictor.predict(as_table(given)), want)
            assert explain(predictor, as_table(given), 0).prediction == want[0]


@pytest.mark.parametrize("as_table", [as_pandas, as_polars, as_arrow, as_dict])
def test_absent_columns_are_all_listed(model, as_table):
    with pytest.raises(ValueError, match=r"all columns that the model uses\. It lacks 'a', 'c'\.$"):
        model.predict(as_table(rows()[["b", "d"]]))


@pytest.mark.parametrize("as_table", [as_pandas, as_polars, as_arrow, as_dict])
@pytest.mark.parametrize("n_rows", [N, 5])
def test_the_first_cell_that_is_not_a_number_is_named(model, as_table, n_rows):
    table = rows(n_rows)
    table = table.assign(a=[*(str(value) for value in table["a"][:-1]), "k.A."])
    with pytest.raises(ValueError, match=rf"column 'a' holds text \('k\.A\.' in row {n_rows - 1}\), and"):
        model.predict(as_table(table))


@pytest.mark.parametrize("as_table", [as_pandas, as_polars, as_arrow, as_dict])
def test_a_tree_without_tests_needs_no_column(model, as_table):
    root = prune(model, "leaf_budget", n_leaves=1)
    assert len(root.predict(as_table(rows()[["b"]]))) == N


def test_positions_are_not_names(model):
    table = rows().to_numpy(dtype=object)
    np.testing.assert_array_equal(model.predict(table), model.predict(rows()))
    with pytest.raises(ValueError, match="X has 2 features, but DecisionTreeClassifier is expecting 4"):
        model.predict(table[:, [0, 2]])
