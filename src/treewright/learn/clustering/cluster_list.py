"""What each cluster is, in words: its path, and the columns in which it differs most from all rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...data.common.array_types import Floats, Ints
from ...data.common.plural import counted
from ...data.common.result import ListResult
from ...tree.tree_text import TreeText
from ...tree.value_text import shortest
from .coding import Coding, ColumnCode

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
class Clusters(ListResult[Cluster]):
    """The clusters in words. Print them, or take `to_dicts()` or `to_frame()`."""

    LISTED = "clusters"

    clusters: tuple[Cluster, ...]

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
            heads = ["  typical: "] + [" " * 11] * len(each.traits)
            lines += [head + trait for head, trait in zip(heads, each.traits, strict=False)]
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


def traits_by_cluster(coding: Coding, centres: Floats) -> list[list[Trait]]:
    """For each cluster, by the mean of its coded rows, the columns in which it differs from all rows."""
    found: list[list[Trait]] = [[] for _ in centres]
    start = 0
    for place, code in enumerate(coding.columns):
        part = centres[:, start : start + code.width]
        start += code.width
        for traits, centre in zip(found, part, strict=True):
            trait = _level(code, centre, place) if code.is_nominal else _mean(code, float(centre[0]), place)
            if trait is not None and abs(trait.effect) >= LEAST_EFFECT:
                traits.append(trait)
    return found


def _mean(code: ColumnCode, centre: float, place: int) -> Trait | None:
    if not code.type.is_number or not code.spread:
        return None
    mean, effect = code.means[0] + centre * code.scale, centre * code.scale / code.spread
    mean = 0.0 if abs(mean) < 1e-9 * code.spread else mean  # nothing but rounding
    if code.type.kind == "boolean":
        return Trait(place, effect, f"true in {mean:.0%} (all rows {code.means[0]:.0%})")
    side = "high" if effect > 0 else "low"
    return Trait(place, effect, f"{side}: mean {_short(mean)} (all rows {_short(code.means[0])})")


def _level(code: ColumnCode, centre: Floats, place: int) -> Trait | None:
    if not code.width:
        return None
    level = int(centre.argmax())
    share, whole = float(code.means[level] + centre[level]), float(code.means[level])
    text = f"{code.type.levels[level]} in {share:.0%} (all rows {whole:.0%})"
    return Trait(place, 2 * float(centre[level]), text)


def _short(value: float) -> str:
    return shortest(float(f"{value:.3g}"))
