"""How often each split is chosen again in bootstrap samples, where that was wanted."""

from __future__ import annotations

from typing import Any

from ...data.common.numbers import significant
from ...tree.value_text import sides
from .subject import Subject


def stability(subject: Subject) -> dict[str, Any]:
    """The part "stability"; None where it was not measured."""
    found = subject.options.get("stability")
    if found is None:
        return {"stability": None}
    words, by_node = subject.words, {}
    for node, each in found.splits_of(subject.tree).items():
        ends = None
        if each.low is not None:
            test, kind = subject.tree.test(node), words.column(int(subject.tree.feature[node]))
            ends = [sides(test._replace(threshold=end), kind, _short)[0][1] for end in (each.low, each.high)]
        often = {"chosen": each.chosen, "if_reached": each.chosen_if_reached}
        by_node[str(node)] = often | {"threshold": ends, "rows_moved": each.moved}
    return {"stability": {"repeats": found.repeats, "nodes": by_node}}


def _short(value: float) -> str:
    return f"{significant(value, 4):g}"
