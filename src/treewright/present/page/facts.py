"""The title, a few facts about the model, and its scores."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...data.common.numbers import significant
from ...data.common.plural import counted
from ...evaluate.metrics import BETTER, Baseline, Predictions, Score, verdict
from ...learn.alpha_rule import standard_errors
from ...learn.cross_validation.choose import measure_of
from ...learn.fitted_tree import BEST, IN_WORDS
from ...learn.losses import LOSS_WORDS
from ...learn.model_file import FileError
from ...learn.model_file.writer import document
from ...tree.walks import used_columns
from .download import file_parts
from .subject import Subject

SCORE = ("metric", "value", "low", "high", "baseline")
FEW, LONG = 4, 60  # classes, and their letters, that are named
PARTS = ("schema", "tree", "decision", "params", "sha256")


def model(subject: Subject) -> dict[str, Any]:
    """The parts of the model file that the page needs, as the file has them."""
    try:
        doc = document(replace(subject.saved, best=None))  # a page has the trees beside each other
    except FileError as error:
        raise ValueError(
            f"A page is for a model that a file can hold. This one is not such: {error} Where numbers are "
            "too large, divide the target and fit again."
        ) from error
    names = subject.options.get("outputs")
    used = set(used_columns(subject.tree))
    for place, column in enumerate(doc["schema"]["columns"]):
        if place not in used:  # a page is shared: it holds no values that the tree does not need
            column.pop("levels", None)
    # next-best splits name values of columns that the tree may not use
    kept = {key: part for key, part in doc["training"].items() if not key.startswith("next_best_splits")}
    doc["training"] = kept
    found = {"kind": doc["kind"], "target": doc["target"], "model": {name: doc[name] for name in PARTS}}
    found["model"]["file"] = file_parts(doc)
    found["unit"] = subject.words.unit or None
    return found | {"outputs": names if names and 1 < len(names) == subject.tree.n_outputs else None}


def facts(subject: Subject) -> dict[str, Any]:
    """The title and a few facts in words."""
    tree, training = subject.tree, subject.training
    rows = training.get("rows")
    if not isinstance(rows, int):
        rows = int(tree.n_node_samples[0]) or None
    found = {
        "Split criterion": _criterion(subject),
        "Like": str(training["like"]) if training.get("like") else None,
        "Decision": subject.explained.decides,
    }
    known = [[name, text] for name, text in found.items() if text is not None]
    return {
        "title": _title(subject),
        "tree_name": _tree_name(subject),
        "tree_words": _chosen_by(subject),
        "predicts": _predicts(subject),
        "clusters": subject.clusters is not None,
        "trained_on": rows,
        "facts": known,
    }


def _criterion(subject: Subject) -> str | None:
    """What splits were chosen by; None where that is not known."""
    rules = subject.saved.params.get("growth_rules")
    if isinstance(rules, dict) and rules.get("choice") == "permutation_test":
        return "p-value of a permutation test"
    criterion = subject.words.criterion
    return None if criterion == "impurity" else criterion.replace("_", " ")


def _loss(subject: Subject) -> str:
    """The loss that the trees of `treewright.fit` are chosen by."""
    saved = subject.saved
    return measure_of(saved.params, None, subject.is_classification, saved.tree.costs)


def _tree_name(subject: Subject) -> str:
    """What the page calls the tree: of the two that `treewright.fit` chooses as the command does."""
    rule = subject.options.get("chosen")
    if rule is None:
        return str(subject.options.get("tree_name", "Tree"))
    words = IN_WORDS[rule].format(LOSS_WORDS[_loss(subject)])
    return words[:1].upper() + words[1:]


def _chosen_by(subject: Subject) -> str | None:
    """By which loss a tree was chosen, of the two that `treewright.fit` gives."""
    rule = subject.options.get("chosen")
    if rule is None:
        return None
    loss = _loss(subject)
    name = LOSS_WORDS[loss]
    if rule == BEST:
        return f"The tree of the lowest {name} in cross-validation."
    alpha = subject.saved.params.get("ccp_alpha")
    if not isinstance(alpha, str):
        return None
    errors = standard_errors(alpha)
    within = f"within {errors:g} standard {'error' if errors == 1 else 'errors'} of"
    if loss in {"log_loss", "brier"}:  # then the rule holds for the error rate too
        both = f"{name} and error rate in cross-validation"
        return f"The simplest tree whose {both} are {within} those of the tree of the lowest {name}."
    return f"The simplest tree whose {name} in cross-validation is {within} the lowest."


def _predicts(subject: Subject) -> str:
    """What is predicted, without the name of the target."""
    if subject.clusters is not None:
        return counted(subject.tree.n_leaves, "cluster")
    if not subject.is_classification:
        outputs = subject.tree.n_outputs
        return "a number" if outputs == 1 else counted(outputs, "number")
    classes = subject.words.classes or []
    if len(classes) == 1 and len(classes[0]) <= FEW and sum(map(len, classes[0])) <= LONG:
        return " or ".join(classes[0])
    sizes = [f"one of {counted(len(labels), 'class')}" for labels in classes]
    return sizes[0] if len(sizes) == 1 else f"{len(sizes)} outputs: {', '.join(sizes)}"


def _title(subject: Subject) -> str:
    given = subject.options.get("title")
    if given is not None:
        return str(given)
    target, table = subject.saved.target, subject.training.get("table")
    if subject.clusters is not None:
        return f"Clusters of {Path(str(table)).name}" if table else "Clusters"
    if target is None:
        return "Decision tree"
    return f"{target} in {Path(str(table)).name}" if table else f"Decision tree for {target}"


def scores(subject: Subject) -> dict[str, Any]:
    """The scores of the fit, or else those of the rows given."""
    kept = subject.training.get("scores")
    found = [_score(each) for each in kept] if isinstance(kept, list) else []
    rows = [each for each in found if each is not None]
    on, source = subject.training.get("scored_on"), "fit"
    if not rows:
        (rows, on), source = _scored(subject), "report"
    rows = [each for each in rows if math.isfinite(each.value)]
    if not rows:
        many = subject.tree.n_outputs > 1
        note = "Scores are for one output." if many else subject.why_none("A score")
        return {"scores": None, "scores_note": note}
    listed = [
        {"metric": each.metric, "better": "higher" if BETTER[each.metric] > 0 else "lower"}
        | {name: significant(getattr(each, name), 8) for name in SCORE[1:]}
        for each in rows
    ]
    return {"scores": {"rows": listed, "source": source, "on": str(on or ""), "verdict": verdict(rows)}}


def _scored(subject: Subject) -> tuple[list[Score], str | None]:
    """The figures beside those of the root alone, and in words what they were made on."""
    found, tree = subject.held_out, subject.tree
    if found is None or tree.n_outputs > 1:
        return [], None
    y, root = found.y[:, 0], tree.without_columns[0]
    if found.label is None:
        predicted = Predictions(y, found.shares[:, 0, 0], None, found.weight)
        return predicted.scores(Baseline(mean=float(root[0]))), found.words
    how: tuple[Any, ...] = (found.weight, subject.ranked, subject.saved.costs_and_prevalence)
    predicted = Predictions(y, found.label[:, 0], found.shares[:, 0], *how)
    return predicted.scores(Baseline(root)), found.words


def _score(entry: Any) -> Score | None:
    """A score of a model file, if it is one."""
    if not isinstance(entry, dict) or entry.get("metric") not in BETTER:
        return None
    numbers = [entry.get(name) for name in SCORE[1:]]
    if not all(part is None or isinstance(part, int | float) for part in numbers) or numbers[0] is None:
        return None
    known = [float("nan") if part is None else float(part) for part in numbers]
    return Score(entry["metric"], *known)
