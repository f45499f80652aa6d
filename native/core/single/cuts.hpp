// The best cut of a column of numbers, as C4.5 finds it.
#pragma once
#include "../growth.hpp"
#include "../types.hpp"
#include "single.hpp"

namespace treewright::single {

struct Entry {   // a row that has a value
  RowIndex row;
  std::uint32_t in_class;
  float value;
};

struct CutTask {
  std::span<const Entry> entries;     // lowest value first
  std::span<const float> counts;      // of the classes in the node
  const float* weight;                // by row; nullptr: every row of the node weighs 1
  std::span<const float> of_unknown;   // the classes of the rows without a value
  float all;                          // the weight of the node
  double least;                       // what both sides must weigh
};

struct CutFound : Worth {
  std::uint32_t after = 0;   // the place of the last row of the first branch
};

CutFound best_cut(const CutTask& task, const ClassicRules& rules);

}   // namespace treewright::single
