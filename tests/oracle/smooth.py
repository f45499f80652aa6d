"""Smoothing from its definitions, in exact fractions: one node at a time, from the root down."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

Shares = list[Fraction]


def laplace(shares: Sequence[float], n: float, k: float) -> Shares:
    """Every class seen k times more: (n f + k) / (n + k K)."""
    total = Fraction(n) + Fraction(k) * len(shares)
    return [(Fraction(n) * Fraction(f) + Fraction(k)) / total for f in shares]


def even(shares: Sequence[float], n: float, m: float) -> Shares:
    """m more rows, of each class as many: (n f + m / K) / (n + m)."""
    return m_estimate(shares, n, m, [Fraction(1, len(shares))] * len(shares))


def m_estimate(
    shares: Sequence[float], n: float | Fraction, m: float | Fraction, root: Sequence[float | Fraction]
) -> Shares:
    """m more rows with the shares of the root: (n f + m f_root) / (n + m)."""
    return [
        (Fraction(n) * Fraction(f) + Fraction(m) * Fraction(prior)) / (Fraction(n) + Fraction(m))
        for f, prior in zip(shares, root, strict=True)
    ]


def events(means: Sequence[float], n: float, count: float, root: Sequence[float]) -> Shares:
    """As many rows more as bring so many events at the rate of the root: m = count / the sum of f_root."""
    return m_estimate(means, n, Fraction(count) / sum(map(Fraction, root)), root)


def hierarchical(way: Sequence[tuple[Sequence[float], float]], strength: float) -> Shares:
    """Agarwal et al. 2022: `way` has the shares and the weight of each node from the root to this one.

    f_0 + the sum over j of (f_j - f_{j-1}) / (1 + strength / n_{j-1}).
    """
    found = [Fraction(f) for f in way[0][0]]
    for (above, n), (below, _) in pairwise(way):
        for c in range(len(found)):
            found[c] += (Fraction(below[c]) - Fraction(above[c])) / (1 + Fraction(strength) / Fraction(n))
    return found


def branch(way: Sequence[Sequence[float]], sizes: Sequence[Sequence[float]], strength: float) -> Shares:
    """Mixed with the estimate above, node by node, as if `strength` rows of it had come to each branch.

    `way` has the shares of each node from the root to this one, `sizes` the weights of the branches of each
    but the last. If k branches have as many rows each, n₀ = (n - Σ nᵢ²/n) / (k - 1) is their number.
    """
    found = [Fraction(f) for f in way[0]]
    for shares, branches in zip(way[1:], sizes, strict=True):
        weights = [Fraction(weight) for weight in branches]
        n = sum(weights)
        rows = (n - sum(weight * weight for weight in weights) / n) / (len(weights) - 1)
        found = m_estimate(shares, rows, Fraction(strength), found)
    return found
