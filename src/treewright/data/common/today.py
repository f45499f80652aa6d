"""The day that model files and reports state."""

from __future__ import annotations

import os
from datetime import UTC, datetime


def today() -> str:
    """Today (UTC); SOURCE_DATE_EPOCH sets another day, so that a file can be made again byte for byte."""
    moment = os.environ.get("SOURCE_DATE_EPOCH")
    when = datetime.fromtimestamp(int(moment), UTC) if moment and moment.isdigit() else datetime.now(UTC)
    return f"{when:%Y-%m-%d}"
