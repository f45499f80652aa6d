"""A tree as a picture in SVG."""

from __future__ import annotations

from typing import Any

from ..drawing.draw import draw
from .form import Form


def write(form: Form, output: str, **options: Any) -> str:  # noqa: ARG001 - the picture has all outputs
    """The picture; the options are those of `draw`."""
    return draw(form.model, **options).svg
