"""How good the predictions for held-out rows are, in detail: by class, by probability, by group of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.common.numbers import significant, significants
from ...evaluate.calibration import calibration_of
from ...evaluate.roc.curve import curve_of
from ...learn.cross_validation.segments import Segments, joined
from .held_out import HeldOutPredictions
from .subgroups import subgroups
from .subject import Subject

Floats = NDArray[np.float64]

MOST_CLASSES = 30  # in the tables: those with the most rows
MOST_POINTS = 120  # of a ROC curve


def evaluation(subject: Subject) -> dict[str, Any]:
    """The part "evaluation"."""
    if subject.tree.n_outputs > 1:
        return {"evaluation": None, "evaluation_note": "A detailed evaluation is for one output."}
    found = subject.held_out
    if found is None:
        return {"evaluation": None, "evaluation_note": subject.why_none("A detailed evaluation")}
    part: dict[str, Any] = {"on": found.words, "source": found.source, "subgroups": subgroups(subject, found)}
    part["weighted"] = bool((found.weight != 1.0).any())
    part |= dict.fromkeys(("confusion", "classes", "calibration"))
    if found.label is not None:
        part |= _of_classes(subject, found)
    return {"evaluation": part}


def _of_classes(subject: Subject, found: HeldOutPredictions) -> dict[str, Any]:
    names = subject.words.classes[0] if subject.words.classes else []
    counts = confusion(found, len(names))
    support = counts.sum(axis=1)
    shown = np.sort(np.argsort(-support, kind="stable")[:MOST_CLASSES])
    segments = segments_of(found, np.array(names, dtype=object))
    every = len(shown) == len(names) and not counts[:, -1].any()
    matrix = counts[np.ix_(shown, shown)] if every else None
    return {
        "confusion": None
        if matrix is None
        else {"labels": [names[k] for k in shown], "counts": _counts(matrix)},
        "classes": [_class_row(names, counts, segments, int(k)) for k in shown],
        "calibration": _calibration(subject, names, segments),
    }


def confusion(found: HeldOutPredictions, n_classes: int) -> Floats:
    """The weight of the rows by their class and by the predicted one; in the last column, by none."""
    assert found.label is not None
    counts = np.zeros((n_classes, n_classes + 1))
    predicted = np.where(found.label[:, 0] < 0, n_classes, found.label[:, 0])
    np.add.at(counts, (found.y[:, 0].astype(np.int64), predicted), found.weight)
    return counts


def segments_of(found: HeldOutPredictions, classes: NDArray[Any]) -> Segments:
    """The held-out rows by their predicted probabilities."""
    one_hot = np.eye(len(classes))[found.y[:, 0].astype(np.int64)] * found.weight[:, None]
    parts = [(found.shares[:, 0], one_hot, one_hot * found.weight[:, None])]
    return joined(parts, found.source.replace("-", " "), classes)


def _class_row(names: list[str], counts: Floats, segments: Segments, k: int) -> dict[str, Any]:
    right, actual, predicted = counts[k, k], counts[k].sum(), counts[:, k].sum()
    auc, points = None, []
    if 0 < actual < counts.sum():
        roc = curve_of(segments, k, [other for other in range(len(names)) if other != k])
        at = np.unique(np.linspace(0, len(roc.tp) - 1, MOST_POINTS).round().astype(np.int64))
        across, up = roc.fp[at] / roc.fp[-1], roc.tp[at] / roc.tp[-1]
        auc, points = significant(roc.auc), np.column_stack([across, up]).round(4).tolist()
    return {
        "label": names[k],
        "place": k,
        "precision": _ratio(right, predicted),
        "recall": _ratio(right, actual),
        "f1": _ratio(2 * right, actual + predicted),
        "support": _counts(actual),
        "auc": auc,
        "roc": points,
    }


def _calibration(subject: Subject, names: list[str], segments: Segments) -> dict[str, Any] | None:
    """The probabilities of the positive class, or of more than two classes those of the predicted one."""
    if len(names) < 2:
        return None
    of = None if subject.ranked is None else names[subject.ranked]
    curve = calibration_of(segments, of)
    fields = ("predicted", "observed", "low", "high", "weight")
    columns = [significants(getattr(curve, field), 5) for field in fields]
    rows = [dict(zip(fields, row, strict=True)) for row in zip(*columns, strict=True)]
    rows.sort(key=lambda row: row["predicted"] or 0.0)
    return {"of": "the predicted class" if of is None else of, "rows": rows, "ece": significant(curve.ece)}


def _ratio(part: float, whole: float) -> float | None:
    return significant(float(part / whole)) if whole > 0 else None


def _counts(weight: Any) -> Any:
    """Weights as counts: whole where they are."""
    given = np.asarray(weight)
    whole = np.array_equal(given, np.rint(given))
    return given.astype(np.int64).tolist() if whole else given.round(1).tolist()
