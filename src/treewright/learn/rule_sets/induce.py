"""From a tree and rows to a set of rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...data.checked_target import checked_target
from ...data.common.array_types import Floats, Ints
from ...data.target import check_weights
from ...data.typed_table import TypedTable
from ...tree.sums import ColumnsWithSums
from ...tree.tree import Tree
from ..classic_rules import row_weights_by_rules
from ..fitted_tree import FittedTree
from ..pruning.bounds import expected_errors
from .choose import chosen
from .generalise import Draft, Estimate, Rows, drafts_of, laplace
from .rule_set import ClassRule, RuleSet

MOST_NODES = 20_000


@dataclass(frozen=True)
class RuleOptions:
    """How rules are made; see `RuleSetClassifier`."""

    estimate: str = "laplace"  # or "pessimistic", at confidence CF
    CF: float = 0.25
    narrow: bool = True
    apart: bool = False
    least: float = 2.0  # right rows more than wrong ones that a rule must add to be among the first

    @property
    def error_estimate(self) -> Estimate:
        """The function from weight and wrong weight to the estimated share of errors."""
        return laplace if self.estimate == "laplace" else partial(_pessimistic, CF=self.CF)


def _pessimistic(weight: Floats, wrong: Floats, CF: float) -> Floats:
    some = np.maximum(weight, 1e-9)
    return np.asarray(np.where(weight > 0, expected_errors(some, np.minimum(wrong, some), CF) / some, 1.0))


def rules_of(
    model: FittedTree, X: Any, y: Any, sample_weight: Any = None, options: RuleOptions | None = None
) -> RuleSet:
    """The rules of a fitted tree, counted on these rows."""
    if not model.classes or len(model.classes) > 1:
        got = "one of several" if model.classes else "a regressor"
        raise ValueError(
            f"A set of rules needs a classifier of one output. Got {got}. Use treewright.rules without "
            "`simplify`."
        )
    if model.tree.leaf_models is not None:
        raise ValueError(
            "A set of rules needs a tree with constant leaves. Got one with models in its leaves. Fit it "
            "with leaf_model='constant'."
        )
    table = model.read(X)
    codes = checked_target(y, table.n_rows, model.classes[0].tolist())
    ruled = row_weights_by_rules(sample_weight, model.params.get("growth_rules"), table.n_rows, X)
    return induce(model.tree, table, codes, check_weights(ruled, table.n_rows), options or RuleOptions())


def induce(
    tree: Tree, table: TypedTable, codes: Ints, weight: Floats | None, options: RuleOptions
) -> RuleSet:
    """The rules of a tree for these rows, ordered by class and then by their votes."""
    if tree.node_count > MOST_NODES:
        raise ValueError(
            f"A tree that becomes a rule set must have at most {MOST_NODES:,} nodes. "
            f"Got {tree.node_count:,}. Prune it first, or set max_leaf_nodes."
        )
    weights = np.ones(len(codes)) if weight is None else weight
    rows = Rows(ColumnsWithSums(tree, table.columns), codes, weights)
    drafts = drafts_of(tree, rows, options.error_estimate, narrow=options.narrow, apart=options.apart)
    kept = [drafts[place] for place in chosen(drafts, rows, options.least)]
    rules = [_counted(draft, rows) for draft in kept]
    n_classes = int(tree.n_classes[0])
    totals = np.bincount(codes, weights, minlength=n_classes)
    covered = np.any([draft.mask for draft in kept], axis=0) if kept else np.zeros(len(codes), dtype=bool)
    left = np.bincount(codes[~covered], weights[~covered], minlength=n_classes)
    default = _default(left.astype(np.float64), totals.astype(np.float64))
    rules.sort(key=lambda rule: (rule.label, -rule.vote))  # of equal votes as they stand in the tree
    return RuleSet(tuple(rules), default, tuple(totals.tolist()))


def _default(left: Floats, totals: Floats) -> int:
    """The class of rows that no rule covers: frequent among those, and among all.

    Both shares are added. That of the rows not covered is an estimate, with one row more for the class and
    one against it. Of equal classes the most frequent is taken.
    """
    shares = (left + 1.0) / (left.sum() + 2.0) + totals / totals.sum()
    return int(np.lexsort((-np.arange(len(totals)), totals, np.round(shares, 9)))[-1])


def _counted(draft: Draft, rows: Rows) -> ClassRule:
    """A rule with the rows that it covers; its conditions stand in the order of the columns."""
    path = draft.path
    values = {place: path.values[place] for place in sorted(path.values)}
    covered = rows.weight[draft.mask]
    correct = covered[rows.codes[draft.mask] == draft.label].sum()
    return ClassRule(type(path)(values), draft.label, float(covered.sum()), float(correct))
