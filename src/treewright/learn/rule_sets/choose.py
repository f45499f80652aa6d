"""Which rules to keep: those of each class by description length, then all together by their votes.

A set of rules is as long as its conditions and its exceptions, in bits. For a class, exceptions are the
rows that its rules cover wrongly and those of the class that they leave out. For all rules together they are
the rows that the vote does not give their class; a row that no rule covers is one of them, since the default
is chosen last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log2
from typing import Any

import numpy as np
from scipy.special import gammaln

from ...data.common.array_types import Floats, Ints, Mask
from ...tree.value_sets import LevelSet, ValueSet
from .generalise import Draft, Rows

# How much a bit of the rules counts beside a bit of exceptions: conditions of one tree repeat each other.
# Most weights from 0.05 to 0.5 that were tried give nine of the thirteen sets recorded of C5.0.
OF_CLASS, OF_ALL = 0.1, 0.5
MOST_CELLS = 20_000_000  # rules times rows that are compared; of a larger table every so-manieth row
CELLS_AT_ONCE = 1_000_000  # rules or classes times rows that are counted at once
MOST_STEPS = 2_000
DIGITS = 6  # of a bit that count, so that the last bits of sums decide nothing


def chosen(drafts: Sequence[Draft], rows: Rows, n_columns: int) -> list[int]:
    """The numbers of the rules to keep."""
    if not drafts:
        return []
    some = np.arange(0, rows.n_rows, max(1, rows.n_rows * len(drafts) // MOST_CELLS))
    masks = np.array([each.mask[some] for each in drafts])
    labels = np.array([each.label for each in drafts])
    codes, weight = rows.codes[some], rows.weight[some]
    bits = np.array([_bits(each.path.values.values(), n_columns) for each in drafts])
    inside = np.zeros(len(drafts), dtype=bool)
    for label in np.unique(labels):
        of_class = labels == label
        inside[of_class] = _of_class(masks[of_class], codes == label, weight, bits[of_class])
    votes = np.array([_vote(mask, codes == label, weight) for mask, label in zip(masks, labels, strict=True)])
    state = _Votes(masks, labels, votes, codes, weight, inside)
    return np.flatnonzero(_by_votes(state, inside, bits)).tolist()


def _bits(conditions: Iterable[ValueSet], n_columns: int) -> float:
    """The length of a rule: of each condition its column, and the side of a threshold or the levels."""
    found = 0.0
    for each in conditions:
        if isinstance(each, LevelSet):
            found += log2(n_columns) + float(_choices(each.n_levels, len(each.codes)))
        else:
            found += each.n_sides * (log2(n_columns) + 1.0)
    return found


def _choices(n: Any, k: Any) -> Floats:
    """log2 of the number of ways to choose k of n."""
    n, k = np.asarray(n, dtype=np.float64), np.asarray(k, dtype=np.float64)
    return np.asarray((gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)) / np.log(2.0))


def _length(bits: Any, count: Any) -> Floats:
    """The length of a set of rules of so many bits: their order says nothing."""
    return np.asarray(bits - gammaln(np.asarray(count) + 1.0) / np.log(2.0))


def _vote(mask: Mask, hit: Mask, weight: Floats) -> int:
    return int(1000.0 * (weight[mask & hit].sum() + 1.0) / (weight[mask].sum() + 2.0) + 0.5)


def _of_class(masks: Mask, hit: Mask, weight: Floats, bits: Floats) -> Mask:
    """The rules of one class that describe it shortest: added and removed one by one, from none."""
    columns = np.ascontiguousarray(masks.T, dtype=np.float64)  # row by row of the table
    by_side = np.stack([np.where(hit, weight, 0.0), np.where(hit, 0.0, weight)], axis=1)
    total, all_right = weight.sum(), by_side[:, 0].sum()
    inside, times = np.zeros(len(masks), dtype=bool), np.zeros(masks.shape[1], dtype=np.int64)
    tp = fp = length = 0.0
    gained, lost = columns.T @ by_side, np.zeros((len(masks), 2))  # by each rule: right and wrong weight
    least = np.round(_choices(total, all_right), DIGITS)
    for _ in range(MOST_STEPS):
        new = np.where(inside[:, None], -lost, gained) + np.array([tp, fp])
        new = np.clip(new, 0.0, [all_right, total - all_right])
        lengths = length + np.where(inside, -bits, bits)
        covered = new.sum(axis=1)
        exceptions = _choices(covered, new[:, 1]) + _choices(total - covered, all_right - new[:, 0])
        counts = inside.sum() + np.where(inside, -1, 1)
        costs = np.round(exceptions + OF_CLASS * _length(lengths, counts), DIGITS)
        best = int(costs.argmin())
        if costs[best] >= least:
            break
        step = -1 if inside[best] else 1
        for sums, many in ((gained, 0), (lost, 1)):  # over rows that no rule, or one rule, covers
            begins = np.flatnonzero(masks[best] & (times + step == many))
            ends = np.flatnonzero(masks[best] & (times == many))
            np.add(sums, columns[begins].T @ by_side[begins], out=sums)
            np.subtract(sums, columns[ends].T @ by_side[ends], out=sums)
        times += step * masks[best]
        inside[best] = not inside[best]
        (tp, fp), length, least = new[best], lengths[best], costs[best]
    return inside


class _Votes:
    """The votes for every row, and the errors if one more rule voted, or one less.

    A step changes only the rows that its rule covers, so only these are counted again.
    """

    def __init__(
        self, masks: Mask, labels: Ints, votes: Ints, codes: Ints, weight: Floats, inside: Mask
    ) -> None:
        self.labels, self.codes, self.weight = labels, codes, weight
        self.masks = np.ascontiguousarray(masks.T)  # row by row of the table
        # Scores of which no two are equal: the votes, then the number of the class. No votes are below -0.5.
        self.n_classes = int(max(labels.max(), codes.max())) + 1
        self.steps = votes * (self.n_classes + 1.0)  # what toggling a rule adds to the score of its class
        self.scores = np.tile(-1.0 - np.arange(self.n_classes), (len(codes), 1))
        for place in np.flatnonzero(inside):
            self._step(place, np.flatnonzero(masks[place]))
        self.wrong, self.changes = 0.0, np.zeros(len(labels))
        self._count(np.arange(len(codes)), 1.0)

    @property
    def errors(self) -> Floats:
        """The weight that the vote gets wrong after toggling each rule."""
        return np.asarray(self.wrong + self.changes)

    def exceptions(self, wrong: Any) -> Floats:
        """The bits that say which rows are wrong, and of which other class each of them is."""
        total = float(self.weight.sum())
        wrong = np.clip(wrong, 0.0, total)
        few = _choices(total, np.minimum(wrong, total - wrong))
        which = np.where(2 * wrong <= total, few, 2 * _choices(total, total / 2) - few)  # rising all the way
        return np.asarray(which + wrong * log2(max(self.n_classes - 1, 1)))

    def toggle(self, place: int) -> None:
        """Add a rule, or remove it."""
        rows = np.flatnonzero(self.masks[:, place])
        self._count(rows, -1.0)
        self._step(place, rows)
        self._count(rows, 1.0)

    def _step(self, place: int, rows: Ints) -> None:
        self.scores[rows, self.labels[place]] += self.steps[place]
        self.steps[place] *= -1.0

    def _count(self, rows: Ints, sign: float) -> None:
        """Add what these rows say of errors, or take it out again."""
        many = max(1, CELLS_AT_ONCE // max(len(self.labels), self.n_classes))
        for start in range(0, len(rows), many):
            self._count_some(rows[start : start + many], sign)

    def _count_some(self, rows: Ints, sign: float) -> None:
        each = np.arange(len(rows))
        others, codes, weight = self.scores[rows], self.codes[rows], self.weight[rows]
        own = others[each, codes]
        others[each, codes] = -np.inf
        first = others.argmax(axis=1)
        top = np.maximum(others[each, first], -0.5)
        others[each, first] = -np.inf
        second = np.maximum(others.max(axis=1), -0.5)
        right = own > top
        row, rule = np.nonzero(self.masks[rows])
        label, step = self.labels[rule], self.steps[rule]
        # after the step a row is right if its class is above the class of the rule, and above all others
        score = self.scores[rows[row], label] + step
        rest = np.where(first[row] == label, second[row], top[row])
        after = np.where(codes[row] == label, score > top[row], own[row] > np.maximum(rest, score))
        lost = weight[row] * (right[row].astype(np.float64) - after)
        self.wrong += sign * float(weight[~right].sum())
        self.changes += sign * np.bincount(rule, lost, minlength=len(self.labels))


def _by_votes(votes: _Votes, inside: Mask, bits: Floats) -> Mask:
    """Add and remove rules one by one, as long as all rules and their errors become shorter."""
    inside = inside.copy()
    for _ in range(MOST_STEPS):
        length, count = bits[inside].sum(), inside.sum()
        least = np.round(votes.exceptions(votes.wrong) + OF_ALL * _length(length, count), DIGITS)
        lengths, counts = length + np.where(inside, -bits, bits), count + np.where(inside, -1, 1)
        costs = np.round(votes.exceptions(votes.errors) + OF_ALL * _length(lengths, counts), DIGITS)
        best = int(costs.argmin())
        if costs[best] >= least:
            break
        votes.toggle(best)
        inside[best] = not inside[best]
    return inside
