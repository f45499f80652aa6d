// ShortLists: the sorted lists of a small node and of all nodes below it, for each column in two copies. A node is in one copy;
// of its children the first stays there and the second goes to the other.
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "short_entries.hpp"

namespace treewright {

class ShortLists {
 public:
  using Entry = ShortEntry;
  struct Segment {                      // of a node
    std::uint32_t begin = 0, end = 0;   // the same in every list
    int copy = 0;
    std::uint32_t size() const { return end - begin; }
  };
  struct Group {   // of columns: lists that one loop goes through do not wait for each other
    std::size_t first, size;
  };

  ShortLists(std::size_t n_columns, std::uint32_t n_rows)
      : n_columns_(n_columns), n_rows_(n_rows), has_ties_(n_columns), entries_(new Entry[2 * n_columns * stride()]) {}

  // The list of all rows, to be filled: columns by any threads.
  Entry* whole(std::size_t column) { return list(column, 0); }
  void set_ties(std::size_t column, bool any) { has_ties_[column] = any; }

  bool has_ties(std::size_t column) const { return has_ties_[column] != 0; }
  const Entry* of(const Segment& node, std::size_t column) const { return list(column, node.copy) + node.begin; }

  std::size_t n_groups() const { return n_columns_ < 7 ? 1 : (n_columns_ + 1) / together; }   // the last has 3 to 6
  Group group(std::size_t number) const {
    const std::size_t first = number * together, left = n_columns_ - first;
    return {first, left < 7 ? left : together};
  }
  Group group_with(std::size_t column) const { return group(std::min(column / together, n_groups() - 1)); }
  // Calls work<the size of a group>(its first column).
  template <class Work>
  void with_group(std::size_t number, const Work& work) const {
    const auto [first, size] = group(number);
    switch (size) {
      case 1:
        return work.template operator()<1>(first);
      case 2:
        return work.template operator()<2>(first);
      case 3:
        return work.template operator()<3>(first);
      case 4:
        return work.template operator()<4>(first);
      case 5:
        return work.template operator()<5>(first);
      default:
        return work.template operator()<6>(first);
    }
  }

  // Divides N columns of a node, whose first child has n_left rows, by the side of every row; of the rows of a child that needs
  // no list nothing is kept. `tested`: the list of the tested column, where the rows of the first child come first.
  template <Kept kept, std::size_t N>
  void divide(const Segment& node, std::uint32_t n_left, const Entry* tested, const std::uint8_t* side,
              std::size_t first) {
    std::array<Entry*, N> lists;
    std::size_t n = 0;
    const std::ptrdiff_t second = list(0, 1 - node.copy) - list(0, node.copy) + n_left;
    for (std::size_t c = 0; c < N; ++c) {
      Entry* const entries = list(first + c, node.copy) + node.begin;
      if (entries != tested) lists[n++] = entries;
      else if constexpr (kept != Kept::left) std::copy(entries + n_left, entries + node.size(), entries + second);
    }
    if (n == N) return divide<kept>(lists, second, n_left, side, node.size());
    if constexpr (N > 1) {
      std::array<Entry*, N - 1> others;
      std::copy_n(lists.begin(), N - 1, others.begin());
      divide<kept>(others, second, n_left, side, node.size());
    }
  }

 private:
  static constexpr std::size_t together = 4;

  std::size_t stride() const { return std::size_t{n_rows_} + 1; }   // one entry more: see divide_entries
  Entry* list(std::size_t column, int copy) const {
    return entries_.get() + (static_cast<std::size_t>(copy) * n_columns_ + column) * stride();
  }
  template <Kept kept, std::size_t N>
  static void divide(const std::array<Entry*, N>& lists, std::ptrdiff_t second, std::uint32_t n_left,
                     const std::uint8_t* side, std::uint32_t size) {
    std::array<Entry, N> after;   // of the node that follows the second child
    const std::ptrdiff_t end = second + (size - n_left);
    if constexpr (kept != Kept::left)
      for (std::size_t c = 0; c < N; ++c) after[c] = lists[c][end];
    divide_entries<kept>(lists, second, side, size);
    if constexpr (kept != Kept::left)
      for (std::size_t c = 0; c < N; ++c) lists[c][end] = after[c];
  }

  std::size_t n_columns_;
  std::uint32_t n_rows_;
  std::vector<std::uint8_t> has_ties_;   // by column
  std::unique_ptr<Entry[]> entries_;     // [copy][column][row], sorted node by node
};

}   // namespace treewright
