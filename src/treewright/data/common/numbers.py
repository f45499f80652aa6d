"""Numbers for readers: percentages, and figures with no more digits than needed."""

from __future__ import annotations

import math
from collections.abc import Iterable


def percent(share: float) -> str:
    """A share in whole percents, which is 0 or 100 only if it is nothing or all."""
    text = f"{100 * share:.0f}%"
    if text == "0%" and share > 0:
        return "<1%"
    return ">99%" if text == "100%" and share < 1 else text


def figure(value: float, form: str = ".4g") -> str:
    """A number of at least 1,000 without an exponent (18,920 for 1.892e+04), up to a million millions."""
    text = format(value, form)
    return f"{float(text):,.0f}" if form.endswith("g") and 1000 <= abs(value) < 1e12 else text


def gain_text(gain: float, most: float) -> str:
    """A gain beside others, of which the greatest is `most`: with the digits that tell them apart."""
    digits = 3 if most >= 0.1 or most <= 0 else min(8, 2 - math.floor(math.log10(most)))
    return f"{gain:,.0f}" if most >= 1000 else f"{gain:.{digits}f}"


def significant(value: float | None, digits: int = 6) -> float | None:
    """A number rounded to so many significant digits; None for one that is unknown or not finite."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{digits}g}")


def significants(values: Iterable[float], digits: int = 6) -> list[float | None]:
    """Many numbers rounded alike."""
    return [significant(float(value), digits) for value in values]
