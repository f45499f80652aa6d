"""What generated programs of scripting languages share: tables, and rows that check them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .form import Form
from .outputs import header, wanted
from .rows import Predicted, example_rows
from .tables import features, model_rows, node_rows, node_words, outcome_rows
from .template import filled, interpreter

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

    def assigned(self, name: str, value: Any) -> str:
        """One value with a name."""
        return f"{self.declare}{name} = {self.literal(value)}{self.end}"


def written(form: Form, output: str, syntax: Syntax, how: list[str]) -> str:
    """The text of a program."""
    outputs = wanted(form, output)
    one = form.n_outputs == 1
    values = {
        "header": "\n".join(f"{syntax.comment} {line}" for line in header(form, syntax.name, how)),
        "tables": "\n".join(_tables(form, syntax)),
        "interpreter": interpreter(),
        "prediction_words": "The class" if form.is_classifier else "The predicted number",
        "per_output": "" if one else ", a list per output",
        "unwrapped": "found[0]" if one else "found",
        "vectors": syntax.listed("ROWS", _vectors(form, outputs)),
        "functions": ", ".join(f"{call}(row)" for name, call in FUNCTIONS.items() if name in outputs),
        "hash": form.hash,
    }
    return filled(syntax.template, features(form, outputs), values)


def _tables(form: Form, syntax: Syntax) -> Iterator[str]:
    linear = form.leaf_models is not None
    yield syntax.listed("COLUMNS", [[c.name, c.kind, c.codes or None] for c in form.columns])
    yield syntax.listed("SUMS", form.sums)
    yield syntax.listed("NODES", node_rows(form), node_words(form))
    yield syntax.listed("OUTCOMES", [] if linear else outcome_rows(form))
    yield syntax.listed("MODELS", model_rows(form)) if linear else syntax.assigned("MODELS", None)
    yield syntax.assigned("CLASSES", form.classes)
    yield syntax.assigned("LINK", form.link)
    yield syntax.assigned("SHARES", form.shares_rows)
    yield syntax.assigned("STRENGTH", form.pooled)
    yield syntax.assigned("ROWS_BEHIND", form.rows_behind.tolist() if form.pooled else [])
    yield syntax.assigned("COSTS", form.costs)
    if form.unknown is not None:  # the number that counts as missing
        yield syntax.assigned("UNKNOWN", form.unknown)


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


def as_predicted(form: Form, leaf: list[Any], prediction: list[Any], shares: list[Any]) -> Predicted:
    """What the functions of a program returned, as lists per output."""
    if form.n_outputs > 1:
        return Predicted(leaf, prediction, shares)
    return Predicted(leaf, [[each] for each in prediction], [[each] for each in shares])
