"""The findings of a check: to read, to print, and to clean a table by."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.result import Result
from . import cleaning

ROW_KINDS = ("missing target", "contradictory rows", "duplicated rows", "rare class")
COLUMN_KINDS = ("leakage suspect", "id-like column", "constant column", "empty column", "mixed types")
LEVEL_KINDS = ("similar levels",)
FOLD_KINDS = ("grouped rows", "ordered in time")  # which say how to divide rows, and leave out nothing
KINDS = (*ROW_KINDS, COLUMN_KINDS[0], *FOLD_KINDS, *COLUMN_KINDS[1:], *LEVEL_KINDS)
SEVERITIES = dict.fromkeys(KINDS, "low")
SEVERITIES |= dict.fromkeys(("missing target", "contradictory rows", "leakage suspect"), "high")
SEVERITIES |= {"grouped rows": "high", "ordered in time": "medium"}
SEVERITIES |= dict.fromkeys(("duplicated rows", "rare class", "id-like column", "mixed types"), "medium")
_WIDTH = 110


@dataclass(frozen=True, eq=False)
class Finding:
    """One fault of a table, or one thing to know before fitting."""

    kind: str
    columns: tuple[Any, ...]  # empty where it is about rows or the target
    rows: NDArray[np.intp]  # their places in the table, ascending
    sentence: str
    spellings: Mapping[str, str] = field(default_factory=dict)  # level → its most frequent form

    @property
    def severity(self) -> str:
        """How much it may harm a model: "high", "medium" or "low"."""
        return SEVERITIES[self.kind]

    @property
    def n_rows(self) -> int:
        """How many rows it affects."""
        return len(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, as for a row of a frame; the rows themselves are in `rows`."""
        return {
            "kind": self.kind,
            "columns": list(self.columns),
            "n_rows": self.n_rows,
            "sentence": self.sentence,
        }


@dataclass(frozen=True, eq=False, repr=False)
class DataCheck(Result):
    """The findings of `treewright.check`, the worst first. Print it, loop over it, or clean a table by it."""

    findings: tuple[Finding, ...]
    n_rows: int
    columns: tuple[Any, ...]  # the names of all columns of the table
    target: Any  # its name, or None where it came as an array
    summary: str  # of the table and its target

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, place: int) -> Finding:
        return self.findings[place]

    def of(self, kind: str) -> list[Finding]:
        """The findings of one kind."""
        cleaning.known_kinds(kind, KINDS)
        return [finding for finding in self.findings if finding.kind == kind]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per finding: kind, columns, n_rows, sentence."""
        return [finding.to_dict() for finding in self.findings]

    def clean(self, table: Any, kinds: str | Iterable[str], y: Any = None) -> Any:
        """The table without what these kinds list, of the same type; with `y` a pair of the two.

        'missing target', 'contradictory rows', 'duplicated rows' and 'rare class' leave out the listed rows:
        of repeated rows the first stays, of contradictory ones none. 'similar levels' gives levels their most
        frequent spelling. 'grouped rows' and 'ordered in time' change nothing. The other kinds leave out
        columns, never the target. What was given is not changed.
        """
        asked = cleaning.known_kinds(kinds, KINDS)
        found = [finding for finding in self.findings if finding.kind in asked]
        dropped = {name for f in found if f.kind in COLUMN_KINDS for name in f.columns} - {self.target}
        gone = np.zeros(self.n_rows, dtype=bool)
        for finding in found:
            if finding.kind in ROW_KINDS:
                gone[finding.rows] = True
        change = cleaning.Change(
            keep=np.flatnonzero(~gone),
            columns=[name for name in self.columns if name not in dropped],
            respelled=[(f.columns, f.spellings) for f in found if f.kind in LEVEL_KINDS],
        )
        cleaned = change.of_table(table, self.n_rows, self.columns)
        return cleaned if y is None else (cleaned, change.of_target(y, self.n_rows))

    def __str__(self) -> str:
        lines = [self.summary]
        if not self.findings:
            return f"{self.summary}\nNothing to report."
        kinds = max(len(finding.kind) for finding in self.findings)
        digits = max(*(len(f"{finding.n_rows:,}") for finding in self.findings), len("rows"))
        lines.append(f"{'kind':<{kinds}}  {'rows':>{digits}}  what")
        for finding in self.findings:
            start = f"{finding.kind:<{kinds}}  {finding.n_rows:>{digits},}  "
            words = textwrap.wrap(finding.sentence, max(_WIDTH - len(start), 40), break_long_words=False)
            lines += [(start if i == 0 else " " * len(start)) + line for i, line in enumerate(words)]
        lines.append("Nothing was changed; .clean(table, kinds) leaves out what you name.")
        return "\n".join(lines)

    def _columns(self) -> Sequence[tuple[str, str]]:
        return (("kind", ""), ("n_rows", ",d"), ("sentence", ""))

    def _headline(self) -> str:
        return self.summary if self.findings else f"{self.summary}. Nothing to report."
