"""The tests that a node may put to its rows, and their thresholds."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

Value = int | float | None  # None is a missing value
Groups = tuple[tuple[int, ...], ...]  # the levels of each child


@dataclass(frozen=True)
class Split:
    """x <= threshold goes to child 0, all else to child 1; or every level goes to the child that lists it.

    Python compares a whole number with a float exactly, and so does the core.
    """

    feature: int
    threshold: int | float  # an int where no float64 lies between two whole numbers; nan: a nominal test
    missing: int | None = None  # the child of missing values; None: they take no part in the score
    levels: Groups = ()  # of a nominal test
    strict: bool = False  # x < threshold goes to child 0

    @property
    def missing_left(self) -> bool:
        """Whether missing values go to the first child."""
        return self.missing == 0

    @property
    def n_children(self) -> int:
        """Two, one for each group of levels, and one more where missing values have their own."""
        return max(2, len(self.levels), 0 if self.missing is None else self.missing + 1)

    @property
    def missing_alone(self) -> bool:
        """Whether it tells all that is present from all that is missing, and nothing else."""
        return not self.levels[1] if self.levels else self.threshold == math.inf and self.missing == 1

    def goes_left(self, x: Value) -> bool:
        """Whether a value, or a missing one, goes to the first child."""
        child = self.known_child(x)
        return (self.missing if child is None else child) == 0

    def known_child(self, x: Value) -> int | None:
        """The child of one value; None: missing, or a level that is not listed."""
        if x is None:
            return None
        if not self.levels:
            return int(x >= self.threshold if self.strict else x > self.threshold)
        return next((child for child, levels in enumerate(self.levels) if x in levels), None)


def between(a: float, b: float) -> int | float:
    """t = a/2 + b/2 in float64 if a <= t < b, else a: t may round out of [a, b), or be infinite or nan."""
    t = float(a) / 2 + float(b) / 2
    return t if a <= t < b else a


def groupings(levels: list[int], nominal_splits: str) -> Iterator[Groups]:
    """Every way to share out the levels; two groups have no order, and the lowest level is in the first.

    With one level against the rest the single level comes first, which for two levels is the lower.
    """
    if nominal_splits == "multiway":
        yield tuple((level,) for level in levels)
        return
    if nominal_splits == "one_vs_rest":
        for a in levels if len(levels) > 2 else levels[:1]:
            yield (a,), tuple(level for level in levels if level != a)
        return
    lowest, *others = levels
    for size in range(len(others)):
        for chosen in combinations(others, size):
            yield (lowest, *chosen), tuple(level for level in others if level not in chosen)


def missing_children(n_known: int, missing: str, in_order: bool = False) -> Sequence[int | None]:
    """Where missing rows are tried, in the order that breaks ties: right, left; or one after another."""
    if missing == "own":
        return [n_known]
    if missing == "tried":
        return range(n_known) if in_order else (1, 0)
    return [None]


def column_candidates(
    feature: int, column: Sequence[Value], missing: str, nominal_splits: str = ""
) -> Iterator[Split]:
    """Every split of one column, in the order that breaks ties: cut, child of missing values.

    missing: "tried" with each child, a child of their "own", or "" where they take no part.
    nominal_splits is "" for a column of numbers. Last comes all that is present against all that is missing.
    """
    values = sorted({x for x in column if x is not None})
    if nominal_splits:
        codes = [int(x) for x in values]
        for levels in groupings(codes, nominal_splits) if len(codes) > 1 else ():
            for child in missing_children(len(levels), missing, in_order=nominal_splits == "multiway"):
                yield Split(feature, math.nan, child, levels)
        if codes and missing:
            yield Split(feature, math.nan, 1, (tuple(codes), ()))
        return
    for a, b in pairwise(values):
        for child in missing_children(2, missing):
            yield Split(feature, between(a, b), child)
    if values and missing:
        yield Split(feature, math.inf, 1)


def candidates(columns: Sequence[Sequence[Value]], nominal: Collection[int] = ()) -> Iterator[Split]:
    """Every split of these rows, in the order that breaks ties; missing rows are tried on both sides."""
    for feature, column in enumerate(columns):
        missing = "tried" if None in column else ""
        yield from column_candidates(feature, column, missing, "subset" if feature in nominal else "")
