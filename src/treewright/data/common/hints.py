"""The nearest name to one that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: object, names: Iterable[object], called: str = "") -> str:
    """` Did you mean 'x'?` with the nearest of these names; nothing if none is near."""
    known = {str(each): each for each in names}
    found = get_close_matches(str(name), known, n=1)
    if not found:  # what differs by case alone is near, however short it is
        found = [each for each in known if each.casefold() == str(name).casefold()]
    return f" Did you mean {called}{known[found[0]]!r}?" if found else ""
