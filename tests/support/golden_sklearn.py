"""A tree of ours beside a recorded one of scikit-learn: the same, or split by a tied split that is as good.

scikit-learn decides ties at random and we by a fixed order. So both trees are walked together as long as they
part the rows alike; where they do not, our split must gain as much as the recorded one, and the walk ends.
"""

import csv
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.golden import GOLDEN


@cache
def load(name):
    """Rows of a recorded table as float32, with levels as 0, 1, ... in the order of its description."""
    described = json.loads((GOLDEN / "data" / f"{name.split('.')[0]}.meta.json").read_text())
    levels = {column["name"]: column.get("levels") for column in described["columns"]}
    with (GOLDEN / "data" / f"{name}.csv").open() as file:
        rows = list(csv.DictReader(file))

    def number(column, text):
        if text == "":
            return np.nan
        return levels[column].index(text) if levels.get(column) else float(text)

    return rows, number


def matrix(name, columns):
    rows, number = load(name)
    return np.array([[number(column, row[column]) for column in columns] for row in rows], dtype=np.float32)


@dataclass
class Case:
    path: Path
    make: Any  # from parameters and the task to an estimator

    def __post_init__(self):
        self.recorded = json.loads(self.path.read_text())
        data = self.recorded["dataset"]
        rows, _ = load(data["name"])
        self.columns = data["feature_order"]
        self.X = matrix(data["name"], self.columns)
        self.regression = self.recorded["algorithm"].endswith("Regressor")
        labels = [row[data["target"]] for row in rows]
        self.y = np.array(labels, dtype=float if self.regression else object)
        self.given = np.array([float(row[data["weight"]]) for row in rows]) if data["weight"] else None
        self.params = self.recorded["settings"]["params"]
        self.never_tied = self.recorded["extra"]["same_tree_for_random_state_0_to_7"]

    def estimator(self):
        return self.make("regression" if self.regression else "classification", **self.params)

    def fit(self):
        return self.estimator().fit(self.X, self.y, sample_weight=self.given)

    def weights(self):
        """The weights that count: given ones times those of the classes."""
        weights = np.ones(len(self.y)) if self.given is None else self.given
        if self.params.get("class_weight") == "balanced":
            classes, codes = np.unique(self.y.astype(str), return_inverse=True)
            weights = weights * (len(codes) / (len(classes) * np.bincount(codes)))[codes]
        return weights

    def mass(self, rows):
        return mass(self.y[rows], self.weights()[rows], self.params["criterion"])


def mass(y, w, criterion):
    """Weight times impurity, from the definitions."""
    if not len(y) or not w.sum():
        return 0.0
    if criterion in ("gini", "entropy"):
        p = np.array([w[y == k].sum() for k in set(y)]) / w.sum()
        p = p[p > 0]
        return w.sum() * (1 - (p**2).sum() if criterion == "gini" else -(p * np.log2(p)).sum())
    if criterion == "absolute_error":
        return min((w * abs(y - middle)).sum() for middle in y)
    mean = np.average(y, weights=w)
    if criterion == "poisson":
        return (w[y > 0] * y[y > 0] * np.log(y[y > 0] / mean)).sum()
    return (w * (y - mean) ** 2).sum()


def recorded_side(case, node, rows):
    """Which rows the recorded split sends left."""
    split = node["split"]
    x = case.X[rows, case.columns.index(split["feature"])].astype(float)
    with np.errstate(invalid="ignore"):
        return np.where(np.isnan(x), split["missing_goes"] == "left", x <= float(split["threshold"]))


def our_side(case, tree, node, rows):
    x = case.X[rows, tree.feature[node]].astype(float)
    return np.where(np.isnan(x), tree.missing_child[node] == 0, x <= tree.threshold[node])


def same_value(case, model, node, recorded, tolerance):
    value = model.tree_.value[node, 0]
    if case.regression:
        return value[0] == pytest.approx(recorded["value"], rel=tolerance, abs=tolerance)
    by_name = dict(zip(map(str, model.classes_), value, strict=True))
    shares = [by_name[name] for name in case.recorded["classes"]]
    return shares == pytest.approx(recorded["probs"], rel=tolerance, abs=tolerance)


def check_tree(path, make):
    """Fail where our tree is another one, and the difference is no tie."""
    case = Case(path, make)
    model = case.fit()
    tree, weights, tolerance = model.tree_, case.weights(), case.recorded["tolerance"]
    parted = (
        case.params.get("max_leaf_nodes") or case.params["ccp_alpha"]
    )  # a tie elsewhere decides who is a leaf
    stack = [(0, case.recorded["tree"], np.flatnonzero(weights > 0))]
    ties = 0
    while stack:
        node, recorded, rows = stack.pop()
        assert tree.n_node_samples[node] == len(rows)
        assert same_value(case, model, node, recorded, tolerance)
        leaf, pure = tree.n_children[node] == 0, len(set(case.y[rows])) == 1
        if recorded["leaf"] or leaf:
            # with weights, scikit-learn may take a pure node for one of impurity 1e-16 and split it
            assert recorded["leaf"] == leaf or (leaf and pure) or (parted and not case.never_tied)
            continue
        ours, theirs = our_side(case, tree, node, rows), recorded_side(case, recorded, rows)
        if (ours == theirs).all():
            first = int(tree.first_child[node])
            stack.append((first, recorded["branches"][0]["child"], rows[ours]))
            stack.append((first + 1, recorded["branches"][1]["child"], rows[~ours]))
            continue
        left = [case.mass(rows[side]) + case.mass(rows[~side]) for side in (ours, theirs)]
        assert left[0] <= left[1] + 1e-9 * case.mass(rows), f"node {node} has a worse split"
        ties += 1
    assert not (ties and case.never_tied)
    if not ties and case.never_tied:
        check_predictions(case, model, tolerance)
        if not case.params["ccp_alpha"]:  # the path is that of the full tree, which may have ties
            check_path(case, tolerance)


def check_predictions(case, model, tolerance):
    for part in ("train", "probe", "probe_nomiss"):
        if case.recorded.get(part):
            name = case.recorded["dataset"]["name"] + ("" if part == "train" else f".{part}")
            X = matrix(name, case.columns)
            wanted = case.recorded[part]["predictions"]
            if case.regression:
                assert model.predict(X) == pytest.approx(wanted, rel=tolerance)
            else:
                assert model.predict(X).astype(str).tolist() == wanted


def check_path(case, tolerance):
    """Our alphas are the recorded ones, equal ones together, each with the impurity after all of them."""
    recorded = case.recorded["extra"]["ccp_path"]
    alphas, impurities = np.array(recorded["ccp_alphas"]), np.array(recorded["impurities"])
    ours = case.estimator().cost_complexity_pruning_path(case.X, case.y, sample_weight=case.given)
    last = np.append(np.diff(alphas) > 1e-9 * max(alphas[-1], 1e-12), True)
    assert ours.ccp_alphas == pytest.approx(alphas[last], rel=1e-6, abs=1e-9 * max(alphas[-1], 1e-12))
    assert ours.impurities == pytest.approx(impurities[last], rel=1e-6, abs=tolerance)
