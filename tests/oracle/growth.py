"""The settings that decide a tree."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Growth:
    """The settings of the core that decide a tree, with the core's names and defaults (-1: no limit)."""

    criterion: str
    max_depth: int = -1
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    max_leaf_nodes: int = -1
    min_impurity_decrease: float = 0.0
    order: str = "depth"
    monotonic: Sequence[int] = ()
    nominal_splits: str = "subset"
    level_correction: bool = False
    missing: str = "learned"
    thresholds: str = "midpoint"
    splitter: str = "best"  # the oracle makes no other splits, and checks only what follows from them

    def sign(self, feature: int) -> int:
        """1 where values must rise with the feature, -1 where they must fall, else 0."""
        return self.monotonic[feature] if self.monotonic else 0

    @property
    def draws(self) -> bool:
        """Whether splits are not the best of all."""
        return self.splitter != "best"

    @property
    def counts_known_only(self) -> bool:
        """Whether a split is evaluated on the rows whose value is known, and the others follow afterwards."""
        return self.missing in ("surrogate", "fractional")
