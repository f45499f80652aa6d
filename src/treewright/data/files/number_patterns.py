"""The patterns of numbers as people write them: signs, units, k and M, limits such as <0.5.

Patterns are those of Python and of polars: no look-around, [0-9] for digits, [^\\W\\d_] for letters.
"""

from __future__ import annotations

import re

_SIGN = "[+\\-\u2212]"
SPACES = "[ \u00a0\u2009\u202f]"  # also those that do not break a line
_MARK = f"(?:[.,'\u2019]|{SPACES})"
_SYMBOLS = r"[$€£¥₹₩₽₺₫₪₴₦₱฿¢]"
_CODES = (
    "USD|EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|RMB|HKD|SGD|INR|BRL|MXN|ZAR|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY"
    "|RUB|UAH|ILS|AED|SAR|KRW|TWD|THB|IDR|MYR|PHP|VND|EGP|NGN|KES|ARS|CLP|COP|PEN|BTC"
)
CURRENCY = rf"(?:(?:US|CA|AU|NZ|HK|A|C|R|S)?{_SYMBOLS}|{_CODES}|Rs\.?|kr\.?|Fr\.)"
# Units that may follow a number without a space. Others need one, so that 3A or 9th stay text.
_UNITS = (
    rf"(?:%|‰|°[CFK]?|{CURRENCY}|zł|Kč|Ft|[kcmµμn]?m[²³]?|[kmµμ]?g|[mc]?[lL]|lbs?|oz|ft|sqft|sqm|in|yd|mi|mph"
    r"|km/h|kph|[kMG]?Hz|[kMGT]i?B|[kMG]?Wh?|[kmM]?V|m?Ah|hp|PS|bar|[hM]?Pa|[kM]?J|k?cal|hrs?|h|min|sec|[mµn]?s"
    r"|days?|d|px|pts?|x|/ ?[a-z]{1,6}[²³]?)"
)
_FREE = r"[^\W\d_](?:[^\W\d_]|[²³°/.% ^·*-]){0,15}"
_BODY = rf"(?:[0-9]|[.,][0-9])(?:[0-9.,]|{_MARK}[0-9])*(?:[eE][+-]?[0-9]+)?"
NEVER = r"\x00"

# Magnitudes and their powers of ten. 300 K is kelvin: a capital K or B must follow the digits at once.
POWERS = {
    **dict.fromkeys(("k", "K", "tsd", "tsd.", "thousand"), 3),
    **dict.fromkeys(("m", "M", "mn", "mln", "mio", "mio.", "million", "millions"), 6),
    **dict.fromkeys(("B", "bn", "mrd", "mrd.", "billion", "billions"), 9),
}
_MAGNITUDE = rf"[KB]|{SPACES}*(?:k|M|m|mn|mln|bn|(?i:mio|mrd|tsd)\.?|(?i:thousand|millions?|billions?))"

GROUPS = ("limit", "open", "first", "before", "second", "body", "magnitude", "after", "free", "last", "close")


def number_pattern(before: str, after: str, free: str) -> str:
    """The pattern of a number with these units: its groups are `GROUPS`.

    A unit is tried before a magnitude, so that 5 km is no 5 thousand m.
    """
    head = rf"^([<>≤≥]=?{SPACES}*)?(\()?{SPACES}*({_SIGN})?{SPACES}*({before})?{SPACES}*({_SIGN})?({_BODY})"
    tail = rf"(?:({_MAGNITUDE})??({SPACES}*{after})?|({SPACES}+{free}))"
    return head + tail + rf"{SPACES}*(-)?(\))?$"


WRITTEN = number_pattern(CURRENCY, _UNITS, _FREE)
_IS_WRITTEN = re.compile(WRITTEN)
_IS_UNIT = re.compile(_UNITS)


def looks_written(cell: str) -> bool:
    """Whether a cell may be such a number."""
    return _IS_WRITTEN.match(cell) is not None


def unit_of(cell: str) -> str:
    """The unit of a cell that looks like a number."""
    found = _IS_WRITTEN.match(cell)
    return "" if found is None else " ".join(part.strip() for part in found.group(4, 8, 9) if part)


def is_unit(text: str) -> bool:
    """Whether this is a unit that is known, and no other word after a number."""
    return all(_IS_UNIT.fullmatch(part) is not None for part in text.split())
