// Where one row goes from a node of any test. Levels are codes; load(row, slot) reads the key of a tested column.
#pragma once
#include <algorithm>

#include "predict.hpp"

namespace treewright {

class Walker {
 public:
  Walker(const PredictorTree& tree, const Columns& columns, std::span<const std::int32_t> slot)
      : tree_(tree), columns_(columns), slot_(slot) {
    extend();
  }

  // Read the tests that were added behind those of the tree.
  void extend() {
    const auto last_left = [&](const auto& test, bool compares, bool combines) {
      if (combines) return last_key_left(KeyKind::real, test.threshold);
      const auto f = static_cast<std::size_t>(test.feature);
      return compares ? last_key_left(key_kind(columns_[f].type), test.threshold) : 0;
    };
    for (std::size_t i = last_left_.size(); i < tree_.nodes.size(); ++i) {
      const PredictorNode& node = tree_.nodes[i];
      last_left_.push_back(
          last_left(node, node.n_children > 0 && node.level_begin == node.level_end, node.combination != nullptr));
    }
    for (std::size_t i = surrogate_left_.size(); i < tree_.surrogates.size(); ++i) {
      const SurrogateTest& test = tree_.surrogates[i];
      surrogate_left_.push_back(last_left(test, test.level_begin == test.level_end, false));
    }
  }

  // The node after this one; the node itself where the row ends, or is shared out.
  template <class Load>
  std::uint32_t next(std::uint32_t at, std::size_t row, Load&& load) const {
    const PredictorNode& node = tree_.nodes[at];
    const std::int32_t to = node.n_children == 0 ? stops_missing : child(at, row, load);
    return to < 0 ? at : static_cast<std::uint32_t>(node.first_child + to);
  }

  // Calls use(node, share) wherever the row ends.
  template <class Load, class Use>
  void ends(std::size_t row, Load&& load, std::vector<std::pair<std::uint32_t, double>>& open, Use&& use) const {
    open.assign(1, {0, 1.0});
    while (!open.empty()) {
      auto [at, share] = open.back();
      open.pop_back();
      for (std::uint32_t to = next(at, row, load); to != at; to = next(at, row, load)) at = to;
      const PredictorNode& node = tree_.nodes[at];
      if (node.n_children == 0 || child(at, row, load) == stops_missing) {
        use(at, share);
        continue;
      }
      const double low_share = soft_share(at, row, load);
      for (std::int32_t k = node.n_children; k-- > 0;) {   // the first child is met first
        const auto below = static_cast<std::uint32_t>(node.first_child + k);
        const double part = low_share < 0 ? tree_.nodes[below].share : k == 0 ? low_share : 1 - low_share;
        if (part > 0) open.emplace_back(below, share * part);
      }
    }
  }

  // The share of a row that goes to the low side of a soft threshold, 1/2 at the threshold itself; -1 where the test is
  // not soft, or the row goes one way.
  template <class Load>
  double soft_share(std::uint32_t at, std::size_t row, Load&& load) const {
    const PredictorNode& node = tree_.nodes[at];
    if (std::isnan(node.soft_low)) return -1;
    const auto f = static_cast<std::size_t>(node.feature);
    const Key key = load(row, static_cast<std::uint32_t>(slot_[f]));
    if (key == missing_key) return -1;
    const double x = number_of(key_kind(columns_[f].type), key), cut = node.threshold.value;
    if (x <= node.soft_low || x >= node.soft_high) return -1;
    return x <= cut ? 1 - 0.5 * (x - node.soft_low) / (cut - node.soft_low)
                    : 0.5 * (node.soft_high - x) / (node.soft_high - cut);
  }

  // A child's number, stops_missing or shared_missing; the latter too where a soft threshold sends a row both ways.
  template <class Load>
  std::int32_t child(std::uint32_t at, std::size_t row, Load&& load) const {
    const PredictorNode& node = tree_.nodes[at];
    if (soft_share(at, row, load) >= 0) return shared_missing;
    const auto key = [&](std::int32_t feature) {
      return load(row, static_cast<std::uint32_t>(slot_[static_cast<std::size_t>(feature)]));
    };
    const std::int32_t child =
        child_of(at, node.combination ? combined_key(*node.combination, key) : key(node.feature));
    if (child >= 0) return child;
    for (std::uint32_t s = node.surrogate_begin; s < node.surrogate_end; ++s) {
      const SurrogateTest& test = tree_.surrogates[s];
      const std::int32_t side = child_by_test(test.level_begin, test.level_end, surrogate_left_[s], key(test.feature));
      if (side >= 0) return test.reversed ? 1 - side : side;
    }
    return node.missing_child;
  }

  // The child that the node's own test names for a value; -1 where it names none.
  std::int32_t child_of(std::uint32_t at, Key key) const {
    const PredictorNode& node = tree_.nodes[at];
    return child_by_test(node.level_begin, node.level_end, last_left_[at], key);
  }

  // What the node's own test compares, of rows of the table.
  std::vector<Key> keys(std::uint32_t at, std::span<const RowIndex> rows) const {
    const PredictorNode& node = tree_.nodes[at];
    return compared_keys(columns_, node.feature, node.combination.get(), rows);
  }

  // `child` for many rows, where the test is a threshold and there are no surrogates.
  template <class Load>
  void compare(std::uint32_t at, std::size_t n, Load&& load, std::int32_t* to) const {
    const PredictorNode& node = tree_.nodes[at];
    const auto slot = static_cast<std::uint32_t>(slot_[static_cast<std::size_t>(node.feature)]);
    const Key last = last_left_[at];
    for (std::size_t row = 0; row < n; ++row) {
      const Key key = load(row, slot);
      to[row] = key == missing_key ? node.missing_child : static_cast<std::int32_t>(key > last);
    }
  }

 private:
  // key(feature): the key of a column of the row at hand.
  template <class KeyOf>
  Key combined_key(const Combination& combination, KeyOf&& key) const {
    return treewright::combined_key(combined(combination.coefficient, [&](std::size_t t) {
      const std::int32_t column = combination.column[t];
      return number_or_nan(key_kind(columns_[static_cast<std::size_t>(column)].type), key(column));
    }));
  }

  // The child that a test names for a value; -1 where it has none: the value is missing, or its level is not listed.
  std::int32_t child_by_test(std::uint32_t level_begin, std::uint32_t level_end, Key last_left, Key key) const {
    if (key == missing_key) return -1;
    if (level_begin == level_end) return key > last_left;
    const Key code = key - key_of(std::int64_t{0});
    const auto begin = tree_.level_code.begin() + level_begin, end = tree_.level_code.begin() + level_end;
    const auto found = std::lower_bound(begin, end, code);
    if (found == end || *found != code) return -1;
    return tree_.level_child[static_cast<std::size_t>(found - tree_.level_code.begin())];
  }

  const PredictorTree& tree_;
  const Columns& columns_;
  std::span<const std::int32_t> slot_;
  std::vector<Key> last_left_, surrogate_left_;   // the greatest key on the low side of every test
};

}   // namespace treewright
