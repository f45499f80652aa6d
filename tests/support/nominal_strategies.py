"""Small tables with nominal columns and missing values, and how the core's trees of them are checked."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from tests.oracle import Growth, check_tree
from tests.support import strategies
from tests.support.strategies import NEAR_0, cases, drawn_integers

NOMINAL_SPLITS = ("subset", "multiway", "one_vs_rest")
MISSING = ("learned", "branch", "surrogate", "fractional")
LIMITS = [
    {},
    {"min_samples_leaf": 2},
    {"min_samples_leaf": 3},
    {"min_weight_leaf": 1.5},
    {"max_depth": 2},
    {"min_samples_split": 5},
    {"min_impurity_decrease": 0.05},
]


@st.composite
def nominal_columns(draw, n, max_levels=6, gaps=True):
    """Codes of up to so many levels, not all of them present, with missing values unless told otherwise."""
    n_levels = draw(st.integers(1, max_levels))
    codes = draw(drawn_integers(n, 0, n_levels - 1))
    rarity = draw(st.sampled_from([0, 1, 4, 9])) if gaps else 0
    if rarity:
        codes = np.where(draw(drawn_integers(n, 0, rarity)) == 0, -1, codes)
    return codes.astype(np.int32), None, n_levels + draw(st.sampled_from([0, 0, 2]))


@st.composite
def mixed_cases(draw, criterion, max_rows=22, max_levels=6, gaps=True):
    """Some columns of numbers and at least one nominal column, in any order."""
    case = draw(cases(criterion, max_rows, NEAR_0))
    columns = draw(st.lists(nominal_columns(case.n_rows, max_levels, gaps), min_size=1, max_size=3))
    numbers = case.columns[: draw(st.integers(0, 2))]
    if not gaps:
        numbers = [(values, None) for values, _ in numbers if not np.isnan(values).any()]
    return replace(case, columns=draw(st.permutations(columns + numbers)))


@st.composite
def mixed_growths(draw, criterion, **settings):
    """At most one limit: the oracle tries every set of levels, which takes its time."""
    limits = draw(st.sampled_from([*LIMITS, {}, {}]))
    return Growth(criterion, order=draw(st.sampled_from(["depth", "breadth", "best"])), **settings, **limits)


def noisy_levels(seed, n_levels, n_rows, n_classes=2, gaps=0.0):
    """One nominal column whose levels differ, a little, in their targets; every level is present."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(
        np.concatenate([np.arange(n_levels), rng.integers(0, n_levels, n_rows - n_levels)])
    )
    if n_classes:
        shares = rng.dirichlet(np.full(n_classes, 0.7), n_levels)
        y = np.array([rng.choice(n_classes, p=shares[code]) for code in codes])
    else:
        y = np.round(np.abs(rng.normal(size=n_levels)[codes] + rng.normal(size=n_rows)) * 8) / 8
    codes = np.where(rng.random(n_rows) < gaps, -1, codes).astype(np.int32)
    column = (codes, None, n_levels)
    return strategies.Case([column], y.reshape(-1, 1), [n_classes] if n_classes else None, None)


def grown(case, growth, **sizes):
    """The core's tree, checked."""
    tree = strategies.native(case, growth, **sizes)
    check_tree(case.table, growth, tree)
    return tree


def cells(case):
    """The rows of a case as the oracle walks them."""
    return list(zip(*case.table.columns, strict=True))
