// Test: what routes rows, and all of a split that rows elsewhere need to know.
#pragma once
#include "split.hpp"

namespace treewright {

// Which child a row goes to: by a threshold, by a level, or by whether its value is missing. A test that combines columns is
// never written: its rows are at hand.
struct Test {
  std::int32_t feature = -1;
  std::int32_t n_children = 2;
  std::int32_t missing_child = 0;
  bool missing_alone = false;
  Key last_left = 0;   // the greatest key that goes to the first child
  std::shared_ptr<const LevelMap> levels;
  std::shared_ptr<const Combination> combination{};

  static Test of(const Split& split) {
    return {split.feature, split.n_children, split.child_of_missing(), split.missing_alone,
            split.low,     split.levels,     split.combination};
  }
  void write(std::vector<std::int64_t>& words) const {
    const std::size_t n_levels = levels ? levels->code.size() : 0;
    words.insert(words.end(), {feature, n_children, missing_child, missing_alone, last_left, levels != nullptr,
                               static_cast<std::int64_t>(n_levels)});
    for (std::size_t i = 0; i < n_levels; ++i) words.insert(words.end(), {levels->code[i], levels->child[i]});
  }
  static Test read(const std::int64_t*& word) {
    Test test;
    test.feature = static_cast<std::int32_t>(*word++);
    test.n_children = static_cast<std::int32_t>(*word++);
    test.missing_child = static_cast<std::int32_t>(*word++);
    test.missing_alone = *word++ != 0;
    test.last_left = *word++;
    const bool nominal = *word++ != 0;
    const auto n_levels = static_cast<std::size_t>(*word++);
    if (!nominal) return test;
    LevelMap map;
    for (std::size_t i = 0; i < n_levels; ++i) {
      map.code.push_back(static_cast<std::int32_t>(*word++));
      map.child.push_back(static_cast<ChildNumber>(*word++));
    }
    test.levels = std::make_shared<const LevelMap>(std::move(map));
    return test;
  }
};

}   // namespace treewright
