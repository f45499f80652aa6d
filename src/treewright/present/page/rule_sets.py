"""The report page of a set of rules: the rules, and how often their vote is right for the rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.checked_target import checked_target
from ...data.common.plural import counted
from ...learn.rule_sets.fitted import FittedRules
from ...learn.rule_sets.text import condition_lines
from .boosted import StaticReport, page_of, table_of, text_of

VOTES = (
    "All rules that hold for a row vote for their class, with their confidence: (right + 1) / (covered + 2). "
    "The class with the greatest sum is predicted, and the default where no rule holds or sums are equal."
)


def rules_report(found: FittedRules, X: Any, y: Any, title: str | None) -> StaticReport:
    """The page of a set of rules, with the rows if there are any."""
    words, labels = found.words(), [str(label) for label in found.classes[0].tolist()]
    rules = [
        {
            "conditions": condition_lines(rule.path, words),
            "class": labels[rule.label],
            "cover": rule.cover,
            "correct": rule.correct,
            "confidence": rule.confidence,
            "lift": found.rule_set.lift(rule),
        }
        for rule in found.rule_set.rules
    ]
    payload: dict[str, Any] = {
        "title": title or f"Rules{'' if found.target is None else f' for {found.target}'}",
        "rules": rules,
        "default": labels[found.rule_set.default],
        "labels": labels,
    }
    if X is not None and y is not None:
        predicted = found.labels(X)
        true = checked_target(y, len(predicted), found.classes[0].tolist())
        counts = np.zeros((len(labels), len(labels)), dtype=int)
        np.add.at(counts, (true, predicted), 1)
        payload["confusion"] = counts.tolist()
    return StaticReport(payload, _page, counted(len(rules), "rule"))


LEFT = '<div class="text">{}</div>'


def _page(payload: dict[str, Any]) -> str:
    rows = [
        [
            str(number),
            LEFT.format("<br>".join(map(text_of, rule["conditions"]))),
            text_of(rule["class"]),
            f"{rule['cover']:,.6g}",
            f"{rule['correct']:,.6g}",
            f"{rule['confidence']:.3f}",
            f"{rule['lift']:.2f}",
        ]
        for number, rule in enumerate(payload["rules"], 1)
    ]
    head = ["Rule", LEFT.format("If"), "Class", "Covered", "Right", "Confidence", "Lift"]
    parts = [f"<p>{text_of(VOTES)} The default is {text_of(payload['default'])}.</p>"]
    parts.append(table_of("Covered and right count the training rows.", head, rows))
    if "confusion" in payload:
        counts, labels = np.array(payload["confusion"]), payload["labels"]
        caption = f"{counts.trace() / max(counts.sum(), 1):.1%} of {counts.sum():,} rows are right."
        table = [[text_of(name), *(f"{n:,}" for n in row)] for name, row in zip(labels, counts, strict=True)]
        parts += ["<h2>Rows</h2>", table_of(caption, ["True class", *map(text_of, labels)], table)]
    return page_of(payload["title"], parts)
