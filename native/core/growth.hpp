// The settings of a growth, in one struct: when to stop, in which order to go, and the sizes at which the core changes
// its method. Sizes change the work, never the tree; tests set them to extremes. (One exception: `plain_sums` are known of
// sorted rows only, so that equal gains in large nodes are decided by the order of columns and cuts.)
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "classic_rules.hpp"

namespace treewright {

enum class Order : std::uint8_t { depth, breadth, best };
enum class NominalSplits : std::uint8_t { subset, multiway, one_vs_rest, merged };
// What becomes of rows whose tested value is missing: the better side; a child of their own; the side of the best
// substitute; every child, by shares.
enum class Missing : std::uint8_t { learned, branch, surrogate, fractional };
// Between two neighbouring values: the middle; the lower one; a round number; or the greatest value of the whole table
// that is at most the middle.
enum class Thresholds : std::uint8_t { midpoint, observed, rounded, recorded };
enum class Splitter : std::uint8_t { best, random, gaussian };

// Rows in parts: what is held of them at a time. It changes the work, never the tree.
struct PartsBudget {
  std::int64_t histogram_bytes = std::int64_t{64} << 20;   // of nodes counted in one pass, and of nodes kept
  std::int64_t gather_rows = 2000;                         // nodes of at most so many rows are finished in memory
  std::int64_t gather_together = 0;                        // at most so many rows of such nodes, or one node
  std::int64_t run_rows = 4096;   // a stretch of keys with at most so many rows comes row by row, not in slices
};

struct Growth {
  std::string criterion = "gini";
  std::int64_t max_depth = -1;   // -1: no limit
  std::int64_t min_samples_split = 2;
  std::int64_t min_samples_leaf = 1;
  double min_weight_leaf = 0;         // in the user's units
  std::int64_t max_leaf_nodes = -1;   // -1: no limit
  double min_impurity_decrease = 0;
  double min_confidence = 1;   // a node whose largest class has this share stays a leaf; one output of classes only
  std::int64_t max_features = -1;   // -1: all
  Splitter splitter = Splitter::best;
  Thresholds thresholds = Thresholds::midpoint;
  NominalSplits nominal_splits = NominalSplits::subset;
  bool level_correction = false;
  Missing missing = Missing::learned;
  int max_surrogates = 5;
  int oblique = 0;               // a test may combine so many columns; below 2: one
  std::vector<int> combinable;   // per column 1 or 0; or empty: every column of numbers
  bool by_ratio = false;         // choose among columns by gain ratio
  Order order = Order::depth;

  ClassicRules classic;
  std::size_t rows_of_table = 0;   // where a branch of a table is grown: how many rows the table has
  PermutationRules permutation;

  std::vector<int> monotonic;   // per column -1, 0 or 1; or empty
  double lower = -std::numeric_limits<double>::infinity(),
         upper = std::numeric_limits<double>::infinity();   // of the root's value: what constraints above it leave
  std::uint64_t seed = 0;
  int n_threads = 1;

  int max_bins = 255;
  std::int64_t sort_below = 600;   // nodes of at most so many rows are sorted, larger ones are counted: see sort_limit
  // Bytes of sorted lists and histograms that leaves may hold while others go first. By default as many as a table of
  // doubles has, at least 32 MiB and at most 256 MiB.
  std::int64_t waiting_bytes = -1;
  std::int64_t share_above = 20'000;   // row x column cells from which threads share the work
  int n_pages = 0;                     // above 0: the table is cut into so many parts
  PartsBudget parts;

  // The budget of the exact sweep over three sums, whose cost is the square of this: so many directions of levels.
  std::int32_t sweep_levels = 300;

  // Whether the best cut of a column is simply that of the greatest gain: no rule of a classic program says otherwise.
  bool ordinary_cuts() const {
    return !needs_order() && !classic.plain_sums && !classic.rounding_decides && !compares_columns();
  }
  // Whether a branch of numbers without missing values may have a store of its own: see search/branch_store.hpp.
  bool ordinary_branches(std::size_t n_columns) const {
    const bool all_columns = max_features < 0 || max_features >= static_cast<std::int64_t>(n_columns);
    return ordinary_cuts() && splitter == Splitter::best && all_columns && !leaves_missing_out() &&
           thresholds != Thresholds::recorded && classic.branches == Branches::all && monotonic.empty() &&
           classic.column_costs.empty() && oblique < 2;
  }
  bool by_permutation() const { return classic.comparison == Comparison::permutation_test; }
  bool rows_count_by_weight() const { return missing == Missing::fractional || by_permutation(); }
  // Values that differ by no more are not cut apart; below 0: values that are one in single precision (C5.0).
  double gap() const { return classic.single && classic.comparison == Comparison::c50 ? -1 : classic.min_gap; }
  bool compares_columns() const { return by_ratio || classic.comparison != Comparison::exact; }
  // Whether cuts must be met one after the other, lowest first, or have rules of their own: then rows are sorted, not
  // counted in bins.
  bool needs_order() const {
    return classic.threshold_cost != ThresholdCost::none || classic.min_gap > 0 || classic.better_by > 0 ||
           classic.side_share > 0 || classic.single;
  }
  bool leaves_missing_out() const { return missing == Missing::surrogate || missing == Missing::fractional; }
};

}   // namespace treewright
