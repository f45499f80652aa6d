"""Which of the leaf, the prediction and the probabilities an export has, and what it is called in words."""

from __future__ import annotations

from typing import Any

from ...data.common.errors import ParameterError
from ...data.common.hints import nearest
from .form import Form

OUTPUTS = ("prediction", "probabilities", "leaf", "all")


def wanted(form: Form, output: str) -> set[str]:
    """The outputs to write; a regressor has no probabilities."""
    if output not in OUTPUTS:
        hint = nearest(output, OUTPUTS)
        raise ParameterError(f"output must be one of {', '.join(OUTPUTS)}. Got {output!r}.{hint}", "output")
    if output != "all":
        if output == "probabilities" and not form.is_classifier:
            raise ParameterError(
                "output='probabilities' needs a classifier. Got a regressor; use output='prediction'.",
                "output",
            )
        return {output}
    return {"leaf", "prediction", *(["probabilities"] if form.is_classifier else [])}


def printable(text: Any) -> str:
    """A text that stays within one line of a comment."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in str(text))


def header(form: Form, language: str, how: list[str], approximated: str = "nothing") -> list[str]:
    """The lines of the comment at the top of an export."""
    target = f" {form.model.target!r}" if form.model.target else ""
    if form.leaf_models is not None and form.link != "identity":
        approximated = "the last bits of exp, which languages compute differently"
    if form.is_classifier:
        shown = [
            ", ".join(map(repr, labels[:20])) + ("" if len(labels) <= 20 else ", …")
            for labels in form.classes
        ]
        what = f"the class{target}: " + "; ".join(shown)
    else:
        what = f"a number{target}"
    lines = [
        f"A decision tree of treewright as {language}. Model hash: {form.hash}",
        f"It predicts {what}",
        "Columns:",
        *(f"  {column.name!r}: {_type(column)}" for column in form.columns),
        *([] if form.columns else ["  none: the tree is a single leaf"]),
        f"Approximated: {approximated}.",
        *how,
        "An export cannot be read back: keep the model file.",
    ]
    return [printable(line) for line in lines]


def _type(column: Any) -> str:
    if not column.levels:
        return f"{column.kind} in UTC" if column.utc else str(column.kind)
    shown = ", ".join(map(repr, column.levels[:30]))
    return f"{column.kind}, levels {shown}" + (
        f" and {len(column.levels) - 30} more" if len(column.levels) > 30 else ""
    )
