"""A tree as text: every test and outcome on one line per branch."""

from __future__ import annotations

from typing import Any

from ..text.export_text import export_text
from .form import Form


def write(form: Form, output: str, **options: Any) -> str:  # noqa: ARG001 - the text has all outputs
    """The text; the options are those of `export_text`."""
    return export_text(form.model, **options)
