"""Paths in words, trees that fit a terminal, and the runners-up of every split. Loaded when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .explanation import Explanation, explain
    from .runners import RunnersUp, runners_up
    from .terminal import folded

__all__ = ["Explanation", "RunnersUp", "explain", "folded", "runners_up"]

_HOMES = {
    "Explanation": "explanation",
    "RunnersUp": "runners",
    "explain": "explanation",
    "folded": "terminal",
    "runners_up": "runners",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
