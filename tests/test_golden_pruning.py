"""Recorded trees, pruned by us, are what their own programs made of them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.golden import GOLDEN, Recorded, cases_of, table
from tests.golden_programs import recorded_places, tree_of
from treewright import tree_from_dict
from treewright.pruning import METHODS, backfitted, node_risk, pruning_path, refit, rows_for, sequence
from treewright.pruning.bounds import expected_errors
from treewright.pruning.losses import losses
from treewright.pruning.tallies import ends, tallies

pytest.importorskip("pandas")

CASES = GOLDEN / "cases"

pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the recorded trees are not beside this repository")


class Case(Recorded):
    """A recorded tree as ours, with the weight that the program itself counted in every node."""

    def __init__(self, path):
        super().__init__(path)
        recorded = json.loads(path.read_text())
        self.data, self.recorded = recorded["dataset"], recorded
        for node in self.nodes:  # C4.5 has branches that no level takes, and drops them when it prunes
            if node.get("branches"):
                node["branches"] = [branch for branch in node["branches"] if branch.get("values") != []]
        del self.nodes
        self.tree = tree_of(self)
        self.places = recorded_places(self, self.tree)
        weight = [place["n"] if place and not place.get("empty") else 0.0 for place in self.places]
        self.tree = replace(self.tree, weighted_n_node_samples=np.array(weight, dtype=float))

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


# -- C4.5 and J48


def pruned_pairs():
    """(unpruned, pruned, options) of the same program, table and setting."""
    for unpruned in sorted(CASES.glob("*__c45r8__*_unpruned.json")):
        setting = unpruned.stem.split("__")[2].removesuffix("_unpruned")
        options = {"bound": "table", "CF": {"c5": 0.05, "c50": 0.5}.get(setting, 0.25)}
        yield unpruned, CASES / unpruned.name.replace("_unpruned", "_pruned"), options
    settings = {
        "default": {},
        "C05": {"CF": float(np.float32(0.05))},  # it keeps CF in single precision
        "C50": {"CF": 0.5},
        "S": {"raising": False},
    }
    for unpruned in sorted([*CASES.glob("*__j48__U.json"), *CASES.glob("*__j48__U_O.json")]):
        for setting, options in settings.items():
            pruned = CASES / f"{unpruned.name.split('__')[0]}__j48__{setting}.json"
            if pruned.exists():
                yield unpruned, pruned, {"bound": "normal"} | options


PAIRS = list(pruned_pairs())


@pytest.mark.parametrize(
    ("unpruned", "pruned", "options"), PAIRS, ids=[f"{one.stem}-{two.stem}" for one, two, _ in PAIRS]
)
def test_unpruned_trees_are_pruned_as_recorded(unpruned, pruned, options):
    full, wanted = Case(unpruned), Case(pruned)
    found = METHODS["pessimistic"](full.tree, full.rows_of(), **options)
    check_same(found.tree, wanted.tree, 1e-4 if full.program == "c45r8" else 1e-9)
    assert METHODS["pessimistic"].prune(wanted.tree, full.rows_of(), **options) == wanted.tree


def test_branches_that_are_no_better_on_their_own_rows_collapse_as_recorded():
    full, wanted = Case(CASES / "vote__j48__U_O.json"), Case(CASES / "vote__j48__U.json")
    collapsed = METHODS["pessimistic"].prune(full.tree, raising=False, CF=0.999999, bound="normal")
    check_same(collapsed, wanted.tree, 1e-9)


@pytest.mark.parametrize("path", sorted(CASES.glob("*__c45r8__*_pruned.json")), ids=lambda path: path.stem)
def test_errors_are_expected_as_recorded(path):
    case = Case(path)
    cf = {"c5": 0.05, "c50": 0.5}.get(case.setting.removesuffix("_pruned"), 0.25)
    leaves = [node for node in case.nodes if node["leaf"] and node["n"] > 0]
    if case.setting.endswith("unpruned") or len(case.nodes) == 1:  # a tree that was never pruned
        return
    errors = [node["n"] - max(node["counts"]) for node in leaves]
    found = expected_errors([node["n"] for node in leaves], errors, cf, "table")
    assert_allclose(found, [node["ref"]["errors_field"] for node in leaves], rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize(
    "path", [one for one, _, _ in PAIRS if not one.stem.endswith("s_unpruned")], ids=lambda path: path.stem
)
def test_rows_sent_down_a_recorded_tree_are_counted_as_recorded(path):
    """Missing values are shared out by the rows themselves, and an empty leaf answers as its parent."""
    case = Case(path)
    found = refit(case.tree, case.rows_of())
    check_same(found, case.tree, 1e-4 if case.program == "c45r8" else 1e-9)


# -- REPTree and J48 -R: what is recorded is the tree after pruning, with what each part counted

HOLD_OUT = [path for path in cases_of("reptree") if not path.stem.endswith("__P")]


def grown_part(case):
    """The recorded tree with the counts of the rows it was grown on."""
    refs = [place["ref"] for place in case.places]
    if case.classes is None:
        weight = np.array([ref["grow_weight"] for ref in refs])
        return replace(
            refit(case.tree, case.rows_of(case.extra["grow_rows"])), weighted_n_node_samples=weight
        )
    counts = np.array([ref["grow_counts"] for ref in refs], dtype=float)
    tree = refit(case.tree, case.rows_of(case.extra["grow_rows"]))
    assert_allclose(tree.value[:, 0] * tree.weighted_n_node_samples[:, None], counts, rtol=1e-9, atol=1e-9)
    return tree


@pytest.mark.parametrize("path", HOLD_OUT, ids=lambda path: path.stem)
def test_held_out_rows_are_counted_and_judged_as_recorded(path):
    case = Case(path)
    tree, held = grown_part(case), case.rows_of(case.extra["prune_rows"])
    refs, counted = [place["ref"] for place in case.places], losses(tree, held)
    seen = tallies(tree, ends(tree, held.columns, held.weight), held.y)
    if case.classes is None:
        assert_allclose(seen.weight, [ref["prune_weight"] for ref in refs], rtol=1e-9, atol=1e-9)
        assert_allclose(seen.sums[:, 0, 0], [ref["prune_sum_y"] for ref in refs], rtol=1e-9, atol=1e-9)
        assert_allclose(counted.leaf, [ref["prune_sse"] for ref in refs], rtol=1e-9, atol=1e-6)
    else:
        assert_allclose(seen.sums[:, 0], [ref["prune_counts"] for ref in refs], rtol=1e-9, atol=1e-9)
        assert_allclose(counted.leaf, [ref["prune_errors"] for ref in refs], rtol=1e-9, atol=1e-9)
    assert METHODS["reduced_error"].prune(tree, held) == tree
    if case.setting != "I1_R":  # which adds counts that no row has
        check_same(backfitted(tree, held), case.tree, 1e-9)
