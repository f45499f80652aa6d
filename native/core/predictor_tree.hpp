// A tree that was just grown, as rows are sent down it.
#pragma once
#include "predict.hpp"

namespace treewright {

inline PredictorTree predictor_tree(const GrownTree& grown) {
  PredictorTree tree;
  tree.nodes.reserve(grown.size());
  const auto add_levels = [&](const std::shared_ptr<const LevelMap>& levels, auto& test) {
    test.level_begin = static_cast<std::uint32_t>(tree.level_code.size());
    if (levels) {
      tree.level_code.insert(tree.level_code.end(), levels->code.begin(), levels->code.end());
      for (const ChildNumber child : levels->child) tree.level_child.push_back(static_cast<std::int32_t>(child));
    }
    test.level_end = static_cast<std::uint32_t>(tree.level_code.size());
  };
  grown.for_each([&](std::size_t, const TreeNode& from, std::span<const double>, const RareParts& rare) {
    PredictorNode& node = tree.nodes.emplace_back();
    node.share = rare.share;
    if (from.first_child >= 0) {
      node.first_child = from.first_child;
      node.n_children = from.n_children;
      node.feature = from.feature;
      node.threshold = threshold_of(from, rare);
      node.combination = rare.combination;
      node.missing_child = from.missing_child;
      add_levels(rare.levels, node);
      node.surrogate_begin = static_cast<std::uint32_t>(tree.surrogates.size());
      if (rare.surrogates) {
        for (const Surrogate& each : *rare.surrogates) {
          SurrogateTest test{each.feature, each.threshold, each.reversed};
          add_levels(each.levels, test);
          tree.surrogates.push_back(test);
        }
      }
      node.surrogate_end = static_cast<std::uint32_t>(tree.surrogates.size());
    }
  });
  return tree;
}

}   // namespace treewright
