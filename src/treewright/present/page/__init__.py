"""The page: a model and what is known of it in one HTML file that opens anywhere. Loaded when asked for.

A report is a payload of plain values and the document around it. Each part of the payload is made by a file
of its own, from one common `Subject`; `sections.py` has the list.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .making import Report, report

__all__ = ["Report", "report"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.making"), name)
