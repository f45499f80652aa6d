#include "rank.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sort.hpp"

namespace treewright {

namespace {

// A code has the highest 48 bits of a key's distance from the least, then its place: one comparison is of both.
using Code64 = std::uint64_t;
constexpr int place_bits = 16, key_bits = 64 - place_bits;
constexpr std::uint32_t few = 24;   // codes of a slice, which are sorted by insertion

std::uint32_t place_of(Code64 code) { return static_cast<std::uint32_t>(code & ((Code64{1} << place_bits) - 1)); }

void sort_by_insertion(Code64* codes, std::size_t n) {
  for (std::size_t i = 1; i < n; ++i) {
    const Code64 code = codes[i];
    std::size_t to = i;
    for (; to > 0 && codes[to - 1] > code; --to) codes[to] = codes[to - 1];
    codes[to] = code;
  }
}

struct Slices {   // of equal width of the numbers, n of them
  double least, per_width;
  std::uint32_t last;

  Slices(KeyKind kind, Key low, Key high, std::size_t n)
      : least(number_of(kind, low)),
        per_width(static_cast<double>(n) / (number_of(kind, high) - least)),
        last(static_cast<std::uint32_t>(n) - 1) {}
  bool can_be_made() const { return std::isfinite(least) && per_width > 0 && std::isfinite(per_width); }
  std::uint32_t of(double number) const {
    return std::min(static_cast<std::uint32_t>((number - least) * per_width), last);
  }
};

// Sorts every slice, where each ends is known. False where too many are in slices of many keys that differ.
bool sort_slices(Code64* codes, std::span<const std::uint32_t> ends) {
  const std::size_t n = ends.back();
  std::uint32_t begin = 0;
  std::size_t n_left = n / 4;
  for (const std::uint32_t end : ends) {
    const std::uint32_t size = end - begin;
    if (size <= few) {
      sort_by_insertion(codes + begin, size);
    } else if (!std::is_sorted(codes + begin, codes + end)) {   // as equal keys are
      if (size > n_left) return false;
      n_left -= size;
      std::sort(codes + begin, codes + end);
    }
    begin = end;
  }
  return true;
}

// Puts codes that are the same but for the place into the order of their keys.
void sort_equal_codes(Code64* codes, std::span<const Key> keys) {
  const auto by_key = [&](Code64 a, Code64 b) {
    const Key first = keys[place_of(a)], second = keys[place_of(b)];
    return first != second ? first < second : a < b;
  };
  for (std::size_t begin = 0, end = 1; begin < keys.size(); begin = end++) {
    while (end < keys.size() && codes[end] >> place_bits == codes[begin] >> place_bits) ++end;
    std::sort(codes + begin, codes + end, by_key);
  }
}

// Whether no two codes that follow each other are the same but for the place: then (their difference >> place_bits) - 1 never
// has its highest bit.
bool all_differ(const Code64* codes, std::size_t n) {
  Code64 same = 0;
  for (std::size_t i = 1; i < n; ++i) same |= ((codes[i] ^ codes[i - 1]) >> place_bits) - 1;
  return same >> 63 == 0;
}

// Writes the ranks of sorted codes; how many there are. 0: some codes are the same, and their keys are not in order.
std::uint32_t rank_codes(const Code64* codes, std::span<const Key> keys, std::uint32_t* ranked) {
  const auto n = static_cast<std::uint32_t>(keys.size());
  if (all_differ(codes, n)) {
    for (std::uint32_t i = 0; i < n; ++i) ranked[i] = i << place_bits | place_of(codes[i]);
    return n;
  }
  std::uint32_t rank = 0;
  Code64 last = codes[0];
  for (std::size_t i = 0; i < n; ++i) {
    const Code64 code = codes[i];
    if (code >> place_bits != last >> place_bits) {
      ++rank;
    } else if (const Key key = keys[place_of(code)], before = keys[place_of(last)]; key != before) {
      if (key < before) return 0;
      ++rank;
    }
    last = code;
    ranked[i] = rank << place_bits | place_of(code);
  }
  return rank + 1;
}

std::uint32_t rank_items(std::span<const Key> keys, std::uint32_t* ranked) {
  std::vector<Item> items(keys.size()), scratch;
  for (std::uint32_t i = 0; i < keys.size(); ++i) items[i] = {keys[i], i};
  sort_items(items, scratch);
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    rank += i > 0 && items[i].key != items[i - 1].key;
    ranked[i] = rank << place_bits | items[i].row;
  }
  return rank + 1;
}

}   // namespace

std::uint32_t rank_keys(std::span<const Key> keys, KeyKind kind, std::uint32_t* ranked) {
  const std::size_t n = keys.size();
  Key least = keys[0], most = keys[0];
  for (const Key key : keys) least = std::min(least, key), most = std::max(most, key);
  if (least == most) {
    for (std::uint32_t i = 0; i < n; ++i) ranked[i] = i;
    return 1;
  }
  const std::size_t n_slices = 2 * n;   // most have one key or none
  const Slices slices(kind, least, most, n_slices);
  if (!slices.can_be_made()) return rank_items(keys, ranked);
  const auto offset = [&](Key key) { return static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(least); };
  const int dropped = std::max(0, static_cast<int>(std::bit_width(offset(most))) - key_bits);
  thread_local std::vector<Code64> kept_codes, kept_sorted;
  thread_local std::vector<std::uint32_t> kept_slices, kept_ends;
  kept_codes.resize(n), kept_sorted.resize(n), kept_slices.resize(n), kept_ends.assign(n_slices + 1, 0);
  Code64 *codes = kept_codes.data(), *sorted = kept_sorted.data();
  std::uint32_t *slice_of = kept_slices.data(), *at = kept_ends.data();
  const auto deal = [&](const auto& number) {
    for (std::size_t i = 0; i < n; ++i) {
      codes[i] = offset(keys[i]) >> dropped << place_bits | i;
      slice_of[i] = slices.of(number(keys[i]));
      ++at[slice_of[i] + 1];
    }
  };
  if (kind == KeyKind::real) deal([](Key key) { return number_of(key); });
  else deal([&](Key key) { return number_of(kind, key); });
  std::uint32_t largest = 0;
  for (std::size_t s = 0; s < n_slices; ++s) largest = std::max(largest, at[s + 1]), at[s + 1] += at[s];
  for (std::size_t i = 0; i < n; ++i) sorted[at[slice_of[i]]++] = codes[i];
  if (largest <= few) sort_by_insertion(sorted, n);
  else if (!sort_slices(sorted, {at, n_slices})) return rank_items(keys, ranked);
  if (const std::uint32_t n_ranks = rank_codes(sorted, keys, ranked); n_ranks > 0) return n_ranks;
  sort_equal_codes(sorted, keys);
  return rank_codes(sorted, keys, ranked);
}

}   // namespace treewright
