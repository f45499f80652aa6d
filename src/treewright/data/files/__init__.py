"""Tables on disk: CSV in any dialect, Parquet and Arrow, compressed or not → a frame; and back.

How a table was read is found from its first part, said in notes, and kept as a `Dialect`, so that what is
written later looks like what was read. polars does the reading and is imported when a table is read.
"""

from .csv_text import ReadTable
from .dialect import Dialect
from .errors import TableError
from .formats import formats_from_dicts, formats_to_dicts
from .formulas import safe_names, without_formulas
from .table import read_table
from .writing import write_table

__all__ = [
    "Dialect", "ReadTable", "TableError", "formats_from_dicts", "formats_to_dicts", "read_table",
    "safe_names", "without_formulas", "write_table",
]  # fmt: skip
