// One tally per level: all that a search of a nominal column needs of the rows.
#pragma once
#include <algorithm>
#include <vector>

#include "../columns.hpp"
#include "../split.hpp"
#include "level_order.hpp"
#include "plain.hpp"
#include "sorted_lists.hpp"

namespace treewright {

struct Levels {   // the levels present in a node
  std::size_t width;
  std::int32_t n_declared = 0;       // of the column
  std::vector<std::int32_t> code;    // ascending
  std::vector<std::int64_t> cells;   // [level][width]
  std::vector<float> single;         // of every level: its weight as summed in single precision, where that decides

  explicit Levels(std::size_t width) : width(width) {}
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

struct LevelsInOrder {   // levels as buckets
  const Levels& levels;
  const LevelOrder& order;
  Key first;                                   // number of the first candidate
  const std::vector<PlainSums::Part>& parts;   // of the levels, where plain sums decide between equals
  std::size_t size() const { return order.size(); }
  void add_to(std::size_t i, Tally left) const {
    const ConstTally t = levels.tally(order[i]);
    for (std::size_t k = 0; k < left.size(); ++k) left[k] += t[k];
  }
  void move(std::size_t i, PlainSums& plain) const { plain.move(parts[order[i]], 1); }
  bool may_cut_after(std::size_t) const { return true; }
  void cut(std::size_t i, Split& split) const { split.place = {0, first + static_cast<Key>(i)}; }
};

struct Refusals {   // a watcher of the highest gain that the rules forbade
  static constexpr bool listens = true;
  double& highest;
  void before(std::size_t, ConstTally) {}
  void edge(std::size_t, double) {}
  void refused(std::size_t, double gain) { highest = std::max(highest, gain); }
};

// The levels of sorted rows.
template <class C>
Levels levels_in_order(const C& criterion, const SortedLists& lists, std::size_t feature,
                       std::span<const SortedLists::Entry> present) {
  Levels levels(criterion.width());
  levels.n_declared = lists.column(feature).n_levels;
  for (std::size_t i = 0; i < present.size();) {
    const std::uint32_t rank = SortedLists::rank(present[i]);
    const Tally tally = levels.add(lists.level(feature, present[i]));
    for (; i < present.size() && SortedLists::rank(present[i]) == rank; ++i)
      criterion.add(tally, SortedLists::id(present[i]));
  }
  return levels;
}

// The levels of some rows, found by sorting their codes; rows without one are added to `missing`.
template <class C>
Levels levels_of_rows(const C& criterion, const Column& column, std::span<const RowIndex> rows, Tally missing) {
  std::vector<std::uint64_t> order;   // code, then place of the row
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int32_t code = column.level_codes()[rows[i]];
    if (code < 0) criterion.add(missing, rows[i]);
    else order.push_back(static_cast<std::uint64_t>(code) << 32 | i);
  }
  std::sort(order.begin(), order.end());
  Levels levels(criterion.width());
  levels.n_declared = column.n_levels;
  Tally level;
  for (const std::uint64_t entry : order) {
    const auto code = static_cast<std::int32_t>(entry >> 32);
    if (levels.size() == 0 || levels.code.back() != code) level = levels.add(code);
    criterion.add(level, rows[entry & 0xffffffff]);
  }
  return levels;
}

}   // namespace treewright
