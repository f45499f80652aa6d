"""An explanation for a notebook. All text is escaped, and names cannot turn the direction of a line."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from .path import asked, told
from .wording import (
    MOST_ENDS,
    MOST_STEPS,
    change_words,
    decision_sentences,
    gain_words,
    head,
    leaf_head,
    leaf_sentences,
)

if TYPE_CHECKING:
    from .explanation import Explanation


def as_html(of: Explanation) -> str:
    """The steps as a table, the ends and the columns under it."""
    words, tree = of.subject.words, of.subject.tree
    rows = []
    for number, step in enumerate(of.steps[:MOST_STEPS], 1):
        rivals = "; ".join(f"{each.test} ({each.gain:.4g})" for each in of.runners_up.get(step.node, ()))
        cells = [str(number), asked(words, step.node), told(words, of.cells, step)]
        cells += [change_words(of, step.before, step.after), f"{int(tree.n_node_samples[step.node]):,}"]
        rows.append([*cells, gain_words(of, step.node), rivals])
    titles = ["step", "question", "this row", "change", "rows", "gain", "runners-up"]
    used = [k for k, title in enumerate(titles) if title != "runners-up" or any(row[k] for row in rows)]
    found = [f"<p><b>{_safe(head(of))}</b></p>"]
    if rows:
        found.append(_table([titles[k] for k in used], [[row[k] for k in used] for row in rows]))
    if len(of.steps) > MOST_STEPS:
        found.append(f"<p>… and {len(of.steps) - MOST_STEPS:,} more steps.</p>")
    for leaf in of.leaves[:MOST_ENDS]:
        items = "".join(f"<li>{_safe(sentence)}</li>" for sentence in leaf_sentences(of, leaf))
        found.append(f"<p>{_safe(leaf_head(of, leaf))}</p><ul>{items}</ul>")
    changes = [[name, f"{value:+.3g}"] for name, value in of.contributions.items()]
    if changes:
        found.append(_table(["column", "changed"], changes))
    found += [f"<p>{_safe(sentence)}</p>" for sentence in decision_sentences(of)]
    return "".join(found)


def _safe(text: str) -> str:
    return f"<bdi>{html.escape(text)}</bdi>"


def _table(titles: list[str], rows: list[list[str]]) -> str:
    top = "".join(f"<th>{html.escape(title)}</th>" for title in titles)
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{_safe(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><tr>{top}</tr>{body}</table>"
