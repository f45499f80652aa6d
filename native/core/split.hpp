// A Split is the result of a search: the best test of a node, under one total order of all tests.
#pragma once
#include "criterion.hpp"
#include "test.hpp"

namespace treewright {

// What the permutation tests of a node found, column by column; not a number where nothing varies.
struct NodeTests {
  std::vector<double> statistic, p_value;
};

// What a search keeps of a test, to compare it with others.
struct Split : Test {
  Score score = -1;   // below 0: no split
  double gain = 0;    // phi removed, in the criterion's units
  Key high = 0;       // the value after the cut, once known; `low` is the one before it
  bool has_neighbours = false;

  std::int64_t left_weight = 0;    // of two children: the weight of the first
  double split_info = -1;          // of more: the entropy of the children's weights, in bits
  bool rounding_decides = false;   // between equal scores
  double entropy = 0;              // of the classes after the split as a program sums it up, where its rounding decides
  double cost = 0;                 // of the threshold, off the gain where columns are compared
  std::int64_t second_weight = -1;   // of the second heaviest child, where left_weight does not say it
  std::int32_t rest = -1;            // of merged levels: the child of those that are hardly there

  bool plain = false;   // the gain is known as a plain sum too, and as one to compare with other columns
  double plain_gain = 0, plain_share = 0;
  std::int64_t known_weight = 0, known_majority = 0;   // of a surrogate: its known rows, and of these the heavier side

  std::shared_ptr<const NodeTests> tests;   // of a node with or without a split

  explicit operator bool() const { return score >= 0; }
  bool merged() const { return found_by == FoundBy::merged; }   // its branches are groups of levels

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
