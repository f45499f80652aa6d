"""What a reader wants to know first: what it is about, how large it is, how good it is."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from ...data.common.plural import counted
from ...evaluate.metrics import BETTER, Score, verdict
from ...learn.model_file import FileError
from ...learn.model_file.writer import document
from .plainly import short
from .subject import Subject

SCORE = ("metric", "value", "low", "high", "baseline")
FEW, LONG = 4, 60  # classes, and their letters, that are named
PARTS = ("schema", "tree", "decision", "params", "sha256")


def model(subject: Subject) -> dict[str, Any]:
    """The parts of the model file that the page needs, as the file has them."""
    try:
        doc = document(subject.saved)
    except FileError as error:
        raise ValueError(
            f"A page is for a model that a file can hold. This one is not such: {error} Where numbers are "
            "too large, divide the target and fit again."
        ) from error
    names = subject.wishes.get("outputs")
    found = {"kind": doc["kind"], "target": doc["target"], "model": {name: doc[name] for name in PARTS}}
    return found | {"outputs": names if names and 1 < len(names) == subject.tree.n_outputs else None}


def output_names(y: Any) -> list[str] | None:
    """The names of several targets, where a table gives them."""
    columns = getattr(y, "columns", None)
    return None if columns is None else [str(name) for name in columns]


def facts(subject: Subject) -> dict[str, Any]:
    """The title and a few facts in words."""
    tree, training, words = subject.tree, subject.training, subject.words
    rows = training.get("rows")
    if not isinstance(rows, int):
        rows = int(tree.n_node_samples[0]) or None
    found = [("Predicts", _predicts(subject))]
    if rows is not None:
        found.append(("Made from", counted(rows, "row")))
    asked = len({int(column) for column in tree.feature[~tree.is_leaf]})
    found.append(("Columns", f"{tree.n_features:,}, of which the tree asks {asked:,}"))
    found.append(("Tree", f"{counted(tree.n_leaves, 'leaf')}, depth {tree.max_depth:,}"))
    if words.criterion != "impurity":
        found.append(("Splits by", words.criterion.replace("_", " ")))
    if training.get("like"):
        found.append(("Grown like", str(training["like"])))
    if subject.explained.decides is not None:
        found.append(("Decides", subject.explained.decides))
    return {"title": _title(subject), "facts": [list(pair) for pair in found]}


def _predicts(subject: Subject) -> str:
    target = subject.saved.target
    name = "" if target is None else f"{target}: "
    if not subject.is_classification:
        outputs = subject.tree.n_outputs
        return f"{name}a number" if outputs == 1 else f"{name}{counted(outputs, 'number')}"
    classes = subject.words.classes or []
    if len(classes) == 1 and len(classes[0]) <= FEW and sum(map(len, classes[0])) <= LONG:
        return name + " or ".join(classes[0])
    sizes = [f"one of {counted(len(labels), 'class')}" for labels in classes]
    return name + (sizes[0] if len(sizes) == 1 else f"{len(sizes)} outputs: {', '.join(sizes)}")


def _title(subject: Subject) -> str:
    given = subject.wishes.get("title")
    if given is not None:
        return str(given)
    target, table = subject.saved.target, subject.training.get("table")
    if target is None:
        return "Decision tree"
    return f"{target} in {Path(str(table)).name}" if table else f"Decision tree for {target}"


def scores(subject: Subject) -> dict[str, Any]:
    """The figures of the fit, or else those of the rows that were given."""
    kept = subject.training.get("scores")
    found = [_score(each) for each in kept] if isinstance(kept, list) else []
    rows = [each for each in found if each is not None]
    on, source = subject.training.get("scored_on"), "fit"
    if not rows:
        from .scoring import scored

        rows, on = scored(subject)
        source = "report"
    rows = [each for each in rows if math.isfinite(each.value)]
    if not rows:
        many = subject.tree.n_outputs > 1
        note = "Scores are for one output." if many else subject.why_none("A score")
        return {"scores": None, "scores_note": note}
    listed = [
        {"metric": each.metric, "better": "higher" if BETTER[each.metric] > 0 else "lower"}
        | {name: short(getattr(each, name), 8) for name in SCORE[1:]}
        for each in rows
    ]
    return {"scores": {"rows": listed, "source": source, "on": str(on or ""), "verdict": verdict(rows)}}


def _score(said: Any) -> Score | None:
    """A score of a model file, if it is one."""
    if not isinstance(said, dict) or said.get("metric") not in BETTER:
        return None
    numbers = [said.get(name) for name in SCORE[1:]]
    if not all(part is None or isinstance(part, int | float) for part in numbers) or numbers[0] is None:
        return None
    known = [float("nan") if part is None else float(part) for part in numbers]
    return Score(said["metric"], known[0], known[1], known[2], known[3])
