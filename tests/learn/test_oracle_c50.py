"""The oracle of C5.0, followed by our pruning, makes the recorded trees."""

from dataclasses import replace

import numpy as np
import pytest

from tests.oracle.c50 import C50, scaled
from tests.oracle.classic_rows import Column, Data, Sample
from tests.support.golden import cases_of, in_doubles, table
from tests.support.golden_counts import Case
from treewright.learn.pruning import METHODS
from treewright.tree.tree import tree_from_dict

pytest.importorskip("pandas")
pytestmark = pytest.mark.recorded


LEFT_OUT = ("rules", "rules_nosubset", "boost5", "winnow", "fuzzy")  # which make something else than one tree
# What the oracle does not reproduce: ties between five columns by the last bits of shared weights, and sums
# of costs and weights in single precision. The core agrees with those of costs; docs/classics.md names the
# others.
NOT_REPRODUCED = (
    "soybean__c50__default",
    "soybean__c50__nosubset",
    "cost_miss_a__c50__cost_rev",
    "cost_two_a__c50__cost_rev",
    "mis_tiny_a__c50__min1_CF80",
    "wt_a__c50__cost",
)
PATHS = [
    path
    for path in in_doubles(cases_of("c50"))
    if path.stem.split("__")[2] not in LEFT_OUT and path.stem not in NOT_REPRODUCED
]


def frame_of(case):
    """The recorded table; numbers in single precision, as the program has them."""
    frame = table(case.table, "train")
    numbers = {
        name: frame[name].astype(np.float32).astype(float) for name in case.features if not case.levels(name)
    }
    return frame.assign(**numbers)


def data_of(case):
    """The recorded table for the oracle."""
    frame = frame_of(case)
    columns = []
    for name in case.features:
        levels, values = tuple(case.levels(name)), frame[name]
        if levels:
            codes = values.cat.codes.to_numpy()
            columns.append(Column(name, np.where(codes < 0, np.nan, codes), levels))
        else:
            columns.append(Column(name, values.to_numpy()))
    y = frame[case.data["target"]].cat.codes.to_numpy().astype(np.int64)
    weight = scaled(frame[case.data["weight"]].to_numpy(float)) if case.data["weight"] else np.ones(len(y))
    return Data(tuple(columns), y, weight, tuple(case.classes))


class Branches:
    """Branches that the oracle grows."""

    def __init__(self, grow):
        self.grow, self.trees = grow, []

    def core(self, row, weight):
        self.trees.append(self.grow(row, weight))
        return self.trees[-1].predictor

    @property
    def sizes(self):
        return [tree.node_count for tree in self.trees]

    def tree(self, number):
        return self.trees[number]


def options_of(case):
    """How the program pruned."""
    control, costs = case.settings["control"], case.settings["costs"]
    return {
        "CF": control["CF"],
        "bound": "c5.0",
        "collapse": False,
        "raising": "regrown",
        "pool": control["minCases"],
        "within": 0.0 if control["noGlobalPruning"] or costs else 1.0,
        "join": "all" if control["subset"] else "filled",
        "errors": "heaviest" if len(case.classes) > 2 else "weighed",
    }


def pruned(case):
    """The oracle's tree, pruned; branches are grown anew by the oracle."""
    data = data_of(case)
    oracle = C50(case.settings["control"]["minCases"], case.settings["control"]["subset"])
    names = {"feature_names": case.features, "classes": case.classes, "costs": case.tree.costs}
    names["columns"] = [{"kind": case.kind(name), "levels": case.levels(name)} for name in case.features]

    def grow(row, weight):
        return tree_from_dict(oracle.grow(Sample(data, row, weight)) | names)

    everything = np.arange(len(data.y))
    table_of_case = frame_of(case)[case.features]
    rows = replace(case.rows_of(), X=table_of_case, weight=data.weight, branches=lambda: Branches(grow))
    if len(case.classes) > 2:  # costs are for decisions alone
        rows = replace(rows, factor=None)
    return METHODS["pessimistic"](grow(everything, data.weight), rows, **options_of(case))


def differs(case, tree):
    """What is not as recorded, of the first node that differs; None if nothing does."""
    waiting = [(0, case.root)]
    for node, place in waiting:
        weight = float(tree.weighted_n_node_samples[node])
        counts = weight * tree.value[node, 0]
        if not np.allclose(counts, place["counts"], rtol=1e-5, atol=1e-4):
            return place["id"], "counts", counts.tolist(), place["counts"]
        if place["leaf"] and case.classes[tree.label[node, 0]] != place["value"]:
            return place["id"], "class", place["value"]
        found, wanted = split_of(case, tree, node), recorded_split(case, place)
        if found != wanted:
            return place["id"], "test", found, wanted
        first = int(tree.first_child[node])
        waiting += [(first + k, branch["child"]) for k, branch in enumerate(place.get("branches", []))]
    return None


def split_of(case, tree, node):
    """The test of one of our nodes: the column, and the threshold or the levels of each branch in order."""
    if tree.is_leaf[node]:
        return None
    found = tree.test(node)
    name = case.features[found.feature]
    if not found.is_nominal:
        return name, np.float32(found.threshold)
    return name, [[case.levels(name)[code] for code in group] for group in found.levels]


def recorded_split(case, place):
    """The same as recorded. Levels that the program does not list cannot come: our last branch has them."""
    if place["leaf"]:
        return None
    branches, name = place["branches"], place["split"]["feature"]
    if "threshold" in place["split"]:
        return name, np.float32(place["split"]["threshold"])
    groups = [branch.get("values", [branch.get("value")]) for branch in branches]
    others = [level for level in case.levels(name) if not any(level in group for group in groups)]
    return name, [*groups, others] if others else groups


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_trees_are_as_recorded(path):
    case = Case(path)
    assert differs(case, pruned(case).tree) is None
