"""Impurities: one function each, of the targets y and the weights w > 0 of a node's rows (one output).

All return a Fraction. It is exact for gini, error, squared_error and absolute_error. Logarithms and roots are
taken with 50 digits, so entropy, sqrt_gini and poisson are off by less than 1e-40, and a score of 40 bits
(12 digits) is what exact numbers would make it.
"""

from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm

Number = int | Fraction
Numbers = Sequence[Number]
DIGITS = Context(prec=50)


@lru_cache(100_000)
def ln(x: Number) -> Fraction:
    """The natural logarithm to 50 digits."""
    return Fraction(DIGITS.ln(DIGITS.divide(Decimal(x.numerator), Decimal(x.denominator))))


@lru_cache(100_000)
def sqrt(x: Number) -> Fraction:
    """The square root to 50 digits."""
    return Fraction(DIGITS.sqrt(DIGITS.divide(Decimal(x.numerator), Decimal(x.denominator))))


def shares(y: Numbers, w: Numbers) -> dict[Number, Fraction]:
    """p_k = Σ_{y=k} w / Σ w, for every k that occurs."""
    mass: dict[Number, Number] = {}
    for k, v in zip(y, w, strict=True):
        mass[k] = mass.get(k, 0) + v
    total = sum(w)
    return {k: Fraction(v, total) for k, v in mass.items()}


def mean(y: Numbers, w: Numbers) -> Fraction:
    """ȳ = Σ wy / Σ w."""
    return Fraction(sum(v * t for t, v in zip(y, w, strict=True)), sum(w))


def median(y: Numbers, w: Numbers) -> Fraction:
    """The middle of the lower (least m with Σ_{y<=m} w >= W/2) and the upper (> W/2) weighted median."""
    rows = sorted(zip(y, w, strict=True))
    below = list(accumulate(v for _, v in rows))  # Σ w of the rows up to this one
    lower = next(t for (t, _), b in zip(rows, below, strict=True) if 2 * b >= below[-1])
    upper = next(t for (t, _), b in zip(rows, below, strict=True) if 2 * b > below[-1])
    return Fraction(lower + upper, 2)


def gini(y: Numbers, w: Numbers) -> Fraction:
    """1 - Σ p²."""
    return 1 - sum((p * p for p in shares(y, w).values()), Fraction(0))


def entropy(y: Numbers, w: Numbers) -> Fraction:
    """-Σ p log2 p."""
    return -sum((p * ln(p) for p in shares(y, w).values()), Fraction(0)) / ln(2)


def error(y: Numbers, w: Numbers) -> Fraction:
    """1 - max p."""
    return 1 - max(shares(y, w).values())


def sqrt_gini(y: Numbers, w: Numbers) -> Fraction:
    """Σ √(p (1 - p))."""
    return sum((sqrt(p * (1 - p)) for p in shares(y, w).values()), Fraction(0))


def squared_error(y: Numbers, w: Numbers) -> Fraction:
    """(1/W) Σ w (y - ȳ)²  =  Σ w (W dy - S)² / (W³ d²)  with S = Σ w dy, and d such that dy is whole."""
    d = lcm(*(t.denominator for t in y))
    whole = [t.numerator * (d // t.denominator) for t in y]
    W, S = sum(w), sum(v * t for t, v in zip(whole, w, strict=True))
    return Fraction(sum(v * (W * t - S) ** 2 for t, v in zip(whole, w, strict=True)), W**3 * d**2)


def absolute_error(y: Numbers, w: Numbers) -> Fraction:
    """(1/W) Σ w |y - median|."""
    m = median(y, w)
    return Fraction(sum(v * abs(t - m) for t, v in zip(y, w, strict=True)), sum(w))


def poisson(y: Numbers, w: Numbers) -> Fraction:
    """(1/W) Σ wy ln(y/ȳ), half the deviance, 0 ln 0 = 0; a sum over the distinct y > 0 and their shares."""
    centre = mean(y, w)
    return sum((p * t * (ln(t) - ln(centre)) for t, p in shares(y, w).items() if t > 0), Fraction(0))


Criterion = Callable[[Numbers, Numbers], Fraction]
CLASSIFICATION: dict[str, Criterion] = {f.__name__: f for f in (gini, entropy, error, sqrt_gini)}
CLASSIFICATION["gain_ratio"] = entropy  # by which it cuts; it differs in how it chooses among columns
REGRESSION: dict[str, Criterion] = {f.__name__: f for f in (squared_error, absolute_error, poisson)}
CRITERIA = CLASSIFICATION | REGRESSION


def leaf_value(criterion: str, y: Numbers, w: Numbers, n_classes: int) -> list[float]:
    """What a leaf of these rows predicts: the share of each class, the median, or the mean."""
    if criterion in CLASSIFICATION:
        return [float(shares(y, w).get(k, 0)) for k in range(n_classes)]
    return [float(median(y, w) if criterion == "absolute_error" else mean(y, w))]
