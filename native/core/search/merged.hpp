// Levels merged into groups, a branch for each, as C4.5 (-s) and C5.0 (subset) do. All begin with a group per level;
// joining groups a and b loses phi(a + b) - phi(a) - phi(b) of the gain.
#pragma once
#include <functional>

#include "../growth.hpp"
#include "level_tallies.hpp"

namespace treewright {

// Joining looks at every pair of groups again and again. More levels are refused before growing, but for columns of
// which C5.0 chooses none whatever they gain.
inline constexpr std::size_t most_merged = 1000;

struct LevelMerging {   // what the merging of a node's levels needs to know
  std::function<double(ConstTally total, ConstTally left)> gain;
  std::size_t n_classes;
  std::int64_t known, missing;   // weights of the node's rows
  double unit;                   // the user's weight of one unit of the grid
  double gain_of_levels;         // of a branch per level
};

struct Grouping {
  std::vector<ChildNumber> child;   // of every level
  std::size_t n_groups = 0;
  double gain = 0, cost = 0, info = 0;
  std::int64_t second_weight = 0;
  std::int32_t rest = -1;   // the group of what was set aside
  explicit operator bool() const { return n_groups > 1; }
};

Grouping merge_as_c50(const LevelMerging& task, const Levels& levels, double least);

}   // namespace treewright
