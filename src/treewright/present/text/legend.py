"""Short forms of names and conditions for a line that is too narrow, and what each stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...data.common.text_width import cut, middle_cut, start_of, width_of, wrapped

MOST_NOTE = 20  # lines: a column may have a hundred thousand levels


@dataclass
class Legend:
    """What was shortened. Every short form stands for one thing only."""

    dots: str = "…"
    names: dict[str, str] = field(default_factory=dict)  # short form to name
    notes: list[str] = field(default_factory=list)  # note k + 1

    def short(self, names: Sequence[str], width: int) -> list[str]:
        """Names that fit, each another one where it was another one before."""
        taken, found = {name for name in names if width_of(name) <= width}, []
        for name in names:
            known = next((brief for brief, full in self.names.items() if full == name), None)
            brief = name if width_of(name) <= width else known or self._new(name, width, taken)
            taken.add(brief)
            found.append(brief)
            if brief != name:
                self.names[brief] = name
        return found

    def _new(self, name: str, width: int, taken: set[str]) -> str:
        brief, number = middle_cut(name, width, self.dots), 1
        while brief in taken or brief in self.names:
            number += 1
            end = f"~{number}"
            brief = start_of(middle_cut(name, width - len(end), self.dots), width - len(end)) + end
        return brief

    def fit(self, text: str, full: str, width: int) -> str:
        """A text that fits; what was taken away is in a note with its number behind the text."""
        if width_of(text) <= width:
            return text
        self.notes.append(full)
        mark = f" [{len(self.notes)}]"
        return cut(text, width - len(mark), self.dots) + mark

    def lines(self, used: str, width: int) -> list[str]:
        """What each short form stands for that occurs in a text."""
        found = []
        for brief, name in self.names.items():
            if brief in used:
                found += wrapped(f"{brief} = {name}", width, "", "  ")
        for number, text in enumerate(self.notes, 1):
            lines = wrapped(start_of(text, MOST_NOTE * width), width, f"[{number}] ", "  ")
            cut_off = len(lines) > MOST_NOTE
            found += [*lines[:MOST_NOTE], f"  {self.dots} (export_text has all)"] if cut_off else lines
        return found
