"""How the numbers and dates of columns are written, as a model file keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from .date_formats import DateFormat
from .families import Format
from .number_formats import NumberFormat


def formats_to_dicts(formats: Mapping[str, Format]) -> dict[str, dict[str, Any]]:
    """The formats by column as JSON can hold them."""
    return {name: asdict(each) for name, each in formats.items()}


def formats_from_dicts(values: Any) -> dict[str, Format]:
    """What `formats_to_dicts` wrote; of anything else nothing, since a model file may hold what it likes."""
    if not isinstance(values, dict):
        return {}
    made = {name: _format(each) for name, each in values.items()}
    return {name: each for name, each in made.items() if each is not None}


def _format(values: Any) -> Format | None:
    if isinstance(values, NumberFormat | DateFormat):
        return values
    if not isinstance(values, dict):
        return None
    if isinstance(values.get("day_first"), bool):
        return DateFormat(values["day_first"])
    decimal, thousands, unit = (values.get(name) for name in ("decimal", "thousands", "unit"))
    if decimal not in {".", ","} or thousands not in {"", ".", ",", " ", "'"} or not isinstance(unit, str):
        return None
    return NumberFormat(decimal, thousands, unit)
