"""One measured number, and how two of them are compared in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

OURS = "treewright"


@dataclass(frozen=True)
class Result:
    """What one library needed for one piece of work."""

    part: str  # the heading: "Training", "Memory", ...
    work: str
    library: str
    value: float
    unit: str = "s"  # "s", or "× the input"
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For the JSON file."""
        return asdict(self)


def compared(ours: float, theirs: float, other: str) -> str:
    """In words how many times as fast treewright is, or how many times slower."""
    if round(max(ours, theirs) / min(ours, theirs), 1) <= 1.0:
        return f"as fast as {other}"
    if theirs > ours:
        return f"{number(theirs / ours)} times as fast as {other}"
    return f"{number(ours / theirs)} times slower than {other}"


def less_or_more(ours: float, theirs: float, other: str) -> str:
    """In words how treewright's memory compares."""
    if theirs >= ours:
        return f"{number(theirs / max(ours, 1e-9))} times less than {other}"
    return f"{number(ours / max(theirs, 1e-9))} times more than {other}"


def number(ratio: float) -> str:
    """Two digits: 1.8, 12, 150."""
    if ratio < 10:
        return f"{ratio:.1f}"
    return f"{ratio:.0f}" if ratio < 100 else f"{round(ratio, -1):.0f}"


def quantity(value: float, unit: str) -> str:
    """A value with its unit, in three digits."""
    if unit != "s":
        return f"{value:.2f} {unit}"
    scale, name = (1.0, "s") if value >= 1 else (1e3, "ms") if value >= 1e-3 else (1e6, "µs")
    scaled = value * scale
    return f"{scaled:.0f} {name}" if scaled >= 100 else f"{scaled:.3g} {name}"


def words(ours: Result, theirs: Result) -> str:
    """The comparison of two results of one work."""
    if ours.unit == "s":
        return compared(ours.value, theirs.value, theirs.library)
    return less_or_more(ours.value, theirs.value, theirs.library)


def markdown(results: Iterable[Result]) -> Iterator[str]:
    """A table per part: each work with treewright first, then each other library."""
    for part, of_part in groupby(results, key=lambda each: each.part):
        yield from (f"## {part}", "", "| work | library | measured | treewright is |", "|---|---|---|---|")
        notes: list[str] = []
        for work, of_work in groupby(of_part, key=lambda each: each.work):
            rows = list(of_work)
            ours = next((row for row in rows if row.library == OURS), None)
            for place, row in enumerate(rows):
                title = work if place == 0 else ""
                said = "" if ours is None or row.library == OURS else words(ours, row)
                yield f"| {title} | {row.library} | {quantity(row.value, row.unit)} | {said} |"
                notes += [row.note] if row.note and row.note not in notes else []
        yield ""
        if notes:
            yield from (*notes, "")


def text(results: Iterable[Result]) -> Iterator[str]:
    """The same as lines for a terminal."""
    for line in markdown(results):
        if not line.startswith("|---"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            yield "  ".join(cell.ljust(width) for cell, width in zip(cells, (58, 28, 12, 0), strict=False))
