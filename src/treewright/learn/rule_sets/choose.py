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
    return np.flatnonzero(_by_votes(inside, _Votes(masks, labels, votes, codes, weight), bits)).tolist()


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
    """The votes for every row, and the errors if one more rule voted, or one less."""

    def __init__(self, masks: Mask, labels: Ints, votes: Ints, codes: Ints, weight: Floats) -> None:
        self.labels, self.codes, self.weight = labels, codes, weight
        self.rows = [np.flatnonzero(mask) for mask in masks]
        # Scores of which no two are equal: the votes, then the number of the class. No votes are below -0.5.
        self.n_classes = int(max(labels.max(), codes.max())) + 1
        self.votes = votes * (self.n_classes + 1.0)
        self.scores = np.tile(-1.0 - np.arange(self.n_classes), (len(codes), 1))

    def toggle(self, place: int, inside: bool) -> None:
        """Add a rule, or remove it."""
        self.scores[self.rows[place], self.labels[place]] += (
            -self.votes[place] if inside else self.votes[place]
        )

    def exceptions(self, wrong: Any) -> Floats:
        """The bits that say which rows are wrong, and of which other class each of them is."""
        total = float(self.weight.sum())
        wrong = np.clip(wrong, 0.0, total)
        few = _choices(total, np.minimum(wrong, total - wrong))
        which = np.where(2 * wrong <= total, few, 2 * _choices(total, total / 2) - few)  # rising all the way
        return np.asarray(which + wrong * log2(max(self.n_classes - 1, 1)))

    def errors(self, inside: Mask) -> tuple[float, Floats]:
        """The weight that the vote gets wrong, and that after toggling each rule."""
        rows = np.arange(len(self.codes))
        own = self.scores[rows, self.codes]
        others = self.scores.copy()
        others[rows, self.codes] = -np.inf
        first = others.argmax(axis=1)
        top = np.maximum(others[rows, first], -0.5)
        others[rows, first] = -np.inf
        second = np.maximum(others.max(axis=1, initial=-np.inf), -0.5)
        right = own > top
        found = np.empty(len(self.labels))
        for label in np.unique(self.labels):
            places = np.flatnonzero(self.labels == label)
            steps = np.where(inside[places], -self.votes[places], self.votes[places])
            is_own = self.codes == label
            score = self.scores[:, label]
            rest = np.where(first == label, second, top)
            # a row of this class is right from a step on, any other below one, if no third class is above it
            at_least = np.where(is_own, top - score, -np.inf)
            below = np.where(is_own, np.inf, np.where(own > rest, own - score, -np.inf))
            for place, step in zip(places, steps, strict=True):
                some = self.rows[place]
                after = (at_least[some] < step) & (step < below[some])
                found[place] = self.weight[some] @ (right[some].astype(np.float64) - after)
        wrong = float(self.weight[~right].sum())
        return wrong, wrong + found


def _by_votes(inside: Mask, votes: _Votes, bits: Floats) -> Mask:
    """Add and remove rules one by one, as long as all rules and their errors become shorter."""
    inside = inside.copy()
    for place in np.flatnonzero(inside):
        votes.toggle(int(place), inside=False)
    for _ in range(MOST_STEPS):
        now, errors = votes.errors(inside)
        least = np.round(votes.exceptions(now) + OF_ALL * _length(bits[inside].sum(), inside.sum()), DIGITS)
        lengths = bits[inside].sum() + np.where(inside, -bits, bits)
        counts = inside.sum() + np.where(inside, -1, 1)
        costs = np.round(votes.exceptions(errors) + OF_ALL * _length(lengths, counts), DIGITS)
        best = int(costs.argmin())
        if costs[best] >= least:
            break
        votes.toggle(best, bool(inside[best]))
        inside[best] = not inside[best]
    return inside
