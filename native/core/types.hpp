// The small words that every other header uses.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

namespace treewright {

using NodeIndex = std::int32_t;   // node 0 is the root
using RowIndex = std::uint32_t;   // a table has fewer than 2^32 rows
using Wide = __int128;            // sums of squares and products of tallies

// Every numeric value has a key: an integer in the same order as the values of its column. Search and routing
// compare keys, so that float32, float64 and 64-bit integers are each exact and one code serves them all.
using Key = std::int64_t;
inline constexpr Key missing_key = std::numeric_limits<Key>::min();   // below every key, and never a value

inline Key key_of(double x) {   // precondition: not NaN; -0.0 and 0.0 are one value
  const auto bits = std::bit_cast<std::int64_t>(x + 0.0);
  return bits ^ ((bits >> 63) & std::numeric_limits<std::int64_t>::max());
}
inline double number_of(Key key) {
  return std::bit_cast<double>(key ^ ((key >> 63) & std::numeric_limits<std::int64_t>::max()));
}
// There is one key fewer than 64-bit integers: their two greatest values count as one.
inline Key key_of(std::int64_t x) { return x == std::numeric_limits<std::int64_t>::max() ? x : x + 1; }
inline Key key_of(std::uint64_t x) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return static_cast<Key>((x == most ? most : x + 1) ^ (std::uint64_t{1} << 63));
}

// A Tally is what a set of rows says of the target: a short row of exact integers. It adds, it subtracts, and the
// code that does so does not know the criterion. Its layout is the criterion's (see criterion.hpp).
using Tally = std::span<std::int64_t>;
using ConstTally = std::span<const std::int64_t>;

// Two halves of |x|: faster than the compiler's own conversion, and to_double(-x) = -to_double(x).
// Precondition: |x| < 2^125.
inline double to_double(Wide x) {
  const Wide size = x < 0 ? -x : x;
  const auto high = static_cast<std::int64_t>(size >> 62);
  const auto low = static_cast<std::int64_t>(size & ((Wide{1} << 62) - 1));
  const double sum = static_cast<double>(high) * 0x1p62 + static_cast<double>(low);
  return x < 0 ? -sum : sum;
}

// A wide integer as three that add without a carry: 42 bits each, the highest signed.
inline constexpr std::size_t limbs_of_wide = 3;
inline constexpr std::size_t n_mass_words = 3;   // per output, where a criterion needs a further pass for the mass
inline void add_limbs(Wide x, std::int64_t* limbs) {
  constexpr auto mask = (std::int64_t{1} << 42) - 1;
  limbs[0] += static_cast<std::int64_t>(x) & mask;
  limbs[1] += static_cast<std::int64_t>(x >> 42) & mask;
  limbs[2] += static_cast<std::int64_t>(x >> 84);
}
inline Wide wide_of(const std::int64_t* limbs) {
  return Wide{limbs[0]} + (Wide{limbs[1]} << 42) + Wide{limbs[2]} * (Wide{1} << 84);
}

struct Item {   // a row and its value in one column
  Key key;
  RowIndex row;
};

}   // namespace treewright
