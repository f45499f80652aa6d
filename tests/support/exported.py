"""Models of every kind that the library grows, for the tests of exports."""

import datetime as dt
import functools

import numpy as np
import pandas as pd

import treewright as tw
from tests.support.random_trees import random_tree
from treewright.learn import classics
from treewright.tree.tree import tree_from_dict


def mixed_table(rows=500, seed=0):
    """Columns of every kind, with gaps."""
    rng = np.random.default_rng(seed)

    def gap(values, share=0.12):
        return [None if rng.random() < share else value for value in values]

    hours = rng.integers(0, 9000, rows)
    days = [dt.datetime(2024, 1, 1) + dt.timedelta(hours=int(h), microseconds=7) for h in hours]
    waits = pd.to_timedelta(pd.Series(rng.integers(0, 10**12, rows)), unit="us")
    return pd.DataFrame(
        {
            "size": np.where(rng.random(rows) < 0.1, np.nan, rng.normal(size=rows).round(2)),
            "town": pd.Series(gap(rng.choice(["a", "b", "c", "d", ""], rows)), dtype=object),
            "grade": pd.Categorical(
                gap(rng.choice(["low", "mid", "high"], rows)), categories=["low", "mid", "high"], ordered=True
            ),
            "flag": pd.array(gap(rng.random(rows) < 0.5), dtype="boolean"),
            "day": pd.to_datetime(pd.Series(gap(days))),
            "wait": waits.astype("timedelta64[us]"),
            "many": pd.array(gap(rng.integers(-5, 5, rows)), dtype="Int64"),
            "code": pd.Categorical(gap(rng.choice([10, 20, 30], rows))),
        }
    )


def scores(table, seed=1):
    noise = np.random.default_rng(seed).normal(size=len(table))
    days = (table["day"] - pd.Timestamp("2024-07-01")).dt.days.fillna(0) / 90
    found = table["size"].fillna(0.4) + table["town"].isin(["a", ""]) * 2 + days
    found += (table["grade"] == "low") * 1.5 + table["flag"].fillna(False).astype(float)
    found += (table["code"].astype("float") == 20) + table["wait"].dt.total_seconds() / 10**6
    return (found + table["many"].astype("Float64").fillna(1) / 5 + noise / 2).astype(float).to_numpy()


def grown(kind, table=None, n_classes=3, names=None, **settings):
    table = mixed_table() if table is None else table
    given = scores(mixed_table(len(table))) if "size" in table else table.iloc[:, 0].to_numpy()
    table = table if names is None else table[names]
    settings = {"max_depth": 7, "min_samples_leaf": 4} | settings
    if kind is tw.DecisionTreeRegressor:
        return kind(**settings).fit(table, given)
    labels = np.array(["none", "so'me", 'mu"ch', "most"])[:n_classes]
    cuts = np.quantile(given, np.arange(1, n_classes) / n_classes)
    return kind(**settings).fit(table, labels[np.searchsorted(cuts, given)])


def _classifier(**settings):
    return lambda: grown(tw.DecisionTreeClassifier, **settings)


def _regressor(**settings):
    return lambda: grown(tw.DecisionTreeRegressor, **settings)


def _numbers(n=600, columns=4, gaps=0.1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, columns))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n) / 3
    X[rng.random(X.shape) < gaps] = np.nan
    return X, y


def _whole():
    rng, start = np.random.default_rng(0), 2**62
    X = start + rng.integers(0, 40, size=(500, 2))
    y = (X[:, 0] - start) // 3 % 4 + (X[:, 1] - start) // 7
    return tw.DecisionTreeRegressor(max_depth=8).fit(X, y)


def _natural():
    rng = np.random.default_rng(0)
    X = np.uint64(2**63 + 10) + rng.integers(0, 40, size=(300, 2)).astype(np.uint64)
    return tw.DecisionTreeRegressor(max_depth=5).fit(X, (X[:, 0] % np.uint64(7)).astype(float))


def _outputs(kind):
    X, y = _numbers()
    if kind is tw.DecisionTreeRegressor:
        return kind(max_depth=5).fit(X, np.column_stack([y, -2 * y + np.nan_to_num(X[:, 3])]))
    both = np.column_stack([y > 0, (np.nan_to_num(X[:, 1]) > 0).astype(int) + (np.nan_to_num(X[:, 2]) > 0)])
    return kind(max_depth=5).fit(X, both.astype(int))


def _oblique(**settings):
    X, y = _numbers(gaps=0.05)
    y = np.where(2 * np.nan_to_num(X[:, 0]) - np.nan_to_num(X[:, 1]) > 0.3, "yes", "no")
    return tw.DecisionTreeClassifier(max_depth=4, oblique=2, **settings).fit(X, y)


def _linear(kind, n_classes=2, **settings):
    table = mixed_table()[["size", "town", "many", "flag"]]
    target = scores(mixed_table()) * 2 + table["size"].fillna(0).to_numpy()
    if kind is tw.DecisionTreeRegressor:
        return kind(leaf_model="linear", max_depth=3, **settings).fit(table, target)
    cuts = np.quantile(target, np.arange(1, n_classes) / n_classes)
    labels = np.array(["n", "y", "z"])[np.searchsorted(cuts, target)]
    return kind(leaf_model="logistic", max_depth=3, **settings).fit(table, labels)


def _classic(program):
    table = mixed_table()[["size", "town", "many"]]
    y = np.where(table["town"].isin(["a", "c"]) ^ (table["size"] > 0.2), "yes", "no")
    return program().fit(table, y)


def _id3():
    """At "b" no training row has the level "z": that leaf has no prediction."""
    second = pd.Categorical(list("xyzxyzxxxy"), categories=["x", "y", "z"])
    table = pd.DataFrame({"first": pd.Categorical(list("aaaaaabbbb")), "second": second})
    return classics.id3().fit(table, np.array(["no"] * 6 + ["yes"] * 3 + ["no"]))


COSTS = [[0, 1, 5], [2, 0, 1], [1, 9, 0]]
KINDS = {
    "numbers": lambda: tw.DecisionTreeClassifier(max_depth=8).fit(_numbers()[0], _numbers()[1] > 0),
    "regression": lambda: tw.DecisionTreeRegressor(max_depth=7).fit(*_numbers()),
    "mixed": _classifier(),
    "mixed regression": _regressor(),
    "learned": _classifier(missing="learned"),
    "surrogate": _classifier(missing="surrogate"),
    "fractional": _classifier(missing="fractional"),
    "fractional regression": _regressor(missing="fractional"),
    "branch": _classifier(missing="branch"),
    "multiway": _classifier(nominal_splits="multiway"),
    "smoothing": _classifier(smoothing="hierarchical", smoothing_strength=20.0),
    "smoothing fractional": _classifier(
        smoothing="hierarchical", smoothing_strength=20.0, missing="fractional"),
    "smoothing branch": _regressor(smoothing="branch"),
    "costs": _classifier(costs=COSTS),
    "costs fractional": _classifier(costs=COSTS, missing="fractional"),
    "whole numbers": _whole,
    "natural numbers": _natural,
    "two classifications": lambda: _outputs(tw.DecisionTreeClassifier),
    "two regressions": lambda: _outputs(tw.DecisionTreeRegressor),
    "oblique": _oblique,
    "linear": lambda: _linear(tw.DecisionTreeRegressor),
    "linear, not clipped": lambda: _linear(tw.DecisionTreeRegressor, leaf_options={"clip": False}),
    "logistic": lambda: _linear(tw.DecisionTreeClassifier),
    "softmax": lambda: _linear(tw.DecisionTreeClassifier, 3),
    "j48": lambda: _classic(classics.j48),
    "c50": lambda: _classic(classics.c50),
    "c45": lambda: _classic(classics.c45),
    "rpart": lambda: _classic(classics.rpart),
    "cart": lambda: _classic(classics.cart),
    "id3": _id3,
    "one leaf": lambda: tw.DecisionTreeClassifier(min_samples_leaf=0.6).fit(_numbers()[0], _numbers()[1] > 0),
    "random 1": lambda: tree_from_dict(random_tree(1)),
    "random 2": lambda: tree_from_dict(random_tree(2)),
    "random 3": lambda: tree_from_dict(random_tree(3)),
}  # fmt: skip


@functools.cache
def model(kind):
    return KINDS[kind]()


# Names that try to end a text, a comment or a statement.
HOSTILE = [
    "'; DROP TABLE data; --", "*/ exit(1); /*", "-- x", "a\nb", "\r\n", "]", "`", '"', "\\", "\\'", "🌳",
    "${x}", "{{name}}", "@end", "??/", "select", "class", "__proto__", "constructor", "</script>", "%s%n",
    "\u2028", "NaN", "a b", "'''", '"""', "#{x}", "x'", "N'y", "null", "Ünïcödé", "\t", "e\u0301",
    "line\\\nbreak",
]  # fmt: skip


@functools.cache
def hostile_model():
    """A tree whose columns, levels and classes all have such names."""
    rng = np.random.default_rng(0)
    names = HOSTILE[:18]
    table = pd.DataFrame({name: rng.choice(HOSTILE, 900) for name in names[:9]})
    for name in names[9:]:
        table[name] = rng.normal(size=900)
    table = table.copy()
    places = table[names[0]].map(HOSTILE.index) + table[names[1]].map(HOSTILE.index) * 5
    places = places + (table[names[10]] * 3).round().astype(int) + (table[names[11]] > 0)
    model = tw.DecisionTreeClassifier(max_depth=9, min_samples_leaf=3)
    return model.fit(table, np.array(HOSTILE, dtype=object)[places % len(HOSTILE)]), table
