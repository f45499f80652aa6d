// The settings of a growth, in one struct: when to stop, in which order to go, and the sizes at which the core changes
// its ways. Sizes change the work, never the tree; tests set them to extremes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace treewright {

enum class Order : std::uint8_t { depth, breadth, best };
enum class NominalSplits : std::uint8_t { subset, multiway, one_vs_rest };
// What becomes of rows whose tested value is missing: the better side; a child of their own; the side of the best
// substitute; every child, by shares.
enum class Missing : std::uint8_t { learned, branch, surrogate, fractional };
enum class Thresholds : std::uint8_t { midpoint, observed, rounded };
enum class Splitter : std::uint8_t { best, random, gaussian };

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
  bool by_ratio = false;   // choose among columns by gain ratio
  Order order = Order::depth;
  std::vector<int> monotonic;   // per column -1, 0 or 1; or empty
  std::uint64_t seed = 0;
  int n_threads = 1;

  int max_bins = 255;
  std::int64_t sort_below = 2048;      // nodes of at most so many rows are sorted, larger ones are counted
  std::int64_t share_above = 20'000;   // row x column cells from which threads share the work
  int n_pages = 0;                     // above 0: rows live in so many pages, one in hand at a time

  std::int32_t sweep_levels = 1000;   // up to so many levels three sums are swept exactly

  bool any_order_will_do() const { return max_leaf_nodes < 0; }
  bool leaves_missing_out() const { return missing == Missing::surrogate || missing == Missing::fractional; }
};

}   // namespace treewright
