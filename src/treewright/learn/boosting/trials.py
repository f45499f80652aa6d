"""Boosting as C5.0 does it: what rows weigh in the next trial, which of them are dropped, and when it stops.

After a trial, W is the weight of the rows that it predicts rightly and V that of the others. A quarter of
W - V moves from the former to the latter, in equal parts; then the weights are scaled to a mean of 1. In the
later half of the trials a row is dropped whose class can no longer win the vote.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...data.common.array_types import Floats, Ints, Mask

LEAST_WEIGHT = 0.001  # of a row
NO_ERROR = 0.1  # the weight of wrong rows below which there is nothing left to learn
INACCURATE = 0.49  # the share of the weight that is wrong from which a trial is not used
LEAST_TRIALS = 3  # with fewer there is no vote, and the first trial stands alone
LEAVES = 1.1  # from the second trial on: so many leaves as the first has


@dataclass
class Weights:
    """The rows while trials are made: what they weigh, and the votes that they have got so far."""

    n_trials: int
    codes: Ints  # the class of every row
    weight: Floats  # 0: the row is dropped
    votes: Floats  # (rows, classes)

    @property
    def in_play(self) -> Mask:
        """The rows that are not dropped."""
        return np.asarray(self.weight > 0)

    @property
    def n_in_play(self) -> int:
        """How many rows are not dropped."""
        return int(self.in_play.sum())

    def wrong_weight(self, labels: Ints) -> float:
        """The weight of the rows that a trial predicts wrongly."""
        return float(self.weight[labels != self.codes].sum())

    def count(self, trial: int, votes: Floats) -> None:
        """Count the votes of a trial (from 0), and drop the rows whose class can no longer win."""
        self.votes += votes
        if trial + 1 > self.n_trials / 2:
            own = np.take_along_axis(self.votes, self.codes[:, None], axis=1)[:, 0]
            self.weight[self.votes.max(axis=1) > own + self.n_trials - trial - 1] = 0

    def weigh(self, labels: Ints) -> None:
        """Weigh the rows anew that are in play."""
        play = self.in_play
        right, wrong = play & (labels == self.codes), play & (labels != self.codes)
        W, V = self.weight[right].sum(), self.weight[wrong].sum()
        moved = (W - V) / 4
        scale = play.sum() / (W + V) if W + V > 0 else 1.0
        if W > 0:
            self.weight[right] *= (W - moved) / W
        if wrong.any():
            self.weight[wrong] += moved / wrong.sum()
        scaled = np.maximum(self.weight[play] * scale, LEAST_WEIGHT)
        self.weight[play] = scaled.astype(np.float32)  # as the program holds them


def why_no_more(trial: int, n_leaves: int, wrong: float, n_rows: int) -> tuple[bool, str]:
    """Whether a trial (from 0) is used, and why none follows it; "" where one may."""
    if trial > 0 and n_leaves < 2:
        return False, "the last tree is a single leaf"
    if wrong >= INACCURATE * n_rows > 0:
        return False, "the last classifier is very inaccurate"
    return True, "the last classifier is very accurate" if wrong < NO_ERROR and n_rows > 0 else ""
