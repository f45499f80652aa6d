"""The oracles of the classic programs, on the recorded trees: every node, and the whole trees.

Pruned trees are grown by the oracle and pruned by the package's methods. What is not explained is named here.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.oracle.classic_c45 import C45, with_unknown
from tests.oracle.classic_grow import Path, grow, grown_tree
from tests.oracle.classic_id3 import Id3
from tests.oracle.classic_j48 import J48
from tests.oracle.classic_merge import merged
from tests.oracle.classic_rows import Column, Data, Sample, Test, divide, shared
from tests.oracle.classic_stump import Stump
from tests.support.golden import cases_of, in_doubles
from tests.support.golden_counts import Case, check_same
from tests.support.golden_reptree import data_of, grown
from treewright.learn.pruning import METHODS
from treewright.learn.pruning.pessimistic import useless

pytest.importorskip("pandas")
pytestmark = pytest.mark.recorded


C45_CASES = [path for path in in_doubles(cases_of("c45r8")) if path.stem.endswith("_unpruned")]
# A leaf is split here, since halves of rows make two rows, and in the order of C4.5's sums a little less; or
# a level that weighs little is a branch, which the core has right and the oracle not.
ROUNDED = [
    "labor__c45r8__default_unpruned",
    "labor__c45r8__c5_unpruned",
    "mis_shares_a__c45r8__m1_unpruned",
    "grp_light_a__c45r8__s_unpruned",
]


def c45_of(case):
    words = case.settings["flags"].split()
    least = float(words[words.index("-m") + 1]) if "-m" in words else 2.0
    return C45(least, by_gain="-g" in words, merge="-s" in words)


# -- node by node: how would the oracle split the rows that came to a recorded node?


def recorded_test(case, node):
    column = case.features.index(node["split"]["feature"])
    if "threshold" in node["split"]:
        return Test(column, node["split"]["threshold"])
    levels = [case.levels_of(node, branch) for branch in node["branches"]]
    return Test(column, groups=tuple(tuple(case.ranks(case.features[column], one)) for one in levels))


def differing(case, program, sample):
    """The recorded inner nodes where the oracle decides otherwise. Leaves are grown too: C4.5 has done so."""
    found, waiting = [], [(case.root, sample, Path())]
    while waiting:
        node, here, path = waiting.pop()
        if node["leaf"]:
            if len(here):
                grow(program, here)
            continue
        wanted, best = shared(here, recorded_test(case, node)), program.best(here, path)
        if best is None or not same(here, best, wanted):
            found.append(node["id"])
        tested = path.tested | {wanted.column} if program.tests_once(here.data, wanted) else path.tested
        parts = zip(node["branches"], divide(here, wanted), strict=True)
        waiting += [(branch["child"], part, Path(path.depth + 1, tested)) for branch, part in parts][::-1]
    return found


def same(sample, one, two):
    """The same column and threshold, or the same groups of the levels that are there, in order."""
    if one.threshold is not None or two.threshold is not None:
        return one.column == two.column and np.isclose(one.threshold, two.threshold, rtol=1e-12)
    here = set(sample.known(two.column).values(two.column).tolist())
    groups = [[group for group in test.groups if here & set(group)] for test in (one, two)]
    return one.column == two.column and groups[0] == groups[1]


@pytest.mark.parametrize("path", C45_CASES, ids=lambda path: path.stem)
def test_c45_splits_as_recorded(path):
    case = Case(path)
    sample = Sample.of(with_unknown(data_of(case)), np.float32)
    assert differing(case, c45_of(case), sample) == []


# -- whole trees


EXPLAINED = [path for path in C45_CASES if path.stem not in ROUNDED]


@pytest.mark.parametrize("path", EXPLAINED, ids=lambda path: path.stem)
def test_c45_grows_as_recorded(path):
    case = Case(path)
    tree = grown_tree(c45_of(case), with_unknown(data_of(case)), np.float32)
    check_same(tree.collapse(useless(tree)), case.tree, 1e-4)


@pytest.mark.parametrize("path", cases_of("j48"), ids=lambda path: path.stem)
def test_j48_grows_as_recorded(path):
    case = Case(path)
    flags = case.settings["full"].split()
    real_cut = "-doNotMakeSplitPointActualValue" not in flags
    program = J48(float(case.option("-M")), "-J" not in flags, "-B" in flags, real_cut)
    if "-R" in flags:
        tree = grown_tree(program, data_of(case, case.extra["grow_rows"]))
        tree = METHODS["reduced_error"].prune(tree, case.rows_of(case.extra["prune_rows"]))
    else:
        tree = grown_tree(program, data_of(case))
        tree = tree if "-O" in flags else tree.collapse(useless(tree))
    if "-C" in flags:
        options = {
            "CF": float(np.float32(case.option("-C"))),
            "raising": "-S" not in flags,
            "bound": "normal",
        }
        tree = METHODS["pessimistic"].prune(tree, case.rows_of(), collapse=False, **options)
    check_same(tree, case.tree, 1e-9)


@pytest.mark.parametrize("path", cases_of("id3"), ids=lambda path: path.stem)
def test_id3_grows_as_recorded(path):
    case = Case(path)
    tree = grown_tree(Id3(), data_of(case))
    for name in ("n_children", "feature", "level_begin", "level_code", "level_child"):
        assert_array_equal(getattr(tree, name), getattr(case.tree, name))
    leaf = case.tree.is_leaf
    assert_allclose(tree.value[leaf], case.tree.value[leaf], rtol=1e-12)


@pytest.mark.parametrize("path", cases_of("decisionstump"), ids=lambda path: path.stem)
def test_the_stump_is_as_recorded(path):
    case = Case(path)
    tree = grown_tree(Stump(), data_of(case))
    assert_array_equal(tree.n_children, case.tree.n_children)
    assert_array_equal(tree.feature, case.tree.feature)
    assert_allclose(tree.threshold, case.tree.threshold, rtol=1e-12)
    assert_allclose(tree.value[1:], case.tree.value[1:], rtol=1e-9)


@pytest.mark.parametrize(
    "path", [path for path in cases_of("reptree") if path.stem.endswith("__P")], ids=lambda path: path.stem
)
def test_rep_tree_grows_as_recorded(path):
    case = Case(path)
    check_same(grown(case, case.extra["grow_rows"]), case.tree, 1e-9)


# -- what the recorded trees do not show


def table(values, y, levels=("a", "b", "c", "d")):
    return Data(
        (Column("x", np.array(values, dtype=float), levels),), np.array(y), np.ones(len(y)), ("n", "p")
    )


def test_levels_of_one_class_are_merged_first():
    sample = Sample.of(table([0, 0, 1, 1, 2, 2, 3, 3], [0, 0, 1, 1, 0, 0, 1, 1]), np.float32)
    assert merged(sample, 0, least=2).groups == ((0, 2), (1, 3))


def test_levels_that_are_not_there_are_the_last_branch():
    sample = Sample.of(table([0, 0, 2, 2], [0, 0, 1, 1]), np.float32)
    assert merged(sample, 0, least=2).groups == ((0,), (2,), (1, 3))


def test_id3_refuses_numbers_and_missing_values():
    for data in (table([0, np.nan], [0, 1]), table([0, 1], [0, 1], levels=())):
        with pytest.raises(ValueError, match="no missing values"):
            grown_tree(Id3(), data)
