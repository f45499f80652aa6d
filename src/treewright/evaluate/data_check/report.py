"""The findings of a check: to read, to print, and to clean a table by."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.result import ListResult
from ...data.common.text_width import check_width, terminal_width, wrapped
from . import cleaning

ROW_KINDS = ("missing target", "contradictory rows", "duplicated rows", "suspect label", "rare class")
COLUMN_KINDS = (
    *("leakage suspect", "id-like column", "equal columns", "collinear columns", "constant column"),
    *("empty column", "mixed types"),
)
LEVEL_KINDS = ("similar levels",)
FOLD_KINDS = ("grouped rows", "ordered in time", "drift in time", "sorted rows")  # nothing is left out
KINDS = (COLUMN_KINDS[0], *FOLD_KINDS, *ROW_KINDS, *COLUMN_KINDS[1:], *LEVEL_KINDS)
SEVERITIES = HIGH, MEDIUM, LOW = ("high", "medium", "low")
_SEVERITY_OF = dict.fromkeys(KINDS, MEDIUM) | dict.fromkeys(("leakage suspect", "grouped rows"), HIGH)
_SEVERITY_OF |= dict.fromkeys(("sorted rows", "constant column", "empty column", "similar levels"), LOW)
_SEVERITY_OF |= dict.fromkeys(("drift in time", "equal columns", "collinear columns", "suspect label"), LOW)
_OPTION_OF = dict.fromkeys(COLUMN_KINDS[:4], "exclude")
_OPTION_OF |= {"grouped rows": "groups", "ordered in time": "time"}
MOST_ALIKE = 3  # findings of one kind that are printed; more are summed up in one
MOST_MIXED = 10  # of "mixed types", since each column needs something else
_HANG = " " * len("medium  ")


@dataclass(frozen=True, eq=False)
class Finding:
    """One fault of a table, or one thing to know before fitting."""

    kind: str
    columns: tuple[Any, ...]  # empty where it is about rows or the target
    rows: NDArray[np.intp]  # their places in the table, ascending
    sentence: str
    spellings: Mapping[str, str] = field(default_factory=dict)  # level → its most frequent form
    severity: str = ""  # how much it may harm a model: "high", "medium" or "low"; by default that of its kind
    words: tuple[str, ...] = ()  # in a file, those that may stand for missing values
    without_values: str = ""  # the sentence without values of the columns; by default it has none

    def __post_init__(self) -> None:
        object.__setattr__(self, "severity", self.severity or _SEVERITY_OF[self.kind])
        object.__setattr__(self, "without_values", self.without_values or self.sentence)

    @property
    def option(self) -> str:
        """The parameter of `fit` that deals with it: "exclude", "groups", "time", or empty if none does.

        "also_missing" is one of reading a file.
        """
        if self.words:
            return "also_missing"
        unclear = self.kind == "id-like column" and self.severity == LOW  # it may be a time or an order
        return _OPTION_OF.get(self.kind, "") if self.columns and not unclear else ""

    @property
    def n_rows(self) -> int:
        """How many rows it affects."""
        return len(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, as for a row of a frame; the rows themselves are in `rows`."""
        return {
            "kind": self.kind,
            "severity": self.severity,
            "columns": list(self.columns),
            "n_rows": self.n_rows,
            "sentence": self.sentence,
            "option": self.option,
        }


@dataclass(frozen=True, eq=False, repr=False)
class DataCheck(ListResult[Finding]):
    """The findings of `treewright.check`, the worst first. Print it, loop over it, or clean a table by it."""

    LISTED = "findings"

    findings: tuple[Finding, ...]
    n_rows: int
    columns: tuple[Any, ...]  # the names of all columns of the table
    target: Any  # its name, or None where it came as an array
    summary: str  # of the table and its target
    sample_of: int | None = None  # the rows of the whole table, where a sample of it was checked

    def of_sample(self, n_rows: int) -> DataCheck:
        """The same findings, said to be of a sample of a table with so many rows."""
        if n_rows <= self.n_rows:
            return self
        words = f"In a sample of {self.n_rows:,} of {n_rows:,} rows: "
        found = tuple(
            replace(each, sentence=words + each.sentence, without_values=words + each.without_values)
            for each in self.findings
        )
        return replace(self, findings=found, summary=words + self.summary, sample_of=n_rows)

    @property
    def exclude(self) -> tuple[Any, ...]:
        """The columns that findings advise to leave out: suspects of leakage and identifiers."""
        found = (name for each in self.findings if each.option == "exclude" for name in each.columns)
        return tuple(dict.fromkeys(found))

    @property
    def has_high(self) -> bool:
        """Whether there is a finding of severity "high"."""
        return any(each.severity == HIGH for each in self.findings)

    def summed(self) -> tuple[Finding, ...]:
        """The findings, where many of a kind are one that names some of the columns."""
        found = []
        for kind, severity in dict.fromkeys((each.kind, each.severity) for each in self.findings):
            alike = [each for each in self.findings if (each.kind, each.severity) == (kind, severity)]
            most = MOST_MIXED if kind == "mixed types" else MOST_ALIKE
            found += alike if len(alike) <= most else [_summed(alike)]
        return tuple(found)

    def of(self, kind: str) -> list[Finding]:
        """The findings of one kind."""
        cleaning.known_kinds(kind, KINDS)
        return [finding for finding in self.findings if finding.kind == kind]

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per finding: kind, severity, columns, n_rows, sentence, option."""
        return [finding.to_dict() for finding in self.findings]

    def clean(self, table: Any, kinds: str | Iterable[str], y: Any = None) -> Any:
        """The table without what these kinds list, of the same type; with `y` a pair of the two.

        'missing target', 'contradictory rows', 'duplicated rows' and 'rare class' leave out the listed rows:
        of repeated rows the first stays, of contradictory ones none. 'similar levels' gives levels their most
        frequent spelling. 'grouped rows', 'ordered in time' and 'sorted rows' change nothing. The other
        kinds leave out columns, never the target. What was given is not changed.
        """
        chosen = cleaning.known_kinds(kinds, KINDS)
        found = [finding for finding in self.findings if finding.kind in chosen]
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

    def text(self, width: int | None = None, *, options: bool = False, excluded: Sequence[Any] = ()) -> str:
        """The findings in lines of at most this width; None: as wide as the terminal, or 80.

        Parameters
        ----------
        width : int, optional
        options : bool, default False
            Whether to name options of the command (--exclude a,b) or parameters (exclude=['a', 'b']).
        excluded : sequence of names, default ()
            Columns that are left out already, for the last line.
        """
        width = terminal_width() if width is None else width
        check_width(width)
        lines = wrapped(self.summary, width)
        if not self.findings:
            return "\n".join([*lines, "Nothing to report."])
        lines += self.lines(width, options, excluded)
        if not options:
            lines.append("Nothing was changed; .clean(table, kinds) leaves out what you name.")
        return "\n".join(lines)

    def lines(self, width: int, options: bool = False, excluded: Sequence[Any] = ()) -> list[str]:
        """The findings with what to give to `fit`, which is never broken, and all columns to leave out."""
        lines = []
        for each in self.summed():
            sample = "" if self.sample_of is None else "sampled "
            rows = f"{each.n_rows:,} {sample}{'row' if each.n_rows == 1 else 'rows'}"
            head = f"{each.severity.capitalize():<{len(_HANG)}}"
            lines += wrapped(f"{each.kind} ({rows}): {each.sentence}", width, head, _HANG)
            if each.option:
                lines.append(_HANG + _argument(each.option, each.words or each.columns, options))
        every = [*excluded, *(name for name in self.exclude if name not in excluded)]
        if self.exclude and len(every) > 1:
            lines.append(f"To leave these columns out: {_argument('exclude', every, options)}")
        return lines

    def __str__(self) -> str:
        return self.text()

    def _columns(self) -> Sequence[tuple[str, str]]:
        return (("severity", ""), ("kind", ""), ("n_rows", ",d"), ("sentence", ""))

    def _headline(self) -> str:
        return self.summary if self.findings else f"{self.summary}. Nothing to report."


def _summed(alike: Sequence[Finding]) -> Finding:
    """Several findings of a kind as one: the sentence of the first, and the columns of the others."""
    first, rest = alike[0], alike[1:]
    columns = tuple(dict.fromkeys(name for each in alike for name in each.columns))
    shown = ", ".join(repr(name) for each in rest[:MOST_ALIKE] for name in each.columns[:1])
    more = f" and {len(rest) - MOST_ALIKE:,} more" if len(rest) > MOST_ALIKE else ""
    same = f"The same holds for {len(rest):,} more columns: {shown}{more}."
    rows = np.unique(np.concatenate([each.rows for each in alike]))
    words = tuple(dict.fromkeys(word for each in alike for word in each.words))
    return replace(
        first,
        columns=columns,
        rows=rows,
        words=words,
        sentence=f"{first.sentence} {same}",
        without_values=f"{first.without_values} {same}",
    )


def _argument(name: str, columns: Sequence[Any], as_option: bool) -> str:
    """What to give to `fit`: as an option of the command, or as a parameter."""
    columns = columns[:1] if name in {"groups", "time"} else columns
    if as_option:
        return f"--{name.replace('_', '-')} {shlex.quote(','.join(map(str, columns)))}"
    if name == "also_missing":
        return f"read_table(..., also_missing={','.join(columns)!r})"
    return f"{name}={list(columns) if name == 'exclude' else columns[0]!r}"
