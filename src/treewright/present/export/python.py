"""A tree as one Python module that needs nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from .form import Form
from .outputs import header, wanted
from .rows import Answers, example_rows
from .tables import features, kind_of, model_rows, node_rows, node_words, outcome_rows
from .template import filled

HOW = [
    "predict(row), probabilities(row) and leaf(row) take a dictionary from names of columns to values.",
    "What is absent, None or NaN is missing. Times: objects of datetime, or whole microseconds.",
    "Run this file to compare it with what the model predicts for the rows at its end.",
]


def write(form: Form, output: str) -> str:
    """The text of the module."""
    outputs = wanted(form, output)
    rows, answers = example_rows(form)
    one = form.n_outputs == 1
    values = {
        "header": "\n".join(f"# {line}" for line in header(form, "Python", HOW)),
        "columns": _listed("COLUMNS", [(c.name, kind_of(c), _codes(c)) for c in form.columns]),
        "sums": _listed("SUMS", form.sums),
        "nodes": _listed("NODES", node_rows(form), node_words(form)),
        "classes": f"CLASSES = {literal(form.classes)}",
        "outcome_words": "the class of each output, and probabilities"
        if form.is_classifier
        else "what is predicted",
        "outcomes": "" if form.leaf_models else _by_node("OUTCOMES", outcome_rows(form)),
        "models": _by_node("MODELS", model_rows(form)) if form.leaf_models else "",
        "share": f"SHARE = {literal(form.share)}\nCHILDREN = {literal(form.n_children)}",
        "strength": literal(form.pooled),
        "root": literal(outcome_row(form, 0)),
        "rows_behind": f"ROWS_BEHIND = {literal(form.rows_behind.tolist())}",
        "costs": literal(form.costs),
        "prediction_words": "The class" if form.is_classifier else "The number predicted",
        "per_output": "" if one else ", a list per output",
        "unwrapped": "named[0]" if one else "named",
        "unwrapped_shares": "found[0]" if one else "found",
        "vectors": _listed("ROWS", _vectors(form, outputs, rows, answers)),
        "functions": ", ".join(f"{_FUNCTIONS[name]}(row)" for name in _FUNCTIONS if name in outputs),
        "hash": form.hash,
    }
    return filled("python.txt", features(form, outputs), values)


_FUNCTIONS = {"leaf": "leaf", "prediction": "predict", "probabilities": "probabilities"}


def outcome_row(form: Form, node: int) -> list[Any]:
    """The numbers of a node per output."""
    values = form.values[node].tolist()
    return [each[:size] for each, size in zip(values, form.sizes, strict=True)]


def _vectors(form: Form, outputs: set[str], rows: list[list[Any]], answers: Answers) -> list[Any]:
    names = [column.name for column in form.columns]
    one = form.n_outputs == 1
    found: list[Any] = []
    for k, row in enumerate(rows):
        entry: list[Any] = [dict(zip(names, row, strict=True))]
        if "leaf" in outputs:
            entry.append(answers.leaf[k])
        if "prediction" in outputs:
            entry.append(answers.prediction[k][0] if one else answers.prediction[k])
        if "probabilities" in outputs:
            entry.append(answers.probabilities[k][0] if one else answers.probabilities[k])
        found.append(entry)
    return found


def _codes(column: Any) -> Any:
    return {level: code for code, level in enumerate(column.levels)} or None


def literal(value: Any) -> str:
    """A value as Python writes it; a list as a list, infinity as a number that is too large."""
    if isinstance(value, bool) or value is None or isinstance(value, str | int):
        return repr(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ("1e999" if value > 0 else "-1e999")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(each)}" for key, each in value.items()) + "}"
    return "[" + ", ".join(map(literal, value)) + "]"


def _listed(name: str, entries: Iterable[Any], words: Sequence[str] | None = None) -> str:
    """A list with one entry per line, each with a comment."""
    lines = [f"    {literal(entry)}," for entry in entries]
    if words is not None:
        lines = [f"{line}  # {said}" for line, said in zip(lines, words, strict=True)]
    return "\n".join([f"{name} = [", *lines, "]"])


def _by_node(name: str, entries: dict[int, Any]) -> str:
    return "\n".join(
        [f"{name} = {{", *(f"    {node}: {literal(entry)}," for node, entry in entries.items()), "}"]
    )


# -- running it


def run(path: Path, form: Form, rows: Sequence[Sequence[Any]]) -> Answers:
    """What an exported module predicts for rows."""
    module: dict[str, Any] = {"__name__": "exported"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module)
    names, one = [column.name for column in form.columns], form.n_outputs == 1
    given = [dict(zip(names, row, strict=True)) for row in rows]

    def said(name: str) -> list[Any]:
        return [module[name](row) for row in given] if name in module else []

    found = [said(name) for name in _FUNCTIONS.values()]
    leaf, prediction, shares = found
    return Answers(
        leaf, [[x] for x in prediction] if one else prediction, [[x] for x in shares] if one else shares
    )
