"""A number with its noun."""

from __future__ import annotations


def counted(n: int, word: str) -> str:
    """`1 row`, `1,000 rows`, `2 classes`, `3 leaves`."""
    if n == 1:
        return f"1 {word}"
    if word.endswith("f"):
        return f"{n:,} {word[:-1]}ves"
    return f"{n:,} {word}{'es' if word.endswith('s') else 's'}"
