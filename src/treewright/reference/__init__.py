"""The algorithms, slowly, from their definitions: the oracle that the native core is tested against.

Every candidate is tried and every sum is taken anew from the rows, in exact rational arithmetic. Nothing here
is fast, nothing here is shared with the core, and nothing but tests and documentation imports it.
"""

from treewright.reference.check import check_tree
from treewright.reference.criteria import CLASSIFICATION, CRITERIA
from treewright.reference.grow import grow
from treewright.reference.growth import Growth
from treewright.reference.predict import ends_of, leaf_of
from treewright.reference.prune import weakest_links
from treewright.reference.search import feasible_splits
from treewright.reference.splits import Split, candidates
from treewright.reference.table import Table

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
