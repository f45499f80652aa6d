"""Which rules to keep: at first those of each class that add enough, then the shortest set by their votes.

A set of rules is as long as its conditions and its exceptions, in bits. Exceptions are the rows that the vote
does not give their class; a row that no rule covers is one of them, since the default is chosen last.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import Any

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask
from .generalise import Draft, Rows
from .length import OF_RULES, choices, orders

MOST_CELLS = 20_000_000  # rules times rows that are compared; of a larger table every so-manieth row
CELLS_AT_ONCE = 1_000_000  # rules or classes times rows that are counted at once
MOST_STEPS = 20_000
DIGITS = 6  # of a bit that count, so that the last bits of sums decide nothing
SLACK = 1e-6  # of weights, for the same reason


def chosen(drafts: Sequence[Draft], rows: Rows, least: float) -> list[int]:
    """The numbers of the rules to keep. At first a rule must add more than `least` right rows."""
    if not drafts:
        return []
    some = np.arange(0, rows.n_rows, max(1, rows.n_rows * len(drafts) // MOST_CELLS))
    masks = np.array([each.mask[some] for each in drafts])
    labels, bits = np.array([each.label for each in drafts]), np.array([each.bits for each in drafts])
    codes, weight = rows.codes[some], rows.weight[some]
    inside = np.zeros(len(drafts), dtype=bool)
    for label in np.unique(labels):
        of_class = labels == label
        inside[of_class] = _first_of_class(masks[of_class], codes == label, weight, least)
    votes = np.array([_vote(mask, codes == label, weight) for mask, label in zip(masks, labels, strict=True)])
    state = _Votes(masks, labels, votes, codes, weight, inside)
    return np.flatnonzero(_by_votes(state, inside, bits)).tolist()


def _vote(mask: Mask, hit: Mask, weight: Floats) -> int:
    return int(1000.0 * (weight[mask & hit].sum() + 1.0) / (weight[mask].sum() + 2.0) + 0.5)


def _lengths(bits: Floats, inside: Mask) -> tuple[float, Floats]:
    """The weighed length of the rules, and that after adding or removing each: their order says nothing."""
    length, count = bits[inside].sum(), inside.sum()
    after = length + np.where(inside, -bits, bits) - orders(count + np.where(inside, -1, 1))
    return float(OF_RULES * (length - orders(count))), OF_RULES * after


def _exceptions(total: float, wrong: Any, n_classes: int = 2) -> Floats:
    """The bits that say which rows are wrong, and of which other class each of them is."""
    wrong = np.clip(wrong, 0.0, total)
    few = choices(total, np.minimum(wrong, total - wrong))
    which = np.where(2 * wrong <= total, few, 2 * choices(total, total / 2) - few)  # rising all the way
    return np.asarray(which + wrong * log2(max(n_classes - 1, 1)))


def _first_of_class(masks: Mask, hit: Mask, weight: Floats, least: float) -> Mask:
    """The rules of one class to begin with, the most confident first.

    A rule stays if, among the rows that those before it leave, it gets more right than wrong by over `least`.
    """
    gain = np.where(hit, weight, -weight)
    confidence = [(weight[mask & hit].sum() + 1.0) / (weight[mask].sum() + 2.0) for mask in masks]
    inside, left = np.zeros(len(masks), dtype=bool), np.ones(len(hit), dtype=bool)
    for place in np.argsort(-np.array(confidence), kind="stable"):
        if gain[masks[place] & left].sum() > least + SLACK:
            inside[place] = True
            left &= ~masks[place]
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
            self._step(int(place), np.flatnonzero(masks[place]))
        self.wrong, self.changes = 0.0, np.zeros(len(labels))
        self._count(np.arange(len(codes)), 1.0)

    @property
    def errors(self) -> Floats:
        """The weight that the vote gets wrong after toggling each rule."""
        return np.asarray(self.wrong + self.changes)

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
    """Add and remove rules one by one, as long as all rules and their errors become shorter.

    Of equal steps the one of the last rule is made. Where the vote is right for every row nothing is added.
    """
    inside, total = inside.copy(), float(votes.weight.sum())
    for _ in range(MOST_STEPS):
        now, after = _lengths(bits, inside)
        costs = np.round(_exceptions(total, votes.errors, votes.n_classes) + after, DIGITS)
        if votes.wrong <= SLACK:
            costs[~inside] = np.inf
        best = len(costs) - 1 - int(costs[::-1].argmin())
        if not costs[best] < np.round(_exceptions(total, votes.wrong, votes.n_classes) + now, DIGITS):
            break
        votes.toggle(best)
        inside[best] = not inside[best]
    return inside
