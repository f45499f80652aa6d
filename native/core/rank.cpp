#include "rank.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "sort.hpp"

namespace treewright {

namespace {

// A code has the highest 48 bits of a key's distance from the least, then its place: one comparison is of both.
using Code64 = std::uint64_t;
constexpr int place_bits = 16, key_bits = 64 - place_bits;
constexpr std::uint32_t few = 31;   // codes of a slice, which are sorted by insertion
static_assert((few & (few + 1)) == 0, "sizes are compared with it all at once, by their bits");

std::uint32_t place_of(Code64 code) { return static_cast<std::uint32_t>(code & ((Code64{1} << place_bits) - 1)); }

void sort_by_insertion(Code64* codes, std::size_t n) {
  for (std::size_t i = 1; i < n; ++i) {
    const Code64 code = codes[i];
    std::size_t to = i;
    for (; to > 0 && codes[to - 1] > code; --to) codes[to] = codes[to - 1];
    codes[to] = code;
  }
}

// The numbers of keys, and the least and the greatest key.
struct Range {
  Key least, most;
};
Range read_numbers(std::span<const Key> keys, KeyKind kind, double* numbers) {
  Range range{keys[0], keys[0]};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    numbers[i] = number_of(kind, keys[i]);
    range = {std::min(range.least, keys[i]), std::max(range.most, keys[i])};
  }
  return range;
}
Range read_real_numbers(std::span<const Key> keys, double* numbers) {   // two at a time
  using Numbers = double __attribute__((vector_size(16)));
  using Keys = Key __attribute__((vector_size(16)));
  const double first = number_of(keys[0]);
  Numbers least{first, first}, most = least;
  std::size_t i = 0;
  for (; i + 2 <= keys.size(); i += 2) {
    Keys key;
    std::memcpy(&key, keys.data() + i, sizeof key);
    const auto x = std::bit_cast<Numbers>(key ^ ((key >> 63) & std::numeric_limits<Key>::max()));
    least = x < least ? x : least;
    most = x > most ? x : most;
    std::memcpy(numbers + i, &x, sizeof x);
  }
  const double last = numbers[keys.size() - 1] = number_of(keys.back());
  return {key_of(std::min({least[0], least[1], last})), key_of(std::max({most[0], most[1], last}))};
}

struct Slices {   // of equal width of the numbers, n of them
  double least, per_width;
  std::int32_t last;

  Slices(KeyKind kind, Range range, std::size_t n)
      : least(number_of(kind, range.least)),
        per_width(static_cast<double>(n) / (number_of(kind, range.most) - least)),
        last(static_cast<std::int32_t>(n) - 1) {}
  bool can_be_made() const { return std::isfinite(least) && per_width > 0 && std::isfinite(per_width); }
  std::int32_t of(double number) const {   // rounding may lead one too far
    return std::min(static_cast<std::int32_t>((number - least) * per_width), last);
  }
};

using Counter = std::uint32_t;   // of the codes in a slice
constexpr std::size_t in_a_row = 4;

// Makes of every counter the sum of all up to it.
void add_up(Counter* counters, std::size_t n) {   // a multiple of in_a_row
  Counter sum = 0;
  for (std::size_t i = 0; i < n; i += in_a_row)
    for (std::size_t k = i; k < i + in_a_row; ++k) counters[k] = sum += counters[k];
}

// Sorts every slice, where each ends is known. False where too many are in slices of many keys that differ.
bool sort_slices(Code64* codes, std::span<const Counter> ends) {
  const std::size_t n = ends.back();
  std::uint32_t begin = 0;
  std::size_t n_left = n / 4;
  for (const Counter end : ends) {
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
  thread_local std::vector<double> kept_numbers;
  kept_numbers.resize(n);
  double* numbers = kept_numbers.data();
  const Range range = kind == KeyKind::real ? read_real_numbers(keys, numbers) : read_numbers(keys, kind, numbers);
  if (range.least == range.most) {
    for (std::uint32_t i = 0; i < n; ++i) ranked[i] = i;
    return 1;
  }
  const std::size_t n_slices = 3 * n / in_a_row * in_a_row + in_a_row;   // most have one key or none
  const Slices slices(kind, range, n_slices);
  if (!slices.can_be_made()) return rank_items(keys, ranked);
  const auto offset = [&](Key key) {
    return static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(range.least);
  };
  const int dropped = std::max(0, static_cast<int>(std::bit_width(offset(range.most))) - key_bits);
  thread_local std::vector<Code64> kept_codes;
  thread_local std::vector<std::int32_t> kept_slices;
  thread_local std::vector<Counter> kept_ends;
  const std::size_t n_counters = n_slices + in_a_row;
  kept_codes.resize(n), kept_slices.resize(n), kept_ends.assign(n_counters, 0);
  Code64* codes = kept_codes.data();
  std::int32_t* slice_of = kept_slices.data();
  Counter* at = kept_ends.data();   // of slice s at s + 1, so that the sum up to s is where it begins
  for (std::size_t i = 0; i < n; ++i) slice_of[i] = slices.of(numbers[i]);
  Counter bits = 0;   // of all counts
  for (std::size_t i = 0; i < n; ++i) bits |= ++at[slice_of[i] + 1];
  add_up(at, n_counters);
  for (std::size_t i = 0; i < n; ++i) codes[at[slice_of[i]]++] = offset(keys[i]) >> dropped << place_bits | i;
  if (bits <= few) sort_by_insertion(codes, n);
  else if (!sort_slices(codes, {at, n_slices})) return rank_items(keys, ranked);
  if (const std::uint32_t n_ranks = rank_codes(codes, keys, ranked); n_ranks > 0) return n_ranks;
  sort_equal_codes(codes, keys);
  return rank_codes(codes, keys, ranked);
}

}   // namespace treewright
