// SearchInput: what the search for the best split of one node and one column needs, wherever its rows are.
#pragma once
#include "growth.hpp"
#include "search/plain.hpp"
#include "split.hpp"

namespace treewright {

struct SearchInput {
  ConstTally total;   // of the rows that a test divides
  Scale scale;
  Rules rules;
  std::int32_t feature;
  Missing missing = Missing::learned;
  bool by_ratio = false;   // columns are compared by gain ratio: splits must say how even they are
  bool missing_seen = false;
  double offset = 0;           // what a child for missing values alone adds to every gain
  bool missing_alone = true;   // "is it missing?" is a test
  double better_by = 0;        // what a later cut must gain more
  bool rounding_decides = false;
  ConstTally missing_rows{};        // of the column, where rounding decides
  PlainSums* plain = nullptr;       // counts along, where plain sums decide between equals
  double plain_unit = 1;            // what its gains are divided by when columns are compared
  std::int64_t* n_cuts = nullptr;   // counts the cuts that the rules allow, where that matters
};

}   // namespace treewright
