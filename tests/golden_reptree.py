"""Trees as REPTree grows them before pruning, written from the notes beside the recorded trees.

Information gain, or the drop of the sum of squares; numbers are cut midway, levels have a branch each. A row
without the value goes down every branch by the shares of those that have it, and so it enters the gain. Of
splits that gain the same the recorded one is taken: there REPTree lets the rounding of a shuffled sum decide.
"""

import itertools

import numpy as np

from treewright import tree_from_dict

GREATER = 1e-6  # what Weka takes for greater


class Grower:
    """One tree: the columns as numbers or codes, the target as codes or numbers."""

    def __init__(self, case, rows):
        self.case, self.y = case, rows.y[:, 0]
        self.least = float(case.option("-M"))
        self.deepest = int(case.option("-L"))
        self.X = [each.values for each in rows._read]
        self.known = [
            ~np.isnan(x.astype(float)) if case.levels(name) == [] else x >= 0
            for x, name in zip(self.X, case.features, strict=True)
        ]
        splits = [node["split"] for node in case.nodes if "split" in node]
        self.recorded = {(split["feature"], split.get("threshold")) for split in splits}
        self.flat = 0.0  # the variance below which a node is a leaf
        if case.classes is None:
            self.flat = float(case.option("-V")) * self.y.var()

    def grow(self, weight):
        """The tree as nested dictionaries, by a stack of open nodes: each is a dict, its rows and depth."""
        root = {}
        waiting = [(root, np.flatnonzero(weight > 0), weight[weight > 0], 0, None)]
        while waiting:
            node, rows, w, depth, parent = waiting.pop()
            node |= self.outcome(rows, w) if len(rows) else {"value": parent["value"], "weight": 0.0}
            found = None if self.is_leaf(rows, w, depth) else self.best(rows, w)
            if found is None:
                continue
            column, cut, props = found
            below = [{} for _ in props]
            node |= self.question(column, cut) | {
                "children": below,
                "missing": "share",
                "shares": props.tolist(),
            }
            side = self.sides(column, cut, rows)
            for k, child in enumerate(below):
                share = np.where(side < 0, props[k], side == k)
                here = share > 0
                waiting.append((child, rows[here], (w * share)[here], depth + 1, node))
        return root

    def tree(self, weight):
        case = self.case
        columns = [{"kind": case.kind(name), "levels": case.levels(name)} for name in case.features]
        names = {"feature_names": case.features, "classes": case.classes, "columns": columns}
        return tree_from_dict(self.grow(weight) | names)

    def outcome(self, rows, w):
        if self.case.classes is None:
            return {"value": float(np.average(self.y[rows], weights=w)), "weight": float(w.sum())}
        counts = np.bincount(self.y[rows], w, len(self.case.classes))
        return {"value": (counts / counts.sum()).tolist(), "weight": float(w.sum())}

    def is_leaf(self, rows, w, depth):
        if not len(rows) or w.sum() < 2 * self.least or depth == self.deepest:
            return True
        if self.case.classes is None:
            return spread(self.y[rows], w) / w.sum() < self.flat
        return len(np.unique(self.y[rows])) == 1

    def question(self, column, cut):
        name = self.case.features[column]
        if cut is None:
            return {"feature": name, "levels": [[level] for level in self.case.levels(name)]}
        return {"feature": name, "threshold": float(cut), "strict": True}

    def sides(self, column, cut, rows):
        """The branch of every row, -1 without the value."""
        x = self.X[column][rows]
        side = x if cut is None else (x >= cut)
        return np.where(self.known[column][rows], side, -1).astype(int)

    def best(self, rows, w):
        """The column of greatest gain; none if that is nothing, or only one branch has enough rows."""
        tried = [self.split(column, rows, w) for column in range(len(self.X))]
        column = self.first([(gain, (column, cut)) for column, (gain, cut, *_) in enumerate(tried)])
        gain, cut, props, sizes = tried[column]
        if gain <= GREATER or (sizes >= self.least).sum() < 2:
            return None
        return column, cut, props

    def split(self, column, rows, w):
        """What the best test of a column gains, its cut, the shares of the known rows, and all weights."""
        known = self.known[column][rows]
        cut, n = None, len(self.case.levels(self.case.features[column]))
        if not n:
            cut, n = self.cut(column, self.X[column][rows][known], self.y[rows][known], w[known]), 2
            if cut is None:
                return -1.0, None, np.array([1.0, 0.0]), np.zeros(2)
        side = self.sides(column, cut, rows)
        props = np.bincount(side[known], w[known], n)
        props = props / props.sum() if props.sum() > 0 else np.full(n, 1 / n)
        shares = np.where(side[:, None] < 0, props, side[:, None] == np.arange(n)) * w[:, None]
        return self.gain(self.y[rows], shares), cut, props, shares.sum(axis=0)

    def gain(self, y, shares):
        if self.case.classes is None:
            return spread(y, shares.sum(axis=1)) - sum(spread(y, part) for part in shares.T)
        table = np.array([np.bincount(y, part, len(self.case.classes)) for part in shares.T])
        return (bits(table.sum(axis=0)) - sum(bits(part) for part in table)) / table.sum()

    def cut(self, column, x, y, w):
        """Midway between two values, where the rows that have one are parted best; the first of equals."""
        tried, values = [], np.unique(x)
        for low, high in itertools.pairwise(values):
            left = x <= low
            gain = self.gain(y, np.column_stack([w * left, w * ~left]))
            tried.append((gain, (column, max((low + high) / 2, np.nextafter(low, high)))))
        return tried[self.first(tried)][1][1] if tried else None

    def first(self, tried):
        """The place of the greatest gain; of equals a recorded one, else the first."""
        most = max(gain for gain, _ in tried)
        equal = [place for place, (gain, _) in enumerate(tried) if gain >= most - 1e-9 * abs(most)]
        known = [place for place in equal if self.is_recorded(*tried[place][1])]
        return (known or equal)[0]

    def is_recorded(self, column, cut):
        name = self.case.features[column]
        return any(name == feature and same(cut, threshold) for feature, threshold in self.recorded)


def same(cut, threshold):
    return cut is threshold if None in (cut, threshold) else bool(np.isclose(cut, threshold, rtol=1e-12))


def bits(counts):
    """Weight times entropy."""
    some = counts[counts > 0]
    return float((some * np.log2(some.sum() / some).astype(float)).sum()) if len(some) else 0.0


def spread(y, w):
    """The sum of squares around the mean."""
    if not w.sum() > 0:
        return 0.0
    return float((w * (y - np.average(y, weights=w)) ** 2).sum())
