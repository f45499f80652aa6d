#include "sort.hpp"

#include <algorithm>
#include <bit>
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

bool by_key_and_row(const Item& a, const Item& b) { return a.key != b.key ? a.key < b.key : a.row < b.row; }

void sort_by_insertion(std::span<Item> items) {   // equal keys stay in order
  for (std::size_t i = 1; i < items.size(); ++i) {
    const Item item = items[i];
    std::size_t to = i;
    for (; to > 0 && items[to - 1].key > item.key; --to) items[to] = items[to - 1];
    items[to] = item;
  }
}

// Deals the items, whose rows rise, into slices that follow one another, and sorts each: where all have few items, by one
// insertion that never leaves a slice.
template <class SliceOf>
void sort_in_slices(std::span<Item> items, std::vector<Item>& scratch, std::size_t n_slices, const SliceOf& slice) {
  constexpr std::uint32_t few = 24;
  thread_local std::vector<std::uint32_t> kept_ends, kept_slices;
  kept_ends.assign(n_slices + 1, 0);
  kept_slices.resize(items.size());
  const std::span<std::uint32_t> at = kept_ends, slice_of = kept_slices;
  for (std::size_t i = 0; i < items.size(); ++i) {
    slice_of[i] = static_cast<std::uint32_t>(slice(items[i]));
    ++at[slice_of[i] + 1];
  }
  std::uint32_t most = 0;
  for (std::size_t s = 0; s < n_slices; ++s) most = std::max(most, at[s + 1]), at[s + 1] += at[s];
  scratch.assign(items.begin(), items.end());
  for (std::size_t i = 0; i < items.size(); ++i) items[at[slice_of[i]]++] = scratch[i];
  if (most <= few) return sort_by_insertion(items);
  std::size_t begin = 0;
  for (std::size_t s = 0; s < n_slices; begin = at[s], ++s) {   // at[s] is now the end of slice s
    const std::span<Item> some = items.subspan(begin, at[s] - begin);
    if (some.size() > few) std::sort(some.begin(), some.end(), by_key_and_row);
    else sort_by_insertion(some);
  }
}

// Slices that hold about one item each. The range of the keys is cut into cells of equal width, and a cell of n items into n
// slices: doubles on both sides of zero lie far apart as keys, and most cells between them are empty.
class Cells {
 public:
  explicit Cells(std::span<const Item> items) {
    Key least = items[0].key, most = items[0].key;
    for (const Item& item : items) least = std::min(least, item.key), most = std::max(most, item.key);
    least_ = static_cast<std::uint64_t>(least);
    const std::uint64_t range = static_cast<std::uint64_t>(most) - least_;
    const std::size_t n_cells = std::clamp<std::size_t>(std::bit_ceil(items.size()), 64, 2048);
    while (range >> shift_ >= n_cells) ++shift_;
    dropped_ = std::max(0, shift_ - 44);   // bits of a place within a cell: times the count of a cell it fits 64 bits
    thread_local std::vector<Cell> kept;
    kept.assign(n_cells, {});
    cells_ = kept.data();
    for (const Item& item : items) ++cells_[(static_cast<std::uint64_t>(item.key) - least_) >> shift_].count;
    std::uint32_t sum = 0;
    for (std::size_t c = 0; c < n_cells; ++c) cells_[c].begin = std::exchange(sum, sum + cells_[c].count);
  }
  std::size_t slice(Key key) const {
    const std::uint64_t offset = static_cast<std::uint64_t>(key) - least_, number = offset >> shift_;
    const std::uint64_t within = (offset - (number << shift_)) >> dropped_;   // below 2^(shift - dropped)
    return cells_[number].begin + ((within * cells_[number].count) >> (shift_ - dropped_));
  }

 private:
  struct Cell {
    std::uint32_t begin = 0, count = 0;   // of its slices
  };
  std::uint64_t least_ = 0;
  int shift_ = 0, dropped_ = 0;
  Cell* cells_ = nullptr;
};

}   // namespace

void sort_by_key(std::span<Item> items) {
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
}

void sort_items(std::span<Item> items, std::vector<Item>& scratch, const std::uint8_t* bins) {
  constexpr std::size_t many = 70'000, few = 64;
  if (items.size() < few) {
    std::sort(items.begin(), items.end(), by_key_and_row);
    return;
  }
  if (bins != nullptr) return sort_in_slices(items, scratch, 256, [&](const Item& item) { return bins[item.row]; });
  if (items.size() >= many) return sort_by_digits(items, scratch);
  const Cells cells(items);
  sort_in_slices(items, scratch, items.size(), [&](const Item& item) { return cells.slice(item.key); });
}

std::shared_ptr<const std::vector<Key>> distinct_keys(std::span<const Item> items) {
  auto keys = std::make_shared<std::vector<Key>>();
  keys->reserve(items.size());
  for (const Item& item : items)
    if (keys->empty() || item.key != keys->back()) keys->push_back(item.key);
  return keys;
}

}   // namespace treewright
