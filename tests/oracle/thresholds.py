"""Where in the gap between two neighbouring values a threshold must lie."""

import math
from decimal import Decimal
from fractions import Fraction

from tests.oracle.splits import Split, Value

EDGE = Fraction(1, 10**12)  # of the gap: the core finds the middle half in floats


def shorter_exists(t: float, a: float, b: float) -> bool:
    """Whether the middle half of [a, b] holds a double whose last digit stands further left than t's.

    A short decimal between two doubles next to each other is no threshold: as a double it is one of them.
    """
    gap = Fraction(b) - Fraction(a)
    low, high = Fraction(a) + gap * (Fraction(1, 4) + EDGE), Fraction(b) - gap * (Fraction(1, 4) + EDGE)
    if low <= 0 <= high:
        return t != 0
    place = Decimal(repr(float(t))).normalize().as_tuple().exponent
    assert isinstance(place, int)
    step = Fraction(10) ** (place + 1)
    first, last = math.ceil(low / step), math.floor(high / step)
    return any(low <= Fraction(float(k * step)) <= high for k in range(first, min(last, first + 20) + 1))


def threshold_fault(rule: str, values: list[Value], read: Split, midpoint: Split) -> str | None:
    """What is wrong with the threshold of a tree, which has the right rows on either side; None: nothing."""
    t = read.threshold
    if read.levels or midpoint.threshold == math.inf:
        return None if read.levels or t == math.inf else f"the threshold {t} must be inf"
    if rule == "midpoint":
        same = t == midpoint.threshold and isinstance(t, int) == isinstance(midpoint.threshold, int)
        return None if same else f"the threshold is {t!r}, the oracle says {midpoint.threshold!r}"
    known = sorted(x for x in values if x is not None)
    a, b = max(x for x in known if x <= t), min(x for x in known if x > t)
    if rule == "observed":
        return None if t == a else f"the threshold is {t!r}, the value below is {a!r}"
    wide = isinstance(a, float) and math.isfinite(float(b) - float(a))  # whole numbers are rounded down
    return (
        f"a shorter number than {t!r} lies between {a} and {b}" if wide and shorter_exists(t, a, b) else None
    )
