// One tally per level: all that a search of a nominal column needs of the rows.
#pragma once
#include <algorithm>
#include <vector>

#include "../columns.hpp"

namespace treewright {

template <class C>
struct Levels {   // the levels present in a node
  std::size_t width;
  std::vector<std::int32_t> code;    // ascending
  std::vector<std::int64_t> cells;   // [level][width]

  explicit Levels(const C& criterion) : width(criterion.width()) {}
  void reserve(std::size_t n) {
    code.reserve(n);
    cells.reserve(n * width);
  }
  std::size_t size() const { return code.size(); }
  ConstTally tally(std::size_t i) const { return {&cells[i * width], width}; }
  Tally add(std::int32_t level) {   // a new level, not below those before it
    code.push_back(level);
    cells.resize(cells.size() + width, 0);
    return {&cells[cells.size() - width], width};
  }
};

// The levels of some rows, found by sorting their codes; rows without one are added to `missing`.
template <class C>
Levels<C> levels_of_rows(const C& criterion, const Column& column, std::span<const RowIndex> rows, Tally missing) {
  std::vector<std::uint64_t> order;   // code, then place of the row
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int32_t code = column.level_codes()[rows[i]];
    if (code < 0) criterion.add(missing, rows[i]);
    else order.push_back(static_cast<std::uint64_t>(code) << 32 | i);
  }
  std::sort(order.begin(), order.end());
  Levels<C> levels(criterion);
  Tally level;
  for (const std::uint64_t entry : order) {
    const auto code = static_cast<std::int32_t>(entry >> 32);
    if (levels.size() == 0 || levels.code.back() != code) level = levels.add(code);
    criterion.add(level, rows[entry & 0xffffffff]);
  }
  return levels;
}

}   // namespace treewright
