// What every cut of a column of numbers gains at a node: all that a search compares, not only its best.
#pragma once
#include <span>
#include <vector>

#include "columns.hpp"
#include "growth.hpp"
#include "target.hpp"

namespace treewright {

struct CutGains {   // one entry per cut, ascending
  std::vector<double> threshold, gain, left_weight;
  std::vector<std::int64_t> n_left;         // rows whose value is at most the threshold
  std::vector<std::uint8_t> missing_left;   // where missing values gain more
  std::vector<std::uint8_t> allowed;        // both sides are large enough
};

// Of every column, over these rows. Nominal columns have no cuts.
std::vector<CutGains> cut_gains(const Columns& columns, const Target& target, const Growth& growth,
                                std::span<const RowIndex> rows);

}   // namespace treewright
