"""Whether rows are the training rows of a tree: found by counting how many of them reach each leaf."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...data.target import row_weights
from ...data.typed_table import TypedTable as Table
from ...learn.classic_rules import row_weights_by_rules, rows_of_weight_zero
from ...learn.fitted_tree import FittedTree
from ...learn.pruning.model import held_out_of
from ...learn.training_rows import overlap_of
from ...tree.tree import LeavesReached, Tree
from ...tree.walks import sum_below, used_columns

if TYPE_CHECKING:
    from .rows import Given

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

NEAR = 1e-4  # some programs, and trees grown like theirs, share rows out in single precision
UNKNOWN_GROWTH = (
    "How the tree was fitted is not known, so it cannot be cross-validated. It is evaluated only on rows "
    "that held_out=True (--held-out) declares to be held out."
)
MAYBE_AMONG = (
    "The training rows of the tree may be among these: every leaf gets at least as many rows as in training, "
    "and there are more in all. Give held_out=True (--held-out) if none of them was used in training; "
    "otherwise give the training rows, with their weights, or held_out=False."
)
PARTLY = "Give other rows, or all training rows; held_out=True (--held-out) uses them anyway."
OTHER_WEIGHTS = (
    "The weights of the rows differ from those in training. Give the same weights to evaluate this very "
    "model."
)


@dataclass(frozen=True)
class Origin:
    """What rows are to a tree: training rows, held-out rows, or unknown."""

    grown_on: bool  # they made the tree, or may have: they must not be called unseen
    counted: Ints | None = None  # the rows that the tree counted in its leaves; None where that is not known
    unclear: str = ""  # why it is not known what they are, or why they are not what the user says
    other_weights: bool = False  # they are those, but weigh otherwise
    held_back: bool = False  # pruning kept some of them from growing

    @property
    def made_the_tree(self) -> bool:
        """Whether it is known that the tree was grown on these rows, all of them."""
        return self.counted is not None and not self.held_back and not self.unclear


HELD_OUT = Origin(False)


def origin_of(found: Given, held_out: bool | None) -> Origin:
    """Find out what rows are, unless `held_out` says it."""
    if held_out:
        overlap = overlap_of(found.saved, found.X, found.y)
        return HELD_OUT if overlap is None else Origin(False, unclear=overlap.text)
    saved, size = found.saved, len(found.codes)
    # Every fit leaves the alpha that it pruned with; a tree that was put into an estimator has none.
    unclear = "" if "ccp_alpha_" in saved.fitted else UNKNOWN_GROWTH
    rules = saved.params.get("growth_rules")
    otherwise = _incomplete(found.table, saved.tree) if _goes_otherwise(saved) else np.zeros(size, dtype=bool)
    count = _Count(saved.tree, found.reached, otherwise)
    for weight in [found.weight] if found.weight is None else [found.weight, None]:
        ruled = row_weights_by_rules(weight, rules, size, found.X)
        counts = np.ones(size, dtype=bool) if ruled is None else np.asarray(ruled) > 0
        zero_weight = rows_of_weight_zero(weight, rules)
        if zero_weight is not None:
            counts[zero_weight] = True
        counted = _counted(found, count, counts)
        if counted is not None:
            other = weight is not found.weight or not _weigh_alike(found, ruled, counted)
            held_back = len(counted) < int(np.count_nonzero(counts))
            return Origin(True, counted, unclear, other and not unclear, held_back)
    if held_out is None and not unclear:
        overlap = overlap_of(saved, found.X, found.y)
        if overlap is not None and overlap.text:
            return Origin(True, None, f"{overlap.text} {PARTLY}")
        if (overlap is not None and overlap.none) or not count.may_have(counts):
            return HELD_OUT
    return Origin(True, None, unclear or (MAYBE_AMONG if held_out is None else ""))


def _goes_otherwise(saved: FittedTree) -> bool:
    """Whether rows with missing values may have taken other branches in training than now."""
    return bool((saved.params.get("growth_rules") or {}).get("missing_to_more"))


def _incomplete(table: Table, tree: Tree) -> Mask:
    """The rows that lack a value of some column that the tree uses."""
    found = np.zeros(table.n_rows, dtype=bool)
    for column in (table.columns[place] for place in used_columns(tree)):
        if column.missing is not None:
            found |= column.missing
        elif column.values.dtype.kind == "f":
            found |= np.isnan(column.values)
    return found


def _counted(found: Given, count: _Count, counts: Mask) -> Ints | None:
    """The rows that the tree counted: all that count, or but those that pruning held out."""
    if count.agrees(counts):
        return np.flatnonzero(counts)
    rows = _grow_rows(found) if found.grow_rows is None else np.asarray(found.grow_rows)
    if rows is None or rows.max() >= len(counts):
        return None
    some = np.zeros_like(counts)
    some[rows] = counts[rows]
    return np.flatnonzero(some) if count.agrees(some) else None


def _grow_rows(found: Given) -> Ints | None:
    """The rows that a fit of these would grow on, where its pruning holds some out: they are always the same.

    A file does not keep them.
    """
    params = found.saved.params
    if params.get("pruning") is None:
        return None
    like = SimpleNamespace(
        params={"random_state": None, "pruning_options": None, **params},
        target=SimpleNamespace(y=found.codes),
        is_classifier=found.tree.classes is not None,
    )
    try:
        parts = held_out_of(like)
    except ValueError:  # these rows cannot be divided so
        return None
    return None if parts is None else parts.grow


@dataclass(frozen=True, eq=False)
class _Count:
    """The rows in each leaf, beside the number that the tree stores."""

    tree: Tree
    reached: LeavesReached
    otherwise: Mask  # rows that may have taken another branch during training

    def agrees(self, counts: Mask) -> bool:
        """Whether as many rows come to every leaf as the tree counted there."""
        wanted = self.tree.n_node_samples
        if int(np.count_nonzero(counts)) != int(wanted[0]):
            return False
        slack = int(np.count_nonzero(counts & self.otherwise))
        if not slack:
            return bool((self.here(counts) == wanted)[self.tree.is_leaf].all())
        sure = self.here(counts & ~self.otherwise) <= wanted
        return bool(sure[self.tree.is_leaf].all()) and self.lacking(counts) <= slack

    def may_have(self, counts: Mask) -> bool:
        """Whether the rows of the tree may be among these: nowhere are there fewer than it counted."""
        enough = int(np.count_nonzero(counts)) > int(self.tree.n_node_samples[0])
        return enough and self.lacking(counts) <= int(np.count_nonzero(counts & self.otherwise))

    def lacking(self, counts: Mask) -> int:
        """How many rows of leaves are not there."""
        few = np.maximum(self.tree.n_node_samples - self.here(counts), 0)
        return int(few[self.tree.is_leaf].sum())

    def here(self, counts: Mask) -> Ints:
        """How many rows, whole or in part, have each node as their end."""
        row, node, share = self.reached
        here, size = counts[row] & (share > 0), self.tree.node_count
        both = np.unique(row[here].astype(np.int64) * size + node[here])
        return np.bincount(both % size, minlength=size)


def _weigh_alike(found: Given, ruled: Any, counted: Ints) -> bool:
    """Whether the rows weigh in every leaf what the tree noted there."""
    saved, codes, reached, tree = found.saved, found.codes, found.reached, found.tree
    if not np.isfinite(tree.weighted_n_node_samples).all():
        return True
    weights = row_weights(saved.params if saved.classes else {}, saved.classes, codes, ruled)
    weigh, wanted = np.zeros(len(codes)), tree.weighted_n_node_samples
    weigh[counted] = 1.0 if weights is None else weights[counted]
    there = np.bincount(reached.node, weigh[reached.row] * reached.share, tree.node_count)
    total = sum_below(tree, there.astype(np.float64))
    if _goes_otherwise(saved):
        return bool(np.isclose(total[0], wanted[0], rtol=NEAR))
    return bool(np.allclose(total, wanted, rtol=NEAR, atol=NEAR * 1e-3 * float(wanted[0])))
