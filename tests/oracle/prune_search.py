"""Every pruned tree, one by one: the oracle of the pruning methods that promise a best one.

A pruned tree is given by its leaves, as a tuple of nodes. A tree of n leaves has very many of them.
"""

import itertools
from collections.abc import Sequence
from fractions import Fraction

Links = tuple[Sequence[int], Sequence[int]]  # first_child and n_children
Numbers = Sequence[float]


def prunings(links: Links) -> list[tuple[int, ...]]:
    """The leaves of every pruned tree, from the root alone to the tree itself."""
    first, count = links
    ways: list[list[tuple[int, ...]]] = [[] for _ in first]
    for t in range(len(first) - 1, -1, -1):
        below = [ways[c] for c in range(first[t], first[t] + count[t])] if count[t] else []
        together = [tuple(itertools.chain(*choice)) for choice in itertools.product(*below)] if below else []
        ways[t] = [(t,), *together]
    return ways[0]


def risk_of(leaves: tuple[int, ...], links: Links, risk: Numbers, stopped: Numbers) -> Fraction:
    """The risk of the leaves, and of what stops at the nodes above them."""
    first, count = links
    parent = {c: t for t in range(len(first)) for c in range(first[t], first[t] + count[t])}
    inner: set[int] = set()
    for leaf in leaves:
        at: int | None = parent.get(leaf)
        while at is not None:
            inner.add(at)
            at = parent.get(at)
    return sum((Fraction(risk[t]) for t in leaves), Fraction(0)) + sum(Fraction(stopped[t]) for t in inner)


def best_by_size(links: Links, risk: Numbers, stopped: Numbers) -> dict[int, Fraction]:
    """The least risk of the pruned trees with each number of leaves that there is."""
    best: dict[int, Fraction] = {}
    for leaves in prunings(links):
        found = risk_of(leaves, links, risk, stopped)
        best[len(leaves)] = min(found, best.get(len(leaves), found))
    return best


def smallest_best(
    links: Links, risk: Numbers, stopped: Numbers, alpha: Fraction = Fraction(0)
) -> tuple[Fraction, set[tuple[int, ...]]]:
    """The least of risk + alpha * leaves, and the pruned trees of fewest leaves that have it."""
    scored = [
        (risk_of(leaves, links, risk, stopped) + alpha * len(leaves), leaves) for leaves in prunings(links)
    ]
    least = min(score for score, _ in scored)
    best = [leaves for score, leaves in scored if score == least]
    fewest = min(map(len, best))
    return least, {leaves for leaves in best if len(leaves) == fewest}
