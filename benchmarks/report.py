"""One line of the report, and the tables made of them."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Any

PACKAGES = ("treewright", "numpy", "scikit-learn", "lightgbm", "xgboost", "ydf")


@dataclass(frozen=True)
class Row:
    """A piece of work measured for us and for a rival, or against a limit.

    `figure` is what `aim` speaks of: how many times faster we are (at least), or nanoseconds, a share of the
    input, milliseconds (at most, where `at_most`). Without an aim the row only informs.
    """

    work: str
    figure: float | None
    unit: str = "×"
    rival: str = ""
    ours_seconds: float | None = None
    rival_seconds: float | None = None
    aim: float | None = None
    at_most: bool = False

    @property
    def reached(self) -> bool | None:
        """Whether the aim is reached; None where there is none."""
        if self.aim is None or self.figure is None:
            return None
        return self.figure <= self.aim if self.at_most else self.figure >= self.aim

    def cells(self) -> list[str]:
        """What a table shows of the row."""
        aim = "" if self.aim is None else f"{'≤' if self.at_most else '≥'} {self.aim:g}{_unit(self.unit)}"
        verdict = {None: "", True: "yes", False: "no"}[self.reached]
        times = [_seconds(self.ours_seconds), _seconds(self.rival_seconds)]
        figure = "" if self.figure is None else f"{_three(self.figure)}{_unit(self.unit)}"
        return [self.work, self.rival, *times, figure, aim, verdict]

    def as_dict(self) -> dict[str, Any]:
        """For --json."""
        return asdict(self) | {"reached": self.reached}


HEADINGS = ["work", "against", "treewright", "rival", "figure", "aim", "reached"]


def against(work: str, rival: str, ours: float, theirs: float, aim: float | None = None) -> Row:
    """A row that says how many times faster we are."""
    return Row(work, theirs / ours, "×", rival, ours, theirs, aim)


def text_table(rows: Sequence[Row]) -> str:
    """The rows in columns, for a terminal."""
    cells = [HEADINGS, *(row.cells() for row in rows)]
    widths = [max(len(line[k]) for line in cells) for k in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in cells
    )


def markdown_table(rows: Sequence[Row]) -> str:
    """The rows that have an aim or a rival, as the README shows them."""
    lines = ["| " + " | ".join(HEADINGS) + " |", "|---" * len(HEADINGS) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row.cells()) + " |" for row in rows])


def surroundings(cores: int) -> str:
    """What the figures were taken on: versions and cores, since only ratios travel."""
    versions = []
    for package in PACKAGES:
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            continue
    return f"{cores} cores, {platform.machine()}, Python {platform.python_version()}, " + ", ".join(versions)


def _three(number: float) -> str:
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


def _unit(unit: str) -> str:
    return unit if unit == "×" else f" {unit}"


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return ""
    scale, unit = (1.0, "s") if seconds >= 1 else (1e3, "ms") if seconds >= 1e-3 else (1e6, "µs")
    return f"{_three(seconds * scale)} {unit}"
