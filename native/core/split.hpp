// A Split is the result of a search: the best test of a node, under one total order of all tests.
#pragma once
#include <array>
#include <memory>

#include "columns.hpp"
#include "combination.hpp"
#include "criterion.hpp"
#include "threshold.hpp"

namespace treewright {

// A place between two neighbouring values of a column, as search knows it: after the values up to `key` of bin `bin`.
// The edge after a whole bin is key = max. Sorted rows have no bins (bin = 0). Of nominal columns it numbers the
// candidates in the order in which they were tried.
struct Place {
  std::int32_t bin = 0;
  Key key = std::numeric_limits<Key>::max();
  auto operator<=>(const Place&) const = default;
};

using ChildNumber = std::uint32_t;

// A nominal test: which level goes to which child. Levels that are not listed count as missing.
struct LevelMap {
  std::vector<std::int32_t> code;   // ascending
  std::vector<ChildNumber> child;

  int child_of(std::int64_t level) const {   // -1: not listed
    const auto found = std::lower_bound(code.begin(), code.end(), level);
    return found != code.end() && *found == level ? child[static_cast<std::size_t>(found - code.begin())] : -1;
  }
};

// How a split was found, and so what is known of it.
enum class FoundBy : std::uint8_t {
  every_cut,
  order,
  sweep,
  every_subset,
  component,
  every_level,
  random,
  gaussian,
  merged,
  combined
};
inline constexpr std::array found_by_words{"every cut",           "order of levels", "sweep",  "every subset",
                                           "principal component", "every level",     "random", "gaussian",
                                           "merged levels",       "combined columns"};

// A test on another column that divides a node's rows much as its own test does.
struct Surrogate {
  std::int32_t feature = -1;
  Threshold threshold;
  Key key = 0;             // the greatest key that goes down the low side
  bool reversed = false;   // the low side is the second child
  std::shared_ptr<const LevelMap> levels;
  double agreement = 0, adjusted = 0;

  int child_of(Key value, std::int64_t level) const {
    if (levels) return levels->child_of(level);
    return (value <= key) == reversed;
  }
};

struct Split {
  Score score = -1;   // below 0: no split
  double gain = 0;    // phi removed, in the criterion's units
  std::int32_t feature = -1;
  Place place;
  bool missing_left = false;
  bool missing_alone = false;   // every present value left, missing right
  bool missing_seen = false;    // the node has rows with a missing value in this column
  Key low = 0, high = 0;        // the neighbouring values around the cut, once known
  bool has_neighbours = false;
  Threshold threshold;   // for routing rows, filled in by the store

  std::int32_t n_children = 2;
  std::int32_t missing_to = -1;    // the child of missing values, where missing_left does not say it
  std::int64_t left_weight = 0;    // of two children: the weight of the first
  double split_info = -1;          // of more: the entropy of the children's weights, in bits
  bool rounding_decides = false;   // between equal scores
  double entropy = 0;              // of the classes after the split as a program sums it up, where its rounding decides
  double cost = 0;                 // of the threshold, off the gain where columns are compared
  std::int64_t second_weight = -1;   // of the second heaviest child, where left_weight does not say it
  FoundBy found_by = FoundBy::every_cut;
  std::int32_t rest = -1;                               // of merged levels: the child of those that are hardly there
  bool heuristic = false;                               // not proven to be the best of its kind
  std::shared_ptr<const LevelMap> levels;               // of a nominal test
  std::shared_ptr<const Combination> combination;       // of a test of several columns; `feature` is the first of them
  std::shared_ptr<std::vector<Surrogate>> surrogates;   // best first

  bool plain = false;           // the gain is known as a plain sum too, and as one to compare with other columns
  bool use_surrogates = true;   // or only record them
  double plain_gain = 0, plain_share = 0;
  std::int64_t known_weight = 0, known_majority = 0;   // of a surrogate: its known rows, and of these the heavier side

  explicit operator bool() const { return score >= 0; }
  bool sends_by_surrogates() const { return surrogates && missing_seen && use_surrogates; }
  bool merged() const { return found_by == FoundBy::merged; }       // its branches are groups of levels
  bool stops_missing() const { return missing_to == n_children; }   // what no surrogate knows stays at the node
  bool stops_rows() const { return stops_missing() && missing_seen; }
  int n_parts() const { return n_children + stops_rows(); }   // into which its rows fall
  int child_of_missing() const { return missing_to >= 0 ? missing_to : !missing_left; }

  // Higher score (or plain sum, where both are known), then lower feature, then lower cut, then missing values right.
  bool beats(const Split& other) const {
    if (plain && other.plain) {
      const double here = feature == other.feature ? plain_gain : plain_share;
      const double there = feature == other.feature ? other.plain_gain : other.plain_share;
      if (here != there) return here > there;
    } else if (score != other.score) {
      return score > other.score;
    }
    if (score < 0) return false;
    if (entropy != other.entropy) return entropy < other.entropy;
    if (feature != other.feature) return feature < other.feature;
    if (missing_alone != other.missing_alone) return other.missing_alone;
    if (place != other.place) return place < other.place;
    return !missing_left && other.missing_left;
  }
};

// Could a cut of this column, at `first` or later, with a score of at most `highest`, beat the best?
inline bool may_beat(Score highest, std::int32_t feature, Place first, const Split& best) {
  if (highest != best.score) return highest > best.score;
  if (best.rounding_decides) return true;
  if (feature != best.feature) return feature < best.feature;
  return best.missing_alone || first <= best.place;
}

// What a child must have. Weights are in units of the grid; the monotone rule compares output values.
struct Rules {
  std::int64_t min_rows = 1;
  std::int64_t min_weight = 0;
  int monotonic = 0;   // of the column at hand: -1, 0, 1
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  bool any_loss = false;   // even where a child has no finite loss

  template <class C>
  bool enough(const C& criterion, ConstTally child) const {
    return criterion.rows(child) >= min_rows && (min_weight <= 0 || criterion.weight(child) >= min_weight);
  }
  template <class C>
  bool allow(const C& criterion, ConstTally total, ConstTally left, std::vector<std::int64_t>& right) const {
    const std::int64_t n_left = criterion.rows(left), n_right = criterion.rows(total) - n_left;
    if (n_left < min_rows || n_right < min_rows) return false;
    if (min_weight > 0) {
      const std::int64_t w_left = criterion.weight(left);
      if (w_left < min_weight || criterion.weight(total) - w_left < min_weight) return false;
    }
    if (!any_loss && !criterion.allows(total, left)) return false;
    if (!compares_values()) return true;
    right.resize(total.size());
    for (std::size_t i = 0; i < total.size(); ++i) right[i] = total[i] - left[i];
    return allow_values(criterion.output_value(left), criterion.output_value(right));
  }
  bool compares_values() const { return monotonic != 0; }   // other columns' leaf values are clipped to the bounds
  bool allow_values(double left, double right) const {
    if (left < lower || left > upper || right < lower || right > upper) return false;
    return (left - right) * monotonic <= 0;
  }
};

}   // namespace treewright
