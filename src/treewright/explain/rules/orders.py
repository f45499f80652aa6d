"""The orders in which rules may stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .rule import Rule

ORDERS = ("class", "confidence", "support", "lift", "leaf")


def check_order(order: Any, classes: bool) -> None:
    """Refuse an order that is not known, or that numbers do not have."""
    if order not in ORDERS:
        raise ValueError(f"order must be one of {', '.join(ORDERS)}. Got {order!r}.")
    if not classes and order in {"confidence", "lift"}:
        raise ValueError(
            f"order={order!r} needs a tree of classes. Got one of numbers. Use 'class' or 'support'."
        )


def sorting(order: str, classes: bool) -> Callable[[Rule], tuple[Any, ...]]:
    """The key to sort by. Classes stand in their order, all else from the greatest to the least."""

    def key(rule: Rule) -> tuple[Any, ...]:
        if order == "leaf":
            return (rule.leaf,)
        facts = _down(rule.confidence), _down(rule.support), rule.leaf
        if order == "class":
            return rule.decides if classes else _down(rule.decides), *facts
        return _down(getattr(rule, order)), *facts

    return key


def _down(value: Any) -> tuple[float, ...]:
    """Greatest first; what is not known comes last. The last bits of a sum decide nothing."""
    each = value if isinstance(value, tuple) else (value,)
    return tuple(float("inf") if one is None else -float(f"{one:.12g}") for one in each)
