// Rows of a node in the order of one column's values.
#pragma once
#include <algorithm>
#include <vector>

#include "search/refine.hpp"

namespace treewright {

// Sorts by key, equal keys by row. Items are first dealt into slices of the range of keys, a few items each; numbers
// spread over their range then cost a few operations each, and the worst case is that of std::sort.
inline void sort_items(std::span<Item> items, std::vector<Item>& scratch) {
  const auto by_key = [](const Item& a, const Item& b) { return a.key != b.key ? a.key < b.key : a.row < b.row; };
  if (items.size() < 64) {
    std::sort(items.begin(), items.end(), by_key);
    return;
  }
  Key least = items[0].key, most = items[0].key;
  for (const Item& item : items) least = std::min(least, item.key), most = std::max(most, item.key);
  const auto range = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
  int shift = 0;
  while (range >> shift >= items.size()) ++shift;
  const auto slice = [&](const Item& item) {
    return static_cast<std::size_t>((static_cast<std::uint64_t>(item.key) - static_cast<std::uint64_t>(least)) >>
                                    shift);
  };
  const std::size_t n_slices = static_cast<std::size_t>(range >> shift) + 1;
  std::vector<std::uint32_t> at(n_slices + 1, 0);
  for (const Item& item : items) ++at[slice(item) + 1];
  for (std::size_t s = 0; s < n_slices; ++s) at[s + 1] += at[s];
  scratch.assign(items.begin(), items.end());
  for (const Item& item : scratch) items[at[slice(item)]++] = item;
  std::size_t begin = 0;
  for (std::size_t s = 0; s < n_slices; begin = at[s], ++s) {   // at[s] is now the end of slice s
    if (at[s] - begin > 1) std::sort(items.begin() + static_cast<std::ptrdiff_t>(begin), items.begin() + at[s], by_key);
  }
}

}   // namespace treewright
