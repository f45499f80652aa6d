"""Cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984, chapter 3), step by step."""

import math
from collections.abc import Sequence
from fractions import Fraction


def weakest_links(
    first_child: Sequence[int], n_children: Sequence[int], risk: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Collapse all weakest links, again and again, until the root is a leaf.

    g(t) = (R(t) - R(T_t)) / (|T_t| - 1), with R(T_t) the risk of the leaves below t and |T_t| their number.
    Return the alphas at which something collapses, after 0, and for every node the alpha at which it stops
    being an inner node (inf: it never was one).
    """
    children = [range(f, f + n) for f, n in zip(first_child, n_children, strict=True)]
    inner = {t for t, below in enumerate(children) if below}
    alpha, alphas, stop = Fraction(0), [0.0], [math.inf] * len(children)

    def branch(t: int) -> list[int]:
        found = [t]
        for node in found:
            found += children[node] if node in inner else []
        return found

    def g(t: int) -> Fraction:
        leaves = [node for node in branch(t) if node not in inner]
        return (Fraction(risk[t]) - sum(Fraction(risk[leaf]) for leaf in leaves)) / (len(leaves) - 1)

    while inner:
        links = {t: g(t) for t in inner}
        alpha = max(alpha, min(links.values()))
        gone = {node for t in inner if links[t] <= alpha for node in branch(t) if node in inner}
        for node in gone:
            stop[node] = float(alpha)
        inner -= gone
        alphas += [float(alpha)] if float(alpha) > alphas[-1] else []
    return alphas, stop
