"""A tree as one SELECT over a table: nested CASE expressions, and tables of outcomes."""

from .query import write
from .run import run

__all__ = ["run", "write"]
