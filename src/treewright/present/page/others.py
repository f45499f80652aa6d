"""Parts that other functions compute: next-best splits, the check of the table, the comparison."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from ...data.common.numbers import significant
from ...data.table import is_frame
from ...learn.folds import take
from ...tree.walks import tested_columns, used_columns
from .origin import OTHER_WEIGHTS
from .rows import MANY
from .subject import Subject

SEARCH_BUDGET = 1e7  # the most values to search for the splits that came second: a few seconds
BEST = 3
LOGISTIC = "Next-best splits are compared for constant and linear leaves. This tree has logistic leaves."
ONLY_NAMES = "Of columns that the tree does not use, this page has only the name."


def next_best_splits(subject: Subject) -> dict[str, Any]:
    """The splits that came second, as the model file has them or found now."""
    kept = subject.training.get("next_best_splits")
    notes = subject.training.get("next_best_splits_notes")
    if not isinstance(kept, list):
        kept, notes, reason = _searched(subject)
        if kept is None:
            return {"next_best_splits": None, "next_best_splits_note": reason}
    used = {name for place, name in enumerate(subject.words.features) if place in used_columns(subject.tree)}
    by_node: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for each in kept:
        if isinstance(each, dict) and {"node", "test", "gain"} <= each.keys():
            test = str(each["test"]) if _may_tell(each.get("feature"), used) else str(each["feature"])
            by_node[str(each["node"])].append({"test": test, "gain": each["gain"]})
    said = [*map(str, notes)] if isinstance(notes, list | tuple) else []
    if any(isinstance(each, dict) and not _may_tell(each.get("feature"), used) for each in kept):
        said.append(ONLY_NAMES)
    note = " ".join(said)
    return {"next_best_splits": dict(by_node), "next_best_splits_note": note or None}


def _may_tell(column: Any, used: set[str]) -> bool:
    """Whether the test may be shown: of a column that the tree does not use a page holds no values."""
    return not isinstance(column, str) or column in used


def _searched(subject: Subject) -> tuple[Any, Any, str | None]:
    given = subject.given
    if subject.tree.leaf_models is not None and subject.is_classification:
        return None, (), LOGISTIC
    if given is None or given.y is None or not given.origin.made_the_tree:
        return None, (), "Next-best splits need the training rows."
    if given.origin.other_weights:
        return None, (), f"Next-best splits were not searched. {OTHER_WEIGHTS}"
    from ...interpret.next_best.splits import searched

    subject.say(0, 1, "looking for next-best splits")
    try:
        rows = (given.X, given.y, given.weight)
        found = searched(subject.ordered, subject.words, rows, BEST, SEARCH_BUDGET)
    except ValueError as error:  # the rows are not those after all, as where some were held out
        return None, (), f"Next-best splits were not searched: {error}"
    if found.skipped:
        return None, (), found.skipped
    return found.to_dicts(), found.notes, None


def check(subject: Subject) -> dict[str, Any]:
    """What is odd in the table."""
    wanted = subject.options.get("check", True)
    if wanted is False:
        return {"check": None}
    found = subject.checked if wanted is True else wanted
    note = None
    if found is None:
        found, note = _checked(subject)
    if found is None:
        return {"check": None, "check_note": note}
    tree = subject.saved.tree
    names, tested = tree.feature_names, tested_columns(tree)
    used = None if names is None else {names[j] for j in tested}
    rows = []
    for each in found.summed():
        is_shown = used is None or used.issuperset(set(each.columns) - {found.target, None})
        sentence = each.sentence if is_shown else each.without_values  # no values that the tree does not hold
        rows.append(
            {"kind": each.kind, "column": str(each.columns[0]) if each.columns else None}
            | {"sentence": sentence, "severity": each.severity}
        )
    return {"check": rows, "check_summary": found.summary}


def _checked(subject: Subject) -> tuple[Any, str | None]:
    """What is found now, or why nothing is looked at."""
    given = subject.given
    if given is None or given.y is None:
        return None, subject.why_none("A check of the table")
    if given.y.ndim > 1:
        return None, "The check of a table is for one target."
    from ...evaluate.data_check import check as look

    subject.say(0, 1, "checking the table")
    X, y = given.X, given.y
    if given.n_rows > MANY:
        X, y = take(X, given.drawn), take(y, given.drawn)
    table = X.toarray() if hasattr(X, "toarray") else X if is_frame(X) else np.asarray(X)
    try:
        return look(table, y, task=subject.saved.task).of_sample(given.n_rows), None
    except ValueError as error:
        return None, f"The table was not checked: {error}"


def comparison(subject: Subject) -> dict[str, Any]:
    """The tree beside other models, if the user wants a comparison."""
    found = subject.options.get("compare")
    if found is None:
        return {"comparison": None}
    rows = found.to_dicts()
    columns = list(rows[0]) if rows else []
    listed = [[significant(v) if isinstance(v, float) else v for v in map(row.get, columns)] for row in rows]
    words = " ".join([found.verdict, *found.notes, found.advice])
    return {"comparison": {"columns": columns, "rows": listed, "words": words, "metric": found.metric}}
