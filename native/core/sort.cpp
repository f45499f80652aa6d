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

bool by_key_and_row(const Item& a, const Item& b) { return a.key != b.key ? a.key < b.key : a.row < b.row; }

// Deals the items into slices that follow one another, and sorts each: of a few items by insertion.
template <class SliceOf>
void sort_in_slices(std::span<Item> items, std::vector<Item>& scratch, std::size_t n_slices, const SliceOf& slice) {
  constexpr std::size_t few = 24;
  thread_local std::vector<std::uint32_t> at;
  at.assign(n_slices + 1, 0);
  for (const Item& item : items) ++at[slice(item) + 1];
  for (std::size_t s = 0; s < n_slices; ++s) at[s + 1] += at[s];
  scratch.assign(items.begin(), items.end());
  for (const Item& item : scratch) items[at[slice(item)]++] = item;
  std::size_t begin = 0;
  for (std::size_t s = 0; s < n_slices; begin = at[s], ++s) {   // at[s] is now the end of slice s
    if (at[s] - begin > few) {
      std::sort(items.begin() + static_cast<std::ptrdiff_t>(begin), items.begin() + at[s], by_key_and_row);
      continue;
    }
    for (std::size_t i = begin + 1; i < at[s]; ++i) {   // rows come in rising order, and equal keys stay in theirs
      const Item item = items[i];
      std::size_t to = i;
      for (; to > begin && items[to - 1].key > item.key; --to) items[to] = items[to - 1];
      items[to] = item;
    }
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
    while (range >> shift_ >= n_cells) ++shift_;
    count_.assign(n_cells, 0);
    begin_.resize(n_cells);
    for (const Item& item : items) ++count_[(static_cast<std::uint64_t>(item.key) - least_) >> shift_];
    std::uint32_t sum = 0;
    for (std::size_t c = 0; c < n_cells; ++c) begin_[c] = std::exchange(sum, sum + count_[c]);
  }
  std::size_t slice(Key key) const {
    const std::uint64_t offset = static_cast<std::uint64_t>(key) - least_, cell = offset >> shift_;
    const std::uint64_t within = offset - (cell << shift_);                                        // below 2^shift
    const std::uint64_t share = shift_ > 32 ? within >> (shift_ - 32) : within << (32 - shift_);   // in 2^-32
    return begin_[cell] + ((share * count_[cell]) >> 32);
  }

 private:
  static constexpr std::size_t n_cells = 2048;
  std::uint64_t least_ = 0;
  int shift_ = 0;
  static inline thread_local std::vector<std::uint32_t> count_, begin_;
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
