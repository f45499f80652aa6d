"""Payloads of the pages that tests open; each is made once per process."""

import functools

import numpy as np
import pandas as pd

import treewright as tw
from treewright.present.page.making import report


def loans(rows=500, seed=0):
    """A table with numbers, levels, gaps and a target of two classes."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "duration": rng.integers(4, 72, rows),
            "amount": rng.lognormal(7.5, 0.8, rows).round(0),
            "purpose": rng.choice(["car", "business", "radio or tv", "education"], rows),
            "savings": rng.choice(["none", "some", "much"], rows),
            "age": rng.integers(19, 75, rows).astype(float),
        }
    )
    table.loc[rng.random(rows) < 0.08, "age"] = np.nan
    risk = table["duration"] / 24 + (table["purpose"] == "business") - (table["savings"] == "much") * 1.4
    y = np.where(risk + rng.normal(size=rows) > 2.1, "bad", "good")
    return table, y


@functools.cache
def credit():
    """A classifier of about 80 nodes with everything that a page can show."""
    X, y = loans()
    model = tw.DecisionTreeClassifier(max_leaf_nodes=40, min_samples_leaf=4, missing="learned").fit(X, y)
    payload = report(model, X, y, title="Who pays back", command="treewright fit loans.csv").payload
    rows = [["treewright", 0.71, 0.55], ["random forest", 0.74, 0.5]]
    payload["comparison"] = {"columns": ["model", "accuracy", "log loss"], "rows": rows, "words": "Close."}
    payload["check"] = [{"kind": "gaps", "column": "age", "sentence": "age has gaps.", "severity": "warning"}]
    return payload, model


@functools.cache
def houses():
    """A regression."""
    X, _ = loans(400, seed=1)
    y = np.log(X["amount"]) * 10 + X["duration"] / 5
    model = tw.DecisionTreeRegressor(max_leaf_nodes=14, min_samples_leaf=8).fit(X, y)
    return report(model, X, y, title="Prices").payload, model


def grown(kind, X, y, **settings):
    """The payload of a tree of its own, without rows."""
    return report(kind(**settings).fit(X, y)).payload


@functools.cache
def large():
    """5,001 nodes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 8))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=20_000) > 0).astype(int)
    return grown(tw.DecisionTreeClassifier, X, y, max_leaf_nodes=2501)
