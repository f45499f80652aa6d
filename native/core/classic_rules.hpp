// ClassicRules: what the classic programs do otherwise. An ordinary tree has none of these, and its scans test none.
#pragma once
#include <cstdint>
#include <vector>

namespace treewright {

// Of columns: see choice_rules.hpp; by permutation tests: see permutation/permutation_store.hpp.
enum class Comparison : std::uint8_t { exact, c45, j48, c50, permutation_test };
enum class Merging : std::uint8_t { c45, c50 };
enum class ThresholdCost : std::uint8_t { none, cuts, gap };   // in bits, off the gain of a threshold
enum class Branches : std::uint8_t { all, two, chosen };       // which branches must reach the least weight
enum class EmptyBranches : std::uint8_t { none, shares, label, nothing };   // of levels that no row of a node has

// Surrogates: agreement is a share of all rows with a side, or of those whose own value is known too; a row that no
// surrogate knows goes to the heavier side, the first of equals; or there too, but stops between equals; or stops.
enum class SurrogateStyle : std::uint8_t { total, known };
enum class AfterSurrogates : std::uint8_t { common, heavier, stop };

// Permutation tests: the sum of squares of what a column says, or the greatest part of it.
enum class TestStatistic : std::uint8_t { quadratic, maximum };
// p-values of all columns of a node are corrected for their number; or not; or the statistic itself is compared.
enum class Adjustment : std::uint8_t { bonferroni, none, statistic };

struct PermutationRules {
  TestStatistic test = TestStatistic::quadratic, cut = TestStatistic::quadratic;
  Adjustment adjustment = Adjustment::bonferroni;
  double alpha = 0.05;              // a node is split if the least p-value is below
  double least_statistic = 0;       // ... or the greatest statistic above
  double min_share = 0;             // of the weight of a node that each child has at least
  std::vector<int> ordered;         // per column 1 or 0: ordered levels, which count by their rank; or empty
  std::int64_t columns_tried = 2;   // if a column has no cut that leaves enough on both sides, the next best one
};

struct ClassicRules {
  Comparison comparison = Comparison::exact;
  ThresholdCost threshold_cost = ThresholdCost::none;
  Branches branches = Branches::all;
  EmptyBranches empty_branches = EmptyBranches::none;
  Merging merging = Merging::c45;   // how levels are merged: see search/merged.hpp
  double min_gap = 0;               // neighbouring values that differ by no more are not cut apart
  double side_share = 0;            // a threshold leaves each side min(25, this x known weight / classes) at least
  double better_by = 0;             // a later cut or column must gain more by this, per unit of weight
  double least_gain = -1;           // a split must gain more than this per unit of weight
  double leaves_per_weight = 0;     // a node may have so many leaves per unit of weight, rounded; 0: any number
  double flat = 0;                  // a node with less than this share of the root's impurity is a leaf
  bool mean_gain = true;            // C5.0: a column must gain the mean of all
  bool spread_missing = false;      // rows without a value are spread over the branches before columns are compared
  bool missing_alone = true;        // "is it missing?" is a test
  bool unseen_stops = false;        // a missing value stops at a node that saw none in growing
  bool rounding_decides = false;    // of equal splits, the one whose entropy is less in floating point
  bool strict = false;              // x < t instead of x <= t
  bool single = false;              // numbers are compared with a middle in single precision

  SurrogateStyle surrogate_style = SurrogateStyle::total;
  AfterSurrogates after_surrogates = AfterSurrogates::common;
  bool use_surrogates = true;          // or only find them
  bool imperfect_levels = false;       // a surrogate of levels needs two rows that agree and two that do not (rpart)
  bool missing_to_more = false;        // at predict such a row goes to the child of more rows; it stops between equals
  bool zero_rates = false;             // a child may have no events (poisson)
  bool ordered_sets = false;           // sets of levels: only along their order; of more than two classes, one by one
  bool plain_sums = false;             // between equal gains plain sums of doubles decide: see search/plain.hpp
  std::vector<double> class_factors;   // what rows of each class weigh more in those sums; or empty
  std::vector<double>
      row_factors;   // what costs make rows of each class weigh more: not where missing values are shared
  std::vector<double> column_costs;   // what the gains of a column are divided by; or empty
};

}   // namespace treewright
