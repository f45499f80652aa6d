"""`report(..., trace=True)`: the lesson page of a trace, as one HTML file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from ...data.common.plural import counted
from ...interpret.growth.trace import Trace
from ..page.making import Report, check_path
from .payload import payload_of


@dataclass(frozen=True, eq=False)
class Lesson(Report):
    """A lesson page, to be saved or shown in a notebook. `payload` is all that it shows, as JSON values."""

    def __repr__(self) -> str:
        steps = counted(len(self.payload["steps"]), "step")
        return f"<Lesson: {self.payload['title']!r}, {steps}; .save(path) writes the page>"


def lesson(trace: Trace, *, path: str | os.PathLike[str] | None = None, title: str | None = None) -> Lesson:
    """The lesson page of a trace; written to `path` if that is given."""
    check_path(path)
    made = Lesson(payload_of(trace, title))
    if path is not None:
        made.save(path)
    return made


def lesson_of(model: Any, X: Any, y: Any, sample_weight: Any, options: dict[str, Any]) -> Lesson:
    """The lesson page of a model and its training rows."""
    from ...interpret.growth.trace import trace

    if X is None or y is None:
        raise ValueError("trace=True needs the training rows: give X and y.")
    return lesson(trace(model, X, y, sample_weight=sample_weight), **options)
