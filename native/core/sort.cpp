#include "sort.hpp"

#include <algorithm>
#include <utility>

namespace treewright {

namespace {

// Sorts many items by key, equal keys staying in order: by eleven bits at a time, from the lowest. Where all items have
// the same bits there is nothing to do.
void sort_by_digits(std::span<Item> items, std::vector<Item>& scratch) {
  constexpr int bits = 11, n_digits = (64 + bits - 1) / bits;
  constexpr std::size_t radix = std::size_t{1} << bits;
  const auto digit = [](const Item& item, int place) {   // the sign is turned over, so that negative keys come first
    const std::uint64_t key = static_cast<std::uint64_t>(item.key) ^ (std::uint64_t{1} << 63);
    return static_cast<std::size_t>(key >> (place * bits)) & (radix - 1);
  };
  std::vector<std::uint32_t> counts(radix * n_digits, 0);
  for (const Item& item : items)
    for (int place = 0; place < n_digits; ++place)
      ++counts[static_cast<std::size_t>(place) * radix + digit(item, place)];
  scratch.resize(items.size());
  std::span<Item> from = items, to = scratch;
  for (int place = 0; place < n_digits; ++place) {
    std::uint32_t* next = &counts[static_cast<std::size_t>(place) * radix];
    if (next[digit(from[0], place)] == from.size()) continue;
    std::uint32_t sum = 0;
    for (std::size_t d = 0; d < radix; ++d) sum += std::exchange(next[d], sum);
    for (const Item& item : from) to[next[digit(item, place)]++] = item;
    std::swap(from, to);
  }
  if (from.data() != items.data()) std::copy(from.begin(), from.end(), items.begin());
}

}   // namespace

void sort_by_key(std::span<Item> items) {
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
}

void sort_items(std::span<Item> items, std::vector<Item>& scratch) {
  constexpr std::size_t many = 20'000;
  if (items.size() >= many) return sort_by_digits(items, scratch);
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

std::shared_ptr<const std::vector<Key>> distinct_keys(std::span<const Item> items) {
  auto keys = std::make_shared<std::vector<Key>>();
  keys->reserve(items.size());
  for (const Item& item : items)
    if (keys->empty() || item.key != keys->back()) keys->push_back(item.key);
  return keys;
}

}   // namespace treewright
