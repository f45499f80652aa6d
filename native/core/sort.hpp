// Rows of a node in the order of one column's values.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "types.hpp"

namespace treewright {

void sort_by_key(std::span<Item> items);   // a handful; equal keys in any order

// Sorts by key, equal keys by row; the rows must come in rising order. Many are sorted by digits. Fewer are first dealt
// into slices of the range of keys, a few items each; numbers spread over their range then cost a few operations each,
// and the worst case is that of std::sort. Where the bin of every row is known, bins are the slices.
void sort_items(std::span<Item> items, std::vector<Item>& scratch, const std::uint8_t* bins = nullptr);

// The keys of sorted items, each once.
std::shared_ptr<const std::vector<Key>> distinct_keys(std::span<const Item> items);

}   // namespace treewright
