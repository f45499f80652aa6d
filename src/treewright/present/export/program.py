"""What generated programs of scripting languages share: tables, and rows that check them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .form import Form
from .outputs import header, wanted
from .rows import Predicted, example_rows
from .tables import features, kind_of, model_rows, node_rows, node_words, outcome_rows, outcome_values
from .template import filled

FUNCTIONS = {"leaf": "leaf", "prediction": "predict", "probabilities": "probabilities"}


@dataclass(frozen=True)
class Syntax:
    """How a language writes values and tables."""

    name: str
    template: str  # in assets
    comment: str
    declare: str  # before a name, as in "const "
    end: str  # of a statement
    literal: Callable[[Any], str]

    def listed(self, name: str, entries: Iterable[Any], words: Sequence[str] | None = None) -> str:
        """A list with one entry per line, each with a comment."""
        lines = [f"    {self.literal(entry)}," for entry in entries]
        if words is not None:
            lines = [f"{line}  {self.comment} {said}" for line, said in zip(lines, words, strict=True)]
        return "\n".join([f"{self.declare}{name} = [", *lines, f"]{self.end}"])

    def by_node(self, name: str, entries: dict[int, Any]) -> str:
        """A table with an entry for some nodes, the number of the node first."""
        return self.listed(name, ([node, *entry] for node, entry in entries.items()))

    def assigned(self, name: str, value: Any) -> str:
        """One value with a name."""
        return f"{self.declare}{name} = {self.literal(value)}{self.end}"


def written(form: Form, output: str, syntax: Syntax, how: list[str]) -> str:
    """The text of a program."""
    outputs = wanted(form, output)
    one, linear = form.n_outputs == 1, form.leaf_models is not None
    values = {
        "header": "\n".join(f"{syntax.comment} {line}" for line in header(form, syntax.name, how)),
        "columns": syntax.listed("COLUMNS", [[c.name, kind_of(c), _codes(c)] for c in form.columns]),
        "sums": syntax.listed("SUMS", form.sums),
        "nodes": syntax.listed("NODES", node_rows(form), node_words(form)),
        "classes": syntax.assigned("CLASSES", form.classes),
        "outcome_words": _outcome_words(form),
        "outcomes": "" if linear else syntax.by_node("OUTCOMES", outcome_rows(form)),
        "models": syntax.by_node("MODELS", model_rows(form)) if linear else "",
        "share": syntax.assigned("SHARE", form.share) + "\n" + syntax.assigned("CHILDREN", form.n_children),
        "strength": syntax.assigned("STRENGTH", form.pooled),
        "root": syntax.assigned("ROOT", outcome_values(form, 0)),
        "rows_behind": syntax.assigned("ROWS_BEHIND", form.rows_behind.tolist()),
        "costs": syntax.assigned("COSTS", form.costs),
        "prediction_words": "The class" if form.is_classifier else "The predicted number",
        "per_output": "" if one else ", a list per output",
        "unwrapped": "named[0]" if one else "named",
        "unwrapped_shares": "found[0]" if one else "found",
        "vectors": syntax.listed("ROWS", _vectors(form, outputs)),
        "functions": ", ".join(f"{call}(row)" for name, call in FUNCTIONS.items() if name in outputs),
        "hash": form.hash,
    }
    return filled(syntax.template, features(form, outputs), values)


def _outcome_words(form: Form) -> str:
    return "the class of each output, and the probabilities" if form.is_classifier else "what it predicts"


def _vectors(form: Form, outputs: set[str]) -> list[Any]:
    """Per row its values by column, and what the model predicts for it."""
    rows, predicted = example_rows(form)
    one = form.n_outputs == 1
    found: list[Any] = []
    for k, row in enumerate(rows):
        entry: list[Any] = [by_name(form, row)]
        for name in FUNCTIONS:
            if name in outputs:
                said: Any = predicted[Predicted._fields.index(name)][k]
                entry.append(said[0] if one and name != "leaf" else said)
        found.append(entry)
    return found


def by_name(form: Form, row: Sequence[Any]) -> dict[str, Any]:
    """A row as a dictionary from the names of columns to values."""
    return {column.name: cell for column, cell in zip(form.columns, row, strict=True)}


def _codes(column: Any) -> dict[Any, int] | None:
    return {level: code for code, level in enumerate(column.levels)} or None


def as_predicted(form: Form, leaf: list[Any], prediction: list[Any], shares: list[Any]) -> Predicted:
    """What the functions of a program returned, as lists per output."""
    if form.n_outputs > 1:
        return Predicted(leaf, prediction, shares)
    return Predicted(leaf, [[each] for each in prediction], [[each] for each in shares])
