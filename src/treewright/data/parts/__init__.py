"""Tables in parts: files or frames that together are one table, read batch by batch.

`sources_of` finds the parts of a table, `describe` looks at one of them, `merge` describes the whole table.
"""

from .describe import PartDescription, Reading, describe
from .merge import TableDescription, merge
from .sources import Source, is_source, sources_of

__all__ = [
    "PartDescription",
    "Reading",
    "Source",
    "TableDescription",
    "describe",
    "is_source",
    "merge",
    "sources_of",
]
