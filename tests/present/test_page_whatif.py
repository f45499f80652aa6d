"""The nearest change that the page finds alters the decision, and no point of any leaf's box is nearer."""

import json

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from treewright.present.page.making import report

WHOLE = 0.05  # as much further may a whole number be, where one of the two prefers it
ROUNDING = 0.011  # per changed number: a value that reads well may be a hundredth of the scale further


def nearest(code, payload, rows, wanted=None):
    script = """([text, rows, wanted]) => {
        const from = treewright.reading(text);
        return JSON.stringify(rows.map(row => from.counterfactual(row, wanted ?? {})));
    }"""
    return json.loads(code.evaluate(script, [json.dumps(payload), rows, wanted]))


def boxes(tree, columns):
    """For every leaf, per column an interval (low, high], or the set of levels that lead there."""
    everything = (-np.inf, np.inf)
    found = {0: [set(range(len(each["levels"]))) if each["levels"] else everything for each in columns]}
    for node in range(tree.node_count):
        for place in range(int(tree.n_children[node])):
            question, inside = tree.test(node), list(found[node])
            j = question.feature
            if question.is_nominal:
                unlisted = set(range(len(columns[j]["levels"]))) - {
                    code for each in question.levels for code in each
                }
                takes = set(question.levels[place]) | (
                    unlisted if tree.missing_child[node] == place else set()
                )
                inside[j] = inside[j] & takes
            else:
                (low, high), cut = inside[j], float(question.threshold)
                inside[j] = (low, min(high, cut)) if place == 0 else (max(low, cut), high)
            found[int(tree.first_child[node]) + place] = inside
    return {node: box for node, box in found.items() if tree.n_children[node] == 0 and not is_empty(box)}


def is_empty(box):
    return any(not part if isinstance(part, set) else part[0] >= part[1] for part in box)


def distance_to(box, codes, columns):
    """From a row to the nearest point of a box; whole columns have whole points alone."""
    total = 0.0
    for part, value, facts in zip(box, codes, columns, strict=True):
        if isinstance(part, set):
            total += value not in part
            continue
        low, high = part
        if facts["whole"]:
            low, high = np.floor(low) + 1, np.floor(high)
        total += max(low - value, value - high, 0.0) / (facts["iqr"] or 1.0)
    return total


def table_of(rng, rows):
    return pd.DataFrame(
        {
            "a": rng.normal(size=rows).round(3),
            "b": rng.integers(0, 30, rows).astype(float),
            "c": rng.choice(["x", "y", "z", "w"], rows),
            "d": rng.normal(size=rows) * 1e5,
        }
    )


def facts_of(payload):
    """What the page knows of each column, with its levels."""
    known = zip(payload["model"]["schema"]["columns"], payload["columns"], strict=True)
    return [{"levels": None} | schema | facts for schema, facts in known]


def codes_of(payload, table):
    """The rows with codes in place of levels."""
    columns = [table[name].tolist() for name in table]
    for place, values in enumerate(columns):
        if levels := payload["model"]["schema"]["columns"][place].get("levels"):
            values[:] = map(levels.index, values)
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize("seed", range(4))
def test_no_box_is_nearer(code, seed):
    rng = np.random.default_rng(seed)
    table = table_of(rng, 500)
    score = table["a"] + (table["c"] == "x") + table["b"] / 10 - table["d"] / 2e5 + rng.normal(size=500) / 3
    y = np.digitize(score, [0.8, 2.2, 3.0])
    model = tw.DecisionTreeClassifier(max_depth=8, min_samples_leaf=2).fit(table, y)
    tree, payload = model.tree_, report(model, table, y, check=False).payload
    fresh = table_of(rng, 150)
    rows = fresh.values.tolist()
    found = nearest(code, payload, rows)
    facts = facts_of(payload)
    leaves, label = boxes(tree, facts), tree.label[:, 0]
    before, ours = model.predict(fresh), tw.counterfactual(model, fresh, reference=table)
    parts = zip(codes_of(payload, fresh), rows, before, found, ours, strict=True)
    altered = []
    for codes, row, said, each, in_python in parts:
        other = [node for node in leaves if tree.classes[label[node]] != said]
        least = min(distance_to(leaves[node], codes, facts) for node in other)
        changed = list(row)
        for change in each["changes"]:
            changed[change["place"]] = change["to"]
        altered.append(changed)
        assert each["after"]["label"] != said
        assert least - 1e-9 <= each["distance"] <= least + ROUNDING * len(each["changes"]) + 1e-9
        # `treewright.counterfactual` says the same
        assert abs(in_python.distance - each["distance"]) <= WHOLE
    after = model.predict(pd.DataFrame(altered, columns=list(table)))
    assert after.tolist() == [each["after"]["label"] for each in found]


@pytest.mark.parametrize("missing", ["learned", "surrogate", "fractional", "branch"])
def test_with_gaps_every_answer_alters_the_decision(code, missing):
    rng = np.random.default_rng(5)
    table = table_of(rng, 600)
    y = np.where(table["a"] + (table["c"] == "x") + table["b"] / 15 > 1.2, "yes", "no")
    table = table.mask(rng.random(table.shape) < 0.15)
    model = tw.DecisionTreeClassifier(max_depth=6, min_samples_leaf=5, missing=missing).fit(table, y)
    fresh = table_of(rng, 60)
    fresh = fresh.mask(rng.random(fresh.shape) < 0.3)
    rows = fresh.astype(object).where(fresh.notna(), None).values.tolist()
    found = nearest(code, report(model, table, y, check=False).payload, rows)
    before = model.predict(fresh)
    for row, said, each in zip(rows, before, found, strict=True):
        assert each is not None
        changed = list(row)
        for change in each["changes"]:
            assert change["to"] is not None  # a value that is there is never taken away
            changed[change["place"]] = change["to"]
        again = pd.DataFrame([changed], columns=list(table)).astype(table.dtypes)
        assert model.predict(again)[0] != said


def test_kept_columns_stay_and_goals_are_reached(code):
    rng = np.random.default_rng(6)
    table = table_of(rng, 400)
    y = table["a"] * 10 + table["b"]
    model = tw.DecisionTreeRegressor(max_depth=6, min_samples_leaf=4).fit(table, y)
    payload, rows = report(model, table, y, check=False).payload, table_of(rng, 40).values.tolist()
    goal = float(np.median(y))
    reached = [each for each in nearest(code, payload, rows, {"above": goal, "fixed": ["b"]}) if each]
    assert len(reached) > 20
    for each in reached:
        assert each["after"]["value"] > goal
        assert "b" not in {change["column"] for change in each["changes"]}
    assert all(each["after"]["value"] < goal for each in nearest(code, payload, rows, {"below": goal}))
    assert nearest(code, payload, rows[:1], {"above": 1e9}) == [None]
    assert nearest(code, payload, rows[:1], {"above": -1e9})[0]["changes"] == []


def test_whole_columns_get_whole_values(code):
    X = pd.DataFrame({"months": np.arange(60) % 48})
    y = (X["months"] > 22).astype(int)
    model = tw.DecisionTreeClassifier().fit(X, y)
    found = nearest(code, report(model, X, y, check=False).payload, [[10], [40]])
    assert [each["changes"][0]["to"] for each in found] == [23, 22]


def test_a_search_that_stops_early_does_not_say_that_there_is_no_change(code):
    X, y = np.arange(60.0)[:, None], np.arange(60) // 20
    payload = report(tw.DecisionTreeClassifier().fit(X, y), X, y, check=False).payload
    assert nearest(code, payload, [[5]], {"label": 2, "most_states": 2}) == [{"stopped_early": True}]
    assert nearest(code, payload, [[5]], {"label": 2})[0]["after"]["label"] == 2
    assert nearest(code, payload, [[5]], {"label": 2, "fixed": ["feature_0"]}) == [None]
