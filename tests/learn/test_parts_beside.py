"""Groups, times, exposure and weights of a table in parts: the tree of memory on the same folds."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.data.common.errors import ParameterError
from treewright.data.exact_totals import class_totals
from treewright.data.files.errors import TableError
from treewright.data.parts import Reading, describe, merge
from treewright.data.parts.hashes import hash_of_values
from treewright.data.parts.value_counts import MOST, ValueCounts
from treewright.learn.folds import folds_of
from treewright.learn.parts.budget import Sizes
from treewright.learn.parts.folds import Division, lists_of
from treewright.learn.parts.given import Given, Limits

N = 600


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    x, kind = rng.normal(size=(N, 3)), rng.choice(["a", "b", "c"], N)
    number = x[:, 0] + (kind == "a") + rng.normal(size=N)
    return pl.DataFrame(
        {
            "x": x[:, 0], "u": x[:, 1], "kind": kind, "w": rng.gamma(2.0, size=N),
            "group": rng.choice([f"patient {k}" for k in range(40)], N), "year": rng.integers(1990, 2020, N),
            "time": rng.gamma(3.0, size=N), "events": rng.poisson(np.exp(x[:, 0] / 2)).astype(float),
            "number": number, "label": np.where(number > 0.4, "yes", "no"),
        }
    )  # fmt: skip


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(Sizes, "of", classmethod(lambda cls, *_: cls(130, 200, 1 << 20, 0)))


def in_parts(table, folder):
    for part, (first, end) in enumerate([(0, 50), (50, 420), (420, N)]):
        table[first:end].write_parquet(folder / f"{part}.parquet")
    return folder


def on_dask(table):
    dd = pytest.importorskip("dask.dataframe")
    return dd.from_pandas(table.to_pandas(), npartitions=2, sort=False)


def division_of(table, cv, **beside):
    reading = Reading("label", True, **beside)
    return Division(merge([describe([table], reading, "the table")], reading), cv)


@pytest.mark.parametrize("params", [{"ccp_alpha": "1se"}, {"ccp_alpha": "cv", "cv": 3}], ids=str)
@pytest.mark.parametrize("target", ["label", "number"])
def test_groups_stay_in_one_fold(params, target, table, tmp_path, client):
    make = DecisionTreeClassifier if target == "label" else DecisionTreeRegressor
    used = table["x", "u", "kind", "group", target]
    division = division_of(table["x", "group", "label"], params.get("cv", 5), groups="group")
    hashes = hash_of_values(table["group"].to_numpy()).view(np.int64)
    folds = lists_of(division.of(hashes, None), division.folds)
    for train, test in folds:
        assert not set(table["group"][train]) & set(table["group"][test])
        assert abs(len(test) - N / len(folds)) < 40
    expected = make(**(params | {"cv": folds})).fit(used, target, groups="group")
    found = make(**params).fit(in_parts(used, tmp_path), target, groups="group", memory=1)
    clustered = make(**params).fit(on_dask(used), target, groups="group", client=client)
    assert expected.tree_.digest == found.tree_.digest == clustered.tree_.digest
    assert expected.best_.tree_.digest == found.best_.tree_.digest == clustered.best_.tree_.digest
    assert list(found.feature_names_in_) == ["x", "u", "kind"]
    assert found.notes_[1].endswith("folds of cross-validation are by a hash of the group of the row.")


def test_folds_in_time_are_those_of_memory(table, tmp_path, client):
    used = table["x", "u", "kind", "year", "number"]
    folds = folds_of(4, None, table["number"].to_numpy(), time=table["year"].to_numpy())
    params = {"ccp_alpha": "cv", "smoothing": "branch"}
    expected = DecisionTreeRegressor(cv=folds, **params).fit(used.drop("year"), "number")

    def grown(X, limits):
        given = Given(X, "number", time="year")
        return DecisionTreeRegressor(cv=4, **params).fit_rows(given, limits)

    found = grown(in_parts(used, tmp_path), Limits(memory=1))
    clustered = grown(on_dask(used), Limits(client=client))
    assert expected.tree_.digest == found.tree_.digest == clustered.tree_.digest
    assert found.notes_[1].startswith("The 4 folds of cross-validation are by time")


def test_exposure(table, tmp_path, client):
    used = table["x", "u", "kind", "w", "time", "events"]
    params = {"criterion": "poisson", "max_depth": 4}
    beside = {"sample_weight": "w", "exposure": "time"}
    expected = DecisionTreeRegressor(**params).fit(used, "events", **beside)
    found = DecisionTreeRegressor(**params).fit(in_parts(used, tmp_path), "events", **beside, memory=1)
    clustered = DecisionTreeRegressor(**params).fit(on_dask(used), "events", **beside, client=client)
    assert expected.tree_.digest == found.tree_.digest == clustered.tree_.digest


@pytest.mark.parametrize(
    "params",
    [
        {"priors": {"no": 0.2, "yes": 0.8}},
        {"costs": [[0, 1], [7, 0]]},
        {"class_weight": "balanced"},
        {"priors": [0.3, 0.7], "ccp_alpha": "1se"},
        {"costs": [[0, 1], [7, 0]], "ccp_alpha": "cv"},
    ],
    ids=str,
)
def test_weights_with_what_the_classes_weigh(params, table, tmp_path, client):
    used = table["x", "u", "kind", "w", "label"]
    division = division_of(used, 5)
    folds = lists_of((hash_of_values(np.arange(1, N + 1)) % np.uint64(5)).astype(int), division.folds)
    make = DecisionTreeClassifier
    expected = make(**params, max_leaf_nodes=30, cv=folds).fit(used, "label", sample_weight="w")
    found = make(**params, max_leaf_nodes=30).fit(
        in_parts(used, tmp_path), "label", sample_weight="w", memory=1
    )
    clustered = make(**params, max_leaf_nodes=30).fit(
        on_dask(used), "label", sample_weight="w", client=client
    )
    assert expected.tree_.digest == found.tree_.digest == clustered.tree_.digest


@pytest.mark.parametrize(
    "params",
    [
        {"priors": [0.3, 0.7], "costs": [[0, 1], [7, 0]]},
        {"class_weight": "balanced", "costs": [[0, 3], [1, 0]]},
    ],
    ids=str,
)
def test_several_weights_of_classes_together(params, table, tmp_path):
    used = table["x", "u", "kind", "label"]
    expected = DecisionTreeClassifier(max_depth=5, **params).fit(used, "label")
    found = DecisionTreeClassifier(max_depth=5, **params).fit(in_parts(used, tmp_path), "label", memory=1)
    assert expected.tree_.digest == found.tree_.digest


def test_what_is_rejected(table, tmp_path):
    whole = tmp_path / "whole.parquet"
    table.with_columns(
        gap=pl.when(pl.col("x") > 0).then(pl.col("year")), zero=pl.lit(0.0), one=pl.lit("only")
    ).write_parquet(whole)
    classifier = DecisionTreeClassifier(ccp_alpha="cv")
    with pytest.raises(TableError, match=r"groups 'gap' must have a value in every row. .*whole.parquet has"):
        classifier.fit(whole, "label", groups="gap", memory=1)
    with pytest.raises(TableError, match="groups must have at least two groups"):
        classifier.fit(whole, "label", groups="one", memory=1)
    for time, words in (("kind", "time 'kind' must hold numbers"), ("zero", "at least two different times")):
        with pytest.raises(TableError, match=words):
            classifier.fit_rows(Given(whole, "label", time=time), Limits(memory=1))
    with pytest.raises(ParameterError, match="Give one of groups and time"):
        classifier.fit_rows(Given(whole, "label", groups="group", time="year"), Limits(memory=1))
    both = DecisionTreeClassifier(costs=[[0, 1], [2, 0]], class_weight="balanced")
    with pytest.raises(ParameterError, match="Give one of class_weight, priors and costs with it"):
        both.fit(whole, "label", sample_weight="w", memory=1)
    regressor = DecisionTreeRegressor(criterion="poisson")
    with pytest.raises(TableError, match=r"exposure 'zero' must be above 0. .* has 0. Leave such rows out."):
        regressor.fit(whole, "events", exposure="zero", memory=1)
    with pytest.raises(ValueError, match="exposure needs criterion='poisson'"):
        DecisionTreeRegressor().fit(whole, "events", exposure="time", memory=1)
    with pytest.raises(ParameterError, match=r"groups must be a column of X. Got 'grop'"):
        classifier.fit(whole, "label", groups="grop", memory=1)


# -- what they are made of


def test_hashes_of_values_do_not_depend_on_their_type():
    whole = np.array([0, 1, -5, 2**40])
    for values in (whole.astype(float), whole.astype(object).astype(float)):
        np.testing.assert_array_equal(hash_of_values(whole), hash_of_values(values))
    days = np.array(["2020-01-01", "1969-05-04"], dtype="M8[D]")
    np.testing.assert_array_equal(hash_of_values(days), hash_of_values(days.astype("M8[ns]")))
    text = np.array(["b", "a", "b"], dtype=object)
    category = pd.Series(text).astype("category").to_numpy()
    np.testing.assert_array_equal(hash_of_values(text), hash_of_values(category))
    assert len(set(hash_of_values(np.array([0.1, 0.2, 0.1, 3.0])).tolist())) == 3


def test_counts_of_many_values_do_not_depend_on_parts():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 3 * MOST, 8 * MOST)
    whole = ValueCounts.of(values)
    assert len(whole.counts) == MOST
    assert not whole.complete
    for cuts in ([100, 5000], [3 * MOST], [10, 20, 7 * MOST]):
        parts = ValueCounts()
        for part in np.split(values, cuts):
            parts += ValueCounts.of(part)
        assert parts == whole
    assert all(np.sum(values == value) == count for value, count in list(whole.counts.items())[:50])


def test_folds_of_many_groups_are_by_hash(monkeypatch, table):
    monkeypatch.setattr("treewright.data.parts.value_counts.MOST", 7)
    division = division_of(table["x", "group", "label"], 5, groups="group")
    hashes = hash_of_values(table["group"].to_numpy())
    np.testing.assert_array_equal(division.of(hashes.view(np.int64), None), hashes % np.uint64(5))


def test_totals_are_exact_in_any_order():
    rng = np.random.default_rng(0)
    weights = np.concatenate([rng.gamma(0.1, size=500), [1e300, 5e-324, 0.0, 1e-200]])
    codes = rng.integers(0, 3, len(weights))
    from fractions import Fraction

    expected = [float(sum(map(Fraction, weights[codes == k].tolist()), Fraction(0))) for k in range(4)]
    for _ in range(3):
        order = rng.permutation(len(weights))
        assert class_totals(codes[order], weights[order], 4).tolist() == expected
    assert class_totals(codes, None, 4).tolist() == np.bincount(codes, minlength=4).tolist()
