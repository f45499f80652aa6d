# What Python sees of the core; a test keeps these names equal to the module's.

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

_Floats: TypeAlias = NDArray[np.float64]

# Stops the long work of the threads that watch it.
class StopFlag:
    def __init__(self) -> None: ...
    def watch(self) -> None: ...
    def stop(self) -> None: ...

# Views of typed columns; the arrays are kept alive, not copied.
class Columns:
    def __init__(self, n_rows: int) -> None: ...
    def add_matrix(self, array: NDArray[Any]) -> None: ...
    def add_column(
        self, values: NDArray[Any], missing: NDArray[np.bool_] | None = None, is_time: bool = False
    ) -> None: ...
    def add_nominal(self, codes: NDArray[np.int32], n_levels: int) -> None: ...
    def add_csc(
        self, data: NDArray[Any], indices: NDArray[np.integer[Any]], indptr: NDArray[np.integer[Any]]
    ) -> None: ...
    def take_for_missing(self, number: float) -> None: ...
    def numbers(self, column: int) -> _Floats: ...
    def without(self, places: Sequence[int]) -> Columns: ...
    def of_rows(self, rows: NDArray[np.int64]) -> Columns: ...  # ascending; copied
    @property
    def n_rows(self) -> int: ...
    @property
    def n_columns(self) -> int: ...

# Labels or numbers with their weights, on a grid of exact integers.
class Target:
    @staticmethod
    def classes(
        labels: NDArray[np.int32],
        n_classes: Sequence[int],
        weights: _Floats | None = None,
        own_weights: _Floats | None = None,
    ) -> Target: ...
    @staticmethod
    def numbers(y: _Floats, weights: _Floats | None = None, own_weights: _Floats | None = None) -> Target: ...

# Limits and order of growing, and the sizes at which the core changes its method; -1 is no limit.
class Growth:
    criterion: str
    max_depth: int
    min_samples_split: int
    min_samples_leaf: int
    min_weight_leaf: float
    max_leaf_nodes: int
    min_impurity_decrease: float
    min_confidence: float
    max_features: int
    splitter: str
    thresholds: str
    nominal_splits: str
    level_correction: bool
    missing: str
    max_surrogates: int
    oblique: int
    combinable: list[int]
    sweep_levels: int
    order: str
    monotonic: list[int]
    lower: float
    upper: float
    seed: int
    n_threads: int
    max_bins: int
    sort_below: int
    waiting_bytes: int
    share_above: int
    n_pages: int
    gather_rows: int
    gather_together: int
    run_rows: int
    histogram_bytes: int
    ordered: list[int]
    choice: str  # the finer rules: see growth_rules
    alpha: float
    adjustment: str
    least_statistic: float
    test_statistic: str
    cut_statistic: str
    min_share: float
    columns_tried: int
    merging: str
    threshold_cost: str
    branches: str
    empty_branches: str
    min_gap: float
    side_share: float
    better_by: float
    least_gain: float
    leaves_per_weight: float
    mean_gain: bool
    flat: float
    spread_missing: bool
    missing_alone: bool
    unseen_stops: bool
    rounding_decides: bool
    strict: bool
    single: bool
    surrogate_style: str
    after_surrogates: str
    use_surrogates: bool
    imperfect_levels: bool
    missing_to_more: bool
    zero_rates: bool
    ordered_sets: bool
    plain_sums: bool
    class_factors: list[float]
    row_factors: list[float]
    column_costs: list[float]

# The tests of a tree in the layout of the core.
class Predictor:
    def __init__(self, **arrays: Any) -> None: ...
    def apply(self, columns: Columns, n_threads: int) -> NDArray[np.int64]: ...
    def single_ends(self, columns: Columns, n_threads: int) -> NDArray[np.int64] | None: ...
    def take(self, columns: Columns, table: _Floats, n_threads: int) -> _Floats: ...
    def shares(
        self, columns: Columns, n_threads: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], _Floats]: ...

# The linear models of leaves: constant + sum of coefficient * (x - centre) over the terms of a node.
class LinearLeaves:
    def __init__(
        self,
        begin: NDArray[np.int64],
        feature: NDArray[np.int32],
        level: NDArray[np.int32],
        centre: _Floats,
        coefficient: _Floats,
        constant: _Floats,
        lower: _Floats,
        upper: _Floats,
        link: int,
    ) -> None: ...
    def predict(self, predictor: Predictor, columns: Columns, n_threads: int) -> _Floats: ...

# How a tree with linear leaves is grown, beside Growth.
class LinearSettings:
    n_targets: int
    look_ahead: int
    logistic: bool
    intercept_only: bool
    row_weight: float
    user_unit: float
    def __init__(self) -> None: ...

# Grows branches from some rows of a table, and keeps them.
class BranchGrower:
    def __init__(
        self,
        columns: Columns,
        target: Target,
        growth: Growth,
        class_weight: Sequence[float],
        rows: Sequence[int],
        recorded: bool,
    ) -> None: ...
    def sizes(self) -> NDArray[np.int64]: ...
    def grown(self, number: int) -> dict[str, Any]: ...

# The errors to expect of leaves.
class ErrorLimit:
    def __init__(
        self, bound: str, CF: float, z: float, batch: Callable[[_Floats, _Floats], _Floats] | None = None
    ) -> None: ...
    def expected_errors(self, weight: _Floats, errors: _Floats) -> _Floats: ...

# The rows that raising sends down a tree.
class RaisingRows:
    def __init__(
        self,
        columns: Columns,
        labels: NDArray[np.int32],
        n_classes: int,
        weight: _Floats,
        factor: _Floats | None = None,
        divisor: _Floats | None = None,
        costs: _Floats | None = None,
    ) -> None: ...

def raise_branches(
    predictor: Predictor,
    rows: RaisingRows,
    decision: NDArray[np.int64],
    limit: ErrorLimit,
    pool: float,
    grow: BranchGrower | Callable[[NDArray[np.int64], _Floats], Predictor] | None = None,
    regrows: bool = True,
    n_threads: int = 1,
) -> dict[str, Any]: ...
def shapley(
    predictor: Predictor,
    columns: Columns,
    cover: _Floats,
    stopped: _Floats,
    values: _Floats,
    background: Columns | None,
    n_threads: int,
) -> tuple[_Floats, _Floats]: ...

_Integers: TypeAlias = NDArray[np.int64]
_Reply: TypeAlias = tuple[_Integers, _Integers, _Integers]  # sums that add, maxima, and items that are joined

# What the grids of a target depend on. Ranges of parts are added, in any order; they can be pickled.
class TargetRange:
    def __init__(self) -> None: ...
    def add_target(self, target: Target) -> None: ...
    def add(self, other: TargetRange) -> None: ...
    @property
    def n_rows(self) -> int: ...

# How values become bins, from samples of the columns; None for nominal columns.
class Coders:
    def __init__(self, samples: Sequence[_Floats | None], max_bins: int = 255) -> None: ...
    @property
    def n_bins(self) -> list[int]: ...
    def code(self, columns: Columns) -> tuple[list[NDArray[np.uint8] | None], _Integers]: ...

# The replies of several blocks to one request, added.
class Reply:
    def __init__(self) -> None: ...
    def take(self) -> _Reply: ...

# The rows of a part by node, at first in the root: those that count.
class RowsByNode:
    def __init__(self, counts: NDArray[np.bool_]) -> None: ...

# A part of a table, coded, which computes its share of replies; the operation `route` moves its rows.
class Block:
    def __init__(
        self,
        columns: Columns,
        codes: Sequence[NDArray[np.uint8] | None],
        n_bins: Sequence[int],
        ranges: _Integers,
        target: Target,
        target_range: TargetRange,
        criterion: str,
        keep: bool = True,
    ) -> None: ...
    @property
    def n_rows(self) -> int: ...
    def compute(self, operation: int, words: _Integers, rows: RowsByNode) -> _Reply: ...
    def add_reply(self, operation: int, words: _Integers, rows: RowsByNode, reply: Reply) -> None: ...

# A tree of rows in parts: `rows(operation, words)` gives the reply of all; or of blocks in this process.
def grow_in_parts(
    rows: Callable[[int, _Integers], _Reply],
    columns: Columns,
    n_bins: Sequence[int],
    example: Target,
    target_range: TargetRange,
    growth: Growth,
) -> dict[str, Any]: ...
def grow_blocks(
    blocks: Sequence[Block],
    rows: Sequence[RowsByNode],
    columns: Columns,
    n_bins: Sequence[int],
    example: Target,
    target_range: TargetRange,
    growth: Growth,
) -> dict[str, Any]: ...

# Per column: weight of known and of missing values, mean, scale, infinite; and a hash of each row.
def column_moments(
    columns: Columns, weight: _Floats, n_threads: int
) -> tuple[_Floats, NDArray[np.uint64]]: ...
def write_design(
    columns: Columns,
    feature: NDArray[np.int32],
    level: NDArray[np.int32],
    mean: _Floats,
    scale: _Floats,
    to: _Floats,
    n_threads: int,
) -> None: ...

# Gram matrices by leaf and fold, and the least and the greatest targets by leaf.
def leaf_sums(
    values: _Floats,
    weight: _Floats,
    leaf: NDArray[np.int64],
    fold: NDArray[np.uint8],
    n_targets: int,
    n_leaves: int,
    n_folds: int,
    n_threads: int,
) -> tuple[_Floats, _Floats, _Floats]: ...

# Coefficients from Gram matrices, shrunk towards a start; allowed: the design columns that each may use.
def ridge_solutions(
    grams: _Floats, start: _Floats, penalty: _Floats, allowed: NDArray[np.uint8] | None = None
) -> _Floats: ...
def grow_linear(
    columns: Columns,
    values: _Floats,
    weight: _Floats,
    own: NDArray[np.int32],
    settings: LinearSettings,
    growth: Growth,
) -> dict[str, Any]: ...
def corrected_by_neighbors(
    training: _Floats,
    off: _Floats,
    scale: _Floats,
    is_level: NDArray[np.uint8],
    far: float,
    k: int,
    values: _Floats,
    predicted: _Floats,
    low: float,
    high: float,
    n_threads: int,
) -> _Floats: ...
def grow_cubist(
    values: _Floats,
    y: _Floats,
    weight: _Floats,
    n_levels: NDArray[np.int32],
    bounds: _Floats,
    n_threads: int,
) -> dict[str, Any]: ...
def grow_m5(values: _Floats, y: _Floats, min_rows: float, flat: float, n_threads: int) -> dict[str, Any]: ...
def logistic_solution(
    values: _Floats,
    weight: _Floats,
    rows: NDArray[np.int64],
    penalty: _Floats,
    prior: _Floats,
    start: _Floats,
    tolerance: float,
) -> _Floats: ...
def criteria() -> list[tuple[str, str]]: ...
def found_by() -> list[str]: ...
def grow(columns: Columns, target: Target, growth: Growth) -> dict[str, Any]: ...
def cut_gains(
    columns: Columns, target: Target, growth: Growth, rows: NDArray[np.int64]
) -> list[dict[str, NDArray[Any]]]: ...
def grow_folds(
    columns: Columns, target: Target, growth: Growth, trains: Sequence[NDArray[np.int64]], all_rows: bool
) -> list[dict[str, Any]]: ...
def grow_by_dissimilarity(
    columns: Columns, matrix: NDArray[Any], weights: _Floats | None, growth: Growth
) -> dict[str, Any]: ...
def predict_repeats(table: Columns, target: Target, n_rows: int, growth: Growth, at: Columns) -> _Floats: ...
def weakest_link(
    first_child: NDArray[np.int32],
    n_children: NDArray[np.int32],
    risk: _Floats,
) -> _Floats: ...
def sum_below(parent: NDArray[np.int64], values: _Floats) -> _Floats: ...
