"""Recorded trees of C4.5, J48 and REPTree, pruned by us, are what these programs made of them."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.oracle.classic_grow import grown_tree
from tests.oracle.classic_j48 import J48
from tests.support.golden import cases_of, in_doubles
from tests.support.golden_counts import CASES, Case, check_same
from tests.support.golden_reptree import data_of, grown
from treewright.learn.pruning import METHODS, backfitted, refit
from treewright.learn.pruning.bounds import expected_errors
from treewright.learn.pruning.losses import losses
from treewright.learn.pruning.pessimistic import useless
from treewright.learn.pruning.tallies import arrivals, tallies

pytest.importorskip("pandas")
pytestmark = pytest.mark.recorded


# -- C4.5 and J48


def pruned_pairs():
    """(unpruned, pruned, options) of the same program, table and setting."""
    by_name = {path.stem: path for path in in_doubles(cases_of("c45r8"))}
    for unpruned in (path for name, path in by_name.items() if name.endswith("_unpruned")):
        setting = unpruned.stem.split("__")[2].removesuffix("_unpruned")
        options = {"bound": "table", "CF": {"c5": 0.05, "c50": 0.5}.get(setting, 0.25)}
        options |= {"join": "possible"} if setting.split("_")[0] == "s" else {}
        yield unpruned, by_name[unpruned.stem.replace("_unpruned", "_pruned")], options
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
    if "join" not in options:  # our pruning of one such tree raises once more; why is not known
        assert METHODS["pessimistic"].prune(wanted.tree, full.rows_of(), **options) == wanted.tree


def uncollapsed(case):
    """The tree of J48 -U -O as recorded, or else as the oracle grows it."""
    recorded = CASES / f"{case.table}__j48__U_O.json"
    return (
        Case(recorded).tree if recorded.exists() else grown_tree(J48(2.0, True, False, True), data_of(case))
    )


def test_branches_that_are_no_better_on_their_own_rows_collapse_as_recorded():
    collapsed = set()
    for path in CASES.glob("*__j48__U.json"):
        wanted = Case(path)
        full = uncollapsed(wanted)
        check_same(full.collapse(useless(full)), wanted.tree, 1e-9)
        if useless(full).any():
            collapsed.add(wanted.table)
    assert collapsed >= {"toy_missing", "toy_ties"}


@pytest.mark.parametrize("path", sorted(CASES.glob("*__c45r8__*_pruned.json")), ids=lambda path: path.stem)
def test_errors_are_expected_as_recorded(path):
    case = Case(path)
    cf = {"c5": 0.05, "c50": 0.5}.get(case.setting.removesuffix("_pruned"), 0.25)
    leaves = [node for node in case.nodes if node["leaf"] and node["n"] > 0]
    if len(case.nodes) == 1:  # there was nothing to prune, and the field has the errors themselves
        return
    errors = [node["n"] - max(node["counts"]) for node in leaves]
    found = expected_errors([node["n"] for node in leaves], errors, cf, "table")
    assert_allclose(found, [node["ref"]["errors_field"] for node in leaves], rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize(
    "path", [one for one, _, _ in PAIRS if not one.stem.endswith("s_unpruned")], ids=lambda path: path.stem
)
def test_rows_sent_down_a_recorded_tree_are_counted_as_recorded(path):
    """Missing values are shared out by the rows themselves, and an empty leaf predicts as its parent."""
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
def test_held_out_rows_are_counted_and_pruned_as_recorded(path):
    case = Case(path)
    tree, held = grown_part(case), case.rows_of(case.extra["prune_rows"])
    refs, counted = [place["ref"] for place in case.places], losses(tree, held)
    seen = tallies(tree, arrivals(tree, held.columns, held.weight), held.y)
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


@pytest.mark.parametrize("path", HOLD_OUT, ids=lambda path: path.stem)
def test_unpruned_trees_are_pruned_by_held_out_rows_as_recorded(path):
    """The tree before pruning is not recorded, so it is grown here by REPTree's rules."""
    case = Case(path)
    full = grown(case, case.extra["grow_rows"])
    pruned = METHODS["reduced_error"].prune(full, case.rows_of(case.extra["prune_rows"]), backfit=True)
    if case.setting == "I1_R":  # which adds counts that no row has
        assert_array_equal(pruned.n_children, case.tree.n_children)
        assert_array_equal(pruned.threshold, case.tree.threshold)
    else:
        check_same(pruned, case.tree, 1e-9)


@pytest.mark.parametrize("path", sorted(CASES.glob("*__j48__R*.json")), ids=lambda path: path.stem)
def test_what_was_pruned_by_held_out_rows_stays(path):
    """J48 -R: the tree before pruning is not recorded."""
    case = Case(path)
    grown = refit(case.tree, case.rows_of(case.extra["grow_rows"]))
    check_same(grown, case.tree, 1e-9)
    assert METHODS["reduced_error"].prune(grown, case.rows_of(case.extra["prune_rows"])) == grown
