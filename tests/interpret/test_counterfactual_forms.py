"""The changed row as it comes back: of the same type where that holds the new values, widened where not."""

import datetime as dt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright
from tests.support.drawn import drawn
from treewright import DecisionTreeClassifier, counterfactual
from treewright.interpret.counterfactual.numbers import Domains
from treewright.interpret.described_model import describe
from treewright.interpret.row import rows_of

pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")


def flips(model, row, **how):
    found = counterfactual(model, row, **how)
    assert found.found
    assert model.predict(found.X)[0] != model.predict(row)[0]
    assert model.predict(found.X)[0] == found.after.value
    return found


def test_text_is_as_long_as_it_must_be():
    model = DecisionTreeClassifier().fit(np.array([["a"], ["bb"], ["b"]] * 50), [0, 1, 0] * 50)
    assert flips(model, np.array([["a"]])).X.tolist() == [["bb"]]


SECONDS = np.array([0.1, 0.5, 0.9] * 20)
TIMES = np.datetime64("2024-01-01", "us") + (SECONDS * 1e6).astype("m8[us]")


@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
def test_times_are_as_fine_as_they_must_be(zone):
    X = pd.DataFrame({"at": pd.Series(TIMES).dt.tz_localize(zone)})
    model = DecisionTreeClassifier().fit(X, SECONDS > 0.3)
    found = flips(model, X[:1].astype(f"datetime64[s{f', {zone}' if zone else ''}]"), reference=X)
    assert found.X["at"].iloc[0] < X["at"].max()
    X = pl.DataFrame({"at": TIMES})
    model = DecisionTreeClassifier().fit(X, SECONDS > 0.3)
    flips(model, pl.DataFrame({"at": [dt.date(2024, 1, 1)]}), reference=X)
    array = TIMES[:, None]
    model = DecisionTreeClassifier().fit(array, SECONDS > 0.3)
    assert flips(model, array[:1].astype("M8[s]"), reference=array).X.dtype == "M8[us]"


def test_durations_of_seconds():
    X = pd.DataFrame({"took": pd.to_timedelta(SECONDS, unit="s")})
    model = DecisionTreeClassifier().fit(X, SECONDS > 0.3)
    flips(model, X[:1].astype("timedelta64[s]"), reference=X)


def test_a_time_zone_in_a_dict_is_kept():
    X = pd.DataFrame({"at": pd.Series(TIMES).dt.tz_localize("UTC")})
    model = DecisionTreeClassifier().fit(X, SECONDS > 0.3)
    found = counterfactual(model, {"at": dt.datetime(2024, 1, 1, tzinfo=dt.UTC)}, reference=X)
    assert counterfactual(model, found.X, found.after.value).distance == 0


def test_categories_that_lack_the_level():
    levels = ["a", "b", "c"] * 20
    X = pl.DataFrame({"kind": pl.Series(levels, dtype=pl.Enum(["a", "b", "c"]))})
    model = DecisionTreeClassifier().fit(X, [0, 1, 0] * 20)
    flips(model, pl.DataFrame({"kind": pl.Series(["a"], dtype=pl.Enum(["a"]))}))
    assert flips(model, X[:1]).X.schema == X.schema
    for ordered in (False, True):
        X = pd.DataFrame({"kind": pd.Categorical(levels, ordered=ordered)})
        model = DecisionTreeClassifier().fit(X, [0, 1, 0] * 20)
        flips(model, pd.DataFrame({"kind": pd.Categorical(["a"], ordered=ordered)}))
        assert flips(model, X[:1]).X.dtypes.equals(X.dtypes)


@pytest.mark.parametrize("dtype", ["Int64", "UInt8", "int64", "uint8", "Float32", "float32", "int16"])
def test_types_of_pandas_are_kept(dtype):
    X = pd.DataFrame({"a": pd.Series(range(100), dtype=dtype), "b": range(100)})
    model = DecisionTreeClassifier().fit(X[["a"]], np.arange(100) > 50)
    for how in ({"row": 3}, {"row": 3, "reference": X}):
        found = counterfactual(model, X[["a"]], **how)
        assert found.X.dtypes.equals(X[["a"]].dtypes)
        assert model.predict(found.X)[0]


# -- whole numbers


def fractions():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.random(200), "b": rng.random(200)})
    return X, (X["a"] > 0.5) & (X["b"] > 0.3) & (X["a"] < 0.9)


@pytest.mark.parametrize(
    "row",
    [
        {"a": 0, "b": 0},
        pd.Series({"a": 0, "b": 0}),
        pd.DataFrame({"a": [0], "b": [0]}),
        pl.DataFrame({"a": [0], "b": [0]}),
        pd.DataFrame({"a": pd.array([0], dtype="Int8"), "b": [False]}),
        [0, 0],
        np.zeros((1, 2), dtype=np.int8),
    ],
    ids=lambda row: type(row).__name__,
)
def test_how_a_value_is_typed_says_nothing(row):
    X, y = fractions()
    model = DecisionTreeClassifier().fit(X, y)
    for reference in (None, X):
        plain = counterfactual(model, {"a": 0.0, "b": 0.0}, reference=reference)
        found = counterfactual(model, row, reference=reference)
        assert plain.found
        assert (found.distance, found.least) == (plain.distance, plain.least)
        values = list(found.X.values()) if isinstance(found.X, dict) else np.asarray(found.X).reshape(-1)
        assert list(values) == list(plain.X.values())
        assert found.changes[-1].before == 0


@given(
    seed=st.integers(0, 1000),
    dtype=st.sampled_from(["int8", "int64", "uint8", "float16", "float32", "float64", "bool"]),
)
@drawn(60)
def test_any_array_flips(seed, dtype):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50, 2)) * 3
    model = DecisionTreeClassifier(random_state=0).fit(X, X[:, 0] > X[:, 1])
    flips(model, rng.integers(0, 3, (1, 2)).astype(dtype))


def test_a_column_is_whole_where_something_says_so():
    X = np.array([[10], [20], [21], [40]])
    model = DecisionTreeClassifier().fit(X, [0, 0, 1, 1])  # tests <= 20.5
    assert counterfactual(model, [30]).X.tolist() == [20.5]
    assert counterfactual(model, [30], reference=X).X.tolist() == [20]
    assert counterfactual(model, [30.0], reference=X.astype(float)).X.tolist() == [20.0]
    assert counterfactual(model, [30], reference=X + 0.25).X.tolist() == [20.5]
    assert counterfactual(model, X, row=3).X.tolist() == [[20]]  # the type of a table
    assert counterfactual(model, X.tolist(), row=3).X.tolist() == [[20.5]]  # a list has none
    assert counterfactual(model, pd.DataFrame(X, dtype=object), row=3).X.iloc[0, 0] == 20.5
    assert counterfactual(model, [30.5], reference=X).found  # a row that is not whole may be so


def test_numbers_beyond_float64_are_whole_and_others_stay():
    big = 2**60
    X = np.array([[big, 0.5], [big + 1, 0.5], [big + 2, 0.5], [big + 3, 0.5]], dtype=object)
    model = DecisionTreeClassifier().fit(X, [0, 0, 1, 1])
    assert counterfactual(model, {0: big, 1: 0}).X[0] == big + 2
    whole = np.array([[big + 1, 0], [big + 1, 1]] * 5)
    model = DecisionTreeClassifier().fit(whole, [0, 1] * 5)
    found = flips(model, whole[:1])
    assert found.X.tolist() == [[big + 1, 0.501]]  # the other column loses no digit


def test_a_row_beyond_the_type_of_the_reference():
    X = np.arange(100, dtype=np.int8)[:, None]
    model = DecisionTreeClassifier().fit(X, X[:, 0] > 50)
    assert counterfactual(model, [1000], reference=X).X.tolist() == [50]
    assert not describe(model).tree.column_types
    row = rows_of(describe(model), [1000], 0)[0]
    assert Domains(describe(model), row.columns).of(0, row.columns[0]).high == 2**63 - 1


# -- what is reported, and of which models


def test_float32_is_printed_in_its_own_digits():
    X = pd.DataFrame({"c": np.array([0.1, 0.2, 0.3, 0.4], dtype=np.float32)})
    found = counterfactual(DecisionTreeClassifier().fit(X, [0, 0, 1, 1]), X, row=0)
    assert "c  0.1 -> 0.251" in str(found)


def test_what_fit_returns_is_a_model_too():
    X, y = fractions()
    fitted = treewright.fit(X.assign(good=np.where(y, "yes", "no")), "good", score=False, check=False)
    row = X[:1]
    mine, plain = counterfactual(fitted, row), counterfactual(fitted.model, row)
    assert mine.changes == plain.changes
    assert "good = " in str(mine)
    values, same = treewright.shapley_values(fitted, X[:5]), treewright.shapley_values(fitted.model, X[:5])
    np.testing.assert_array_equal(values.values, same.values)
    found, same = (
        treewright.importances(each, X, np.where(y, "yes", "no"), held_out=True)
        for each in (fitted, fitted.model)
    )
    assert found.to_dicts() == same.to_dicts()


# -- reading a row of pandas


def test_a_row_of_pandas_is_read_as_the_table_is():
    n = 6
    X = pd.DataFrame({
        "float": np.arange(n) / 3,
        "int": np.arange(n, dtype=np.int16),
        "single": np.arange(n, dtype=np.float32),
        "flag": [True, False] * 3,
        "object": [1, 2.5, None, 3, 4, 5],
        "text": ["x", "y", None] * 2,
        "kind": pd.Categorical(["u", "v", "w"] * 2),
        "nullable": pd.array([1, None, 3] * 2, dtype="Int64"),
        "at": pd.date_range("2024", periods=n),
        "zone": pd.date_range("2024", periods=n, tz="UTC"),
        "took": pd.to_timedelta(range(n), unit="h"),
        "big": np.arange(n) + 2**60,
    })  # fmt: skip
    model = DecisionTreeClassifier().fit(X, [0, 1, 0, 1, 1, 0])
    subject = describe(model)
    table = pl.from_pandas(X.drop(columns=["object"])).with_columns(
        object=pl.Series([1.0, 2.5, None, 3.0, 4.0, 5.0])
    )
    for row in range(n):
        one = rows_of(subject, X[X.columns[::-1]], row)[0]
        other = rows_of(subject, table, row)[0]
        for j, name in enumerate(X.columns):
            assert one.columns[j].type == other.columns[j].type, name
            assert one.texts[j] == other.texts[j], name
        assert model.tree_.apply(one.core)[0] == model.apply(X[row : row + 1])[0]


def test_a_wide_row_is_read_without_its_columns_one_by_one(monkeypatch):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(50, 300)))
    X.columns = [f"c{j}" for j in range(300)]
    model = DecisionTreeClassifier().fit(X, X["c7"] > 0)
    monkeypatch.setattr("treewright.data.few_rows.read_series", None)  # reads a column through narwhals
    assert counterfactual(model, X[:1]).changes[0].column == "c7"
