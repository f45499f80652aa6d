"""Trees of tables in parts: the same tree as in memory, grown from coded parts wherever they are."""

from .coded import CodedPart, PartTotals, code_part
from .grow import Engine, Held, grow, grow_by_engine

__all__ = ["CodedPart", "Engine", "Held", "PartTotals", "code_part", "grow", "grow_by_engine"]
