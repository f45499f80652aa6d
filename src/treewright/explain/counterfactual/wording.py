"""A counterfactual as text and as a table for a notebook. All text is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...data.common.plural import counted
from ...data.common.text_width import check_width, padded, terminal_width, width_of, wrapped
from ..html import _safe, _table
from ..wording import one_name

if TYPE_CHECKING:
    from .result import Answer, Counterfactual


def as_text(of: Counterfactual, width: int | None) -> str:
    """What is predicted, what to change, and what is predicted then."""
    if width is None:
        width = terminal_width()
    check_width(width)
    lines = wrapped(head(of), width)
    room = max((width_of(change.column) for change in of.changes), default=0)
    for change in of.changes:
        name = padded(change.column, min(room, width // 2))
        lines += wrapped(f"{name}  {change.before_words} -> {change.after_words}", width, "  ", "    ")
    for sentence in tail(of):
        lines += wrapped(sentence, width)
    return "\n".join(lines)


def as_html(of: Counterfactual) -> str:
    """The changes as a table, with a sentence above and below."""
    rows = [[each.column, each.before_words, each.after_words, f"{each.distance:.3g}"] for each in of.changes]
    found = [f"<p><b>{_safe(head(of))}</b></p>"]
    if rows:
        found.append(_table(["column", "now", "then", "distance"], rows))
    return "".join([*found, *(f"<p>{_safe(sentence)}</p>" for sentence in tail(of))])


def head(of: Counterfactual) -> str:
    """What is predicted now, and what it would take."""
    what = "" if of.target is None else f"{one_name(of.target)} = "
    now = f"Row {of.row}: {what}{_told(of.before)}."
    if not of.found:
        return f"{now} No change that is allowed makes it {of.wanted}."
    if not of.changes:
        return f"{now} That is what was wanted: nothing has to change."
    return f"{now} To {of.wanted}, change {counted(len(of.changes), 'column')}:"


def tail(of: Counterfactual) -> list[str]:
    """What comes of it, and how far that is."""
    if not of.found or not of.changes or of.after is None:
        return []
    rows = "" if of.after.rows is None else f", where {counted(of.after.rows, 'training row')} ended"
    found = [f"Then it is {_told(of.after)} (node {of.after.node}{rows})."]
    by = f", measured by {of.measured_by}" if of.measured_by else ""
    return [*found, f"Distance {of.distance:.3g}{by}; no other change is nearer."]


def _told(answer: Answer) -> str:
    sure = "" if answer.probability is None else f" with probability {answer.probability:.3g}"
    return f"{answer.words}{sure}"
