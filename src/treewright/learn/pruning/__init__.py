"""The pruning methods: each decides what becomes of every node; `rebuild` makes the tree.

A new method is a file and an entry of METHODS.
"""

from __future__ import annotations

from ...data.common.allowed import NONE, YES_NO, Parameter, one_of, real, whole
from ..losses import CLASS_LOSSES, NUMBER_LOSSES
from .cost_complexity import RULES, cost_complexity, prune, pruning_path, sequence, stop_alphas
from .leaf_budget import budget_curve, decision_for, leaf_budget
from .merge import merge
from .method import GROWN_ON, HELD_OUT, NO_ROWS, Method
from .minimum_error import PRIORS, minimum_error
from .pessimism import OPTIONS as PESSIMISM
from .pessimistic import collapse, pessimistic
from .rebuild import COLLAPSE, KEEP, rebuild
from .reduced_error import FORMS, reduced_error
from .refit import backfitted, refit
from .risk import RISKS, node_risk
from .rows import Rows, held_out, rows_for

__all__ = [
    "COLLAPSE",
    "GROWN_ON",
    "HELD_OUT",
    "KEEP",
    "METHODS",
    "NO_ROWS",
    "Rows",
    "backfitted",
    "budget_curve",
    "decision_for",
    "held_out",
    "method_of",
    "node_risk",
    "prune",
    "pruning_path",
    "rebuild",
    "refit",
    "rows_for",
    "sequence",
    "stop_alphas",
]

# fmt: off
_RISK = Parameter("risk", "impurity", (one_of(RISKS),),
    "The risk that pruning weighs against leaves: the impurity that the tree was grown with, the share of "
    "errors, what the errors cost, or half the Poisson deviance of what is predicted.")
# fmt: on
_YES_NO = (YES_NO,)

# fmt: off
METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            "cost_complexity",
            "Cut every branch that lowers the risk by less than alpha per leaf; the weakest goes first.",
            cost_complexity,
            (
                Parameter("alpha", 0.0, (real(0),), "By how much each leaf must lower the risk of all rows."),
                _RISK,
                Parameter("rule", "weakest_link", (one_of(RULES),),
                    "The textbook's order, or rpart's, where alpha is its cp: a share of the root's risk."),
            ),
        ),
        Method(
            "reduced_error",
            "Cut branches that do not lower the error on held-out rows.",
            reduced_error,
            (
                Parameter("form", "optimal", (one_of(FORMS),),
                    "Take the smallest of the best pruned trees, or cut the branch whose removal helps most, "
                    "as long as one helps."),
                Parameter("loss", None, (one_of(CLASS_LOSSES + NUMBER_LOSSES), NONE),
                    "The loss of a held-out row; None: that of the tree."),
                Parameter("backfit", False, _YES_NO,
                    "Count the held-out rows in the pruned tree afterwards."),
            ),
            HELD_OUT,
        ),
        Method(
            "pessimistic",
            "Replace a branch by a leaf, or by its largest child, if the upper limit of its errors does not "
            "rise (C4.5).",
            pessimistic,
            PESSIMISM,
            GROWN_ON,
            rows_if="raising",
            for_classes=True,
        ),
        Method(
            "collapse",
            "Cut only branches that make no fewer errors on the training rows than a leaf would.",
            collapse,
            for_classes=True,
        ),
        Method(
            "minimum_error",
            "Cut branches that are expected to make no fewer errors, with a prior that is worth m rows in "
            "every node (m-estimate).",
            minimum_error,
            (
                Parameter("m", 2.0, (real(0),), "How many rows the prior is worth: a larger m prunes more."),
                Parameter("prior", "root", (one_of(PRIORS),), "The shares in the root, or equal ones."),
            ),
            for_classes=True,
        ),
        Method(
            "leaf_budget",
            "Take the pruned tree of least risk with at most this many leaves.",
            leaf_budget,
            (Parameter("n_leaves", 8, (whole(1),), "The most leaves."), _RISK),
        ),
        Method("merge", "Merge sibling leaves that predict the same class.", merge),
    )
}
# fmt: on


def method_of(name: str) -> Method:
    """The method of this name."""
    if name not in METHODS:
        raise ValueError(f"The pruning method must be one of {', '.join(map(repr, METHODS))}. Got {name!r}.")
    return METHODS[name]
