"""Cost-complexity pruning of recorded trees is rpart's and scikit-learn's: the sequences, and the trees."""

import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.support.golden import cases_of
from tests.support.golden_counts import CASES, Case, check_same
from treewright.learn.pruning import METHODS, node_risk, pruning_path, sequence
from treewright.tree.tree import tree_from_dict

pytest.importorskip("pandas")
pytestmark = pytest.mark.recorded


# -- rpart


def rpart_case(path):
    """A recorded tree in units of rows after priors, with its risk, and which risk to use."""
    case = Case(path)
    refs = [place["ref"] for place in case.places]
    deviance = np.array([ref["deviance"] for ref in refs], dtype=float)
    if case.classes is not None:
        rows = np.array([ref["node_prob"] for ref in refs]) * case.root["n"]
        case.tree = replace(case.tree, weighted_n_node_samples=rows)
        return case, deviance, "cost"
    weight = case.tree.weighted_n_node_samples
    case.tree = replace(case.tree, impurity=deviance / weight)
    return case, deviance, "impurity"


@pytest.mark.parametrize("path", cases_of("rpart"), ids=lambda path: path.stem)
def test_complexities_and_their_table_are_rparts(path):
    case, deviance, risk = rpart_case(path)
    assert_allclose(node_risk(case.tree, risk), deviance, rtol=1e-7, atol=1e-9 * deviance[0])
    found, inner = sequence(case.tree, risk, "rpart"), ~case.tree.is_leaf
    complexity = np.array([place["ref"]["complexity"] for place in case.places], dtype=float)
    assert_allclose(found.stop_alpha[inner], complexity[inner], rtol=1e-7, atol=1e-9)
    before = np.inf
    for cp, n_splits, error in case.extra["cptable"]["rows"]:
        same, before = cp > before * (1 - 1e-9) > 0, cp
        if same:  # equal but for rounding: to us one
            continue
        place = np.searchsorted(found.alphas, cp * (1 + 1e-9) + 1e-12, side="right") - 1
        assert found.n_leaves[place] - 1 == n_splits
        assert found.risks[place] * case.tree.weighted_n_node_samples[0] == pytest.approx(
            error * deviance[0], rel=1e-7, abs=1e-9
        )


RPART_PRUNED = [
    (CASES / f"{name}__rpart__cp0.json", CASES / f"{name}__rpart__{setting}.json")
    for name in ("boston", "esoph_like", "insectsprays", "mtcars", "toy_reg", "toy_reg_missing")
    for setting in ("prune", "default")
    if (CASES / f"{name}__rpart__{setting}.json").exists()
]


@pytest.mark.parametrize(
    ("full", "pruned"), RPART_PRUNED, ids=[f"{full.stem}-{pruned.stem}" for full, pruned in RPART_PRUNED]
)
def test_full_trees_are_pruned_as_rpart_does(full, pruned):
    case, _, risk = rpart_case(full)
    wanted = Case(pruned)
    cp = (
        float(wanted.recorded["settings"]["control"]["cp"]) or 0.01
    )  # of the pruned one it is what it grew with
    found = METHODS["cost_complexity"].prune(case.tree, alpha=cp, risk=risk, rule="rpart")
    check_same(found, wanted.tree, 1e-7)


# -- scikit-learn


def sklearn_tree(path):
    """The recorded tree with its weights and impurities."""
    recorded, made = json.loads(path.read_text()), {}
    nodes = [recorded["tree"]]
    for node in nodes:
        nodes += [branch["child"] for branch in node.get("branches", [])]
    for node in reversed(nodes):
        made[node["id"]] = here = {
            "weight": node["n"],
            "n": node["ref"]["n_node_samples"],
            "impurity": node["ref"]["impurity"],
            "value": node.get("probs", node["value"]),
        }
        if not node["leaf"]:
            below = [made[branch["child"]["id"]] for branch in node["branches"]]
            here |= {"feature": node["split"]["feature"], "threshold": node["split"]["threshold"]}
            here |= {
                "left": below[0],
                "right": below[1],
                "missing": node["split"].get("missing_goes", "left"),
            }
    names = recorded["dataset"]["feature_order"]
    return tree_from_dict(made[0], feature_names=names, classes=recorded["classes"]), recorded


SKLEARN = cases_of("sklearn")


@pytest.mark.parametrize("path", SKLEARN, ids=lambda path: path.stem)
def test_the_sequence_of_a_recorded_tree_is_scikit_learns(path):
    """Alphas that differ by rounding are one to us, with the impurity after the last of them."""
    tree, recorded = sklearn_tree(path)
    alpha = recorded["settings"]["params"]["ccp_alpha"]
    theirs = recorded["extra"]["ccp_path"]
    alphas, impurities = (np.array(theirs[name], dtype=float) for name in ("ccp_alphas", "impurities"))
    found = pruning_path(tree)
    near = 1e-9 * max(alphas[-1], 1e-12)
    later = alphas > alpha  # the recorded tree is what this alpha left
    last = np.append(np.diff(alphas) > near, True) & (later if alpha else True)
    ours = np.append(np.diff(found.ccp_alphas) > near, True)
    ours &= found.ccp_alphas > alpha if alpha else True
    assert_allclose(found.ccp_alphas[ours], alphas[last], rtol=1e-6, atol=near)
    assert_allclose(found.impurities[ours], impurities[last], rtol=1e-6, atol=1e-9 * impurities[-1])


def params_of(path):
    return json.loads(path.read_text())["settings"]["params"] | {"ccp_alpha": None}


SKLEARN_PRUNED = [
    (full, pruned)
    for pruned in SKLEARN
    if "__ccp" in pruned.stem
    for full in SKLEARN
    if full.stem.split("__")[0] == pruned.stem.split("__")[0] and full.stem.split("__")[2] in ("gini", "mse")
    if params_of(full) == params_of(pruned)
]


@pytest.mark.parametrize(("full", "pruned"), SKLEARN_PRUNED, ids=lambda path: path.stem)
def test_full_trees_are_pruned_as_scikit_learn_does(full, pruned):
    tree, wanted = sklearn_tree(full)[0], sklearn_tree(pruned)
    alpha = wanted[1]["settings"]["params"]["ccp_alpha"]
    check_same(METHODS["cost_complexity"].prune(tree, alpha=alpha), wanted[0], 1e-9)
