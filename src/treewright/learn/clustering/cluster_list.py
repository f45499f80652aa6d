"""What each cluster is, in words: its path, and the columns in which it differs most from all rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.common.array_types import Ints
from ...data.common.plural import counted
from ...data.common.result import Result
from ...data.values import Column
from ...tree.tree_text import TreeText
from ...tree.value_text import shortest
from .coding import Coding, missing_in

MOST_TRAITS = 3
LEAST_EFFECT = 0.5  # standard deviations, or difference of proportions times 2, that are worth a word


@dataclass(frozen=True)
class Trait:
    """One column of one cluster beside all rows."""

    column: int
    effect: float  # standard deviations from the mean; for a level twice the difference of proportions
    text: str


@dataclass(frozen=True)
class Cluster:
    """One cluster in words."""

    number: int
    n_rows: int
    share: float
    path: str
    traits: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Clusters(Result):
    """The clusters in words. Print them, or take `to_dicts()` or `to_frame()`."""

    clusters: tuple[Cluster, ...]

    def __iter__(self) -> Iterator[Cluster]:
        return iter(self.clusters)

    def __len__(self) -> int:
        return len(self.clusters)

    def __getitem__(self, place: int) -> Cluster:
        return self.clusters[place]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per cluster: number, rows, share, path, and what is typical of it."""
        return [
            {
                "cluster": each.number,
                "rows": each.n_rows,
                "share": each.share,
                "path": each.path,
                "typical": "; ".join(each.traits),
            }
            for each in self.clusters
        ]

    def __str__(self) -> str:
        lines = []
        for each in self.clusters:
            lines.append(f"Cluster {each.number}: {counted(each.n_rows, 'row')} ({each.share:.0%})")
            lines.append(f"  if {each.path}" if each.path else "  all rows")
            lines += [f"  typical: {'; '.join(each.traits)}"] if each.traits else []
        return "\n".join(lines)


def describe(words: TreeText, leaves: Ints, traits: Sequence[Sequence[Trait]]) -> Clusters:
    """The clusters of a tree, in the order of its leaves."""
    tree = words.tree
    total = int(tree.n_node_samples[0])
    found = []
    for number, leaf in enumerate(leaves.tolist()):
        best = sorted(traits[number], key=lambda trait: -abs(trait.effect))[:MOST_TRAITS]
        shown = tuple(f"{words.features[trait.column]} {trait.text}" for trait in best)
        rows = int(tree.n_node_samples[leaf])
        found.append(Cluster(number, rows, rows / total, path_text(words, leaf), shown))
    return Clusters(tuple(found))


def path_text(words: TreeText, leaf: int) -> str:
    """The conditions from the root to a leaf; of several on one column only the strictest."""
    tree, node = words.tree, leaf
    last: dict[tuple[int, str], str] = {}  # the lowest test of a column and side is the strictest
    while tree.parent[node] >= 0:
        above = int(tree.parent[node])
        place = node - int(tree.first_child[above])
        side = "levels" if tree.test(above).is_nominal else str(place)
        text = " ".join(words.branches(above)[place].split())
        last.setdefault((int(tree.feature[above]), side), text)
        node = above
    return " and ".join(reversed(last.values()))


def traits_by_cluster(
    table: Sequence[Column], coding: Coding, labels: Ints, n_clusters: int
) -> list[list[Trait]]:
    """For each cluster the columns in which it differs from all rows."""
    found: list[list[Trait]] = [[] for _ in range(n_clusters)]
    for place, (column, code) in enumerate(zip(table, coding.columns, strict=True)):
        known = ~missing_in(column)
        values, at = column.values[known], labels[known]
        sizes = np.bincount(at, minlength=n_clusters)
        if column.type.kind == "nominal":
            for number, trait in _levels(column, values, at, sizes, place):
                found[number].append(trait)
        elif column.type.kind in {"number", "boolean"} and len(values):
            spread = float(np.std(values.astype(np.float64)))
            sums = np.bincount(at, weights=values.astype(np.float64), minlength=n_clusters)
            for number in np.flatnonzero(sizes).tolist():
                mean = sums[number] / sizes[number]
                effect = (mean - code.means[0]) / spread if spread > 0 else 0.0
                if abs(effect) >= LEAST_EFFECT:
                    side = "high" if effect > 0 else "low"
                    text = f"{side}: mean {_short(mean)} (all rows {_short(code.means[0])})"
                    found[number].append(Trait(place, effect, text))
    return found


def _levels(column: Column, values: Any, at: Ints, sizes: Any, place: int) -> Iterator[tuple[int, Trait]]:
    levels = column.type.levels
    counts = np.zeros((len(sizes), len(levels)))
    np.add.at(counts, (at, values), 1)
    whole = counts.sum(axis=0) / max(1.0, counts.sum())
    for number in np.flatnonzero(sizes).tolist():
        shares = counts[number] / sizes[number]
        level = int((shares - whole).argmax())
        effect = 2 * float(shares[level] - whole[level])
        if effect >= LEAST_EFFECT:
            text = f"{levels[level]} in {shares[level]:.0%} (all rows {whole[level]:.0%})"
            yield number, Trait(place, effect, text)


def _short(value: float) -> str:
    return shortest(float(f"{value:.3g}"))
