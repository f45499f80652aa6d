"""Scores of groups of held-out rows: by the levels or the quartiles of each column that the tree uses."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.numbers import significant
from ...data.schema import ColumnType
from ...data.values import Column
from ...tree.value_text import date_text, duration_text, level_text, shortest
from ...tree.walks import tested_columns
from .form import present
from .held_out import HeldOutPredictions
from .subject import Subject

Mask = NDArray[np.bool_]
Groups = tuple[str, str, list[tuple[str, Mask]]]  # a column, what its groups are, and their names and rows

MOST_COLUMNS, MOST_LEVELS = 20, 12


def subgroups(subject: Subject, found: HeldOutPredictions) -> list[dict[str, Any]]:
    """The part "subgroups", the most important columns first."""
    return scores_of_groups(subject, found, groups_of(subject, found))


def groups_of(subject: Subject, found: HeldOutPredictions) -> list[Groups]:
    """The groups of held-out rows by each column that makes more than one."""
    assert subject.given is not None
    tree = subject.tree
    gains = tree.compute_feature_importances()
    order = sorted(tested_columns(tree), key=lambda column: (-gains[column], column))[:MOST_COLUMNS]
    types = tree.column_types or (ColumnType(),) * tree.n_features
    listed = []
    for column in order:
        by, groups = _groups(subject.given.table.columns[column].take(found.rows), types[column])
        some = [(name, mask) for name, mask in groups if mask.any()]
        if len(some) > 1:
            listed.append((subject.words.features[column], by, some))
    return listed


def scores_of_groups(
    subject: Subject, found: HeldOutPredictions, groups: list[Groups]
) -> list[dict[str, Any]]:
    """The scores of each group."""
    return [
        {"column": column, "by": by}
        | {"rows": [{"name": name, **_scores(subject, found, mask)} for name, mask in masks]}
        for column, by, masks in groups
    ]


def _groups(column: Column, kind: ColumnType) -> tuple[str, list[tuple[str, Mask]]]:
    """What the groups are, and each with its name and its rows."""
    there = present(column)
    missing = [("missing", ~there)]
    if kind.has_levels:
        codes = np.where(there, column.values, -1).astype(np.int64)
        counts = np.bincount(codes[there], minlength=len(kind.levels))
        largest = np.sort(np.argsort(-counts, kind="stable")[:MOST_LEVELS]).tolist()
        named = [(level_text(kind.levels[code]), codes == code) for code in largest]
        others = there & ~np.isin(codes, largest)
        return "Level", [*named, ("other levels", others), *missing]
    if kind.kind == "boolean":
        yes = there & (np.nan_to_num(column.values.astype(np.float64)) > 0)
        return "Value", [("false", there & ~yes), ("true", yes), *missing]
    values = column.values.astype(np.float64)
    finite = values[there & np.isfinite(values)]
    if not len(finite):
        return "Value", [("-inf", values == -np.inf), ("inf", values == np.inf), *missing]
    cuts = _rounded_quartiles(finite)
    at = np.searchsorted(cuts, values, side="left")
    names = _range_names(cuts, kind)
    return "Range", [*((name, there & (at == k)) for k, name in enumerate(names)), *missing]


def _rounded_quartiles(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The quartiles with three digits that count: a page must not tell single values."""
    return np.unique([float(f"{cut:.3g}") for cut in np.percentile(values, (25, 50, 75))])


def _range_names(cuts: NDArray[np.float64], kind: ColumnType) -> list[str]:
    text = [value_text(cut, kind) for cut in cuts.tolist()]
    between = [f"> {low} to {high}" for low, high in pairwise(text)]
    return [f"<= {text[0]}", *between, f"> {text[-1]}"]


def value_text(value: float, kind: ColumnType) -> str:
    """A value of a column as text."""
    if kind.kind == "datetime":
        return date_text(int(value))
    return duration_text(int(value)) if kind.kind == "duration" else shortest(value)


def _scores(subject: Subject, found: HeldOutPredictions, mask: Mask) -> dict[str, Any]:
    weight, y = found.weight[mask], found.y[mask, 0]
    n = {"n": int(mask.sum())}
    if found.label is None:
        error = y - found.shares[mask, 0, 0]
        mean, off = (float(np.average(each, weights=weight)) for each in (error, np.abs(error)))
        return n | {"mean_absolute_error": significant(off), "mean_residual": significant(mean)}
    predicted = found.label[mask, 0]
    scores = n | {"accuracy": _share(predicted == y, weight)}
    if subject.ranked is not None:
        are, called = y == subject.ranked, predicted == subject.ranked
        scores["recall"] = _share(called[are], weight[are])
        scores["false_positive_rate"] = _share(called[~are], weight[~are])
    return scores


def _share(hits: Mask, weight: NDArray[np.float64]) -> float | None:
    return significant(float(np.average(hits, weights=weight))) if len(hits) else None
