"""Finer rules of growth, by which the classic programs differ: the keys of the parameter `growth_rules`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..data.common.allowed import NONE, YES_NO, Allowed, Parameter, one_of, real, whole
from ..data.common.hints import nearest

_YES_NO = (YES_NO,)


def _are_costs(value: Any) -> bool:
    try:
        costs = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return costs.ndim == 1 and bool((np.isfinite(costs) & (costs > 0)).all())


REJECTED = ("numbers", "missing")

# fmt: off
RULES = (
    Parameter("choice", "exact", (one_of(["exact", "c4.5", "j48", "c5.0", "permutation_test"]),),
        "How the best splits of the columns are compared: exactly, or with the slacks and the order of a "
        "program. By gain ratio with criterion='gain_ratio', else by gain. 'permutation_test': the column "
        "with the least p-value of a permutation test is split, if that is below `alpha`."),
    Parameter("alpha", 0.05, (real(0, 1),),
        "Permutation tests: a node is split if the least p-value is below."),
    Parameter("adjustment", "bonferroni", (one_of(["bonferroni", "none", "statistic"]),),
        "Permutation tests: whether p-values are corrected for the number of columns, or not; or the "
        "greatest statistic is chosen, whatever its p-value."),
    Parameter("least_statistic", 0.0, (real(0),),
        "With adjustment='statistic': a node is split if the greatest statistic is above."),
    Parameter("test_statistic", "quadratic", (one_of(["quadratic", "maximum"]),),
        "Permutation tests: all that a column says of the target, as a sum of squares, or the greatest "
        "part of it."),
    Parameter("cut_statistic", "quadratic", (one_of(["quadratic", "maximum"]),),
        "Permutation tests: the same where the cut of the chosen column is sought."),
    Parameter("min_share", 0.0, (real(0, 0.5),),
        "Permutation tests: the least share of the weight of a node in each child."),
    Parameter("columns_tried", 2, (whole(1),),
        "Permutation tests: so many of the best columns are tried until one has a cut that leaves enough on "
        "both sides."),
    Parameter("threshold_cost", "none", (one_of(["none", "cuts", "gap"]),),
        "What a threshold pays for the choice among the cuts, in bits off its gain: nothing; log2 of the "
        "number of cuts; or log2 of the range of the values over the distance of the two around it, if that "
        "is less."),
    Parameter("min_gap", 0.0, (real(0),), "Neighbouring values that differ by no more are not cut apart."),
    Parameter("side_share", 0.0, (real(0, 1),),
        "A threshold leaves at least min(25, side_share x known weight / classes) on each side."),
    Parameter("branches", "all", (one_of(["all", "two", "chosen"]),),
        "Which branches must reach `min_samples_leaf`: all; two of them; or two of the chosen column's "
        "(rows count by their weight), and if they do not, the node is a leaf."),
    Parameter("better_by", 0.0, (real(0),),
        "A later cut, or column, must gain more by this per unit of weight."),
    Parameter("least_gain", None, (real(0), NONE), "A split must gain more than this per unit of weight."),
    Parameter("leaves_per_weight", 0.0, (real(0),),
        "With choice='c5.0': the most leaves of a node per unit of its weight, rounded; of fewer than 2 it "
        "is a leaf, and a test of levels must not have more branches. 0 is no limit."),
    Parameter("mean_gain", True, _YES_NO,
        "With choice='c5.0': whether a column must gain as much as the mean, or less in a large node."),
    Parameter("flat", 0.0, (real(0, 1),),
        "A node whose impurity is below this share of the root's is a leaf."),
    Parameter("empty_branches", "none", (one_of(["none", "shares", "class", "nothing"]),),
        "With a branch per level (or merged levels): whether levels that no row of a node has get a leaf "
        "too, which predicts the probabilities of its parent, its class, or nothing."),
    Parameter("merging", "c4.5", (one_of(["c4.5", "c5.0"]),),
        "How nominal_splits='merged' merges the levels: while that raises the gain ratio."),
    Parameter("spread_missing", False, _YES_NO,
        "With missing='fractional': rows without a value enter the gain, spread over the branches, when "
        "columns are compared."),
    Parameter("missing_alone", True, _YES_NO, "Whether 'is it missing?' is a test of its own."),
    Parameter("unseen_stops", False, _YES_NO,
        "A missing value stops at a node that met none in growing, instead of going with most rows."),
    Parameter("rounding_decides", False, _YES_NO,
        "Of splits that are equally good, take the one whose entropy, summed up in floating point, comes out "
        "less; else the first column and the lowest cut."),
    Parameter("strict", False, _YES_NO, "Thresholds are x < t instead of x <= t."),
    Parameter("single", False, _YES_NO,
        "With thresholds='recorded': the middle of two values is taken in single precision."),
    Parameter("unknown_number", None, (real(-1e30, 1e30), NONE),
        "A number that stands for a missing value, at fit and at predict."),
    Parameter("max_surrogates", 5, (whole(0),), "The most surrogates of a node."),
    Parameter("surrogate_style", "total", (one_of(["total", "known"]),),
        "How much a surrogate agrees is a share of all rows whose tested value is known, or of those whose "
        "value in its own column is known too."),
    Parameter("after_surrogates", "common", (one_of(["common", "heavier", "stop"]),),
        "Where a row goes, in growing, that no surrogate knows: to the heavier child, the first of equals; "
        "there too, but it stays at the node if they are equal; or it stays at the node."),
    Parameter("imperfect_levels", False, _YES_NO,
        "A surrogate that tests levels must agree in two rows and err in two, as rpart's, instead of "
        "sending two rows each way."),
    Parameter("use_surrogates", True, _YES_NO, "Whether surrogates are used, or only found."),
    Parameter("missing_to_more", False, _YES_NO,
        "At predict a missing value that no surrogate knows goes to the child of more rows, whatever they "
        "weigh, and stops between equals."),
    Parameter("zero_rates", False, _YES_NO,
        "With criterion='poisson': a child may have no events, and of levels with equal rates the last is "
        "first in the order along which sets are sought."),
    Parameter("ordered_sets", False, _YES_NO,
        "Sets of levels are sought only along the order that is best without limits on the children; with "
        "more than two classes, one by one up to 20 levels."),
    Parameter("plain_sums", False, _YES_NO,
        "Between splits of equal gain, in nodes that are sorted, the rounding of plain sums of doubles "
        "decides, as in rpart; else the first column and the lowest cut."),
    Parameter("column_costs", None, (Allowed("a list of numbers above 0, one per column", _are_costs), NONE),
        "What every column costs: gains are divided by it when columns are compared."),
    Parameter("count_zero_weights", False, _YES_NO,
        "Rows of weight 0 count where `min_samples_split` and the rows of a node are counted."),
    Parameter("drop_empty_rows", False, _YES_NO,
        "Rows of which every value is missing are left out of growing."),
    Parameter(
        "rejects",
        (),
        (
            Allowed(
                f"a list of some of {REJECTED}", lambda v: isinstance(v, list | tuple) and {*v} <= {*REJECTED}
            ),
        ),
        "What a table must not have: columns of numbers, missing values.",
    ),
    Parameter("costs", "growth", (one_of(["growth", "decision"]),),
        "Whether `costs` weigh the classes while the tree grows, or only decide what a node predicts."),
    Parameter("winnow", False, _YES_NO,
        "Leave out the columns that do not help a tree of one half of the rows to predict the other half."),
    Parameter("sample", 0.0, (real(0, 1, "[)"),),
        "Grow on this share of the rows, of every class alike, drawn by `random_state`; 0 is all of them."),
    Parameter("soft_thresholds", False, _YES_NO,
        "Between two numbers around a threshold, a row goes down both branches by shares."),
    Parameter("ties", "first", (one_of(["first", "root"]),),
        "Which of the classes that have most rows of a leaf, equally many, it predicts: the first, or if it "
        "is among them, that of the root."),
    Parameter("weights", "given", (one_of(["given", "mean"]),),
        "Whether the weights of rows are taken as they are given, or divided by the mean of those above 0, "
        "the others being 1."),
)
# fmt: on
# What the core need not know.
IN_PYTHON = {
    "winnow",
    "sample",
    "soft_thresholds",
    "unknown_number",
    "rejects",
    "costs",
    "ties",
    "weights",
    "drop_empty_rows",
    "count_zero_weights",
}
KNOWN = {rule.name: rule for rule in RULES}


def check_rules(rules: dict[str, Any] | None) -> None:
    """Reject a rule that is not known, or is out of range."""
    for name, value in (rules or {}).items():
        if name not in KNOWN:
            raise ValueError(f"growth_rules must be among {[*KNOWN]}. Got {name!r}.{nearest(name, KNOWN)}")
        KNOWN[name].check(value)


def empty_leaves(params: dict[str, Any]) -> str:
    """What a leaf without rows predicts: "shares", "class" or "nothing"."""
    given = str((params["growth_rules"] or {}).get("empty_branches", "none"))
    return "shares" if given == "none" else given


def set_rules(growth: Any, rules: dict[str, Any] | None) -> None:
    """Tell the core the rules that are given."""
    for name, value in (rules or {}).items():
        if value is not None and name not in IN_PYTHON:
            default = KNOWN[name].default
            if name == "column_costs":
                growth.column_costs = [float(cost) for cost in value]
            else:
                setattr(growth, name, float(value) if default is None else type(default)(value))
