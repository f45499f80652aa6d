"""What the page says of a row is what `apply`, `predict_proba` and `predict` say, leaf by leaf."""

import datetime as dt
import json
import math

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.support.page_tools import predictions
from tests.support.random_trees import core_columns, random_rows, random_tree
from treewright.learn import classics
from treewright.learn.model_file.arrays import schema_doc, tree_doc
from treewright.present.page.making import report
from treewright.tree.tree import tree_from_dict

# the tables have levels that were not seen at fit, on purpose
pytestmark = pytest.mark.filterwarnings("ignore:The table has levels that were not seen at fit:UserWarning")

ROWS = 1000
PROGRAMS = [classics.j48, classics.c50, classics.c45, classics.id3, classics.rpart, classics.cart]
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0]


def plain(value):
    """A cell as JSON: None for what is missing, text for what JavaScript would round."""
    if value is None or (isinstance(value, float) and math.isnan(value)) or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return str(value)
    return value


def plain_rows(table):
    columns = [table[name].tolist() for name in table] if hasattr(table, "columns") else table.T.tolist()
    return [[plain(cell) for cell in row] for row in zip(*columns, strict=True)]


def compare(code, model, table, rows=None):
    """Every row through the page's code and through the model."""
    text = json.dumps(report(model).payload)
    source = f"treewright.reading({json.dumps(text)})"
    found = predictions(code, plain_rows(table) if rows is None else rows, source)
    assert [each["leaf"] for each in found] == model.apply(table).tolist()
    said = model.predict(table)
    if not hasattr(model, "predict_proba"):
        np.testing.assert_allclose([each["value"] for each in found], said, rtol=1e-12, atol=1e-12)
        return found
    expected = model.predict_proba(table)
    if isinstance(expected, list):
        for output, shares in enumerate(expected):
            ours = [each["probabilities"][output] for each in found]
            np.testing.assert_allclose(ours, shares, rtol=1e-12, atol=1e-12)
        assert [each["labels"] for each in found] == np.asarray(said).tolist()
    else:
        np.testing.assert_allclose(
            [each["probabilities"] for each in found], expected, rtol=1e-12, atol=1e-12
        )
        assert [each["label"] for each in found] == np.asarray(said).tolist()
    return found


def at_the_boundary(rng, tree, columns, kind=np.float64):
    """Rows of a matrix whose values are the thresholds themselves, their neighbours, infinities and gaps."""
    drawn = np.empty((ROWS, columns), dtype=kind)
    for j in range(columns):
        cuts = tree.threshold[(tree.feature == j) & np.isfinite(tree.threshold)].astype(kind)
        near = [
            np.nextafter(cuts, kind(-9e9)),
            np.nextafter(cuts, kind(9e9)),
            cuts,
            np.array(SPECIAL, dtype=kind),
        ]
        drawn[:, j] = rng.choice(np.concatenate([*near, rng.normal(size=20).astype(kind)]), size=ROWS)
    return drawn


def table_of(rng, rows):
    """Columns of many kinds, with gaps and, where `rows` are few, all levels."""
    gap = lambda values, share=0.1: [None if rng.random() < share else value for value in values]  # noqa: E731
    days = [
        dt.datetime(2024, 1, 1) + dt.timedelta(hours=int(h), microseconds=7)
        for h in rng.integers(0, 9000, rows)
    ]
    return pd.DataFrame(
        {
            "size": rng.normal(size=rows).round(2),
            "town": pd.Series(gap(rng.choice(["a", "b", "c", "d", ""], rows)), dtype=object),
            "grade": pd.Categorical(
                gap(rng.choice(["low", "mid", "high"], rows)), categories=["low", "mid", "high"], ordered=True
            ),
            "flag": pd.array(gap(rng.random(rows) < 0.5), dtype="boolean"),
            "day": pd.to_datetime(pd.Series(gap(days))),
            "many": pd.array(gap(rng.integers(-5, 5, rows)), dtype="Int64"),
        }
    )


def mixed_rows(table):
    """As the page reads them: times as whole microseconds."""
    found = table.copy()
    micros = table["day"].astype("datetime64[us]").astype("int64")
    found["day"] = [None if gone else value for value, gone in zip(micros, table["day"].isna(), strict=True)]
    found["flag"] = [None if value is pd.NA else bool(value) for value in table["flag"]]
    return [[plain(cell) for cell in row] for row in found.astype(object).itertuples(index=False)]


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_numbers_at_their_boundaries(rng, code, kind):
    X = rng.normal(size=(600, 5)).astype(kind)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = (np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]) ** 2 > 0.5).astype(int) + (
        np.nan_to_num(X[:, 2]) > 1
    )
    model = tw.DecisionTreeClassifier(max_depth=7, min_samples_leaf=3).fit(X, y)
    rows = at_the_boundary(rng, model.tree_, 5, kind)
    compare(code, model, rows)


def test_whole_numbers_beyond_two_to_the_53(rng, code):
    start = 2**62
    X = start + rng.integers(0, 40, size=(500, 2))
    y = (X[:, 0] - start) // 3 % 4 + (X[:, 1] - start) // 7
    model = tw.DecisionTreeRegressor(max_depth=8).fit(X, y)
    rows = start + rng.integers(-2, 42, size=(ROWS, 2))
    assert model.tree_.integer_exact.any()
    compare(code, model, rows)


@pytest.mark.parametrize(
    "settings",
    [
        {"missing": "learned"},
        {"missing": "surrogate"},
        {"missing": "fractional"},
        {"missing": "branch"},
        {"nominal_splits": "multiway"},
        {"smoothing": "hierarchical", "smoothing_strength": 20.0},
        {"costs": [[0, 1, 5], [2, 0, 1], [1, 9, 0]]},
    ],
    ids=lambda each: "-".join(f"{key}-{value}" for key, value in each.items())[:40],
)
def test_many_kinds_of_columns_with_gaps(rng, code, settings):
    table = table_of(rng, 700)
    score = (
        table["size"] + table["town"].isin(["a", ""]) * 2 + (table["many"].astype("Float64").fillna(1) > 1)
    )
    y = np.where(score > 2, "much", np.where(score > 0.3, "some", "none"))
    model = tw.DecisionTreeClassifier(max_depth=7, min_samples_leaf=4, **settings).fit(table, y)
    fresh = table_of(rng, ROWS)
    fresh.loc[rng.random(ROWS) < 0.1, "town"] = "never seen"
    cuts = model.tree_.threshold[(model.tree_.feature == 0)]
    fresh.loc[rng.random(ROWS) < 0.3, "size"] = rng.choice(cuts) if len(cuts) else 0.0
    compare(code, model, fresh, mixed_rows(fresh))


def test_several_outputs(rng, code):
    X = rng.normal(size=(400, 3))
    y = np.column_stack([X[:, 0] > 0, (X[:, 1] > 0).astype(int) + (X[:, 2] > 0)]).astype(int)
    model = tw.DecisionTreeClassifier(max_depth=5).fit(X, y)
    compare(code, model, at_the_boundary(rng, model.tree_, 3))


@pytest.mark.parametrize(
    "program", [classics.j48, classics.c50, classics.c45, classics.id3, classics.rpart, classics.cart]
)
def test_the_classics(rng, code, program):
    names = ["town"] if program is classics.id3 else ["size", "town", "many"]
    table = table_of(rng, 400)[names]
    table = table.dropna() if program is classics.id3 else table
    y = np.where(table["town"].isin(["a", "c"]) ^ (rng.random(len(table)) < 0.1), "yes", "no")
    model = program().fit(table, y)
    fresh = table_of(rng, ROWS)[names]
    fresh.loc[rng.random(ROWS) < 0.1, "town"] = "never seen"
    rows = [[plain(cell) for cell in row] for row in fresh.astype(object).itertuples(index=False)]
    compare(code, model, fresh, rows)


def bare_payload(tree):
    """As much of a payload as predicting needs, of a tree whose counts need not add up."""
    arrays = {name: part for name, part in tree_doc(tree).items() if name != "surrogates"}
    plain_arrays = {name: np.asarray(part).tolist() for name, part in arrays.items()}
    if tree.surrogates is not None:
        plain_arrays["surrogates"] = {k: v.tolist() for k, v in tree.surrogates.arrays().items() if len(v)}
    words: dict[str, list[str]] = {"edge": [], "edge_parts": []}  # the page lays out the tree as it opens
    text = json.dumps(
        {"model": {"schema": schema_doc(tree), "tree": plain_arrays}, "columns": [], "words": words}
    )
    return text.replace("NaN", '"nan"').replace("-Infinity", '"-inf"').replace("Infinity", '"inf"')


def test_trees_of_every_kind_of_test(code):
    """Strict, reversed, shared, stopping, own branches, unseen levels: 60 random trees on one page."""
    for seed in range(60):
        tree, rows = tree_from_dict(random_tree(seed)), random_rows(seed, 25)
        cells = [[plain(cell) for cell in row] for row in rows]
        found = predictions(code, cells, f"treewright.reading({json.dumps(bare_payload(tree))})")
        columns = core_columns(tree, rows)
        reached = tree.leaves_reached(columns)
        for row, each in enumerate(found):
            here = reached.row == row
            expected = dict(zip(reached.node[here].tolist(), reached.share[here].tolist(), strict=True))
            assert {end["node"]: end["share"] for end in each["ends"]} == pytest.approx(expected)
        assert [each["leaf"] for each in found] == tree.apply(columns).tolist()
        said = tree.predict(columns)[:, 0]
        np.testing.assert_allclose([each["value"] for each in found], said, rtol=1e-12, atol=1e-12)


def test_rows_by_name_and_times_in_words(code, rng):
    """A row may be an object, and a time may be written as people write it; what is not there is missing."""
    days = pd.to_datetime(pd.Series(rng.integers(0, 10**15, 200), dtype="int64"), unit="us")
    waits = pd.to_timedelta(pd.Series(rng.integers(0, 10**12, 200)), unit="us")
    table = pd.DataFrame({"day": days.astype("datetime64[us]"), "wait": waits.astype("timedelta64[us]")})
    model = tw.DecisionTreeRegressor(max_depth=6).fit(table, np.arange(200.0) % 7)
    spans = [str(wait).replace("0 days ", "", 1) if wait.days == 0 else str(wait) for wait in table["wait"]]
    rows = [{"wait": span, "day": str(day)} for span, day in zip(spans, table["day"], strict=True)]
    source = f"treewright.reading({json.dumps(json.dumps(report(model).payload))})"
    found = predictions(code, rows, source)
    assert [each["leaf"] for each in found] == model.apply(table).tolist()
    gone = predictions(code, [{}, {"wait": None, "day": "2001-09-09 01:46:40"}], source)
    lacking = pd.DataFrame(
        {"day": pd.to_datetime([pd.NaT, "2001-09-09 01:46:40"]), "wait": pd.to_timedelta([None] * 2)}
    )
    assert [each["leaf"] for each in gone] == model.apply(lacking.astype(table.dtypes)).tolist()


def test_what_is_no_number_is_refused_with_a_sentence(code):
    said = code.evaluate("(() => { try { treewright.predict(['ten']) } catch (e) { return e.message } })()")
    assert "must be a number" in said
    said = code.evaluate("(() => { try { treewright.predict([1, 2]) } catch (e) { return e.message } })()")
    assert said == "A row must have 1 values, one per column. Got 2."


@pytest.mark.parametrize("kind", ["linear", "logistic", "three classes"])
def test_linear_leaves(code, kind):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {"x": rng.normal(size=400), "z": rng.normal(size=400), "a": rng.choice(list("uvw"), 400)}
    )
    table.loc[rng.random(400) < 0.1, "x"] = np.nan
    y = np.where(table.a == "u", 3 * table.x.fillna(1), -2 * table.z) + rng.normal(size=400) * 0.3
    if kind == "linear":
        model = tw.DecisionTreeRegressor(leaf_model="linear").fit(table, y)
    else:
        classes = np.digitize(y, [0.0] if kind == "logistic" else [-1.0, 1.0])
        model = tw.DecisionTreeClassifier(leaf_model="logistic").fit(table, classes)
    assert model.get_n_leaves() > 1
    rows = table.copy()
    rows.loc[:20, "x"] = np.resize([np.inf, -np.inf, np.nan, 1e9], 21)
    compare(code, model, rows)
