"""The algorithms, slowly, from their definitions: the oracle that the native core is tested against.

Every candidate is tried and every sum is taken anew from the rows, in exact rational arithmetic. Nothing here
is fast, nothing here is shared with the core, and nothing but tests and documentation imports it.
"""

from tests.oracle.check import check_tree
from tests.oracle.criteria import CLASSIFICATION, CRITERIA
from tests.oracle.grow import grow
from tests.oracle.growth import Growth
from tests.oracle.predict import ends_of, leaf_of
from tests.oracle.prune import weakest_links
from tests.oracle.search import feasible_splits
from tests.oracle.splits import Split, candidates
from tests.oracle.table import Table

__all__ = [
    "CLASSIFICATION",
    "CRITERIA",
    "Growth",
    "Split",
    "Table",
    "candidates",
    "check_tree",
    "ends_of",
    "feasible_splits",
    "grow",
    "leaf_of",
    "weakest_links",
]
