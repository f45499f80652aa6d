"""Tests that combine columns, from their definition: the sum, its children, their gain, and the price.

Everything is counted from the rows. A combined test may be any sum of columns, so only three things can be
checked of it: that no other threshold of the same sum gains more, that it gains more than every ordinary
test, and that its log-likelihood exceeds that of the ordinary test by the price of its coefficients.
"""

import math
from fractions import Fraction
from itertools import pairwise

from tests.oracle.criteria import CRITERIA

PRICE_OF_SEARCH = 2.0  # beside log(n) / 2, for each coefficient after the first


def sum_of(terms, row):
    """c0 x0 + c1 x1 + ..., in this order in float64; None where a value is missing, or the sum is NaN."""
    if any(row[column] is None for column, _ in terms):
        return None
    total = terms[0][1] * float(row[terms[0][0]])
    for column, coefficient in terms[1:]:
        total += coefficient * float(row[column])
    return None if math.isnan(total) else total


def mass(criterion, y, w):
    """Weight times impurity."""
    return CRITERIA[criterion](y, w) * sum(w) if y else Fraction(0)


def gain(criterion, y, w, goes_left):
    """What dividing the rows removes of the mass."""
    parts = [
        [(t, v) for t, v, left in zip(y, w, goes_left, strict=True) if left == side] for side in (True, False)
    ]
    below = sum(mass(criterion, *zip(*part, strict=True)) if part else 0 for part in parts)
    return mass(criterion, y, w) - below


def cuts(x):
    """Every way to divide values by a threshold, missing values on either side: the marks of the left."""
    known = sorted({value for value in x if value is not None})
    sides = (False, True) if None in x else (False,)
    for low, _ in pairwise(known):
        for missing_left in sides:
            yield [missing_left if value is None else value <= low for value in x]
    if None in x and known:
        yield [value is not None for value in x]


def allowed(goes_left, min_leaf):
    """Whether both children have enough rows."""
    return min(sum(goes_left), len(goes_left) - sum(goes_left)) >= min_leaf


def best_gain(criterion, x, y, w, min_leaf=1):
    """The greatest gain of the cuts of one column; -1 if there are none."""
    found = [gain(criterion, y, w, left) for left in cuts(x) if allowed(left, min_leaf)]
    return max(found, default=Fraction(-1))


def log_likelihood(classes, y, w, goes_left, removed, n_columns):
    """What a split that removes this share of the mass gains in log-likelihood; weights have a mean of 1."""
    n = len(y)
    if not classes:
        left_over = max(1 - float(removed), 2.0**-40)
        return -max(n - n_columns - 2, 0) / 2 * math.log(left_over)
    scale = n / float(sum(w))

    def of(part):
        weights = {}
        for t, v in part:
            weights[t] = weights.get(t, 0.0) + float(v) * scale
        total = sum(weights.values())
        return sum(v * math.log(v / total) for v in weights.values())

    rows = list(zip(y, w, strict=True))
    parts = [
        [row for row, left in zip(rows, goes_left, strict=True) if left == side] for side in (True, False)
    ]
    return sum(of(part) for part in parts if part) - of(rows)


def price(n_rows, n_columns):
    """What a test of so many columns must gain more than one of a single column."""
    return (n_columns - 1) * (math.log(n_rows) / 2 + PRICE_OF_SEARCH)
