// Histogram: one tally per bin of every column, missing last. It adds and subtracts like a tally.
#pragma once
#include "bins.hpp"
#include "split.hpp"

namespace treewright {

struct Histogram {
  std::size_t width = 0;
  std::vector<std::size_t> offset;   // of each column's first cell, in cells
  std::vector<std::int64_t> cells;
  std::vector<std::uint8_t> built;   // per column

  Histogram() = default;
  Histogram(const BinnedColumns& columns, std::size_t width) : width(width), built(columns.size(), 0) {
    offset.push_back(0);
    for (const BinnedColumn& column : columns) {
      offset.push_back(offset.back() + static_cast<std::size_t>(column.n_bins) + 1);
    }
    cells.resize(offset.back() * width);
  }
  std::int64_t* column(std::size_t feature) { return &cells[offset[feature] * width]; }
  const std::int64_t* column(std::size_t feature) const { return &cells[offset[feature] * width]; }
  ConstTally cell(std::size_t feature, std::size_t bin) const {
    return {&cells[(offset[feature] + bin) * width], width};
  }
  std::size_t column_size(std::size_t feature) const { return (offset[feature + 1] - offset[feature]) * width; }
  void subtract(const Histogram& other, std::size_t feature) {
    std::int64_t* mine = column(feature);
    const std::int64_t* theirs = other.column(feature);
    for (std::size_t i = 0, n = column_size(feature); i < n; ++i) mine[i] -= theirs[i];
  }
};

// The rows of a bin by slices of its keys, or by single keys: ascending, none empty.
struct SliceCounts {
  std::int32_t bin = 0;
  std::size_t width = 0;
  std::vector<std::int64_t> tallies;   // [slice][width]
  std::vector<Key> low, high;          // the least and the greatest key of each

  std::size_t size() const { return low.size(); }
  ConstTally tally(std::size_t i) const { return {&tallies[i * width], width}; }
  void add_to(std::size_t i, Tally left) const {
    const ConstTally t = tally(i);
    for (std::size_t k = 0; k < t.size(); ++k) left[k] += t[k];
  }
  bool may_cut_after(std::size_t) const { return true; }
  bool may_hide(std::size_t i) const { return low[i] != high[i]; }
  Place first_place(std::size_t i) const { return {bin, low[i]}; }
  void cut(std::size_t i, Split& split) const {
    split.place = {bin, high[i]};
    split.low = high[i];
    split.high = low[i + 1];
    split.has_neighbours = true;
  }
};

// A bin of one column that may hide a cut better than the incumbent.
struct Suspect {
  std::int32_t bin;
  bool missing_left;
  Score highest;
  bool matters(std::int32_t feature, const Split& best) const {
    return may_beat(highest, feature, {bin, missing_key}, best);
  }
};

}   // namespace treewright
