"""Tables whose columns are aligned by spaces: several spaces stand between two fields."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from .detection import USUAL
from .source import Source

_SAMPLE = 1 << 16  # bytes that are looked at
_FEW = 3  # lines that make it clear
_COMMENT = (b"#", b"%")
NOTE = "The columns are aligned by spaces: several spaces between two fields count as one separator."


def without_alignment(source: Source, given: dict[str, Any]) -> Source | None:
    """The same table with one tab between fields; None where the fields are not aligned by spaces.

    Then all lines have as many words as the header, no other separator stands in the header, and nothing is
    quoted.
    """
    start = source.data[:_SAMPLE]
    if "separator" in given or source.kind != "csv" or b"\0" in start or b'"' in start:
        return None
    lines = start.splitlines()
    lines = lines if len(start) == len(source.data) else lines[:-1]
    lines = [line for line in lines if line.strip() and not line.startswith(_COMMENT)]
    if len(lines) < _FEW or any(mark.encode() in lines[0] for mark in USUAL):
        return None
    widths = {len(line.split()) for line in lines}
    if len(widths) > 1 or min(widths) < 2 or not any(b"  " in line.strip() for line in lines):
        return None
    text = re.sub(rb"(?m)^ +| +(?=\r?$)", b"", source.data[:])
    table = b"\n".join(
        line if line.startswith(_COMMENT) else re.sub(rb" +", b"\t", line) for line in text.split(b"\n")
    )
    return replace(source, data=table, path=None)
