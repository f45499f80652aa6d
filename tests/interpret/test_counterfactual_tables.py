"""Counterfactuals of frames, dicts and arrays: the changed row has the form of the given one."""

import datetime as dt
import math

import numpy as np
import pytest

from treewright import DecisionTreeClassifier, DecisionTreeRegressor, counterfactual
from treewright.learn.model_file import read, save


def loans(n=300, seed=0):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "duration": rng.integers(4, 60, n),
            "income": np.round(rng.lognormal(3, 0.5, n), 2).astype(np.float32),
            "savings": pd.Categorical(rng.choice(["none", "some", "much"], n)),
            "grade": pd.Categorical(rng.choice(["C", "B", "A"], n), categories=["C", "B", "A"], ordered=True),
            "owner": rng.random(n) < 0.5,
            "since": pd.Timestamp("2020-01-01", tz="UTC")
            + pd.to_timedelta(rng.integers(0, 1500, n), unit="D"),
            "gap": np.where(rng.random(n) < 0.3, np.nan, rng.integers(0, 10, n)),
            "name": rng.choice(["x", "y"], n).astype(object),
        }
    )
    risk = X["duration"] / 20 - X["income"] / 20 - 2 * (X["savings"] == "much") - X["grade"].cat.codes
    risk += X["gap"].fillna(0) / 4 - X["owner"] - (X["since"].dt.year - 2020) / 2 + (X["name"] == "x")
    return X, np.where(risk > np.median(risk), "bad", "good")


@pytest.mark.parametrize("kind", ["pandas", "polars", "dict", "series"])
def test_the_changed_row_has_the_form_of_the_given_one(kind):
    X, y = loans()
    if kind in ("dict", "series"):
        X = X.drop(columns="since")  # a dict has instants as numpy does, without a time zone
    model = DecisionTreeClassifier(min_samples_leaf=3).fit(X, y)
    table = X
    if kind == "polars":
        pl = pytest.importorskip("polars")
        table = pl.from_pandas(X.assign(savings=X["savings"].astype(str), name=X["name"].astype(str)))
        table = table.with_columns(pl.col("grade").cast(pl.Enum(["C", "B", "A"])))
        model.fit(table, y)
    seen = set()
    for row in range(40):
        before = model.predict(table[row : row + 1])[0]
        if kind in ("pandas", "polars"):
            found = counterfactual(model, table, row=row, reference=table)
            assert type(found.X) is type(table)
            assert list(found.X.columns) == list(table.columns)
            after = model.predict(found.X)[0]
        else:
            one = X.iloc[row]
            found = counterfactual(model, dict(one) if kind == "dict" else one, reference=X)
            assert isinstance(found.X, dict)
            again = counterfactual(model, found.X, found.after.value)
            assert again.distance == 0
            after = again.before.value
        assert before != after == found.after.value
        seen |= {change.column for change in found.changes}
        if kind == "pandas":
            for column in X.columns:
                same = found.X[column].iloc[0] == X[column].iloc[row] or X[column].isna().iloc[row]
                assert same or column in {change.column for change in found.changes}
    assert len(seen) >= 4


def test_each_kind_of_column_is_changed_and_printed():
    X, y = loans()
    for column in X.columns.drop("name"):
        model = DecisionTreeClassifier(max_depth=3).fit(X[[column]], y)
        for row in range(10):
            found = counterfactual(model, X[[column]], row=row, reference=X[[column]])
            assert model.predict(found.X)[0] != model.predict(X[[column]][row : row + 1])[0]
            (change,) = found.changes
            assert change.after_text in str(found)
            assert change.before_text in found._repr_html_() or change.before_text == "missing"
            assert change.distance > 0


def test_rules_by_name():
    X, y = loans()
    model = DecisionTreeClassifier(min_samples_leaf=3).fit(X, y)
    rules = {"fixed": ["savings"], "rising": ["income", "grade"], "falling": ["duration"]}
    count = 0
    for found in counterfactual(model, X[:60], **rules, max_changes=4):
        for change in found.changes:
            count += 1
            assert change.column != "savings"
            if change.column in ("income", "duration"):
                assert (change.after > change.before) == (change.column == "income")
            if change.column == "grade":
                assert "CBA".index(change.after) > "CBA".index(change.before)
    assert count > 20


def test_a_missing_value_may_stay_or_be_filled_in():
    X = np.array([[1.0, 0.0], [2.0, 0.0], [np.nan, 0.0], [np.nan, 1.0]] * 5)
    y = np.where(np.isnan(X[:, 0]), "unknown", "known")
    model = DecisionTreeClassifier().fit(X, y)
    found = counterfactual(model, X, row=2)
    assert (found.before.value, found.after.value, found.distance) == ("unknown", "known", 1.0)
    assert found.changes[0].before is None
    assert "missing -> " in str(found)
    away = counterfactual(model, X, row=0)  # a value never becomes missing
    assert not away.found


def test_where_the_scales_are_from():
    X, _ = loans()
    model = DecisionTreeRegressor(max_depth=4).fit(X[["duration"]], X["duration"])
    row = {"duration": 20}
    tree, rows, given = (
        counterfactual(model, row, ("above", 50), **how)
        for how in ({}, {"reference": X}, {"scales": {"duration": 10}})
    )
    assert "spread of the tree's thresholds" in str(tree)
    assert "quartile range of the reference rows" in str(rows)
    assert given.distance == pytest.approx((given.X["duration"] - 20) / 10)
    assert tree.X == given.X == {"duration": 48.6}  # nothing says that it must be whole
    assert rows.X == {"duration": 49}
    few = X.assign(duration=[30] * 280 + list(range(4, 24)))
    assert "measured by the whole range of the reference rows" in str(
        counterfactual(model, row, ("above", 50), reference=few)
    )


def test_a_saved_model_gives_the_same(tmp_path):
    X, y = loans()
    model = DecisionTreeClassifier(max_depth=4).fit(X, y)
    saved = read(save(model, tmp_path / "m.tree.json", target="risk"))
    mine, theirs = counterfactual(model, X[:10]), counterfactual(saved, X[:10])
    assert [one.changes for one in mine] == [other.changes for other in theirs]
    assert "risk = " in str(theirs[0])


def test_durations_and_naive_times():
    pd = pytest.importorskip("pandas")
    days = np.arange(100)
    X = pd.DataFrame({"at": pd.Timestamp("2024-01-01") + pd.to_timedelta(days, unit="D")})
    X["took"] = pd.to_timedelta(days * 7 % 50, unit="h")
    model = DecisionTreeRegressor(max_depth=2).fit(X, X["took"].dt.total_seconds())
    found = counterfactual(
        model, X, ("above", 120_000), row=0, reference=X, scales={"took": dt.timedelta(days=1)}
    )
    assert model.predict(found.X)[0] > 120_000
    (change,) = found.changes
    assert change.column == "took"
    assert change.after.astype("int64") % 60_000_000 == 0  # a whole minute


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"target": "never"}, "target must be a class of the model. Got 'never'"),
        ({"fixed": "savings"}, "One column is a list too"),
        ({"fixed": ["saving"]}, "Did you mean 'savings'"),
        ({"rising": ["savings"]}, "rising needs a column with an order"),
        ({"rising": ["duration"], "falling": ["duration"]}, "one rule"),
        ({"weights": {"duration": -1}}, "at least 0. Got -1 for 'duration'"),
        ({"scales": {"duration": 0}}, "above 0. Got 0"),
        ({"max_changes": -1}, "max_changes must be None or an int of at least 0"),
        ({"distance": "far"}, "distance must be one of scaled, changes"),
        ({"output": 1}, r"output must be an int in 0..0"),
        ({"row": 1000}, r"row must be None or an int in 0..299"),
        ({"fixed": None}, "fixed must be a list of columns, by name or number. Got None"),
        ({"rising": 3}, "rising must be a list of columns"),
        ({"scales": [1]}, r"scales must be a dict of columns and numbers. Got \[1\]"),
        ({"weights": [1]}, r"weights must be a dict of columns and numbers. Got \[1\]"),
        ({"X": None}, "X must be a row or a table. Got None"),
    ],
)
def test_what_is_rejected_says_why(terms, message):
    X, y = loans()
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    with pytest.raises(ValueError, match=message):
        counterfactual(model, **({"X": X, "row": 0} | terms))


def test_numbers_need_a_target():
    X, _ = loans()
    model = DecisionTreeRegressor(max_depth=2).fit(X, X["income"])
    for target in (None, ("over", 3), (3, 1), ("above", math.nan), 4):
        with pytest.raises(ValueError, match="target must be"):
            counterfactual(model, X, target, row=0)


def test_hostile_names_do_not_run():
    pd = pytest.importorskip("pandas")
    name = "<img src=x onerror=alert(1)>\u202e\n"
    X = pd.DataFrame({name: np.arange(20.0)})
    model = DecisionTreeClassifier(max_depth=1).fit(X, np.where(np.arange(20) < 10, "</script>", "ok"))
    found = counterfactual(model, X, row=0)
    assert "<img" not in found._repr_html_()
    assert "</script>" not in found._repr_html_()
    assert "\u202e" not in str(found) + found._repr_html_()
    assert str(found).splitlines()[1].endswith("0 -> 9.51")
