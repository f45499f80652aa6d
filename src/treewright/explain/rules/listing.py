"""The list of rules as text, as a table for a notebook, and as dictionaries."""

from __future__ import annotations

import html
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...data.common import tables
from ...data.common.plural import counted
from .conditions import Condition, Range, meet
from .paths import StandIns, Way
from .rule import SPREADS, Rule
from .text import clause_text, percent, short

if TYPE_CHECKING:
    from .book import Rules

BREAK = "\0"  # between conditions: no name has one
KNOWN = "Only rows of which every value is known, and every level, are spoken of here."


def as_dict(book: Rules, number: int, rule: Rule) -> dict[str, Any]:
    """One rule, flat: with several outputs the keys carry the number of the output."""
    found: dict[str, Any] = {"rule": number, "conditions": rule.text}
    outputs = book.words.tree.n_outputs
    found |= _keyed("decision", rule.decision, outputs)
    found |= {"rows": rule.rows, "weight": rule.weight, "support": rule.support}
    if book.labels is None:
        found["spread"] = rule.spread
    else:
        found |= _keyed("confidence", rule.confidence, outputs) | _keyed("lift", rule.lift, outputs)
        if len(book.words.tree.estimate):
            found |= _keyed("probability", rule.probability, outputs)
        shares = rule.shares if outputs > 1 else (rule.shares,)
        for k, names in enumerate(book.words.classes or []):
            values = [None] * len(names) if shares is None or shares[k] is None else shares[k].values()
            end = f"_{k}" if outputs > 1 else ""
            found |= {f"share{end}_{name}": value for name, value in zip(names, values, strict=False)}
    return found | {"leaf": rule.leaf}


def _keyed(name: str, value: Any, outputs: int) -> dict[str, Any]:
    if outputs == 1:
        return {name: value}
    return {f"{name}_{k}": None if value is None else value[k] for k in range(outputs)}


# -- text


def as_text(book: Rules, missing: bool) -> str:
    """A head, a block of lines per rule, and the sentences that they rely on.

    What stand-ins must say is long and common to many rules: it is written once, below.
    """
    ways = [rule.way if missing else known_only(rule.way) for rule in book.rules]
    shown = [(k, way) for k, way in enumerate(ways) if way is not None]
    marks: dict[StandIns, str] = {}
    for _, way in shown:
        for each in way.stand_ins:
            marks.setdefault(each, f"(note {len(marks) + 1})")
    facts = _aligned([_facts(book, book.rules[k]) for k, _ in shown])
    found, group = [_head(book)], None
    for (k, way), fact in zip(shown, facts, strict=True):
        title = _group(book, book.rules[k])
        if title != group:
            found += ["", title] if title else []
            group = title
        found += ["", *_block(f"{k + 1:>{len(str(len(book)))}}. ", _lines(book, way, marks), fact)]
    below = [f"{mark[1:-1].capitalize()}: {clause_text(each, book.words)}." for each, mark in marks.items()]
    notes = [*below, *book.notes, *([] if missing else [KNOWN])]
    return "\n".join([*found, *(["", *notes] if notes else [])]) + "\n"


def _block(number: str, lines: list[str], fact: str) -> list[str]:
    """The lines of one rule."""
    if not lines:
        return [f"{number}always {fact}".rstrip()]
    words = ["if", *["and"] * (len(lines) - 1), "then"]
    says = [f"{word:<5}{line}".rstrip() for word, line in zip(words, [*lines, fact], strict=True)]
    return [number + says[0], *(" " * len(number) + line for line in says[1:])]


def _lines(book: Rules, way: Way, marks: dict[StandIns, str]) -> list[str]:
    """The conditions of a rule, and where to read what its stand-ins must say."""
    found = [clause_text(condition, book.words) for condition in way.conditions.values()]
    return found + [f"if {clause_text(each.silent, book.words)}: {marks[each]}" for each in way.stand_ins]


def known_only(way: Way) -> Way | None:
    """What a way asks of a row of which every value is known; None where no such row goes there."""
    known = {j: _of_known(condition) for j, condition in way.conditions.items()}
    if any(condition.takes_no_value for condition in known.values()):
        return None
    asked = {j: condition for j, condition in known.items() if not condition.takes_every_value}
    # a node may have no answer for a level that is known elsewhere
    needed = (each for each in way.stand_ins if _speaks_of_known(each, known))
    return Way(asked, tuple(needed))


def _speaks_of_known(each: StandIns, known: dict[int, Condition]) -> bool:
    silent = _of_known(each.silent)
    return not meet(known.get(silent.feature), silent).takes_no_value


def _of_known(condition: Condition) -> Condition:
    """The same without a word on missing values."""
    if isinstance(condition, Range):
        return replace(condition, missing=0.0)
    return replace(condition, shares=(*condition.shares[:-1], 0.0))


def _head(book: Rules) -> str:
    rows = book.words.tree.n_node_samples[0]
    many = counted(len(book), "rule")
    source = f" from {counted(rows, 'row')}" if book.words.counts_rows else ""
    if book.words.tree.shares_rows:
        return f"{many}{source}. Exactly one holds for every row whose values are known."
    return f"{many}{source}. Exactly one holds for every row."


def _group(book: Rules, rule: Rule) -> str:
    """The heading above the rules of one class."""
    if book.order != "class" or book.words.classes is None or len(book.words.classes) > 1:
        return ""
    index = int(rule.decides[0])
    usual = float(book.words.tree.value[0, 0, index])
    share = f" ({percent(usual)} of all)" if book.words.counts_rows else ""
    return f"Class {book.words.classes[0][index]}{share}"


def _facts(book: Rules, rule: Rule) -> list[str]:
    """The decision and what the training rows say of it, in cells that are put under each other."""
    cells = [said(book, rule)]
    if rule.rows is not None:
        cells += [counted(rule.rows, "row"), f"({percent(rule.support)})"]
        if book.is_weighted:
            cells += ["weight", book.words.short(rule.weight or 0.0)]
    if book.labels is None:
        return cells if rule.spread is None else [*cells, book.spread_is, f"{rule.spread:.4g}"]
    lift = ", ".join("–" if each is None else f"{each:.2f}" for each in _each(rule.lift))
    return [*cells, "confidence", ", ".join(map(percent, _each(rule.confidence))), "lift", lift]


def _each(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def is_weighted(rule: Rule) -> bool:
    """Whether the weight of the rows is another number than theirs."""
    known = rule.rows is not None and rule.weight is not None
    return known and abs((rule.weight or 0.0) - (rule.rows or 0)) > 1e-9 * max(rule.rows or 0, 1)


def said(book: Rules, rule: Rule) -> str:
    """The decision in words."""
    if book.words.classes is None:
        return ", ".join(short(each, book.words.decimals) for each in rule.decides)
    return ", ".join(names[int(k)] for names, k in zip(book.words.classes, rule.decides, strict=True))


def _aligned(cells: list[list[str]]) -> list[str]:
    """The first cell to the left, the others to the right; a line may lack the last ones."""
    most = max(map(len, cells), default=0)
    widths = [max(len(line[k]) for line in cells if k < len(line)) for k in range(most)]
    return [
        "  ".join(f"{cell:<{width}}" if k == 0 else f"{cell:>{width}}"
                  for k, (cell, width) in enumerate(zip(line, widths, strict=False)))
        for line in cells
    ]  # fmt: skip


def spread_name(book: Rules) -> str:
    """What the spread of a rule is, by the criterion of the tree."""
    return SPREADS.get(book.words.criterion, "impurity") if book.labels is None else ""


# -- a notebook


def as_html(book: Rules) -> str:
    """A table with a line per rule, and the sentences under it."""
    columns = [("rule", "d"), ("conditions", ""), ("decision", ""), ("rows", ",d"), ("support", ".1%")]
    columns += [("spread", ".6g")] if book.labels is None else [("confidence", ""), ("lift", "")]
    rows = []
    for number, rule in enumerate(book.rules, 1):
        lines = BREAK.join(rule.conditions) or "always"
        facts = {"rule": number, "conditions": lines, "decision": said(book, rule)}
        facts |= {"rows": rule.rows, "support": rule.support, "spread": rule.spread}
        rows.append(
            facts | {"confidence": _cell(rule.confidence, percent), "lift": _cell(rule.lift, "{:.2f}".format)}
        )
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in book.notes)
    return tables.as_html(rows, columns).replace(BREAK, "<br>and ") + notes


def _cell(value: Any, written: Any) -> str | None:
    if value is None:
        return None
    return ", ".join("–" if one is None else written(one) for one in _each(value))
