"""What a node decides: which of its feasible splits is best."""

from fractions import Fraction

from tests.oracle.correction import factor
from tests.oracle.criteria import ln
from tests.oracle.growth import Growth
from tests.oracle.search import Node, Scored, column_splits, round_half_up, stays_leaf
from tests.oracle.table import Table


def split_information(table: Table, node: Node, scored: Scored) -> Fraction:
    """The entropy, in bits, of the weights of the children; rows that did not count are one more part."""
    table = table.shared(node.shares)
    parts = [table.weight(side) for side in scored.sides]
    whole = table.weight(node.rows)
    parts += [whole - sum(parts)]
    return -sum(((part / whole) * ln(part / whole) for part in parts if part), Fraction(0)) / ln(2)


def gain_ratio(table: Table, node: Node, scored: Scored) -> Fraction:
    """Gain over split information, in the units of a score."""
    return scored.ratio / split_information(table, node, scored)


def column_ratio(table: Table, growth: Growth, node: Node, scored: Scored) -> Fraction:
    """By what columns are compared, once each has its best split: its gain, perhaps corrected."""
    return scored.ratio * factor(table, growth, node, scored) if growth.level_correction else scored.ratio


def best_split(table: Table, growth: Growth, node: Node) -> Scored | None:
    """Of the best splits of the columns the best, the first of equals; None where the node stays a leaf."""
    if stays_leaf(table, growth, node):
        return None
    columns = [list(column_splits(table, growth, node, f)) for f in range(len(table.columns))]
    firsts = [max(splits, key=lambda s: s.score) for splits in columns if splits]
    if not firsts:
        return None
    scores = [round_half_up(column_ratio(table, growth, node, s)) for s in firsts]
    if growth.criterion == "gain_ratio":  # of those with at least the average gain
        heard = [s for s, score in zip(firsts, scores, strict=True) if score * len(scores) >= sum(scores)]
        best = max(heard, key=lambda s: round_half_up(gain_ratio(table, node, s)))
    else:
        best = firsts[scores.index(max(scores))]
    return best if worth_it(table, growth, best) else None


def worth_it(table: Table, growth: Growth, scored: Scored) -> bool:
    """Whether the impurity of the whole tree falls by as much as is required."""
    least = Fraction(growth.min_impurity_decrease) - Fraction(2) ** -52
    return scored.gain / (sum(table.weights) * table.unit) >= least
