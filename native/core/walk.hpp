// One row down a tree of any tests. Keys of the tested columns are at hand; levels are codes.
#pragma once
#include <algorithm>

#include "predict.hpp"

namespace treewright {

class Walker {
 public:
  // last_left[i]: the greatest key on the low side of node i; the surrogates' follow those of the nodes.
  Walker(const PredictorTree& tree, std::span<const Key> last_left, std::span<const std::int32_t> slot)
      : tree_(tree), last_left_(last_left), slot_(slot) {}

  // value(slot) reads a key. Where the row goes from an inner node: a child's number, stops_missing or shared_missing.
  template <class Value>
  std::int32_t child(std::size_t at, Value&& value) const {
    const PredictorNode& node = tree_.nodes[at];
    const std::int32_t child =
        answer(node.level_begin, node.level_end, last_left_[at], value(slot_[static_cast<std::size_t>(node.feature)]));
    if (child >= 0) return child;
    for (std::uint32_t s = node.surrogate_begin; s < node.surrogate_end; ++s) {
      const SurrogateTest& test = tree_.surrogates[s];
      const std::int32_t side = answer(test.level_begin, test.level_end, last_left_[tree_.nodes.size() + s],
                                       value(slot_[static_cast<std::size_t>(test.feature)]));
      if (side >= 0) return test.reversed ? 1 - side : side;
    }
    return node.missing_child;
  }

  // Calls use(node, share) wherever the row ends.
  template <class Value, class Use>
  void ends(Value&& value, std::vector<std::pair<std::uint32_t, double>>& open, Use&& use) const {
    open.assign(1, {0, 1.0});
    while (!open.empty()) {
      auto [at, share] = open.back();
      open.pop_back();
      for (;;) {
        const PredictorNode& node = tree_.nodes[at];
        const std::int32_t to = node.n_children == 0 ? stops_missing : child(at, value);
        if (to == stops_missing) {
          use(at, share);
          break;
        }
        if (to == shared_missing) {
          for (std::int32_t k = node.n_children; k-- > 0;) {
            const auto next = static_cast<std::uint32_t>(node.first_child + k);
            if (tree_.nodes[next].share > 0) open.emplace_back(next, share * tree_.nodes[next].share);
          }
          break;
        }
        at = static_cast<std::uint32_t>(node.first_child + to);
      }
    }
  }

 private:
  // The child that a test names for a value; -1 where it has none: the value is missing, or its level is not listed.
  std::int32_t answer(std::uint32_t level_begin, std::uint32_t level_end, Key last_left, Key key) const {
    if (key == missing_key) return -1;
    if (level_begin == level_end) return key > last_left;
    const Key code = key - key_of(std::int64_t{0});
    const auto begin = tree_.level_code.begin() + level_begin, end = tree_.level_code.begin() + level_end;
    const auto found = std::lower_bound(begin, end, code);
    if (found == end || *found != code) return -1;
    return tree_.level_child[static_cast<std::size_t>(found - tree_.level_code.begin())];
  }

  const PredictorTree& tree_;
  std::span<const Key> last_left_;
  std::span<const std::int32_t> slot_;
};

}   // namespace treewright
