"""Recorded trees with what their programs counted in every node, and how two such trees are compared."""

import json
from dataclasses import replace

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from tests.support.golden import GOLDEN, Recorded, table
from tests.support.golden_programs import recorded_places, tree_of
from treewright.learn.pruning import rows_for

CASES = GOLDEN / "cases"


class Case(Recorded):
    """A recorded tree as ours, with the weight that the program itself counted in every node."""

    def __init__(self, path, trial=None):
        super().__init__(path, trial)
        recorded = json.loads(path.read_text())
        self.data, self.recorded = recorded["dataset"], recorded
        for node in self.nodes:  # C4.5 has branches that no level takes, and drops them when it prunes
            if node.get("branches"):
                node["branches"] = [branch for branch in node["branches"] if branch.get("values") != []]
        del self.nodes
        self.tree = tree_of(self)
        self.places = recorded_places(self, self.tree)
        if "n" in self.root:
            weight = [place["n"] if place and not place.get("empty") else 0.0 for place in self.places]
            self.tree = replace(self.tree, weighted_n_node_samples=np.array(weight, dtype=float))

    def option(self, name):
        """The value of a flag on Weka's command line."""
        words = self.settings["full"].split()
        return words[words.index(name) + 1]

    def rows_of(self, some=None):
        """Rows of the recorded table with their target."""
        frame = table(self.table, "train")
        frame = frame if some is None else frame.iloc[some]
        target = frame[self.data["target"]]
        y = target.to_numpy(float) if self.classes is None else target.astype(str).to_numpy()
        weight = None if not self.data["weight"] else frame[self.data["weight"]].to_numpy(float)
        return rows_for(self.tree, frame[self.features], y, weight)


def check_same(found, wanted, tolerance):
    """The same tests, weights and classes; of a leaf that no row reaches only the class is compared."""
    assert_array_equal(found.n_children, wanted.n_children)
    assert_array_equal(found.feature, wanted.feature)
    assert_allclose(found.threshold, wanted.threshold, rtol=1e-12)
    for name in ("level_begin", "level_code", "level_child"):
        assert_array_equal(getattr(found, name), getattr(wanted, name))
    weight = wanted.weighted_n_node_samples
    assert_allclose(found.weighted_n_node_samples, weight, rtol=tolerance, atol=tolerance)
    some = weight > 0
    assert_allclose(found.value[some], wanted.value[some], rtol=tolerance, atol=tolerance)
    if wanted.classes is not None:
        assert_array_equal(found.label, wanted.label)
