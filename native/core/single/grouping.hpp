// Levels merged into groups, a branch for each, as C4.5 does it (-s).
#pragma once
#include "single.hpp"

namespace treewright::single {

struct Groups {
  std::vector<std::vector<std::size_t>> levels;   // of every branch
  std::vector<std::size_t> absent;                // levels of hardly any weight: one more branch, the last
  Worth worth;
  explicit operator bool() const { return bool(worth); }
};

// `levels`: a branch for each declared level, of which there are at least three, and some rows have one. `least`: what
// two groups must weigh.
Groups group_levels(const BranchCounts& levels, double least, bool by_ratio);

}   // namespace treewright::single
